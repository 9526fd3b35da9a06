import { assignRecords, type SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import type { Storage, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { REGISTERS } from '../vocabulary/sources.ts';
import type { TileOverlaps } from './find-overlaps.ts';
import { markRegistersToMatch } from './match-markers.ts';

/** What the steps of one matching share. */
export interface MatchingRun {
  areas: Areas;
  at: string;
  publish: Publish;
  /** Records that said something new. */
  noted: ReadonlySet<number>;
  /** Footprints that were settled already: they may lie in several tiles. */
  settled: Set<number>;
  /** Records that speak of another building than before. */
  moved: Set<number>;
  /** Buildings that were parted in this transaction, and what they were parted from. */
  parted: AssetKey[];
  /** Buildings that turned out to be one, or no longer to be. */
  identities: { change: 'merged' | 'parted'; building: AssetKey; other: AssetKey; reason: string }[];
}

export function newRun(areas: Areas, at: string, publish: Publish, noted: readonly number[] = []): MatchingRun {
  return {
    areas,
    at,
    publish,
    noted: new Set(noted),
    settled: new Set(),
    moved: new Set(),
    parted: [],
    identities: [],
  };
}

/** Gives records to other buildings, or to none with a reason, and has all of these decided anew. */
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
  // What has an address in a machi-aza is looked for there.
  await markRegistersToMatch(tx, areas);
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

/** Compares the footprints of tiles, possibly in other threads. */
export interface TileWorkers {
  /** How many tiles to have in progress at once. */
  readonly ahead: number;
  meet(tile: number): Promise<TileOverlaps>;
}
