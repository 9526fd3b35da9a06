import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { matchRegisters } from '../matching/match-registers.ts';
import { areasWithRegisters } from '../matching/spots.ts';
import { noteStaleRegisters } from '../matching/stale-matches.ts';
import { refreshAreaSummaries } from '../registry/area-summaries.ts';
import { Areas } from '../registry/areas.ts';
import { recountMeshes } from '../registry/map-tiles/mesh-counts.ts';
import { latestRecordedAt, publish } from '../registry/publish.ts';
import { clearStalePlaces, findStaleParts, storeNearby } from '../registry/records.ts';
import { enterAll } from '../registry/search/enter-all.ts';
import { indexEntries } from '../registry/search/index-entries.ts';
import { WORTH_A_SEGMENT } from '../registry/search/segments.ts';
import { clearStale, countStale, findStale, markAllStale, spreadStaleToSurvivors } from '../registry/stale.ts';
import { hasTodo, noteTodo, takeTodo } from '../registry/todo.ts';
import { followChanges } from '../reit/life/follow-changes.ts';
import { lockPublications } from '../reit/life/store.ts';
import { openBackup, replaceAll } from '../storage/backup.ts';
import {
  cleanUpAsWriter,
  finishRestoreRun,
  forgetRestoreRun,
  removeDatabase,
  startRestoreRun,
} from '../storage/restore-run.ts';
import { type Db, type Storage, StorageError, type Tx } from '../storage/storage.ts';
import { inOrder } from '../threads/in-order.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { laterThan } from '../vocabulary/time.ts';
import { asWriter, type Context } from './context.ts';
import { publishNow } from './publish-now.ts';
import { inlineWorkers, threadWorkers, type WorkerPool } from './worker-pool.ts';

const BUILDINGS_PER_TRANSACTION = 200;
const WORTH_THREADS = 4_000;

export interface Republished {
  consolidated: number;
  /** Pages that came out different. */
  pages: number;
  /** Pages on which only what lies around came out different. */
  nearby: number;
}

/** `republish`: whatever is stale, or with `all` every building, from what is stored. */
export function republish(context: Context, all: boolean): Promise<Republished> {
  return asWriter(context, async () => {
    if (all) {
      await context.storage.transaction(async (tx) => {
        await markAllStale(tx);
        await noteTodo(tx, 'enter buildings');
      });
    }
    return republishStale(context);
  });
}

/**
 * Consolidates every stale building and makes the pages around it true again; then has the registers
 * matched where buildings changed. Safe to cut short and run again.
 */
export async function republishStale(context: Context): Promise<Republished> {
  await enterBuildings(context);
  const done = await consolidateAndPublish(context, true);
  // What registers add changes no building that they are matched against, so that twice is enough.
  if (await matchRegisters(context, await Areas.load(context.storage.db), publishNow)) {
    const more = await consolidateAndPublish(context, false);
    for (const key of ['consolidated', 'pages', 'nearby'] as const) done[key] += more[key];
  }
  await refreshSearch(context);
  return done;
}

/** The part that a workers helps with; its memory is free again for what follows. */
async function consolidateAndPublish(context: Context, notesRegisters: boolean): Promise<Republished> {
  await context.storage.transaction(spreadStaleToSurvivors);
  const stale = await countStale(context.storage.db);
  const workers = stale < WORTH_THREADS ? inlineWorkers(context.storage) : threadWorkers(context.databaseUrl);
  try {
    const decided = await consolidateStale(context, workers, stale, notesRegisters);
    return { ...decided, nearby: await refreshNearby(context, workers) };
  } finally {
    await workers.close();
  }
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
  for await (const [{ ids }, decisions] of inOrder(jobs, workers.ahead, workers.consolidate)) {
    await storage.transaction(async (tx) => {
      await publish(tx, decisions);
      await followChanges(tx, ids, now);
      await clearStale(tx, ids);
      await noteStaleRegisters(
        tx,
        decisions.areas.filter((area) => registered.has(area)),
      );
      await indexEntries(tx, WORTH_A_SEGMENT);
    });
    done.consolidated += ids.length;
    done.pages += decisions.heads.length;
    report.progress(done.consolidated, stale);
  }
  return done;
}

async function* staleIds(db: Db, now: () => string): AsyncGenerator<{ ids: AssetKey[]; recordedAt: string }> {
  let recordedAt = await latestRecordedAt(db);
  for (let after = -1; ; ) {
    const ids = await findStale(db, after, BUILDINGS_PER_TRANSACTION);
    if (ids.length === 0) return;
    recordedAt = laterThan(recordedAt, now());
    yield { ids, recordedAt };
    after = ids[ids.length - 1] as AssetKey;
  }
}

async function refreshNearby({ storage, report }: Context, workers: WorkerPool): Promise<number> {
  report.stage('publishing');
  const parts = await findStaleParts(storage.db);
  let written = 0;
  let done = 0;
  for await (const [, nearby] of inOrder(parts, workers.ahead, workers.compose)) {
    if (nearby.length > 0) await storage.transaction((tx) => storeNearby(tx, nearby));
    written += nearby.length;
    report.progress(++done, parts.length);
  }
  await storage.transaction(async (tx) => {
    await recountMeshes(tx);
    await clearStalePlaces(tx);
  });
  return written;
}

/** Entries are made again where they are missing: after an update of the program, or because all is to be made again. */
async function enterBuildings({ storage, report }: Context): Promise<void> {
  if (!(await hasTodo(storage.db, 'enter buildings'))) return;
  report.stage('indexing');
  await storage.transaction(rebuildSearch);
}

/** The index and the summaries of areas, in one transaction: readers have the old ones until the new ones are complete. */
async function rebuildSearch(tx: Tx): Promise<void> {
  await enterAll(tx);
  await indexEntries(tx, LEFT_UNINDEXED);
  while (await refreshAreaSummaries(tx, AREAS_PER_TRANSACTION));
  await takeTodo(tx, 'enter buildings');
}

/** The same for whoever serves a database that an earlier version made. */
export async function enterBuildingsIfMissing(context: Context): Promise<void> {
  if (!(await hasTodo(context.storage.db, 'enter buildings'))) return;
  await asWriter(context, () => enterBuildings(context));
}

/**
 * `restore`: replaces the registry by what a backup holds, and makes the index that it does not hold. All in one
 * transaction: readers have the old registry until the new one is complete, and so has whoever kills it.
 */
export function restoreRegistry(context: Context, file: string, tell?: (line: string) => void): Promise<void> {
  const { storage, report } = context;
  return asWriter(context, async () => {
    report.stage('restoring');
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new StorageError('backup', 'backup file not found');
    await cleanUpAsWriter(storage);
    const copy = `${resolve(file)}.${randomUUID()}.restoring`;
    const startedAt = context.now();
    await storage.transaction((tx) => startRestoreRun(tx, { file: resolve(file), copy, startedAt }));
    try {
      await replaceRegistry(storage, file, copy, tell);
    } finally {
      removeDatabase(copy);
      await storage.transaction(forgetRestoreRun);
    }
  });
}

async function replaceRegistry(
  storage: Storage,
  file: string,
  copy: string,
  tell?: (line: string) => void,
): Promise<void> {
  const backup = await openBackup(file, copy, tell);
  try {
    await storage.transaction(async (tx) => {
      await lockPublications(tx);
      await replaceAll(tx, backup);
      await rebuildSearch(tx);
      await finishRestoreRun(tx);
    });
  } catch (error) {
    // What is kept as JSON: a backup of an earlier version has no checksum that would have told.
    if (!(error instanceof SyntaxError)) throw error;
    throw new StorageError('backup', 'the backup is damaged; the registry is as it was', { cause: error });
  } finally {
    backup.close();
  }
}

const AREAS_PER_TRANSACTION = 200;
/** A search looks through so many entries that are not indexed about as fast as through a segment. */
const LEFT_UNINDEXED = 256;

/** Indexes what was entered last, and makes the summaries of areas true again. */
async function refreshSearch({ storage, report }: Context): Promise<void> {
  report.stage('indexing');
  await storage.transaction((tx) => indexEntries(tx, LEFT_UNINDEXED));
  while (await storage.transaction((tx) => refreshAreaSummaries(tx, AREAS_PER_TRANSACTION)));
}
