import { locateStoredRecords } from '../matching/locate-records.ts';
import { markRecordsToMatch, markUnplacedToMatch, tilesToMatch } from '../matching/match-markers.ts';
import { matchRegisters } from '../matching/match-registers.ts';
import { matchStale } from '../matching/match-stale.ts';
import { placeNewBuildings } from '../matching/place-new-buildings.ts';
import { countRecordsIn, registersOfWards, storeOverlaps } from '../matching/queries.ts';
import { resolveAmbiguousNames } from '../matching/record-rows.ts';
import { attachClaims } from '../observations/source-records.ts';
import { joinPieces } from '../registry/area-pieces.ts';
import { Areas } from '../registry/areas.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { markAllBuildingsStale, markTodo, markUnplacedBuildingsStale, takeNewAreas } from '../registry/markers.ts';
import type { Storage } from '../storage/storage.ts';
import { mapInOrder } from '../threads/map-in-order.ts';
import type { IngestSource } from './adapters.ts';
import { applyMerges } from './apply-merges.ts';
import { archiveFiles } from './archive-files.ts';
import { asWriter, type Context, takeOver } from './context.ts';
import type { Counts } from './counts.ts';
import { publishNow, publishStale, type Republished } from './publish-stale.ts';
import { appendItems, openArchived, storeAreasFirst } from './read-files.ts';
import { enterBuildings, refreshSearch } from './rebuild-search.ts';
import { reportUnread } from './report-unread.ts';
import { SharedRun } from './shared-run.ts';
import {
  countResults,
  type FileGroup,
  finishLog,
  type SourceIngest,
  type SourceOptions,
  type SourcePaths,
  startSource,
} from './source-ingest.ts';
import { RunWorkers, type WorkerPool } from './worker-pool.ts';

/** What the stages after reading share. */
interface Run {
  context: Context;
  areas: Areas;
  workers: RunWorkers;
  published: Republished;
}

type Stages<T> = Readonly<Record<string, (subject: T) => Promise<void>>>;

/*
 * Every stage of an ingest, in order. Each is a series of transactions that leave markers of the remaining work, so a run
 * that is cut short is completed by running it again.
 */

/** For each group of files: all files of a source, or one file of records. */
const READING: Stages<FileGroup> = {
  'archive the files': archiveFiles,
  'open them and start the log': openArchived,
  'store areas': storeAreasFirst,
  'append records': appendItems,
  'attach records to the buildings they name': attachNamed,
  'apply merges': ({ context, merges }) => applyMerges(context, merges),
};

/** Once, when everything is read. */
const MATCHING: Stages<Run> = {
  'locate records stored by an earlier version': ({ context }) => locateStoredRecords(context.storage),
  'join boundaries to areas': joinAreas,
  'settle records named for several buildings': ({ context }) => resolveAmbiguousNames(context.storage),
  'match footprints, points and items': matchRecords,
  'place new buildings': ({ context, areas }) => placeNewBuildings(context.storage, areas),
  'match registers': matchRegistersOnce,
};

const PUBLISHING: Stages<Run> = {
  'enter buildings into the search index': ({ context }) => enterBuildings(context),
  'consolidate and publish': (run) => publish(run, true),
  'match registers where buildings changed': publishRegistered,
  'index entries and count areas': ({ context }) => refreshSearch(context),
};

/** For each source. */
const FINISHING: Stages<SourceIngest> = {
  'count the results': countResults,
  'finish the log': finishLog,
};

/** `ingest <source>`: the counts of each path on the command line, or of each file of records. */
export function ingest(
  context: Context,
  source: IngestSource,
  paths: readonly string[],
  options: SourceOptions = {},
): Promise<Map<string, Counts>> {
  return asWriter(context, async () => {
    await context.storage.transaction(takeOver);
    return ingestSources(context, [{ source, paths, options }]);
  });
}

/** Several sources, matched and published together, for a caller that holds the write lock. */
export async function ingestSources(context: Context, all: readonly SourcePaths[]): Promise<Map<string, Counts>> {
  const ingests: SourceIngest[] = [];
  await withWorkers(context, async (workers) => {
    for (const paths of all) {
      const started = startSource(context, workers, paths);
      ingests.push(started);
      for (const group of started.groups) await runStages(READING, group).finally(() => group.reader.close());
      reportUnread(started);
    }
    await runStages({ ...MATCHING, ...PUBLISHING }, await startRun(context, workers));
  });
  for (const each of ingests) await runStages(FINISHING, each);
  return new Map(ingests.flatMap(({ tallies }) => [...tallies].map(([name, { counts }]) => [name, counts] as const)));
}

/** Matches and publishes what an ingest or a change of identity has marked. */
export async function matchAndPublish(context: Context): Promise<void> {
  await withWorkers(context, async (workers) =>
    runStages({ ...MATCHING, ...PUBLISHING }, await startRun(context, workers)),
  );
}

/** `republish`: publishes what is marked, or with `all` every building, without matching. */
export function republish(context: Context, all: boolean): Promise<Republished> {
  return asWriter(context, async () => {
    if (all) {
      await context.storage.transaction(async (tx) => {
        await markAllBuildingsStale(tx);
        await markTodo(tx, 'enter buildings');
      });
    }
    return withWorkers(context, async (workers) => {
      const run = await startRun(context, workers);
      await runStages(PUBLISHING, run);
      return run.published;
    });
  });
}

async function withWorkers<T>(context: Context, work: (workers: RunWorkers) => Promise<T>): Promise<T> {
  const workers = new RunWorkers(context);
  return work(workers).finally(() => workers.close());
}

async function startRun(context: Context, workers: RunWorkers): Promise<Run> {
  const published: Republished = { consolidated: 0, pages: 0, nearby: 0 };
  return { context, areas: await Areas.load(context.storage.db), workers, published };
}

async function runStages<T>(stages: Stages<T>, subject: T): Promise<void> {
  for (const stage of Object.values(stages)) await stage(subject);
}

async function attachNamed({ context }: { context: Context }): Promise<void> {
  await context.storage.transaction(async (tx) => markBuildingsStale(tx, await attachClaims(tx)));
}

/** New areas and boundaries: unplaced records may have a place now, and placed ones may belong elsewhere. */
async function joinAreas({ context, areas }: Run): Promise<void> {
  await context.storage.transaction(async (tx) => {
    const wasDrawn = await joinPieces(tx, areas);
    const wards = await takeNewAreas(tx);
    if (wards.length === 0 && !wasDrawn) return;
    await markUnplacedBuildingsStale(tx);
    await markUnplacedToMatch(tx);
    await markRecordsToMatch(tx, await registersOfWards(tx.db, wards));
  });
}

/** Fewer records are matched before a thread would have started. */
const WORTH_THREADS = 5_000;

async function matchRecords({ context, areas, workers }: Run): Promise<void> {
  const { storage } = context;
  const records = await countRecordsIn(storage.db, await tilesToMatch(storage.db));
  const pool = workers.start(records >= WORTH_THREADS);
  const shared = await SharedRun.start(context, pool, records);
  if (shared === undefined) {
    await matchStale(context, areas, (tiles) => compareAndStore(storage, pool, tiles), publishNow);
    return;
  }
  const toJob = (tile: number) => ({ kind: 'compare' as const, tile });
  const compareTiles = (tiles: readonly number[]) => shared.phase<'compare'>(tiles.map(toJob));
  await matchStale(context, areas, compareTiles, publishNow).finally(() => shared.close());
}

async function* compareAndStore(storage: Storage, workers: WorkerPool, tiles: readonly number[]) {
  for await (const [tile, overlaps] of mapInOrder(tiles, workers.ahead, workers.compareTile)) {
    if (overlaps.gone.length + overlaps.found.length > 0) {
      await storage.transaction((tx) => storeOverlaps(tx, overlaps));
    }
    yield tile;
  }
}

async function matchRegistersOnce({ context, areas }: Run): Promise<void> {
  await matchRegisters(context, areas, publishNow);
}

async function publish({ context, workers, published }: Run, notesRegisters: boolean): Promise<void> {
  const more = await publishStale(context, workers, notesRegisters);
  for (const key of ['consolidated', 'pages', 'nearby'] as const) published[key] += more[key];
}

/** What registers add does not change the buildings that they are matched against, so twice is enough. */
async function publishRegistered(run: Run): Promise<void> {
  if (await matchRegisters(run.context, run.areas, publishNow)) await publish(run, false);
}
