/**
 * A set of entries of one segment, by their offsets in it: a sorted list where it is sparse, a bitmap
 * where it is dense. Numbers are little-endian, as on every machine that Node runs on.
 */
export type Docs = Uint16Array | Uint32Array;

/** The most entries that a segment has: an offset takes 16 bits. */
export const MAX_SEGMENT = 65_536;

export const NO_DOCS: Docs = new Uint16Array(0);

const isList = (docs: Docs): docs is Uint16Array => docs instanceof Uint16Array;
const wordsFor = (size: number) => (size + 31) >>> 5;

export function countDocs(docs: Docs): number {
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

export function hasDoc(docs: Docs, doc: number): boolean {
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

export function allDocs(size: number): Docs {
  const bits = new Uint32Array(wordsFor(size)).fill(0xffffffff);
  if (size & 31) bits[bits.length - 1] = (1 << (size & 31)) - 1;
  return bits;
}

export function intersect(a: Docs, b: Docs): Docs {
  if (isList(a)) return isList(b) ? intersectLists(a, b) : a.filter((doc) => hasBit(b, doc));
  if (isList(b)) return b.filter((doc) => hasBit(a, doc));
  const both = new Uint32Array(a.length);
  for (let i = 0; i < both.length; i++) both[i] = (a[i] as number) & (b[i] as number);
  return both;
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

export function unite(a: Docs, b: Docs, size: number): Docs {
  if (isList(a) && a.length === 0) return b;
  if (isList(b) && b.length === 0) return a;
  const bits = toBits(a, size).slice();
  if (isList(b)) for (const doc of b) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
  else for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (b[i] as number);
  return bits;
}

function toBits(docs: Docs, size: number): Uint32Array {
  if (!isList(docs)) return docs;
  const bits = new Uint32Array(wordsFor(size));
  for (const doc of docs) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
  return bits;
}

/** From the highest offset down: the order of results. */
export function* fromLast(docs: Docs): Generator<number> {
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

/** The set with one entry put in or taken out. */
export function withDoc(docs: Docs, doc: number, present: boolean, size: number): Docs {
  if (hasDoc(docs, doc) === present) return docs;
  const bits = toBits(docs, size).slice();
  if (present) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
  else bits[doc >>> 5] = (bits[doc >>> 5] as number) & ~(1 << (doc & 31));
  return bits;
}

/** A set by name: several sets that belong together are kept as one run of bytes. */
export interface NamedDocs {
  name: number;
  docs: Docs;
}

const LIST = 0;
const BITS = 1;
/** name, kind, and the length of what follows in words of four bytes; for a list also whether its last place is free. */
const HEAD = 4;

export function encodeDocs(sets: readonly NamedDocs[], size: number): Uint8Array {
  const parts = sets.map(({ name, docs }) => ({ name, docs: shorter(docs, size) }));
  const bytes = new Uint8Array(parts.reduce((sum, { docs }) => sum + HEAD + padded(docs.byteLength), 0));
  let at = 0;
  for (const { name, docs } of parts) {
    const odd = isList(docs) && docs.length % 2 === 1 ? 2 : 0;
    const words = padded(docs.byteLength) >>> 2;
    bytes.set([name, (isList(docs) ? LIST : BITS) | odd, words & 0xff, words >>> 8], at);
    bytes.set(new Uint8Array(docs.buffer, docs.byteOffset, docs.byteLength), at + HEAD);
    at += HEAD + words * 4;
  }
  return bytes;
}

const padded = (bytes: number) => (bytes + 3) & ~3;

function shorter(docs: Docs, size: number): Docs {
  if (isList(docs)) return docs.length * 2 <= wordsFor(size) * 4 ? docs : toBits(docs, size);
  const count = countDocs(docs);
  return count * 2 <= docs.byteLength ? Uint16Array.from(fromLast(docs)).reverse() : docs;
}

/** The set of one name, undefined where there is none. A view of the bytes: not to be changed. */
export function decodeDocs(bytes: Uint8Array, name: number): Docs | undefined {
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8)) * 4;
    if (bytes[at] === name) return view(bytes, at + HEAD, length, bytes[at + 1] as number);
    at += HEAD + length;
  }
  return undefined;
}

function view(bytes: Uint8Array, at: number, length: number, kind: number): Docs {
  const aligned = (bytes.byteOffset + at) % 4 === 0 ? bytes.subarray(at, at + length) : bytes.slice(at, at + length);
  const { buffer, byteOffset } = aligned;
  if ((kind & BITS) !== 0) return new Uint32Array(buffer, byteOffset, length >>> 2);
  return new Uint16Array(buffer, byteOffset, (length - (kind & 2)) >>> 1);
}
