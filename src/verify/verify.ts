import { checkUnplacedOverlaps, listTiles } from '../matching/check-overlaps.ts';
import { checkCopy, findUnnamed, listArchived } from '../observations/check-archive.ts';
import { recordRanges } from '../observations/check-records.ts';
import { archivedLines } from '../pipeline/check-lines.ts';
import type { Context } from '../pipeline/context.ts';
import { checkAreas } from '../registry/check/check-areas.ts';
import { checkChanges } from '../registry/check/check-changes.ts';
import { checkChains, checkMinted } from '../registry/check/check-identity.ts';
import { checkMarkers } from '../registry/check/check-markers.ts';
import { listLargeMeshes } from '../registry/check/check-meshes.ts';
import { checkIndex, checkOrder } from '../registry/check/check-segments.ts';
import { listPrefectures } from '../registry/check/check-summaries.ts';
import { idRanges } from '../registry/check/stored-buildings.ts';
import { countRegistry, type RegistryCounts } from '../registry/counts.ts';
import { findAllSlices, findSlicesOf } from '../registry/nearby.ts';
import { loadSegments } from '../registry/search/format/segments.ts';
import { checkPublications } from '../reit/life/check-publications.ts';
import { REFERENCES } from '../storage/references.ts';
import { mapInOrder } from '../threads/map-in-order.ts';
import { startThreads } from '../threads/threads.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import { type Difference, VERIFIED_PARTS, type VerifiedPart } from '../vocabulary/difference.ts';
import { type VerifyJobs, verifyJobsOn } from './jobs.ts';

interface VerifyOptions {
  parts: readonly VerifiedPart[];
  /** Only this building. */
  building?: AssetKey | undefined;
}

interface Run {
  context: Context;
  counts: RegistryCounts;
  jobs: VerifyJobs;
  /** How many jobs to request at once so that no thread waits. */
  ahead: number;
  found: (differences: readonly Difference[]) => void;
}

/**
 * `verify`: derives everything that is published again from the evidence, with the functions that publish it, and compares it
 * with what is stored. Only reads; the caller holds the write lock, so that nothing changes meanwhile. Returns what was there.
 */
export async function verify(
  context: Context,
  { parts, building }: VerifyOptions,
  found: (difference: Difference) => void,
): Promise<RegistryCounts> {
  const counts = await countRegistry(context.storage.db);
  const threads = counts.sourceRecords >= WORTH_THREADS && building === undefined ? startWorkers(context) : undefined;
  const run: Run = {
    context,
    counts,
    jobs: threads?.jobs ?? verifyJobsOn(context.storage),
    ahead: threads === undefined ? 1 : WORKERS + 1,
    found: (differences) => {
      for (const difference of differences) found(difference);
    },
  };
  try {
    if (building !== undefined) await verifyBuilding(run, building);
    else {
      for (const part of VERIFIED_PARTS) {
        if (!parts.includes(part)) continue;
        context.report.stage(`verifying ${part}`);
        await CHECKS[part](run);
      }
    }
  } finally {
    await threads?.close();
  }
  return counts;
}

/** Fewer records are verified before a thread would have started. */
const WORTH_THREADS = 4_000;
const WORKERS = 2;
/** Bounds the memory of each thread. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 192 };

function startWorkers({ databaseUrl }: Context): { jobs: VerifyJobs; close(): Promise<void> } {
  const threads = startThreads<VerifyJobs>(new URL('./worker.ts', import.meta.url), WORKERS, {
    workerData: { databaseUrl },
    resourceLimits: WORKER_LIMITS,
  });
  return {
    jobs: {
      evidence: (range) => threads.ask('evidence', range),
      lines: (lines) => threads.ask('lines', lines),
      overlaps: (tile) => threads.ask('overlaps', tile),
      references: (reference) => threads.ask('references', reference),
      records: (range) => threads.ask('records', range),
      nearby: (slices) => threads.ask('nearby', slices),
      segment: (segment) => threads.ask('segment', segment),
      summaries: (prefecture) => threads.ask('summaries', prefecture),
      meshes: (large) => threads.ask('meshes', large),
    },
    close: () => threads.close(),
  };
}

/** A hundred small batches take longer than one large one, and a large one takes more memory. */
const RECORDS_AT_ONCE = 1_000;
const BUILDINGS_AT_ONCE = 200;

const CHECKS: Record<VerifiedPart, (run: Run) => Promise<void>> = {
  async archive({ context: { storage, archiveDir, report }, found }) {
    const files = await listArchived(storage.db);
    for (const [i, file] of files.entries()) {
      found(await checkCopy(archiveDir, file));
      report.progress(i + 1, files.length);
    }
    for await (const note of findUnnamed(archiveDir, new Set(files.map(({ sha256 }) => sha256)))) found([note]);
  },

  async evidence(run) {
    const { storage, archiveDir } = run.context;
    await inJobs(run, REFERENCES.keys(), run.jobs.references, () => 0, 0);
    await inJobs(run, archivedLines(storage.db, archiveDir), run.jobs.lines, () => 0, 0);
    const ranges = recordRanges(storage.db, RECORDS_AT_ONCE);
    await inJobs(run, ranges, run.jobs.evidence, ({ count }) => count, run.counts.sourceRecords);
  },

  async matching(run) {
    const { db } = run.context.storage;
    run.found(await checkUnplacedOverlaps(db));
    const tiles = await listTiles(db);
    await inJobs(run, tiles, run.jobs.overlaps, () => 1, tiles.length);
  },

  async areas({ context, found }) {
    for await (const difference of checkAreas(context.storage.db)) found([difference]);
  },

  async identity({ context: { storage }, found }) {
    found(await checkChains(storage.db));
    found(await checkMinted(storage.db));
  },

  async records(run) {
    const { live, merged, retired } = run.counts.buildings;
    const ranges = idRanges(run.context.storage.db, BUILDINGS_AT_ONCE);
    await inJobs(run, ranges, run.jobs.records, ({ count }) => count, live + merged + retired);
  },

  async nearby(run) {
    const slices = await findAllSlices(run.context.storage.db);
    await inJobs(run, slices, run.jobs.nearby, () => 1, slices.length);
  },

  async search(run) {
    const { storage } = run.context;
    const segments = await storage.snapshot(loadSegments);
    run.found(await storage.snapshot((reads) => checkIndex(reads, segments)));
    run.found(await storage.snapshot(checkOrder));
    await inJobs(run, segments, run.jobs.segment, () => 1, segments.length);
  },

  async summaries(run) {
    const prefectures = await listPrefectures(run.context.storage.db);
    await inJobs(run, prefectures, run.jobs.summaries, () => 1, prefectures.length);
  },

  async meshes(run) {
    const cells = await listLargeMeshes(run.context.storage.db);
    await inJobs(run, cells, run.jobs.meshes, () => 1, cells.length);
  },

  async reit({ context: { storage }, found }) {
    found(await storage.snapshot(checkPublications));
  },

  async changes({ context: { storage }, found }) {
    const snapshot = await storage.openSnapshot();
    try {
      for await (const difference of checkChanges(snapshot.reads)) found([difference]);
    } finally {
      await snapshot.close();
    }
  },

  async markers({ context: { storage }, found }) {
    found(await checkMarkers(storage.db));
  },
};

async function inJobs<J>(
  { ahead, found, context: { report } }: Run,
  jobs: AsyncIterable<J> | Iterable<J>,
  ask: (job: J) => Promise<Difference[]>,
  sizeOf: (job: J) => number,
  of: number,
): Promise<void> {
  let done = 0;
  for await (const [job, differences] of mapInOrder(jobs, ahead, ask)) {
    found(differences);
    done += sizeOf(job);
    if (of > 0) report.progress(Math.min(done, of), of);
  }
}

/** One building: its records, `nearby` and search entry. */
async function verifyBuilding({ jobs, context, found }: Run, building: AssetKey): Promise<void> {
  found(await jobs.records({ from: building, to: building }));
  const row = formatAssetId(building);
  for (const slices of await findSlicesOf(context.storage.db, building)) {
    found((await jobs.nearby(slices)).filter((difference) => difference.row === row));
  }
}
