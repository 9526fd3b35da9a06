import type { SelectQueryBuilder } from 'kysely';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { metresPerDegree } from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import { dividedCityOf } from '../vocabulary/municipalities.ts';
import { type BuildingRow, markBuildingsStale } from './buildings.ts';
import { MAX_NEAREST_M } from './machi-aza-points.ts';

/** The next buildings to consolidate, after an ID. */
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

/**
 * The stale buildings from one ID to another, for this transaction only: another that asks at the same time (PostgreSQL) waits,
 * and gets those that are still stale.
 */
export async function takeStaleBuildings({ db }: Tx, from: AssetKey, to: AssetKey): Promise<AssetKey[]> {
  const rows = await db
    .selectFrom('stale_building')
    .select('building')
    .where('building', '>=', from)
    .where('building', '<=', to)
    .orderBy('building')
    .forUpdate()
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

/** A renamed area changes the records of its buildings and of those that list them as nearby. */
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

/** Marks buildings without an area. */
export async function markUnplacedBuildingsStale(tx: Tx): Promise<void> {
  await markLiveStale(tx, (live) => live.where('area', 'is', null));
}

/** Marks buildings in tiles whose areas were redrawn. */
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

/** Evidence of a merged building counts for its survivor, which is consolidated instead. */
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

/** Marks a new or changed area until its buildings have been placed again. */
export async function markNewArea(tx: Tx, code: string): Promise<void> {
  await tx.insertNew('new_area', ['code'], [[code]]);
}

/**
 * Marks the buildings whose machi-aza may have changed: those without one, those of the same municipalities (by address
 * or nearest point), and those near the point of a new area. Returns the wards.
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
    for (const batch of batches(await withOtherWards(tx, wards))) {
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
      if (lat !== null && lon !== null) for (const tile of tilesWithinReach(lon, lat)) tiles.add(tile);
    await markBuildingsInTilesStale(tx, [...tiles]);
  }
  await tx.db.deleteFrom('new_area').execute();
  return [...wards].sort();
}

/** Adds the other wards of the same cities, because a record may state only the city. */
async function withOtherWards(tx: Tx, wards: ReadonlySet<string>): Promise<string[]> {
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

function tilesWithinReach(lon: number, lat: number): string[] {
  const scale = metresPerDegree(lat);
  const [width, height] = [MAX_NEAREST_M / scale.lon, MAX_NEAREST_M / scale.lat];
  return meshTilesOf([lon - width, lat - height, lon + width, lat + height]);
}

/** Unfinished work, stored so that an interrupted run is completed by the next. */
type Todo = 'sample' | 'enter buildings' | 'place records';

export async function markTodo(tx: Tx, name: Todo): Promise<void> {
  await tx.insertNew('todo', ['name'], [[name]]);
}

/** Returns false if the marker was not set. */
export async function clearTodo(tx: Tx, name: Todo): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('todo').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasTodo(db: Db, name: Todo): Promise<boolean> {
  return (await db.selectFrom('todo').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}
