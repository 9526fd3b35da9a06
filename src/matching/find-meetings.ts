import Flatbush from 'flatbush';
import {
  type AreaGeometry,
  contains,
  type Geometry,
  type Measures,
  meshTilesOf,
  type Position,
} from '../vocabulary/geometry.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { boxOverlapOf, overlapOf, type Shape, toShape, toSquareMetres } from './overlap.ts';

/** A record of a tile, with its shape. */
export interface Placed {
  id: number;
  source: Source;
  /** It names its building, which matching never changes. */
  pinned: boolean;
  geometry: Geometry;
}

export interface Meeting {
  record: number;
  other: number;
  /** In square metres between two footprints; else LIES_IN or HOLDS. */
  overlap: number;
}

/** A point in a footprint, seen from either side. */
export const LIES_IN = 0;
export const HOLDS = -1;

/** From this part of the smaller on, two footprints may be one building (decisions.md, Matching). */
const HALF = 0.5;
/** With less than a fifth of what both cover, one is only a part of the other's ground, such as a shed of a factory. */
const PARTS_OF_UNION = 5;

/**
 * What in a tile lies over or in what: footprints of different sources that share at least half of the
 * smaller and a fifth of all they cover, and points in footprints. A source knows its own footprints apart, so those are never compared.
 * Two that meet in several tiles are told of in the first of these alone.
 */
export function findMeetings(tile: string, records: readonly Placed[]): Meeting[] {
  const footprints = records.filter(isFootprint);
  if (footprints.length === 0) return [];
  const shapes = footprints.map((record) => toShape(record.geometry));
  const index = new Flatbush(footprints.length);
  for (const { box } of shapes) index.add(...box);
  index.finish();

  const meetings: Meeting[] = [];
  const meet = (record: number, other: number, overlap: number, inReturn = overlap) => {
    meetings.push({ record, other, overlap }, { record: other, other: record, overlap: inReturn });
  };
  footprints.forEach((a, i) => {
    const shape = shapes[i] as Shape;
    for (const j of index.search(...shape.box)) {
      const b = footprints[j] as (typeof footprints)[number];
      if (j <= i || a.source === b.source || (a.pinned && b.pinned)) continue;
      const other = shapes[j] as Shape;
      const least = HALF * Math.min(shape.area, other.area);
      if (boxOverlapOf(shape, other) < least * 0.99 || firstShared(shape.box, other.box) !== tile) continue;
      const shared = overlapOf(shape, other);
      const isAlike = PARTS_OF_UNION * shared >= shape.area + other.area - shared;
      if (shared > 0 && shared >= least && isAlike) meet(a.id, b.id, toSquareMetres(shared, shape, other));
    }
  });
  for (const { id, source, pinned, geometry } of records) {
    if (pinned || geometry.type !== 'Point') continue;
    const [lon, lat] = geometry.coordinates as Position;
    for (const j of index.search(lon, lat, lon, lat)) {
      const footprint = footprints[j] as (typeof footprints)[number];
      if (footprint.source !== source && contains(footprint.geometry, [lon, lat]))
        meet(id, footprint.id, LIES_IN, HOLDS);
    }
  }
  return meetings;
}

function isFootprint(record: Placed): record is Placed & { geometry: AreaGeometry } {
  return record.geometry.type !== 'Point' && CREATING_SOURCES.has(record.source);
}

function firstShared(a: Measures['bbox'], b: Measures['bbox']): string | undefined {
  const others = meshTilesOf(b);
  return meshTilesOf(a).find((tile) => others.includes(tile));
}
