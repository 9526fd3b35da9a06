import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { findSurvivors } from '../registry/identity.ts';
import type { Db, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { IS_INSIDE } from './find-overlaps.ts';
import { type MatchingRun, reassign } from './matching-run.ts';
import { findRecords, linksFrom, overlapsOf, recordsByKey } from './queries.ts';

/** They attach by location; they never create or merge. */
const ATTACHED_BY_PLACE: readonly string[] = ['abr', 'estat', 'nominatim'];

/** Gives records that are places to the building at the place: the OSM object they name, else the footprint they lie in. */
export async function matchPoints(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  const points = records.filter(({ source, claimed }) => claimed === NAMES_NONE && ATTACHED_BY_PLACE.includes(source));
  if (points.length === 0) return;
  const ids = points.map((record) => record.id);
  const named = await findNamedBuildings(tx.db, ids);
  const around = await findBuildingsAround(tx.db, ids);
  await reassign(
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

/** The buildings in whose footprints points lie. */
export async function findBuildingsAround(db: Db, ids: readonly number[]): Promise<Map<number, AssetKey[]>> {
  const meetings = (await overlapsOf(db, ids)).filter((meeting) => meeting.overlap === IS_INSIDE);
  const holders = await findRecords(
    db,
    meetings.map((meeting) => meeting.other),
  );
  return toBuildings(
    db,
    meetings.flatMap(({ record, other }) => {
      const holder = holders.get(other);
      return holder === undefined ? [] : [{ record, holder }];
    }),
  );
}

/** The buildings of the OSM objects that records name. */
export async function findNamedBuildings(db: Db, ids: readonly number[]): Promise<Map<number, AssetKey[]>> {
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

/** Each building once, in order. */
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
