import type { Geometry, Position } from '../vocabulary/geometry.ts';

/** A geometry as well-known text. */
export function toWkt(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return `POINT (${toPosition(geometry.coordinates)})`;
    case 'Polygon':
      return `POLYGON ${toRings(geometry.coordinates)}`;
    case 'MultiPolygon':
      return `MULTIPOLYGON (${geometry.coordinates.map(toRings).join(', ')})`;
  }
}

const toPosition = ([x, y]: Position) => `${x} ${y}`;
const toRings = (rings: Position[][]) => `(${rings.map((ring) => `(${ring.map(toPosition).join(', ')})`).join(', ')})`;
