import { type SelectQueryBuilder, sql } from 'kysely';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { meshCodeOf } from '../vocabulary/geometry.ts';
import type { Areas } from './areas.ts';
import { BUILDING_COLUMNS, type Building, markStale, toBuildingRow } from './buildings.ts';
import { decodeCanonical, encodeCanonical } from './canonical-codec.ts';
import { composePage } from './compose-page.ts';
import { HEAD_COLUMNS, removeNearby, removePages, toHead, toHeadRow } from './pages.ts';
import { changeEntries, type EntryChange } from './search/change-entries.ts';
import { NOWHERE, toContent, toPlace } from './search/entry.ts';

/** The version in force of a building. */
export interface CurrentVersion {
  encoded: string;
  decode(): Canonical;
  /** Of every version so far, newest first. */
  history: History;
  /** The tag of the page as it is kept. */
  etag: string | null;
}

/** The history of a building without the version that a decision may add. */
export type History = BuildingPage['history'];

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
  before: Building,
  canonical: Canonical,
  area: string | null,
  current: CurrentVersion | undefined,
  changed: string[],
  recordedAt: string,
  areas: Areas,
): void {
  const encoded = encodeCanonical(canonical);
  const after = describe(before, canonical, area);
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
  if (isNew || moved) decisions.buildings.push(toBuildingRow(after));
  if (moved) addPlaces(decisions.places, before, after);
  if (isNew || before.area !== area) {
    const place = area === null ? NOWHERE : toPlace(areas.place(area));
    decisions.entries.push({ building: before.id, place, content: isNew ? toContent(canonical) : null });
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
export function decideGone(decisions: Decisions, building: Building): void {
  decisions.unpublished.push(building.id);
  decisions.entries.push({ building: building.id, place: NOWHERE, content: null });
  addPlaces(decisions.places, building);
  if (building.area === null) return;
  decisions.areas.push(building.area);
  decisions.buildings.push(toBuildingRow({ ...building, area: null }));
}

/** The next buildings to consolidate, after one of them. */
export async function findStale(db: Db, after: AssetKey, limit: number): Promise<AssetKey[]> {
  const rows = await db
    .selectFrom('stale_building')
    .select('building')
    .where('building', '>', after)
    .orderBy('building')
    .limit(limit)
    .execute();
  return rows.map((row) => row.building);
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

export async function clearStale(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('stale_building').where('building', 'in', batch).execute();
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
  await tx.insertNew('stale_place', PLACE_COLUMNS, decisions.places);
  await tx.upsert('page', HEAD_COLUMNS, decisions.heads);
  await removePages(tx, decisions.unpublished);
  await removeNearby(tx, decisions.pointless);
  await changeEntries(tx, decisions.entries);
}

const PLACE_COLUMNS = ['mesh', 'building', 'lat', 'lon'] as const;

function addPlaces(rows: unknown[][], ...buildings: Building[]): void {
  for (const { mesh, id, lat, lon } of buildings) if (mesh !== null) rows.push([mesh, id, lat, lon]);
}

/** A renamed area changes the pages of its buildings and of those that list them. */
export async function markAreaStale(tx: Tx, code: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('building as b')
    .innerJoin('area as a', 'a.code', 'b.area')
    .leftJoin('area as w', 'w.code', 'a.parent')
    .selectAll('b')
    .where((eb) => eb.or([eb('a.code', '=', code), eb('a.parent', '=', code), eb('w.parent', '=', code)]))
    .execute();
  const places: unknown[][] = [];
  addPlaces(places, ...rows);
  await tx.insertNew('stale_place', PLACE_COLUMNS, places);
  await markStale(
    tx,
    rows.map((row) => row.id),
  );
}

/** Has the buildings without a place looked at again. */
export async function markUnplacedStale(tx: Tx): Promise<void> {
  await markLiveStale(tx, (live) => live.where('area', 'is', null));
}

/** Has the buildings of some tiles looked at again, since the areas there were drawn anew. */
export async function markTilesStale(tx: Tx, tiles: readonly string[]): Promise<void> {
  for (const batch of batches(tiles)) await markLiveStale(tx, (live) => live.where('mesh', 'in', batch));
}

export async function markAllStale(tx: Tx): Promise<void> {
  await markLiveStale(tx, (live) => live);
}

type Ids = SelectQueryBuilder<Tables, 'building', { id: number }>;

async function markLiveStale(tx: Tx, some: (live: Ids) => Ids): Promise<void> {
  await tx.db
    .insertInto('stale_building')
    .columns(['building'])
    .expression(some(tx.db.selectFrom('building').select('id').where('state', '=', 'live')))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** What is said of a merged building is said of its survivor, which is consolidated in its place. */
export async function spreadStaleToSurvivors(tx: Tx): Promise<void> {
  for (let added = 1n; added > 0n; ) {
    const result = await tx.db
      .insertInto('stale_building')
      .columns(['building'])
      .expression((eb) =>
        eb
          .selectFrom('building as b')
          .innerJoin('stale_building as s', 's.building', 'b.id')
          .select('b.successor')
          .distinct()
          .where('b.state', '=', 'merged')
          .where('b.successor', 'is not', null)
          .where('b.successor', 'not in', (not) => not.selectFrom('stale_building').select('building')),
      )
      .onConflict((oc) => oc.doNothing())
      .executeTakeFirst();
    added = result.numInsertedOrUpdatedRows ?? 0n;
  }
}

export async function countStale(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('stale_building')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function describe(
  { id, state, successor, version, recorded_at }: Building,
  canonical: Canonical,
  area: string | null,
): Building {
  const { fields, assetTypes, point } = canonical;
  return {
    id,
    state,
    successor,
    area,
    lat: point?.[1] ?? null,
    lon: point?.[0] ?? null,
    mesh: point === null ? null : meshCodeOf(point),
    name_ja: textOf(fields.nameJa?.value),
    name_en: textOf(fields.nameEn?.value),
    category: assetTypes[0]?.category ?? null,
    version,
    recorded_at,
  };
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Whether a neighbour's page says the same of both. */
function looksAlike(a: Building, b: Building): boolean {
  return (
    a.lat === b.lat &&
    a.lon === b.lon &&
    a.area === b.area &&
    a.name_ja === b.name_ja &&
    a.name_en === b.name_en &&
    a.category === b.category
  );
}
