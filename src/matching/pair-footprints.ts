import type { SourceRecord } from '../observations/source-records.ts';
import type { Tx } from '../storage/storage.ts';
import { IS_INSIDE } from './find-overlaps.ts';
import { mayJoinNamed } from './named-footprints.ts';
import type { Overlap } from './queries.ts';
import type { FootprintSurvey } from './survey-footprints.ts';

/**
 * Groups the duplicates of one building within a source, transitively; maps each to the first of its group in key
 * order.
 */
export function groupDuplicates(
  duplicates: readonly Overlap[],
  keyOf: (record: number) => string,
): Map<number, number> {
  const neighbours = new Map<number, number[]>();
  for (const { record, other } of duplicates) {
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
 * Pairs footprints that are each other's best match: the one with the largest shared area, ties broken by key, so that
 * input order does not matter. Duplicates within a source count as one.
 */
export function pairFootprints(
  overlaps: readonly Overlap[],
  keyOf: (record: number) => string,
  firstDuplicate: ReadonlyMap<number, number> = new Map(),
): Map<number, number> {
  const first = (record: number) => firstDuplicate.get(record) ?? record;
  const best = new Map<number, Overlap>();
  for (const pair of overlaps) {
    const known = best.get(first(pair.record));
    if (known === undefined || isBetter(pair, known)) best.set(first(pair.record), pair);
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
 * Groups records that are one building by shape: duplicates within a source, the best pairs of two sources, and points
 * with the footprints that contain them, if these are one building.
 */
export async function groupRecords(
  tx: Tx,
  rows: Rows,
  overlaps: readonly Overlap[],
): Promise<Pick<FootprintSurvey, 'sameBuilding' | 'containers' | 'parts'>> {
  const sameBuilding = new Map<number, SourceRecord[]>();
  const mayJoin = await mayJoinNamed(tx.db);
  const rowOf = (id: number) => rows.get(id) as SourceRecord;
  const keyOf = (id: number) => rowOf(id).key;
  const add = (to: Map<number, SourceRecord[]>, id: number, other: number) => {
    const row = rowOf(other);
    const known = to.get(id);
    if (known === undefined) to.set(id, [row]);
    else if (!known.includes(row)) known.push(row);
  };
  const over = overlaps.filter(({ overlap }) => overlap > IS_INSIDE);
  const duplicates = over.filter((pair) => isSameSource(rows, pair));
  const acrossSources = over.filter((pair) => !isSameSource(rows, pair));
  for (const { record, other } of duplicates) add(sameBuilding, record, other);
  for (const [record, other] of pairFootprints(acrossSources, keyOf, groupDuplicates(duplicates, keyOf))) {
    if (await mayJoin(rowOf(record), rowOf(other))) add(sameBuilding, record, other);
  }
  const inside = overlaps.filter(({ overlap }) => overlap === IS_INSIDE);
  const parts = findParts(
    inside.filter((pair) => isSameSource(rows, pair)),
    rowOf,
    sameBuilding,
  );
  const containers = new Map<number, SourceRecord[]>();
  for (const pair of inside) {
    const { record, other } = pair;
    if (isSameSource(rows, pair) || parts.has(other)) continue;
    if (await mayJoin(rowOf(record), rowOf(other))) add(containers, record, other);
  }
  for (const [place, around] of [...containers]) {
    const [first] = around as [SourceRecord];
    const group = new Set(groupOf(first, { sameBuilding }).map(({ id }) => id));
    if (!around.every(({ id }) => group.has(id))) continue;
    for (const { id } of around) {
      add(sameBuilding, place, id);
      add(sameBuilding, id, place);
    }
  }
  return { sameBuilding, containers, parts };
}

/**
 * MAT-02: footprints inside another building of their source that no other source draws. Publishing them would publish
 * that ground twice.
 */
function findParts(
  lying: readonly Overlap[],
  rowOf: (id: number) => SourceRecord,
  sameBuilding: FootprintSurvey['sameBuilding'],
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
    const group = groupOf(record, { sameBuilding });
    const ids = new Set(group.map(({ id }) => id));
    const isPart = (one: SourceRecord) => wholes.get(one.id)?.some((whole) => !ids.has(whole)) ?? false;
    if (group.every((one) => one.source === record.source && isPart(one))) parts.add(record.id);
  }
  return parts;
}

/** All records that are one building with a footprint, by shape. */
export function groupOf(record: SourceRecord, { sameBuilding }: Pick<FootprintSurvey, 'sameBuilding'>): SourceRecord[] {
  const group = [record];
  for (const member of group) {
    for (const match of sameBuilding.get(member.id) ?? [])
      if (!group.some(({ id }) => id === match.id)) group.push(match);
  }
  return group;
}
