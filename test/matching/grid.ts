import type { AreaGeometry, MultiPolygon, Polygon, Position, Ring } from '../../src/vocabulary/geometry.ts';

/** Where four tiles meet (the mesh lines run at multiples of 1/80 and 1/120 of a degree). */
export const CORNER: Position = [139.7625, 35.675];

/** A step of the grid that test shapes are drawn on: about 0.9 by 1.1 m. */
export const STEP = 1e-5;

export type Point = readonly [x: number, y: number];

/** A position in steps east and north of the corner of tiles. */
export function at(x: number, y: number): Position {
  return [round7(CORNER[0] + x * STEP), round7(CORNER[1] + y * STEP)];
}

function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** A closed ring through these points. */
export function ring(...points: Point[]): Ring {
  return [...points, points[0] as Point].map(([x, y]) => at(x, y));
}

export function box(west: number, south: number, east: number, north: number): Ring {
  return ring([west, south], [east, south], [east, north], [west, north]);
}

export function polygon(...coordinates: Ring[]): Polygon {
  return { type: 'Polygon', coordinates };
}

export function multi(...coordinates: Ring[][]): MultiPolygon {
  return { type: 'MultiPolygon', coordinates };
}

/** Steps of the grid, whole for shapes drawn on it. */
function toSteps([lon, lat]: Position): Point {
  return [Math.round((lon - CORNER[0]) / STEP), Math.round((lat - CORNER[1]) / STEP)];
}

/**
 * How many cells of the grid lie in all of these shapes; exact for shapes whose edges run along the grid.
 * A cell is inside a shape if an odd number of rings of one of its polygons enclose it.
 */
export function countCells(...shapes: AreaGeometry[]): number {
  const drawn = shapes.map((shape) =>
    (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates).map((rings) =>
      rings.map((points) => points.map(toSteps)),
    ),
  );
  const points = drawn.flat(3) as Point[];
  const range = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [west, east] = range(points.map(([x]) => x));
  const [south, north] = range(points.map(([, y]) => y));
  let count = 0;
  for (let x = west; x < east; x++) {
    for (let y = south; y < north; y++) {
      const centre: Point = [x + 0.5, y + 0.5];
      if (drawn.every((polygons) => polygons.some((rings) => isInside(rings, centre)))) count++;
    }
  }
  return count;
}

/** Counts crossings of a ray to the east. */
function isInside(rings: readonly (readonly Point[])[], [x, y]: Point): boolean {
  let crossings = 0;
  for (const points of rings) {
    for (let i = 1; i < points.length; i++) {
      const [[ax, ay], [bx, by]] = [points[i - 1] as Point, points[i] as Point];
      if (ay < y === by < y) continue;
      if (ax + ((y - ay) / (by - ay)) * (bx - ax) > x) crossings++;
    }
  }
  return crossings % 2 === 1;
}
