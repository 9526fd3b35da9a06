import { hash } from 'node:crypto';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage, Nearby } from '../vocabulary/building-page.ts';
import { metresPerDegree, type Position } from '../vocabulary/geometry.ts';
import { meshCentre, meshNeighbourhood } from '../vocabulary/mesh.ts';
import type { Areas } from './areas.ts';
import { findNearby, NEARBY_RADIUS_M, Neighbourhood, type PlacedBuilding } from './nearby.ts';

/** A finished answer and the tag that changes with it. */
export interface FinishedResponse {
  etag: string;
  body: Uint8Array;
  /** To be called once when the body is no longer needed, where it is there. */
  release?: () => void;
}

/**
 * A record is kept in two parts that are sent one after the other: what is known of the building, and
 * what lies around it, so that a neighbour's change touches only the second.
 */
export interface RecordPart {
  building: AssetKey;
  etag: string;
  body: Uint8Array;
}

interface PageHead extends RecordPart {
  sources: Uint8Array;
}

export function toHead(building: AssetKey, page: Omit<BuildingPage, 'nearby'>): PageHead {
  const body = Buffer.from(JSON.stringify(page).slice(0, -1));
  return { building, etag: tagOf(body), sources: Buffer.from(JSON.stringify(page.sources)), body };
}

function toTail(building: AssetKey, nearby: Nearby[]): RecordPart {
  const body = Buffer.from(`,"nearby":${JSON.stringify(nearby)}}`);
  return { building, etag: tagOf(body), body };
}

export function tagOf(body: Uint8Array): string {
  return hash('sha256', body, 'base64url').slice(0, 22);
}

/** Some of the buildings of one tile. */
export interface TileSlice {
  tile: string;
  from: number;
  to: number;
}

const CACHED_TILES = 24;
const BUILDINGS_PER_PART = 2_000;

/** Where what pages say of their neighbours may no longer be true: the tiles of stale places and those around. */
export async function findStaleSlices(db: Db): Promise<TileSlice[]> {
  const notes = await db.selectFrom('stale_place').select('mesh').distinct().execute();
  const tiles = new Set(notes.flatMap(({ mesh }) => meshNeighbourhood(meshCentre(mesh))));
  const parts: TileSlice[] = [];
  for (const batch of batches([...tiles].sort())) {
    const counts = await db
      .selectFrom('building')
      .select(['mesh', (eb) => eb.fn.countAll().as('buildings')])
      .where('mesh', 'in', batch)
      .groupBy('mesh')
      .orderBy('mesh')
      .execute();
    for (const { mesh, buildings } of counts) {
      for (let from = 0; from < Number(buildings); from += BUILDINGS_PER_PART) {
        parts.push({ tile: mesh as string, from, to: from + BUILDINGS_PER_PART });
      }
    }
  }
  return parts;
}

/** What lies around the buildings of one part, for those near a stale place where it came out different. */
export async function composeNearby(
  db: Db,
  areas: Areas,
  placed: PlacedBuildings,
  part: TileSlice,
): Promise<RecordPart[]> {
  const { tile, from, to } = part;
  const own = (await placed.in(tile)).slice(from, to);
  const notes = await db
    .selectFrom('stale_place')
    .select(['building', 'lat', 'lon'])
    .where('mesh', 'in', meshNeighbourhood(meshCentre(tile)))
    .execute();
  const noted = new Set(notes.map((note) => note.building));
  let stale = own.filter((building) => noted.has(building.id));
  if (stale.length < own.length) {
    const places = new Neighbourhood(notes, meshCentre(tile)[1]);
    stale = own.filter(
      ({ id, lat, lon }) => noted.has(id) || places.within(lat, lon, NEARBY_RADIUS_M + 1, 1).length > 0,
    );
  }
  if (stale.length === 0) return [];
  const around = await placed.around(tile);
  const kept = await findTailTags(
    db,
    stale.map((building) => building.id),
  );
  return stale
    .map((building) => toTail(building.id, findNearby(building, around, areas)))
    .filter(({ building, etag }) => kept.get(building) !== etag);
}

async function findTailTags(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, string>> {
  const tags = new Map<AssetKey, string>();
  for (const batch of batches(ids)) {
    const rows = await db.selectFrom('nearby').select(['building', 'etag']).where('building', 'in', batch).execute();
    for (const row of rows) tags.set(row.building, row.etag);
  }
  return tags;
}

export const HEAD_COLUMNS = ['building', 'etag', 'sources', 'body'] as const;

export function toHeadRow({ building, etag, sources, body }: PageHead): unknown[] {
  return [building, etag, sources, body];
}

/** What a record ends with until it is known what lies around. */
const NOTHING_NEARBY: RecordPart = toTail(0, []);

/** Both parts of a record as they are read together. */
export interface PageRow {
  etag: string;
  body: Uint8Array;
  tailEtag: string | null;
  tail: Uint8Array | null;
}

export function finishPage({ etag, body, tailEtag, tail }: PageRow): FinishedResponse {
  return { etag: pageTag(etag, tailEtag), body: Buffer.concat([body, tail ?? NOTHING_NEARBY.body]) };
}

/** A tag that changes with either part. */
export function pageTag(etag: string, tailEtag: string | null): string {
  return `"${etag}${tailEtag ?? NOTHING_NEARBY.etag}"`;
}

export async function storeNearby(tx: Tx, parts: readonly RecordPart[]): Promise<void> {
  await tx.upsert(
    'nearby',
    ['building', 'etag', 'body'],
    parts.map(({ building, etag, body }) => [building, etag, body]),
  );
}

export async function removePages(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('page').where('building', 'in', batch).execute();
  await removeNearby(tx, ids);
}

export async function removeNearby(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('nearby').where('building', 'in', batch).execute();
}

/** Everything is true again: the notes go last, so that work cut short is simply done again. */
export async function clearStalePlaces(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('stale_place').execute();
}

/** The published buildings of each tile; the tiles used last are kept, since neighbours share them. */
export class PlacedBuildings {
  readonly #db: Db;
  readonly #tiles = new Map<string, PlacedBuilding[]>();
  #last: { tile: string; around: Neighbourhood<PlacedBuilding> } | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async in(tile: string): Promise<PlacedBuilding[]> {
    let buildings = this.#tiles.get(tile);
    if (buildings !== undefined) this.#tiles.delete(tile);
    else {
      buildings = (await this.#db
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

  /** The tile and the eight around it. */
  async around(tile: string): Promise<Neighbourhood<PlacedBuilding>> {
    if (this.#last?.tile !== tile) {
      const centre = meshCentre(tile);
      const buildings: PlacedBuilding[] = [];
      const isNear = withinReach(centre);
      for (const code of meshNeighbourhood(centre)) buildings.push(...(await this.in(code)).filter(isNear));
      this.#last = { tile, around: new Neighbourhood(buildings, centre[1]) };
    }
    return this.#last.around;
  }
}

/** Tells what lies within half a tile and the radius of a tile's centre, with some to spare. */
function withinReach([centreLon, centreLat]: Position): (building: PlacedBuilding) => boolean {
  const scale = metresPerDegree(centreLat);
  const reach = NEARBY_RADIUS_M * 1.05;
  const [height, width] = [1 / 240 + reach / scale.lat, 1 / 160 + reach / scale.lon];
  return ({ lat, lon }) => Math.abs(lat - centreLat) < height && Math.abs(lon - centreLon) < width;
}
