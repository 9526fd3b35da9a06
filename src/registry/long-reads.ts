import type { Reads, Storage } from '../storage/storage.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';

/** Reads of one moment, for as long as a client takes to be told of them. */
export interface LongRead {
  reads: Reads;
  /** To be called when they are no longer needed; again does no harm. */
  release(): void;
}

/** How many long reads there may be at once, since each holds a connection, and who waits for one. */
export interface LongReadLimits {
  atOnce: number;
  /** Requests that wait; further ones fail at once. */
  waiting: number;
  /** How long a request waits before it fails. */
  waitMs: number;
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
): () => Promise<Result<LongRead, FailureOf<'busy'>>> {
  const places = new Places(limits);
  const free = () => places.free();
  return async () => {
    if (!(await places.take())) return fail({ kind: 'busy' });
    try {
      return ok(await openLongRead(storage, free));
    } catch (error) {
      free();
      throw error;
    }
  };
}

/** Places that are given in the order in which they are asked for. */
class Places {
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

  free(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#left += 1;
    else next();
  }
}
