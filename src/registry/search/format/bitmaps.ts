/**
 * A set of entries of one segment, by offset: a sorted list if sparse, a bitmap if dense. Numbers are little-endian, as
 * on every platform that Node supports.
 */
export type Bitmap = Uint16Array | Uint32Array;

/** The maximum number of entries in a segment: an offset has 16 bits. */
export const MAX_SEGMENT_SIZE = 65_536;

export const EMPTY_BITMAP: Bitmap = new Uint16Array(0);

export const isList = (docs: Bitmap): docs is Uint16Array => docs instanceof Uint16Array;
export const wordsFor = (size: number) => (size + 31) >>> 5;

export function countDocs(docs: Bitmap): number {
  if (isList(docs)) return docs.length;
  let count = 0;
  for (let i = 0; i < docs.length; i++) count += countBits(docs[i] as number);
  return count;
}

/** The number of bits that are set. */
export function countBits(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export const hasBit = (bits: Uint32Array, doc: number) => ((bits[doc >>> 5] as number) & (1 << (doc & 31))) !== 0;

export function hasDoc(docs: Bitmap, doc: number): boolean {
  return isList(docs) ? listHas(docs, doc) : hasBit(docs, doc);
}

function listHas(list: Uint16Array, doc: number): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < doc) low = middle + 1;
    else high = middle;
  }
  return list[low] === doc;
}

export function fullBitmap(size: number): Bitmap {
  const bits = new Uint32Array(wordsFor(size)).fill(0xffffffff);
  if (size & 31) bits[bits.length - 1] = (1 << (size & 31)) - 1;
  return bits;
}

export function intersect(a: Bitmap, b: Bitmap): Bitmap {
  if (isList(a)) return isList(b) ? intersectLists(a, b) : a.filter((doc) => hasBit(b, doc));
  if (isList(b)) return b.filter((doc) => hasBit(a, doc));
  const both = new Uint32Array(a.length);
  for (let i = 0; i < both.length; i++) both[i] = (a[i] as number) & (b[i] as number);
  return both;
}

/** The number of entries in both. */
export function countShared(a: Bitmap, b: Bitmap): number {
  if (isList(a) && isList(b)) return intersectLists(a, b).length;
  if (isList(b)) return countShared(b, a);
  let count = 0;
  if (isList(a)) for (let i = 0; i < a.length; i++) count += hasBit(b as Uint32Array, a[i] as number) ? 1 : 0;
  else for (let i = 0; i < a.length; i++) count += countBits((a[i] as number) & (b[i] as number));
  return count;
}

function intersectLists(a: Uint16Array, b: Uint16Array): Uint16Array {
  const both = new Uint16Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] as number, b[j] as number];
    if (x === y) both[count++] = x;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return both.subarray(0, count);
}

export function unite(a: Bitmap, b: Bitmap, size: number): Bitmap {
  if (isList(a) && a.length === 0) return b;
  if (isList(b) && b.length === 0) return a;
  if (isList(a) && isList(b) && (a.length + b.length) * 2 <= wordsFor(size) * 4) return uniteLists(a, b);
  if (isList(a) && !isList(b)) return unite(b, a, size);
  const bits = isList(a) ? toBits(a, size) : a.slice();
  if (isList(b)) for (const doc of b) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
  else for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (b[i] as number);
  return bits;
}

function uniteLists(a: Uint16Array, b: Uint16Array): Uint16Array {
  const either = new Uint16Array(a.length + b.length);
  let count = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [x, y] = [a[i] ?? MAX_SEGMENT_SIZE, b[j] ?? MAX_SEGMENT_SIZE];
    either[count++] = Math.min(x, y);
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return either.subarray(0, count);
}

/** The entries of `a` that are not in `b`. */
export function exclude(a: Bitmap, b: Bitmap): Bitmap {
  if (isList(a)) return a.filter((doc) => !hasDoc(b, doc));
  const rest = a.slice();
  if (isList(b)) for (const doc of b) rest[doc >>> 5] = (rest[doc >>> 5] as number) & ~(1 << (doc & 31));
  else for (let i = 0; i < rest.length; i++) rest[i] = (rest[i] as number) & ~(b[i] as number);
  return rest;
}

/** As a bitmap. A list may be unsorted. */
export function toBits(docs: Bitmap, size: number): Uint32Array {
  if (!isList(docs)) return docs;
  const bits = new Uint32Array(wordsFor(size));
  for (const doc of docs) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
  return bits;
}

/** As an ascending list. */
export function toList(docs: Bitmap, count = countDocs(docs)): Uint16Array {
  if (isList(docs)) return docs;
  const list = new Uint16Array(count);
  let at = 0;
  for (let i = 0; i < docs.length; i++) {
    for (let word = docs[i] as number; word !== 0; word &= word - 1) {
      list[at++] = (i << 5) | (31 - Math.clz32(word & -word));
    }
  }
  return list;
}

/** Collects entries in any order. */
export class DocSet {
  readonly #size: number;
  #few: number[] = [];
  #bits: Uint32Array | undefined;

  /** `size` is that of the segment. */
  constructor(size: number) {
    this.#size = size;
  }

  add(doc: number): void {
    if (this.#bits !== undefined) {
      this.#bits[doc >>> 5] = (this.#bits[doc >>> 5] as number) | (1 << (doc & 31));
      return;
    }
    this.#few.push(doc);
    if (this.#few.length * 2 > wordsFor(this.#size) * 4) this.#bits = toBits(Uint16Array.from(this.#few), this.#size);
  }

  toBitmap(): Bitmap {
    return this.#bits ?? Uint16Array.from(this.#few).sort();
  }
}

/** From the highest offset down: the order of results. */
export function* descending(docs: Bitmap): Generator<number> {
  if (isList(docs)) {
    for (let i = docs.length - 1; i >= 0; i--) yield docs[i] as number;
    return;
  }
  for (let i = docs.length - 1; i >= 0; i--) {
    for (let word = docs[i] as number; word !== 0; ) {
      const bit = 31 - Math.clz32(word);
      yield (i << 5) | bit;
      word &= ~(1 << bit);
    }
  }
}

/** The set with one entry added or removed. */
export function withDoc(docs: Bitmap, doc: number, present: boolean, size: number): Bitmap {
  if (hasDoc(docs, doc) === present) return docs;
  const bits = toBits(docs, size).slice();
  if (present) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
  else bits[doc >>> 5] = (bits[doc >>> 5] as number) & ~(1 << (doc & 31));
  return bits;
}
