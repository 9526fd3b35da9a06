import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { findSurvivors } from '../registry/identity.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { CONTAINS } from './find-overlaps.ts';

import { groupRecords, isSameSource } from './pair-footprints.ts';
import { findRecords, type Overlap, overlapsOf, recordsOfBuildings } from './queries.ts';

export function isCreating({ source }: Pick<SourceRecord, 'source'>): boolean {
  return CREATING_SOURCES.has(source as Source);
}

/** A footprint that matching may give to another building. */
export function isMovable(record: SourceRecord): boolean {
  return isCreating(record) && record.claimed === NAMES_NONE;
}

/** What has to be known of some footprints, those they meet, and those they share a building with. */
export interface FootprintSurvey {
  /** Those to settle: the ones asked for, and those whose building hangs on theirs. */
  own: SourceRecord[];
  rows: Map<number, SourceRecord>;
  /** Of each footprint the others that it is, of each place the footprints it lies in, and the other way around. */
  mates: Map<number, SourceRecord[]>;
  /** Of each place the footprints it lies in. */
  holders: Map<number, SourceRecord[]>;
  /** Footprints whose ground is that of another of their source, and which nothing tells apart from it. */
  parts: Set<number>;
  survivors: Map<AssetKey, AssetKey>;
  /** Of each building the footprints that speak of it directly. */
  sharers: Map<AssetKey, SourceRecord[]>;
}

export async function surveyFootprints(tx: Tx, asked: readonly SourceRecord[]): Promise<FootprintSurvey> {
  const rows = new Map(asked.map((record) => [record.id, record]));
  const sharers = new Map<AssetKey, SourceRecord[]>();
  const buildings = [...new Set(asked.flatMap((record) => record.building ?? []))];
  for (const record of (await recordsOfBuildings(tx.db, buildings)).filter(isCreating)) {
    if (!rows.has(record.id)) rows.set(record.id, record);
    const building = record.building as AssetKey;
    sharers.set(building, [...(sharers.get(building) ?? []), rows.get(record.id) as SourceRecord]);
  }
  let { meetings, level } = await meet(tx, rows, [...rows.keys()]);
  const held = new Set(meetings.flatMap(({ other, overlap }) => (overlap === CONTAINS ? other : [])));
  const met = new Set(level);
  const settling = [...rows.keys()].filter((id) => !met.has(id) || held.has(id));
  // Further steps: whether two are each other's best needs all that either meets, and a place goes with what the
  // footprint around it is.
  for (let step = 0; step < 3; step++) {
    const further = await meet(tx, rows, level);
    meetings = [...meetings, ...further.meetings];
    level = further.level;
  }
  meetings = [...meetings, ...(await overlapsOf(tx.db, level))];
  const survivors = await findSurvivors(
    tx.db,
    [...rows.values()].flatMap((record) => record.building ?? []),
  );
  const isStanding = (record: SourceRecord | undefined): record is SourceRecord =>
    record !== undefined && isCreating(record) && (record.building === null || survivors.has(record.building));
  const standing = meetings.filter(({ record, other }) => isStanding(rows.get(record)) && isStanding(rows.get(other)));
  const own = settling.flatMap((id) => rows.get(id) ?? []).filter((row) => isMovable(row) && isStanding(row));
  return { own: own.sort(compareKeys), rows, survivors, sharers, ...(await groupRecords(tx, rows, standing)) };
}

/** What some records meet, with what other drawings of theirs meet, and the records that came with it. */
async function meet(
  tx: Tx,
  rows: Map<number, SourceRecord>,
  records: readonly number[],
): Promise<{ meetings: Overlap[]; level: number[] }> {
  const meetings: Overlap[] = [];
  const level: number[] = [];
  for (let asked = records; asked.length > 0; ) {
    const found = await overlapsOf(tx.db, asked);
    meetings.push(...found);
    const fresh = await findNew(tx, rows, found);
    const drawn = new Set(found.flatMap((meeting) => (isSameSource(rows, meeting) ? meeting.other : [])));
    level.push(...fresh);
    asked = fresh.filter((id) => drawn.has(id));
  }
  return { meetings, level };
}

async function findNew(tx: Tx, rows: Map<number, SourceRecord>, meetings: readonly Overlap[]): Promise<number[]> {
  const ids = [...new Set(meetings.map((meeting) => meeting.other))].filter((id) => !rows.has(id));
  const found = await findRecords(tx.db, ids);
  for (const [id, record] of found) rows.set(id, record);
  return [...found.values()].filter(isCreating).map((record) => record.id);
}

/** A place in footprints of several buildings; these may still be one by what an operator or a record says. */
export function isInSeveralBuildings({ holders, mates }: FootprintSurvey, { id }: SourceRecord): boolean {
  return holders.has(id) && !mates.has(id);
}

/** The order in which records are settled, whatever the order they came in. */
export function compareKeys(a: SourceRecord, b: SourceRecord): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.claimed - b.claimed;
}
