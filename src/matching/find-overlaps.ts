import Flatbush from 'flatbush';
import { NAMES_NONE } from '../observations/source-records.ts';
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

/** A point in a footprint, or a footprint that is a part of another of its source, seen from either side. */
export const IS_INSIDE = 0;
export const CONTAINS = -1;

/** From this part of the smaller on, two footprints may be one building (decisions.md, Matching). */
const HALF = 0.5;
/** With less than a fifth of what both cover, one is only a part of the other's ground, such as a shed of a factory. */
const PARTS_OF_UNION = 5;
/** A source knows its own buildings apart: one that it drew twice is mostly the same ground. */
const PARTS_OF_LIKE = 2;

/**
 * What in a tile lies over or in what: footprints that share at least half of the smaller, and points in footprints
 * of other sources. Footprints of two sources share a fifth of what they cover too, as drawn or with the offset of
 * their neighbourhood corrected. Of one source those that share half of what they cover are drawings of one building,
 * which are told of as far as it takes to know them as one, and others are part and whole. Two that meet in several tiles are told of in one of these alone. Records come in
 * the order of their keys, which decides between two of one size.
 */
export function findOverlaps(tile: string, records: readonly ShapedRecord[]): Overlap[] {
  const footprints = records.filter(isFootprint).map((record) => new Footprint(record));
  if (footprints.length === 0) return [];
  const index = new Flatbush(footprints.length);
  for (const { box } of footprints) index.add(...box);
  index.finish();
  const at = (i: number) => footprints[i] as Footprint;
  const around = (box: Measures['bbox']) => index.search(...box);

  const meetings: Overlap[] = [];
  const meet = (a: ShapedRecord, b: ShapedRecord, overlap: number, inReturn = overlap) => {
    meetings.push({ record: a.id, other: b.id, overlap }, { record: b.id, other: a.id, overlap: inReturn });
  };
  const drawn = new DisjointSets(footprints.length);
  const offsetOf = neighbourhoodOffsets(tile, footprints, (box) => around(box).map(at));
  footprints.forEach((a, i) => {
    for (const j of around(a.box)) {
      const b = at(j);
      if (j <= i || a.record.source !== b.record.source || a.record.pinned || b.record.pinned) continue;
      // Drawings of one building need not be told of each with each, of which a damaged file may have too many.
      const shared = drawn.areOne(i, j) ? 0 : share(a, b);
      if (shared === 0 || comparisonTileOf(a, b) !== tile) continue;
      if (coversOne(shared, a, b, PARTS_OF_LIKE)) {
        meet(a.record, b.record, toSquareMetres(shared, a, b));
        drawn.join(i, j);
      } else if (a.shape.area < b.shape.area) meet(a.record, b.record, IS_INSIDE, CONTAINS);
      else meet(b.record, a.record, IS_INSIDE, CONTAINS);
    }
    if (!a.isReference) return;
    const offset = offsetOf(a);
    const near = around(a.box);
    const others = offset === undefined ? near : [...near, ...around(translateBox(a.box, -offset.x, -offset.y))];
    for (const b of new Set(others.map(at))) {
      if (b.isReference || (a.record.pinned && b.record.pinned) || comparisonTileOf(a, b) !== tile) continue;
      const ways = offset === undefined ? [share(b, a)] : [share(b, a), share(b, a, offset)];
      const shared = Math.max(0, ...ways.filter((way) => coversOne(way, a, b, PARTS_OF_UNION)));
      if (shared > 0) meet(a.record, b.record, toSquareMetres(shared, a, b));
    }
  });
  for (const record of records) {
    if (record.pinned || record.geometry.type !== 'Point') continue;
    const [lon, lat] = record.geometry.coordinates as Position;
    for (const { record: holder } of around([lon, lat, lon, lat]).map(at)) {
      if (holder.source !== record.source && contains(holder.geometry, [lon, lat]))
        meet(record, holder, IS_INSIDE, CONTAINS);
    }
  }
  return meetings;
}

/** What one footprint shares with another, once it is moved, in square units; 0 where that is less than half of the smaller. */
function share(a: Footprint, b: Footprint, by: Offset = { x: 0, y: 0 }): number {
  const box = translateBox(a.box, by.x, by.y);
  const most = boxOverlapOf({ box }, b);
  if (most < 0.99 * HALF * Math.min(a.outline.area, b.outline.area)) return 0;
  const shape = by.x === 0 && by.y === 0 ? a.shape : translateShape(a.shape, by.x, by.y);
  const shared = overlapOf(shape, b.shape);
  return shared >= HALF * Math.min(a.shape.area, b.shape.area) ? shared : 0;
}

/** Whether what two share is at least one of so many parts of all they cover. */
function coversOne(shared: number, { shape: a }: Footprint, { shape: b }: Footprint, parts: number): boolean {
  return parts * shared >= a.area + b.area - shared;
}

/** Which of a number of things are one, through as many as there are. */
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
    // Shortens the way for the next who asks.
    for (let at = of; at !== top; ) {
      const next = this.#up[at] as number;
      this.#up[at] = top;
      at = next;
    }
    return top;
  }
}

export interface TileOverlaps {
  /** New, or other than before. */
  found: Overlap[];
  /** Known from before, and no longer so. */
  gone: Overlap[];
}

/** What in a tile lies over or in what, as far as it is not known yet. Only reads. */
export async function compareTile(db: Db, tile: number): Promise<TileOverlaps> {
  const records = await recordsInTile(db, tile);
  if (records.length < 2 || records.every((record) => record.claimed !== NAMES_NONE)) return { found: [], gone: [] };
  const geometries = await loadGeometries(db, records);
  const placed = records.flatMap(({ id, source, claimed }): ShapedRecord[] => {
    const geometry = geometries.get(id);
    return geometry === undefined ? [] : [{ id, source: source as Source, pinned: claimed !== NAMES_NONE, geometry }];
  });
  const now = new Map(findOverlaps(String(tile), placed).map((meeting) => [nameOf(meeting), meeting]));
  const before = await decidedIn(db, tile, placed);
  const gone = before.filter((meeting) => now.get(nameOf(meeting))?.overlap !== meeting.overlap);
  const kept = new Set(before.filter((meeting) => now.get(nameOf(meeting))?.overlap === meeting.overlap).map(nameOf));
  return { found: [...now.values()].filter((meeting) => !kept.has(nameOf(meeting))), gone };
}

/** The meetings of two sources that this tile decides: they change with the neighbourhood, whoever moved in it. */
async function decidedIn(db: Db, tile: number, placed: readonly ShapedRecord[]): Promise<Overlap[]> {
  const footprints = new Map(placed.filter(isFootprint).map((record) => [record.id, new Footprint(record)]));
  return (await overlapsOf(db, [...footprints.keys()])).filter(({ record, other, overlap }) => {
    const [a, b] = [footprints.get(record), footprints.get(other)];
    if (a === undefined || b === undefined || overlap <= 0 || a.isReference === b.isReference) return false;
    return comparisonTileOf(a, b) === String(tile);
  });
}

function nameOf({ record, other }: Overlap): string {
  return `${record} ${other}`;
}
