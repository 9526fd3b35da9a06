import { checkInheritance } from '../matching/check-inheritance.ts';
import { checkLocations } from '../matching/check-locations.ts';
import { checkOverlaps } from '../matching/check-overlaps.ts';
import { checkRecord, loadStated, type RecordRange } from '../observations/check-records.ts';
import { findExistingKeys } from '../observations/source-records.ts';
import { type ArchivedLines, checkLines } from '../pipeline/check-lines.ts';
import { deriveBuildings } from '../pipeline/consolidate-buildings.ts';
import { Areas } from '../registry/areas.ts';
import { compareIdentity, lastEvents } from '../registry/check/check-identity.ts';
import { checkMeshes } from '../registry/check/check-meshes.ts';
import { checkNearby } from '../registry/check/check-nearby.ts';
import { checkSegment } from '../registry/check/check-segments.ts';
import { checkSummaries } from '../registry/check/check-summaries.ts';
import { compareBuilding, describeOrphans, lostRecordsOf } from '../registry/check/compare-building.ts';
import { SWEPT } from '../registry/check/mend-tables.ts';
import { type IdRange, loadStored, type StoredBuilding } from '../registry/check/stored-buildings.ts';
import { PlacedBuildings, type TileSlice } from '../registry/nearby.ts';
import type { Segment } from '../registry/search/format/segments.ts';
import { findUnresolved, REFERENCES } from '../storage/references.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import { type Difference, describeDamage } from '../vocabulary/difference.ts';

/** The parts of a verification that other threads can do. They only read. */
export interface VerifyJobs {
  evidence(range: RecordRange): Promise<Difference[]>;
  /** A reference of `REFERENCES`, by its number. */
  references(reference: number): Promise<Difference[]>;
  lines(lines: ArchivedLines): Promise<Difference[]>;
  overlaps(tile: number): Promise<Difference[]>;
  records(range: IdRange): Promise<Difference[]>;
  nearby(slices: readonly TileSlice[]): Promise<Difference[]>;
  segment(segment: Segment): Promise<Difference[]>;
  summaries(prefecture: string): Promise<Difference[]>;
  meshes(large: string): Promise<Difference[]>;
}

export function verifyJobsOn(storage: Storage): VerifyJobs {
  const { db } = storage;
  let areas: Promise<Areas> | undefined;
  const loadAreas = () => {
    areas ??= Areas.load(db);
    return areas;
  };
  const placed = new PlacedBuildings(db);
  return {
    async evidence(range) {
      const stated = await loadStated(db, range);
      const found = new Map(stated.map((each) => [each, checkRecord(each)]));
      // What is lost or cannot be read cannot be located.
      const readable = stated.filter((each) => found.get(each)?.every(({ kind }) => kind === 'differs'));
      return [
        ...[...found.values()].flat(),
        ...(await checkLocations(db, readable)),
        ...(await checkInheritance(db, readable)),
      ];
    },
    lines: (lines) => checkLines(db, lines),
    overlaps: (tile) => checkOverlaps(db, tile),
    references: (reference) => checkReferences(db, reference),
    async records(range) {
      return checkRecords(db, await loadAreas(), range);
    },
    async nearby(slices) {
      return checkNearby(db, await loadAreas(), placed, slices);
    },
    segment: (segment) => storage.snapshot((reads) => checkSegment(reads, segment)),
    summaries: (prefecture) => storage.snapshot((reads) => checkSummaries(reads, prefecture)),
    meshes: (large) => storage.snapshot((reads) => checkMeshes(reads, large)),
  };
}

const MAX_UNRESOLVED = 1_000;

/** VRF-04: rows that name others which do not exist. */
async function checkReferences(db: Db, number: number): Promise<Difference[]> {
  const reference = REFERENCES[number];
  if (reference === undefined) return [];
  const { table, column, to } = reference;
  const rows = await findUnresolved(db, reference, MAX_UNRESOLVED);
  return rows.map(({ row, named }) => ({
    kind: 'unresolved',
    table,
    row: table === 'building' ? formatAssetId(Number(row)) : row,
    detail: `${column} names ${to} ${to === 'building' ? formatAssetId(Number(named)) : named}`,
    remedy: remedyFor(table, to, Number(row), Number(named)),
  }));
}

/** A lost building is made again from what names it; what matching finds is found again; the rest is lost. */
function remedyFor(table: string, to: string, row: number, named: number): Difference['remedy'] {
  if (SWEPT.some((swept) => swept === table)) return { by: 'sweeping' };
  if (to === 'building') return { by: 'identity', building: named };
  return table === 'building' ? { by: 'publishing', building: row } : null;
}

/** VRF-02, VRF-04: everything that is stored of the buildings of a range. */
async function checkRecords(db: Db, areas: Areas, range: IdRange): Promise<Difference[]> {
  const stored = await loadStored(db, range);
  const events = await lastEvents(db, range);
  const known = stored.filter((building): building is KnownBuilding => building.row !== undefined);
  const found = stored.filter(({ row }) => row === undefined).flatMap(describeOrphans);
  for (const { row } of known) found.push(...compareIdentity(row, events.get(row.id)));
  found.push(...(await compareAll(db, areas, known)));
  return found;
}

type KnownBuilding = StoredBuilding & { row: NonNullable<StoredBuilding['row']> };

async function compareAll(db: Db, areas: Areas, known: readonly KnownBuilding[]): Promise<Difference[]> {
  const byId = new Map<AssetKey, KnownBuilding>(known.map((building) => [building.id, building]));
  const found: Difference[] = [];
  try {
    const rows = known.map(({ row }) => row);
    for await (const { building, canonical, place } of deriveBuildings(db, areas, rows)) {
      const stored = byId.get(building.id) as KnownBuilding;
      const differences = compareBuilding(stored, { canonical, place }, areas);
      const lost = differences.length === 0 ? [] : await findLost(db, stored, canonical);
      found.push(...lost, ...differences);
    }
    return found;
  } catch (error) {
    const [only, another] = known;
    if (only === undefined) return found;
    if (another === undefined) {
      const row = formatAssetId(only.id);
      const detail = `its evidence: ${describeDamage(error)}`;
      return [{ kind: 'unreadable', table: 'building', row, detail, remedy: null, blocks: only.id }];
    }
    // One by one, to find out which.
    const each: Difference[] = [];
    for (const building of known) each.push(...(await compareAll(db, areas, [building])));
    return each;
  }
}

/**
 * Records that the current version of a building consulted and that are no longer stored. What is published is all that is left
 * of them, so it stays.
 */
async function findLost(
  db: Db,
  stored: StoredBuilding,
  canonical: Parameters<typeof lostRecordsOf>[1],
): Promise<Difference[]> {
  const named = lostRecordsOf(stored, canonical);
  if (named.length === 0) return [];
  const existing = await findExistingKeys(db, named);
  return named
    .filter((key) => !existing.has(key))
    .map((key) => ({
      kind: 'missing',
      table: 'source_record',
      row: key,
      detail: `consulted for ${formatAssetId(stored.id)}; restore a backup, or ingest its file again`,
      remedy: null,
      blocks: stored.id,
    }));
}
