import { compareTile } from '../matching/find-overlaps.ts';
import { markRegistersToMatch } from '../matching/match-markers.ts';
import { areasWithRegisters, storeOverlaps } from '../matching/queries.ts';
import { Areas } from '../registry/areas.ts';
import { clearStaleBuildings, takeStaleBuildings } from '../registry/markers.ts';
import { composeNearby, PlacedBuildings, storeNearby, type TileSlice } from '../registry/nearby.ts';
import { publish } from '../registry/publish.ts';
import type { Segment } from '../registry/search/format/segments.ts';
import { buildSegment, type SegmentPlan } from '../registry/search/write/index-entries.ts';
import { holdPublications } from '../reit/life/matched-buildings.ts';
import type { QueuedJob } from '../storage/job-queue.ts';
import type { Storage, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { consolidateBuildings } from './consolidate-buildings.ts';

/** Stale buildings, by ID, and what their new versions get. */
export interface StaleRange {
  from: AssetKey;
  to: AssetKey;
  recordedAt: string;
  /** Where their search entries begin. */
  first: number;
  /** Whether registers may match differently where they change. */
  notesRegisters: boolean;
}

/**
 * WRK-03: a part of a run that several processes share. Its results depend only on what is stored before its phase, so the
 * order in which jobs are done does not matter; whatever has an order is given by the process that shares them. Doing a job
 * again changes nothing.
 */
export type SharedJob =
  | { kind: 'compare'; tile: number }
  | { kind: 'consolidate'; range: StaleRange }
  | { kind: 'compose'; slices: readonly TileSlice[] }
  | { kind: 'index'; plan: SegmentPlan };

export type PhaseJob = SharedJob & QueuedJob & { phase: number };

export interface ConsolidatedRange {
  consolidated: number;
  pages: number;
  /** Search entries that were added. */
  entries: number;
}

/** What a job reports, by kind. */
export interface SharedResults {
  compare: Record<string, never>;
  /** `later`: nothing was done, because the order of this job matters. */
  consolidate: ConsolidatedRange | 'later';
  compose: { written: number };
  index: { segment: Segment };
}

export interface SharedResult {
  result: SharedResults[SharedJob['kind']];
}

/** What jobs of one phase share: nothing changes it in that phase. */
class PhaseState {
  readonly key: string;
  readonly placed: PlacedBuildings;
  readonly #storage: Storage;
  #areas: Promise<Areas> | undefined;
  #registered: Promise<ReadonlySet<string>> | undefined;

  constructor(key: string, storage: Storage) {
    this.key = key;
    this.#storage = storage;
    this.placed = new PlacedBuildings(storage.db);
  }

  areas(): Promise<Areas> {
    this.#areas ??= Areas.load(this.#storage.db);
    return this.#areas;
  }

  registered(): Promise<ReadonlySet<string>> {
    this.#registered ??= areasWithRegisters(this.#storage.db);
    return this.#registered;
  }
}

/** Does jobs, each in a given transaction. */
export function jobDoer(storage: Storage): (tx: Tx, job: PhaseJob) => Promise<SharedResult> {
  let state = new PhaseState('', storage);
  return async (tx, job) => {
    const key = `${job.run}.${job.phase}`;
    if (state.key !== key) state = new PhaseState(key, storage);
    return { result: await doJob(tx, state, job) };
  };
}

async function doJob(tx: Tx, state: PhaseState, job: SharedJob): Promise<SharedResult['result']> {
  switch (job.kind) {
    case 'compare':
      await storeOverlaps(tx, await compareTile(tx.db, job.tile));
      return {};
    case 'consolidate': {
      const { range } = job;
      const ids = await takeStaleBuildings(tx, range.from, range.to);
      // Events of publications are stored in the order of the buildings.
      if (await holdPublications(tx, ids)) return 'later';
      const registered = range.notesRegisters ? await state.registered() : NONE;
      return consolidateRange(tx, await state.areas(), range, ids, registered);
    }
    case 'compose': {
      const parts = await composeNearby(tx.db, await state.areas(), state.placed, job.slices);
      if (parts.length > 0) await storeNearby(tx, parts);
      return { written: parts.length };
    }
    case 'index':
      return { segment: await buildSegment(tx, job.plan) };
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Consolidates and publishes buildings that are still stale, and removes their markers. */
export async function consolidateRange(
  tx: Tx,
  areas: Areas,
  { recordedAt, first }: Pick<StaleRange, 'recordedAt' | 'first'>,
  ids: readonly AssetKey[],
  registered: ReadonlySet<string>,
): Promise<ConsolidatedRange> {
  const decisions = await consolidateBuildings(tx.db, areas, ids, recordedAt);
  await clearStaleBuildings(tx, ids);
  await markRegistersToMatch(
    tx,
    decisions.areas.filter((area) => registered.has(area)),
  );
  // Last: it locks the log, for which other processes may wait with markers that this one would have to wait for (LOG-02).
  const entries = await publish(tx, decisions, first);
  return { consolidated: ids.length, pages: decisions.heads.length, entries };
}
