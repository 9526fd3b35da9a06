import type { ReadStorage, Reads } from '../storage/storage.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';

/** A snapshot that stays open while a response is sent. */
interface LongRead {
  reads: Reads;
  /** Call when it is no longer needed; calling again is harmless. */
  release(): void;
}

/** A long read that counts against the limits. */
interface HeldRead extends LongRead {
  /** Call whenever the client has received data. */
  progress(): void;
  /** Aborted when the read is taken from a stalled client because another request waits. */
  evicted: AbortSignal;
}

/** Limits of concurrent long reads, since each holds a connection. */
export interface LongReadLimits {
  atOnce: number;
  /** Requests that may wait; further ones fail immediately. */
  waiting: number;
  /** How long a request waits before it fails. */
  waitMs: number;
  /** After this time without progress a client loses its read to a waiting request. */
  stallMs: number;
}

export async function openLongRead(storage: ReadStorage, onRelease = () => {}): Promise<LongRead> {
  const snapshot = await storage.openSnapshot();
  let isOpen = true;
  const release = () => {
    if (isOpen) snapshot.close().then(onRelease, onRelease);
    isOpen = false;
  };
  return { reads: snapshot.reads, release };
}

export type OpenLongRead = () => Promise<Result<HeldRead, FailureOf<'busy'>>>;

/** Opens long reads within limits. */
export function longReads(storage: ReadStorage, limits: LongReadLimits): OpenLongRead {
  const slots = new Slots(limits);
  const free = () => slots.free();
  return async () => {
    if (!(await slots.take())) return fail({ kind: 'busy' });
    let read: LongRead;
    try {
      read = await openLongRead(storage, free);
    } catch (error) {
      free();
      throw error;
    }
    const eviction = new AbortController();
    const holder: Holder = {
      // Until something is read for the client, it cannot stall.
      lastProgress: Number.POSITIVE_INFINITY,
      evict() {
        eviction.abort();
        release();
      },
    };
    const release = () => {
      slots.holders.delete(holder);
      read.release();
    };
    slots.holders.add(holder);
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

/** A semaphore that serves requests in order. */
class Slots {
  readonly holders = new Set<Holder>();
  #left: number;
  readonly #limits: LongReadLimits;
  readonly #waiting = new Set<() => void>();

  constructor(limits: LongReadLimits) {
    this.#limits = limits;
    this.#left = limits.atOnce;
  }

  /** Whether a slot became free in time. */
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

  /** Only while a request waits; otherwise a slow client may take its time. */
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
