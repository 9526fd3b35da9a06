import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { type Finished, type Place, tatemono } from '../support/command.ts';
import { onPostgres, onSqlite, type TestDatabase } from '../support/engines.ts';
import { freePort, initialise, preparePrograms, startServer } from '../support/postgres-cluster.ts';
import { complete, placeOf } from './commands.ts';
import { isLong, shortOrLong, tell, timeout } from './length.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';
import { differences, stateOf } from './state.ts';
import { writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const BUILDINGS = shortOrLong(150, 1_500);
/** Enough for everything. */
const ROOMY_MB = 400;

/** FLT-02: it ends with one line that says why, and no stack. */
function expectFull({ code, stderr }: Finished, reason: RegExp): void {
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/^tatemono: /);
  expect(lines.at(-1)).toMatch(reason);
  expect(stderr).not.toMatch(/\n\s+at /);
}

const FULL = /full|no space left on device/i;
/** SQLite does not tell a limit of the file size from other errors of the disk. */
const NOT_GROWING = /input\/output error; check the disk and free space|full|too large|EFBIG/i;

/** A disk on which a test stores something; undefined where none can be mounted. */
async function diskFor(dir: string, megabytes: number): Promise<SmallDisk | undefined> {
  const disk = await openSmallDisk(dir, megabytes);
  if (disk !== undefined) onTestFinished(() => disk.close());
  return disk;
}

/** The registry on a small disk, copied to where this process can read it. */
function copyOut(disk: SmallDisk, { engine, dir }: TestDatabase): TestDatabase {
  const copy = mkdtempSync(join(dir, 'copy-'));
  const [program = '', ...args] = disk.inside(['cp', '-r', `${disk.dir}/.`, copy]);
  execFileSync(program, args);
  return { engine, url: `file:${join(copy, 'registry.db')}`, dir: copy };
}

onSqlite('a full disk', (fresh) => {
  it('FLT-02 under the database ends an ingest with one line, and with room it is completed', { timeout }, async () => {
    const quiet = await fresh();
    const file = writeTown(quiet.dir, BUILDINGS);
    await complete(quiet, ['ingest', 'records', file]);
    const expected = await stateOf(quiet);
    for (const megabytes of isLong ? [1, 2, 3, 4, 6] : [1]) {
      const disk = await diskFor(join(quiet.dir, `disk-${megabytes}`), megabytes);
      if (disk === undefined) return;
      const on: TestDatabase = { engine: 'sqlite', url: `file:${disk.dir}/registry.db`, dir: quiet.dir };
      const place: Place = { ...placeOf(on, { ARCHIVE_DIR: join(disk.dir, 'archive') }), through: disk.inside([]) };
      const failed = await tatemono(place, 'ingest', 'records', file);
      expectFull(failed, FULL);
      tell(`a disk of ${megabytes} MB: ${failed.stderr.trimEnd()}`);
      disk.resize(ROOMY_MB);
      await stateOf(copyOut(disk, quiet));
      expect(await tatemono(place, 'ingest', 'records', file)).toMatchObject({ code: 0, stderr: '' });
      const copy = copyOut(disk, quiet);
      expect(differences(await stateOf(copy), expected)).toEqual([]);
      expect(readdirSync(join(copy.dir, 'archive'))).toEqual(['sha256']);
      await expectClean(copy);
    }
  });

  it('FLT-02 a file that may not grow has the same effect, for the database, the archive and a backup', {
    timeout,
  }, async () => {
    const [quiet, database] = [await fresh(), await fresh()];
    const file = writeTown(quiet.dir, BUILDINGS);
    await complete(quiet, ['ingest', 'records', file]);
    /** In blocks of 512 bytes. */
    const limited = (blocks: number): Place => ({
      ...placeOf(database),
      through: ['sh', '-c', 'ulimit -f "$0" && exec "$@"', String(blocks)],
    });
    if (process.platform === 'win32') return;
    expectFull(await tatemono(limited(40), 'ingest', 'records', file), NOT_GROWING);
    if (isLong) {
      for (const blocks of [80, 160, 320, 640, 1280]) {
        expectFull(await tatemono(limited(blocks), 'ingest', 'records', file), NOT_GROWING);
        await stateOf(database);
      }
    }
    await complete(database, ['ingest', 'records', file]);
    expect(differences(await stateOf(database), await stateOf(quiet))).toEqual([]);
    expect(readdirSync(join(database.dir, 'archive'))).toEqual(['sha256']);
    const backup = join(database.dir, 'backup.db');
    expectFull(await tatemono(limited(640), 'backup', backup), NOT_GROWING);
    expect(readdirSync(database.dir).filter((name) => name.startsWith('backup'))).toEqual([]);
    await complete(database, ['backup', backup]);
    await expectClean(database);
  });
});

onPostgres('a full disk', (fresh) => {
  const LARGE = 4_000;

  it.runIf(isLong).each([
    ['the database', 24],
    ['the log', 12],
  ] as const)(
    'FLT-02 under %s of PostgreSQL ends an ingest with one line, and with room it is completed',
    { timeout },
    async (what, megabytes) => {
      const quiet = await fresh();
      const file = writeTown(quiet.dir, LARGE);
      await complete(quiet, ['ingest', 'records', file]);
      const expected = await stateOf(quiet);

      const root = mkdtempSync(join(tmpdir(), 'tatemono-disk-'));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const programs = await preparePrograms(root);
      const disk = await diskFor(join(root, 'disk'), megabytes);
      if (disk === undefined) return;
      const [data, small] = [join(root, 'data'), join(disk.dir, 'small')];
      const through: SmallDisk['inside'] = (command, user) => disk.inside(command, user);
      const inside = { ...programs, through };
      const isLog = what === 'the log';
      initialise(inside, data, ['--wal-segsize=1', ...(isLog ? ['-X', small] : [])]);
      const port = await freePort();
      const settings = [
        'min_wal_size=2MB',
        `max_wal_size=${isLog ? '64MB' : '8MB'}`,
        'wal_level=minimal',
        'max_wal_senders=0',
      ];
      let server = await startServer(inside, data, port, settings);
      onTestFinished(() => server.stop());
      const run = async (statement: string) => {
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        await client.query(statement).finally(() => client.end());
      };
      if (!isLog) {
        const [program = '', ...args] = disk.inside(['mkdir', small], programs.options.uid);
        execFileSync(program, args);
        await run(`create tablespace small location '${small}'`);
      }
      await run(`create database registry${isLog ? '' : ' tablespace small'}`);
      const dir = join(root, 'files');
      mkdirSync(dir);
      const on: TestDatabase = { engine: 'postgres', url: server.url.replace(/postgres$/, 'registry'), dir };
      const failed = await tatemono(placeOf(on), 'ingest', 'records', file);
      expectFull(failed, isLog ? /\S/ : FULL);
      tell(`${what} on a disk of ${megabytes} MB: ${failed.stderr.trimEnd()}`);
      disk.resize(ROOMY_MB);
      if (isLog) {
        // It ends itself if it cannot write its log.
        await server.stop('SIGQUIT');
        server = await startServer(inside, data, port, settings);
      }
      await stateOf(on);
      expect(await tatemono(placeOf(on), 'ingest', 'records', file)).toMatchObject({ code: 0, stderr: '' });
      expect(differences(await stateOf(on), expected)).toEqual([]);
      await expectClean(on);
    },
  );
});
