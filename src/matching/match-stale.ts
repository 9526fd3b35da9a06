import type { SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import type { Db, Storage, Tx } from '../storage/storage.ts';
import { mapInOrder } from '../threads/map-in-order.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { matchFootprints } from './match-footprints.ts';
import { matchItems } from './match-items.ts';
import { clearMatchMarkers, markRegistersToMatch, recordsToMatch, tilesToMatch } from './match-markers.ts';
import { matchPoints } from './match-points.ts';
import { placeRegisters } from './match-registers.ts';
import { type MatchingContext, type MatchingRun, newRun, type Publish, type TileWorkers } from './matching-run.ts';
import {
  addOverlaps,
  findRecords,
  hasRecordsOf,
  linkedItems,
  linksTo,
  overlapsOf,
  recordsInTile,
  removeOverlaps,
} from './queries.ts';
import { compareKeys, isCreating } from './survey-footprints.ts';

const RECORDS_PER_TRANSACTION = 2_000;

/**
 * Decides which building each record speaks of, wherever something moved: what lies over what, tile by
 * tile; then the footprints, tile by tile; then what attaches to them. It follows from what is kept
 * alone, so that the order in which things came is nothing, and doing it again changes nothing.
 */
export async function matchStale(
  context: MatchingContext,
  areas: Areas,
  workers: TileWorkers,
  publish: Publish,
): Promise<void> {
  const { storage, report, now } = context;
  report.stage('matching');
  const tiles = await tilesToMatch(storage.db);
  const noted = await recordsToMatch(storage.db);
  const run = newRun(areas, now(), publish, noted);
  let done = 0;
  for await (const [, { gone, found }] of mapInOrder(tiles, workers.ahead, workers.meet)) {
    if (gone.length + found.length > 0) {
      await storage.transaction(async (tx) => {
        await removeOverlaps(tx, gone);
        await addOverlaps(tx, found);
      });
    }
    report.progress(++done, tiles.length * 2);
  }
  for (const tile of tiles) {
    await storage.transaction(async (tx) => matchFootprints(tx, run, await recordsInTile(tx.db, tile)));
    report.progress(++done, tiles.length * 2);
  }
  for (const some of portions(noted, RECORDS_PER_TRANSACTION)) {
    await storage.transaction(async (tx) => {
      const records = [...(await findRecords(tx.db, some)).values()].sort(compareKeys);
      await matchFootprints(tx, run, records);
    });
  }
  await storage.transaction(async (tx) => markRegistersToMatch(tx, await placeRegisters(tx, run, noted)));
  await matchAttached(context, run, tiles, noted);
  await storage.transaction(clearMatchMarkers);
  for (const { change, building, other, reason } of run.identities) {
    report.identity(change, formatAssetId(building), formatAssetId(other), reason);
  }
}

/** Places, and Wikidata items: those that moved, and those whose building may have. */
async function matchAttached(
  { storage }: MatchingContext,
  run: MatchingRun,
  tiles: readonly number[],
  noted: readonly number[],
): Promise<void> {
  const { db } = storage;
  if (await hasRecordsOf(db, ['wikidata', 'abr', 'nominatim', 'estat'])) {
    const ids = new Set(noted);
    for (const tile of tiles)
      for (const record of await recordsInTile(db, tile)) if (!isCreating(record)) ids.add(record.id);
    const moved = [...new Set([...run.moved, ...noted])];
    for (const { other } of await overlapsOf(db, moved)) ids.add(other);
    for (const record of await findLinked(db, moved)) ids.add(record);
    await matchSome(storage, ids, (tx, records) => matchPoints(tx, run, records));
    await matchSome(storage, ids, (tx, records) => matchItems(tx, run, records));
    // A complex lends to the buildings that items have only now been given to.
    const complexes = await findLinked(db, [...run.moved]);
    await matchSome(storage, new Set(complexes), (tx, records) => matchItems(tx, run, records));
  }
}

async function matchSome(
  storage: Storage,
  ids: ReadonlySet<number>,
  match: (tx: Tx, records: SourceRecord[]) => Promise<void>,
): Promise<void> {
  for (const some of portions(
    [...ids].sort((a, b) => a - b),
    RECORDS_PER_TRANSACTION,
  )) {
    await storage.transaction(async (tx) =>
      match(tx, [...(await findRecords(tx.db, some)).values()].sort(compareKeys)),
    );
  }
}

/** The records of items that these name, or that name these. */
async function findLinked(db: Db, records: readonly number[]): Promise<number[]> {
  const rows = [...(await findRecords(db, records)).values()];
  const naming = await linksTo(db, [
    ...rows.map((row) => row.key),
    ...rows.flatMap(({ key, source }) => (source === 'wikidata' ? [key.replace('wikidata:', 'member:')] : [])),
  ]);
  return [...(await linkedItems(db, records)), ...naming.map((link) => link.record)];
}

function* portions<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
