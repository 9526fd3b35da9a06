import type { Storage } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
import { type Jobs, jobsOn } from './jobs.ts';

/** Whoever does the jobs of a run: this thread, or others beside it. */
export interface WorkerPool extends Jobs {
  /** How many jobs to have under way so that nobody waits. */
  readonly ahead: number;
  close(): Promise<void>;
}

/** For a little work, which would be done before a thread has started. */
export function inlineWorkers(storage: Storage): WorkerPool {
  return { ...jobsOn(storage), ahead: 1, close: async () => {} };
}

const WORKERS = 2;
/** Bounds what each thread may hold, so that a large file does not make a large process. */
const LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 192 };

/** Two threads with connections of their own; a fault in one is the fault of whoever asked. */
export function threadWorkers(databaseUrl: string): WorkerPool {
  const threads = startThreads<Jobs>(new URL('./worker.ts', import.meta.url), WORKERS, {
    workerData: { databaseUrl },
    resourceLimits: LIMITS,
  });
  return {
    ahead: WORKERS + 1,
    read: (portion) => threads.ask('read', portion),
    consolidate: (ids) => threads.ask('consolidate', ids),
    compose: (part) => threads.ask('compose', part),
    meet: (tile) => threads.ask('meet', tile),
    close: () => threads.close(),
  };
}
