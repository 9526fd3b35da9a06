import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { placeOf } from '../../src/observations/archive.ts';
import { silent } from '../../src/pipeline/context.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import { runHere } from '../support/command.ts';
import { onBothEngines, onSqlite, openContext, type TestDatabase } from '../support/engines.ts';
import { AREAS, building, writeRecords } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { osmFile } from '../support/small-sources.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function environmentOf({ url, dir }: TestDatabase, archive = join(dir, 'archive')) {
  return { DATABASE_URL: url, ARCHIVE_DIR: archive };
}

async function stateOf(database: TestDatabase): Promise<string> {
  const { storage } = await openContext(database);
  try {
    return await registryState(storage);
  } finally {
    await storage.close();
  }
}

/** Every way in which a file in the archive can be damaged. */
const DAMAGES: [string, (path: string) => void][] = [
  ['truncated', (path) => truncateSync(path, readFileSync(path).length - 200)],
  [
    'bit-flipped',
    (path) => {
      const bytes = readFileSync(path);
      // Inside a name, so that the line stays valid JSON.
      const at = bytes.lastIndexOf('ビル');
      bytes[at + 5] = (bytes[at + 5] as number) ^ 1;
      writeFileSync(path, bytes);
    },
  ],
  ['empty', (path) => truncateSync(path, 0)],
  ['longer', (path) => appendFileSync(path, `${JSON.stringify(building(99))}\n`)],
  [
    'a folder',
    (path) => {
      rmSync(path);
      mkdirSync(join(path, 'inside'), { recursive: true });
    },
  ],
  [
    'unreadable',
    (path) => {
      rmSync(path);
      symlinkSync(path, path);
    },
  ],
];

onBothEngines('a damaged file in the archive', (fresh) => {
  it('is reported, replaced by the input, and never published', async () => {
    const good = await fresh();
    const file = writeRecords(good.dir, [...AREAS, building(1), building(2)]);
    const copy = placeOf(join(good.dir, 'archive'), sha256(readFileSync(file)));
    expect((await runHere(environmentOf(good), 'ingest', 'records', file)).code).toBe(0);
    const wanted = await stateOf(good);

    const other = await fresh();
    const env = environmentOf(other, join(good.dir, 'archive'));
    for (const [damage, spoil] of DAMAGES) {
      spoil(copy);
      const { code, stderr } = await runHere(env, 'ingest', 'records', file);
      expect([damage, code, stderr]).toEqual([damage, 0, expect.stringContaining(copy)]);
      expect(readFileSync(copy).equals(readFileSync(file))).toBe(true);
      expect(await stateOf(other)).toBe(wanted);
      const status = await runHere(env, 'status');
      expect(status.stdout).not.toContain('damaged');
    }
    expect(readdirSync(join(good.dir, 'archive'))).toEqual(['sha256']);
  });

  it('is named by status until it is repaired', async () => {
    const database = await fresh();
    const env = environmentOf(database);
    const file = writeRecords(database.dir, [...AREAS, building(1)]);
    await runHere(env, 'ingest', 'records', file);
    const whole = readFileSync(file);
    const copy = placeOf(env.ARCHIVE_DIR, sha256(whole));
    writeFileSync(copy, 'damaged');

    // An archived file is a valid input, but a damaged one is refused.
    const before = await stateOf(database);
    const refused = await runHere(env, 'ingest', 'records', copy);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(copy)]);
    expect(await stateOf(database)).toBe(before);
    for (let i = 0; i < 2; i++) {
      const { stdout } = await runHere(env, 'status');
      expect(stdout.split('\n').filter((line) => line.includes(copy))).toHaveLength(1);
    }

    writeFileSync(copy, whole);
    expect((await runHere(env, 'status')).stdout).not.toContain('damaged');
    writeFileSync(copy, '');
    expect((await runHere(env, 'status')).stdout).toContain(copy);
    expect((await runHere(env, 'ingest', 'records', file)).code).toBe(0);
    expect(readFileSync(copy).equals(whole)).toBe(true);
    expect((await runHere(env, 'status')).stdout).not.toContain('damaged');
    writeFileSync(copy, '');
    // Once repaired it is no longer recorded: status checks only recorded files.
    expect((await runHere(env, 'status')).stdout).not.toContain('damaged');
  });
});

/** Separates the directory of a zip, which is read when it is opened, from its first file. */
const FILLER = randomBytes(2 << 20).toString('base64');

onSqlite('a damaged file in the archive, of a source', (fresh) => {
  it('is replaced if it is a zip or in a folder', async () => {
    const database = await fresh();
    const folder = join(database.dir, 'input');
    mkdirSync(folder);
    const zip = await zipOf({ 'in/a.osm': osmFile() });
    writeFileSync(join(folder, 'a.zip'), zip);
    writeFileSync(join(folder, 'b.osm'), osmFile({ 1: { name: '別館ビル' } }));
    const env = environmentOf(database);
    const ingest = () => runHere(env, 'ingest', 'osm', folder, '--retrieved-at', '2026-01-01T00:00:00Z');
    expect((await ingest()).code).toBe(0);
    const wanted = await stateOf(database);
    for (const name of ['a.zip', 'b.osm']) {
      const bytes = readFileSync(join(folder, name));
      const copy = placeOf(env.ARCHIVE_DIR, sha256(bytes));
      const damaged = Buffer.from(bytes);
      damaged[40] = (damaged[40] as number) ^ 0xff;
      writeFileSync(copy, damaged);
      const { code, stderr } = await ingest();
      expect([code, stderr]).toEqual([0, expect.stringContaining(copy)]);
      expect(readFileSync(copy).equals(bytes)).toBe(true);
    }
    expect(await stateOf(database)).toBe(wanted);
  });

  it.each(['records', 'osm', 'osm in a zip'])(
    'publishes nothing from a file that is damaged while it is read: %s',
    async (kind) => {
      const database = await fresh();
      const zipped = kind === 'osm in a zip';
      const osm = join(database.dir, zipped ? 'a.zip' : 'a.osm');
      writeFileSync(osm, zipped ? await zipOf({ 'in/a.osm': osmFile(), 'z.bin': FILLER }) : osmFile());
      const file = kind === 'records' ? writeRecords(database.dir, [...AREAS, building(1)]) : osm;
      const copy = placeOf(join(database.dir, 'archive'), sha256(readFileSync(file)));
      const broken: string[] = [];
      const context = await openContext(database, {
        report: {
          ...silent,
          stage(name) {
            if (!name.startsWith('reading')) return;
            const bytes = readFileSync(copy);
            bytes[60] = (bytes[60] as number) ^ 1;
            writeFileSync(copy, bytes);
          },
          broken: (name, reason) => broken.push(`${name}: ${reason}`),
        },
      });
      if (kind === 'records') await ingestFiles(context, 'records', [file]);
      else await ingestFiles(context, 'osm', [file]);
      expect(broken).toEqual([expect.stringContaining(`${copy} was damaged or changed while it was read`)]);
      expect(await context.storage.db.selectFrom('statement').selectAll().execute()).toEqual([]);
      await context.storage.close();
      expect((await runHere(environmentOf(database), 'status')).stdout).toContain(copy);
    },
  );

  it('that cannot be replaced stops its input, and status names it', async () => {
    const database = await fresh();
    const env = environmentOf(database);
    const file = writeRecords(database.dir, [...AREAS, building(1)]);
    const copy = placeOf(env.ARCHIVE_DIR, sha256(readFileSync(file)));
    // A parent folder is a loop of links: neither readable nor replaceable, for any user.
    mkdirSync(dirname(dirname(copy)), { recursive: true });
    symlinkSync(dirname(copy), dirname(copy));
    const { code, stderr } = await runHere(env, 'ingest', 'records', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(copy)]);
    expect((await runHere(env, 'status')).stdout).toContain(copy);
    rmSync(dirname(copy));
    expect((await runHere(env, 'ingest', 'records', file)).code).toBe(0);
    expect((await runHere(env, 'status')).stdout).not.toContain('damaged');
  });
});
