export type Position = [lon: number, lat: number];
export type Ring = Position[];
export type Polygon = { type: 'Polygon'; coordinates: Ring[] };
export type MultiPolygon = { type: 'MultiPolygon'; coordinates: Ring[][] };
export type Point = { type: 'Point'; coordinates: Position };
export type AreaGeometry = Polygon | MultiPolygon;
export type Geometry = Point | AreaGeometry;

/** Longitude and latitude that hold every island of Japan; swapped axes fall outside. */
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

/** Why a value from outside is no geometry that can be kept, or undefined where it is one. */
export function faultInGeometry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a GeoJSON object';
  for (const key of Object.keys(value)) if (key !== 'type' && key !== 'coordinates') return `has an unknown key`;
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  if (type === 'Point') return faultInPosition(coordinates);
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : undefined;
  if (polygons === undefined) return 'must be a Point, Polygon or MultiPolygon';
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
    if (ringArea(polygon[0]) === 0) return 'has a ring without area';
  }
  return undefined;
}

function faultInPosition(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return 'has a position that is no [lon, lat]';
  const [lon, lat] = value;
  if (typeof lon !== 'number' || typeof lat !== 'number') return 'has a position that is no pair of numbers';
  const inside = lon >= JAPAN.west && lon <= JAPAN.east && lat >= JAPAN.south && lat <= JAPAN.north;
  return inside ? undefined : 'has a position outside Japan (positions are [longitude, latitude])';
}

/** Seven decimals (about a centimetre), heights dropped. */
export function roundGeometry<G extends Geometry>(geometry: G): G {
  const round = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    return typeof value[0] === 'number' ? [round7(value[0]), round7(value[1])] : value.map(round);
  };
  return { type: geometry.type, coordinates: round(geometry.coordinates) } as G;
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

/** The centre of area; holes count against it. */
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

export function measure(geometry: AreaGeometry): Measures {
  const bbox: Measures['bbox'] = [180, 90, -180, -90];
  for (const polygon of polygonsOf(geometry)) {
    for (const [lon, lat] of polygon[0] as Ring) {
      bbox[0] = Math.min(bbox[0], lon);
      bbox[1] = Math.min(bbox[1], lat);
      bbox[2] = Math.max(bbox[2], lon);
      bbox[3] = Math.max(bbox[3], lat);
    }
  }
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

/** The tile of a place: its JIS X 0410 third-order mesh cell, about one kilometre wide, as eight digits. */
export function meshCodeOf([lon, lat]: Position): string {
  const y = Math.floor(lat * 120);
  const x = Math.floor((lon - 100) * 80);
  const first = `${Math.floor(y / 80)}${String(Math.floor(x / 80)).padStart(2, '0')}`;
  const second = `${Math.floor((y % 80) / 10)}${Math.floor((x % 80) / 10)}`;
  return `${first}${second}${y % 10}${x % 10}`;
}

/** The tile and the eight around it. */
export function meshNeighbourhood([lon, lat]: Position): string[] {
  const codes: string[] = [];
  for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) codes.push(meshCodeOf([lon + dx / 80, lat + dy / 120]));
  return codes;
}

/** The centre of a tile. */
export function meshCentre(code: string): Position {
  const d = (i: number, n = 1) => Number(code.slice(i, i + n));
  const y = d(0, 2) * 80 + d(4) * 10 + d(6);
  const x = d(2, 2) * 80 + d(5) * 10 + d(7);
  return [100 + (x + 0.5) / 80, (y + 0.5) / 120];
}
