import { availableParallelism } from 'node:os';
import { startThreads } from '../../../threads/threads.ts';
import type { FinishedResponse } from '../../records.ts';
import type { SearchBackend } from '../../registry.ts';

/** An answer in a slot of the shared memory, or whole where there was no slot or it was too small. */
export type SharedAnswer = { etag: string; length: number } | FinishedResponse;

/** A question, and where its answer may go. */
type Large = 'search' | 'list' | 'tile';
type Job<N extends Large> = { query: Parameters<SearchBackend[N]>[0]; slot: number | undefined };

export type SearchJobs = { [N in Large]: (job: Job<N>) => Promise<SharedAnswer> } & Pick<SearchBackend, 'suggest'>;

const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 };

/** Answers searches beside the thread that serves, which a slow one would hold up; one processor is left to it. */
export function startSearchThreads(databaseUrl: string): SearchBackend & { close(): Promise<void> } {
  const count = Math.max(1, availableParallelism() - 1);
  const slots = new SharedMemory();
  const threads = startThreads<SearchJobs>(new URL('./search-worker.ts', import.meta.url), count, {
    workerData: { databaseUrl, memory: slots.memory },
    resourceLimits: LIMITS,
  });
  const ask = async <N extends Large>(name: N, query: Job<N>['query']): Promise<FinishedResponse> => {
    const slot = slots.take();
    const free = () => slots.free(slot);
    try {
      const answer: SharedAnswer = await threads.ask(name, { query, slot } as Parameters<SearchJobs[N]>[0]);
      if ('length' in answer) {
        return { etag: answer.etag, body: slots.bytes(slot as number, answer.length), release: free };
      }
      free();
      return answer;
    } catch (error) {
      free();
      throw error;
    }
  };
  return {
    search: (query) => ask('search', query),
    list: (query) => ask('list', query),
    tile: (tile) => ask('tile', tile),
    suggest: (q) => threads.ask('suggest', q),
    close: () => threads.close(),
  };
}

const SLOTS = 32;
const SLOT_BYTES = 256 * 1024;

/**
 * Memory that threads share, for answers on their way: hundreds of large answers a second that are new
 * memory each would keep the serving thread at collecting it.
 */
export class SharedMemory {
  readonly memory: SharedArrayBuffer;
  readonly #free: number[] = [];

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(SLOTS * SLOT_BYTES);
    for (let slot = 0; slot < SLOTS; slot++) this.#free.push(slot);
  }

  /** Undefined where all are taken. */
  take(): number | undefined {
    return this.#free.pop();
  }

  free(slot: number | undefined): void {
    if (slot !== undefined) this.#free.push(slot);
  }

  /** False where the bytes do not fit. */
  fill(slot: number, bytes: Uint8Array): boolean {
    if (bytes.length > SLOT_BYTES) return false;
    this.bytes(slot, bytes.length).set(bytes);
    return true;
  }

  bytes(slot: number, length: number): Buffer {
    return Buffer.from(this.memory, slot * SLOT_BYTES, length);
  }
}
