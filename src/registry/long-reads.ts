import type { ReadStorage, Reads } from '../storage/storage.ts';
import { askingClient } from '../vocabulary/asking-client.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { FairPlaces, type PlaceLimits } from '../vocabulary/fair-places.ts';
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
export interface LongReadLimits extends PlaceLimits {
  /** After this time without progress a client loses its read to a waiting request. */
  stallMs: number;
}

/** How long a client keeps each read beyond its share while another waits. */
const GREEDY_MS = 500;

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

/** Opens long reads within limits, which clients share. */
export function longReads(storage: ReadStorage, limits: LongReadLimits): OpenLongRead {
  const places = new FairPlaces(limits);
  return async () => {
    const eviction = new AbortController();
    let release = () => {};
    // Until something is read for the client, it cannot stall.
    let [since, lastProgress] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const free = await places.take(askingClient(), {
      mayLose(isGreedy) {
        const now = performance.now();
        return now - lastProgress >= limits.stallMs || (isGreedy && now - since >= GREEDY_MS);
      },
      lose() {
        eviction.abort();
        release();
      },
    });
    if (free === undefined) return fail({ kind: 'busy' });
    try {
      const read = await openLongRead(storage, free);
      release = read.release;
      since = performance.now();
      const progress = () => {
        lastProgress = performance.now();
      };
      return ok({ reads: read.reads, release, progress, evicted: eviction.signal });
    } catch (error) {
      free();
      throw error;
    }
  };
}
