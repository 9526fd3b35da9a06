import type { SourceRecord } from '../observations/source-records.ts';
import type { Db } from '../storage/storage.ts';
import { type Difference, describeDamage } from '../vocabulary/difference.ts';
import type { Position } from '../vocabulary/geometry.ts';
import { meshCodeOf } from '../vocabulary/mesh.ts';
import { compareWithinSource, findOverlaps, loadShapes, pairKey } from './find-overlaps.ts';
import { Footprint, isFootprint, type ShapedRecord } from './footprint.ts';
import { comparisonTileOf } from './offsets.ts';
import { findRecords, type Overlap, overlapsOf, recordsInTile } from './queries.ts';

/** VRF-14: how the stored overlaps of a tile differ from what the shapes of its records give. */
export async function checkOverlaps(db: Db, tile: number): Promise<Difference[]> {
  try {
    return await compareOverlaps(db, tile);
  } catch (error) {
    const detail = describeDamage(error);
    return [{ kind: 'unreadable', table: 'meeting', row: `tile ${tile}`, detail, remedy: null }];
  }
}

async function compareOverlaps(db: Db, tile: number): Promise<Difference[]> {
  const records = await recordsInTile(db, tile);
  const stored = await overlapsOf(
    db,
    records.map(({ id }) => id),
  );
  if (stored.length === 0 && records.length < 2) return [];
  const placed = await loadShapes(db, records);
  // Without the evidence of one record, nothing can be said about those around it.
  if (placed.length < records.length) throw new Error('a record of it has no shape');
  const pairs = new Pairs(placed);
  const home = new Set(records.filter((record) => record.tile === tile).map(({ id }) => id));
  const elsewhere = stored.filter(({ record, other }) => home.has(record) && !pairs.has(other));
  const others = await findRecords(db, [...new Set(elsewhere.map(({ other }) => other))]);
  pairs.add(await loadShapes(db, [...others.values()]));
  const expected = new Map(findOverlaps(String(tile), placed).map((pair) => [pairKey(pair), pair]));
  const keys = new Map<number, SourceRecord>([...others, ...records.map((record) => [record.id, record] as const)]);
  const found: Difference[] = [];
  const report = (kind: Difference['kind'], { record, other }: Overlap) => {
    const nameOf = (id: number) => keys.get(id)?.key ?? String(id);
    const remedy = { by: 'locating', record } as const;
    found.push({ kind, table: 'meeting', row: nameOf(record), detail: `with ${nameOf(other)}`, remedy });
  };
  for (const pair of stored) {
    const key = pairKey(pair);
    const decidedIn = pairs.tileOf(pair);
    if (decidedIn === undefined && home.has(pair.record)) report('extra', pair);
    if (decidedIn !== String(tile)) continue;
    const now = expected.get(key);
    expected.delete(key);
    if (now?.overlap === pair.overlap || pairs.isTrueWithinSource(pair)) continue;
    report(now === undefined ? 'extra' : 'differs', pair);
  }
  for (const pair of expected.values()) report('missing', pair);
  return found;
}

/** VRF-14: overlaps of records that have no location. */
export async function checkUnplacedOverlaps(db: Db): Promise<Difference[]> {
  const rows = await db
    .selectFrom('meeting as m')
    .innerJoin('source_record as r', 'r.id', 'm.record')
    .select(['r.id', 'r.key', 'm.other'])
    .where('r.tile', 'is', null)
    .orderBy('r.key')
    .execute();
  return rows.map(({ id, key, other }) => ({
    kind: 'extra',
    table: 'meeting',
    row: key,
    detail: `with ${other}`,
    remedy: { by: 'locating', record: id },
  }));
}

/** The tiles that records touch. */
export async function listTiles(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('source_record')
    .select('tile')
    .where('tile', 'is not', null)
    .union(db.selectFrom('spot').select('tile'))
    .execute();
  return rows.map(({ tile }) => tile as number).sort((a, b) => a - b);
}

/** The shapes of records, to find out which tile decides a pair of them. */
class Pairs {
  readonly #shapes = new Map<number, ShapedRecord>();
  readonly #footprints = new Map<number, Footprint>();
  readonly #order = new Map<number, number>();

  constructor(placed: readonly ShapedRecord[]) {
    this.add(placed);
  }

  add(shapes: readonly ShapedRecord[]): void {
    for (const shape of shapes) {
      if (this.#shapes.has(shape.id)) continue;
      this.#order.set(shape.id, this.#order.size);
      this.#shapes.set(shape.id, shape);
    }
  }

  has(id: number): boolean {
    return this.#shapes.has(id);
  }

  /** Undefined if no tile has both, or one of them has no shape. */
  tileOf({ record, other }: Overlap): string | undefined {
    const [a, b] = [this.#footprintOf(record), this.#footprintOf(other)];
    if (a !== undefined && b !== undefined) return comparisonTileOf(a, b);
    const point = this.#shapes.get(a === undefined ? record : other);
    if (point?.geometry.type !== 'Point') return undefined;
    const tile = meshCodeOf(point.geometry.coordinates as Position);
    return (a ?? b)?.tiles.includes(tile) ? tile : undefined;
  }

  /** Of duplicates within a source, enough are found to connect them; others may be stored from earlier files. */
  isTrueWithinSource({ record, other, overlap }: Overlap): boolean {
    const [a, b] = [this.#footprintOf(record), this.#footprintOf(other)];
    if (a === undefined || b === undefined || record === other) return false;
    if (a.record.source !== b.record.source || a.record.pinned || b.record.pinned) return false;
    const isInOrder = (this.#order.get(record) as number) < (this.#order.get(other) as number);
    const both = isInOrder ? compareWithinSource(a, b) : compareWithinSource(b, a)?.toReversed();
    return both?.[0] === overlap;
  }

  #footprintOf(id: number): Footprint | undefined {
    const known = this.#footprints.get(id);
    const shape = this.#shapes.get(id);
    if (known !== undefined || shape === undefined || !isFootprint(shape)) return known;
    const footprint = new Footprint(shape);
    this.#footprints.set(id, footprint);
    return footprint;
  }
}
