import { compact, expandText } from '../../storage/compact/compact.ts';
import type { Tx } from '../../storage/storage.ts';
import type { BuildingPage } from '../../vocabulary/building-page.ts';
import type { Canonical } from '../../vocabulary/canonical.ts';
import { changedFields } from '../../vocabulary/changed-fields.ts';
import { laterThan } from '../../vocabulary/time.ts';
import type { Areas } from '../areas.ts';
import { type BuildingRow, PUBLISHED_COLUMNS, toPublishedRow } from '../buildings.ts';
import { decodeCanonical, encodeCanonical } from '../canonical-codec.ts';
import { encodeChangedFields } from '../changed-fields-codec.ts';
import { removeLookupKeys } from '../lookup/lookup-keys.ts';
import { addStalePlaces, STALE_PLACE_COLUMNS } from '../markers.ts';
import { describeBuilding } from '../publish.ts';
import { composePage, removeNearby, removePages, tagOf, toHead } from '../records.ts';
import { type FromEvidence, historyOf, isInOrder, isMoment } from './compare-building.ts';
import type { StoredBuilding, VersionRow } from './stored-buildings.ts';

/**
 * VRF-11: prepares a building to be published again: mends its row and its versions as far as the evidence and the published
 * record tell how they were, and makes publishing write everything else. The caller marks it as stale, and has the entries of
 * search put in order again if its time changed.
 */
export async function mendBuilding(
  tx: Tx,
  stored: StoredBuilding & { row: BuildingRow },
  { canonical, place }: FromEvidence,
  areas: Areas,
  now: string,
): Promise<{ isRetimed: boolean }> {
  const { id, row, versions } = stored;
  const path = place === undefined ? undefined : areas.place(place.area);
  const mended = mendVersions(stored, canonical, now, (history) =>
    canonical === undefined || path === undefined
      ? undefined
      : toHead(id, composePage(id, canonical, path, history)).etag,
  );
  await storeVersions(tx, stored, mended);
  const last = mended.at(-1);
  const after: BuildingRow = {
    ...(canonical === undefined ? { ...row, area: null } : describeBuilding(row, canonical, place)),
    version: last?.version ?? 0,
    recorded_at: last?.recorded_at ?? null,
  };
  const isRetimed = after.recorded_at !== row.recorded_at;
  await tx.update('building', PUBLISHED_COLUMNS, [toPublishedRow(after)]);
  const places: unknown[][] = [];
  addStalePlaces(places, ...[row, after].filter(isLocated));
  await tx.insertNew('stale_place', STALE_PLACE_COLUMNS, places);
  if (canonical === undefined || path === undefined) {
    await removePages(tx, [id]);
    await removeLookupKeys(tx, [id]);
    return { isRetimed };
  }
  await removeNearby(tx, [id]);
  // With another tag than it should have, the record is written again.
  await tx.db.updateTable('page').set({ etag: '' }).where('building', '=', id).execute();
  if (versions.length === 0 && mended.length === 0) await removePages(tx, [id]);
  return { isRetimed };
}

const isLocated = ({ mesh, lat, lon }: BuildingRow) =>
  mesh !== null && /^\d{8}$/.test(mesh) && lat !== null && lon !== null;

interface MendedVersion extends Omit<VersionRow, 'canonical'> {
  /** Null if it stays as it is stored. */
  canonical: string | null;
}

/**
 * The versions as they were. The published record has their times and changes, and its tag proves that the content of the
 * last one is what the evidence gives.
 */
function mendVersions(
  { page, row, versions }: StoredBuilding & { row: BuildingRow },
  canonical: Canonical | undefined,
  now: string,
  tagWith: (history: BuildingPage['history']) => string | undefined,
): MendedVersion[] {
  const told = page === undefined ? undefined : toldBy(page);
  const kept = withTimes(
    versions.map((version) => withHistory(version, told)),
    row,
    now,
  );
  if (canonical === undefined) return withChanges(kept, versions, undefined);
  const last = kept.at(-1);
  const encoded = encodeCanonical(canonical);
  const rows = withChanges(kept, versions, canonical).map((version, i) =>
    i === kept.length - 1 ? { ...version, canonical: encoded } : version,
  );
  const next = nextVersion(row, versions, canonical, told);
  for (const candidate of [
    rows,
    [...rows.slice(0, -1), ...(last === undefined ? [] : [withStored(rows.at(-1))]), ...next],
  ]) {
    if (candidate.length > 0 && page !== undefined && tagWith(historyOf(candidate)) === page.etag) return candidate;
  }
  // Nothing proves it: what can be read stays, and a change becomes a new version.
  return isReadable(versions.at(-1)) ? withChanges(kept, versions, undefined) : rows;
}

const withStored = (version: MendedVersion | undefined) => ({ ...(version as MendedVersion), canonical: null });

/** The history that a record tells, if its bytes match its tag. */
function toldBy({ etag, body }: NonNullable<StoredBuilding['page']>): BuildingPage['history'] | undefined {
  try {
    const text = expandText(body);
    return tagOf(text) === etag ? (JSON.parse(`${text}}`) as BuildingPage).history : undefined;
  } catch {
    // It is written again.
    return undefined;
  }
}

function withHistory(version: VersionRow, told: BuildingPage['history'] | undefined): MendedVersion {
  const entry = told?.find((each) => each.version === version.version);
  const { recorded_at, changed_fields } = version;
  if (entry === undefined) return { version: version.version, recorded_at, changed_fields, canonical: null };
  return {
    version: version.version,
    recorded_at: entry.recordedAt,
    changed_fields: encodeChangedFields(entry.changedFields),
    canonical: null,
  };
}

/**
 * With times that can be read and are in order. A time that nothing tells becomes the latest that it can have been: that of
 * the version after it, or `now`.
 */
function withTimes(kept: readonly MendedVersion[], row: BuildingRow, now: string): MendedVersion[] {
  const last = kept.at(-1);
  if (last === undefined) return [];
  const before = kept.slice(0, -1).findLast((version) => isMoment(version.recorded_at));
  const isPossible = (moment: string | null) =>
    moment !== null && isMoment(moment) && (before === undefined || isInOrder(before, { recorded_at: moment }));
  const isAgreed = isMoment(last.recorded_at) && last.recorded_at === row.recorded_at;
  const known = isAgreed ? last.recorded_at : [last.recorded_at, row.recorded_at].find(isPossible);
  let latest = known ?? laterThan(before?.recorded_at ?? '', now);
  return kept
    .toReversed()
    .map((version) => {
      const isKnown = isMoment(version.recorded_at) && isInOrder(version, { recorded_at: latest });
      if (version !== last && isKnown) latest = version.recorded_at;
      return { ...version, recorded_at: latest };
    })
    .toReversed();
}

/** With what each version changed, where its content and that of the one before can be read. */
function withChanges(
  kept: readonly MendedVersion[],
  versions: readonly VersionRow[],
  last: Canonical | undefined,
): MendedVersion[] {
  let before: Canonical | undefined;
  return kept.map((version, i) => {
    const content = (i === kept.length - 1 ? last : undefined) ?? contentOf(versions[i]);
    const isKnown = content !== undefined && (i === 0 || before !== undefined);
    const changed = isKnown ? encodeChangedFields(changedFields(before, content)) : version.changed_fields;
    before = content;
    return { ...version, changed_fields: changed };
  });
}

function contentOf(version: VersionRow | undefined): Canonical | undefined {
  try {
    return version && decodeCanonical(version.canonical);
  } catch {
    // Told as unreadable.
    return undefined;
  }
}

const isReadable = (version: VersionRow | undefined) => version === undefined || contentOf(version) !== undefined;

/** The version after those that are stored, if the building had one more. */
function nextVersion(
  row: BuildingRow,
  versions: readonly VersionRow[],
  canonical: Canonical,
  told: BuildingPage['history'] | undefined,
): MendedVersion[] {
  const number = (versions.at(-1)?.version ?? 0) + 1;
  const entry = told?.find(({ version }) => version === number);
  const recordedAt = entry?.recordedAt ?? (row.version === number ? row.recorded_at : null);
  if (recordedAt === null || !isMoment(recordedAt)) return [];
  const changed = changedFields(contentOf(versions.at(-1)), canonical);
  return [
    {
      version: number,
      recorded_at: recordedAt,
      changed_fields: encodeChangedFields(changed),
      canonical: encodeCanonical(canonical),
    },
  ];
}

async function storeVersions(
  tx: Tx,
  { id, versions }: StoredBuilding,
  mended: readonly MendedVersion[],
): Promise<void> {
  const known = new Map(versions.map((version) => [version.version, version]));
  for (const { version, recorded_at, changed_fields, canonical } of mended) {
    const content = canonical === null ? undefined : compact(canonical);
    if (!known.has(version)) {
      await tx.insert(
        'building_version',
        ['building', 'version', 'recorded_at', 'changed_fields', 'canonical'],
        [[id, version, recorded_at, changed_fields, content]],
      );
      continue;
    }
    await tx.db
      .updateTable('building_version')
      .set({ recorded_at, changed_fields, ...(content === undefined ? {} : { canonical: content }) })
      .where('building', '=', id)
      .where('version', '=', version)
      .execute();
  }
}
