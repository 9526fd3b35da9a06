import { assignRecords, type SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { findGone, findSurvivors } from '../registry/identity.ts';
import type { Db, Storage, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { IdSet } from '../vocabulary/id-set.ts';
import { REGISTERS } from '../vocabulary/sources.ts';
import { markRegistersToMatch } from './match-markers.ts';

/** State shared by the steps of one matching run. */
export interface MatchingRun {
  areas: Areas;
  at: string;
  publish: Publish;
  /** Records with new statements. */
  changed: IdSet;
  /** Footprints already decided: one may touch several tiles. */
  decided: IdSet;
  /** Records whose building changed. */
  moved: IdSet;
  /** Buildings unmerged in this transaction, and what they were merged into. */
  unmerged: AssetKey[];
  /** Merges and unmerges, to be reported. */
  identities: { change: 'merged' | 'parted'; building: AssetKey; other: AssetKey; reason: string }[];
}

export function newRun(areas: Areas, at: string, publish: Publish, changed: readonly number[] = []): MatchingRun {
  const run: MatchingRun = {
    areas,
    at,
    publish,
    changed: new IdSet(),
    decided: new IdSet(),
    moved: new IdSet(),
    unmerged: [],
    identities: [],
  };
  for (const record of changed) run.changed.add(record);
  return run;
}

/** Assigns records to other buildings, or to none with a reason, and marks all of these buildings stale. */
export async function reassign(
  tx: Tx,
  run: MatchingRun,
  changes: readonly { record: SourceRecord; building: AssetKey | null; reason: SourceRecord['reason'] }[],
): Promise<void> {
  const rows: SourceRecord[] = [];
  const stale = new Set<AssetKey>();
  const areas = new Set<string>();
  for (const { record, building, reason } of changes) {
    if (record.building === building && record.reason === reason) continue;
    if (record.building !== building) {
      run.moved.add(record.id);
      if (record.area !== null && !REGISTERS.has(record.source)) areas.add(record.area);
      for (const touched of [record.building, building]) if (touched !== null) stale.add(touched);
    }
    rows.push({ ...record, building, reason });
  }
  await assignRecords(tx, rows);
  await markBuildingsStale(tx, stale);
  // Registers are matched by address, in the machi-aza of the record.
  await markRegistersToMatch(tx, areas);
}

/**
 * REF-06: as `reassign`, for records that attach to buildings. One whose building was merged or retired stays with it,
 * as footprints do, unless it now describes another building.
 */
export async function reassignAttached(
  tx: Tx,
  run: MatchingRun,
  changes: readonly { record: SourceRecord; building: AssetKey | null; reason: SourceRecord['reason'] }[],
): Promise<void> {
  const left = changes.flatMap(({ record, building }) => (record.building === building ? [] : (record.building ?? [])));
  const isSame = await sameBuildings(tx.db, left);
  await reassign(
    tx,
    run,
    changes.map((change) => {
      const { record, building, reason } = change;
      const stays = record.building !== null && reason !== 'ambiguous' && isSame(record.building, building);
      return stays ? { record, building: record.building, reason: null } : change;
    }),
  );
}

/** Whether what describes the second building, or none, also describes the first, which was merged or retired. */
export async function sameBuildings(
  db: Db,
  former: readonly AssetKey[],
): Promise<(building: AssetKey, now: AssetKey | null) => boolean> {
  const survivors = await findSurvivors(db, former);
  const gone = await findGone(db, former);
  return (building, now) => (now === null ? gone.has(building) : survivors.get(building) === now);
}

/** What matching needs from the run it is part of. */
export interface MatchingContext {
  storage: Storage;
  now: () => string;
  report: {
    stage(name: string): void;
    progress(done: number, of: number): void;
    identity(change: 'merged' | 'parted', building: string, other: string, reason: string): void;
  };
}

/** Publishes buildings whose identity has just changed, in the same transaction. */
export type Publish = (tx: Tx, areas: Areas, ids: readonly AssetKey[], now: string) => Promise<void>;

/** Compares the footprints of each tile and stores their overlaps, possibly in other threads or processes. */
export type CompareTiles = (tiles: readonly number[]) => AsyncIterable<unknown>;
