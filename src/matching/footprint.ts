import { area, FillRule, intersect, type Path64, type Paths64, trimCollinear, union } from 'clipper2-ts';
import {
  type AreaGeometry,
  boxOf,
  type Geometry,
  type Measures,
  metresPerDegree,
  type Position,
  polygonsOf,
  type Ring,
} from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import { GEOMETRY_PRECEDENCE } from '../vocabulary/precedence.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';

export interface ShapedRecord {
  id: number;
  source: Source;
  /** The record names its building, which matching never changes. */
  pinned: boolean;
  geometry: Geometry;
}

/** A record that can be a building, with the ground it covers. */
export class Footprint {
  readonly record: ShapedRecord & { geometry: AreaGeometry };
  readonly extent: FootprintExtent;
  readonly tiles: readonly string[];
  #shape: ClipShape | undefined;

  constructor(record: ShapedRecord & { geometry: AreaGeometry }) {
    this.record = record;
    this.extent = extentOf(record.geometry);
    this.tiles = meshTilesOf(this.extent.box);
  }

  /** Computed when first needed: most footprints of a single source never are compared. */
  get shape(): ClipShape {
    this.#shape ??= toShape(this.record.geometry);
    return this.#shape;
  }

  get box(): Measures['bbox'] {
    return this.extent.box;
  }

  get middle(): Position {
    const [west, south, east, north] = this.box;
    return [(west + east) / 2, (south + north) / 2];
  }

  /** Whether it is of the source with the highest geometry precedence, against which others are compared. */
  get isReference(): boolean {
    return this.record.source === GEOMETRY_PRECEDENCE[0];
  }
}

export function isFootprint(record: ShapedRecord): record is ShapedRecord & { geometry: AreaGeometry } {
  return record.geometry.type !== 'Point' && CREATING_SOURCES.has(record.source);
}

type Box = Measures['bbox'];
type Boxed = { box: Box };

export interface FootprintExtent {
  /** In square units, so that comparisons are exact. */
  area: number;
  box: Box;
}

/** A footprint prepared for clipping, in integers relative to one origin. */
interface ClipShape extends FootprintExtent {
  paths: Paths64;
}

/** Positions have seven decimals. */
export const UNITS_PER_DEGREE = 1e7;
/** One origin for all of Japan, so that a result does not depend on the tile in which it is computed. */
const ORIGIN = { lon: 138, lat: 36 } as const;

/** Cheap measures of a footprint: the area of its largest polygon, and its box. */
export function extentOf(geometry: AreaGeometry): FootprintExtent {
  let most = 0;
  for (const rings of polygonsOf(geometry)) {
    let sum = 0;
    rings.forEach((ring, index) => {
      const covered = Math.abs(area(toPath(ring)));
      sum += index === 0 ? covered : -covered;
    });
    most = Math.max(most, sum);
  }
  return { area: most, box: boxOf(geometry) };
}

function toPath(ring: Ring): Path64 {
  return ring.slice(0, -1).map(([lon, lat]) => ({
    x: Math.round((lon - ORIGIN.lon) * UNITS_PER_DEGREE),
    y: Math.round((lat - ORIGIN.lat) * UNITS_PER_DEGREE),
  }));
}

export function toShape(geometry: AreaGeometry): ClipShape {
  const polygons = polygonsOf(geometry).map((polygon): Paths64 => {
    const rings = polygon.map(toPath);
    // Self-intersecting rings follow the even-odd rule, as in a point-in-polygon test. Spikes are removed first,
    // because clipping would remove their corner too.
    return union(
      rings.map((ring) => trimCollinear(ring)).filter((ring) => ring.length > 2),
      FillRule.EvenOdd,
    );
  });
  // Polygons of one building may overlap; shared ground counts once.
  const paths = polygons.length === 1 ? (polygons[0] as Paths64) : union(polygons.flat(), FillRule.NonZero);
  return { paths, area: areaOf(paths), box: boxOf(geometry) };
}

/** Moves a shape by whole units east and north. */
export function translateShape({ paths, area, box }: ClipShape, x: number, y: number): ClipShape {
  return {
    paths: paths.map((path) => path.map((point) => ({ x: point.x + x, y: point.y + y }))),
    area,
    box: translateBox(box, x, y),
  };
}

export function translateBox([west, south, east, north]: Box, x: number, y: number): Box {
  const [right, up] = [x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE];
  return [west + right, south + up, east + right, north + up];
}

/** The area that two shapes share, in square units. */
export function overlapOf(a: ClipShape, b: ClipShape): number {
  return areaOf(intersect(a.paths, b.paths, FillRule.NonZero));
}

/** The upper bound of the shared area: that of the boxes. */
export function boxOverlapOf({ box: a }: Boxed, { box: b }: Boxed): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width <= 0 || height <= 0 ? 0 : width * height * UNITS_PER_DEGREE ** 2;
}

/** Square units as square metres at the latitude of two shapes, to 0.01 m². A positive area stays positive. */
export function toSquareMetres(units: number, { box: a }: Boxed, { box: b }: Boxed): number {
  const scale = metresPerDegree((a[1] + b[1] + (a[3] + b[3])) / 4);
  const hundredths = Math.round((units / UNITS_PER_DEGREE ** 2) * scale.lat * scale.lon * 100);
  return (units > 0 ? Math.max(hundredths, 1) : hundredths) / 100;
}

function areaOf(paths: Paths64): number {
  let sum = 0;
  for (const path of paths) sum += area(path);
  return Math.abs(sum);
}
