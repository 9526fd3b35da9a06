import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** What was rendered from a record. */
interface Rendered {
  page: { body: Uint8Array };
}

interface Entry<V> {
  tag: string;
  value: V;
}

const pack = promisify(zstdCompress);
/** Fast rather than small. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Caches what was rendered from a tagged record while the tag stays the same. A key is cached from its second request on,
 * so that a crawler that reads every page once evicts nothing. Recent pages are kept as they are, and more of them
 * compressed: to decompress a page takes a tenth of the time of rendering it.
 */
export class RenderCache<V extends Rendered> {
  readonly #values: LRUCache<string, Entry<V>>;
  readonly #packed: LRUCache<string, Entry<V>>;
  /** Keys requested once so far. */
  readonly #seen: LRUCache<string, true>;
  readonly #onFault: (error: unknown) => void;

  constructor(options: { max: number; maxPacked: number; onFault: (error: unknown) => void }) {
    this.#values = new LRUCache({ max: options.max });
    this.#packed = new LRUCache({ max: options.maxPacked });
    this.#seen = new LRUCache({ max: options.maxPacked });
    this.#onFault = options.onFault;
  }

  find(key: string, tag: string): V | undefined {
    const entry = this.#values.get(key);
    if (entry?.tag === tag) return entry.value;
    const packed = this.#packed.get(key);
    if (packed?.tag !== tag) return undefined;
    const value = { ...packed.value, page: { ...packed.value.page, body: zstdDecompressSync(packed.value.page.body) } };
    this.#values.set(key, { tag, value });
    return value;
  }

  keep(key: string, tag: string, value: V): void {
    if (!this.#values.has(key) && !this.#packed.has(key) && !this.#seen.delete(key)) {
      this.#seen.set(key, true);
      return;
    }
    this.#values.set(key, { tag, value });
    this.#packed.delete(key);
    pack(value.page.body, PACKING).then((body) => {
      this.#packed.set(key, { tag, value: { ...value, page: { ...value.page, body } } });
    }, this.#onFault);
  }
}
