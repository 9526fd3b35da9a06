import { expandText } from '../../storage/compact/compact.ts';
import { batches, type Db } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import { type Difference, describeDamage } from '../../vocabulary/difference.ts';
import { FailureError } from '../../vocabulary/failure.ts';
import type { Areas } from '../areas.ts';
import { deriveNearby, type PlacedBuildings, type TileSlice } from '../nearby.ts';

/** VRF-03: how `nearby` of the buildings of some slices differs from what the buildings around them give. */
export async function checkNearby(
  db: Db,
  areas: Areas,
  placed: PlacedBuildings,
  slices: readonly TileSlice[],
): Promise<Difference[]> {
  const tails = await deriveTails(areas, placed, slices);
  if (tails === undefined) {
    const [only, another] = slices;
    if (only === undefined) return [];
    if (another === undefined) {
      const detail = 'a building of the tile is in no known area';
      return [{ kind: 'unreadable', table: 'nearby', row: `tile ${only.tile}`, detail, remedy: null }];
    }
    // One by one, to find out which.
    const each: Difference[] = [];
    for (const slice of slices) each.push(...(await checkNearby(db, areas, placed, [slice])));
    return each;
  }
  const found: Difference[] = [];
  for (const batch of batches([...tails.keys()])) {
    const rows = await db.selectFrom('nearby').selectAll().where('building', 'in', batch).execute();
    // A missing row is found with its building.
    for (const { building, etag, body } of rows) {
      const add = (kind: Difference['kind'], detail: string | null) =>
        found.push({
          kind,
          table: 'nearby',
          row: formatAssetId(building),
          detail,
          remedy: { by: 'publishing', building },
        });
      const tail = tails.get(building);
      try {
        if (expandText(body) !== tail?.text) add('differs', null);
        else if (etag !== tail.etag) add('differs', 'tag');
      } catch (error) {
        add('unreadable', describeDamage(error));
      }
    }
  }
  return found;
}

/** By building; undefined if the areas around them are damaged. */
async function deriveTails(
  areas: Areas,
  placed: PlacedBuildings,
  slices: readonly TileSlice[],
): Promise<Map<AssetKey, Awaited<ReturnType<typeof deriveNearby>>[number]> | undefined> {
  try {
    return new Map((await deriveNearby(areas, placed, slices)).map((tail) => [tail.building, tail]));
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'unknownArea') return undefined;
    throw error;
  }
}
