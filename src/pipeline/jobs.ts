import { compareTile, type TileOverlaps } from '../matching/find-overlaps.ts';
import { Areas } from '../registry/areas.ts';
import { composeNearby, PlacedBuildings, type TileSlice } from '../registry/nearby.ts';
import type { Decisions } from '../registry/publish.ts';
import type { RecordPart } from '../registry/records.ts';
import { JobQueue } from '../storage/job-queue.ts';
import type { Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { consolidateBuildings } from './consolidate-buildings.ts';
import { type ItemBatch, type PreparedItem, prepareItems } from './prepare-items.ts';
import { jobDoer, type PhaseJob, type SharedResult } from './queued-jobs.ts';

/** The parts of a run that other threads can do: those that write nothing, and shared jobs. */
export interface Jobs {
  prepare(batch: ItemBatch): Promise<PreparedItem[]>;
  consolidate(job: { ids: AssetKey[]; recordedAt: string }): Promise<Decisions>;
  compose(slices: readonly TileSlice[]): Promise<RecordPart[]>;
  compareTile(tile: number): Promise<TileOverlaps>;
  /** Does jobs that are shared with other processes, at most so many, with all that they write; returns how many there were. */
  takeShared(most: number): Promise<number>;
}

export function jobsOn({ storage, databaseUrl }: { storage: Storage; databaseUrl: string }): Jobs {
  let areas: Promise<Areas> | undefined;
  let placed: PlacedBuildings | undefined;
  let queue: Promise<JobQueue<PhaseJob, SharedResult>> | undefined;
  const doJob = jobDoer(storage);
  const loadAreas = () => {
    areas ??= Areas.load(storage.db);
    return areas;
  };
  return {
    async prepare(batch) {
      return prepareItems(storage.db, batch);
    },
    async consolidate({ ids, recordedAt }) {
      // What it decides may change the buildings that were read.
      placed = undefined;
      return consolidateBuildings(storage.db, await loadAreas(), ids, recordedAt);
    },
    async compareTile(tile) {
      return compareTile(storage.db, tile);
    },
    async compose(slices) {
      placed ??= new PlacedBuildings(storage.db);
      return composeNearby(storage.db, await loadAreas(), placed, slices);
    },
    async takeShared(most) {
      queue ??= JobQueue.open(storage, databaseUrl);
      let done = 0;
      while (done < most && (await (await queue).take(doJob))) done += 1;
      return done;
    },
  };
}
