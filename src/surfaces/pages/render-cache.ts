import { LRUCache } from 'lru-cache';

/**
 * Caches what was rendered from a tagged record while the tag stays the same. A key is cached from its second request on,
 * so that a crawler that reads every page once evicts nothing.
 */
export class RenderCache<V> {
  readonly #values: LRUCache<string, { tag: string; value: V }>;
  /** Keys requested once so far. */
  readonly #seen: LRUCache<string, true>;

  constructor(max: number) {
    this.#values = new LRUCache({ max });
    this.#seen = new LRUCache({ max });
  }

  get(key: string, tag: string, render: () => V): V {
    const entry = this.#values.get(key);
    if (entry?.tag === tag) return entry.value;
    const value = render();
    if (entry !== undefined || this.#seen.delete(key)) this.#values.set(key, { tag, value });
    else this.#seen.set(key, true);
    return value;
  }
}
