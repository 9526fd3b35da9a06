import { findMembers, loadBuildings } from '../registry/buildings.ts';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { otherTilesOf, recordsOfBuildings } from './queries.ts';

/** Markers of what has to be matched again; matching removes them when it is done. */
export async function markTilesToMatch(tx: Tx, tiles: Iterable<number>): Promise<void> {
  await tx.insertNew(
    'stale_tile',
    ['tile'],
    [...new Set(tiles)].map((tile) => [tile]),
  );
}

export async function markRecordsToMatch(tx: Tx, records: Iterable<number>): Promise<void> {
  await tx.insertNew(
    'stale_match',
    ['record'],
    [...new Set(records)].map((record) => [record]),
  );
}

export async function markRegistersToMatch(tx: Tx, areas: Iterable<string>): Promise<void> {
  await tx.insertNew(
    'stale_register',
    ['area'],
    [...new Set(areas)].map((area) => [area]),
  );
}

export async function tilesToMatch(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('stale_tile').select('tile').orderBy('tile').execute();
  return rows.map((row) => row.tile);
}

export async function recordsToMatch(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('stale_match').select('record').orderBy('record').execute();
  return rows.map((row) => row.record);
}

export async function registerAreasToMatch(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('stale_register').select('area').orderBy('area').execute();
  return rows.map((row) => row.area);
}

export async function clearMatchMarkers(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('stale_tile').execute();
  await tx.db.deleteFrom('stale_match').execute();
}

export async function clearRegisterMarkers(tx: Tx, areas: readonly string[]): Promise<void> {
  for (const batch of batches(areas)) await tx.db.deleteFrom('stale_register').where('area', 'in', batch).execute();
}

/** Records without an area are matched again when areas are added. */
export async function markUnplacedToMatch(tx: Tx): Promise<void> {
  const rows = await tx.db
    .selectFrom('source_record')
    .select(['id', 'tile'])
    .where('reason', '=', 'unplaced')
    .execute();
  await markTilesToMatch(
    tx,
    rows.flatMap((row) => row.tile ?? []),
  );
  await markRecordsToMatch(
    tx,
    rows.map((row) => row.id),
  );
}

/** Has everything matched again that may move when the identity of these buildings changes. */
export async function markSurroundingsToMatch(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  const buildings = [...(await loadBuildings(tx.db, ids)).values()];
  await markRegistersToMatch(
    tx,
    buildings.flatMap((building) => building.area ?? []),
  );
  const members = await findMembers(
    tx.db,
    buildings.map((building) => building.id),
  );
  const records = await recordsOfBuildings(tx.db, [...members.keys()]);
  const spots = await otherTilesOf(
    tx.db,
    records.map((record) => record.id),
  );
  await markTilesToMatch(
    tx,
    records.flatMap(({ id, tile }) => [...(tile === null ? [] : [tile]), ...(spots.get(id) ?? [])]),
  );
  await markRecordsToMatch(
    tx,
    records.map((record) => record.id),
  );
}
