import type { Storage } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
import { type Found, type OpenedFiles, type ReadingJob, SourceReader } from './read-source.ts';

interface Reader {
  open(job: ReadingJob): Promise<OpenedFiles>;
  next(): Promise<Found[] | undefined>;
  close(): Promise<void>;
}

/** A thread reads while this one keeps what was read; a little is read before a thread has started. */
const WORTH_A_THREAD = 8 << 20;
const LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 160 };

export interface ReaderJobs {
  open(job: ReadingJob): Promise<OpenedFiles>;
  next(job: null): Promise<Found[] | undefined>;
}

export function readerFor(storage: Storage, databaseUrl: string, bytes: number): Reader {
  if (bytes < WORTH_A_THREAD) {
    const reader = new SourceReader(storage.db);
    return { open: (job) => reader.open(job), next: () => reader.next(), close: async () => {} };
  }
  const thread = startThreads<ReaderJobs>(new URL('./reader-worker.ts', import.meta.url), 1, {
    workerData: { databaseUrl },
    resourceLimits: LIMITS,
  });
  return {
    open: (job) => thread.ask('open', job),
    next: () => thread.ask('next', null),
    close: () => thread.close(),
  };
}

/** Asks for the next portion while the last is used. */
export async function* portionsOf(reader: Reader): AsyncGenerator<Found[]> {
  for (let next = reader.next(); ; ) {
    const portion = await next;
    if (portion === undefined) return;
    next = reader.next();
    // Whoever takes it in turn sees the fault; until then it must not count as unhandled.
    next.catch(() => {});
    yield portion;
  }
}
