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

/** A footprint that matching may assign to another building. */
export function isMovable(record: SourceRecord): boolean {
  return isCreating(record) && record.claimed === NAMES_NONE;
}

/** Footprints, those they overlap, and those they share a building with. */
export interface FootprintSurvey {
  /** The footprints to decide: those requested, and those whose building depends on them. */
  undecided: SourceRecord[];
  rows: Map<number, SourceRecord>;
  /** For each footprint the records that are the same building by shape, including points. */
  sameBuilding: Map<number, SourceRecord[]>;
  /** For each point the footprints that contain it. */
  containers: Map<number, SourceRecord[]>;
  /** Footprints inside another of their source that no other source confirms (MAT-02). */
  parts: Set<number>;
  survivors: Map<AssetKey, AssetKey>;
  /** For each building the footprints assigned to it directly. */
  footprintsOf: Map<AssetKey, SourceRecord[]>;
}

export async function surveyFootprints(tx: Tx, requested: readonly SourceRecord[]): Promise<FootprintSurvey> {
  const rows = new Map(requested.map((record) => [record.id, record]));
  const footprintsOf = new Map<AssetKey, SourceRecord[]>();
  const buildings = [...new Set(requested.flatMap((record) => record.building ?? []))];
  for (const record of (await recordsOfBuildings(tx.db, buildings)).filter(isCreating)) {
    if (!rows.has(record.id)) rows.set(record.id, record);
    const building = record.building as AssetKey;
    footprintsOf.set(building, [...(footprintsOf.get(building) ?? []), rows.get(record.id) as SourceRecord]);
  }
  let { overlaps, level } = await expand(tx, rows, [...rows.keys()]);
  const held = new Set(overlaps.flatMap(({ other, overlap }) => (overlap === CONTAINS ? other : [])));
  const met = new Set(level);
  const toDecide = [...rows.keys()].filter((id) => !met.has(id) || held.has(id));
  // Further steps: mutual best matches depend on all overlaps of both sides, and a point follows the footprint around
  // it.
  for (let step = 0; step < 3; step++) {
    const further = await expand(tx, rows, level);
    overlaps = [...overlaps, ...further.overlaps];
    level = further.level;
  }
  overlaps = [...overlaps, ...(await overlapsOf(tx.db, level))];
  const survivors = await findSurvivors(
    tx.db,
    [...rows.values()].flatMap((record) => record.building ?? []),
  );
  const isLive = (record: SourceRecord | undefined): record is SourceRecord =>
    record !== undefined && isCreating(record) && (record.building === null || survivors.has(record.building));
  const liveOverlaps = overlaps.filter(({ record, other }) => isLive(rows.get(record)) && isLive(rows.get(other)));
  const own = toDecide.flatMap((id) => rows.get(id) ?? []).filter((row) => isMovable(row) && isLive(row));
  return {
    undecided: own.sort(compareKeys),
    rows,
    survivors,
    footprintsOf,
    ...(await groupRecords(tx, rows, liveOverlaps)),
  };
}

/** The overlaps of some records and of their duplicates, and the records they lead to. */
async function expand(
  tx: Tx,
  rows: Map<number, SourceRecord>,
  records: readonly number[],
): Promise<{ overlaps: Overlap[]; level: number[] }> {
  const overlaps: Overlap[] = [];
  const level: number[] = [];
  for (let requested = records; requested.length > 0; ) {
    const found = await overlapsOf(tx.db, requested);
    overlaps.push(...found);
    const fresh = await findNew(tx, rows, found);
    const duplicates = new Set(found.flatMap((pair) => (isSameSource(rows, pair) ? pair.other : [])));
    level.push(...fresh);
    requested = fresh.filter((id) => duplicates.has(id));
  }
  return { overlaps, level };
}

async function findNew(tx: Tx, rows: Map<number, SourceRecord>, overlaps: readonly Overlap[]): Promise<number[]> {
  const ids = [...new Set(overlaps.map((pair) => pair.other))].filter((id) => !rows.has(id));
  const found = await findRecords(tx.db, ids);
  for (const [id, record] of found) rows.set(id, record);
  return [...found.values()].filter(isCreating).map((record) => record.id);
}

/** A point in footprints of several buildings, which an operator or a record may still make one. */
export function isInSeveralBuildings({ containers, sameBuilding }: FootprintSurvey, { id }: SourceRecord): boolean {
  return containers.has(id) && !sameBuilding.has(id);
}

/** The order in which records are decided, whatever their order of arrival. */
export function compareKeys(a: SourceRecord, b: SourceRecord): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.claimed - b.claimed;
}
