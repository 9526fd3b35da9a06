import { CLASS_OF, distancesFrom, KIND, LONG, SHORTEST } from './block-format.ts';
import { PrefixCodes } from './prefix-code.ts';

const { TOKEN, LENGTH, PAGE, KNOWN, EARLIER, FIRST } = KIND;

/**
 * Compresses short texts against a dictionary that both sides know. A block is a sequence of bytes that are not
 * repeated and references to bytes that are, as in LZ4; each of its bytes is written in a prefix code, which is known to
 * both sides too. Written here because Node's own zstd and deflate load their dictionary for every call, which takes
 * longer than the rest of reading a record, and no library on npm does it without native code.
 */
export class LzBlocks {
  readonly #start: number;
  /** References below are to the dictionary, the others to the text before: how far it is, plus this. */
  readonly #distances: number;
  /** The dictionary, then the bytes of the text at hand. */
  #text: Buffer;
  #view: DataView;
  /** By the hash of four bytes, where the dictionary has them last, and what they are: others may have the same hash. */
  readonly #inDictionary: Int32Array;
  readonly #known: Int32Array;
  /** By the same hash, where the text at hand has them last, plus `#base`. */
  readonly #inText = new Int32Array(1 << HASH_BITS);
  /** Grows from text to text, so that places of earlier texts are too low and need not be cleared. */
  #base = 1;
  readonly #codes: PrefixCodes;
  /** The bytes of the block at hand, each with its kind in the byte above. */
  #symbols = new Uint16Array(16_384);
  #count = 0;

  /** `lengths` has the length of the code of each byte, kind by kind. */
  constructor(dictionary: Uint8Array, lengths: Uint8Array) {
    this.#start = dictionary.length;
    this.#distances = distancesFrom(dictionary);
    this.#text = Buffer.alloc(dictionary.length + 65_536);
    this.#text.set(dictionary);
    this.#view = viewOf(this.#text);
    this.#inDictionary = new Int32Array(1 << HASH_BITS).fill(-1);
    this.#known = new Int32Array(1 << HASH_BITS);
    for (let at = 0; at + SHORTEST <= dictionary.length; at++) {
      const four = this.#view.getInt32(at, true);
      this.#inDictionary[hashOf(four)] = at;
      this.#known[hashOf(four)] = four;
    }
    this.#codes = new PrefixCodes(lengths);
  }

  /** Takes a text to compress; returns its number of bytes. */
  read(text: string | Uint8Array): number {
    this.#base += this.#text.length;
    if (this.#base > FARTHEST_BASE) {
      this.#base = 1;
      this.#inText.fill(0);
    }
    // A unit of a string takes at most three bytes.
    this.#reserve(this.#start + text.length * (typeof text === 'string' ? 3 : 1));
    if (typeof text === 'string') return this.#text.write(text, this.#start);
    this.#text.set(text, this.#start);
    return text.length;
  }

  /** The most bytes that a block of so many bytes of text may take. */
  static longest(size: number): number {
    return size * 2 + 16;
  }

  /** Compresses the text that was read into `target` from `at` on; returns the end of the block. */
  write(size: number, target: Uint8Array, at: number): number {
    return this.#codes.encode(this.symbols(size), target, at);
  }

  /** The bytes of a block before they are written in their codes, each with its kind. Valid until the next call. */
  symbols(size: number): Uint16Array {
    const [text, view, start, base] = [this.#text, this.#view, this.#start, this.#base];
    const [inText, inDictionary, known] = [this.#inText, this.#inDictionary, this.#known];
    const end = start + size;
    const last = end - SHORTEST;
    // The farthest place in the text that a reference can have.
    const reach = FARTHEST - this.#distances;
    this.#begin(size);
    let copied = start;
    // The best match so far: where it begins, its length or 0, and where the same bytes are.
    let begin = 0;
    let length = 0;
    let from = 0;
    for (let at = start; at <= last; ) {
      const four = view.getInt32(at, true);
      const hash = hashOf(four);
      const earlier = (inText[hash] as number) - base;
      inText[hash] = at + base;
      // A match that begins one byte later counts if it is longer by more than that byte.
      let found = length === 0 ? SHORTEST - 1 : length + 1;
      let foundFrom = -1;
      const listed = inDictionary[hash] as number;
      if (listed >= 0 && known[hash] === four) {
        const most = Math.min(end, at + start - listed);
        if (at + found < most && text[listed + found] === text[at + found]) {
          const matched = matchLength(text, view, listed, at, most);
          if (matched > found) {
            found = matched;
            foundFrom = listed;
          }
        }
      }
      if (earlier >= start && at - earlier <= reach && text[earlier + found] === text[at + found]) {
        const matched = matchLength(text, view, earlier, at, end);
        if (matched > found) {
          found = matched;
          foundFrom = earlier;
        }
      }
      if (foundFrom >= 0) {
        begin = at;
        length = found;
        from = foundFrom;
      }
      if (length === 0 || (foundFrom >= 0 && length < LONG_ENOUGH && at < last)) {
        at += 1;
        continue;
      }
      const next = begin + length;
      const lowest = from < start ? 0 : start;
      while (begin > copied && from > lowest && text[begin - 1] === text[from - 1]) {
        begin -= 1;
        from -= 1;
      }
      this.#put(copied, begin, from, next - begin - SHORTEST);
      for (let i = begin + 1; i < next && i < last; i += 2) inText[hashOf(view.getInt32(i, true))] = i + base;
      at = next;
      copied = next;
      length = 0;
    }
    if (copied < end) this.#put(copied, end, -1, 0);
    return this.#symbols.subarray(0, this.#count);
  }

  /** At most a byte of a length for each, and a reference for every four. */
  #begin(size: number): void {
    if (size * 2 + 16 > this.#symbols.length) this.#symbols = new Uint16Array(size * 3 + 16);
    this.#count = 0;
  }

  /**
   * Adds the bytes that are not repeated and a reference, unless `from` is negative; `matched` is the length of the match
   * beyond four bytes.
   */
  #put(copied: number, begin: number, from: number, matched: number): void {
    const [text, symbols] = [this.#text, this.#symbols];
    const literal = begin - copied;
    let count = this.#count;
    symbols[count++] = (TOKEN << 8) | (Math.min(literal, LONG) << 4) | Math.min(matched, LONG);
    if (literal >= LONG) count = putRest(symbols, count, literal);
    for (let i = copied, kind: number = FIRST; i < begin; i++) {
      const byte = text[i] as number;
      symbols[count++] = (kind << 8) | byte;
      kind = CLASS_OF[byte] as number;
    }
    if (from >= 0) {
      const isKnown = from < this.#start;
      const position = isKnown ? from : this.#distances + begin - from;
      symbols[count++] = (PAGE << 8) | (position >>> 8);
      symbols[count++] = ((isKnown ? KNOWN : EARLIER) << 8) | (position & 0xff);
      if (matched >= LONG) count = putRest(symbols, count, matched);
    }
    this.#count = count;
  }

  #reserve(size: number): void {
    if (size <= this.#text.length) return;
    const larger = Buffer.alloc(size * 2);
    larger.set(this.#text.subarray(0, this.#start));
    this.#text = larger;
    this.#view = viewOf(larger);
  }
}

/** What a token cannot hold of a length; returns the next free place. */
function putRest(symbols: Uint16Array, count: number, length: number): number {
  let [at, left] = [count, length - LONG];
  for (; left >= 255; left -= 255) symbols[at++] = (LENGTH << 8) | 255;
  symbols[at++] = (LENGTH << 8) | left;
  return at;
}

/** The highest reference, of two bytes. */
const FARTHEST = 0xffff;
/** With this, places fit into 32 bits. */
const FARTHEST_BASE = 1 << 29;
/** A match of this length is taken without looking for a longer one. */
const LONG_ENOUGH = 64;
const HASH_BITS = 14;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);
const hashOf = (four: number) => Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);

/** How many bytes at two positions are equal, up to `end`. */
function matchLength(text: Uint8Array, view: DataView, from: number, at: number, end: number): number {
  let length = 0;
  const most = end - at;
  while (length + 4 <= most && view.getInt32(from + length, true) === view.getInt32(at + length, true)) length += 4;
  while (length < most && text[from + length] === text[at + length]) length += 1;
  return length;
}
