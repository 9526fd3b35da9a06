import type { ReadStorage, Reads } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { AreaName } from '../vocabulary/building-page.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import type { ScalarField } from '../vocabulary/fields.ts';
import type { Tombstone } from '../vocabulary/tombstone.ts';
import { readNearby } from './nearby.ts';
import { readVersions } from './versions.ts';

/** UI-26: why no building is published under an ID that leads to no other. */
export async function whyMissing(
  storage: ReadStorage,
  building: AssetKey,
): Promise<FailureOf<'unknownBuilding' | 'retiredBuilding'>> {
  const tombstone = await storage.snapshot((reads) => readTombstone(reads, building));
  return tombstone === undefined ? { kind: 'unknownBuilding' } : { kind: 'retiredBuilding', tombstone };
}

/** What remains of a building whose ID, or that of the building it was merged into, was retired without a successor. */
async function readTombstone(reads: Reads, building: AssetKey): Promise<Tombstone | undefined> {
  const end = await endOfChain(reads, building);
  if (end === undefined) return undefined;
  const [event] = await reads.all<{ at: string; reason: string | null }>(
    `select at, reason from identity_event where building = ? and kind = 'retire' order by id desc limit 1`,
    [end],
  );
  if (event === undefined) return undefined;
  const last = await readLast(reads, building);
  return {
    id: formatAssetId(building),
    retiredAt: event.at,
    reason: event.reason,
    mergedInto: end === building ? null : formatAssetId(end),
    last,
    nearby: last?.point == null ? [] : await readNearby(reads, [last.point.lon, last.point.lat]),
  };
}

/** The building at the end of a chain of merges, if it was retired without a successor. */
async function endOfChain(reads: Reads, start: AssetKey): Promise<AssetKey | undefined> {
  for (let id: AssetKey = start; ; ) {
    const [row]: { state: string; successor: AssetKey | null }[] = await reads.all(
      'select state, successor from building where id = ?',
      [id],
    );
    if (row === undefined || row.state === 'live') return undefined;
    if (row.successor === null) return id;
    id = row.successor;
  }
}

async function readLast(reads: Reads, building: AssetKey): Promise<Tombstone['last']> {
  const [latest] = await readVersions(reads, building, Number.MAX_SAFE_INTEGER, 1);
  if (latest === undefined) return null;
  const [first] = await readFirst(reads, building);
  const { canonical, version, recordedAt } = latest;
  const { point } = canonical;
  return {
    version,
    recordedAt,
    firstRecordedAt: first?.at ?? recordedAt,
    nameJa: textOf(canonical, 'nameJa'),
    nameEn: textOf(canonical, 'nameEn'),
    addressJa: textOf(canonical, 'addressJa'),
    categories: canonical.assetTypes.map(({ category }) => category),
    yearBuilt: (canonical.fields.yearBuilt?.value as number | undefined) ?? null,
    completionMonth: textOf(canonical, 'completionMonth'),
    point: point === null ? null : { lon: point[0], lat: point[1] },
    areas: await readAreas(reads, canonical.areas[0] ?? canonical.hintedAreas[0]),
  };
}

function readFirst(reads: Reads, building: AssetKey) {
  return reads.all<{ at: string }>(
    'select recorded_at as at from building_version where building = ? order by version limit 1',
    [building],
  );
}

/** A machi-aza with its ward and prefecture, from the prefecture down. */
async function readAreas(reads: Reads, code: string | undefined): Promise<AreaName[] | null> {
  const areas: AreaName[] = [];
  for (let at: string | null | undefined = code; at != null; ) {
    const area: ParentedArea | undefined = await readArea(reads, at);
    if (area === undefined) return null;
    const { parent, ...name } = area;
    areas.unshift(name);
    at = parent;
  }
  return areas.length === 3 ? areas : null;
}

type ParentedArea = AreaName & { parent: string | null };

async function readArea(reads: Reads, code: string): Promise<ParentedArea | undefined> {
  const columns = 'code, slug, name_ja as "nameJa", name_en as "nameEn", parent';
  return (await reads.all<ParentedArea>(`select ${columns} from area where code = ?`, [code]))[0];
}

function textOf({ fields }: Canonical, field: ScalarField): string | null {
  const value = fields[field]?.value;
  return value === undefined ? null : String(value);
}
