const IDS_PER_PAGE = 65_536;

/** A set of positive integers that mostly follow each other, one bit for each: a run may touch a hundred million records. */
export class IdSet {
  readonly #pages = new Map<number, Uint8Array>();

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  has(id: number): boolean {
    const at = id % IDS_PER_PAGE;
    const bits = this.#pages.get(Math.floor(id / IDS_PER_PAGE));
    return bits !== undefined && ((bits[at >>> 3] as number) & (1 << (at & 7))) !== 0;
  }

  add(id: number): void {
    const page = Math.floor(id / IDS_PER_PAGE);
    let bits = this.#pages.get(page);
    if (bits === undefined) {
      bits = new Uint8Array(IDS_PER_PAGE / 8);
      this.#pages.set(page, bits);
    }
    const at = id % IDS_PER_PAGE;
    bits[at >>> 3] = (bits[at >>> 3] as number) | (1 << (at & 7));
  }

  /** Ascending. */
  *batches(size: number): Generator<number[]> {
    let batch: number[] = [];
    for (const [page, bits] of [...this.#pages].sort(([a], [b]) => a - b)) {
      for (let at = 0; at < IDS_PER_PAGE; at++) {
        if (((bits[at >>> 3] as number) & (1 << (at & 7))) === 0) continue;
        batch.push(page * IDS_PER_PAGE + at);
        if (batch.length < size) continue;
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }
}
