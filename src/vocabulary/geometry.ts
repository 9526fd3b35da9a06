import { fail, ok, type Result } from './result.ts';

export type Position = [lon: number, lat: number];
export type Ring = Position[];
export type Polygon = { type: 'Polygon'; coordinates: Ring[] };
export type MultiPolygon = { type: 'MultiPolygon'; coordinates: Ring[][] };
export type Point = { type: 'Point'; coordinates: Position };
export type AreaGeometry = Polygon | MultiPolygon;
export type Geometry = Point | AreaGeometry;

/** The bounds of Japan with all islands; swapped axes are outside. */
export const JAPAN = { west: 122, east: 154.5, south: 20, north: 46 } as const;

const GRS80_A = 6_378_137;
const GRS80_E2 = 0.006_694_380_022_9;
const MAX_POSITIONS = 200_000;

/** Metres per degree of latitude and of longitude at a latitude, on GRS80. */
export function metresPerDegree(lat: number): { lat: number; lon: number } {
  const phi = (lat * Math.PI) / 180;
  const w2 = 1 - GRS80_E2 * Math.sin(phi) ** 2;
  return {
    lat: ((Math.PI / 180) * (GRS80_A * (1 - GRS80_E2))) / w2 ** 1.5,
    lon: ((Math.PI / 180) * GRS80_A * Math.cos(phi)) / Math.sqrt(w2),
  };
}

export function polygonsOf(geometry: AreaGeometry): Ring[][] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

/** A valid geometry, rounded, or why it is invalid. */
export function parseGeometry(value: unknown): Result<Geometry, string> {
  const fault = faultInForm(value);
  if (fault !== undefined) return fail(fault);
  const geometry = roundGeometry(value as Geometry);
  const shapeless = geometry.type === 'Point' ? undefined : faultInShape(geometry);
  return shapeless === undefined ? ok(geometry) : fail(shapeless);
}

/** Why a geometry is invalid, or undefined. */
export function faultInGeometry(value: unknown): string | undefined {
  const parsed = parseGeometry(value);
  return parsed.ok ? undefined : parsed.failure;
}

function faultInForm(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a GeoJSON object';
  for (const key of Object.keys(value)) if (key !== 'type' && key !== 'coordinates') return `has an unknown key`;
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  if (type === 'Point') return faultInPosition(coordinates);
  if (type !== 'Polygon' && type !== 'MultiPolygon') return 'must be a Point, Polygon or MultiPolygon';
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons) || polygons.length === 0) return 'has no polygon';
  let positions = 0;
  for (const polygon of polygons) {
    if (!Array.isArray(polygon) || polygon.length === 0) return 'has a polygon without rings';
    for (const ring of polygon) {
      if (!Array.isArray(ring) || ring.length < 4) return 'has a ring of fewer than four positions';
      positions += ring.length;
      if (positions > MAX_POSITIONS) return `has more than ${MAX_POSITIONS} positions`;
      for (const position of ring) {
        const fault = faultInPosition(position);
        if (fault !== undefined) return fault;
      }
      const [first, last] = [ring[0], ring[ring.length - 1]];
      if (first[0] !== last[0] || first[1] !== last[1]) return 'has a ring that is not closed';
    }
  }
  return undefined;
}

/** Valid rings may still enclose no area: a line there and back, or a hole as large as its polygon. */
function faultInShape(geometry: AreaGeometry): string | undefined {
  const { areaM2, bbox } = measure(geometry);
  const [lon, lat] = centroidOf(geometry);
  const inside = lon >= bbox[0] && lat >= bbox[1] && lon <= bbox[2] && lat <= bbox[3];
  if (areaM2 <= 0 || !inside) return 'has rings without area';
  return polygonsOf(geometry).some((rings) => rings.some(crossesItself)) ? 'has a ring that crosses itself' : undefined;
}

/** Limit of the check for crossings: a coastline needs fewer steps. */
const MAX_STEPS = 20_000_000;

/** Whether edges cross; touching or overlapping edges do not. */
function crossesItself(ring: Ring): boolean {
  const count = ring.length - 1;
  if (count < 4) return false;
  const points = Int32Array.from(ring.flat(), (degrees) => Math.round(degrees * 1e7));
  const [width, height] = [extent(points, 0), extent(points, 1)];
  const axis = width >= height ? 0 : 1;
  const low = (edge: number, along: number) => Math.min(at(points, edge, along), at(points, edge + 1, along));
  const high = (edge: number, along: number) => Math.max(at(points, edge, along), at(points, edge + 1, along));
  const order = Uint32Array.from({ length: count }, (_, edge) => edge).sort((a, b) => low(a, axis) - low(b, axis));
  let steps = 0;
  for (let i = 0; i < count; i++) {
    const edge = order[i] as number;
    const end = high(edge, axis);
    for (let j = i + 1; j < count; j++) {
      const other = order[j] as number;
      if (low(other, axis) >= end) break;
      if (++steps > MAX_STEPS) return false;
      const across = 1 - axis;
      if (low(other, across) >= high(edge, across) || high(other, across) <= low(edge, across)) continue;
      if (cross(points, edge, other)) return true;
    }
  }
  return false;
}

function at(points: Int32Array, point: number, along: number): number {
  return points[point * 2 + along] as number;
}

function extent(points: Int32Array, along: number): number {
  let [least, most] = [points[along] as number, points[along] as number];
  for (let i = along; i < points.length; i += 2) {
    least = Math.min(least, points[i] as number);
    most = Math.max(most, points[i] as number);
  }
  return most - least;
}

/** Whether each edge separates the ends of the other, in integers, so that rounding cannot decide. */
function cross(points: Int32Array, a: number, b: number): boolean {
  return side(points, a, b) * side(points, a, b + 1) < 0 && side(points, b, a) * side(points, b, a + 1) < 0;
}

function side(points: Int32Array, edge: number, point: number): number {
  const [x, y] = [at(points, edge, 0), at(points, edge, 1)];
  const turn =
    (at(points, edge + 1, 0) - x) * (at(points, point, 1) - y) -
    (at(points, edge + 1, 1) - y) * (at(points, point, 0) - x);
  return Math.sign(turn);
}

function faultInPosition(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return 'has a position that is not [lon, lat]';
  const [lon, lat] = value;
  if (!value.every((part) => typeof part === 'number')) return 'has a position that is not a pair of numbers';
  const inside = lon >= JAPAN.west && lon <= JAPAN.east && lat >= JAPAN.south && lat <= JAPAN.north;
  return inside ? undefined : 'has a position outside Japan (positions are [longitude, latitude])';
}

/** To seven decimals (about a centimetre), without heights. */
export function roundGeometry<G extends Geometry>(geometry: G): G {
  const round = ([lon, lat]: Position): Position => [round7(lon), round7(lat)];
  if (geometry.type === 'Point') return { type: 'Point', coordinates: round(geometry.coordinates) } as G;
  const rounded = polygonsOf(geometry).map((polygon) => polygon.map((ring) => ring.map(round)));
  const coordinates = geometry.type === 'Polygon' ? rounded[0] : rounded;
  return { type: geometry.type, coordinates } as G;
}

export function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Signed area in square degrees. */
function ringArea(ring: Ring): number {
  const [x0, y0] = ring[0] as Position;
  let twice = 0;
  for (let i = 0; i < ring.length - 1; i++) {
    const [ax, ay] = ring[i] as Position;
    const [bx, by] = ring[i + 1] as Position;
    twice += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return twice / 2;
}

/** RFC 7946: exterior rings are counter-clockwise, holes clockwise. Every ring keeps its first position. */
export function windRings<G extends AreaGeometry>(geometry: G): G {
  const wound = polygonsOf(geometry).map((polygon) =>
    polygon.map((ring, index) => (isClockwise(ring) === index > 0 ? ring : ring.toReversed())),
  );
  return { type: geometry.type, coordinates: geometry.type === 'Polygon' ? wound[0] : wound } as G;
}

/** In units of the seventh decimal, so that rounding cannot reverse a narrow ring. */
function isClockwise(ring: Ring): boolean {
  return ringArea(ring.map(([lon, lat]) => [Math.round(lon * 1e7), Math.round(lat * 1e7)])) < 0;
}

/** The centre of area, without holes. */
export function centroidOf(geometry: Geometry): Position {
  if (geometry.type === 'Point') return geometry.coordinates;
  const [x0, y0] = polygonsOf(geometry)[0]?.[0]?.[0] ?? [0, 0];
  let area = 0;
  let x = 0;
  let y = 0;
  for (const polygon of polygonsOf(geometry)) {
    polygon.forEach((ring, index) => {
      const sign = Math.sign(ringArea(ring)) * (index === 0 ? 1 : -1);
      for (let i = 0; i < ring.length - 1; i++) {
        const ax = (ring[i] as Position)[0] - x0;
        const ay = (ring[i] as Position)[1] - y0;
        const bx = (ring[i + 1] as Position)[0] - x0;
        const by = (ring[i + 1] as Position)[1] - y0;
        const cross = (ax * by - bx * ay) * sign;
        area += cross;
        x += (ax + bx) * cross;
        y += (ay + by) * cross;
      }
    });
  }
  return [round7(x0 + x / (3 * area)), round7(y0 + y / (3 * area))];
}

export interface Measures {
  areaM2: number;
  perimeterM: number;
  bbox: [west: number, south: number, east: number, north: number];
}

export function boxOf(geometry: AreaGeometry): Measures['bbox'] {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const polygon of polygonsOf(geometry)) {
    for (const [lon, lat] of polygon[0] as Ring) {
      if (lon < west) west = lon;
      if (lon > east) east = lon;
      if (lat < south) south = lat;
      if (lat > north) north = lat;
    }
  }
  return [west, south, east, north];
}

export function measure(geometry: AreaGeometry): Measures {
  const bbox = boxOf(geometry);
  const scale = metresPerDegree((bbox[1] + bbox[3]) / 2);
  let areaM2 = 0;
  let perimeterM = 0;
  for (const polygon of polygonsOf(geometry)) {
    polygon.forEach((ring, index) => {
      areaM2 += Math.abs(ringArea(ring)) * scale.lat * scale.lon * (index === 0 ? 1 : -1);
      if (index > 0) return;
      for (let i = 0; i < ring.length - 1; i++) {
        const [ax, ay] = ring[i] as Position;
        const [bx, by] = ring[i + 1] as Position;
        perimeterM += Math.hypot((bx - ax) * scale.lon, (by - ay) * scale.lat);
      }
    });
  }
  return { areaM2: Math.round(areaM2 * 100) / 100, perimeterM: Math.round(perimeterM * 100) / 100, bbox };
}

export function contains(geometry: AreaGeometry, [x, y]: Position): boolean {
  return polygonsOf(geometry).some((polygon) => {
    let inside = false;
    for (const ring of polygon) {
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        const [ax, ay] = ring[i] as Position;
        const [bx, by] = ring[j] as Position;
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      }
    }
    return inside;
  });
}
