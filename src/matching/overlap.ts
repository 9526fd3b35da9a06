import { area, FillRule, intersect, type Paths64 } from 'clipper2-ts';
import { type AreaGeometry, boxOf, type Measures, metresPerDegree, polygonsOf } from '../vocabulary/geometry.ts';

/** A footprint made ready to be laid over others: whole numbers about an origin that both share. */
export interface Shape {
  paths: Paths64;
  areaM2: number;
  box: Measures['bbox'];
}

/** Positions have seven decimals. */
const UNITS_PER_DEGREE = 1e7;
/** An origin for all of Japan keeps what is computed of two shapes the same wherever it is computed. */
const ORIGIN = { lon: 138, lat: 36 } as const;

export function toShape(geometry: AreaGeometry): Shape {
  const paths: Paths64 = polygonsOf(geometry).flatMap((polygon) =>
    polygon.map((ring) =>
      ring.slice(0, -1).map(([lon, lat]) => ({
        x: Math.round((lon - ORIGIN.lon) * UNITS_PER_DEGREE),
        y: Math.round((lat - ORIGIN.lat) * UNITS_PER_DEGREE),
      })),
    ),
  );
  const box = boxOf(geometry);
  // Laid over itself, so that rings that cross count as they do where two shapes meet.
  return { paths, areaM2: toSquareMetres(intersect(paths, paths, FillRule.EvenOdd), box), box };
}

/** The square metres that two shapes share, to the hundredth. */
export function overlapM2(a: Shape, b: Shape): number {
  return toSquareMetres(intersect(a.paths, b.paths, FillRule.EvenOdd), a.box);
}

function toSquareMetres(paths: Paths64, box: Measures['bbox']): number {
  let sum = 0;
  for (const path of paths) sum += area(path);
  const scale = metresPerDegree((box[1] + box[3]) / 2);
  return Math.round((Math.abs(sum) / UNITS_PER_DEGREE ** 2) * scale.lat * scale.lon * 100) / 100;
}

/** The most that two shapes can share: what their boxes do. */
export function boxOverlapM2({ box: a }: Shape, { box: b }: Shape): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const scale = metresPerDegree((a[1] + a[3]) / 2);
  return width * scale.lon * height * scale.lat;
}
