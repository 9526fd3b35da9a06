import Flatbush from 'flatbush';
import { LRUCache } from 'lru-cache';
import { compact } from '../storage/compact/compact.ts';
import { batches, type Db, isAmong, listParameter, type Reads, type Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { Nearby } from '../vocabulary/building-page.ts';
import type { Category } from '../vocabulary/categories.ts';
import { metresPerDegree, type Position } from '../vocabulary/geometry.ts';
import { meshCentre, meshNeighbourhood, meshTilesOf } from '../vocabulary/mesh.ts';
import type { Areas } from './areas.ts';
import type { BuildingRow } from './buildings.ts';
import { type RecordPart, toTail } from './records.ts';

const NEARBY_RADIUS_M = 500;
const NEARBY_COUNT = 8;

/** A published building with a location. */
type PlacedBuilding = BuildingRow & { lat: number; lon: number; mesh: string; area: string; category: Category };

/** What `nearby` shows of a building, and where it is. */
type Neighbour = Pick<PlacedBuilding, 'id' | 'lat' | 'lon' | 'name_ja' | 'name_en' | 'category'>;

/** A spatial index of the points around a tile, in metres. */
class Neighbourhood<T extends { lat: number; lon: number }> {
  readonly #items: readonly T[];
  readonly #index: Flatbush | undefined;
  readonly #scale: { lat: number; lon: number };

  constructor(items: readonly T[], centreLat: number) {
    this.#items = items;
    this.#scale = metresPerDegree(centreLat);
    if (items.length === 0) return;
    this.#index = new Flatbush(items.length);
    for (const { lat, lon } of items) {
      const [x, y] = this.#project(lat, lon);
      this.#index.add(x, y, x, y);
    }
    this.#index.finish();
  }

  /** All items within `radius`, nearest first; at most `count`. */
  within(
    lat: number,
    lon: number,
    radius: number,
    count = Number.POSITIVE_INFINITY,
    accept?: (item: T) => boolean,
  ): { item: T; distance: number }[] {
    if (this.#index === undefined) return [];
    const [x, y] = this.#project(lat, lon);
    const found = this.#index.neighbors(x, y, count, radius, accept && ((i) => accept(this.#items[i] as T)));
    return found.map((i) => {
      const item = this.#items[i] as T;
      const [ix, iy] = this.#project(item.lat, item.lon);
      return { item, distance: Math.hypot(ix - x, iy - y) };
    });
  }

  #project(lat: number, lon: number): [number, number] {
    return [lon * this.#scale.lon, lat * this.#scale.lat];
  }
}

const toDecimetre = (metres: number) => Math.round(metres * 10) / 10;

/** Up to eight buildings within 500 m, nearest first, ties broken by ID. */
function findNearby<T extends Neighbour>(
  building: Pick<Neighbour, 'lat' | 'lon'> & { id?: AssetKey },
  around: Neighbourhood<T>,
  pathOf: (neighbour: T) => string,
): Nearby[] {
  const { lat, lon } = building;
  const others = (item: T) => item.id !== building.id;
  // One more than is shown: if it is as far as the last shown, all at that distance are read so that the ID decides.
  let found = around.within(lat, lon, NEARBY_RADIUS_M, NEARBY_COUNT + 1, others);
  const [last, next] = [found[NEARBY_COUNT - 1], found[NEARBY_COUNT]];
  if (last !== undefined && next !== undefined && toDecimetre(last.distance) === toDecimetre(next.distance)) {
    found = around.within(lat, lon, Math.min(next.distance + 0.1, NEARBY_RADIUS_M), undefined, others);
  }
  return found
    .map(({ item, distance }) => ({ item, distanceM: toDecimetre(distance) }))
    .sort((a, b) => a.distanceM - b.distanceM || a.item.id - b.item.id)
    .slice(0, NEARBY_COUNT)
    .map(({ item, distanceM }) => ({
      id: formatAssetId(item.id),
      path: pathOf(item),
      nameJa: item.name_ja,
      nameEn: item.name_en,
      category: item.category,
      distanceM,
    }));
}

/** The published buildings around a position where none is published any more. */
export async function readNearby(reads: Reads, [lon, lat]: Position): Promise<Nearby[]> {
  const scale = metresPerDegree(lat);
  const [dx, dy] = [(NEARBY_RADIUS_M * 1.05) / scale.lon, (NEARBY_RADIUS_M * 1.05) / scale.lat];
  const box: [number, number, number, number] = [lon - dx, lat - dy, lon + dx, lat + dy];
  const rows = await reads.all<Neighbour & { place: string }>(
    `select b.id, b.lat, b.lon, b.name_ja, b.name_en, b.category, p.slug || '/' || w.slug || '/' || m.slug as place
      from building b join area m on m.code = b.area join area w on w.code = m.parent join area p on p.code = w.parent
      where ${isAmong(reads, 'b.mesh')} and b.state = 'live'
      and b.lon >= ? and b.lat >= ? and b.lon <= ? and b.lat <= ? order by b.id`,
    [listParameter(reads, meshTilesOf(box)), ...box],
  );
  return findNearby(
    { lat, lon },
    new Neighbourhood(rows, lat),
    ({ id, place }) => `/japan/${place}/${formatAssetId(id)}`,
  );
}

/** A range of the buildings of one tile. */
export interface TileSlice {
  tile: string;
  from: number;
  to: number;
}

/** As many as the densest tiles and those around them have. */
const CACHED_BUILDINGS = 60_000;
const BUILDINGS_PER_PART = 2_000;
const TILES_PER_PART = 100;
const TILES_AT_ONCE = 27;

/** The tiles in which `nearby` may have changed: those of stale places and their neighbours. Small ones are one part. */
export async function findStaleSlices(db: Db): Promise<TileSlice[][]> {
  const stalePlaces = await db.selectFrom('stale_place').select('mesh').distinct().execute();
  const tiles = new Set(stalePlaces.flatMap(({ mesh }) => meshNeighbourhood(meshCentre(mesh))));
  const slices = new SliceParts();
  for (const batch of batches([...tiles].sort())) {
    const counts = await db
      .selectFrom('building')
      .select(['mesh', (eb) => eb.fn.countAll().as('buildings')])
      .where('mesh', 'in', batch)
      .groupBy('mesh')
      .orderBy('mesh')
      .execute();
    for (const { mesh, buildings } of counts) slices.add(mesh as string, Number(buildings));
  }
  return slices.parts;
}

/** All tiles with buildings, in the same parts. */
export async function findAllSlices(db: Db): Promise<TileSlice[][]> {
  const slices = new SliceParts();
  const counts = await db
    .selectFrom('building')
    .select(['mesh', (eb) => eb.fn.countAll().as('buildings')])
    .where('mesh', 'is not', null)
    .groupBy('mesh')
    .orderBy('mesh')
    .execute();
  for (const { mesh, buildings } of counts) slices.add(mesh as string, Number(buildings));
  return slices.parts;
}

/** The tile of one building, in the same parts. */
export async function findSlicesOf(db: Db, building: AssetKey): Promise<TileSlice[][]> {
  const slices = new SliceParts();
  const counts = await db
    .selectFrom('building')
    .select(['mesh', (eb) => eb.fn.countAll().as('buildings')])
    .where('mesh', '=', (eb) => eb.selectFrom('building').select('mesh').where('id', '=', building))
    .groupBy('mesh')
    .execute();
  for (const { mesh, buildings } of counts) slices.add(mesh as string, Number(buildings));
  return slices.parts;
}

/** Cuts tiles into parts of about the same work. */
class SliceParts {
  readonly parts: TileSlice[][] = [];
  #part: TileSlice[] = [];
  #room = 0;

  add(tile: string, buildings: number): void {
    for (let from = 0; from < buildings; from += BUILDINGS_PER_PART) {
      const count = Math.min(buildings - from, BUILDINGS_PER_PART);
      if (count > this.#room || this.#part.length === TILES_PER_PART) {
        this.#part = [];
        this.parts.push(this.#part);
        this.#room = BUILDINGS_PER_PART;
      }
      this.#part.push({ tile, from, to: from + count });
      this.#room -= count;
    }
  }
}

type StalePlace = Pick<Neighbour, 'lat' | 'lon'> & { mesh: string; building: AssetKey };

/** Recomputes `nearby` of the buildings close to a stale place; returns the parts that changed. */
export async function composeNearby(
  db: Db,
  areas: Areas,
  placed: PlacedBuildings,
  slices: readonly TileSlice[],
): Promise<RecordPart[]> {
  const around = [...new Set(slices.flatMap(({ tile }) => meshNeighbourhood(meshCentre(tile))))];
  await placed.load(around);
  const places = new Map<string, StalePlace[]>();
  for (const batch of batches(around)) {
    const rows = await db
      .selectFrom('stale_place')
      .select(['mesh', 'building', 'lat', 'lon'])
      .where('mesh', 'in', batch)
      .execute();
    for (const [mesh, some] of Map.groupBy(rows, ({ mesh }) => mesh)) places.set(mesh, some);
  }
  const tails: Tail[] = [];
  for (const slice of slices) {
    tails.push(...(await tailsOf(areas, placed, slice, await staleIn(slice, placed, places))));
  }
  const kept = await findTailTags(
    db,
    tails.map(({ building }) => building),
  );
  return tails
    .filter(({ building, etag }) => kept.get(building) !== etag)
    .map(({ building, etag, text }) => ({ building, etag, body: compact(text) }));
}

type Tail = ReturnType<typeof toTail>;

/** `nearby` of some buildings of a tile. */
async function tailsOf(
  areas: Areas,
  placed: PlacedBuildings,
  { tile }: TileSlice,
  buildings: readonly PlacedBuilding[],
): Promise<Tail[]> {
  if (buildings.length === 0) return [];
  const neighbours = await placed.around(tile);
  const pathOf = ({ id, area }: PlacedBuilding) => `${areas.place(area).path}/${formatAssetId(id)}`;
  return buildings.map((building) => toTail(building.id, findNearby(building, neighbours, pathOf)));
}

/** `nearby` of every published building of some slices. */
export async function deriveNearby(
  areas: Areas,
  placed: PlacedBuildings,
  slices: readonly TileSlice[],
): Promise<Tail[]> {
  await placed.load([...new Set(slices.flatMap(({ tile }) => meshNeighbourhood(meshCentre(tile))))]);
  const tails: Tail[] = [];
  for (const slice of slices) {
    const own = (await placed.in(slice.tile)).slice(slice.from, slice.to);
    tails.push(...(await tailsOf(areas, placed, slice, own)));
  }
  return tails;
}

/** The buildings of a slice that are a stale place or close to one. */
async function staleIn(
  { tile, from, to }: TileSlice,
  placed: PlacedBuildings,
  places: ReadonlyMap<string, readonly StalePlace[]>,
): Promise<PlacedBuilding[]> {
  const own = (await placed.in(tile)).slice(from, to);
  const centre = meshCentre(tile);
  const near = meshNeighbourhood(centre).flatMap((mesh) => places.get(mesh) ?? []);
  const noted = new Set(near.map(({ building }) => building));
  if (own.every(({ id }) => noted.has(id))) return own;
  const index = new Neighbourhood(near, centre[1]);
  return own.filter(({ id, lat, lon }) => noted.has(id) || index.within(lat, lon, NEARBY_RADIUS_M + 1, 1).length > 0);
}

async function findTailTags(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, string>> {
  const tags = new Map<AssetKey, string>();
  for (const batch of batches(ids)) {
    const rows = await db.selectFrom('nearby').select(['building', 'etag']).where('building', 'in', batch).execute();
    for (const row of rows) tags.set(row.building, row.etag);
  }
  return tags;
}

export async function storeNearby(tx: Tx, parts: readonly RecordPart[]): Promise<void> {
  await tx.upsert(
    'nearby',
    ['building', 'etag', 'body'],
    parts.map(({ building, etag, body }) => [building, etag, body]),
  );
}

export async function clearStalePlaces(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('stale_place').execute();
}

/** The published buildings per tile. Recently used tiles are cached, since neighbours share them. */
export class PlacedBuildings {
  readonly #db: Db;
  readonly #tiles = new LRUCache<string, PlacedBuilding[]>({
    maxSize: CACHED_BUILDINGS,
    sizeCalculation: ({ length }) => length + 1,
  });
  #last: { tile: string; around: Neighbourhood<PlacedBuilding> } | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads several tiles at once in advance, unless they have many buildings. */
  async load(tiles: readonly string[]): Promise<void> {
    let loaded = 0;
    for (const batch of batches(
      tiles.filter((tile) => !this.#tiles.has(tile)),
      TILES_AT_ONCE,
    )) {
      if (loaded > CACHED_BUILDINGS / 4) return;
      const read = await this.#read(batch);
      for (const tile of batch) {
        const buildings = read.get(tile) ?? [];
        this.#tiles.set(tile, buildings);
        loaded += buildings.length;
      }
    }
  }

  async in(tile: string): Promise<PlacedBuilding[]> {
    let buildings = this.#tiles.get(tile);
    if (buildings === undefined) {
      buildings = (await this.#read([tile])).get(tile) ?? [];
      this.#tiles.set(tile, buildings);
    }
    return buildings;
  }

  async #read(tiles: readonly string[]): Promise<Map<string, PlacedBuilding[]>> {
    const rows = (await this.#db
      .selectFrom('building')
      .select(['id', 'area', 'lat', 'lon', 'mesh', 'name_ja', 'name_en', 'category'])
      .where('mesh', 'in', tiles)
      .where('state', '=', 'live')
      .where('area', 'is not', null)
      .orderBy('id')
      .execute()) as PlacedBuilding[];
    return Map.groupBy(rows, ({ mesh }) => mesh);
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

/** Whether a building is within half a tile plus the radius of a tile's centre, with a margin. */
function withinReach([centreLon, centreLat]: Position): (building: PlacedBuilding) => boolean {
  const scale = metresPerDegree(centreLat);
  const reach = NEARBY_RADIUS_M * 1.05;
  const [height, width] = [1 / 240 + reach / scale.lat, 1 / 160 + reach / scale.lon];
  return ({ lat, lon }) => Math.abs(lat - centreLat) < height && Math.abs(lon - centreLon) < width;
}
