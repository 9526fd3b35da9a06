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

/** A record of a tile, with its shape. */
export interface ShapedRecord {
  id: number;
  source: Source;
  /** It names its building, which matching never changes. */
  pinned: boolean;
  geometry: Geometry;
}

/** A record that can be a building, with the ground that it covers. */
export class Footprint {
  readonly record: ShapedRecord & { geometry: AreaGeometry };
  readonly outline: FootprintExtent;
  readonly tiles: readonly string[];
  #shape: ClipShape | undefined;

  constructor(record: ShapedRecord & { geometry: AreaGeometry }) {
    this.record = record;
    this.outline = extentOf(record.geometry);
    this.tiles = meshTilesOf(this.outline.box);
  }

  /** Made when it is first laid over another, which most of one source never are. */
  get shape(): ClipShape {
    this.#shape ??= toShape(this.record.geometry);
    return this.#shape;
  }

  get box(): Measures['bbox'] {
    return this.outline.box;
  }

  get middle(): Position {
    const [west, south, east, north] = this.box;
    return [(west + east) / 2, (south + north) / 2];
  }

  /** Of the source whose shapes are shown, and which the other is held against. */
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
  /** In square units, so that shares of it are exact. */
  area: number;
  box: Box;
}

/** A footprint made ready to be laid over others: whole numbers about an origin that all share. */
interface ClipShape extends FootprintExtent {
  paths: Paths64;
}

/** Positions have seven decimals. */
export const UNITS_PER_DEGREE = 1e7;
/** An origin for all of Japan keeps what is computed of two shapes the same wherever it is computed. */
const ORIGIN = { lon: 138, lat: 36 } as const;

/** What is quickly known of a footprint: the ground that its largest polygon covers, and its box. */
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
    // Rings that cross themselves or each other count as they do for a point in them. An edge that runs
    // on past its corner and back is taken off first: laying it over others would take the corner with it.
    return union(
      rings.map((ring) => trimCollinear(ring)).filter((ring) => ring.length > 2),
      FillRule.EvenOdd,
    );
  });
  // Parts of a building may lie over each other; the ground below counts once.
  const paths = polygons.length === 1 ? (polygons[0] as Paths64) : union(polygons.flat(), FillRule.NonZero);
  return { paths, area: areaOf(paths), box: boxOf(geometry) };
}

/** A shape so many whole units farther east and north. */
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

/** What two shapes share, in square units. */
export function overlapOf(a: ClipShape, b: ClipShape): number {
  return areaOf(intersect(a.paths, b.paths, FillRule.NonZero));
}

/** The most that two shapes can share: what their boxes do. */
export function boxOverlapOf({ box: a }: Boxed, { box: b }: Boxed): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width <= 0 || height <= 0 ? 0 : width * height * UNITS_PER_DEGREE ** 2;
}

/** Square units where two shapes lie as square metres, to the hundredth; what is more than nothing stays so. */
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
