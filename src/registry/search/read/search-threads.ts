import { availableParallelism } from 'node:os';
import type { ReadAddress } from '../../../storage/open-storage.ts';
import { startThreads } from '../../../threads/threads.ts';
import { askingClient } from '../../../vocabulary/asking-client.ts';
import { FailureError } from '../../../vocabulary/failure.ts';
import { FairPlaces } from '../../../vocabulary/fair-places.ts';
import type { FinishedResponse } from '../../records.ts';
import type { SearchBackend } from '../../registry.ts';
import type { SearchAnswer } from './search.ts';

/** A response in a slot of the shared memory, or whole if no slot was free or large enough. */
export type SharedAnswer = Pick<SearchAnswer, 'etag' | 'summarised'> & ({ length: number } | FinishedResponse);

/** A query, and the slot for its response. */
type BinaryJob = 'search' | 'list' | 'tile' | 'areaTile' | 'mapPoints';
type Job<N extends BinaryJob> = { query: Parameters<SearchBackend[N]>[0]; slot: number | undefined };

export type SearchJobs = { [N in BinaryJob]: (job: Job<N>) => Promise<SharedAnswer> } & Pick<
  SearchBackend,
  'suggest' | 'owner' | 'areas' | 'offers' | 'match' | 'suggestIds' | 'features'
> & {
    extent: (job: null) => ReturnType<SearchBackend['extent']>;
    listAll: (job: Parameters<SearchBackend['listAll']>) => ReturnType<SearchBackend['listAll']>;
  };

const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 };

/** Jobs that a thread has at once: on SQLite the next one, so that it need not wait for it; on PostgreSQL as many as wait for the database. */
const JOBS_PER_THREAD = { sqlite: 2, postgres: 8 } as const;
/** SHR-03: jobs that wait for a thread. */
const WAITING = { waiting: 1_024, waitMs: 5_000 } as const;

/**
 * Answers searches in other threads, so that a slow one does not delay requests. One processor is left for the serving
 * thread.
 */
export function startSearchThreads(
  databaseUrl: string,
  readUrls: readonly string[] = [],
): SearchBackend & { close(): Promise<void> } {
  const address: ReadAddress = { databaseUrl, readUrls };
  const count = Math.max(1, availableParallelism() - 1);
  const slots = new SharedMemory();
  const jobsPerThread = JOBS_PER_THREAD[databaseUrl.startsWith('file:') ? 'sqlite' : 'postgres'];
  const places = new FairPlaces({ atOnce: count * jobsPerThread, ...WAITING });
  const threads = startThreads<SearchJobs>(new URL('./search-worker.ts', import.meta.url), count, {
    workerData: { address, memory: slots.memory },
    resourceLimits: LIMITS,
  });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const free = await places.take(askingClient());
    if (free === undefined) throw new FailureError({ kind: 'busy' });
    try {
      return await work();
    } catch (error) {
      throw withFailure(error);
    } finally {
      free();
    }
  };
  const ask = <N extends keyof SearchJobs>(name: N, job: Parameters<SearchJobs[N]>[0]) =>
    inTurn(() => threads.ask(name, job) as Promise<Awaited<ReturnType<SearchJobs[N]>>>);
  const askBinary = <N extends BinaryJob>(name: N, query: Job<N>['query']): Promise<SearchAnswer> =>
    inTurn(async () => {
      const slot = slots.take();
      const free = () => slots.free(slot);
      try {
        const answer: SharedAnswer = await threads.ask(name, { query, slot } as Parameters<SearchJobs[N]>[0]);
        if ('length' in answer) {
          const { length, ...rest } = answer;
          return { ...rest, body: slots.bytes(slot as number, length), release: free };
        }
        free();
        return answer;
      } catch (error) {
        free();
        throw error;
      }
    });
  return {
    search: (query) => askBinary('search', query),
    list: (query) => askBinary('list', query),
    tile: (tile) => askBinary('tile', tile),
    areaTile: (tile) => askBinary('areaTile', tile),
    mapPoints: (query) => askBinary('mapPoints', query),
    suggest: (q) => ask('suggest', q),
    listAll: (...job) => ask('listAll', job),
    features: (query) => ask('features', query),
    extent: () => ask('extent', null),
    owner: (name) => ask('owner', name),
    areas: (q) => ask('areas', q),
    offers: (query) => ask('offers', query),
    suggestIds: (query) => ask('suggestIds', query),
    match: (questions) => ask('match', questions),
    close: () => threads.close(),
  };
}

/** Only the message of an error survives the way from another thread; its failure comes beside it. */
function withFailure(error: unknown): unknown {
  const { failure } = error as Partial<FailureError>;
  return failure === undefined ? error : new FailureError(failure, { cause: error });
}

const SLOTS = 32;
const SLOT_BYTES = 256 * 1024;

/**
 * Memory shared between threads for responses. Allocating hundreds of large responses a second would keep the serving
 * thread busy with garbage collection.
 */
export class SharedMemory {
  readonly memory: SharedArrayBuffer;
  readonly #free: number[] = [];

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(SLOTS * SLOT_BYTES);
    for (let slot = 0; slot < SLOTS; slot++) this.#free.push(slot);
  }

  /** Undefined if all slots are taken. */
  take(): number | undefined {
    return this.#free.pop();
  }

  free(slot: number | undefined): void {
    if (slot !== undefined) this.#free.push(slot);
  }

  /** False if the bytes do not fit. */
  fill(slot: number, bytes: Uint8Array): boolean {
    if (bytes.length > SLOT_BYTES) return false;
    this.bytes(slot, bytes.length).set(bytes);
    return true;
  }

  bytes(slot: number, length: number): Buffer {
    return Buffer.from(this.memory, slot * SLOT_BYTES, length);
  }
}
