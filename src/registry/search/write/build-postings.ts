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
    const inRange = (hi: number) => hi >>> 16 >= from && hi >>> 16 < to;
    // Two passes: the first counts, the second fills one array.
    TABLE.clear();
    for (const entry of entries) eachGram(entry, (hi, lo) => inRange(hi) && TABLE.count(hi, lo, entry.offset));
    TABLE.layOut();
    for (const entry of entries) {
      eachGram(entry, (hi, lo, position) => inRange(hi) && TABLE.add(hi, lo, entry.offset, position));
    }
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

type Visit = (hi: number, lo: number, position: number) => unknown;

/**
 * Visits every gram of every value with its position (aliases are concatenated), as two numbers: units one and two;
 * unit three and the kind of value.
 */
function eachGram({ building, text }: IndexedEntry, visit: Visit): void {
  const tail = searchableIdTail(building);
  gramsIn(tail, SEARCHABLE.id, 0, visit);
  for (let at = 0; at + 3 <= tail.length; at++) {
    const gram = idGramOf(tail, at);
    visit(Math.floor(gram / 65_536), ((gram % 65_536) << 3) | SEARCHABLE.id, 0);
  }
  let kind: number = SEARCHABLE.nameJa;
  let base = 0;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const value = text.slice(start, end);
    gramsIn(value, kind, start - base, visit);
    if (kind !== SEARCHABLE.addressJa) beginningOf(value, visit);
    start = end + 1;
    if (kind !== SEARCHABLE.alias) {
      kind += 1;
      base = start;
    }
  }
}

function gramsIn(value: string, kind: number, position: number, visit: Visit): void {
  let [a, b] = [value.charCodeAt(0), value.charCodeAt(1)];
  for (let i = 0; i < value.length; i++) {
    visit(a << 16, kind, 0);
    if (i + 1 >= value.length) return;
    visit((a << 16) | b, kind, 0);
    const c = value.charCodeAt(i + 2);
    if (i + 2 < value.length) visit((a << 16) | b, (c << 3) | kind, positionAt(position + i));
    a = b;
    b = c;
  }
}

function beginningOf(value: string, visit: Visit): void {
  const [a, b, c] = [value.charCodeAt(0), value.charCodeAt(1), value.charCodeAt(2)];
  if (value.length > 0) visit(a << 16, PREFIX, 0);
  if (value.length > 1) visit((a << 16) | b, PREFIX, 0);
  if (value.length > 2) visit((a << 16) | b, (c << 3) | PREFIX, 0);
}

const positionAt = (at: number) => (at <= MAX_POSITION ? at : UNKNOWN_POSITION);

/** A hash table of grams without an object per gram: a large segment has hundreds of thousands. */
class GramTable {
  #mask = (1 << 16) - 1;
  #used = 0;
  /** Zero means free: no gram begins with NUL. */
  #hi = new Int32Array(this.#mask + 1);
  #lo = new Int32Array(this.#mask + 1);
  #counts = new Int32Array(this.#mask + 1);
  #last = new Int32Array(this.#mask + 1);
  #ends = new Int32Array(0);
  #docs = new Uint16Array(0);
  #positions = new Uint8Array(0);

  count(hi: number, lo: number, doc: number): void {
    const at = this.#find(hi, lo);
    if (this.#hi[at] === 0) {
      this.#hi[at] = hi;
      this.#lo[at] = lo;
      this.#counts[at] = 1;
      this.#last[at] = doc;
      if (++this.#used > this.#mask * 0.6) this.#grow();
    } else if (this.#last[at] !== doc) {
      this.#counts[at] = (this.#counts[at] as number) + 1;
      this.#last[at] = doc;
    }
  }

  clear(): void {
    this.#used = 0;
    this.#hi.fill(0);
  }

  layOut(): void {
    if (this.#ends.length <= this.#mask) this.#ends = new Int32Array(this.#mask + 1);
    let total = 0;
    for (let at = 0; at <= this.#mask; at++) {
      this.#ends[at] = total;
      if (this.#hi[at] !== 0) total += this.#counts[at] as number;
    }
    if (this.#docs.length < total) {
      this.#docs = new Uint16Array(total);
      this.#positions = new Uint8Array(total);
    }
    this.#last.fill(-1);
  }

  add(hi: number, lo: number, doc: number, position: number): void {
    const at = this.#find(hi, lo);
    const end = this.#ends[at] as number;
    if (this.#last[at] === doc) {
      this.#positions[end - 1] = UNKNOWN_POSITION;
      return;
    }
    this.#last[at] = doc;
    this.#docs[end] = doc;
    this.#positions[end] = position;
    this.#ends[at] = end + 1;
  }

  *inOrder(): Generator<[key: number, docs: Bitmap, positions: Uint8Array]> {
    const keys = new Float64Array(this.#used);
    let count = 0;
    for (let at = 0; at <= this.#mask; at++) {
      if (this.#hi[at] !== 0) keys[count++] = ((this.#hi[at] as number) >>> 0) * 524_288 + (this.#lo[at] as number);
    }
    keys.sort();
    for (const key of keys) {
      const at = this.#find(Math.floor(key / 524_288) | 0, key % 524_288);
      const end = this.#ends[at] as number;
      const start = end - (this.#counts[at] as number);
      yield [key, this.#docs.subarray(start, end), this.#positions.subarray(start, end)];
    }
  }

  #find(hi: number, lo: number): number {
    let hash = Math.imul(hi, 0x9e3779b1) ^ Math.imul(lo, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let at = (hash ^ (hash >>> 13)) & this.#mask;
    while (this.#hi[at] !== 0 && (this.#hi[at] !== hi || this.#lo[at] !== lo)) at = (at + 1) & this.#mask;
    return at;
  }

  #grow(): void {
    const old = { hi: this.#hi, lo: this.#lo, counts: this.#counts, last: this.#last };
    this.#mask = this.#mask * 2 + 1;
    this.#hi = new Int32Array(this.#mask + 1);
    this.#lo = new Int32Array(this.#mask + 1);
    this.#counts = new Int32Array(this.#mask + 1);
    this.#last = new Int32Array(this.#mask + 1);
    for (let i = 0; i < old.hi.length; i++) {
      if (old.hi[i] === 0) continue;
      const at = this.#find(old.hi[i] as number, old.lo[i] as number);
      this.#hi[at] = old.hi[i] as number;
      this.#lo[at] = old.lo[i] as number;
      this.#counts[at] = old.counts[i] as number;
      this.#last[at] = old.last[i] as number;
    }
  }
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
