import {
  findStatements,
  type SourceRecord,
  type StatementSummary,
  updateRecords,
} from '../observations/source-records.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { locateRecord } from './locate-record.ts';
import { addSpots, forgetSpots, itemsNamedBy, type Link, recordsOfBuildings, type Spots, spotsOf } from './spots.ts';
import { noteStaleMatches, noteStaleTiles } from './stale-matches.ts';

/** Where records that said something new lie now, and what they name. */
export async function moveRecords(tx: Tx, records: readonly SourceRecord[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map((record) => record.id);
  const touched = await spotsOf(tx.db, ids);
  const said = new Map<number, StatementSummary[]>();
  for (const statement of await findStatements(tx.db, ids)) {
    said.set(statement.record, [...(said.get(statement.record) ?? []), statement]);
  }
  const rows: SourceRecord[] = [];
  const spots: Spots[] = [];
  const links: Link[] = [];
  const tiles = new Set<number>();
  for (const record of records) {
    const lie = locateRecord(record, said.get(record.id) ?? []);
    const before = [...(record.tile === null ? [] : [record.tile]), ...(touched.get(record.id) ?? [])];
    for (const tile of [...before, ...lie.tiles]) tiles.add(tile);
    spots.push({ record: record.id, tiles: lie.tiles });
    for (const name of lie.links) links.push({ name, record: record.id });
    rows.push({
      ...record,
      tile: lie.tiles[0] ?? null,
      lat: lie.point?.[1] ?? null,
      lon: lie.point?.[0] ?? null,
      area: lie.area ?? record.area,
    });
  }
  await updateRecords(tx, rows);
  // Those it named before may be left without it.
  const named = await itemsNamedBy(tx.db, ids);
  await forgetSpots(tx, ids);
  await addSpots(tx, spots, links);
  await noteStaleTiles(tx, tiles);
  await noteStaleMatches(tx, [...ids, ...named]);
}

/** A footprint that is named for a building decides which others may join that building (named-footprints.ts). */
export async function noteFootprintsOf(
  tx: Tx,
  told: readonly SourceRecord[],
  standing: ReadonlySet<AssetKey>,
): Promise<void> {
  const buildings = told.flatMap(({ source, claimed }) =>
    standing.has(claimed) && CREATING_SOURCES.has(source as Source) ? [claimed] : [],
  );
  const others = (await recordsOfBuildings(tx.db, [...new Set(buildings)])).filter(({ source }) =>
    CREATING_SOURCES.has(source as Source),
  );
  const ids = others.map((record) => record.id);
  const touched = await spotsOf(tx.db, ids);
  await noteStaleTiles(
    tx,
    others.flatMap(({ id, tile }) => [...(tile === null ? [] : [tile]), ...(touched.get(id) ?? [])]),
  );
  await noteStaleMatches(tx, ids);
}
