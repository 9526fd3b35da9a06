import type { SelectQueryBuilder } from 'kysely';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { type BuildingRow, markBuildingsStale } from './buildings.ts';

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
