import { LRUCache } from 'lru-cache';

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
