import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect, inject, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { loadSampleIfEmpty } from '../../src/pipeline/load-sample.ts';
import { restoreRegistry } from '../../src/pipeline/restore.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { startSearchThreads } from '../../src/registry/search/read/search-threads.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { backUp } from '../../src/storage/backup.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import type { Storage, Tx } from '../../src/storage/storage.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { runHere } from '../support/command.ts';
import { onBothEngines, openContext, type TestDatabase } from '../support/engines.ts';
import { AREAS, building, id, record, writeRecords } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { assetUrl, serverOn } from '../support/serving.ts';

const API = '/japan/api/v1';
const URLS = [
  `${API}/assets?q=%E3%83%93%E3%83%AB`,
  `${API}/assets?limit=100`,
  `${API}/areas/tokyo`,
  `${API}/areas/tokyo/chiyoda-ku/marunouchi-1-chome`,
  `${API}/owners/X/assets`,
  '/japan/suggest?q=%E4%B8%B8%E3%81%AE%E5%86%85',
  '/japan/tiles/10/909/403',
  assetUrl(id(1)),
  // Only one of the two registries has it.
  assetUrl(id(300)),
];
const HUB = '/japan/tokyo/chiyoda-ku';
/** Enough for a segment of the search index. */
const BUILDINGS = 260;

type Answers = string[];

async function answersOf(app: FastifyInstance): Promise<Answers> {
  const hub = await app.inject({ url: HUB });
  expect(hub.statusCode).toBe(200);
  return Promise.all(
    URLS.map(async (url) => {
      const { statusCode, rawPayload } = await app.inject({ url });
      return `${url} ${statusCode} ${rawPayload.toString('latin1')}`;
    }),
  );
}

interface Served {
  context: Context;
  app: FastifyInstance;
  file: string;
  /** The responses of the server now, and after a restore of the file. */
  before: Answers;
  after: Answers;
  ingest(lines: Parameters<typeof writeRecords>[1]): Promise<void>;
  close(): Promise<void>;
}

/** A server on a registry, with its own connections and threads, and a backup of an earlier state of that registry. */
async function serve(database: TestDatabase): Promise<Served> {
  const context = await openContext(database);
  const ingest = async (lines: Parameters<typeof writeRecords>[1]) => {
    const records = writeRecords(database.dir, lines);
    expect((await ingestFiles(context, 'records', [records])).get(records)).toMatchObject({ rejected: 0 });
  };
  const serving = await openContext(database);
  const searchers = startSearchThreads(database.url);
  const app = serverOn(openRegistry(serving.storage, searchers), undefined, { reit: openReit(serving.storage) });
  const numbers = Array.from({ length: BUILDINGS }, (_, i) => i + 1);
  const owned = (number: number) => record('wikidata', `Q${number}`, { ownerPublic: 'X' }, { building: id(number) });
  await ingest([...AREAS, ...numbers.map((number) => building(number)), owned(1)]);
  const after = await answersOf(app);
  const file = join(database.dir, 'earlier.db');
  await backUp(context.storage, file);
  await ingest([building(300), owned(300)]);
  await ingest([
    building(1, { nameJa: '新しい名のビル' }, { retrievedAt: '2026-03-01T00:00:00Z', rawPayloadRef: 'b' }),
  ]);
  const before = await answersOf(app);
  for (const i of URLS.keys()) expect(before[i]).not.toBe(after[i]);
  return {
    ...{ context, app, file, before, after, ingest },
    async close() {
      await app.close();
      await searchers.close();
      await serving.storage.close();
      await context.storage.close();
    },
  };
}

/** A storage that calls `look` in the middle of its transactions and after each of them. */
function watched(storage: Storage, look: () => Promise<void>): Storage {
  return {
    ...storage,
    async transaction(work) {
      const tables = new Set<string>();
      const result = await storage.transaction((tx) =>
        work({
          ...tx,
          insert: async (...args: Parameters<Tx['insert']>) => {
            await tx.insert(...args);
            const [table] = args;
            if (!tables.has(table) && ['page', 'search_entry', 'search_posting'].includes(table)) await look();
            tables.add(table);
          },
        } as Tx),
      );
      await look();
      return result;
    },
  };
}

const RESTORE = `
  const [url, archiveDir, file, point] = process.argv.slice(1);
  const { openStorage } = await import('./src/storage/open-storage.ts');
  const { restoreRegistry } = await import('./src/pipeline/restore.ts');
  const { silent } = await import('./src/pipeline/context.ts');
  const storage = openStorage(url, () => {});
  const dieAt = (reached) => reached === point && process.kill(process.pid, 'SIGKILL');
  const killed = {
    ...storage,
    async transaction(work) {
      let isWhole = false;
      const result = await storage.transaction(async (tx) => {
        const result = await work({
          ...tx,
          insert: async (table, ...rest) => {
            dieAt(table);
            isWhole ||= table === 'page';
            await tx.insert(table, ...rest);
          },
        });
        if (isWhole) dieAt('before the commit');
        return result;
      });
      if (isWhole) dieAt('after the commit');
      return result;
    },
  };
  const now = () => new Date().toISOString();
  await restoreRegistry({ storage: killed, databaseUrl: url, archiveDir, now, report: silent }, file);
  await storage.close();`;

const leftovers = ({ dir }: TestDatabase) => readdirSync(dir).filter((name) => /restoring|partial/.test(name));

onBothEngines('a restore while others read', (fresh, engine) => {
  it('shows either the old or the new registry completely, even if it is killed', { timeout: 240_000 }, async () => {
    const database = await fresh();
    const { context, app, file, before, after, ingest, close } = await serve(database);
    const env = { DATABASE_URL: database.url, ARCHIVE_DIR: join(database.dir, 'archive') };
    // One by one: the registry may change between two requests.
    const expectOldOrNew = (answers: Answers) => {
      for (const [i, answer] of answers.entries()) expect([before[i], after[i]]).toContain(answer);
    };
    const killAt = async (point: string) => {
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', RESTORE, database.url, env.ARCHIVE_DIR, file, point],
        {
          stdio: ['ignore', 'inherit', 'inherit'],
          env: childEnvironment({ NODE_COMPILE_CACHE: inject('compileCache') }),
        },
      );
      const ended = once(child, 'exit');
      while (child.exitCode === null && child.signalCode === null) {
        expectOldOrNew(await answersOf(app));
        await sleep(20);
      }
      expect([point, (await ended)[1]]).toEqual([point, 'SIGKILL']);
      expect([point, leftovers(database).length > 0]).toEqual([point, true]);
    };
    const old = await registryState(context.storage);
    for (const point of ['search_entry', 'before the commit']) {
      await killAt(point);
      expect([point, await answersOf(app)]).toEqual([point, before]);
      expect((await runHere(env, 'status')).stdout).toMatch(/^restore +of .*earlier\.db, started .* has not finished/m);
      expect([point, leftovers(database)]).toEqual([point, []]);
    }
    expect(await registryState(context.storage)).toBe(old);
    // The database continues with the numbers of the old registry.
    await ingest(AREAS);
    expect((await runHere(env, 'status')).stdout).not.toMatch(/^restore/m);
    const later = join(database.dir, 'later.db');
    await backUp(context.storage, later);

    await killAt('after the commit');
    expect(await answersOf(app)).toEqual(after);
    expect((await runHere(env, 'status')).stdout).not.toMatch(/^restore/m);
    expect(leftovers(database)).toEqual([]);

    const held = await context.storage.openSnapshot();
    const countHeld = () => held.reads.all('select count(*) as n from search_entry', []);
    const count = await countHeld();
    const seen: string[] = [];
    const storage = watched(context.storage, async () => {
      const answers = await answersOf(app);
      expectOldOrNew(answers);
      seen.push(answers[0] === after[0] ? 'old' : 'new');
    });
    await restoreRegistry({ ...context, storage }, later);
    // Before it begins, three times in the middle, once it is committed, and when it has cleaned up.
    expect(seen).toEqual(['old', 'old', 'old', 'old', 'new', 'new']);
    expect(await countHeld()).toEqual(count);
    await held.close();
    expect(await registryState(context.storage)).toBe(old);
    expect(leftovers(database)).toEqual([]);
    await ingest([building(301)]);
    await close();
  });

  it('rejects a damaged, truncated or foreign file, and does not change the registry', async () => {
    const database = await fresh();
    const context = await openContext(database);
    await ingestFiles(context, 'records', [writeRecords(database.dir, [...AREAS, building(1)])]);
    const whole = join(database.dir, 'whole.db');
    await backUp(context.storage, whole);
    const bytes = readFileSync(whole);
    const before = await registryState(context.storage);
    const refused = async (name: string, file: string) => {
      const error = await restoreRegistry(context, file).catch((thrown: unknown) => thrown);
      expect([name, error]).toEqual([name, expect.any(Error)]);
      expect([name, await registryState(context.storage)]).toEqual([name, before]);
      expect([name, leftovers(database)]).toEqual([name, []]);
    };
    const file = join(database.dir, 'other.db');
    // The checksum covers every byte of the file, itself included.
    const name = bytes.lastIndexOf('第1ビル');
    for (const at of [3, 30, 62, 5_000, bytes.length >> 1, name + 1, bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 1;
      writeFileSync(file, damaged);
      await refused(`a bit at ${at}`, file);
    }
    for (const length of [0, 50, 100, 16_384, bytes.length - 1]) {
      copyFileSync(whole, file);
      truncateSync(file, length);
      await refused(`cut off at ${length}`, file);
    }
    // A backup of an earlier version has no checksum.
    const unsealed = Buffer.from(bytes).fill(0, 60, 64);
    writeFileSync(file, unsealed.fill(0, 16_384 * 2, 16_384 * 3));
    await refused('a page of zeros', file);
    const foreign = join(database.dir, 'foreign.db');
    const other = new DatabaseSync(foreign);
    other.exec("create table migration (name text); insert into migration values ('0001-something-else')");
    other.close();
    await refused('another program’s', foreign);
    mkdirSync(join(database.dir, 'folder.db'));
    await refused('a folder', join(database.dir, 'folder.db'));

    writeFileSync(file, Buffer.from(bytes).fill(0, 60, 64));
    await restoreRegistry(context, file);
    expect(await registryState(context.storage)).toBe(before);
    await context.storage.close();
  });

  it('does not block commands that only read', async () => {
    const database = await fresh();
    const context = await openContext(database);
    await ingestFiles(context, 'records', [writeRecords(database.dir, [...AREAS, building(1)])]);
    const release = await context.storage.lockWriter(() => {}, 0);
    await context.storage.transaction(async (tx) => {
      await tx.db.deleteFrom('page').execute();
      const other = await openContext(database);
      await migrate(other.storage);
      expect(await loadSampleIfEmpty(other)).toBe(false);
      await backUp(other.storage, join(database.dir, 'meanwhile.db'));
      await other.storage.close();
    });
    await release();
    await context.storage.close();
    if (engine === 'sqlite') {
      // A backup that is used as the database loses its checksum, which would soon be wrong.
      const file = join(database.dir, 'meanwhile.db');
      const seal = () => readFileSync(file).readUInt32BE(60);
      expect(seal()).not.toBe(0);
      await openSqlite(file).close();
      expect(seal()).toBe(0);
    }
  });
});
