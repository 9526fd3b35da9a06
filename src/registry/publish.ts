import { sql } from 'kysely';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { meshCodeOf } from '../vocabulary/mesh.ts';
import type { Areas } from './areas.ts';
import { BUILDING_COLUMNS, type BuildingRow, toBuildingRow } from './buildings.ts';
import { decodeCanonical, encodeCanonical } from './canonical-codec.ts';
import { addStalePlaces, STALE_PLACE_COLUMNS } from './markers.ts';
import type { Placement } from './place-building.ts';
import { composePage, HEAD_COLUMNS, removeNearby, removePages, toHead, toHeadRow } from './records.ts';
import { toEntryContent, toEntryPlace, UNPUBLISHED } from './search/format/entry.ts';
import { changeEntries, type EntryChange } from './search/write/change-entries.ts';

/** The version in force of a building. */
interface CurrentVersion {
  encoded: string;
  decode(): Canonical;
  /** Of every version so far, newest first. */
  history: VersionHistory;
  /** The tag of the page as it is kept. */
  etag: string | null;
}

/** The history of a building without the version that a decision may add. */
type VersionHistory = BuildingPage['history'];

/** What consolidation decided of some buildings, as the rows that are to be kept. */
export interface Decisions {
  versions: unknown[][];
  /** Versions in force that are rewritten: another record was consulted, or the service computed again. */
  rewritten: { building: AssetKey; version: number; canonical: string }[];
  buildings: unknown[][];
  heads: unknown[][];
  /** Places that their neighbours' pages show otherwise from now on. */
  places: unknown[][];
  entries: EntryChange[];
  /** Buildings that have no page any more. */
  unpublished: AssetKey[];
  /** Buildings that no longer have a point, and so nothing around it. */
  pointless: AssetKey[];
  /** Machi-aza in which registers may find another building than before (CON-09). */
  areas: string[];
}

export const noDecisions = (): Decisions => ({
  versions: [],
  rewritten: [],
  buildings: [],
  heads: [],
  places: [],
  entries: [],
  unpublished: [],
  pointless: [],
  areas: [],
});

/** Adds what is decided of one building; `changed` is what makes a new version, empty where nothing does (CON-13). */
export function decide(
  decisions: Decisions,
  before: BuildingRow,
  canonical: Canonical,
  place: Placement | undefined,
  current: CurrentVersion | undefined,
  changed: string[],
  recordedAt: string,
  areas: Areas,
): void {
  const encoded = encodeCanonical(canonical);
  const after = describe(before, canonical, place);
  const { area } = after;
  let history = current?.history ?? [];
  const isNew = current === undefined || changed.length > 0;
  if (isNew) {
    after.version += 1;
    after.recorded_at = recordedAt;
    history = [{ version: after.version, recordedAt, changedFields: changed }, ...history];
    decisions.versions.push([before.id, after.version, recordedAt, JSON.stringify(changed), encoded]);
  }
  const isRewritten = !isNew && current.encoded !== encoded;
  if (isRewritten) decisions.rewritten.push({ building: before.id, version: before.version, canonical: encoded });
  // Also what is consulted in vain may tell which building a register means.
  if (isNew || isRewritten || before.area !== area) {
    decisions.areas.push(...[before.area, area].filter((code) => code !== null));
  }
  const moved = !looksAlike(before, after);
  if (isNew || moved || before.placed_by !== after.placed_by) decisions.buildings.push(toBuildingRow(after));
  if (moved) addStalePlaces(decisions.places, before, after);
  if (isNew || before.area !== area) {
    const entered = area === null ? UNPUBLISHED : toEntryPlace(areas.place(area));
    decisions.entries.push({ building: before.id, place: entered, content: isNew ? toEntryContent(canonical) : null });
  }
  if (before.mesh !== null && after.mesh === null) decisions.pointless.push(before.id);
  if (area === null) {
    if (before.area !== null) decisions.unpublished.push(before.id);
    return;
  }
  const head = toHead(before.id, composePage(before.id, canonical, areas.place(area), history));
  if (head.etag !== current?.etag) decisions.heads.push(toHeadRow(head));
}

/** A building that left, or of which nothing speaks any more, is taken off every surface. */
export function decideGone(decisions: Decisions, building: BuildingRow): void {
  decisions.unpublished.push(building.id);
  decisions.entries.push({ building: building.id, place: UNPUBLISHED, content: null });
  addStalePlaces(decisions.places, building);
  if (building.area === null) return;
  decisions.areas.push(building.area);
  decisions.buildings.push(toBuildingRow({ ...building, area: null, placed_by: null }));
}

/**
 * When what is decided next is recorded: later than everything before it, even where the clock was set
 * back, since new versions go to the front of the order of results (SEA-08).
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
  for (const batch of batches(ids)) {
    const rows = await db
      .selectFrom('building_version as v')
      .innerJoin('building as b', 'b.id', 'v.building')
      .leftJoin('page as p', 'p.building', 'v.building')
      .select(['v.building', 'v.version', 'v.recorded_at', 'v.changed_fields', 'p.etag'])
      .select(sql<string | null>`case when v.version = b.version then v.canonical end`.as('canonical'))
      .where('v.building', 'in', batch)
      .orderBy('v.building')
      .orderBy('v.version', 'desc')
      .execute();
    for (const { building, version, recorded_at: recordedAt, changed_fields, canonical, etag } of rows) {
      let current = found.get(building);
      if (current === undefined) {
        const encoded = canonical as string;
        current = { encoded, decode: () => decodeCanonical(encoded), history: [], etag };
        found.set(building, current);
      }
      current.history.push({ version, recordedAt, changedFields: JSON.parse(changed_fields) as string[] });
    }
  }
  return found;
}

/** Keeps decisions. */
export async function publish(tx: Tx, decisions: Decisions): Promise<void> {
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
  await tx.update('building', BUILDING_COLUMNS, decisions.buildings);
  await tx.insertNew('stale_place', STALE_PLACE_COLUMNS, decisions.places);
  await tx.upsert('page', HEAD_COLUMNS, decisions.heads);
  await removePages(tx, decisions.unpublished);
  await removeNearby(tx, decisions.pointless);
  await changeEntries(tx, decisions.entries);
}

function describe(
  { id, state, successor, version, recorded_at, minted }: BuildingRow,
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
  };
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Whether a neighbour's page says the same of both. */
function looksAlike(a: BuildingRow, b: BuildingRow): boolean {
  return (
    a.lat === b.lat &&
    a.lon === b.lon &&
    a.area === b.area &&
    a.name_ja === b.name_ja &&
    a.name_en === b.name_en &&
    a.category === b.category
  );
}
