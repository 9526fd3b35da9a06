import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import type { Measures } from '../../vocabulary/geometry.ts';
import { shortenName } from '../map-tiles/building-features.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import { type Bitmap, visitDocs } from '../search/format/bitmaps.ts';
import { loadSegments } from '../search/format/segments.ts';
import type { SegmentCache } from '../search/read/index-reads.ts';
import { type ListQuery, matchEntries, toEntryQuery } from '../search/read/list-page.ts';
import type { Matches } from '../search/read/take-in-order.ts';
import { type Locations, NOWHERE, readState, UNITS_PER_DEGREE } from './locations.ts';

type Box = Measures['bbox'];

/** UI-84: the buildings of a list, for its map. */
export interface MapPointsQuery {
  list: ListQuery;
  /** Only those inside; all if absent. */
  box?: Box | undefined;
}

/** A GeoJSON FeatureCollection of buildings, or of cells with their number if there are many. */
export interface MapPoints {
  type: 'FeatureCollection';
  /** Matches of the list, and those of them with a point. */
  total: number;
  located: number;
  /** Around all located matches, inside the box or not; null if there are none. */
  bbox: Box | null;
  features: MapPoint[];
}

interface MapPoint {
  type: 'Feature';
  geometry: { type: 'Point'; coordinates: [lon: number, lat: number] };
  /** `count` buildings around their centre, or one building. */
  properties: { count: number } | { id: string; name?: string | undefined; nameEn?: string | undefined };
}

/** Up to this number, each building is a point of its own. */
const MOST_POINTS = 1_000;
const MOST_CELLS = 500;

/** Exact: the counts of the cells and the single buildings add up to the located matches in the box. */
export async function findMapPoints(
  reads: Reads,
  { list, box }: MapPointsQuery,
  segments: SegmentCache,
  locations: Locations,
): Promise<FinishedResponse> {
  const question = await toEntryQuery(reads, list);
  const { total, matches } =
    question === undefined ? { total: 0, matches: NONE } : await matchEntries(reads, question, segments);
  const places = await locate(reads, matches, locations);
  const { located, bbox, inside } = measure(places, box);
  const features = await toFeatures(reads, places, inside);
  const found: MapPoints = { type: 'FeatureCollection', total, located, bbox, features };
  const body = Buffer.from(JSON.stringify(found));
  return { etag: `"${tagOf(body)}"`, body };
}

const NONE: Matches = { fresh: [], parts: [] };

type Visit = (pos: number, lon: number, lat: number) => void;

/** Matches with a point: calls a function with the position in the search index, longitude and latitude of each. */
type Places = (visit: Visit) => void;

async function locate(reads: Reads, { fresh, parts }: Matches, locations: Locations): Promise<Places> {
  const state = await readState(reads);
  locations.keepOnly(await loadSegments(reads));
  const points = await readPoints(
    reads,
    fresh.map(({ building }) => building),
  );
  const segments: { docs: Bitmap; first: number; located: Int32Array }[] = [];
  for (const { segment, docs } of parts) {
    segments.push({ docs, first: segment.first, located: await locations.of(reads, segment, state) });
  }
  return (visit) => {
    for (const { pos, building } of fresh) {
      const point = points.get(building);
      if (point?.lat == null || point.lon == null) continue;
      visit(pos, Math.round(point.lon * UNITS_PER_DEGREE), Math.round(point.lat * UNITS_PER_DEGREE));
    }
    for (const { docs, first, located } of segments) {
      visitDocs(docs, (doc) => {
        const lon = located[2 * doc] as number;
        if (lon !== NOWHERE) visit(first + doc, lon, located[2 * doc + 1] as number);
      });
    }
  };
}

interface Extent {
  west: number;
  south: number;
  east: number;
  north: number;
}

const nothing = (): Extent => ({
  west: Number.POSITIVE_INFINITY,
  south: Number.POSITIVE_INFINITY,
  east: Number.NEGATIVE_INFINITY,
  north: Number.NEGATIVE_INFINITY,
});

interface Inside extends Extent {
  count: number;
  /** Undefined without a box: all are inside. */
  has: ((lon: number, lat: number) => boolean) | undefined;
}

function measure(places: Places, box: Box | undefined): { located: number; bbox: Box | null; inside: Inside } {
  const all = nothing();
  let located = 0;
  places((_, lon, lat) => {
    located += 1;
    extend(all, lon, lat);
  });
  const degrees = [all.west, all.south, all.east, all.north].map((edge) => edge / UNITS_PER_DEGREE) as Box;
  const bbox = located === 0 ? null : degrees;
  if (box === undefined) return { located, bbox, inside: { ...all, count: located, has: undefined } };
  const [west, south, east, north] = box.map((edge) => edge * UNITS_PER_DEGREE) as Box;
  const has = (lon: number, lat: number) => lon >= west && lon < east && lat >= south && lat < north;
  const inside = nothing();
  let count = 0;
  places((_, lon, lat) => {
    if (!has(lon, lat)) return;
    extend(inside, lon, lat);
    count += 1;
  });
  return { located, bbox, inside: { ...inside, count, has } };
}

function extend(extent: Extent, lon: number, lat: number): void {
  if (lon < extent.west) extent.west = lon;
  if (lon > extent.east) extent.east = lon;
  if (lat < extent.south) extent.south = lat;
  if (lat > extent.north) extent.north = lat;
}

interface Cell {
  count: number;
  lon: number;
  lat: number;
  /** Of its only building. */
  pos: number;
}

async function toFeatures(reads: Reads, places: Places, inside: Inside): Promise<MapPoint[]> {
  const cells = inside.count <= MOST_POINTS ? singleCells(places, inside) : countedCells(places, inside);
  const single = cells.flatMap(({ count, pos }) => (count === 1 ? [pos] : []));
  const names = await readNames(reads, single);
  return cells.map(({ count, lon, lat, pos }): MapPoint => {
    const coordinates: [number, number] = [toDegrees(lon / count), toDegrees(lat / count)];
    const properties = (count === 1 ? names.get(pos) : undefined) ?? { count };
    return { type: 'Feature', geometry: { type: 'Point', coordinates }, properties };
  });
}

function singleCells(places: Places, { has }: Inside): Cell[] {
  const cells: Cell[] = [];
  places((pos, lon, lat) => {
    if (has === undefined || has(lon, lat)) cells.push({ count: 1, lon, lat, pos });
  });
  return cells;
}

/** Cells begin at multiples of their width, so that they stay where they are while the map moves. */
function countedCells(places: Places, inside: Inside): Cell[] {
  const { has } = inside;
  const bits = Math.log2(cellWidth(inside));
  const [west, south] = [inside.west >> bits, inside.south >> bits];
  const rows = (inside.north >> bits) - south + 1;
  const size = rows * ((inside.east >> bits) - west + 1);
  const [counts, lons, lats, last] = Array.from({ length: 4 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  places((pos, lon, lat) => {
    if (has !== undefined && !has(lon, lat)) return;
    const cell = ((lon >> bits) - west) * rows + (lat >> bits) - south;
    counts[cell] = (counts[cell] as number) + 1;
    lons[cell] = (lons[cell] as number) + lon;
    lats[cell] = (lats[cell] as number) + lat;
    last[cell] = pos;
  });
  return Array.from(counts, (count, cell) => ({
    count,
    lon: lons[cell] as number,
    lat: lats[cell] as number,
    pos: last[cell] as number,
  })).filter(({ count }) => count > 0);
}

const toDegrees = (units: number) => Math.round(units) / UNITS_PER_DEGREE;

/** A power of two, so that it seldom changes, and wide enough for few cells. */
function cellWidth({ west, south, east, north }: Extent): number {
  const isFew = (width: number) =>
    (Math.floor(east / width) - Math.floor(west / width) + 1) *
      (Math.floor(north / width) - Math.floor(south / width) + 1) <=
    MOST_CELLS;
  let width = 64;
  while (!isFew(width)) width *= 2;
  return width;
}

interface PointRow {
  id: AssetKey;
  lat: number | null;
  lon: number | null;
}

async function readPoints(reads: Reads, buildings: readonly AssetKey[]): Promise<Map<AssetKey, PointRow>> {
  if (buildings.length === 0) return new Map();
  const rows = await reads.all<PointRow>(`select id, lat, lon from building where ${isAmong(reads, 'id')}`, [
    listParameter(reads, buildings),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

interface NameRow {
  pos: number;
  id: AssetKey;
  name_ja: string | null;
  name_en: string | null;
}

async function readNames(reads: Reads, positions: readonly number[]): Promise<Map<number, MapPoint['properties']>> {
  if (positions.length === 0) return new Map();
  const rows = await reads.all<NameRow>(
    `select e.pos, b.id, b.name_ja, b.name_en from search_entry e join building b on b.id = e.building
      where ${isAmong(reads, 'e.pos')}`,
    [listParameter(reads, positions)],
  );
  return new Map(
    rows.map(({ pos, id, name_ja, name_en }) => {
      const [name, nameEn] = [shortenName(name_ja) ?? undefined, shortenName(name_en) ?? undefined];
      return [pos, { id: formatAssetId(id), name, nameEn }];
    }),
  );
}
