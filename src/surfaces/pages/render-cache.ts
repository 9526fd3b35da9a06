import { LRUCache } from 'lru-cache';

/** What was rendered from a record. */
interface Rendered {
  page: { body: Uint8Array };
}

/**
 * Caches what was rendered from a tagged record while the tag stays the same. A key is cached from its second request on,
 * so that a crawler that reads every page once evicts nothing.
 */
export class RenderCache<V extends Rendered> {
  readonly #values: LRUCache<string, { tag: string; value: V }>;
  /** Keys requested once so far. */
  readonly #seen: LRUCache<string, true>;

  constructor({ maxBytes, maxSeen }: { maxBytes: number; maxSeen: number }) {
    this.#values = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }, key) => value.page.body.length + key.length,
    });
    this.#seen = new LRUCache({ max: maxSeen });
  }

  find(key: string, tag: string): V | undefined {
    const entry = this.#values.get(key);
    return entry?.tag === tag ? entry.value : undefined;
  }

  keep(key: string, tag: string, value: V): void {
    if (this.#values.has(key) || this.#seen.delete(key)) this.#values.set(key, { tag, value });
    else this.#seen.set(key, true);
  }
}
