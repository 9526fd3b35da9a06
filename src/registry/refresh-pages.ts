import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { BATCH, batches, type Storage, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { meshCentre, meshNeighbourhood } from '../vocabulary/geometry.ts';
import type { Areas } from './areas.ts';
import { decodeCanonical } from './canonical-codec.ts';
import { composePage, type HistoryEntry } from './compose-page.ts';
import { findNearby, NEARBY_RADIUS_M, Neighbourhood, type PlacedBuilding } from './nearby.ts';

const CACHED_TILES = 400;

/**
 * Composes again every page that may no longer be true, tile by tile, and stores those that changed.
 * The notes of what is stale go last: cut short anywhere, it is simply done again.
 */
export async function refreshPages(
  storage: Storage,
  areas: Areas,
  onTile: (done: number, of: number) => void,
): Promise<number> {
  const tiles = await staleTiles(storage);
  const placed = new PlacedBuildings(storage);
  let written = 0;
  for (const [i, tile] of tiles.entries()) {
    written += await refreshTile(storage, areas, placed, tile);
    onTile(i + 1, tiles.length);
  }
  written += await refreshUnmapped(storage, areas);
  await storage.transaction(({ db }) => db.deleteFrom('stale_place').execute());
  return written;
}

/** The tiles with a stale place, and those around one that other pages speak of. */
async function staleTiles(storage: Storage): Promise<string[]> {
  const rows = await storage.db
    .selectFrom('stale_place')
    .select(['mesh', (eb) => eb.fn.count('lat').as('places')])
    .where('mesh', 'is not', null)
    .groupBy('mesh')
    .execute();
  const tiles = new Set<string>();
  for (const { mesh, places } of rows) {
    tiles.add(mesh as string);
    if (Number(places) > 0) for (const tile of meshNeighbourhood(meshCentre(mesh as string))) tiles.add(tile);
  }
  return [...tiles].sort();
}

async function refreshTile(storage: Storage, areas: Areas, placed: PlacedBuildings, tile: string): Promise<number> {
  const own = await placed.in(tile);
  if (own.length === 0) return 0;
  const neighbourhood = meshNeighbourhood(meshCentre(tile));
  const notes = await storage.db
    .selectFrom('stale_place')
    .select(['building', 'lat', 'lon'])
    .where('mesh', 'in', neighbourhood)
    .execute();
  const [, centreLat] = meshCentre(tile);
  const noted = new Set(notes.map((note) => note.building));
  let stale = own.filter((building) => noted.has(building.id));
  if (stale.length < own.length) {
    const points = notes.filter((n): n is typeof n & { lat: number; lon: number } => n.lat !== null);
    const around = new Neighbourhood(points, centreLat);
    stale = own.filter(
      ({ id, lat, lon }) => noted.has(id) || around.within(lat, lon, NEARBY_RADIUS_M + 1, 1).length > 0,
    );
  }
  if (stale.length === 0) return 0;
  const buildings: PlacedBuilding[] = [];
  for (const code of neighbourhood) buildings.push(...(await placed.in(code)));
  const around = new Neighbourhood(buildings, centreLat);
  return writePages(storage, areas, stale, (building) => findNearby(building as PlacedBuilding, around, areas));
}

/** Buildings that no source gives a point have no neighbours. */
async function refreshUnmapped(storage: Storage, areas: Areas): Promise<number> {
  const rows = await storage.db
    .selectFrom('building as b')
    .innerJoin('stale_place as s', 's.building', 'b.id')
    .select(['b.id', 'b.area'])
    .distinct()
    .where('b.mesh', 'is', null)
    .where('b.area', 'is not', null)
    .where('b.state', '=', 'live')
    .execute();
  return writePages(storage, areas, rows as { id: AssetKey; area: string }[], () => []);
}

type Page = ReturnType<typeof composePage>;

async function writePages<B extends { id: AssetKey; area: string }>(
  storage: Storage,
  areas: Areas,
  buildings: readonly B[],
  nearbyOf: (building: B) => Page['nearby'],
): Promise<number> {
  let written = 0;
  for (const batch of batches(buildings, BATCH)) {
    await storage.transaction(async (tx) => {
      const ids = batch.map((building) => building.id);
      const etags = await findEtags(tx, ids);
      const versions = await findVersions(tx, ids);
      const rows: unknown[][] = [];
      for (const building of batch) {
        const known = versions.get(building.id);
        if (known === undefined) continue;
        const place = areas.place(building.area);
        const canonical = decodeCanonical(known.canonical);
        const page = composePage(building.id, canonical, place, known.history, nearbyOf(building));
        const body = Buffer.from(JSON.stringify(page));
        const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
        if (etags.get(building.id) === etag) continue;
        rows.push([building.id, etag, Buffer.from(JSON.stringify(page.sources)), body]);
      }
      await tx.upsert('page', ['building', 'etag', 'sources', 'body'], rows);
      written += rows.length;
    });
  }
  return written;
}

async function findEtags(tx: Tx, ids: readonly AssetKey[]): Promise<Map<AssetKey, string>> {
  const rows = await tx.db.selectFrom('page').select(['building', 'etag']).where('building', 'in', ids).execute();
  return new Map(rows.map((row) => [row.building, row.etag]));
}

async function findVersions(
  tx: Tx,
  ids: readonly AssetKey[],
): Promise<Map<AssetKey, { canonical: string; history: HistoryEntry[] }>> {
  const rows = await tx.db
    .selectFrom('building_version as v')
    .innerJoin('building as b', 'b.id', 'v.building')
    .select(['v.building', 'v.version', 'v.recorded_at', 'v.changed_fields'])
    .select(sql<string | null>`case when v.version = b.version then v.canonical end`.as('canonical'))
    .where('v.building', 'in', ids)
    .orderBy('v.building')
    .orderBy('v.version', 'desc')
    .execute();
  const found = new Map<AssetKey, { canonical: string; history: HistoryEntry[] }>();
  for (const { building, version, recorded_at: recordedAt, changed_fields, canonical } of rows) {
    let entry = found.get(building);
    if (entry === undefined) {
      entry = { canonical: canonical as string, history: [] };
      found.set(building, entry);
    }
    entry.history.push({ version, recordedAt, changedFields: JSON.parse(changed_fields) as string[] });
  }
  return found;
}

/** The published buildings of a tile; the tiles used last are kept, since neighbours share them. */
class PlacedBuildings {
  readonly #storage: Storage;
  readonly #tiles = new Map<string, PlacedBuilding[]>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async in(tile: string): Promise<PlacedBuilding[]> {
    let buildings = this.#tiles.get(tile);
    if (buildings !== undefined) this.#tiles.delete(tile);
    else {
      buildings = (await this.#storage.db
        .selectFrom('building')
        .select(['id', 'area', 'lat', 'lon', 'name_ja', 'name_en', 'category'])
        .where('mesh', '=', tile)
        .where('state', '=', 'live')
        .where('area', 'is not', null)
        .orderBy('id')
        .execute()) as PlacedBuilding[];
      if (this.#tiles.size >= CACHED_TILES) this.#tiles.delete(this.#tiles.keys().next().value as string);
    }
    this.#tiles.set(tile, buildings);
    return buildings;
  }
}
