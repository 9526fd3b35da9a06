import type { Canonical } from '../../../vocabulary/canonical.ts';
import { type AreaGeometry, metresPerDegree, type Position, polygonsOf } from '../../../vocabulary/geometry.ts';

/** Positions are stored exactly: published coordinates have seven decimals, and fit into 32 bits. */
const UNITS_PER_DEGREE = 1e7;

/**
 * Where a building is, in units of 1e-7 degrees: its point, and the rings of each polygon of its footprint (longitude and
 * latitude in turn, without the repeated last position).
 */
export interface Site {
  lon: number;
  lat: number;
  /** Empty for a building without a footprint. */
  polygons: readonly (readonly Int32Array[])[];
}

/** [west, south, east, north] */
export type UnitBox = [number, number, number, number];

/** The bytes of a site: its point, then the numbers of polygons, rings and positions, and the steps between positions. */
export function encodeSite({ point, footprint }: Pick<Canonical, 'point' | 'footprint'>): Uint8Array | null {
  if (point === null) return null;
  const [lon, lat] = point.map(toUnits) as Position;
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
    bytes.push(rest);
  };
  const putSigned = (value: number) => put(value < 0 ? -2 * value - 1 : 2 * value);
  if (footprint !== null) {
    let [x, y] = [lon, lat];
    const polygons = polygonsOf(footprint.geometry);
    put(polygons.length);
    for (const rings of polygons) {
      put(rings.length);
      for (const ring of rings) {
        put(ring.length - 1);
        for (const position of ring.slice(0, -1)) {
          const [nextX, nextY] = position.map(toUnits) as Position;
          putSigned(nextX - x);
          putSigned(nextY - y);
          [x, y] = [nextX, nextY];
        }
      }
    }
  }
  const encoded = Buffer.alloc(POINT_BYTES + bytes.length);
  encoded.writeInt32LE(lon, 0);
  encoded.writeInt32LE(lat, 4);
  encoded.set(bytes, POINT_BYTES);
  return encoded;
}

const POINT_BYTES = 8;

const toUnits = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE);
export const toDegrees = (units: number) => units / UNITS_PER_DEGREE;

export function decodeSite(bytes: Uint8Array): Site {
  const [lon, lat] = [readInt32(bytes, 0), readInt32(bytes, 4)];
  if (bytes.length === POINT_BYTES) return { lon, lat, polygons: [] };
  let at = POINT_BYTES;
  const take = () => {
    let [value, factor] = [0, 1];
    for (; ; factor *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const takeSigned = () => {
    const value = take();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  let [x, y] = [lon, lat];
  const polygons: Int32Array[][] = [];
  for (let left = take(); left > 0; left--) {
    const rings: Int32Array[] = [];
    for (let ringsLeft = take(); ringsLeft > 0; ringsLeft--) {
      const ring = new Int32Array(2 * take());
      for (let i = 0; i < ring.length; i += 2) {
        x += takeSigned();
        y += takeSigned();
        ring[i] = x;
        ring[i + 1] = y;
      }
      rings.push(ring);
    }
    polygons.push(rings);
  }
  return { lon, lat, polygons };
}

/** The same as a DataView, which takes longer to make. */
const readInt32 = (bytes: Uint8Array, at: number) =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);

/** The footprint, in degrees; null if there is none. */
export function footprintOfSite({ polygons }: Site): AreaGeometry | null {
  const rings = polygons.map((polygon) => polygon.map(ringOf));
  const [only] = rings;
  if (only === undefined) return null;
  return rings.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: rings };
}

function ringOf(units: Int32Array): Position[] {
  const ring: Position[] = [];
  for (let i = 0; i <= units.length; i += 2) {
    const at = i % units.length;
    ring.push([toDegrees(units[at] as number), toDegrees(units[at + 1] as number)]);
  }
  return ring;
}

/** The point, in degrees. */
export function decodePoint(bytes: Uint8Array): { lon: number; lat: number } {
  return { lon: toDegrees(readInt32(bytes, 0)), lat: toDegrees(readInt32(bytes, 4)) };
}

/** The bounding box of the footprint, or of the point without one. */
export function boxOfSite({ lon, lat, polygons }: Site): UnitBox {
  if (polygons.length === 0) return [lon, lat, lon, lat];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [outer] of polygons as [Int32Array][]) {
    for (let i = 0; i < outer.length; i += 2) {
      const [x, y] = [outer[i] as number, outer[i + 1] as number];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  return [west, south, east, north];
}

/** The units inside a box of degrees: an edge that a client copies from a record is inside. */
export function toUnitBox([west, south, east, north]: readonly [number, number, number, number]): UnitBox {
  return [notBelow(west), notBelow(south), notAbove(east), notAbove(north)];
}

/** Multiplication rounds, so the neighbours decide. */
function notAbove(degrees: number): number {
  const near = toUnits(degrees);
  return toDegrees(near) <= degrees ? near : near - 1;
}

const notBelow = (degrees: number) => -notAbove(-degrees);

/** The same box without rounding: what a footprint meets may be smaller than a unit. */
export const toExactBox = (degrees: readonly [number, number, number, number]): UnitBox =>
  degrees.map(exactUnits) as UnitBox;

/** An edge that a client copies from a record is exactly on the unit. */
function exactUnits(degrees: number): number {
  const near = toUnits(degrees);
  return toDegrees(near) === degrees ? near : degrees * UNITS_PER_DEGREE;
}

/** Whether a footprint, or the point without one, and a box have a position in common; edges belong to both. */
export function siteMeets({ lon, lat, polygons }: Site, box: UnitBox): boolean {
  if (polygons.length === 0) return isInBox(lon, lat, box);
  return polygons.some((rings) => rings.some((ring) => ringMeets(ring, box)) || isInside(rings, box[0], box[1]));
}

const isInBox = (x: number, y: number, [west, south, east, north]: UnitBox) =>
  x >= west && x <= east && y >= south && y <= north;

/** Whether an edge of a ring meets a box. */
function ringMeets(ring: Int32Array, box: UnitBox): boolean {
  const [west, south, east, north] = box;
  let [ax, ay] = [ring[ring.length - 2] as number, ring[ring.length - 1] as number];
  for (let i = 0; i < ring.length; i += 2) {
    const [bx, by] = [ring[i] as number, ring[i + 1] as number];
    const isApart =
      Math.min(ax, bx) > east || Math.max(ax, bx) < west || Math.min(ay, by) > north || Math.max(ay, by) < south;
    if (!isApart) {
      // The line through the edge meets the box unless all corners are on one side of it.
      const sideOf = (x: number, y: number) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
      const sides = [sideOf(west, south), sideOf(west, north), sideOf(east, south), sideOf(east, north)];
      if (!sides.every((side) => side > 0) && !sides.every((side) => side < 0)) return true;
    }
    [ax, ay] = [bx, by];
  }
  return false;
}

/** Whether a position is inside a polygon: a box that meets no edge is inside as a whole or not at all. */
function isInside(rings: readonly Int32Array[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    let [ax, ay] = [(ring[ring.length - 2] as number) - x, (ring[ring.length - 1] as number) - y];
    for (let i = 0; i < ring.length; i += 2) {
      const [bx, by] = [(ring[i] as number) - x, (ring[i + 1] as number) - y];
      if (ay > 0 !== by > 0 && ax - (ay * (bx - ax)) / (by - ay) > 0) inside = !inside;
      [ax, ay] = [bx, by];
    }
  }
  return inside;
}

export interface Bounds {
  /** In metres; 0 inside the box. */
  least: number;
  /** The footprint touches every side of its box, so it is not farther than this. */
  most: number;
}

/** Distances from one position, on a plane that is true to scale between it and each building. */
export class DistanceFrom {
  readonly #x: number;
  readonly #y: number;
  /** Metres per unit of latitude; of longitude at this latitude, and how that changes per unit half of the way to a building. */
  readonly #perLat: number;
  readonly #perLon: number;
  readonly #lonChange: number;

  constructor({ lat, lon }: { lat: number; lon: number }) {
    this.#x = lon * UNITS_PER_DEGREE;
    this.#y = lat * UNITS_PER_DEGREE;
    const here = metresPerDegree(lat);
    const [south, north] = [metresPerDegree(lat - STEP).lon, metresPerDegree(lat + STEP).lon];
    this.#perLat = toDegrees(here.lat);
    this.#perLon = toDegrees(here.lon);
    this.#lonChange = toDegrees(toDegrees((north - south) / (2 * STEP))) / 2;
  }

  /** A box that contains everything within a distance. */
  boxWithin(metres: number): UnitBox {
    const dy = metres / this.#perLat;
    const scale = Math.min(this.#lonScale(this.#y - 2 * dy), this.#lonScale(this.#y + 2 * dy));
    const dx = metres / scale;
    return [this.#x - dx, this.#y - dy, this.#x + dx, this.#y + dy];
  }

  #lonScale(lat: number): number {
    return this.#perLon + (lat - this.#y) * this.#lonChange;
  }

  /**
   * Whether everything that reaches so far east or west and north or south of a building's point is certainly within a
   * distance, or certainly beyond it. Makes no objects: it is asked of every building in the box of a circle.
   */
  sideOf(lon: number, lat: number, reachX: number, reachY: number, metres: number): Side {
    const [perLon, perLat] = [this.#lonScale(lat), this.#perLat];
    const [dx, dy] = [Math.abs(lon - this.#x), Math.abs(lat - this.#y)];
    const inner = metres - SLACK_M;
    if (inner > 0 && this.farthest(lon, lat, reachX, reachY) <= inner * inner) return WITHIN;
    const [nearX, nearY] = [Math.max(0, dx - reachX) * perLon, Math.max(0, dy - reachY) * perLat];
    const outer = metres + SLACK_M;
    return nearX * nearX + nearY * nearY > outer * outer ? BEYOND : UNCERTAIN;
  }

  /** How far the farthest part of it can be, squared. */
  farthest(lon: number, lat: number, reachX: number, reachY: number): number {
    const x = (Math.abs(lon - this.#x) + reachX) * this.#lonScale(lat);
    const y = (Math.abs(lat - this.#y) + reachY) * this.#perLat;
    return x * x + y * y;
  }

  /** `lat` is that of the building's point. */
  toBox(lat: number, west: number, south: number, east: number, north: number): Bounds {
    const [perLon, perLat] = [this.#lonScale(lat), this.#perLat];
    const [w, e] = [(west - this.#x) * perLon, (east - this.#x) * perLon];
    const [s, n] = [(south - this.#y) * perLat, (north - this.#y) * perLat];
    const x = w > 0 ? w : e < 0 ? -e : 0;
    const y = s > 0 ? s : n < 0 ? -n : 0;
    const [nearX, farX] = Math.abs(w) < Math.abs(e) ? [w, e] : [e, w];
    const [nearY, farY] = Math.abs(s) < Math.abs(n) ? [s, n] : [n, s];
    const most = Math.min(nearX * nearX + farY * farY, farX * farX + nearY * nearY);
    return { least: Math.sqrt(x * x + y * y), most: Math.sqrt(most) };
  }

  /** To the footprint, 0 inside; to the point of a building without one. */
  toSite({ lon, lat, polygons }: Site): number {
    const [perLon, perLat] = [this.#lonScale(lat), this.#perLat];
    if (polygons.length === 0) return Math.hypot((lon - this.#x) * perLon, (lat - this.#y) * perLat);
    let least = Number.POSITIVE_INFINITY;
    for (const rings of polygons) {
      let inside = false;
      for (const ring of rings) {
        let ax = ((ring[ring.length - 2] as number) - this.#x) * perLon;
        let ay = ((ring[ring.length - 1] as number) - this.#y) * perLat;
        for (let i = 0; i < ring.length; i += 2) {
          const bx = ((ring[i] as number) - this.#x) * perLon;
          const by = ((ring[i + 1] as number) - this.#y) * perLat;
          if (ay > 0 !== by > 0 && ax - (ay * (bx - ax)) / (by - ay) > 0) inside = !inside;
          least = Math.min(least, squareToEdge(ax, ay, bx, by));
          [ax, ay] = [bx, by];
        }
      }
      if (inside) return 0;
    }
    return Math.sqrt(least);
  }
}

/** In degrees. */
const STEP = 0.05;

/** Rounding must not decide, so within a micrometre the footprint does. */
export const SLACK_M = 1e-6;

export const [BEYOND, UNCERTAIN, WITHIN] = [-1, 0, 1] as const;
type Side = typeof BEYOND | typeof UNCERTAIN | typeof WITHIN;

/** The square of the distance from the origin to the edge between two positions. */
function squareToEdge(ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
  const [x, y] = [ax + along * dx, ay + along * dy];
  return x * x + y * y;
}

/** To a tenth of a metre, as `nearby` shows it. */
export const shownMetres = (metres: number) => Math.round(metres * 10) / 10;
