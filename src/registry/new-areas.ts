import { batches, type Tx } from '../storage/storage.ts';
import { metresPerDegree } from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import { dividedCityOf } from '../vocabulary/municipalities.ts';
import { markBuildingsStale } from './buildings.ts';
import { NEAREST_M } from './machi-aza-points.ts';
import { markBuildingsInTilesStale, markUnplacedBuildingsStale } from './stale.ts';

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
