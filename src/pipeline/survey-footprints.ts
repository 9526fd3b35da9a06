import { HOLDS, LIES_IN } from '../matching/find-meetings.ts';
import { pairFootprints } from '../matching/pair-footprints.ts';
import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { findRecords, type Meeting, meetingsOf, recordsOfBuildings } from '../observations/spots.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { findSurvivors } from './matching-run.ts';
import { joinsOfNamed } from './named-footprints.ts';

export function isCreating({ source }: Pick<SourceRecord, 'source'>): boolean {
  return CREATING_SOURCES.has(source as Source);
}

/** A footprint that matching may give to another building. */
export function isMovable(record: SourceRecord): boolean {
  return isCreating(record) && record.claimed === NAMES_NONE;
}

/** What has to be known of some footprints, those they meet, and those they share a building with. */
export interface Ground {
  /** Those to settle: the ones asked for, and those whose building hangs on theirs. */
  own: SourceRecord[];
  rows: Map<number, SourceRecord>;
  /** Of each footprint the other that it is, of each place the footprints it lies in, and the other way around. */
  mates: Map<number, SourceRecord[]>;
  /** Of each place the footprints it lies in. */
  holders: Map<number, SourceRecord[]>;
  survivors: Map<AssetKey, AssetKey>;
  /** Of each building the footprints that speak of it directly. */
  sharers: Map<AssetKey, SourceRecord[]>;
}

export async function survey(tx: Tx, asked: readonly SourceRecord[]): Promise<Ground> {
  const rows = new Map(asked.map((record) => [record.id, record]));
  const sharers = new Map<AssetKey, SourceRecord[]>();
  const buildings = [...new Set(asked.flatMap((record) => record.building ?? []))];
  for (const record of (await recordsOfBuildings(tx.db, buildings)).filter(isCreating)) {
    if (!rows.has(record.id)) rows.set(record.id, record);
    const building = record.building as AssetKey;
    sharers.set(building, [...(sharers.get(building) ?? []), rows.get(record.id) as SourceRecord]);
  }
  let meetings = await meetingsOf(tx.db, [...rows.keys()]);
  let level = await findNew(tx, rows, meetings);
  const held = new Set(meetings.flatMap(({ other, overlap }) => (overlap === HOLDS ? other : [])));
  const met = new Set(level);
  const settling = [...rows.keys()].filter((id) => !met.has(id) || held.has(id));
  // Two steps further: whether two are each other's best needs all that either meets, and a place goes
  // with what the footprint around it is.
  for (let step = 0; step < 2; step++) {
    const further = await meetingsOf(tx.db, level);
    meetings = [...meetings, ...further];
    level = await findNew(tx, rows, further);
  }
  meetings = [...meetings, ...(await meetingsOf(tx.db, level))];
  const survivors = await findSurvivors(
    tx.db,
    [...rows.values()].flatMap((record) => record.building ?? []),
  );
  const isStanding = (record: SourceRecord | undefined): record is SourceRecord =>
    record !== undefined && isCreating(record) && (record.building === null || survivors.has(record.building));
  const standing = meetings.filter(({ record, other }) => isStanding(rows.get(record)) && isStanding(rows.get(other)));
  const own = settling.flatMap((id) => rows.get(id) ?? []).filter((row) => isMovable(row) && isStanding(row));
  const joins = await joinsOfNamed(tx.db);
  return { own: own.sort(byKey), rows, survivors, sharers, ...(await pairUp(rows, standing, joins)) };
}

async function findNew(tx: Tx, rows: Map<number, SourceRecord>, meetings: readonly Meeting[]): Promise<number[]> {
  const ids = [...new Set(meetings.map((meeting) => meeting.other))].filter((id) => !rows.has(id));
  const found = await findRecords(tx.db, ids);
  for (const [id, record] of found) rows.set(id, record);
  return [...found.values()].filter(isCreating).map((record) => record.id);
}

/** Footprints that are each other's best, and places with the footprints they lie in, where these are one building. */
async function pairUp(
  rows: ReadonlyMap<number, SourceRecord>,
  meetings: readonly Meeting[],
  mayJoin: (a: SourceRecord, b: SourceRecord) => Promise<boolean>,
): Promise<Pick<Ground, 'mates' | 'holders'>> {
  const mates = new Map<number, SourceRecord[]>();
  const holders = new Map<number, SourceRecord[]>();
  const add = (to: Map<number, SourceRecord[]>, id: number, other: number) => {
    const row = rows.get(other) as SourceRecord;
    const known = to.get(id);
    if (known === undefined) to.set(id, [row]);
    else if (!known.includes(row)) known.push(row);
  };
  const between = meetings.filter(({ overlap }) => overlap > LIES_IN);
  const pairs = pairFootprints(between, (id) => rows.get(id)?.key ?? '');
  for (const [record, other] of [...pairs]) {
    if (!(await mayJoin(rows.get(record) as SourceRecord, rows.get(other) as SourceRecord))) pairs.delete(record);
    else add(mates, record, other);
  }
  for (const { record, other, overlap } of meetings) {
    if (overlap !== LIES_IN) continue;
    if (await mayJoin(rows.get(record) as SourceRecord, rows.get(other) as SourceRecord)) add(holders, record, other);
  }
  for (const [place, around] of holders) {
    const [first] = around as [SourceRecord];
    if (around.some(({ id }) => id !== first.id && pairs.get(id) !== first.id)) continue;
    for (const { id } of around) {
      add(mates, place, id);
      add(mates, id, place);
    }
  }
  return { mates, holders };
}

/** A place in footprints of several buildings; these may still be one by what an operator or a record says. */
export function isBetween({ holders, mates }: Ground, { id }: SourceRecord): boolean {
  return holders.has(id) && !mates.has(id);
}

/** Everything that is one building with a footprint, as far as shapes can tell. */
export function groupAround(record: SourceRecord, { mates }: Ground): SourceRecord[] {
  const group = [record];
  for (const member of group) {
    for (const mate of mates.get(member.id) ?? []) if (!group.some(({ id }) => id === mate.id)) group.push(mate);
  }
  return group;
}

/** The order in which records are settled, whatever the order they came in. */
export function byKey(a: SourceRecord, b: SourceRecord): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.claimed - b.claimed;
}
