import { sql } from 'kysely';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { meshCodeOf } from '../vocabulary/geometry.ts';
import type { Areas } from './areas.ts';
import { type Building, markStale, saveBuildings } from './buildings.ts';
import { decodeCanonical, encodeCanonical } from './canonical-codec.ts';
import { composePage } from './compose-page.ts';
import { type PageHead, removePages, storeHeads, toHead } from './pages.ts';

/** The version in force of a building. */
export interface CurrentVersion {
  encoded: string;
  decode(): Canonical;
  /** Of every version so far, newest first. */
  history: History;
  /** The tag of the page as it is kept. */
  etag: string | null;
}

/** What consolidation decided of a building, ready to be kept. */
export interface Decision {
  before: Building;
  /** As it is from now on, and as its neighbours' pages show it. */
  after: Building;
  /** CON-13: what makes a new version; empty where nothing does. */
  changed: string[];
  encoded: string;
  /** Whether `encoded` is other than what is kept. */
  differs: boolean;
  /** Its page, where it has a place to be published at. */
  head: PageHead | null;
}

/** The history of a building without the version that a decision may add. */
export type History = BuildingPage['history'];

export function toDecision(
  before: Building,
  canonical: Canonical,
  area: string | null,
  current: CurrentVersion | undefined,
  changed: string[],
  recordedAt: string,
  areas: Areas,
): Decision {
  const encoded = encodeCanonical(canonical);
  const after = describe(before, canonical, area);
  let history = current?.history ?? [];
  if (current === undefined || changed.length > 0) {
    after.version += 1;
    after.recorded_at = recordedAt;
    history = [{ version: after.version, recordedAt, changedFields: changed }, ...history];
  }
  const head = area === null ? null : toHead(before.id, composePage(before.id, canonical, areas.place(area), history));
  return { before, after, changed, encoded, differs: current?.encoded !== encoded, head };
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

/** Keeps decisions: new versions, pages, and a note of every place that neighbours show otherwise now. */
export async function publish(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  const versions: unknown[][] = [];
  const stale: Building[] = [];
  for (const { before, after, changed, encoded, differs } of decisions) {
    if (after.version > before.version) {
      versions.push([before.id, after.version, after.recorded_at, JSON.stringify(changed), encoded]);
    } else if (differs) {
      // Another record was consulted, or the service computed again: no new version, but a new page.
      await tx.db
        .updateTable('building_version')
        .set({ canonical: encoded })
        .where('building', '=', before.id)
        .where('version', '=', before.version)
        .execute();
    }
    if (!looksAlike(before, after)) stale.push(before, after);
  }
  const moved = decisions.filter(({ before, after }) => after.version > before.version || !looksAlike(before, after));
  await tx.insert('building_version', ['building', 'version', 'recorded_at', 'changed_fields', 'canonical'], versions);
  await saveBuildings(
    tx,
    moved.map(({ after }) => after),
  );
  await markPlacesStale(tx, stale);
  await storeHeads(
    tx,
    decisions.flatMap(({ head }) => head ?? []),
  );
  await removePages(
    tx,
    decisions.filter(({ before, after }) => before.area !== null && after.area === null).map(({ before }) => before.id),
  );
}

/** Takes buildings off every surface: they left, or nothing speaks of them any more. */
export async function unpublish(tx: Tx, gone: readonly Building[]): Promise<void> {
  await removePages(
    tx,
    gone.map((building) => building.id),
  );
  await markPlacesStale(tx, gone);
  const placed = gone.filter((building) => building.area !== null);
  await saveBuildings(
    tx,
    placed.map((building) => ({ ...building, area: null })),
  );
}

async function markPlacesStale(tx: Tx, buildings: readonly Building[]): Promise<void> {
  const places = buildings.filter(({ mesh }) => mesh !== null);
  await tx.insertNew(
    'stale_place',
    ['mesh', 'building', 'lat', 'lon'],
    places.map(({ mesh, id, lat, lon }) => [mesh, id, lat, lon]),
  );
}

/** A renamed area changes the pages of its buildings and of those that list them. */
export async function markAreasStale(tx: Tx, codes: readonly string[]): Promise<void> {
  for (const code of codes) {
    const rows = await tx.db
      .selectFrom('building as b')
      .innerJoin('area as a', 'a.code', 'b.area')
      .leftJoin('area as w', 'w.code', 'a.parent')
      .selectAll('b')
      .where((eb) => eb.or([eb('a.code', '=', code), eb('a.parent', '=', code), eb('w.parent', '=', code)]))
      .execute();
    await markPlacesStale(tx, rows);
    await markStale(
      tx,
      rows.map((row) => row.id),
    );
  }
}

/** Has the buildings without a place looked at again. */
export async function markUnplacedStale(tx: Tx): Promise<void> {
  await tx.db
    .insertInto('stale_building')
    .columns(['building'])
    .expression((eb) => eb.selectFrom('building').select('id').where('state', '=', 'live').where('area', 'is', null))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

export async function markAllStale(tx: Tx): Promise<void> {
  await tx.db
    .insertInto('stale_building')
    .columns(['building'])
    .expression((eb) => eb.selectFrom('building').select('id').where('state', '=', 'live'))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

export async function countStale(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('stale_building')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function describe(building: Building, { fields, assetTypes, point }: Canonical, area: string | null): Building {
  return {
    ...building,
    area,
    lat: point?.[1] ?? null,
    lon: point?.[0] ?? null,
    mesh: point === null ? null : meshCodeOf(point),
    name_ja: textOf(fields.nameJa?.value),
    name_en: textOf(fields.nameEn?.value),
    category: assetTypes[0]?.category ?? null,
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
