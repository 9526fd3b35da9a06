interface Entry<V> {
  of: string;
  value: V;
}

/**
 * What was made of something that has a tag, for as long as the tag is the same. Only what is asked for again soon is kept:
 * whoever walks through everything pushes nothing out.
 */
export class Rendered<V> {
  readonly #most: number;
  #young = new Map<string, Entry<V>>();
  #old = new Map<string, Entry<V>>();
  /** Asked for once so far. */
  #seen = new Set<string>();

  /** Holds at most twice as many as `most`. */
  constructor(most: number) {
    this.#most = most;
  }

  of(key: string, tag: string, make: () => V): V {
    const entry = this.#young.get(key) ?? this.#old.get(key);
    if (entry?.of === tag) {
      if (!this.#young.has(key)) this.#put(key, entry);
      return entry.value;
    }
    const value = make();
    if (entry !== undefined || this.#seen.delete(key)) this.#put(key, { of: tag, value });
    else this.#see(key);
    return value;
  }

  #see(key: string): void {
    if (this.#seen.size >= this.#most) this.#seen = new Set();
    this.#seen.add(key);
  }

  #put(key: string, entry: Entry<V>): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, entry);
  }
}
