import { type Bitmap, countDocs, descending } from '../format/bitmaps.ts';

/** Counts all positions and keeps those of the page. */
export class Hits {
  total = 0;
  readonly positions: number[] = [];
  readonly #offset: number;
  readonly #end: number;
  readonly #cap: number;

  constructor(offset: number, limit: number, cap: number) {
    this.#offset = offset;
    this.#end = offset + limit;
    this.#cap = cap;
  }

  get isFull(): boolean {
    return this.total > this.#cap;
  }

  add(pos: number): void {
    if (this.total >= this.#offset && this.total < this.#end) this.positions.push(pos);
    this.total += 1;
  }

  /** Outside the page, a set only has to be counted. */
  addAll(docs: Bitmap, first: number): void {
    const count = countDocs(docs);
    const end = this.total + count;
    if (end > this.#offset && this.total < this.#end) {
      for (const doc of descending(docs)) {
        if (this.total >= this.#end) break;
        this.add(first + doc);
      }
    }
    this.total = end;
  }
}
