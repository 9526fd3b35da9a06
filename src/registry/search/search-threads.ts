import { availableParallelism } from 'node:os';
import { startThreads } from '../../threads/threads.ts';
import type { SearchQuery } from '../../vocabulary/api-shapes.ts';
import type { Finished } from '../pages.ts';
import type { Searcher } from '../registry.ts';
import { SharedSlots } from './shared-slots.ts';

/** An answer in a slot of the shared memory, or whole where there was no slot or it was too small. */
export type SharedAnswer = { etag: string; length: number } | Finished;

export interface SearchJobs {
  search(job: { query: SearchQuery; slot: number | undefined }): Promise<SharedAnswer>;
}

const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 };

/** Answers searches beside the thread that serves, which a slow one would hold up; one processor is left to it. */
export function startSearchThreads(databaseUrl: string): { search: Searcher; close(): Promise<void> } {
  const count = Math.max(1, availableParallelism() - 1);
  const slots = new SharedSlots();
  const threads = startThreads<SearchJobs>(new URL('./search-worker.ts', import.meta.url), count, {
    workerData: { databaseUrl, memory: slots.memory },
    resourceLimits: LIMITS,
  });
  return {
    async search(query) {
      const slot = slots.take();
      const free = () => slots.free(slot);
      try {
        const answer = await threads.ask('search', { query, slot });
        if ('length' in answer) {
          return { etag: answer.etag, body: slots.bytes(slot as number, answer.length), release: free };
        }
        free();
        return answer;
      } catch (error) {
        free();
        throw error;
      }
    },
    close: () => threads.close(),
  };
}
