import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { publishShared } from '../../src/pipeline/publish-shared.ts';
import { type ConsolidatedRange, jobDoer, type PhaseJob, type SharedResult } from '../../src/pipeline/queued-jobs.ts';
import { SharedRun } from '../../src/pipeline/shared-run.ts';
import { RunWorkers } from '../../src/pipeline/worker-pool.ts';
import { markAllBuildingsStale } from '../../src/registry/markers.ts';
import { JobQueue } from '../../src/storage/job-queue.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type AssetKey, parseAssetId } from '../../src/vocabulary/asset-id.ts';
import { exampleBundle } from '../reit/support.ts';
import { runHere } from '../support/command.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { onPostgres, onSqlite, type TestDatabase } from '../support/engines.ts';
import { id } from '../support/records.ts';
import { openReitPlace } from '../support/reit-place.ts';

const key = (number: number) => parseAssetId(id(number)) as AssetKey;
const openQueue = (storage: Storage, { url }: TestDatabase) => JobQueue.open<PhaseJob, SharedResult>(storage, url);

/** As if the buildings had been created and never published. */
async function unpublish(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    for (const table of ['page', 'nearby', 'search_entry', 'building_version', 'lookup_key'] as const) {
      await tx.db.deleteFrom(table).execute();
    }
    await tx.db.updateTable('building').set({ version: 0, area: null, mesh: null }).execute();
    await markAllBuildingsStale(tx);
  });
}

onPostgres('a job', (fresh) => {
  it('WRK-02 that is delivered twice, even at once, has the effect of one', async () => {
    const database = await fresh();
    const { context, close } = await openReitPlace(database);
    const { storage } = context;
    await unpublish(storage);
    const others = openStorage(database.url, () => {});
    const [here, there] = [await openQueue(storage, database), await openQueue(others, database)];
    const run = await here.startRun();
    const range = { from: key(1), to: key(3), recordedAt: '2026-03-01T00:00:00.000Z', first: 7, notesRegisters: true };
    const job: PhaseJob = { kind: 'consolidate', range, run, phase: 1 };
    const jobs = [1, 2, 3].map(() => ({ id: randomUUID(), job }));
    await here.put(jobs);
    const left = () => storage.db.selectFrom('stale_building').select('building').execute();
    while ((await left()).length > 0) {
      await Promise.all([here.take(jobDoer(storage)), there.take(jobDoer(others))]);
    }
    const once = await dumpTables(storage);
    while (await there.take(jobDoer(others)));
    expect(await dumpTables(storage)).toEqual(once);
    const outcomes = [...(await here.collect(new Set(jobs.map((each) => each.id)))).values()];
    const done = outcomes.map((outcome) =>
      'result' in outcome ? (outcome.result.result as ConsolidatedRange).consolidated : outcome.error,
    );
    expect(done.sort()).toEqual([0, 0, 3]);
    expect(once.search_entry?.map((row) => JSON.parse(row).pos).sort()).toEqual([7, 8, 9]);
    await there.close();
    await others.close();
    await here.close();
    await close();
  });

  it('WRK-04 that changes a publication is left to the process that shares it, which does it in its turn', async () => {
    const database = await fresh();
    const place = await openReitPlace(database);
    const { context } = place;
    const { id: publication } = await place.compose(exampleBundle());
    await place.accept(publication);
    await context.storage.transaction(markAllBuildingsStale);
    const worker = await openQueue(context.storage, database);
    await worker.announceWorker();
    const pool = new RunWorkers(context).start(false);
    const shared = (await SharedRun.start(context, pool, 10_000)) as SharedRun;
    const range = { from: key(1), to: key(3), recordedAt: context.now(), first: 10, notesRegisters: true };
    for await (const [, result] of shared.phase<'consolidate'>([{ kind: 'consolidate', range }])) {
      expect(result).toBe('later');
    }
    expect(await publishShared(context, shared, 3, true)).toMatchObject({ consolidated: 3 });
    expect(await context.storage.db.selectFrom('stale_building').selectAll().execute()).toEqual([]);
    expect(await place.stateOf(publication)).toBe('accepted');
    await shared.close();
    await worker.close();
    await place.close();
  });
});

onSqlite('tatemono work', (fresh) => {
  it('WRK-01 needs PostgreSQL', async () => {
    const { url, dir } = await fresh();
    const { code, stderr } = await runHere({ DATABASE_URL: url, ARCHIVE_DIR: dir }, 'work');
    expect([code, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL: must be a PostgreSQL database')]);
  });
});
