/**
 * A set of entries of one segment, by offset: a sorted list if sparse, a bitmap if dense. Numbers are little-endian, as
 * on every platform that Node supports.
 */
export type Bitmap = Uint16Array | Uint32Array;

/** The maximum number of entries in a segment: an offset has 16 bits. */
export const MAX_SEGMENT_SIZE = 65_536;

export const EMPTY_BITMAP: Bitmap = new Uint16Array(0);

const isList = (docs: Bitmap): docs is Uint16Array => docs instanceof Uint16Array;
const wordsFor = (size: number) => (size + 31) >>> 5;

export function countDocs(docs: Bitmap): number {
  if (isList(docs)) return docs.length;
  let count = 0;
  for (let i = 0; i < docs.length; i++) count += countBits(docs[i] as number);
  return count;
}

function countBits(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const hasBit = (bits: Uint32Array, doc: number) => ((bits[doc >>> 5] as number) & (1 << (doc & 31))) !== 0;

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

/** Calls a function for each entry, from the highest offset down. For many entries this is faster than a generator. */
export function visitDocs(docs: Bitmap, visit: (doc: number) => void): void {
  if (isList(docs)) {
    for (let i = docs.length - 1; i >= 0; i--) visit(docs[i] as number);
    return;
  }
  for (let i = docs.length - 1; i >= 0; i--) {
    for (let word = docs[i] as number; word !== 0; ) {
      const bit = 31 - Math.clz32(word);
      visit((i << 5) | bit);
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

/** A set with a name; related sets are stored together in one byte string. */
export interface NamedBitmap {
  name: number;
  docs: Bitmap;
  /** One byte per entry, in the order of the entries. */
  positions?: Uint8Array;
}

/**
 * Layout of a set: name and kind (one byte each), length of the list or of the bitmap in words (two bytes), for a
 * bitmap with positions their number (four bytes), then the entries, then the positions, padded to a multiple of four.
 */
const LIST = 0;
const BITS = 1;
const PLACED = 2;
const HEAD = 4;

export function encodeBitmaps(sets: readonly NamedBitmap[], size: number): Uint8Array {
  const parts = sets.map(({ name, docs, positions }) => ({ name, docs: shorter(docs, size), positions }));
  const bytes = new Uint8Array(parts.reduce((sum, { docs, positions }) => sum + sizeOf(docs, positions), 0));
  let at = 0;
  for (const { name, docs, positions } of parts) {
    const kind = (isList(docs) ? LIST : BITS) | (positions === undefined ? 0 : PLACED);
    bytes.set([name, kind, docs.length & 0xff, docs.length >>> 8], at);
    const start = at + headOf(docs, positions);
    if (start - at > HEAD) new DataView(bytes.buffer).setUint32(at + HEAD, (positions as Uint8Array).length, true);
    bytes.set(new Uint8Array(docs.buffer, docs.byteOffset, docs.byteLength), start);
    if (positions !== undefined) bytes.set(positions, start + docs.byteLength);
    at += sizeOf(docs, positions);
  }
  return bytes;
}

const headOf = (docs: Bitmap, positions: Uint8Array | undefined) =>
  isList(docs) || positions === undefined ? HEAD : HEAD + 4;

function sizeOf(docs: Bitmap, positions: Uint8Array | undefined): number {
  return (headOf(docs, positions) + docs.byteLength + (positions?.length ?? 0) + 3) & ~3;
}

function shorter(docs: Bitmap, size: number): Bitmap {
  if (isList(docs)) return docs.length * 2 <= wordsFor(size) * 4 ? docs : toBits(docs, size);
  const count = countDocs(docs);
  return count * 2 <= docs.byteLength ? toList(docs, count) : docs;
}

function toList(docs: Bitmap, count = countDocs(docs)): Uint16Array {
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

/** The set with this name, if any. A view of the bytes: do not modify. */
export function decodeBitmap(bytes: Uint8Array, name: number): Bitmap | undefined {
  return decodePositions(bytes, name)?.docs;
}

export interface Positions {
  docs: Bitmap;
  positions: Uint8Array;
}

const NO_PLACES = new Uint8Array(0);

/** The same, with the positions. */
export function decodePositions(bytes: Uint8Array, name: number): Positions | undefined {
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at + 1] as number;
    const length = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
    const isBits = (kind & BITS) !== 0;
    let [start, count] = [at + HEAD, length];
    if (isBits && (kind & PLACED) !== 0) {
      count = new DataView(bytes.buffer, bytes.byteOffset + start).getUint32(0, true);
      start += 4;
    }
    const end = start + length * (isBits ? 4 : 2);
    if (bytes[at] === name) {
      const positions = (kind & PLACED) === 0 ? NO_PLACES : bytes.subarray(end, end + count);
      return { docs: view(bytes, start, end, isBits), positions };
    }
    at = (end + ((kind & PLACED) === 0 ? 0 : count) + 3) & ~3;
  }
  return undefined;
}

function view(bytes: Uint8Array, start: number, end: number, isBits: boolean): Bitmap {
  const aligned = (bytes.byteOffset + start) % 4 === 0 ? bytes.subarray(start, end) : bytes.slice(start, end);
  const { buffer, byteOffset } = aligned;
  return isBits
    ? new Uint32Array(buffer, byteOffset, (end - start) >>> 2)
    : new Uint16Array(buffer, byteOffset, (end - start) >>> 1);
}

/** An unknown position: the gram occurs more than once, or too far from the start. */
export const UNKNOWN_POSITION = 255;
/** The start of the text is not determined yet. */
const UNDETERMINED = 254;
/** The highest position that is stored. */
export const MAX_POSITION = 253;

/** Where the text would start in a value of each entry; UNKNOWN_POSITION if only the value itself can tell. */
export interface Starts {
  docs: Uint16Array;
  starts: Uint8Array;
}

export function undeterminedStarts(docs: Bitmap): Starts {
  const list = toList(docs);
  return { docs: list, starts: new Uint8Array(list.length).fill(UNDETERMINED) };
}

/** The entries with a gram at this offset of the text. */
export function withGramAt(found: Starts, { docs, positions }: Positions, offset: number): Starts {
  const kept = new Uint16Array(found.docs.length);
  const starts = new Uint8Array(found.docs.length);
  let count = 0;
  const rankOf = isList(docs) ? rankInList(docs) : rankInBits(docs);
  for (let i = 0; i < found.docs.length; i++) {
    const doc = found.docs[i] as number;
    const rank = rankOf(doc);
    if (rank === -1) continue;
    const start = startWith(found.starts[i] as number, positions[rank] as number, offset);
    if (start < 0) continue;
    kept[count] = doc;
    starts[count++] = start;
  }
  return { docs: kept.subarray(0, count), starts: starts.subarray(0, count) };
}

/** The start of the text after matching another gram; negative if the grams are not adjacent. */
function startWith(start: number, position: number, offset: number): number {
  if (start === UNKNOWN_POSITION || position === UNKNOWN_POSITION) return UNKNOWN_POSITION;
  return start === UNDETERMINED || start === position - offset ? position - offset : -1;
}

/** The rank of an entry in the set, or -1. Call with ascending entries. */
function rankInList(list: Uint16Array): (doc: number) => number {
  let at = 0;
  return (doc) => {
    for (let step = 1; at < list.length && (list[at] as number) < doc; ) {
      // Galloping search: one list may be much longer than the other.
      if (at + step < list.length && (list[at + step] as number) < doc) {
        at += step;
        step *= 2;
      } else {
        at += 1;
        step = 1;
      }
    }
    return list[at] === doc ? at : -1;
  };
}

function rankInBits(bits: Uint32Array): (doc: number) => number {
  let [word, before] = [0, 0];
  return (doc) => {
    for (; word < doc >>> 5; word++) before += countBits(bits[word] as number);
    if (!hasBit(bits, doc)) return -1;
    return before + countBits((bits[word] as number) & ((1 << (doc & 31)) - 1));
  };
}
