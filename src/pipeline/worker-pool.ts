import type { Storage } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
import { type Jobs, jobsOn } from './jobs.ts';

/** Runs the jobs of an ingest in this thread or in others. */
export interface WorkerPool extends Jobs {
  /** How many jobs to request at once so that no worker waits. */
  readonly ahead: number;
  close(): Promise<void>;
}

/** For little work, which is done before a thread would have started. */
export function inlineWorkers(storage: Storage): WorkerPool {
  return { ...jobsOn(storage), ahead: 1, close: async () => {} };
}

const WORKERS = 2;
/** Bounds the memory of each thread, so that a large file does not make a large process. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 192 };

/** Two threads with their own connections. */
export function threadWorkers(databaseUrl: string): WorkerPool {
  const threads = startThreads<Jobs>(new URL('./worker.ts', import.meta.url), WORKERS, {
    workerData: { databaseUrl },
    resourceLimits: WORKER_LIMITS,
  });
  return {
    ahead: WORKERS + 1,
    prepare: (batch) => threads.ask('prepare', batch),
    consolidate: (ids) => threads.ask('consolidate', ids),
    compose: (part) => threads.ask('compose', part),
    compareTile: (tile) => threads.ask('compareTile', tile),
    close: () => threads.close(),
  };
}
