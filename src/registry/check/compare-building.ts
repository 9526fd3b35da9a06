import { recordKey } from '../../observations/source-records.ts';
import { expandText } from '../../storage/compact/compact.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import type { Canonical } from '../../vocabulary/canonical.ts';
import { changedFields } from '../../vocabulary/changed-fields.ts';
import { type Difference, describeDamage } from '../../vocabulary/difference.ts';
import { instantSortKey, parseInstant } from '../../vocabulary/time.ts';
import type { Areas, PlacePath } from '../areas.ts';
import { type BuildingRow, PUBLISHED_COLUMNS } from '../buildings.ts';
import { decodeCanonical, encodeCanonical } from '../canonical-codec.ts';
import { decodeChangedFields } from '../changed-fields-codec.ts';
import { lookupKeysOf } from '../lookup/lookup-keys.ts';
import type { Placement } from '../place-building.ts';
import { describeBuilding } from '../publish.ts';
import { composePage, type HistoryEntry, toHead } from '../records.ts';
import { describeEntry, type SearchEntry, toEntryContent, toEntryPlace, UNPUBLISHED } from '../search/format/entry.ts';
import type { StoredBuilding, VersionRow } from './stored-buildings.ts';

/** What the evidence of a building gives; undefined for a building without evidence, or that is not live. */
export interface FromEvidence {
  canonical: Canonical | undefined;
  place: Placement | undefined;
}

/** VRF-02: how what is stored of a building differs from what its evidence gives. */
export function compareBuilding(
  stored: StoredBuilding & { row: BuildingRow },
  { canonical, place }: FromEvidence,
  areas: Areas,
): Difference[] {
  const found = new Found(stored.id);
  const current = compareVersions(found, stored, canonical);
  const path = canonical === undefined || place === undefined ? undefined : areas.place(place.area);
  const mesh = compareRow(found, stored, canonical, place);
  comparePage(found, stored, canonical, path);
  if (stored.hasNearby !== (path !== undefined && mesh !== null)) {
    found.add(stored.hasNearby ? 'extra' : 'missing', 'nearby');
  }
  const keys = canonical === undefined || path === undefined ? [] : lookupKeysOf(canonical, areas);
  if (keys.join() !== stored.lookupKeys.join()) found.add('differs', 'lookup_key');
  if (current !== undefined || stored.versions.length === 0) compareEntry(found, stored, current, path);
  return found.differences;
}

/** VRF-02: rows of a building that does not exist. */
export function describeOrphans({ id, versions, page, hasNearby, lookupKeys, entry }: StoredBuilding): Difference[] {
  const found = new Found(id);
  const lost = { by: 'identity', building: id } as const;
  if (versions.length > 0) found.add('unresolved', 'building_version', 'its building is missing', lost);
  if (page !== undefined) found.add('unresolved', 'page', 'its building is missing', lost);
  if (hasNearby) found.add('unresolved', 'nearby', 'its building is missing', lost);
  if (lookupKeys.length > 0) found.add('unresolved', 'lookup_key', 'its building is missing', lost);
  if (entry !== undefined) found.add('unresolved', 'search_entry', 'its building is missing', lost);
  return found.differences;
}

/** The keys of the records that the current version consulted and that no longer describe the building. */
export function lostRecordsOf({ versions }: StoredBuilding, canonical: Canonical | undefined): string[] {
  const last = versions.at(-1);
  if (last === undefined) return [];
  let before: Canonical;
  try {
    before = decodeCanonical(last.canonical);
  } catch {
    // Told as unreadable.
    return [];
  }
  const keyOf = ({ source, sourceRecordId }: Canonical['records'][number]) => recordKey(source, sourceRecordId);
  const consulted = new Set(canonical?.records.map(keyOf));
  return before.records.map(keyOf).filter((key) => !consulted.has(key));
}

class Found {
  readonly differences: Difference[] = [];
  readonly #id: AssetKey;

  constructor(id: AssetKey) {
    this.#id = id;
  }

  add(
    kind: Difference['kind'],
    table: string,
    detail: string | null = null,
    remedy: Difference['remedy'] = { by: 'publishing', building: this.#id },
  ): void {
    this.differences.push({ kind, table, row: formatAssetId(this.#id), detail, remedy });
  }
}

/** Returns the content of the current version: what the evidence gives, or what is stored if there is none. */
function compareVersions(
  found: Found,
  { id, row, versions }: StoredBuilding & { row: BuildingRow },
  canonical: Canonical | undefined,
): Canonical | undefined {
  const last = versions.at(-1);
  // Only the last version can be made again, because its content follows from the evidence.
  for (const version of gapsIn(versions)) found.add('missing', 'building_version', `version ${version}`, null);
  if (canonical !== undefined && last === undefined) found.add('missing', 'building_version', 'version 1');
  else if (row.version > (last?.version ?? 0)) found.add('missing', 'building_version', `version ${row.version}`);
  let before: Canonical | undefined;
  let current: Canonical | undefined;
  for (const [i, version] of versions.entries()) {
    const isLast = version === last;
    const isNext = version.version === (versions[i - 1]?.version ?? 0) + 1;
    const content = compareContent(found, version, isLast ? canonical : undefined, isLast ? id : undefined);
    if (content !== undefined && isNext && (i === 0 || before !== undefined)) {
      const expected = changedFields(before, content).join();
      if (changesOf(version)?.join() !== expected) {
        found.add('differs', 'building_version', `changed fields of version ${version.version}`);
      }
    }
    const earlier = versions[i - 1];
    if (!isMoment(version.recorded_at)) {
      found.add('unreadable', 'building_version', `time of version ${version.version}`);
    } else if (earlier !== undefined && isMoment(earlier.recorded_at) && !isInOrder(earlier, version)) {
      found.add('differs', 'building_version', `version ${version.version} is earlier than the one before it`);
    }
    before = content;
    current = content;
  }
  return canonical ?? current;
}

/** The numbers that are missing before the last version. */
function gapsIn(versions: readonly VersionRow[]): number[] {
  if (versions.at(-1)?.version === versions.length) return [];
  const known = new Set(versions.map(({ version }) => version));
  // A damaged number may be any.
  const most = Math.min(versions.at(-1)?.version ?? 0, versions.length + MAX_LOST);
  return Array.from({ length: most }, (_, i) => i + 1).filter((version) => !known.has(version));
}

const MAX_LOST = 10;

/** The content of a version. Of the current one it must be what the evidence gives, if there is any. */
function compareContent(
  found: Found,
  { version, canonical: stored }: VersionRow,
  canonical: Canonical | undefined,
  repairable: AssetKey | undefined,
): Canonical | undefined {
  const remedy =
    repairable === undefined || canonical === undefined ? null : ({ by: 'publishing', building: repairable } as const);
  let text: string;
  try {
    text = expandText(stored);
    if (canonical !== undefined && encodeCanonical(canonical) === text) return canonical;
    const decoded = decodeCanonical(text);
    if (canonical === undefined) return decoded;
    const changed = changedFields(decoded, canonical);
    const what = changed.length === 0 ? 'consulted records or order' : changed.join(', ');
    found.add('differs', 'building_version', `version ${version}: ${what}`, remedy);
    return canonical;
  } catch (error) {
    found.add('unreadable', 'building_version', `version ${version}: ${describeDamage(error)}`, remedy);
    return canonical;
  }
}

function changesOf({ changed_fields }: Pick<VersionRow, 'changed_fields'>): string[] | undefined {
  try {
    return decodeChangedFields(changed_fields);
  } catch {
    // Not what any version stored.
    return undefined;
  }
}

export const isMoment = (text: string) => parseInstant(text) !== undefined;

type Timed = Pick<VersionRow, 'recorded_at'>;

export const isInOrder = (a: Timed, b: Timed) => instantSortKey(a.recorded_at) <= instantSortKey(b.recorded_at);

/** Returns the tile that the building is located in. */
function compareRow(
  found: Found,
  { row, versions }: StoredBuilding & { row: BuildingRow },
  canonical: Canonical | undefined,
  place: Placement | undefined,
): string | null {
  const last = versions.at(-1);
  const version = last?.version ?? 0;
  const recorded_at = last?.recorded_at ?? null;
  const expected =
    canonical === undefined
      ? { ...row, area: null, version, recorded_at }
      : { ...describeBuilding(row, canonical, place), version, recorded_at };
  const wrong = PUBLISHED_COLUMNS.filter((column) => row[column] !== expected[column]);
  if (wrong.length > 0) found.add('differs', 'building', wrong.join(', '));
  return expected.mesh;
}

/** The history of a building as its record tells it, newest first. */
export function historyOf(versions: readonly Omit<VersionRow, 'canonical'>[]): HistoryEntry[] {
  return versions
    .map((row) => ({ version: row.version, recordedAt: row.recorded_at, changedFields: changesOf(row) ?? [] }))
    .reverse();
}

function comparePage(
  found: Found,
  { id, page, versions }: StoredBuilding,
  canonical: Canonical | undefined,
  path: PlacePath | undefined,
): void {
  if (canonical === undefined || path === undefined) {
    if (page !== undefined) found.add('extra', 'page');
    return;
  }
  if (page === undefined) {
    found.add('missing', 'page');
    return;
  }
  const head = toHead(id, composePage(id, canonical, path, historyOf(versions)));
  let text: string;
  try {
    text = expandText(page.body);
  } catch (error) {
    found.add('unreadable', 'page', describeDamage(error));
    return;
  }
  if (text !== head.text) found.add('differs', 'page', differingParts(text, head.text));
  if (page.etag !== head.etag) found.add('differs', 'page', 'tag');
  if (page.credits !== null && page.credits !== head.credits) found.add('differs', 'page', 'credits');
}

type Json = Record<string, unknown>;

/** The names of the parts of a record that differ. */
function differingParts(stored: string, expected: string): string {
  let before: Json;
  try {
    before = JSON.parse(`${stored}}`) as Json;
  } catch {
    return 'it is not a record';
  }
  const after = JSON.parse(`${expected}}`) as Json;
  const differs = (a: Json, b: Json, name: string) => JSON.stringify(a[name]) !== JSON.stringify(b[name]);
  const parts = Object.keys(after).filter((name) => differs(before, after, name));
  const fields = Object.keys(after.fields as Json).filter((name) =>
    differs((before.fields ?? {}) as Json, after.fields as Json, name),
  );
  const named = [...parts.filter((part) => part !== 'fields'), ...fields.map((name) => `fields.${name}`)];
  return named.join(', ') || 'its bytes';
}

const ENTRY_COLUMNS = [
  ...(['prefecture', 'ward', 'area', 'uses', 'fields', 'owner', 'text'] as const),
  ...(['footprint', 'height', 'floors', 'built', 'flags', 'words', 'postcode', 'summary'] as const),
];

function compareEntry(
  found: Found,
  { entry }: StoredBuilding,
  current: Canonical | undefined,
  path: PlacePath | undefined,
): void {
  const remedy = { by: 'indexing' } as const;
  if (current === undefined) {
    if (entry !== undefined) found.add('extra', 'search_entry', null, remedy);
    return;
  }
  if (entry === undefined) {
    found.add('missing', 'search_entry', null, remedy);
    return;
  }
  const place = path === undefined ? UNPUBLISHED : toEntryPlace(path);
  const expected = { ...place, ...toEntryContent(current), ...describeEntry(current, path) };
  const wrong = ENTRY_COLUMNS.filter((column) => !isSame(column, entry, expected));
  const { site } = expected;
  const isSameSite =
    site === null || entry.site === null ? site === entry.site : Buffer.compare(site, entry.site) === 0;
  const all = isSameSite ? wrong : [...wrong, 'site'];
  if (all.length > 0) found.add('differs', 'search_entry', all.join(', '), remedy);
}

type ExpectedEntry = Omit<SearchEntry, 'pos' | 'building'>;

function isSame(column: (typeof ENTRY_COLUMNS)[number], entry: SearchEntry, expected: ExpectedEntry): boolean {
  if (entry[column] === expected[column]) return true;
  return column === 'text' && inAnyOrder(entry.text) === inAnyOrder(expected.text);
}

/** The order of aliases may change without a new version, and with it that of their lines, which nothing depends on. */
function inAnyOrder(text: string): string {
  const lines = text.split('\n');
  return [...lines.slice(0, NOT_ALIASES), ...lines.slice(NOT_ALIASES).sort()].join('\n');
}

const NOT_ALIASES = 3;
