import Flatbush from 'flatbush';
import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import type { Db } from '../storage/storage.ts';
import { contains, type Measures, type Position } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';
import {
  boxOverlapOf,
  Footprint,
  isFootprint,
  overlapOf,
  type ShapedRecord,
  toSquareMetres,
  translateBox,
  translateShape,
} from './footprint.ts';
import { loadGeometries } from './load-claims.ts';
import { comparisonTileOf, neighbourhoodOffsets, type Offset } from './offsets.ts';
import { type Overlap, overlapsOf, recordsInTile } from './queries.ts';

/**
 * Values of `overlap` for containment instead of a shared area: a point in a footprint, or a footprint that is part of
 * another footprint of its source. Each containment is stored from both sides.
 */
export const IS_INSIDE = 0;
export const CONTAINS = -1;

/** Two footprints may be one building if they share at least half of the smaller (docs/decisions/matching.md). */
const MIN_SHARE_OF_SMALLER = 0.5;
/**
 * Two sources must share at least a fifth of their union. With less, one is only part of the other, such as a shed of a
 * factory.
 */
const MIN_UNION_DIVISOR = 5;
/** One source must share at least half of the union, because a source rarely draws the same building twice. */
const MIN_UNION_DIVISOR_SAME_SOURCE = 2;

/**
 * Finds the overlaps of one tile (MAT-01): footprints that share at least half of the smaller, and points in footprints
 * of other sources.
 * Footprints of two sources are compared as duplicates and with the common offset of their neighbourhood corrected.
 * Footprints of one source are duplicates of one building if they share half of their union, otherwise part and whole.
 * A pair that touches several tiles is reported in only one of them. Records are sorted by key, which breaks ties.
 */
export function findOverlaps(tile: string, records: readonly ShapedRecord[]): Overlap[] {
  const footprints = records.filter(isFootprint).map((record) => new Footprint(record));
  if (footprints.length === 0) return [];
  const index = new Flatbush(footprints.length);
  for (const { box } of footprints) index.add(...box);
  index.finish();
  const at = (i: number) => footprints[i] as Footprint;
  const around = (box: Measures['bbox']) => index.search(...box);

  const overlaps: Overlap[] = [];
  const add = (a: ShapedRecord, b: ShapedRecord, overlap: number, inReturn = overlap) => {
    overlaps.push({ record: a.id, other: b.id, overlap }, { record: b.id, other: a.id, overlap: inReturn });
  };
  const duplicates = new DisjointSets(footprints.length);
  const offsetOf = neighbourhoodOffsets(tile, footprints, (box) => around(box).map(at));
  footprints.forEach((a, i) => {
    for (const j of around(a.box)) {
      const b = at(j);
      if (j <= i || a.record.source !== b.record.source || a.record.pinned || b.record.pinned) continue;
      // Duplicates are reported only until they are connected: a damaged file may have too many pairs.
      const overlap = duplicates.areOne(i, j) ? undefined : compareWithinSource(a, b);
      if (overlap === undefined || comparisonTileOf(a, b) !== tile) continue;
      // The part first.
      if (overlap[0] === CONTAINS) add(b.record, a.record, overlap[1], overlap[0]);
      else add(a.record, b.record, ...overlap);
      if (overlap[0] > IS_INSIDE) duplicates.join(i, j);
    }
    if (!a.isReference) return;
    const offset = offsetOf(a);
    const near = around(a.box);
    const others = offset === undefined ? near : [...near, ...around(translateBox(a.box, -offset.x, -offset.y))];
    for (const b of new Set(others.map(at))) {
      if (b.isReference || (a.record.pinned && b.record.pinned) || comparisonTileOf(a, b) !== tile) continue;
      const areas = offset === undefined ? [sharedArea(b, a)] : [sharedArea(b, a), sharedArea(b, a, offset)];
      const shared = Math.max(0, ...areas.filter((area) => isShareOfUnion(area, a, b, MIN_UNION_DIVISOR)));
      if (shared > 0) add(a.record, b.record, toSquareMetres(shared, a, b));
    }
  });
  for (const record of records) {
    if (record.pinned || record.geometry.type !== 'Point') continue;
    const [lon, lat] = record.geometry.coordinates as Position;
    for (const { record: container } of around([lon, lat, lon, lat]).map(at)) {
      if (container.source !== record.source && contains(container.geometry, [lon, lat]))
        add(record, container, IS_INSIDE, CONTAINS);
    }
  }
  return overlaps;
}

/**
 * The overlaps of two footprints of one source, from both sides, in key order: duplicates of one building, or part and
 * whole.
 */
export function compareWithinSource(a: Footprint, b: Footprint): [number, number] | undefined {
  const shared = sharedArea(a, b);
  if (shared === 0) return undefined;
  if (isShareOfUnion(shared, a, b, MIN_UNION_DIVISOR_SAME_SOURCE)) {
    const overlap = toSquareMetres(shared, a, b);
    return [overlap, overlap];
  }
  return a.shape.area < b.shape.area ? [IS_INSIDE, CONTAINS] : [CONTAINS, IS_INSIDE];
}

/**
 * The area that `a`, moved by an offset, shares with `b`, in square units; 0 if it is less than half of the smaller.
 */
function sharedArea(a: Footprint, b: Footprint, by: Offset = { x: 0, y: 0 }): number {
  const box = translateBox(a.box, by.x, by.y);
  const most = boxOverlapOf({ box }, b);
  if (most < 0.99 * MIN_SHARE_OF_SMALLER * Math.min(a.extent.area, b.extent.area)) return 0;
  const shape = by.x === 0 && by.y === 0 ? a.shape : translateShape(a.shape, by.x, by.y);
  const shared = overlapOf(shape, b.shape);
  return shared >= MIN_SHARE_OF_SMALLER * Math.min(a.shape.area, b.shape.area) ? shared : 0;
}

/** Whether the shared area is at least 1/`parts` of the union. */
function isShareOfUnion(shared: number, { shape: a }: Footprint, { shape: b }: Footprint, parts: number): boolean {
  return parts * shared >= a.area + b.area - shared;
}

/** Union-find over the indexes of a list. */
class DisjointSets {
  readonly #up: Int32Array;

  constructor(count: number) {
    this.#up = Int32Array.from({ length: count }, (_, i) => i);
  }

  join(a: number, b: number): void {
    this.#up[this.#top(a)] = this.#top(b);
  }

  areOne(a: number, b: number): boolean {
    return this.#top(a) === this.#top(b);
  }

  #top(of: number): number {
    let top = of;
    while (this.#up[top] !== top) top = this.#up[top] as number;
    // Path compression.
    for (let at = of; at !== top; ) {
      const next = this.#up[at] as number;
      this.#up[at] = top;
      at = next;
    }
    return top;
  }
}

export interface TileOverlaps {
  /** New or changed. */
  found: Overlap[];
  /** Stored, but no longer true. */
  gone: Overlap[];
}

/** Compares the overlaps of a tile with the stored ones. Only reads. */
export async function compareTile(db: Db, tile: number): Promise<TileOverlaps> {
  const records = await recordsInTile(db, tile);
  if (records.length < 2 || records.every((record) => record.claimed !== NAMES_NONE)) return { found: [], gone: [] };
  const placed = await loadShapes(db, records);
  const now = new Map(findOverlaps(String(tile), placed).map((pair) => [pairKey(pair), pair]));
  const before = await storedOverlaps(db, tile, placed);
  const gone = before.filter((pair) => now.get(pairKey(pair))?.overlap !== pair.overlap);
  const kept = new Set(before.filter((pair) => now.get(pairKey(pair))?.overlap === pair.overlap).map(pairKey));
  return { found: [...now.values()].filter((pair) => !kept.has(pairKey(pair))), gone };
}

/** The records that have a geometry, in the same order. */
export async function loadShapes(db: Db, records: readonly SourceRecord[]): Promise<ShapedRecord[]> {
  const geometries = await loadGeometries(db, records);
  return records.flatMap(({ id, source, claimed }): ShapedRecord[] => {
    const geometry = geometries.get(id);
    return geometry === undefined ? [] : [{ id, source: source as Source, pinned: claimed !== NAMES_NONE, geometry }];
  });
}

/**
 * The stored overlaps between two sources that this tile decides. A change anywhere in the neighbourhood can change
 * them.
 */
async function storedOverlaps(db: Db, tile: number, placed: readonly ShapedRecord[]): Promise<Overlap[]> {
  const footprints = new Map(placed.filter(isFootprint).map((record) => [record.id, new Footprint(record)]));
  return (await overlapsOf(db, [...footprints.keys()])).filter(({ record, other, overlap }) => {
    const [a, b] = [footprints.get(record), footprints.get(other)];
    if (a === undefined || b === undefined || overlap <= 0 || a.isReference === b.isReference) return false;
    return comparisonTileOf(a, b) === String(tile);
  });
}

export function pairKey({ record, other }: Overlap): string {
  return `${record} ${other}`;
}
