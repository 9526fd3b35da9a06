import { sql } from 'kysely';
import type { ChangeKind, LoggedChange } from '../storage/change-block.ts';
import { compact, expandText, type StoredText } from '../storage/compact/compact.ts';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { meshCodeOf } from '../vocabulary/mesh.ts';
import type { Areas } from './areas.ts';
import { type BuildingRow, LOGGED, PUBLISHED_COLUMNS, toPublishedRow } from './buildings.ts';
import { decodeCanonical, encodeCanonical } from './canonical-codec.ts';
import { decodeChangedFields, encodeChangedFields } from './changed-fields-codec.ts';
import { logChanges } from './changes/write-changes.ts';
import {
  type LookupKeys,
  lookupKeysOf,
  readLookupKeys,
  removeLookupKeys,
  replaceLookupKeys,
} from './lookup/lookup-keys.ts';
import { addStalePlaces, STALE_PLACE_COLUMNS } from './markers.ts';
import type { Placement } from './place-building.ts';
import { composePage, HEAD_COLUMNS, removeNearby, removePages, toHead, toHeadRow } from './records.ts';
import { describeEntry, toEntryContent, toEntryPlace, UNPUBLISHED } from './search/format/entry.ts';
import { changeEntries, type EntryChange } from './search/write/change-entries.ts';

/** The current version of a building. */
interface CurrentVersion {
  encoded: string;
  decode(): Canonical;
  /** All versions so far, newest first. */
  history: VersionHistory;
  /** The tag of the stored record. */
  etag: string | null;
  lookupKeys: readonly number[];
}

/** The history of a building before the version being decided. */
type VersionHistory = BuildingPage['history'];

/** The rows to store for buildings that were consolidated. */
export interface Decisions {
  /** The time of their new versions and of all changes. */
  recordedAt: string;
  /** What the log says of them. */
  changes: LoggedChange[];
  versions: unknown[][];
  /** Current versions to rewrite: the consulted records changed, or computed values did. */
  rewritten: { building: AssetKey; version: number; canonical: Uint8Array }[];
  buildings: unknown[][];
  heads: unknown[][];
  /** Places that the records of neighbours show differently now. */
  places: unknown[][];
  entries: EntryChange[];
  lookupKeys: LookupKeys[];
  /** Buildings that are no longer published. */
  unpublished: AssetKey[];
  /** Buildings that lost their point, and with it `nearby`. */
  lostPoint: AssetKey[];
  /** Machi-aza in which registers may match differently now (CON-09). */
  areas: string[];
}

export const noDecisions = (recordedAt: string): Decisions => ({
  recordedAt,
  changes: [],
  versions: [],
  rewritten: [],
  buildings: [],
  heads: [],
  places: [],
  entries: [],
  lookupKeys: [],
  unpublished: [],
  lostPoint: [],
  areas: [],
});

/**
 * Adds the rows of one building. `changed` lists the fields that make a new version, and is empty if none do (CON-13).
 */
export function decideBuilding(
  decisions: Decisions,
  before: BuildingRow,
  canonical: Canonical,
  place: Placement | undefined,
  current: CurrentVersion | undefined,
  changed: string[],
  areas: Areas,
): void {
  const { recordedAt } = decisions;
  const encoded = encodeCanonical(canonical);
  const after = describeBuilding(before, canonical, place);
  const { area } = after;
  let history = current?.history ?? [];
  const isNew = current === undefined || changed.length > 0;
  if (isNew) {
    after.version += 1;
    after.recorded_at = recordedAt;
    history = [{ version: after.version, recordedAt, changedFields: changed }, ...history];
    decisions.versions.push([before.id, after.version, recordedAt, encodeChangedFields(changed), compact(encoded)]);
  }
  const isRewritten = !isNew && current.encoded !== encoded;
  if (isRewritten) {
    decisions.rewritten.push({ building: before.id, version: before.version, canonical: compact(encoded) });
  }
  // A consulted record may help to match a register even if it won no field.
  if (isNew || isRewritten || before.area !== area) {
    decisions.areas.push(...[before.area, area].filter((code) => code !== null));
  }
  const path = area === null ? undefined : areas.place(area);
  const head = path && toHead(before.id, composePage(before.id, canonical, path, history));
  const areaBefore = current == null || current.etag === null ? null : before.area;
  if ((head?.etag ?? null) !== (current?.etag ?? null)) {
    const kind = head === undefined ? 'updated' : kindOfPublishing(before);
    decisions.changes.push({ building: before.id, kind, version: after.version, area, areaBefore, event: null });
  }
  if (head !== undefined) after.logged = LOGGED.changed;
  const moved = !isShownAlike(before, after);
  if (isNew || moved || before.placed_by !== after.placed_by || before.logged !== after.logged) {
    decisions.buildings.push(toPublishedRow(after));
  }
  if (moved) addStalePlaces(decisions.places, before, after);
  // A record may change without a new version, such as by a new slug, and its summary with it.
  if (isNew || isRewritten || moved || (head?.etag ?? null) !== current.etag) {
    const place = path === undefined ? UNPUBLISHED : toEntryPlace(path);
    const content = isNew ? toEntryContent(canonical) : null;
    decisions.entries.push({ building: before.id, place, content, description: describeEntry(canonical, path) });
  }
  if (before.mesh !== null && after.mesh === null) decisions.lostPoint.push(before.id);
  if (head === undefined) {
    if (before.area !== null) decisions.unpublished.push(before.id);
    return;
  }
  // Computed even without a new version, because a changed area tree may read the same address differently.
  const keys = lookupKeysOf(canonical, areas);
  if (keys.join() !== (current?.lookupKeys ?? []).join()) decisions.lookupKeys.push({ building: before.id, keys });
  if (head.etag !== current?.etag) decisions.heads.push(toHeadRow(head));
}

/** LOG-01: what it means that a record is written. */
function kindOfPublishing({ logged }: BuildingRow): ChangeKind {
  return logged === LOGGED.never ? 'created' : logged === LOGGED.merged ? 'unmerged' : 'updated';
}

/** Removes a merged or retired building, or one without evidence, from every surface. */
export function decideUnpublished(decisions: Decisions, building: BuildingRow, wasPublished: boolean): void {
  const { id, version, area } = building;
  if (wasPublished) {
    decisions.changes.push({ building: id, kind: 'updated', version, area: null, areaBefore: area, event: null });
  }
  decisions.unpublished.push(building.id);
  decisions.entries.push({ building: building.id, place: UNPUBLISHED, content: null });
  addStalePlaces(decisions.places, building);
  if (building.area === null) return;
  decisions.areas.push(building.area);
  decisions.buildings.push(toPublishedRow({ ...building, area: null, placed_by: null }));
}

/**
 * The latest recorded time. New versions must be later, even if the clock was set back, because they come first in
 * search results (SEA-08).
 */
export async function latestRecordedAt(db: Db): Promise<string> {
  const row = await db
    .selectFrom('search_entry as e')
    .innerJoin('building as b', 'b.id', 'e.building')
    .select('b.recorded_at')
    .orderBy('e.pos', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.recorded_at ?? '';
}

export async function findCurrentVersions(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, CurrentVersion>> {
  const found = new Map<AssetKey, CurrentVersion>();
  const keys = await readLookupKeys(db, ids);
  for (const batch of batches(ids)) {
    const rows = await db
      .selectFrom('building_version as v')
      .innerJoin('building as b', 'b.id', 'v.building')
      .leftJoin('page as p', 'p.building', 'v.building')
      .select(['v.building', 'v.version', 'v.recorded_at', 'v.changed_fields', 'p.etag'])
      .select(sql<StoredText | null>`case when v.version = b.version then v.canonical end`.as('canonical'))
      .where('v.building', 'in', batch)
      .orderBy('v.building')
      .orderBy('v.version', 'desc')
      .execute();
    for (const { building, version, recorded_at: recordedAt, changed_fields, canonical, etag } of rows) {
      let current = found.get(building);
      if (current === undefined) {
        const encoded = expandText(canonical as StoredText);
        const lookupKeys = keys.get(building) ?? [];
        current = { encoded, decode: () => decodeCanonical(encoded), history: [], etag, lookupKeys };
        found.set(building, current);
      }
      current.history.push({ version, recordedAt, changedFields: decodeChangedFields(changed_fields) });
    }
  }
  return found;
}

/** Stores the decisions. Returns how many search entries were added, from position `first` on if it is given. */
export async function publish(tx: Tx, decisions: Decisions, first?: number): Promise<number> {
  const versionColumns = ['building', 'version', 'recorded_at', 'changed_fields', 'canonical'] as const;
  await tx.insert('building_version', versionColumns, decisions.versions);
  for (const { building, version, canonical } of decisions.rewritten) {
    await tx.db
      .updateTable('building_version')
      .set({ canonical })
      .where('building', '=', building)
      .where('version', '=', version)
      .execute();
  }
  await tx.update('building', PUBLISHED_COLUMNS, decisions.buildings);
  await tx.insertNew('stale_place', STALE_PLACE_COLUMNS, decisions.places);
  await tx.upsert('page', HEAD_COLUMNS, decisions.heads);
  await removePages(tx, decisions.unpublished);
  await removeLookupKeys(tx, decisions.unpublished);
  await replaceLookupKeys(tx, decisions.lookupKeys);
  await removeNearby(tx, decisions.lostPoint);
  const added = await changeEntries(tx, decisions.entries, first);
  await logChanges(tx, decisions.changes, decisions.recordedAt);
  return added;
}

/** The row of a building with what is published of it; its version is as before. */
export function describeBuilding(
  { id, state, successor, version, recorded_at, minted, logged }: BuildingRow,
  canonical: Canonical,
  place: Placement | undefined,
): BuildingRow {
  const { fields, assetTypes, point } = canonical;
  return {
    id,
    state,
    successor,
    area: place?.area ?? null,
    placed_by: place?.by ?? null,
    lat: point?.[1] ?? null,
    lon: point?.[0] ?? null,
    mesh: point === null ? null : meshCodeOf(point),
    name_ja: textOf(fields.nameJa?.value),
    name_en: textOf(fields.nameEn?.value),
    category: assetTypes[0]?.category ?? null,
    version,
    recorded_at,
    minted,
    logged,
  };
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Whether neighbours show both the same way. */
function isShownAlike(a: BuildingRow, b: BuildingRow): boolean {
  return (
    a.lat === b.lat &&
    a.lon === b.lon &&
    a.area === b.area &&
    a.name_ja === b.name_ja &&
    a.name_en === b.name_en &&
    a.category === b.category
  );
}
