import type { Reads } from '../../storage/storage.ts';
import type { SearchSegmentTable } from '../../storage/tables.ts';
import { MAX_SEGMENT } from './docs.ts';

export type Segment = SearchSegmentTable;

/** Oldest positions first. What lies behind the last is not indexed yet. */
export async function loadSegments(reads: Reads): Promise<Segment[]> {
  return reads.all<Segment>('select id, first, size, dead from search_segment order by first', []);
}

export const endOf = ({ first, size }: Segment) => first + size;

/** The first position that no segment covers. */
export function endOfAll(segments: readonly Segment[]): number {
  const last = segments.at(-1);
  return last === undefined ? 1 : endOf(last);
}

export function segmentOf(segments: readonly Segment[], pos: number): Segment | undefined {
  return segments.findLast(({ first }) => first <= pos && pos < endOfAll(segments));
}

const FAN_IN = 8;
/** Below the first a segment is small, below the second it is middling; the others stay as they are. */
const GRADES = [8_192, 32_768] as const;
/** As many new entries as are worth a segment while more are coming. */
export const WORTH_A_SEGMENT = GRADES[0];
const SPARSE = MAX_SEGMENT / 2;

const liveIn = (segments: readonly Segment[]) => segments.reduce((sum, { size, dead }) => sum + size - dead, 0);

/**
 * Which neighbours to make one, or undefined where all is well: eight segments of one grade, so that
 * an entry is indexed a few times in its life and a search meets few segments; or two that have lost
 * most of what they held.
 */
export function chooseMerge(segments: readonly Segment[]): readonly Segment[] | undefined {
  const empty = segments.find((segment) => liveIn([segment]) === 0);
  if (empty !== undefined) return [empty];
  for (const grade of GRADES) {
    const run = segments.slice(segments.findLastIndex(({ size }) => size >= grade) + 1);
    if (run.length >= FAN_IN) return fitting(run);
  }
  for (let i = 1; i < segments.length; i++) {
    const pair = segments.slice(i - 1, i + 1);
    if (liveIn(pair) <= SPARSE && liveIn(pair) * 2 <= pair.reduce((sum, { size }) => sum + size, 0)) return pair;
  }
  return undefined;
}

function fitting(run: readonly Segment[]): readonly Segment[] {
  const [oldest] = run as [Segment];
  return run.filter((segment) => endOf(segment) - oldest.first <= MAX_SEGMENT);
}
