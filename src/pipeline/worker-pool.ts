import type { Storage } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
import { type Jobs, jobsOn } from './jobs.ts';

/** Runs the jobs of an ingest in this thread or in others. */
export interface WorkerPool extends Jobs {
  /** How many jobs to request at once so that no worker waits. */
  readonly ahead: number;
  /** 0 if jobs run in this thread. */
  readonly threads: number;
}

/**
 * The workers of a run. Threads are started for the first stage that is worth them and kept for the others, because loading
 * the program takes a thread as long as publishing some thousand buildings.
 */
export class RunWorkers {
  readonly #database: { storage: Storage; databaseUrl: string };
  #threads: (WorkerPool & { close(): Promise<void> }) | undefined;

  constructor({ storage, databaseUrl }: { storage: Storage; databaseUrl: string }) {
    this.#database = { storage, databaseUrl };
  }

  /** For a stage; threads if it has enough work. */
  start(isWorthThreads: boolean): WorkerPool {
    if (!isWorthThreads) return inlineWorkers(this.#database);
    this.#threads ??= threadWorkers(this.#database.databaseUrl);
    return this.#threads;
  }

  async close(): Promise<void> {
    await this.#threads?.close();
    this.#threads = undefined;
  }
}

/** For little work, which is done before a thread would have started. */
function inlineWorkers(database: { storage: Storage; databaseUrl: string }): WorkerPool {
  return { ...jobsOn(database), threads: 0, ahead: 1 };
}

const WORKERS = 2;
/** Bounds the memory of each thread, so that a large file does not make a large process. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 192 };

/** Two threads with their own connections. */
function threadWorkers(databaseUrl: string): WorkerPool & { close(): Promise<void> } {
  const threads = startThreads<Jobs>(new URL('./worker.ts', import.meta.url), WORKERS, {
    workerData: { databaseUrl },
    resourceLimits: WORKER_LIMITS,
  });
  return {
    threads: WORKERS,
    ahead: WORKERS + 1,
    prepare: (batch) => threads.ask('prepare', batch),
    consolidate: (ids) => threads.ask('consolidate', ids),
    compose: (part) => threads.ask('compose', part),
    compareTile: (tile) => threads.ask('compareTile', tile),
    takeShared: (most) => threads.ask('takeShared', most),
    close: () => threads.close(),
  };
}
