import type { SelectQueryBuilder } from 'kysely';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { metresPerDegree } from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import { dividedCityOf } from '../vocabulary/municipalities.ts';
import { type BuildingRow, markBuildingsStale } from './buildings.ts';
import { NEAREST_M } from './machi-aza-points.ts';

/** The next buildings to consolidate, after one of them. */
export async function staleBuildings(db: Db, after: AssetKey, limit: number): Promise<AssetKey[]> {
  const rows = await db
    .selectFrom('stale_building')
    .select('building')
    .where('building', '>', after)
    .orderBy('building')
    .limit(limit)
    .execute();
  return rows.map((row) => row.building);
}

export async function clearStaleBuildings(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('stale_building').where('building', 'in', batch).execute();
}

export const STALE_PLACE_COLUMNS = ['mesh', 'building', 'lat', 'lon'] as const;

export function addStalePlaces(rows: unknown[][], ...buildings: BuildingRow[]): void {
  for (const { mesh, id, lat, lon } of buildings) if (mesh !== null) rows.push([mesh, id, lat, lon]);
}

/** A renamed area changes the pages of its buildings and of those that list them. */
export async function markBuildingsOfAreaStale(tx: Tx, code: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('building as b')
    .innerJoin('area as a', 'a.code', 'b.area')
    .leftJoin('area as w', 'w.code', 'a.parent')
    .selectAll('b')
    .where((eb) => eb.or([eb('a.code', '=', code), eb('a.parent', '=', code), eb('w.parent', '=', code)]))
    .execute();
  const places: unknown[][] = [];
  addStalePlaces(places, ...rows);
  await tx.insertNew('stale_place', STALE_PLACE_COLUMNS, places);
  await markBuildingsStale(
    tx,
    rows.map((row) => row.id),
  );
}

/** Has the buildings without a place looked at again. */
export async function markUnplacedBuildingsStale(tx: Tx): Promise<void> {
  await markLiveStale(tx, (live) => live.where('area', 'is', null));
}

/** Has the buildings of some tiles looked at again, since the areas there were drawn anew. */
export async function markBuildingsInTilesStale(tx: Tx, tiles: readonly string[]): Promise<void> {
  for (const batch of batches(tiles)) await markLiveStale(tx, (live) => live.where('mesh', 'in', batch));
}

export async function markAllBuildingsStale(tx: Tx): Promise<void> {
  await markLiveStale(tx, (live) => live);
}

type Ids = SelectQueryBuilder<Tables, 'building', { id: number }>;

async function markLiveStale(tx: Tx, some: (live: Ids) => Ids): Promise<void> {
  await tx.db
    .insertInto('stale_building')
    .columns(['building'])
    .expression(some(tx.db.selectFrom('building').select('id').where('state', '=', 'live')))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** What is said of a merged building is said of its survivor, which is consolidated in its place. */
export async function spreadStaleToSurvivors(tx: Tx): Promise<void> {
  for (let added = 1n; added > 0n; ) {
    const result = await tx.db
      .insertInto('stale_building')
      .columns(['building'])
      .expression((eb) =>
        eb
          .selectFrom('building as b')
          .innerJoin('stale_building as s', 's.building', 'b.id')
          .select('b.successor')
          .distinct()
          .where('b.state', '=', 'merged')
          .where('b.successor', 'is not', null)
          .where('b.successor', 'not in', (not) => not.selectFrom('stale_building').select('building')),
      )
      .onConflict((oc) => oc.doNothing())
      .executeTakeFirst();
    added = result.numInsertedOrUpdatedRows ?? 0n;
  }
}

export async function countStaleBuildings(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('stale_building')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A note that an area came or changed, until what it may hold has been looked at again. */
export async function markNewArea(tx: Tx, code: string): Promise<void> {
  await tx.insertNew('new_area', ['code'], [[code]]);
}

/**
 * Has the buildings looked at again that may stand in another machi-aza now: those without one, those of the same
 * municipalities, whose addresses may name it or which may be nearest to its point, and those near it. Gives the wards.
 */
export async function takeNewAreas(tx: Tx): Promise<string[]> {
  const areas = await tx.db
    .selectFrom('new_area as n')
    .innerJoin('area as a', 'a.code', 'n.code')
    .select(['a.code', 'a.level', 'a.parent', 'a.lat', 'a.lon'])
    .execute();
  if (areas.length === 0) return [];
  await markUnplacedBuildingsStale(tx);
  const wards = new Set(
    areas.flatMap(({ code, level, parent }) => (level === 'ward' ? code : level === 'machiAza' ? (parent ?? []) : [])),
  );
  if (await hasPlacedBuildings(tx)) {
    for (const batch of batches(await withSisters(tx, wards))) {
      const rows = await tx.db
        .selectFrom('building as b')
        .innerJoin('area as a', 'a.code', 'b.area')
        .select('b.id')
        .where('a.parent', 'in', batch)
        .execute();
      await markBuildingsStale(
        tx,
        rows.map((row) => row.id),
      );
    }
    const tiles = new Set<string>();
    for (const { lat, lon } of areas)
      if (lat !== null && lon !== null) for (const tile of reach(lon, lat)) tiles.add(tile);
    await markBuildingsInTilesStale(tx, [...tiles]);
  }
  await tx.db.deleteFrom('new_area').execute();
  return [...wards].sort();
}

/** Wards with all others of their cities: a record may state the city alone. */
async function withSisters(tx: Tx, wards: ReadonlySet<string>): Promise<string[]> {
  const cities = new Set([...wards].flatMap((ward) => dividedCityOf(ward) ?? []));
  if (cities.size === 0) return [...wards];
  const all = await tx.db.selectFrom('area').select('code').where('level', '=', 'ward').execute();
  const sisters = all.filter(({ code }) => cities.has(dividedCityOf(code) ?? '')).map(({ code }) => code);
  return [...new Set([...wards, ...sisters])];
}

async function hasPlacedBuildings(tx: Tx): Promise<boolean> {
  const row = await tx.db.selectFrom('building').select('id').where('area', 'is not', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

function reach(lon: number, lat: number): string[] {
  const scale = metresPerDegree(lat);
  const [width, height] = [NEAREST_M / scale.lon, NEAREST_M / scale.lat];
  return meshTilesOf([lon - width, lat - height, lon + width, lat + height]);
}

/** Notes of work begun, kept in the database so that a run cut short is known to be unfinished. */
type Todo = 'sample' | 'enter buildings' | 'place records';

export async function markTodo(tx: Tx, name: Todo): Promise<void> {
  await tx.insertNew('todo', ['name'], [[name]]);
}

/** Takes a note down; false where there was none. */
export async function clearTodo(tx: Tx, name: Todo): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('todo').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasTodo(db: Db, name: Todo): Promise<boolean> {
  return (await db.selectFrom('todo').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}
