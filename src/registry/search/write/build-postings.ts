import { encodeBitmaps, type NamedBitmap } from '../format/bitmap-bytes.ts';
import type { Bitmap } from '../format/bitmaps.ts';
import { filtersOf, type IndexedEntry, ONLY_SET } from '../format/entry.ts';
import { MAX_POSITION, UNKNOWN_POSITION } from '../format/gram-starts.ts';
import { type Gram, idGramOf, PREFIX, SEARCHABLE, searchableIdTail } from '../format/grams.ts';

/** Grams are collected in these ranges of their first unit, one after the other, to limit memory. */
const RANGES = [
  [0, 0x34],
  [0x34, 0x3000],
  [0x3000, 0x5300],
  [0x5300, 0x10000],
] as const;

/** The postings of each gram by kind of value, in ascending order of grams. */
export function* buildPostings(entries: readonly IndexedEntry[], size: number): Generator<[Gram, Uint8Array]> {
  for (const [from, to] of RANGES) {
    TABLE.start(from, to);
    for (const entry of entries) addGrams(entry);
    TABLE.layOut();
    yield* encodeTable(size);
  }
}

function* encodeTable(size: number): Generator<[Gram, Uint8Array]> {
  let sets: NamedBitmap[] = [];
  let gram = -1;
  for (const [key, docs, positions] of TABLE.inOrder()) {
    const next = Math.floor(key / 8);
    if (next !== gram && sets.length > 0) {
      yield [gram, encodeBitmaps(sets, size)];
      sets = [];
    }
    gram = next;
    sets.push(isTriple(key) ? { name: key % 8, docs, positions } : { name: key % 8, docs });
  }
  if (sets.length > 0) yield [gram, encodeBitmaps(sets, size)];
}

/** Only triples are combined into longer texts, so only they need positions; triples of IDs include theirs. */
const isTriple = (key: number) => key % 524_288 >= 8 && key % 8 !== SEARCHABLE.id && key % 8 !== PREFIX;

/** Adds every gram of every value with its position (aliases are concatenated). */
function addGrams({ building, text, offset }: IndexedEntry): void {
  const tail = searchableIdTail(building);
  addValue(tail, 0, tail.length, SEARCHABLE.id, 0, offset);
  for (let at = 0; at + 3 <= tail.length; at++) {
    const gram = idGramOf(tail, at);
    TABLE.add(Math.floor(gram / 65_536), ((gram % 65_536) << 3) | SEARCHABLE.id, offset, 0);
  }
  let kind: number = SEARCHABLE.nameJa;
  let base = 0;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    addValue(text, start, end, kind, base, offset);
    if (kind !== SEARCHABLE.addressJa) addBeginning(text, start, end, offset);
    start = end + 1;
    if (kind !== SEARCHABLE.alias) {
      kind += 1;
      base = start;
    }
  }
}

/** The grams of the value between two places of a text; positions are counted from `base`. */
function addValue(text: string, start: number, end: number, kind: number, base: number, doc: number): void {
  let [a, b] = [text.charCodeAt(start), text.charCodeAt(start + 1)];
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i + 2);
    if (TABLE.takes(a)) {
      TABLE.add(a << 16, kind, doc, 0);
      if (i + 1 < end) TABLE.add((a << 16) | b, kind, doc, 0);
      if (i + 2 < end) TABLE.add((a << 16) | b, (c << 3) | kind, doc, positionAt(i - base));
    }
    a = b;
    b = c;
  }
}

function addBeginning(text: string, start: number, end: number, doc: number): void {
  const [a, b, c] = [text.charCodeAt(start), text.charCodeAt(start + 1), text.charCodeAt(start + 2)];
  if (start >= end || !TABLE.takes(a)) return;
  TABLE.add(a << 16, PREFIX, doc, 0);
  if (start + 1 < end) TABLE.add((a << 16) | b, PREFIX, doc, 0);
  if (start + 2 < end) TABLE.add((a << 16) | b, (c << 3) | PREFIX, doc, 0);
}

const positionAt = (at: number) => (at <= MAX_POSITION ? at : UNKNOWN_POSITION);

/**
 * The grams of one range and the entries that have them, without an object per gram: a large segment has hundreds of
 * thousands. A gram is two numbers: units one and two; unit three and the kind of value.
 */
class GramTable {
  #from = 0;
  #to = 0;
  #mask = (1 << 16) - 1;
  /** A hash table of the numbers of grams, from 1; 0 is free. */
  #slots = new Int32Array(this.#mask + 1);
  #used = 0;
  #hi = new Int32Array(1 << 15);
  #lo = new Int32Array(1 << 15);
  #counts = new Int32Array(1 << 15);
  /** The last posting of each gram; later, where its postings end. */
  #last = new Int32Array(1 << 15);
  /** Every posting as it was added: its gram, its entry, its position. */
  #added = 0;
  #gramOf = new Int32Array(1 << 16);
  #docOf = new Uint16Array(1 << 16);
  #positionOf = new Uint8Array(1 << 16);
  /** The same, gram by gram. */
  #docs = new Uint16Array(0);
  #positions = new Uint8Array(0);

  start(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.#used = 0;
    this.#added = 0;
    this.#slots.fill(0);
  }

  /** Whether grams that begin with this unit are in the range. */
  takes(unit: number): boolean {
    return unit >= this.#from && unit < this.#to;
  }

  add(hi: number, lo: number, doc: number, position: number): void {
    if (!this.takes(hi >>> 16)) return;
    const gram = this.#numberOf(hi, lo);
    const last = this.#last[gram] as number;
    if (last >= 0 && this.#docOf[last] === doc) {
      this.#positionOf[last] = UNKNOWN_POSITION;
      return;
    }
    const at = this.#added++;
    if (at === this.#gramOf.length) this.#growPostings();
    this.#gramOf[at] = gram;
    this.#docOf[at] = doc;
    this.#positionOf[at] = position;
    this.#last[gram] = at;
    this.#counts[gram] = (this.#counts[gram] as number) + 1;
  }

  /** Orders the postings by gram. */
  layOut(): void {
    let end = 0;
    for (let gram = 0; gram < this.#used; gram++) {
      this.#last[gram] = end;
      end += this.#counts[gram] as number;
    }
    if (this.#docs.length < end) {
      this.#docs = new Uint16Array(end);
      this.#positions = new Uint8Array(end);
    }
    for (let from = 0; from < this.#added; from++) {
      const gram = this.#gramOf[from] as number;
      const at = this.#last[gram] as number;
      this.#docs[at] = this.#docOf[from] as number;
      this.#positions[at] = this.#positionOf[from] as number;
      this.#last[gram] = at + 1;
    }
  }

  *inOrder(): Generator<[key: number, docs: Bitmap, positions: Uint8Array]> {
    const keys = new Float64Array(this.#used);
    for (let gram = 0; gram < this.#used; gram++) {
      keys[gram] = ((this.#hi[gram] as number) >>> 0) * 524_288 + (this.#lo[gram] as number);
    }
    keys.sort();
    for (const key of keys) {
      const gram = this.#numberOf(Math.floor(key / 524_288) | 0, key % 524_288);
      const end = this.#last[gram] as number;
      const start = end - (this.#counts[gram] as number);
      yield [key, this.#docs.subarray(start, end), this.#positions.subarray(start, end)];
    }
  }

  #numberOf(hi: number, lo: number): number {
    let slot = hashOf(hi, lo) & this.#mask;
    for (;;) {
      const gram = (this.#slots[slot] as number) - 1;
      if (gram < 0) break;
      if (this.#hi[gram] === hi && this.#lo[gram] === lo) return gram;
      slot = (slot + 1) & this.#mask;
    }
    const gram = this.#used++;
    this.#slots[slot] = gram + 1;
    this.#hi[gram] = hi;
    this.#lo[gram] = lo;
    this.#counts[gram] = 0;
    this.#last[gram] = -1;
    if (this.#used === this.#hi.length) this.#growGrams();
    return gram;
  }

  #growPostings(): void {
    this.#gramOf = larger(this.#gramOf);
    this.#docOf = larger(this.#docOf);
    this.#positionOf = larger(this.#positionOf);
  }

  /** Half of the slots stay free. */
  #growGrams(): void {
    this.#hi = larger(this.#hi);
    this.#lo = larger(this.#lo);
    this.#counts = larger(this.#counts);
    this.#last = larger(this.#last);
    this.#mask = this.#mask * 2 + 1;
    this.#slots = new Int32Array(this.#mask + 1);
    for (let gram = 0; gram < this.#used; gram++) {
      let slot = hashOf(this.#hi[gram] as number, this.#lo[gram] as number) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = gram + 1;
    }
  }
}

function hashOf(hi: number, lo: number): number {
  let hash = Math.imul(hi, 0x9e3779b1) ^ Math.imul(lo, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** Twice as long, with the same beginning. */
function larger<T extends Int32Array | Uint16Array | Uint8Array>(array: T): T {
  const copy = new (array.constructor as new (length: number) => T)(array.length * 2);
  copy.set(array);
  return copy;
}

/** Reused for every segment, to avoid garbage. */
const TABLE = new GramTable();

export function buildFilters(entries: readonly IndexedEntry[], size: number): [filter: string, docs: Uint8Array][] {
  const byFilter = new Map<string, number[]>();
  for (const entry of entries) {
    for (const filter of filtersOf(entry)) {
      const offsets = byFilter.get(filter);
      if (offsets === undefined) byFilter.set(filter, [entry.offset]);
      else offsets.push(entry.offset);
    }
  }
  return [...byFilter].map(([filter, offsets]) => [
    filter,
    encodeBitmaps([{ name: ONLY_SET, docs: Uint16Array.from(offsets) }], size),
  ]);
}
