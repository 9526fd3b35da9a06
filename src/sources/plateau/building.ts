import type { AreaGeometry, Ring } from '../../vocabulary/geometry.ts';
import type { FileLine } from '../adapter.ts';

/** A bldg:Building of a tile. */
export interface TileBuilding {
  at: FileLine;
  gmlId: string | undefined;
  buildingId: string | undefined;
  branch: number | undefined;
  part: number | undefined;
  /** The code of the municipality that it states. */
  municipality: string | undefined;
  geometry: AreaGeometry | undefined;
  /** Why there is no geometry. */
  fault: string | undefined;
  values: BuildingValues;
  /** Its real-estate IDs, as links. */
  links: string[];
  notes: string[];
}

export interface BuildingValues {
  nameJa?: string | undefined;
  addressJa?: string | undefined;
  assetTypes: string[];
  gfaM2?: number | undefined;
  floorsAbove?: number | undefined;
  floorsBelow?: number | undefined;
  heightM?: number | undefined;
  yearBuilt?: number | undefined;
}

/** Joins outlines; duplicates count once. */
export function joinOutlines(geometries: readonly AreaGeometry[]): AreaGeometry | undefined {
  const polygons = new Map<string, Ring[]>();
  for (const geometry of geometries) {
    const some = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    for (const polygon of some) polygons.set(JSON.stringify(polygon), polygon);
  }
  const [first, ...more] = polygons.values();
  if (first === undefined) return undefined;
  return more.length === 0
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: [first, ...more] };
}

export function greatestOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((n) => n !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
