import { randomInt } from 'node:crypto';
import type { Reads } from '../../../storage/storage.ts';
import type { SearchSegmentTable } from '../../../storage/tables.ts';
import { type IndexedEntry, listedName } from './entry.ts';

export type Segment = SearchSegmentTable;

/** Oldest positions first. Entries after the last segment are not indexed yet. */
export async function loadSegments(reads: Reads): Promise<Segment[]> {
  return reads.all<Segment>('select id, first, size, dead, stamp from search_segment order by first', []);
}

/** Random, because IDs of segments are reused and a counter could repeat. */
export const newStamp = () => randomInt(1, 2 ** 48 - 1);

export const segmentEnd = ({ first, size }: Segment) => first + size;

/** The first position after all segments. */
export function indexedEnd(segments: readonly Segment[]): number {
  const last = segments.at(-1);
  return last === undefined ? 1 : segmentEnd(last);
}

export function segmentOf(segments: readonly Segment[], pos: number): Segment | undefined {
  return segments.findLast(({ first }) => first <= pos && pos < indexedEnd(segments));
}

/** The key of a posting; those of one segment are contiguous. */
export function postingKey(segment: number, gram: number): bigint {
  return (BigInt(segment) << 48n) + BigInt(gram);
}

/** PAG-02: what a list can be sorted by. */
export const SORTS = ['footprint', 'height', 'floors', 'built', 'name'] as const;
export type Sort = (typeof SORTS)[number];

/** Sorts by number, largest first. */
export type SortedMeasure = Exclude<Sort, 'name'>;
const MEASURES = SORTS.filter((sort) => sort !== 'name');

/** All entries by ID, for those without a value of the requested sort. */
export const ID_ORDER = 'id';

export interface SortRow {
  sort: string;
  docs: Uint8Array;
  keys: Uint8Array;
  buildings: Uint8Array;
}

type Compare = (a: IndexedEntry, b: IndexedEntry) => number;

const byId: Compare = (a, b) => a.building - b.building;

/** The sort orders of a segment. Entries without the value are omitted. */
export function buildSorts(entries: readonly IndexedEntry[]): SortRow[] {
  const rows = MEASURES.map((sort) => {
    const known = entries.filter((entry) => entry[sort] !== null);
    const keyOf = (entry: IndexedEntry) => entry[sort] as number;
    return toRow(
      sort,
      known.sort((a, b) => keyOf(b) - keyOf(a) || byId(a, b)),
      keyOf,
    );
  });
  const names = new Map(entries.map((entry) => [entry, listedName(entry.text)]));
  const named = entries.filter((entry) => names.get(entry) !== '');
  named.sort((a, b) => compareNames(names.get(a) as string, names.get(b) as string) || byId(a, b));
  return [...rows, toRow('name', named), toRow(ID_ORDER, entries.toSorted(byId))];
}

/** By UTF-16 units: without readings, no order of Japanese names is better, and this one is the same everywhere. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toRow(sort: string, order: readonly IndexedEntry[], keyOf?: (entry: IndexedEntry) => number): SortRow {
  return {
    sort,
    docs: bytesOf(Uint16Array.from(order, ({ offset }) => offset)),
    keys: bytesOf(keyOf === undefined ? new Float64Array(0) : Float64Array.from(order, keyOf)),
    buildings: bytesOf(Float64Array.from(order, ({ building }) => building)),
  };
}

const bytesOf = ({ buffer }: Uint16Array | Float64Array) => new Uint8Array(buffer as ArrayBuffer);

/** A decoded row. */
export interface SortOrder {
  docs: Uint16Array;
  keys: Float64Array;
}

/** Copied, because typed arrays need aligned bytes. */
export function decodeSort({ docs, keys }: Pick<SortRow, 'docs' | 'keys'>): SortOrder {
  return { docs: new Uint16Array(aligned(docs)), keys: new Float64Array(aligned(keys)) };
}

function aligned({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
