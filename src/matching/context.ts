import type { Areas } from '../registry/areas.ts';
import type { Storage, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { TileMeetings } from './meet-in-tile.ts';

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
  meet(tile: number): Promise<TileMeetings>;
}
