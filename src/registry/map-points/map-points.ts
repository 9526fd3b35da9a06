import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import type { Measures } from '../../vocabulary/geometry.ts';
import { shortenName } from '../map-tiles/building-features.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import { type Bitmap, countDocs, isList, toList } from '../search/format/bitmaps.ts';
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
/** One of these in units of a site. Multiplying is faster than dividing, and as exact for numbers of this size. */
const SITE_UNIT = 0.1;
/** Rounded; coordinates of Japan are positive. */
const roundUnits = (siteUnits: number) => ((siteUnits + 5) * SITE_UNIT) | 0;

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

/** Fewer matches than one in so many are looked up one by one. */
const FEW_SHARE = 8;

/** Plain lists are walked much faster than callbacks. */
class PointLists {
  count = 0;
  lons = new Int32Array(4_096);
  lats = new Int32Array(4_096);
  positions = new Int32Array(4_096);

  put(pos: number, lon: number, lat: number): void {
    this.lons[this.count] = roundUnits(lon);
    this.lats[this.count] = roundUnits(lat);
    this.positions[this.count++] = pos;
  }

  /** The matches of a segment with a point: few in the order of results, many in the order of their sites. */
  putSites(docs: Bitmap, first: number, { docs: order, lons, lats, indexOf }: SegmentSites): void {
    this.reserve(order.length);
    const matches = countDocs(docs);
    if (isList(docs) || matches * FEW_SHARE < order.length) {
      const few = toList(docs, matches);
      for (let at = few.length - 1; at >= 0; at--) {
        const i = indexOf[few[at] as number] as number;
        if (i !== NOWHERE) this.put(first + (few[at] as number), lons[i] as number, lats[i] as number);
      }
      return;
    }
    const { lons: ownLons, lats: ownLats, positions } = this;
    let { count } = this;
    for (let i = 0; i < order.length; i++) {
      const doc = order[i] as number;
      // Written in any case, and kept only if it matches: whether it does cannot be predicted.
      ownLons[count] = roundUnits(lons[i] as number);
      ownLats[count] = roundUnits(lats[i] as number);
      positions[count] = first + doc;
      count += ((docs[doc >>> 5] as number) >>> (doc & 31)) & 1;
    }
    this.count = count;
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
    this.positions = new Int32Array(length);
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
  for (let i = 0; i < count; ) {
    const [column, row, start] = [(lons[i] as number) >> bits, (lats[i] as number) >> bits, i];
    let [lonSum, latSum] = [0, 0];
    do {
      lonSum += lons[i] as number;
      latSum += lats[i] as number;
      i += 1;
    } while (i < count && (lons[i] as number) >> bits === column && (lats[i] as number) >> bits === row);
    const cell = (column - west) * rows + row - south;
    counts[cell] = (counts[cell] as number) + i - start;
    lonSums[cell] = (lonSums[cell] as number) + lonSum;
    latSums[cell] = (latSums[cell] as number) + latSum;
    last[cell] = positions[start] as number;
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
