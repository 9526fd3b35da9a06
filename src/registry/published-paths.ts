import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Reads, Storage } from '../storage/storage.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { ok, type Result } from '../vocabulary/result.ts';
import { type LongReadLimits, longReads, openLongRead } from './long-reads.ts';

/** A page, and when what it shows was last recorded. */
export interface PublishedPath {
  path: string;
  recordedAt: string;
}

/** Some of the hubs or of the buildings: always the same ones, whatever else is published. */
export interface PathRange {
  number: number;
  latestRecordedAt: string;
}

/** The paths of one part, and a tag that changes with them. */
export interface PathList {
  tag: string;
  paths: AsyncIterable<readonly PublishedPath[]>;
  /** To be called when the paths are no longer needed, read or not. */
  release(): void;
  /** Aborted when the rest cannot be read any more, because others needed its place. */
  evicted?: AbortSignal;
}

export interface PathQueries {
  /** Those parts of all hubs, or of all buildings, that have any. */
  list(most: number): Promise<PathRange[]>;
  /** Undefined where a part has none. */
  read(most: number, number: number): Promise<Result<PathList | undefined, FailureOf<'busy'>>>;
}

/** How parts of at most `most` are cut out of one kind of page. */
export interface PathPartition<K> {
  parts(reads: Reads, most: number): Promise<PathRange[]>;
  /** From the first key of a part to the end of it. */
  bounds(reads: Reads, most: number, number: number): Promise<[from: K, to: K] | undefined>;
  paths(reads: Reads, from: K, to: K): AsyncIterable<readonly PublishedPath[]>;
}

export const PATH_LIMITS: LongReadLimits = { atOnce: 8, waiting: 32, waitMs: 1_000, stallMs: 10_000 };
/** How many are read at once: the serving thread has others to answer in between. */
export const PATHS_PER_READ = 250;
export const yieldToRequests = () => setImmediate();

export function pathQueries<K>(storage: Storage, cut: PathPartition<K>, limits: LongReadLimits): PathQueries {
  const open = longReads(storage, limits);
  return {
    async list(most) {
      // No client reads it while it is open, so that it needs no place.
      const { reads, release } = await openLongRead(storage);
      return cut.parts(reads, most).finally(release);
    },
    async read(most, number) {
      const opened = await open();
      if (!opened.ok) return opened;
      const { reads, release, progress, evicted } = opened.value;
      try {
        const bounds = await cut.bounds(reads, most, number);
        const tag = bounds && (await tagOfAll(cut.paths(reads, ...bounds)));
        if (bounds !== undefined && tag !== undefined) {
          return ok({ tag, paths: noting(cut.paths(reads, ...bounds), progress), release, evicted });
        }
        release();
        return ok(undefined);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

async function* noting<T>(parts: AsyncIterable<T>, progress: () => void): AsyncGenerator<T> {
  for await (const part of parts) {
    progress();
    yield part;
  }
}

/** Reads everything once and keeps nothing of it; undefined where there is nothing. */
async function tagOfAll(paths: AsyncIterable<readonly PublishedPath[]>): Promise<string | undefined> {
  const hash = createHash('sha256');
  let isEmpty = true;
  for await (const batch of paths) {
    hash.update(batch.map(({ path, recordedAt }) => `${path} ${recordedAt}\n`).join(''));
    isEmpty = false;
  }
  return isEmpty ? undefined : hash.digest('base64url').slice(0, 22);
}
