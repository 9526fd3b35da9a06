import type { SourceRecord } from '../observations/source-records.ts';
import type { Tx } from '../storage/storage.ts';
import { IS_INSIDE } from './find-overlaps.ts';
import { mayJoinNamed } from './named-footprints.ts';
import type { Overlap } from './queries.ts';
import type { FootprintSurvey } from './survey-footprints.ts';

/**
 * The drawings that one source has of one building, by the first of them in the order of keys: whatever shares most of its
 * ground with another, through as many as there are.
 */
export function groupDrawings(alike: readonly Overlap[], keyOf: (record: number) => string): Map<number, number> {
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
  meetings: readonly Overlap[],
  keyOf: (record: number) => string,
  drawings: ReadonlyMap<number, number> = new Map(),
): Map<number, number> {
  const first = (record: number) => drawings.get(record) ?? record;
  const best = new Map<number, Overlap>();
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

  function isBetter(a: Overlap, b: Overlap): boolean {
    if (a.overlap !== b.overlap) return a.overlap > b.overlap;
    const keys = ({ other, record }: Overlap) => [first(other), other, record].map(keyOf);
    const [of, than] = [keys(a), keys(b)];
    const differing = of.findIndex((key, i) => key !== than[i]);
    return differing >= 0 && (of[differing] as string) < (than[differing] as string);
  }
}

type Rows = ReadonlyMap<number, SourceRecord>;

export function isSameSource(rows: Rows, { record, other }: Overlap): boolean {
  return rows.get(record)?.source === rows.get(other)?.source;
}

/**
 * Footprints that are one building: drawings of one source, two sources that are each other's best; and places with
 * the footprints they lie in, where these are one building.
 */
export async function groupRecords(
  tx: Tx,
  rows: Rows,
  meetings: readonly Overlap[],
): Promise<Pick<FootprintSurvey, 'mates' | 'holders' | 'parts'>> {
  const mates = new Map<number, SourceRecord[]>();
  const mayJoin = await mayJoinNamed(tx.db);
  const rowOf = (id: number) => rows.get(id) as SourceRecord;
  const keyOf = (id: number) => rowOf(id).key;
  const add = (to: Map<number, SourceRecord[]>, id: number, other: number) => {
    const row = rowOf(other);
    const known = to.get(id);
    if (known === undefined) to.set(id, [row]);
    else if (!known.includes(row)) known.push(row);
  };
  const over = meetings.filter(({ overlap }) => overlap > IS_INSIDE);
  const alike = over.filter((meeting) => isSameSource(rows, meeting));
  const between = over.filter((meeting) => !isSameSource(rows, meeting));
  for (const { record, other } of alike) add(mates, record, other);
  for (const [record, other] of pairFootprints(between, keyOf, groupDrawings(alike, keyOf))) {
    if (await mayJoin(rowOf(record), rowOf(other))) add(mates, record, other);
  }
  const lying = meetings.filter(({ overlap }) => overlap === IS_INSIDE);
  const parts = findParts(
    lying.filter((meeting) => isSameSource(rows, meeting)),
    rowOf,
    mates,
  );
  const holders = new Map<number, SourceRecord[]>();
  for (const meeting of lying) {
    const { record, other } = meeting;
    if (isSameSource(rows, meeting) || parts.has(other)) continue;
    if (await mayJoin(rowOf(record), rowOf(other))) add(holders, record, other);
  }
  for (const [place, around] of [...holders]) {
    const [first] = around as [SourceRecord];
    const group = new Set(groupOf(first, { mates }).map(({ id }) => id));
    if (!around.every(({ id }) => group.has(id))) continue;
    for (const { id } of around) {
      add(mates, place, id);
      add(mates, id, place);
    }
  }
  return { mates, holders, parts };
}

/**
 * MAT-02: footprints that lie in another building of their source, and that no other source draws as a building. To publish
 * them would be to publish that ground twice.
 */
function findParts(
  lying: readonly Overlap[],
  rowOf: (id: number) => SourceRecord,
  mates: FootprintSurvey['mates'],
): Set<number> {
  const wholes = new Map<number, number[]>();
  for (const { record, other } of lying) {
    const known = wholes.get(record);
    if (known === undefined) wholes.set(record, [other]);
    else known.push(other);
  }
  const records = [...wholes.keys()].map(rowOf);
  const parts = new Set<number>();
  for (const record of records) {
    const group = groupOf(record, { mates });
    const ids = new Set(group.map(({ id }) => id));
    const isPart = (one: SourceRecord) => wholes.get(one.id)?.some((whole) => !ids.has(whole)) ?? false;
    if (group.every((one) => one.source === record.source && isPart(one))) parts.add(record.id);
  }
  return parts;
}

/** Everything that is one building with a footprint, as far as shapes can tell. */
export function groupOf(record: SourceRecord, { mates }: Pick<FootprintSurvey, 'mates'>): SourceRecord[] {
  const group = [record];
  for (const member of group) {
    for (const mate of mates.get(member.id) ?? []) if (!group.some(({ id }) => id === mate.id)) group.push(mate);
  }
  return group;
}
