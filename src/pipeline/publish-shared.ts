import { areasWithRegisters } from '../matching/queries.ts';
import { Areas } from '../registry/areas.ts';
import { takeStaleBuildings } from '../registry/markers.ts';
import { findStaleSlices } from '../registry/nearby.ts';
import type { Segment } from '../registry/search/format/segments.ts';
import { addSegments, nextPosition, planSegments } from '../registry/search/write/index-entries.ts';
import { recheckPublications } from '../reit/life/matched-buildings.ts';
import { lockPublications } from '../reit/life/store.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Context } from './context.ts';
import type { Republished } from './publish-stale.ts';
import { type ConsolidatedRange, consolidateRange, type SharedJob, type StaleRange } from './queued-jobs.ts';
import type { SharedRun } from './shared-run.ts';
import { staleIds } from './stale-batches.ts';

/** Batches of stale buildings before their search entries are indexed: a search scans what is not indexed yet. */
const BATCHES_PER_ROUND = 800;

type ConsolidateJob = Extract<SharedJob, { kind: 'consolidate' }>;

/** As `publishStale`, with the same result, by several processes. */
export async function publishShared(
  context: Context,
  shared: SharedRun,
  stale: number,
  notesRegisters: boolean,
): Promise<Republished> {
  const { storage, report, now } = context;
  report.stage('consolidating');
  const done: Republished = { consolidated: 0, pages: 0, nearby: 0 };
  const batches = staleIds(storage.db, now);
  for (let isLast = false; !isLast; ) {
    const first = await storage.snapshot(nextPosition);
    let end = first;
    const round = async function* (): AsyncGenerator<ConsolidateJob> {
      for (let left = BATCHES_PER_ROUND; left > 0; left--) {
        const batch = await batches.next();
        isLast = batch.done === true;
        if (batch.done === true) return;
        const { ids, recordedAt } = batch.value;
        const [from, to] = [ids[0] as AssetKey, ids.at(-1) as AssetKey];
        yield { kind: 'consolidate', range: { from, to, recordedAt, first: end, notesRegisters } };
        end += ids.length;
      }
    };
    const added: number[] = [];
    for await (const [{ range }, result] of shared.phase<'consolidate'>(round())) {
      const { consolidated, pages, entries } = result === 'later' ? await consolidateHere(context, range) : result;
      added.push(entries);
      done.consolidated += consolidated;
      done.pages += pages;
      report.progress(done.consolidated, stale);
    }
    await indexRound(context, shared, first, end, added);
  }
  report.stage('publishing');
  done.nearby = await refreshNearby(context, shared);
  return done;
}

/** In its turn: this changes publications, whose events have an order. */
async function consolidateHere({ storage, now }: Context, range: StaleRange): Promise<ConsolidatedRange> {
  const registered = range.notesRegisters ? await areasWithRegisters(storage.db) : new Set<string>();
  const areas = await Areas.load(storage.db);
  return storage.transaction(async (tx) => {
    // First, as in jobs that are done at the same time: otherwise they could wait for each other.
    await lockPublications(tx);
    const ids = await takeStaleBuildings(tx, range.from, range.to);
    const done = await consolidateRange(tx, areas, range, ids, registered);
    await recheckPublications(tx, ids, now);
    return done;
  });
}

async function indexRound(
  { storage }: Context,
  shared: SharedRun,
  first: number,
  end: number,
  added: readonly number[],
): Promise<void> {
  const plans = await storage.transaction((tx) => planSegments(tx, first, end, added));
  const built: Segment[] = [];
  for await (const [, { segment }] of shared.phase<'index'>(plans.map((plan) => ({ kind: 'index', plan })))) {
    built.push(segment);
  }
  await storage.transaction((tx) => addSegments(tx, built));
}

async function refreshNearby({ storage, report }: Context, shared: SharedRun): Promise<number> {
  const parts = await findStaleSlices(storage.db);
  let nearby = 0;
  let done = 0;
  for await (const [, { written }] of shared.phase<'compose'>(parts.map((slices) => ({ kind: 'compose', slices })))) {
    nearby += written;
    report.progress(++done, parts.length);
  }
  return nearby;
}
