import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { printStatus } from '../../src/cli/status.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { readChanges } from '../../src/registry/changes/read-changes.ts';
import { countWorkers } from '../../src/storage/job-queue.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Position } from '../../src/vocabulary/geometry.ts';
import { type Running, start } from '../support/command.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { onPostgres, openContext, type TestDatabase } from '../support/engines.ts';
import { AREAS, type Json, MARUNOUCHI, record, square, writeRecords } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';

const BUILDINGS = 2_400;
const AREA_CODES = ['131010001001', '131010001002'];

/** Footprints of two sources in several tiles, which matching has to assign; every seventh with a Wikidata item. */
function town(revision: number): Json[] {
  const lines: Json[] = [...AREAS];
  for (let i = 0; i < BUILDINGS; i++) {
    const place: Position = [MARUNOUCHI[0] + (i % 60) * 0.0004, MARUNOUCHI[1] + Math.floor(i / 60) * 0.0004];
    const isNew = revision > 0 && i % 3 === 0;
    const osm = { nameJa: `第${i}ビル`, floorsAbove: (i % 30) + (isNew ? 1 : 0) };
    const common = { area: AREA_CODES[i % 2], geometry: square(place, 0.0001) };
    const retrievedAt = isNew ? '2026-03-01T00:00:00Z' : '2026-01-01T00:00:00Z';
    lines.push(record('osm', `way/${i}`, osm, { ...common, retrievedAt }));
    if (i % 4 === 0) lines.push(record('plateau', `bldg-${i}`, { heightM: 10 + (i % 50) }, common));
    if (i % 7 === 0) {
      lines.push(
        record('wikidata', `Q${i}`, { nameEn: `Tower ${i}` }, { geometry: { type: 'Point', coordinates: place } }),
      );
    }
  }
  return lines;
}

const NOW = '2026-04-01T00:00:00.000Z';

async function ingestTown(context: Context, dir: string, revision: number): Promise<void> {
  const file = writeRecords(dir, town(revision));
  expect((await ingest(context, 'records', [file])).get(file)?.rejected).toBe(0);
}

/** Everything that is stored, except the random stamps of segments. The log of changes is in the order of commits. */
async function wholeState(storage: Storage): Promise<object> {
  const { search_segment: _, ...tables } = await dumpTables(storage, [
    ...['rate_key', 'ingest', 'migration', 'change_block', 'change_area'],
  ]);
  const changes = await storage.snapshot((reads) => readChanges(reads, 0, 100_000));
  const segments = await storage.db
    .selectFrom('search_segment')
    .select(['id', 'first', 'size', 'dead'])
    .orderBy('id')
    .execute();
  const logged = changes.map(({ cursor: __, ...change }) => JSON.stringify(change)).sort();
  return { tables, segments, registry: await registryState(storage), logged, cursors: changes.map((c) => c.cursor) };
}

const startWorker = async (database: TestDatabase): Promise<Running> => {
  const env = { DATABASE_URL: database.url, ARCHIVE_DIR: `${database.dir}/archive` };
  const worker = start({ cwd: database.dir, env }, 'work');
  await worker.says(/tatemono works for ingests/);
  return worker;
};

const jobsOf = ({ stdout }: { stdout: string }) =>
  [...stdout.matchAll(/did (\d+) job/g)].reduce((sum, [, jobs]) => sum + Number(jobs), 0);

async function end(worker: Running) {
  worker.child.kill('SIGTERM');
  return worker.ended;
}

let alone: object[] | undefined;
/** The states of a registry after two ingests by one process. */
async function statesAlone(database: TestDatabase): Promise<object[]> {
  const context = await openContext(database, { now: () => NOW });
  const states: object[] = [];
  for (const revision of [0, 1]) {
    await ingestTown(context, database.dir, revision);
    states.push(await wholeState(context.storage));
  }
  await context.storage.close();
  return states;
}

/** Stops every transaction that stores a search entry, until `release`. `reached` resolves when so many wait. */
async function holdEntries(database: TestDatabase, storage: Storage) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table search_entry in share mode');
  const countWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_locks
      where relation = 'search_entry'::regclass and not granted`.execute(storage.db);
    return rows[0]?.waiting ?? 0;
  };
  return {
    async reached(count: number) {
      while ((await countWaiting()) < count) await sleep(20);
    },
    async release() {
      await client.query('rollback');
      await client.end();
    },
  };
}

onPostgres('a worker', (fresh) => {
  it('WRK-05 connects again if its connections are lost', async () => {
    const database = await fresh();
    const worker = await startWorker(database);
    const { storage } = await openContext(database);
    expect(await countWorkers(storage)).toBe(1);
    const lines: string[] = [];
    await printStatus(storage, database.dir, (line) => lines.push(line));
    expect(lines).toContain('workers          1 ready to share ingests');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(storage.db);
    while ((await countWorkers(storage)) > 0) await sleep(20);
    while ((await countWorkers(storage)) === 0) await sleep(20);
    const { code, stderr } = await end(worker);
    expect([code, stderr]).toEqual([0, expect.stringContaining('; trying again')]);
    await storage.close();
  });
});

onPostgres('an ingest that workers share', (fresh) => {
  it('WRK-01 WRK-03 WRK-04 gives the same registry, to the byte, as one in a single process', {
    timeout: 240_000,
  }, async () => {
    alone ??= await statesAlone(await fresh());
    const database = await fresh();
    const workers = [await startWorker(database)];
    const context = await openContext(database, { now: () => NOW });
    for (const revision of [0, 1]) {
      await ingestTown(context, database.dir, revision);
      expect(await wholeState(context.storage)).toEqual(alone[revision]);
      if (revision === 0) workers.push(await startWorker(database), await startWorker(database));
    }
    await context.storage.close();
    const ended = await Promise.all(workers.map(end));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(workers.map(() => [0, '']));
    expect(ended.filter((worker) => jobsOf(worker) > 0).length).toBeGreaterThan(0);
  });

  it('WRK-02 WRK-05 does the job of a worker that was killed, and lets a worker finish its job before it ends', {
    timeout: 240_000,
  }, async () => {
    alone ??= await statesAlone(await fresh());
    const database = await fresh();
    const [killed, stopped] = await Promise.all([startWorker(database), startWorker(database)]);
    const context = await openContext(database, { now: () => NOW });
    const held = await holdEntries(database, context.storage);
    const done = ingestTown(context, database.dir, 0);
    await held.reached(3);
    killed.child.kill('SIGKILL');
    stopped.child.kill('SIGTERM');
    await sleep(200);
    expect(stopped.child.exitCode).toBe(null);
    await held.release();
    const { code, stdout } = await stopped.ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/did \d+ jobs? of an ingest\n$/)]);
    await done;
    expect(await wholeState(context.storage)).toEqual(alone[0]);
    await context.storage.close();
  });

  it('WRK-05 is completed by the next one if it is killed while workers do its jobs', {
    timeout: 240_000,
  }, async () => {
    alone ??= await statesAlone(await fresh());
    const database = await fresh();
    const worker = await startWorker(database);
    const { storage, ...context } = await openContext(database, { now: () => NOW });
    const held = await holdEntries(database, storage);
    const file = writeRecords(database.dir, town(0));
    const env = { DATABASE_URL: database.url, ARCHIVE_DIR: context.archiveDir };
    const killed = start({ cwd: database.dir, env }, 'ingest', 'records', file);
    await held.reached(2);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await held.release();
    await ingest({ ...context, storage }, 'records', [file]);
    expect(await registryState(storage)).toBe((alone[0] as { registry: string }).registry);
    await storage.close();
    expect((await end(worker)).code).toBe(0);
  });
});
