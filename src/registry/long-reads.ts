import type { Reads, Storage } from '../storage/storage.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';

/** Reads of one moment, for as long as a client takes to be told of them. */
interface LongRead {
  reads: Reads;
  /** To be called when they are no longer needed; again does no harm. */
  release(): void;
}

/** A long read that others may be waiting for. */
interface HeldRead extends LongRead {
  /** To be called whenever the client has taken something. */
  progress(): void;
  /** Aborted when the read was taken away, because its client made no progress and another one waited. */
  evicted: AbortSignal;
}

/** How many long reads there may be at once, since each holds a connection, and who waits for one. */
export interface LongReadLimits {
  atOnce: number;
  /** Requests that wait; further ones fail at once. */
  waiting: number;
  /** How long a request waits before it fails. */
  waitMs: number;
  /** After this long without progress a client loses its read to another that waits. */
  stallMs: number;
}

export async function openLongRead(storage: Storage, onRelease = () => {}): Promise<LongRead> {
  const snapshot = await storage.openSnapshot();
  let isOpen = true;
  const release = () => {
    if (isOpen) snapshot.close().then(onRelease, onRelease);
    isOpen = false;
  };
  return { reads: snapshot.reads, release };
}

/** Opens long reads within limits. */
export function longReads(
  storage: Storage,
  limits: LongReadLimits,
): () => Promise<Result<HeldRead, FailureOf<'busy'>>> {
  const places = new Places(limits);
  const free = () => places.free();
  return async () => {
    if (!(await places.take())) return fail({ kind: 'busy' });
    let read: LongRead;
    try {
      read = await openLongRead(storage, free);
    } catch (error) {
      free();
      throw error;
    }
    const eviction = new AbortController();
    const holder: Holder = {
      lastProgress: performance.now(),
      evict() {
        eviction.abort();
        release();
      },
    };
    const release = () => {
      places.holders.delete(holder);
      read.release();
    };
    places.holders.add(holder);
    const progress = () => {
      holder.lastProgress = performance.now();
    };
    return ok({ reads: read.reads, release, progress, evicted: eviction.signal });
  };
}

interface Holder {
  lastProgress: number;
  evict(): void;
}

/** Places that are given in the order in which they are asked for. */
class Places {
  readonly holders = new Set<Holder>();
  #left: number;
  readonly #limits: LongReadLimits;
  readonly #waiting = new Set<() => void>();

  constructor(limits: LongReadLimits) {
    this.#limits = limits;
    this.#left = limits.atOnce;
  }

  /** Whether there was a place in time. */
  async take(): Promise<boolean> {
    if (this.#left > 0) {
      this.#left -= 1;
      return true;
    }
    this.#evictStalled();
    if (this.#waiting.size >= this.#limits.waiting) return false;
    return new Promise<boolean>((resolve) => {
      const give = () => {
        clearTimeout(late);
        this.#waiting.delete(give);
        resolve(true);
      };
      const late = setTimeout(() => {
        this.#waiting.delete(give);
        resolve(false);
      }, this.#limits.waitMs);
      this.#waiting.add(give);
    });
  }

  /** Only when somebody waits: a client that reads slowly may otherwise take its time. */
  #evictStalled(): void {
    const [slowest] = [...this.holders].sort((a, b) => a.lastProgress - b.lastProgress);
    if (slowest !== undefined && performance.now() - slowest.lastProgress >= this.#limits.stallMs) slowest.evict();
  }

  free(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#left += 1;
    else next();
  }
}
