import { matchRegisters } from '../matching/match-registers.ts';
import { matchStale } from '../matching/match-stale.ts';
import { placeKeptRecords } from '../matching/place-kept-records.ts';
import { placeNewBuildings } from '../matching/place-new-buildings.ts';
import { settleNames } from '../matching/settle-names.ts';
import { countRecordsIn, registersOfWards } from '../matching/spots.ts';
import { noteStaleMatches, noteUnplaced, staleTiles } from '../matching/stale-matches.ts';
import { attachClaims } from '../observations/source-records.ts';
import { joinPieces } from '../registry/area-pieces.ts';
import { Areas } from '../registry/areas.ts';
import { markStale } from '../registry/buildings.ts';
import { takeNewAreas } from '../registry/new-areas.ts';
import { markUnplacedStale } from '../registry/stale.ts';
import type { Tx } from '../storage/storage.ts';
import type { Context } from './context.ts';
import { publishNow } from './publish-now.ts';
import { republishStale } from './republish.ts';
import { inlineWorkers, threadWorkers } from './worker-pool.ts';

/** Fewer records are matched before a thread has started. */
const WORTH_THREADS = 5_000;

/** Once all is in: what named a building that exists now, areas, matching, publishing. */
export async function settle(context: Context): Promise<void> {
  await match(context);
  await republishStale(context);
}

export async function match(context: Context): Promise<void> {
  const { storage } = context;
  await placeKeptRecords(storage);
  const areas = await Areas.load(storage.db);
  await storage.transaction(async (tx) => {
    await markStale(tx, await attachClaims(tx));
    await joinAreas(tx, areas);
  });
  await settleNames(storage);
  const records = await countRecordsIn(storage.db, await staleTiles(storage.db));
  const workers = records < WORTH_THREADS ? inlineWorkers(storage) : threadWorkers(context.databaseUrl);
  try {
    await matchStale(context, areas, workers, publishNow);
  } finally {
    await workers.close();
  }
  await placeNewBuildings(storage, areas);
  await matchRegisters(context, areas, publishNow);
}

/** New areas and boundaries: what had no place may have one, and what lies there may lie elsewhere. */
async function joinAreas(tx: Tx, areas: Areas): Promise<void> {
  const wasDrawn = await joinPieces(tx, areas);
  const wards = await takeNewAreas(tx);
  if (wards.length === 0 && !wasDrawn) return;
  await markUnplacedStale(tx);
  await noteUnplaced(tx);
  await noteStaleMatches(tx, await registersOfWards(tx.db, wards));
}
