import { markRegistersToMatch } from '../matching/match-markers.ts';
import { areasWithRegisters } from '../matching/queries.ts';
import type { Areas } from '../registry/areas.ts';
import { recountMeshes } from '../registry/map-tiles/mesh-counts.ts';
import { clearStaleBuildings, countStaleBuildings, spreadStaleToSurvivors } from '../registry/markers.ts';
import { clearStalePlaces, findStaleSlices, storeNearby } from '../registry/nearby.ts';
import { latestRecordedAt, publish } from '../registry/publish.ts';
import { ENTRIES_PER_NEW_SEGMENT, indexEntries } from '../registry/search/write/index-entries.ts';
import { recheckPublications } from '../reit/life/matched-buildings.ts';
import type { Tx } from '../storage/storage.ts';
import { mapInOrder } from '../threads/map-in-order.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { laterThan } from '../vocabulary/time.ts';
import { consolidateBuildings } from './consolidate-buildings.ts';
import type { Context } from './context.ts';
import { publishShared } from './publish-shared.ts';
import { SharedRun } from './shared-run.ts';
import { staleIds } from './stale-batches.ts';
import type { RunWorkers, WorkerPool } from './worker-pool.ts';

const WORTH_THREADS = 4_000;

export interface Republished {
  consolidated: number;
  /** Records that changed. */
  pages: number;
  /** Records of which only the nearby buildings changed. */
  nearby: number;
}

/** Consolidates every stale building and refreshes the records around it. */
export async function publishStale(
  context: Context,
  runWorkers: RunWorkers,
  notesRegisters: boolean,
): Promise<Republished> {
  await context.storage.transaction(spreadStaleToSurvivors);
  const stale = await countStaleBuildings(context.storage.db);
  const pool = runWorkers.start(stale >= WORTH_THREADS);
  const shared = await SharedRun.start(context, pool, stale);
  const published =
    shared === undefined
      ? await publishInThreads(context, pool, stale, notesRegisters)
      : await publishShared(context, shared, stale, notesRegisters).finally(() => shared.close());
  // Last, so that an interrupted run repeats the work.
  await context.storage.transaction(async (tx) => {
    await recountMeshes(tx);
    await clearStalePlaces(tx);
  });
  return published;
}

async function publishInThreads(
  context: Context,
  workers: WorkerPool,
  stale: number,
  notesRegisters: boolean,
): Promise<Republished> {
  const decided = await consolidateStale(context, workers, stale, notesRegisters);
  return { ...decided, nearby: await refreshNearby(context, workers) };
}

async function consolidateStale(
  { storage, report, now }: Context,
  workers: WorkerPool,
  stale: number,
  notesRegisters: boolean,
): Promise<Pick<Republished, 'consolidated' | 'pages'>> {
  report.stage('consolidating');
  const done = { consolidated: 0, pages: 0 };
  const registered = notesRegisters ? await areasWithRegisters(storage.db) : new Set<string>();
  const jobs = staleIds(storage.db, now);
  for await (const [{ ids }, decisions] of mapInOrder(jobs, workers.ahead, workers.consolidate)) {
    await storage.transaction(async (tx) => {
      await publish(tx, decisions);
      await recheckPublications(tx, ids, now);
      await clearStaleBuildings(tx, ids);
      await markRegistersToMatch(
        tx,
        decisions.areas.filter((area) => registered.has(area)),
      );
      await indexEntries(tx, ENTRIES_PER_NEW_SEGMENT);
    });
    done.consolidated += ids.length;
    done.pages += decisions.heads.length;
    report.progress(done.consolidated, stale);
  }
  return done;
}

async function refreshNearby({ storage, report }: Context, workers: WorkerPool): Promise<number> {
  report.stage('publishing');
  const parts = await findStaleSlices(storage.db);
  let written = 0;
  let done = 0;
  for await (const [, nearby] of mapInOrder(parts, workers.ahead, workers.compose)) {
    if (nearby.length > 0) await storage.transaction((tx) => storeNearby(tx, nearby));
    written += nearby.length;
    report.progress(++done, parts.length);
  }
  return written;
}

/**
 * Publishes some buildings in the transaction that changed their identity, so that a request for an ID gets the redirect or
 * the record and never a 404 in between. They stay marked as stale, because the run has to refresh their neighbours.
 */
export async function publishNow(tx: Tx, areas: Areas, ids: readonly AssetKey[], now: string): Promise<void> {
  const recordedAt = laterThan(await latestRecordedAt(tx.db), now);
  await publish(tx, await consolidateBuildings(tx.db, areas, ids, recordedAt));
  await recheckPublications(tx, ids, () => now);
}
