import type { Storage } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
import { adapterOf, type IngestSource } from './adapters.ts';
import type { Context } from './context.ts';
import { type Jobs, jobsOn } from './jobs.ts';
import type { PreparedItem } from './prepare-items.ts';
import { type Reader, SourceReader } from './source-reader.ts';

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
    meet: (tile) => threads.ask('meet', tile),
    close: () => threads.close(),
  };
}

/** Less is read before a thread would have started. */
const WORTH_THREADS = 8 << 20;
const READER_LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 160 };

export type ReaderJobs = Pick<Reader, 'open'> & { next(job: null): ReturnType<Reader['next']> };

/**
 * A reader for files of so many bytes in all. Lines are cut here and parsed by the workers; any other format is read by
 * one thread while this one stores what was read.
 */
export function readerFor({ storage, databaseUrl }: Context, source: IngestSource, bytes: number): Reader {
  if (bytes < WORTH_THREADS) return new SourceReader(inlineWorkers(storage));
  if (adapterOf(source).keepsLines === true) return new SourceReader(threadWorkers(databaseUrl));
  const thread = startThreads<ReaderJobs>(new URL('./reader-worker.ts', import.meta.url), 1, {
    workerData: { databaseUrl },
    resourceLimits: READER_LIMITS,
  });
  return {
    open: (job) => thread.ask('open', job),
    // Only the record format has areas that must be read first.
    async *areas() {},
    next: () => thread.ask('next', null),
    close: () => thread.close(),
  };
}

/** Requests the next items while the last ones are stored. */
export async function* itemsOf(reader: Reader): AsyncGenerator<PreparedItem[]> {
  for (let next = reader.next(); ; ) {
    const items = await next;
    if (items === undefined) return;
    next = reader.next();
    // The error is thrown when the items are awaited; until then it must not count as unhandled.
    next.catch(() => {});
    yield items;
  }
}
