import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import type { Measures } from '../../vocabulary/geometry.ts';
import { shortenName } from '../map-tiles/building-features.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import type { Bitmap } from '../search/format/bitmaps.ts';
import { NOWHERE, type SegmentSites } from '../search/format/segment-sites.ts';
import { decodeSite } from '../search/format/site.ts';
import type { SegmentCache } from '../search/read/index-reads.ts';
import { type ListQuery, toEntryQuery } from '../search/read/list-query.ts';
import { matchEntries } from '../search/read/match-entries.ts';
import type { Matches } from '../search/read/take-in-order.ts';

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
): Promise<FinishedResponse> {
  const question = await toEntryQuery(reads, list);
  const { total, matches } =
    question === undefined ? { total: 0, matches: NONE } : await matchEntries(reads, question, segments, false);
  const { located, bbox, cells } = countCells(await locate(reads, matches, segments), box);
  const features = await toFeatures(reads, cells);
  const found: MapPoints = { type: 'FeatureCollection', total, located, bbox, features };
  const body = Buffer.from(JSON.stringify(found));
  return { etag: `"${tagOf(body)}"`, body };
}

const NONE: Matches = { fresh: [], parts: [] };

/** Millionths: finer than a screen shows. */
const UNITS_PER_DEGREE = 1e6;
/** Units of a site in one of these. */
const SITE_UNITS = 10;
/** Rounded; coordinates of Japan are positive. */
const roundUnits = (siteUnits: number) => ((siteUnits + SITE_UNITS / 2) / SITE_UNITS) | 0;

/** Puts the position in the search index, the longitude and the latitude of each match with a point into lists. */
type PutMatches = (lists: PointLists) => void;

async function locate(reads: Reads, { fresh, parts }: Matches, cache: SegmentCache): Promise<PutMatches> {
  const segments: { docs: Bitmap; first: number; sites: SegmentSites }[] = [];
  for (const { segment, docs } of parts) {
    segments.push({ docs, first: segment.first, sites: await cache.sites(reads, segment) });
  }
  return (lists) => {
    for (const { pos, site } of fresh) {
      if (site === null) continue;
      const { lon, lat } = decodeSite(site);
      lists.reserve(1);
      lists.put(pos, lon, lat);
    }
    for (const { docs, first, sites } of segments) lists.putSites(docs, first, sites);
  };
}

/** Plain lists are walked much faster than callbacks. */
class PointLists {
  count = 0;
  lons = new Int32Array(4_096);
  lats = new Int32Array(4_096);
  positions = new Float64Array(4_096);

  put(pos: number, lon: number, lat: number): void {
    this.lons[this.count] = roundUnits(lon);
    this.lats[this.count] = roundUnits(lat);
    this.positions[this.count++] = pos;
  }

  /** The matches of a segment with a point: few in the order of results, many in the order of their sites. */
  putSites(docs: Bitmap, first: number, { docs: order, lons, lats, indexOf }: SegmentSites): void {
    this.reserve(order.length);
    if (docs instanceof Uint16Array) {
      for (let at = docs.length - 1; at >= 0; at--) {
        const i = indexOf[docs[at] as number] as number;
        if (i !== NOWHERE) this.put(first + (docs[at] as number), lons[i] as number, lats[i] as number);
      }
      return;
    }
    for (let i = 0; i < order.length; i++) {
      const doc = order[i] as number;
      if ((docs[doc >>> 5] as number) & (1 << (doc & 31))) this.put(first + doc, lons[i] as number, lats[i] as number);
    }
  }

  /** Only those inside a box, in place. */
  keepInside([west, south, east, north]: Box): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const [lon, lat] = [this.lons[i] as number, this.lats[i] as number];
      if (lon < west || lon >= east || lat < south || lat >= north) continue;
      this.lons[kept] = lon;
      this.lats[kept] = lat;
      this.positions[kept++] = this.positions[i] as number;
    }
    this.count = kept;
  }

  /** Makes room for more. */
  reserve(more: number): void {
    const { lons, lats, positions } = this;
    if (this.count + more <= lons.length) return;
    const length = Math.max(2 * lons.length, this.count + more);
    this.lons = new Int32Array(length);
    this.lats = new Int32Array(length);
    this.positions = new Float64Array(length);
    this.lons.set(lons);
    this.lats.set(lats);
    this.positions.set(positions);
  }
}

/** Reused, to avoid garbage: a list may have every building. Nothing waits while it is filled and counted. */
const LISTS = new PointLists();

interface Extent {
  west: number;
  south: number;
  east: number;
  north: number;
}

function extentOf({ count, lons, lats }: PointLists): Extent {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const [lon, lat] = [lons[i] as number, lats[i] as number];
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return { west, south, east, north };
}

interface Cell {
  count: number;
  lon: number;
  lat: number;
  /** Of its only building. */
  pos: number;
}

function countCells(
  putMatches: PutMatches,
  box: Box | undefined,
): { located: number; bbox: Box | null; cells: Cell[] } {
  LISTS.count = 0;
  putMatches(LISTS);
  const located = LISTS.count;
  if (located === 0) return { located, bbox: null, cells: [] };
  let extent = extentOf(LISTS);
  const { west, south, east, north } = extent;
  const bbox = [west, south, east, north].map((edge) => edge / UNITS_PER_DEGREE) as Box;
  if (box !== undefined) {
    LISTS.keepInside(box.map((edge) => edge * UNITS_PER_DEGREE) as Box);
    extent = extentOf(LISTS);
  }
  const cells = LISTS.count <= MOST_POINTS ? singleCells(LISTS) : countedCells(LISTS, extent);
  return { located, bbox, cells };
}

async function toFeatures(reads: Reads, cells: readonly Cell[]): Promise<MapPoint[]> {
  const single = cells.flatMap(({ count, pos }) => (count === 1 ? [pos] : []));
  const names = await readNames(reads, single);
  return cells.map(({ count, lon, lat, pos }): MapPoint => {
    const coordinates: [number, number] = [toDegrees(lon / count), toDegrees(lat / count)];
    const properties = (count === 1 ? names.get(pos) : undefined) ?? { count };
    return { type: 'Feature', geometry: { type: 'Point', coordinates }, properties };
  });
}

/** In the order of results. */
function singleCells({ count, lons, lats, positions }: PointLists): Cell[] {
  const cells = Array.from({ length: count }, (_, i) => ({
    count: 1,
    lon: lons[i] as number,
    lat: lats[i] as number,
    pos: positions[i] as number,
  }));
  return cells.sort((a, b) => b.pos - a.pos);
}

/** Cells begin at multiples of their width, so that they stay where they are while the map moves. */
function countedCells({ count, lons, lats, positions }: PointLists, extent: Extent): Cell[] {
  const bits = Math.log2(cellWidth(extent));
  const [west, south] = [extent.west >> bits, extent.south >> bits];
  const rows = (extent.north >> bits) - south + 1;
  const size = rows * ((extent.east >> bits) - west + 1);
  const [counts, lonSums, latSums, last] = Array.from({ length: 4 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  // Neighbours in the lists are mostly in the same cell, so sums are added up before they are stored.
  let [current, buildings, lonSum, latSum] = [-1, 0, 0, 0];
  for (let i = 0; i <= count; i++) {
    const [lon, lat] = [lons[i] as number, lats[i] as number];
    const cell = i === count ? -1 : ((lon >> bits) - west) * rows + (lat >> bits) - south;
    if (cell !== current && current !== -1) {
      counts[current] = (counts[current] as number) + buildings;
      lonSums[current] = (lonSums[current] as number) + lonSum;
      latSums[current] = (latSums[current] as number) + latSum;
      last[current] = positions[i - 1] as number;
      buildings = lonSum = latSum = 0;
    }
    current = cell;
    buildings += 1;
    lonSum += lon;
    latSum += lat;
  }
  return Array.from(counts, (total, cell) => ({
    count: total,
    lon: lonSums[cell] as number,
    lat: latSums[cell] as number,
    pos: last[cell] as number,
  })).filter((cell) => cell.count > 0);
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
