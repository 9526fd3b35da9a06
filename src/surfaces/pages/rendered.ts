import { LRUCache } from 'lru-cache';

/**
 * What was made from something that has a tag, valid while the tag is the same. A key is kept from its second request
 * on, so that a crawler that reads everything once evicts nothing.
 */
export class Rendered<V> {
  readonly #values: LRUCache<string, { tag: string; value: V }>;
  /** Keys that were asked for once so far. */
  readonly #seen: LRUCache<string, true>;

  constructor(max: number) {
    this.#values = new LRUCache({ max });
    this.#seen = new LRUCache({ max });
  }

  of(key: string, tag: string, make: () => V): V {
    const entry = this.#values.get(key);
    if (entry?.tag === tag) return entry.value;
    const value = make();
    if (entry !== undefined || this.#seen.delete(key)) this.#values.set(key, { tag, value });
    else this.#seen.set(key, true);
    return value;
  }
}
