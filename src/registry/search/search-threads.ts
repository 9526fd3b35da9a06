import { availableParallelism } from 'node:os';
import { startThreads } from '../../threads/threads.ts';
import type { Searcher } from '../registry.ts';

export interface SearchJobs {
  search: Searcher;
}

const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 };

/** Answers searches beside the thread that serves, which a slow one would hold up; one processor is left to it. */
export function startSearchThreads(databaseUrl: string): { search: Searcher; close(): Promise<void> } {
  const count = Math.max(1, availableParallelism() - 1);
  const threads = startThreads<SearchJobs>(new URL('./search-worker.ts', import.meta.url), count, {
    workerData: { databaseUrl },
    resourceLimits: LIMITS,
  });
  return { search: (query) => threads.ask('search', query), close: () => threads.close() };
}
