import { LRUCache } from 'lru-cache';

/** Remembers which IDs were asked for lately: up to twice as many. */
export class AskedLately {
  readonly #count: number;
  #now = new Set<number>();
  #before = new Set<number>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Whether an ID was asked for before. */
  again(id: number): boolean {
    if (this.#now.has(id)) return true;
    const isKnown = this.#before.has(id);
    if (this.#now.size >= this.#count) {
      const oldest = this.#before;
      oldest.clear();
      this.#before = this.#now;
      this.#now = oldest;
    }
    this.#now.add(id);
    return isKnown;
  }
}

/** An LRU cache limited in bytes. A write to the database empties it. */
export class RecentCache<K extends string | number, V extends object> {
  readonly #values: LRUCache<K, V>;
  #moment: number | undefined;

  constructor(maxBytes: number, bytesOf: (value: V) => number) {
    this.#values = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  get(key: K, moment: number): V | undefined {
    if (moment === this.#moment) return this.#values.get(key);
    this.#moment = moment;
    this.#values.clear();
    return undefined;
  }

  /** Stores what was read at `moment`, unless something has been written since. */
  keep(key: K, value: V, moment: number): void {
    if (moment === this.#moment) this.#values.set(key, value);
  }
}
