import { setTimeout as sleep } from 'node:timers/promises';
import { isOfConnection, JobQueue } from '../storage/job-queue.ts';
import { FailureError } from '../vocabulary/failure.ts';
import type { Context } from './context.ts';
import { jobDoer, type PhaseJob, type SharedResult } from './queued-jobs.ts';

/** How long a worker waits before it looks for a job again: soon after it did one, later while there is no ingest. */
const SHORT_MS = 20;
const LONG_MS = 500;
const RECONNECT_MS = 1_000;

interface WorkReport {
  ready(): void;
  /** The jobs of an ingest have ended. */
  done(jobs: number): void;
  lost(error: Error): void;
}

/** WRK-01: does jobs of ingests that run on this database, one after the other, until it is stopped. */
export async function work(
  context: Pick<Context, 'storage' | 'databaseUrl'>,
  report: WorkReport,
  stop: AbortSignal,
): Promise<void> {
  if (context.storage.engine !== 'postgres') {
    throw new FailureError({
      kind: 'badSetting',
      setting: 'DATABASE_URL',
      reason:
        'must be a PostgreSQL database for work: SQLite has one writer, and an ingest uses several threads itself',
    });
  }
  while (!stop.aborted) {
    try {
      await workUntilLost(context, report, stop);
    } catch (error) {
      if (!isOfConnection(error)) throw error;
      report.lost(error as Error);
      await pause(RECONNECT_MS, stop);
    }
  }
}

async function workUntilLost(
  { storage, databaseUrl }: Pick<Context, 'storage' | 'databaseUrl'>,
  report: WorkReport,
  stop: AbortSignal,
): Promise<void> {
  const queue = await JobQueue.open<PhaseJob, SharedResult>(storage, databaseUrl);
  try {
    await queue.announceWorker();
    report.ready();
    const doJob = jobDoer(storage);
    let done = 0;
    let lastAt = Number.NEGATIVE_INFINITY;
    while (!stop.aborted) {
      if (await queue.take(doJob)) {
        done += 1;
        lastAt = performance.now();
        continue;
      }
      const idle = performance.now() - lastAt;
      if (done > 0 && idle > LONG_MS * 4) {
        report.done(done);
        done = 0;
      }
      await pause(idle > LONG_MS * 4 ? LONG_MS : SHORT_MS, stop);
    }
    if (done > 0) report.done(done);
  } finally {
    await queue.close().catch(() => {});
  }
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => {});
}
