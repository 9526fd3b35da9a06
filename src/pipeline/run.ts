import { locateStoredRecords } from '../matching/locate-records.ts';
import { markRecordsToMatch, markUnplacedToMatch, tilesToMatch } from '../matching/match-markers.ts';
import { matchRegisters } from '../matching/match-registers.ts';
import { matchStale } from '../matching/match-stale.ts';
import { placeNewBuildings } from '../matching/place-new-buildings.ts';
import { countRecordsIn, registersOfWards } from '../matching/queries.ts';
import { resolveAmbiguousNames } from '../matching/record-rows.ts';
import { attachClaims } from '../observations/source-records.ts';
import { joinPieces } from '../registry/area-pieces.ts';
import { Areas } from '../registry/areas.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { takeNewAreas } from '../registry/new-areas.ts';
import { markUnplacedBuildingsStale } from '../registry/stale.ts';
import type { Context } from './context.ts';
import { publishNow } from './publish-now.ts';
import { publishStale, type Republished } from './publish-stale.ts';
import { enterBuildings, refreshSearch } from './rebuild-search.ts';
import { inlineWorkers, threadWorkers } from './worker-pool.ts';

/** What the stages of one run share. */
interface Run {
  context: Context;
  areas: Areas;
  published: Republished;
}

type Stage = (run: Run) => Promise<void>;

/**
 * Everything that follows once the files of an ingest are archived, read and stored. Each stage is a series of transactions
 * that leave markers of what is left to do, so a run that is cut short is completed by running it again.
 */
const STAGES: Readonly<Record<string, Stage>> = {
  'locate records stored by an earlier version': ({ context }) => locateStoredRecords(context.storage),
  'attach records to the buildings they name': attachNamed,
  'join boundaries to areas': joinAreas,
  'settle records named for several buildings': ({ context }) => resolveAmbiguousNames(context.storage),
  'match footprints, points and items': matchRecords,
  'place new buildings': ({ context, areas }) => placeNewBuildings(context.storage, areas),
  'match registers': matchRegistersOnce,
};

const PUBLISHING: Readonly<Record<string, Stage>> = {
  'enter buildings into the search index': ({ context }) => enterBuildings(context),
  'consolidate and publish': (run) => publish(run, true),
  'match registers where buildings changed': publishRegistered,
  'index entries and count areas': ({ context }) => refreshSearch(context),
};

/** Matches and publishes what an ingest or a change of identity has marked. */
export async function settle(context: Context): Promise<void> {
  await runStages(context, { ...STAGES, ...PUBLISHING });
}

/** Publishes what is marked, without matching. */
export async function publishAll(context: Context): Promise<Republished> {
  return runStages(context, PUBLISHING);
}

async function runStages(context: Context, stages: Readonly<Record<string, Stage>>): Promise<Republished> {
  const published: Republished = { consolidated: 0, pages: 0, nearby: 0 };
  const run: Run = { context, areas: await Areas.load(context.storage.db), published };
  for (const stage of Object.values(stages)) await stage(run);
  return published;
}

async function attachNamed({ context }: Run): Promise<void> {
  await context.storage.transaction(async (tx) => markBuildingsStale(tx, await attachClaims(tx)));
}

/** New areas and boundaries: what had no place may have one, and what stands there may belong elsewhere. */
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

/** Fewer records are matched before a thread has started. */
const WORTH_THREADS = 5_000;

async function matchRecords({ context, areas }: Run): Promise<void> {
  const { storage } = context;
  const records = await countRecordsIn(storage.db, await tilesToMatch(storage.db));
  const workers = records < WORTH_THREADS ? inlineWorkers(storage) : threadWorkers(context.databaseUrl);
  try {
    await matchStale(context, areas, workers, publishNow);
  } finally {
    await workers.close();
  }
}

async function matchRegistersOnce({ context, areas }: Run): Promise<void> {
  await matchRegisters(context, areas, publishNow);
}

async function publish({ context, published }: Run, notesRegisters: boolean): Promise<void> {
  const more = await publishStale(context, notesRegisters);
  for (const key of ['consolidated', 'pages', 'nearby'] as const) published[key] += more[key];
}

/** What registers add changes no building that they are matched against, so twice is enough. */
async function publishRegistered(run: Run): Promise<void> {
  if (await matchRegisters(run.context, run.areas, publishNow)) await publish(run, false);
}
