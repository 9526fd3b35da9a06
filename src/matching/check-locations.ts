import type { StatedRecord } from '../observations/check-records.ts';
import { NAMES_SEVERAL } from '../observations/source-records.ts';
import type { Db } from '../storage/storage.ts';
import type { Difference } from '../vocabulary/difference.ts';
import { locateRecord } from './locate-records.ts';
import { linksFrom, otherTilesOf } from './queries.ts';

/** VRF-04: how the location and the links of some records differ from what their statements give. */
export async function checkLocations(db: Db, stated: readonly StatedRecord[]): Promise<Difference[]> {
  const ids = stated.map(({ record }) => record.id);
  const otherTiles = await otherTilesOf(db, ids);
  const links = Map.groupBy(await linksFrom(db, ids), ({ record }) => record);
  const found: Difference[] = [];
  for (const { record, statements } of stated) {
    const { id, key, tile, lat, lon } = record;
    const add = (table: string, detail: string | null = null) =>
      found.push({ kind: 'differs', table, row: key, detail, remedy: { by: 'locating', record: id } });
    const isLocated = record.claimed !== NAMES_SEVERAL;
    const location = isLocated ? locateRecord(record, statements) : NOWHERE;
    const [home = null, ...others] = location.tiles;
    if (tile !== home || lat !== (location.point?.[1] ?? null) || lon !== (location.point?.[0] ?? null)) {
      add('source_record', 'location');
    }
    if (!isSameSet(otherTiles.get(id) ?? [], others)) add('spot');
    const names = (links.get(id) ?? []).map(({ name }) => name);
    if (!isSameSet(names, [...new Set(location.links)])) add('link');
  }
  return found;
}

const NOWHERE = { point: null, tiles: [], links: [] };

function isSameSet<T>(a: readonly T[], b: readonly T[]): boolean {
  const known = new Set(a);
  return a.length === b.length && b.every((item) => known.has(item));
}
