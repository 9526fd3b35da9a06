import type { Meeting } from './find-meetings.ts';

/**
 * The drawings that one source has of one building, by the first of them in the order of keys: whatever shares most of its
 * ground with another, through as many as there are.
 */
export function groupDrawings(alike: readonly Meeting[], keyOf: (record: number) => string): Map<number, number> {
  const neighbours = new Map<number, number[]>();
  for (const { record, other } of alike) {
    const known = neighbours.get(record);
    if (known === undefined) neighbours.set(record, [other]);
    else known.push(other);
  }
  const first = new Map<number, number>();
  const inOrder = [...neighbours.keys()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const start of inOrder) {
    if (first.has(start)) continue;
    const group = [start];
    first.set(start, start);
    for (const member of group) {
      for (const other of neighbours.get(member) ?? []) {
        if (first.has(other)) continue;
        first.set(other, start);
        group.push(other);
      }
    }
  }
  return first;
}

/**
 * Which footprints are one building: two that are each other's best. Best is what it shares most ground with; among
 * equals the key decides, so that the order in which records came is nothing. The drawings that a source has of one
 * building count as one.
 */
export function pairFootprints(
  meetings: readonly Meeting[],
  keyOf: (record: number) => string,
  drawings: ReadonlyMap<number, number> = new Map(),
): Map<number, number> {
  const first = (record: number) => drawings.get(record) ?? record;
  const best = new Map<number, Meeting>();
  for (const meeting of meetings) {
    const known = best.get(first(meeting.record));
    if (known === undefined || isBetter(meeting, known)) best.set(first(meeting.record), meeting);
  }
  const pairs = new Map<number, number>();
  for (const [one, { record, other }] of best) {
    const two = first(other);
    const back = best.get(two);
    if (back === undefined || first(back.other) !== one || keyOf(two) < keyOf(one)) continue;
    pairs.set(record, other);
    pairs.set(other, record);
  }
  return pairs;

  function isBetter(a: Meeting, b: Meeting): boolean {
    if (a.overlap !== b.overlap) return a.overlap > b.overlap;
    const keys = ({ other, record }: Meeting) => [first(other), other, record].map(keyOf);
    const [of, than] = [keys(a), keys(b)];
    const differing = of.findIndex((key, i) => key !== than[i]);
    return differing >= 0 && (of[differing] as string) < (than[differing] as string);
  }
}
