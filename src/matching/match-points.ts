import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { findSurvivors } from '../registry/identity.ts';
import type { Db, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { IS_INSIDE } from './find-overlaps.ts';
import { type MatchingRun, reassignAttached } from './matching-run.ts';
import { findRecords, linksFrom, overlapsOf, recordsByKey } from './queries.ts';

/** Sources that attach by location; they never create or merge buildings. */
const ATTACHED_BY_LOCATION: readonly string[] = ['abr', 'estat', 'nominatim'];

/**
 * Assigns points to the building of the OSM object they name, otherwise to the building whose footprint contains them.
 */
export async function matchPoints(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  const points = records.filter(
    ({ source, claimed }) => claimed === NAMES_NONE && ATTACHED_BY_LOCATION.includes(source),
  );
  if (points.length === 0) return;
  const ids = points.map((record) => record.id);
  const named = await buildingsOfNamedObjects(tx.db, ids);
  const around = await buildingsContaining(tx.db, ids);
  await reassignAttached(
    tx,
    run,
    points.map((record) => {
      const candidates = named.get(record.id) ?? around.get(record.id) ?? [];
      const [only, another] = candidates;
      if (only === undefined) return { record, building: null, reason: 'unmatched' as const };
      if (another !== undefined) return { record, building: null, reason: 'ambiguous' as const };
      return { record, building: only, reason: null };
    }),
  );
}

/** The buildings whose footprints contain points. */
export async function buildingsContaining(db: Db, ids: readonly number[]): Promise<Map<number, AssetKey[]>> {
  const overlaps = (await overlapsOf(db, ids)).filter((pair) => pair.overlap === IS_INSIDE);
  const holders = await findRecords(
    db,
    overlaps.map((pair) => pair.other),
  );
  return toBuildings(
    db,
    overlaps.flatMap(({ record, other }) => {
      const holder = holders.get(other);
      return holder === undefined ? [] : [{ record, holder }];
    }),
  );
}

/** The buildings of the OSM objects that records name. */
export async function buildingsOfNamedObjects(db: Db, ids: readonly number[]): Promise<Map<number, AssetKey[]>> {
  const links = (await linksFrom(db, ids)).filter(({ name }) => name.startsWith('osm:'));
  const rows = await recordsByKey(
    db,
    links.map((link) => link.name),
  );
  return toBuildings(
    db,
    links.flatMap(({ name, record }) => rows.filter((row) => row.key === name).map((holder) => ({ record, holder }))),
  );
}

/** Each building once, sorted. */
export async function toBuildings(
  db: Db,
  pairs: readonly { record: number; holder: SourceRecord }[],
): Promise<Map<number, AssetKey[]>> {
  const survivors = await findSurvivors(
    db,
    pairs.flatMap(({ holder }) => holder.building ?? []),
  );
  const found = new Map<number, Set<AssetKey>>();
  for (const { record, holder } of pairs) {
    const survivor = survivors.get(holder.building ?? -1);
    if (survivor === undefined) continue;
    const known = found.get(record);
    if (known === undefined) found.set(record, new Set([survivor]));
    else known.add(survivor);
  }
  return new Map([...found].map(([record, buildings]) => [record, [...buildings].sort((a, b) => a - b)]));
}
