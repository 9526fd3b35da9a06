import { compareTile, type TileOverlaps } from '../matching/find-overlaps.ts';
import { Areas } from '../registry/areas.ts';
import { composeNearby, PlacedBuildings, type TileSlice } from '../registry/nearby.ts';
import type { Decisions } from '../registry/publish.ts';
import type { RecordPart } from '../registry/records.ts';
import type { Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { consolidateBuildings } from './consolidate-buildings.ts';
import { type ItemBatch, type PreparedItem, prepareItems } from './prepare-items.ts';

/** The parts of a run that write nothing, so that other threads can do them. */
export interface Jobs {
  prepare(batch: ItemBatch): Promise<PreparedItem[]>;
  consolidate(job: { ids: AssetKey[]; recordedAt: string }): Promise<Decisions>;
  compose(slices: readonly TileSlice[]): Promise<RecordPart[]>;
  compareTile(tile: number): Promise<TileOverlaps>;
}

export function jobsOn(storage: Storage): Jobs {
  let areas: Promise<Areas> | undefined;
  let placed: PlacedBuildings | undefined;
  const loadAreas = () => {
    areas ??= Areas.load(storage.db);
    return areas;
  };
  return {
    async prepare(batch) {
      return prepareItems(storage.db, batch);
    },
    async consolidate({ ids, recordedAt }) {
      return consolidateBuildings(storage.db, await loadAreas(), ids, recordedAt);
    },
    async compareTile(tile) {
      return compareTile(storage.db, tile);
    },
    async compose(slices) {
      placed ??= new PlacedBuildings(storage.db);
      return composeNearby(storage.db, await loadAreas(), placed, slices);
    },
  };
}
