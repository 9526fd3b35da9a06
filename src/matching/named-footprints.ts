import { namesOne, type SourceRecord } from '../observations/source-records.ts';
import { loadBuildings } from '../registry/buildings.ts';
import type { Db } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { contains, type Geometry, type Position } from '../vocabulary/geometry.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { overlapOf, toShape } from './footprint.ts';
import { loadGeometries } from './load-claims.ts';
import { recordsOfBuildings } from './queries.ts';

/**
 * Whether two footprints that match by shape may share a building. A file may name a footprint for a building that is
 * elsewhere or does not exist yet. An unnamed footprint joins a named one only if the named building has no other
 * footprint elsewhere, so that naming a record never merges two buildings.
 */
export async function mayJoinNamed(db: Db): Promise<(a: SourceRecord, b: SourceRecord) => Promise<boolean>> {
  const known = new Map<AssetKey, Promise<LocatedFootprint[]>>();
  return async (a, b) => {
    const [named, other] = namesOne(a.claimed) ? [a, b] : [b, a];
    if (!namesOne(named.claimed) || namesOne(other.claimed)) return true;
    let anchors = known.get(named.claimed);
    if (anchors === undefined) {
      anchors = findAnchors(db, named.claimed);
      known.set(named.claimed, anchors);
    }
    const apart = (await anchors).filter(({ record }) => record.id !== named.id && record.id !== other.id);
    if (apart.length === 0) return true;
    const shapes = [...(await loadGeometries(db, [named, other])).values()];
    return apart.every(({ geometry }) => geometry !== undefined && shapes.some((shape) => overlaps(shape, geometry)));
  };
}

interface LocatedFootprint {
  record: SourceRecord;
  geometry: Geometry | undefined;
}

/**
 * The footprints that locate a building: those named for it, and those it was created for. A footprint that joined
 * because it overlaps a named one is not evidence of its own.
 */
async function findAnchors(db: Db, building: AssetKey): Promise<LocatedFootprint[]> {
  const records = (await recordsOfBuildings(db, [building])).filter(({ source }) =>
    CREATING_SOURCES.has(source as Source),
  );
  const geometries = await loadGeometries(db, records);
  const footprints = records.map((record) => ({ record, geometry: geometries.get(record.id) }));
  const named = footprints.filter(({ record }) => namesOne(record.claimed));
  const isMinted = (await loadBuildings(db, [building])).get(building)?.minted === 1;
  if (!isMinted) return named;
  const founders = footprints.filter(
    ({ record, geometry }) =>
      !namesOne(record.claimed) && !named.some((one) => geometry && one.geometry && overlaps(geometry, one.geometry)),
  );
  return [...named, ...founders];
}

function overlaps(a: Geometry, b: Geometry): boolean {
  if (a.type === 'Point') return b.type !== 'Point' && contains(b, a.coordinates as Position);
  if (b.type === 'Point') return contains(a, b.coordinates as Position);
  return overlapOf(toShape(a), toShape(b)) > 0;
}
