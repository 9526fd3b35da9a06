import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { meshCodeOf } from '../vocabulary/geometry.ts';
import { type Building, saveBuildings } from './buildings.ts';
import { decodeCanonical, encodeCanonical } from './canonical-codec.ts';

/** The version in force of a building. */
export interface CurrentVersion {
  encoded: string;
  decode(): Canonical;
}

/** What consolidation decided of a building that is to be published. */
export interface Decision {
  building: Building;
  canonical: Canonical;
  area: string | null;
  current: CurrentVersion | undefined;
  /** CON-13: empty where the decision makes no new version. */
  changed: string[];
}

export async function takeStale(tx: Tx, limit: number): Promise<AssetKey[]> {
  const rows = await tx.db.selectFrom('stale_building').select('building').orderBy('building').limit(limit).execute();
  return rows.map((row) => row.building);
}

export async function clearStale(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('stale_building').where('building', 'in', batch).execute();
}

export async function findCurrentVersions(tx: Tx, ids: readonly AssetKey[]): Promise<Map<AssetKey, CurrentVersion>> {
  const found = new Map<AssetKey, CurrentVersion>();
  for (const batch of batches(ids)) {
    const rows = await tx.db
      .selectFrom('building as b')
      .innerJoin('building_version as v', (join) =>
        join.onRef('v.building', '=', 'b.id').onRef('v.version', '=', 'b.version'),
      )
      .select(['v.building', 'v.canonical'])
      .where('b.id', 'in', batch)
      .execute();
    for (const { building, canonical } of rows) {
      found.set(building, { encoded: canonical, decode: () => decodeCanonical(canonical) });
    }
  }
  return found;
}

/** Keeps decisions: a new version where something changed, and a note of every place whose pages now lie. */
export async function publish(tx: Tx, decisions: readonly Decision[], recordedAt: string): Promise<void> {
  const versions: unknown[][] = [];
  const buildings: Building[] = [];
  const stale: StalePlace[] = [];
  for (const { building, canonical, area, current, changed } of decisions) {
    const encoded = encodeCanonical(canonical);
    const isNew = current === undefined || changed.length > 0;
    const after = describe(building, canonical, area);
    if (isNew) {
      after.version += 1;
      after.recorded_at = recordedAt;
      versions.push([building.id, after.version, recordedAt, JSON.stringify(changed), encoded]);
    } else if (current.encoded !== encoded) {
      // Another record was consulted, or the service computed again: no new version, but a new page.
      await tx.db
        .updateTable('building_version')
        .set({ canonical: encoded })
        .where('building', '=', building.id)
        .where('version', '=', building.version)
        .execute();
    }
    const moved = !looksAlike(building, after);
    if (isNew || moved) buildings.push(after);
    if (moved) stale.push(placeOf(building), placeOf(after));
    else if (isNew || current.encoded !== encoded) stale.push({ ...placeOf(after), lat: null, lon: null });
  }
  await tx.insert('building_version', ['building', 'version', 'recorded_at', 'changed_fields', 'canonical'], versions);
  await saveBuildings(tx, buildings);
  await markPlacesStale(tx, stale);
  await removePages(
    tx,
    decisions.filter(({ area }) => area === null).map(({ building }) => building.id),
  );
}

/** Takes buildings off every surface: they left, or nothing speaks of them any more. */
export async function unpublish(tx: Tx, gone: readonly Building[]): Promise<void> {
  await removePages(
    tx,
    gone.map((building) => building.id),
  );
  await markPlacesStale(tx, gone.map(placeOf));
  const placed = gone.filter((building) => building.area !== null);
  await saveBuildings(
    tx,
    placed.map((building) => ({ ...building, area: null })),
  );
}

async function removePages(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('page').where('building', 'in', batch).execute();
}

interface StalePlace {
  building: AssetKey;
  lat: number | null;
  lon: number | null;
  mesh: string | null;
}

function placeOf({ id, lat, lon, mesh }: Building): StalePlace {
  return { building: id, lat, lon, mesh };
}

async function markPlacesStale(tx: Tx, places: readonly StalePlace[]): Promise<void> {
  const distinct = new Map(places.map((place) => [`${place.building}/${place.lat}/${place.lon}`, place]));
  await tx.insert(
    'stale_place',
    ['building', 'lat', 'lon', 'mesh'],
    [...distinct.values()].map(({ building, lat, lon, mesh }) => [building, lat, lon, mesh]),
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
    await markPlacesStale(tx, rows.map(placeOf));
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
