import {
  findStatements,
  type SourceRecord,
  type StatementSummary,
  updateRecords,
} from '../observations/source-records.ts';
import { payloadRef } from '../observations/statement-codec.ts';
import { clearTodo, hasTodo } from '../registry/markers.ts';
import type { Storage, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { boxOf, centroidOf, type Geometry, type Position } from '../vocabulary/geometry.ts';
import { meshCodeOf, meshTilesOf } from '../vocabulary/mesh.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { claimsOf } from './load-claims.ts';
import { markRecordsToMatch, markTilesToMatch } from './match-markers.ts';
import {
  addTilesAndLinks,
  linkedItems,
  otherTilesOf,
  type RecordLink,
  type RecordTiles,
  recordsOfBuildings,
  recordsWithoutTile,
  removeTilesAndLinks,
} from './queries.ts';

/** Updates the location and the links of records with new statements. */
export async function relocateRecords(tx: Tx, records: readonly SourceRecord[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map((record) => record.id);
  const touched = await otherTilesOf(tx.db, ids);
  const summaries = new Map<number, StatementSummary[]>();
  for (const statement of await findStatements(tx.db, ids)) {
    summaries.set(statement.record, [...(summaries.get(statement.record) ?? []), statement]);
  }
  const rows: SourceRecord[] = [];
  const spots: RecordTiles[] = [];
  const links: RecordLink[] = [];
  const tiles = new Set<number>();
  for (const record of records) {
    const location = locateRecord(record, summaries.get(record.id) ?? []);
    const before = [...(record.tile === null ? [] : [record.tile]), ...(touched.get(record.id) ?? [])];
    for (const tile of [...before, ...location.tiles]) tiles.add(tile);
    spots.push({ record: record.id, tiles: location.tiles });
    for (const name of location.links) links.push({ name, record: record.id });
    rows.push({
      ...record,
      tile: location.tiles[0] ?? null,
      lat: location.point?.[1] ?? null,
      lon: location.point?.[0] ?? null,
      area: location.area ?? record.area,
    });
  }
  await updateRecords(tx, rows);
  // Items that the record linked before may lose it.
  const named = await linkedItems(tx.db, ids);
  await removeTilesAndLinks(tx, ids);
  await addTilesAndLinks(tx, spots, links);
  await markTilesToMatch(tx, tiles);
  await markRecordsToMatch(tx, [...ids, ...named]);
}

/**
 * Has the footprints of named buildings matched again: a named footprint decides which others may join its building
 * (named-footprints.ts).
 */
export async function markNamedFootprints(
  tx: Tx,
  named: readonly SourceRecord[],
  existing: ReadonlySet<AssetKey>,
): Promise<void> {
  const buildings = named.flatMap(({ source, claimed }) =>
    existing.has(claimed) && CREATING_SOURCES.has(source as Source) ? [claimed] : [],
  );
  const others = (await recordsOfBuildings(tx.db, [...new Set(buildings)])).filter(({ source }) =>
    CREATING_SOURCES.has(source as Source),
  );
  const ids = others.map((record) => record.id);
  const touched = await otherTilesOf(tx.db, ids);
  await markTilesToMatch(
    tx,
    others.flatMap(({ id, tile }) => [...(tile === null ? [] : [tile]), ...(touched.get(id) ?? [])]),
  );
  await markRecordsToMatch(tx, ids);
}

/** Where matching looks for a record. */
interface RecordLocation {
  geometry: Geometry | null;
  point: Position | null;
  tiles: number[];
  area: string | null;
  links: string[];
}

/** From all stored statements; the current revision counts (CON-01, CON-03). */
export function locateRecord(record: SourceRecord, summaries: readonly StatementSummary[]): RecordLocation {
  const current = claimsOf(record, summaries);
  const geometry = current.geometry?.geometry ?? null;
  const point = geometry === null ? null : centroidOf(geometry);
  return {
    geometry,
    point,
    tiles: point === null ? [] : tilesOf(point, geometry),
    area: current.area?.area ?? null,
    links: current.links,
  };
}

/** The tiles that a shape touches, that of its centre first. */
export function tilesOf(point: Position, geometry: Geometry | null): number[] {
  const home = meshCodeOf(point);
  if (geometry === null || geometry.type === 'Point') return [Number(home)];
  const touched = meshTilesOf(boxOf(geometry));
  return [home, ...touched.filter((tile) => tile !== home)].map(Number);
}

/** Sorts statements by the last time they were fetched, then by payload (CON-01). */
export function statementOrder(statement: StatementSummary): string {
  const last = fetchTimesOf(statement).map(instantSortKey).sort().at(-1) as string;
  return `${last} ${payloadRef(statement)}`;
}

/** Every time a payload was fetched while it was current. */
export function fetchTimesOf({ retrieved_at, seen }: StatementSummary): string[] {
  return seen == null ? [retrieved_at] : [retrieved_at, ...seen.split(' ')];
}

/** Locates records stored by an earlier version of the program, which did not assign tiles. */
export async function locateStoredRecords(storage: Storage): Promise<void> {
  if (!(await hasTodo(storage.db, 'place records'))) return;
  for (let after = 0; ; ) {
    const records = await recordsWithoutTile(storage.db, after);
    if (records.length === 0) break;
    await storage.transaction(async (tx) => {
      const summaries = new Map<number, StatementSummary[]>();
      const statements = await findStatements(
        tx.db,
        records.map((record) => record.id),
      );
      for (const statement of statements) {
        summaries.set(statement.record, [...(summaries.get(statement.record) ?? []), statement]);
      }
      const spots: RecordTiles[] = [];
      const rows = records.map((record) => {
        const { tiles, point, area } = locateRecord(record, summaries.get(record.id) ?? []);
        spots.push({ record: record.id, tiles });
        return { ...record, tile: tiles[0] ?? null, lat: point?.[1] ?? null, lon: point?.[0] ?? null, area };
      });
      await updateRecords(tx, rows);
      await addTilesAndLinks(tx, spots, []);
      await markTilesToMatch(
        tx,
        spots.flatMap(({ tiles }) => tiles),
      );
      await markRecordsToMatch(
        tx,
        rows.flatMap(({ id, building }) => (building === null ? id : [])),
      );
    });
    after = records.at(-1)?.id ?? after;
  }
  await storage.transaction((tx) => clearTodo(tx, 'place records'));
}
