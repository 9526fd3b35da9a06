import type { Reads, Storage } from '../storage/storage.ts';

/** Reads of one moment, for as long as a client takes to be told of them. */
export interface LongRead {
  reads: Reads;
  /** To be called when they are no longer needed; again does no harm. */
  release(): void;
}

/** Opens such reads, so many at a time, since each holds a connection. */
export function longReads(storage: Storage, most: number): () => Promise<LongRead> {
  const places = new Places(most);
  return async () => {
    await places.take();
    const snapshot = await storage.openSnapshot().catch((error: unknown) => {
      places.free();
      throw error;
    });
    let isOpen = true;
    const release = () => {
      const free = () => places.free();
      if (isOpen) snapshot.close().then(free, free);
      isOpen = false;
    };
    return { reads: snapshot.reads, release };
  };
}

/** So many at a time; the others wait in turn. */
class Places {
  #left: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#left = count;
  }

  async take(): Promise<void> {
    if (this.#left > 0) this.#left -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#left += 1;
    else next();
  }
}
