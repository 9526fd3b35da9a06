import { randomInt } from 'node:crypto';
import type { Reads } from '../../storage/storage.ts';
import type { SearchSegmentTable } from '../../storage/tables.ts';
import { MAX_SEGMENT_SIZE } from './docs.ts';

export type Segment = SearchSegmentTable;

/** Oldest positions first. What lies behind the last is not indexed yet. */
export async function loadSegments(reads: Reads): Promise<Segment[]> {
  return reads.all<Segment>('select id, first, size, dead, stamp from search_segment order by first', []);
}

/** IDs of segments are given again, and so may be what a counter said: chance never says the same. */
export const newStamp = () => randomInt(1, 2 ** 48 - 1);

export const segmentEnd = ({ first, size }: Segment) => first + size;

/** The first position that no segment covers. */
export function indexedEnd(segments: readonly Segment[]): number {
  const last = segments.at(-1);
  return last === undefined ? 1 : segmentEnd(last);
}

export function segmentOf(segments: readonly Segment[], pos: number): Segment | undefined {
  return segments.findLast(({ first }) => first <= pos && pos < indexedEnd(segments));
}

/** How large segments are and when they become one. */
export interface SegmentSizes {
  /** Entries of a segment, at most MAX_SEGMENT. */
  most: number;
  /** Below the first a segment is small, below the second, half of the most, middling; the others stay as they are. */
  grades: readonly [small: number, middling: number];
  /** So many of one grade become one. */
  fanIn: number;
}

export const SEGMENT_SIZES: SegmentSizes = {
  most: MAX_SEGMENT_SIZE / 2,
  grades: [4_000, MAX_SEGMENT_SIZE / 4],
  fanIn: 8,
};
/** As many new entries as are worth a segment while more are coming: one that stays as it is. */
export const ENTRIES_PER_NEW_SEGMENT = 32_000;

const liveIn = (segments: readonly Segment[]) => segments.reduce((sum, { size, dead }) => sum + size - dead, 0);

/**
 * Which neighbours to make one, or undefined where all is well: eight segments of one grade, so that
 * an entry is indexed a few times in its life and a search meets few segments; or two that have lost
 * most of what they held.
 */
export function chooseMerge(
  segments: readonly Segment[],
  { most, grades, fanIn }: SegmentSizes,
): readonly Segment[] | undefined {
  const empty = segments.find((segment) => liveIn([segment]) === 0);
  if (empty !== undefined) return [empty];
  for (const grade of grades) {
    const run = segments.slice(segments.findLastIndex(({ size }) => size >= grade) + 1);
    if (run.length >= fanIn) return fitting(run, most);
  }
  for (let i = 1; i < segments.length; i++) {
    const pair = segments.slice(i - 1, i + 1);
    if (liveIn(pair) <= most / 2 && liveIn(pair) * 2 <= pair.reduce((sum, { size }) => sum + size, 0)) return pair;
  }
  return undefined;
}

/** As many as fit into one, from the oldest: two at least, since none is larger than half of the most. */
function fitting(run: readonly Segment[], most: number): readonly Segment[] {
  return run.filter((_, i) => liveIn(run.slice(0, i + 1)) <= most);
}
