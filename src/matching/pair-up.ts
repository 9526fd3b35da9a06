import type { SourceRecord } from '../observations/source-records.ts';
import type { Tx } from '../storage/storage.ts';
import { LIES_IN } from './find-meetings.ts';
import { joinsOfNamed } from './named-footprints.ts';
import { groupDrawings, pairFootprints } from './pair-footprints.ts';
import type { Meeting } from './spots.ts';
import type { Ground } from './survey-footprints.ts';

type Rows = ReadonlyMap<number, SourceRecord>;

export function isOfOneSource(rows: Rows, { record, other }: Meeting): boolean {
  return rows.get(record)?.source === rows.get(other)?.source;
}

/**
 * Footprints that are one building: drawings of one source, two sources that are each other's best; and places with
 * the footprints they lie in, where these are one building.
 */
export async function pairUp(
  tx: Tx,
  rows: Rows,
  meetings: readonly Meeting[],
): Promise<Pick<Ground, 'mates' | 'holders' | 'parts'>> {
  const mates = new Map<number, SourceRecord[]>();
  const mayJoin = await joinsOfNamed(tx.db);
  const rowOf = (id: number) => rows.get(id) as SourceRecord;
  const keyOf = (id: number) => rowOf(id).key;
  const add = (to: Map<number, SourceRecord[]>, id: number, other: number) => {
    const row = rowOf(other);
    const known = to.get(id);
    if (known === undefined) to.set(id, [row]);
    else if (!known.includes(row)) known.push(row);
  };
  const over = meetings.filter(({ overlap }) => overlap > LIES_IN);
  const alike = over.filter((meeting) => isOfOneSource(rows, meeting));
  const between = over.filter((meeting) => !isOfOneSource(rows, meeting));
  for (const { record, other } of alike) add(mates, record, other);
  for (const [record, other] of pairFootprints(between, keyOf, groupDrawings(alike, keyOf))) {
    if (await mayJoin(rowOf(record), rowOf(other))) add(mates, record, other);
  }
  const lying = meetings.filter(({ overlap }) => overlap === LIES_IN);
  const parts = findParts(
    lying.filter((meeting) => isOfOneSource(rows, meeting)),
    rowOf,
    mates,
  );
  const holders = new Map<number, SourceRecord[]>();
  for (const meeting of lying) {
    const { record, other } = meeting;
    if (isOfOneSource(rows, meeting) || parts.has(other)) continue;
    if (await mayJoin(rowOf(record), rowOf(other))) add(holders, record, other);
  }
  for (const [place, around] of [...holders]) {
    const [first] = around as [SourceRecord];
    const group = new Set(groupAround(first, { mates }).map(({ id }) => id));
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
  lying: readonly Meeting[],
  rowOf: (id: number) => SourceRecord,
  mates: Ground['mates'],
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
    const group = groupAround(record, { mates });
    const ids = new Set(group.map(({ id }) => id));
    const isPart = (one: SourceRecord) => wholes.get(one.id)?.some((whole) => !ids.has(whole)) ?? false;
    if (group.every((one) => one.source === record.source && isPart(one))) parts.add(record.id);
  }
  return parts;
}

/** Everything that is one building with a footprint, as far as shapes can tell. */
export function groupAround(record: SourceRecord, { mates }: Pick<Ground, 'mates'>): SourceRecord[] {
  const group = [record];
  for (const member of group) {
    for (const mate of mates.get(member.id) ?? []) if (!group.some(({ id }) => id === mate.id)) group.push(mate);
  }
  return group;
}
