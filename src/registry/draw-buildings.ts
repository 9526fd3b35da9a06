import type { Db } from '../storage/storage.ts';
import { batches } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';

/** How many published buildings a machi-aza has; by the index on areas, without reading a building. */
interface AreaCount {
  area: string;
  count: number;
}

/** The machi-aza that have published buildings, or those whose code begins like this, in the order of their codes. */
export async function countBuildingsByArea(db: Db, prefix = ''): Promise<AreaCount[]> {
  let query = db
    .selectFrom('building')
    .select(['area', (eb) => eb.fn.countAll().as('count')])
    .where('area', 'is not', null);
  if (prefix !== '') query = query.where('area', '>=', prefix).where('area', '<', `${prefix}~`);
  const rows = await query.groupBy('area').execute();
  return rows
    .map(({ area, count }) => ({ area: area as string, count: Number(count) }))
    .sort((a, b) => (a.area < b.area ? -1 : 1));
}

/** The buildings that stand at these places, counted through all areas in their order. */
export async function buildingsByRank(
  db: Db,
  areas: readonly AreaCount[],
  places: readonly number[],
): Promise<AssetKey[]> {
  const wanted = new Map<string, { place: number; index: number }[]>();
  const ordered = [...places].sort((a, b) => a - b);
  let before = 0;
  let next = 0;
  for (const { area, count } of areas) {
    for (; next < ordered.length && (ordered[next] as number) < before + count; next++) {
      const place = ordered[next] as number;
      wanted.set(area, [...(wanted.get(area) ?? []), { place, index: place - before }]);
    }
    before += count;
  }
  const found = new Map<number, AssetKey>();
  for (const batch of batches([...wanted.keys()], 100)) {
    const inside = new Map<string, AssetKey[]>();
    const rows = await db.selectFrom('building').select(['area', 'id']).where('area', 'in', batch).execute();
    for (const { area, id } of rows) {
      const known = inside.get(area as string);
      if (known === undefined) inside.set(area as string, [id]);
      else known.push(id);
    }
    for (const [area, ids] of inside) {
      ids.sort((a, b) => a - b);
      for (const { place, index } of wanted.get(area) ?? []) {
        const id = ids[index];
        if (id !== undefined) found.set(place, id);
      }
    }
  }
  return places.flatMap((place) => found.get(place) ?? []);
}
