import { type Bitmap, DocSet } from './bitmaps.ts';
import {
  BEYOND,
  type Bounds,
  boxOfSite,
  type DistanceFrom,
  decodeSite,
  SLACK_M,
  UNCERTAIN,
  type UnitBox,
  WITHIN,
} from './site.ts';

/** The sites of a segment's entries, as they are stored: 18 bytes for each entry with a point. */
export interface SegmentSites {
  /** The offsets of the entries, by band of latitude from the south, and by longitude within a band. */
  docs: Uint16Array;
  lons: Int32Array;
  lats: Int32Array;
  /** How far the box of each footprint reaches west, south, east and north of the point; LARGE if farther than that. */
  reaches: Uint16Array;
  /** Entries with a large footprint, and their boxes. */
  largeDocs: Uint16Array;
  largeBoxes: Int32Array;
  /** Where each entry is in these lists; NOWHERE without a point. */
  indexOf: Uint16Array;
  /** The entries without a point. */
  nowhere: Bitmap;
}

export const NOWHERE = 0xffff;
const LARGE = 0xffff;
/** The height of a band, as a power of two: 0.0033 degrees, about 360 m. */
const BAND_BITS = 15;

interface EntrySite {
  offset: number;
  site: Uint8Array | null;
}

interface PlacedEntry {
  doc: number;
  lon: number;
  lat: number;
  box: UnitBox;
}

/** The bytes of a segment's sites. */
export function buildSites(entries: Iterable<EntrySite>): Uint8Array {
  const placed: PlacedEntry[] = [];
  for (const { offset, site } of entries) {
    if (site === null) continue;
    const decoded = decodeSite(site);
    placed.push({ doc: offset, lon: decoded.lon, lat: decoded.lat, box: boxOfSite(decoded) });
  }
  return encodeSites(placed);
}

/** The bytes with the sites of some entries replaced. */
export function replaceSites(bytes: Uint8Array, size: number, changed: readonly EntrySite[]): Uint8Array {
  const sites = decodeSites(bytes, size);
  const gone = new Set(changed.map(({ offset }) => offset));
  const kept: PlacedEntry[] = [];
  for (let i = 0; i < sites.docs.length; i++) {
    const doc = sites.docs[i] as number;
    if (gone.has(doc)) continue;
    kept.push({ doc, lon: sites.lons[i] as number, lat: sites.lats[i] as number, box: boxAt(sites, i) });
  }
  for (const { offset, site } of changed) {
    if (site === null) continue;
    const decoded = decodeSite(site);
    kept.push({ doc: offset, lon: decoded.lon, lat: decoded.lat, box: boxOfSite(decoded) });
  }
  return encodeSites(kept);
}

function encodeSites(placed: PlacedEntry[]): Uint8Array {
  const order = placed.sort(
    (a, b) => (a.lat >> BAND_BITS) - (b.lat >> BAND_BITS) || a.lon - b.lon || a.lat - b.lat || a.doc - b.doc,
  );
  const large = order.filter((entry) => reachOf(entry).some((reach) => reach >= LARGE));
  const parts = [
    Uint32Array.of(order.length, large.length),
    Int32Array.from(order, ({ lon }) => lon),
    Int32Array.from(order, ({ lat }) => lat),
    Int32Array.from(large.flatMap(({ box }) => box)),
    Uint16Array.from(order.flatMap((entry) => reachOf(entry).map((reach) => Math.min(reach, LARGE)))),
    Uint16Array.from(order, ({ doc }) => doc),
    Uint16Array.from(large, ({ doc }) => doc),
  ];
  return Buffer.concat(parts.map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer)));
}

const reachOf = ({ lon, lat, box: [west, south, east, north] }: PlacedEntry) => [
  lon - west,
  lat - south,
  east - lon,
  north - lat,
];

/** `size` is that of the segment. */
export function decodeSites(bytes: Uint8Array, size: number): SegmentSites {
  // Copied, because typed arrays need aligned bytes.
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const [count, large] = new Uint32Array(buffer, 0, 2) as unknown as [number, number];
  let at = 8;
  const ints = (length: number) => {
    at += 4 * length;
    return new Int32Array(buffer, at - 4 * length, length);
  };
  const shorts = (length: number) => {
    at += 2 * length;
    return new Uint16Array(buffer, at - 2 * length, length);
  };
  const [lons, lats, largeBoxes] = [ints(count), ints(count), ints(4 * large)];
  const [reaches, docs, largeDocs] = [shorts(4 * count), shorts(count), shorts(large)];
  const indexOf = new Uint16Array(size).fill(NOWHERE);
  for (let i = 0; i < count; i++) indexOf[docs[i] as number] = i;
  const nowhere = new DocSet(size);
  if (count < size) for (let doc = 0; doc < size; doc++) if (indexOf[doc] === NOWHERE) nowhere.add(doc);
  return { docs, lons, lats, reaches, largeDocs, largeBoxes, indexOf, nowhere: nowhere.toBitmap() };
}

const isLarge = ({ reaches }: SegmentSites, i: number) =>
  reaches[4 * i] === LARGE ||
  reaches[4 * i + 1] === LARGE ||
  reaches[4 * i + 2] === LARGE ||
  reaches[4 * i + 3] === LARGE;

/** The box of an entry, by its index. */
function boxAt(sites: SegmentSites, i: number): UnitBox {
  const { docs, lons, lats, reaches, largeDocs, largeBoxes } = sites;
  if (isLarge(sites, i)) {
    const at = 4 * largeDocs.indexOf(docs[i] as number);
    return [...largeBoxes.subarray(at, at + 4)] as UnitBox;
  }
  const [lon, lat] = [lons[i] as number, lats[i] as number];
  return [
    lon - (reaches[4 * i] as number),
    lat - (reaches[4 * i + 1] as number),
    lon + (reaches[4 * i + 2] as number),
    lat + (reaches[4 * i + 3] as number),
  ];
}

/** Calls a function with the index of each entry whose box meets another; both include their edges. */
function visitMeeting(sites: SegmentSites, [west, south, east, north]: UnitBox, visit: (i: number) => void): void {
  const { lons, lats, reaches, largeDocs, largeBoxes, indexOf } = sites;
  const top = (north + LARGE) >> BAND_BITS;
  for (let i = firstFrom(sites, (south - LARGE) >> BAND_BITS, -Infinity); i < lons.length; ) {
    const band = (lats[i] as number) >> BAND_BITS;
    if (band > top) break;
    // Where the building before begins is not known, so everything in reach of the box is looked at.
    i = firstFrom(sites, band, west - LARGE);
    for (; i < lons.length && (lons[i] as number) <= east + LARGE && (lats[i] as number) >> BAND_BITS === band; i++) {
      const [lon, lat] = [lons[i] as number, lats[i] as number];
      if (
        lon - (reaches[4 * i] as number) <= east &&
        lon + (reaches[4 * i + 2] as number) >= west &&
        lat - (reaches[4 * i + 1] as number) <= north &&
        lat + (reaches[4 * i + 3] as number) >= south &&
        !isLarge(sites, i)
      ) {
        visit(i);
      }
    }
    i = firstFrom(sites, band + 1, -Infinity);
  }
  for (let large = 0; large < largeDocs.length; large++) {
    const at = 4 * large;
    if (
      (largeBoxes[at] as number) <= east &&
      (largeBoxes[at + 1] as number) <= north &&
      (largeBoxes[at + 2] as number) >= west &&
      (largeBoxes[at + 3] as number) >= south
    ) {
      visit(indexOf[largeDocs[large] as number] as number);
    }
  }
}

/** The first index in a band, or above it, from a longitude on. */
function firstFrom({ lons, lats }: SegmentSites, band: number, lon: number): number {
  let [low, high] = [0, lons.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = (lats[middle] as number) >> BAND_BITS;
    if (there < band || (there === band && (lons[middle] as number) < lon)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries whose box meets another. */
export function docsMeeting(sites: SegmentSites, box: UnitBox): Bitmap {
  const found = new DocSet(sites.indexOf.length);
  visitMeeting(sites, box, (i) => found.add(sites.docs[i] as number));
  return found.toBitmap();
}

/** The entries whose footprint meets a box. */
export function docsInWindow(sites: SegmentSites, box: UnitBox): NearDocs {
  const sure = new DocSet(sites.indexOf.length);
  const maybe = new DocSet(sites.indexOf.length);
  visitMeeting(sites, box, (i) => (certainlyMeets(sites, i, box) ? sure : maybe).add(sites.docs[i] as number));
  return { sure: sure.toBitmap(), maybe: maybe.toBitmap() };
}

/** A footprint touches every side of its own box, so one side that lies in the other box is enough. */
function certainlyMeets(sites: SegmentSites, i: number, [w, s, e, n]: UnitBox): boolean {
  if (isLarge(sites, i)) return false;
  const { lons, lats, reaches } = sites;
  const [lon, lat] = [lons[i] as number, lats[i] as number];
  const hasWest = lon - (reaches[4 * i] as number) >= w;
  const hasSouth = lat - (reaches[4 * i + 1] as number) >= s;
  const hasEast = lon + (reaches[4 * i + 2] as number) <= e;
  const hasNorth = lat + (reaches[4 * i + 3] as number) <= n;
  return (hasWest && hasEast && (hasSouth || hasNorth)) || (hasSouth && hasNorth && (hasWest || hasEast));
}

/** A box around all entries; undefined without any. */
export function boxOfSites(sites: SegmentSites): UnitBox | undefined {
  let all: UnitBox | undefined;
  for (let i = 0; i < sites.docs.length; i++) all = joinBoxes(all, boxAt(sites, i));
  return all;
}

export function joinBoxes(a: UnitBox | undefined, b: UnitBox): UnitBox {
  if (a === undefined) return b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Entries near a position or in a window. */
export interface NearDocs {
  /** Certainly. */
  sure: Bitmap;
  /** Their footprint decides. */
  maybe: Bitmap;
}

/** The entries within a distance of a position. */
export function docsNear(sites: SegmentSites, from: DistanceFrom, radius: number): NearDocs {
  const sure = new DocSet(sites.indexOf.length);
  const maybe = new DocSet(sites.indexOf.length);
  visitMeeting(sites, from.boxWithin(radius + 1), (i) => {
    // Most are decided by how far they reach at most; few by their box.
    const side = sideAt(sites, i, from, radius);
    if (side === BEYOND) return;
    if (side === WITHIN) return sure.add(sites.docs[i] as number);
    const { least, most } = boundsAt(sites, i, from);
    if (least > radius + SLACK_M) return;
    (most <= radius - SLACK_M ? sure : maybe).add(sites.docs[i] as number);
  });
  return { sure: sure.toBitmap(), maybe: maybe.toBitmap() };
}

/** Whether an entry is certainly within a distance or beyond it, by its index. */
export function sideAt(
  sites: SegmentSites,
  i: number,
  from: DistanceFrom,
  metres: number,
): ReturnType<DistanceFrom['sideOf']> {
  if (isLarge(sites, i)) return UNCERTAIN;
  const { lons, lats } = sites;
  return from.sideOf(lons[i] as number, lats[i] as number, reachX(sites, i), reachY(sites, i), metres);
}

const reachX = ({ reaches }: SegmentSites, i: number) =>
  Math.max(reaches[4 * i] as number, reaches[4 * i + 2] as number);
const reachY = ({ reaches }: SegmentSites, i: number) =>
  Math.max(reaches[4 * i + 1] as number, reaches[4 * i + 3] as number);

/** A distance that an entry does not exceed, by its index. */
export function farthestAt(sites: SegmentSites, i: number, from: DistanceFrom): number {
  if (isLarge(sites, i)) return boundsAt(sites, i, from).most;
  const { lons, lats } = sites;
  return Math.sqrt(from.farthest(lons[i] as number, lats[i] as number, reachX(sites, i), reachY(sites, i)));
}

/** How far an entry is, by its index. */
export function boundsAt(sites: SegmentSites, i: number, from: DistanceFrom): Bounds {
  const [west, south, east, north] = boxAt(sites, i);
  return from.toBox(sites.lats[i] as number, west, south, east, north);
}
