import type { SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import type { Db, Storage, Tx } from '../storage/storage.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { IdSet } from '../vocabulary/id-set.ts';
import { matchFootprints } from './match-footprints.ts';
import { matchItems } from './match-items.ts';
import { clearMatchMarkers, markRegistersToMatch, recordsToMatch, tilesToMatch } from './match-markers.ts';
import { matchPoints } from './match-points.ts';
import { placeRegisters } from './match-registers.ts';
import { type CompareTiles, type MatchingContext, type MatchingRun, newRun, type Publish } from './matching-run.ts';
import {
  attachingRecordsIn,
  findRecords,
  hasRecordsOf,
  linkedItems,
  linksTo,
  overlapsOf,
  recordsInTile,
  tilesWithUnnamed,
} from './queries.ts';
import { compareKeys } from './survey-footprints.ts';

const RECORDS_AT_ONCE = 2_000;

/**
 * Decides which building each marked record describes: overlaps, then footprints, then what attaches to them. The
 * result depends only on what is stored, so input order does not matter and repeating it changes nothing.
 */
export async function matchStale(
  context: MatchingContext,
  areas: Areas,
  compareTiles: CompareTiles,
  publish: Publish,
): Promise<void> {
  const { storage, report, now } = context;
  report.stage('matching');
  const tiles = await tilesToMatch(storage.db);
  // Records that name a building need no match.
  const open = await tilesWithUnnamed(storage.db, tiles);
  const changed = await recordsToMatch(storage.db);
  const run = newRun(areas, now(), publish, changed);
  let done = 0;
  for await (const _ of compareTiles(open)) report.progress(++done, open.length * 2);
  for (const tile of open) {
    await storage.transaction(async (tx) => matchFootprints(tx, run, await recordsInTile(tx.db, tile)));
    report.progress(++done, open.length * 2);
  }
  for (const batch of chunks(changed, RECORDS_AT_ONCE)) {
    await storage.transaction(async (tx) => {
      const records = [...(await findRecords(tx.db, batch)).values()].sort(compareKeys);
      await matchFootprints(tx, run, records);
    });
  }
  await storage.transaction(async (tx) => markRegistersToMatch(tx, await placeRegisters(tx, run, changed)));
  await matchAttached(context, run, tiles, changed);
  await storage.transaction(clearMatchMarkers);
  for (const { change, building, other, reason } of run.identities) {
    report.identity(change, formatAssetId(building), formatAssetId(other), reason);
  }
}

/** Points and Wikidata items that changed, or whose building may have changed. */
async function matchAttached(
  { storage }: MatchingContext,
  run: MatchingRun,
  tiles: readonly number[],
  changed: readonly number[],
): Promise<void> {
  const { db } = storage;
  if (await hasRecordsOf(db, ['wikidata', 'abr', 'nominatim', 'estat'])) {
    const ids = new IdSet();
    for (const id of [...changed, ...(await attachingRecordsIn(db, tiles))]) ids.add(id);
    for (const moved of concatenated(run.moved.batches(RECORDS_AT_ONCE), chunks(changed, RECORDS_AT_ONCE))) {
      for (const { other } of await overlapsOf(db, moved)) ids.add(other);
      for (const record of await findLinked(db, moved)) ids.add(record);
    }
    await matchInBatches(storage, ids, (tx, records) => matchPoints(tx, run, records));
    await matchInBatches(storage, ids, (tx, records) => matchItems(tx, run, records));
    // Complexes are passed on to buildings that were assigned an item just now.
    const complexes = new IdSet();
    for (const moved of run.moved.batches(RECORDS_AT_ONCE)) {
      for (const record of await findLinked(db, moved)) complexes.add(record);
    }
    await matchInBatches(storage, complexes, (tx, records) => matchItems(tx, run, records));
  }
}

async function matchInBatches(
  storage: Storage,
  ids: IdSet,
  match: (tx: Tx, records: SourceRecord[]) => Promise<void>,
): Promise<void> {
  for (const batch of ids.batches(RECORDS_AT_ONCE)) {
    await storage.transaction(async (tx) =>
      match(tx, [...(await findRecords(tx.db, batch)).values()].sort(compareKeys)),
    );
  }
}

/** The items that these records link to, and the records that link to these. */
async function findLinked(db: Db, records: readonly number[]): Promise<number[]> {
  const rows = [...(await findRecords(db, records)).values()];
  const naming = await linksTo(db, [
    ...rows.map((row) => row.key),
    ...rows.flatMap(({ key, source }) => (source === 'wikidata' ? [key.replace('wikidata:', 'member:')] : [])),
  ]);
  return [...(await linkedItems(db, records)), ...naming.map((link) => link.record)];
}

function* concatenated<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
