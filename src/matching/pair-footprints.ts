import type { Meeting } from './find-meetings.ts';

/**
 * Which footprints are one building: two that are each other's best. Best is what it shares most
 * ground with; among equals the key decides, so that the order in which records came is nothing.
 */
export function pairFootprints(meetings: readonly Meeting[], keyOf: (record: number) => string): Map<number, number> {
  const best = new Map<number, Meeting>();
  for (const meeting of meetings) {
    const known = best.get(meeting.record);
    if (known === undefined || isBetter(meeting, known, keyOf)) best.set(meeting.record, meeting);
  }
  const pairs = new Map<number, number>();
  for (const [record, { other }] of best) {
    if (best.get(other)?.other === record) pairs.set(record, other);
  }
  return pairs;
}

function isBetter(a: Meeting, b: Meeting, keyOf: (record: number) => string): boolean {
  return a.overlap > b.overlap || (a.overlap === b.overlap && keyOf(a.other) < keyOf(b.other));
}
