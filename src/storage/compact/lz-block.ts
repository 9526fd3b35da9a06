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
  #text: Uint8Array;
  /** The last position of each hash of four bytes: in the dictionary, and in the text at hand. */
  readonly #inDictionary: Int32Array;
  readonly #inText = new Int32Array(1 << HASH_BITS);
  #found = -1;
  readonly #codes: PrefixCodes;
  /** The bytes of the block at hand, each with its kind in the byte above. */
  #symbols = new Uint16Array(16_384);
  #count = 0;

  /** `lengths` has the length of the code of each byte, kind by kind. */
  constructor(dictionary: Uint8Array, lengths: Uint8Array) {
    this.#start = dictionary.length;
    this.#distances = distancesFrom(dictionary);
    this.#text = new Uint8Array(dictionary.length + 65_536);
    this.#text.set(dictionary);
    this.#inDictionary = new Int32Array(1 << HASH_BITS).fill(-1);
    for (let at = 0; at + SHORTEST <= dictionary.length; at++) this.#inDictionary[hashAt(this.#text, at)] = at;
    this.#codes = new PrefixCodes(lengths);
  }

  compress(bytes: Uint8Array): Uint8Array {
    return this.#codes.encode(this.symbols(bytes));
  }

  /** The bytes of a block before they are written in their codes, each with its kind. Valid until the next call. */
  symbols(bytes: Uint8Array): Uint16Array {
    const end = this.#start + bytes.length;
    this.#reserve(end);
    // At most a byte of a length for each, and a reference for every four.
    if (bytes.length * 2 + 16 > this.#symbols.length) this.#symbols = new Uint16Array(bytes.length * 3 + 16);
    this.#count = 0;
    this.#text.set(bytes, this.#start);
    this.#inText.fill(-1);
    const [text, inText] = [this.#text, this.#inText];
    let copied = this.#start;
    for (let at = this.#start; at + SHORTEST <= end; ) {
      let length = this.#find(at, end);
      if (length === 0) {
        at += 1;
        continue;
      }
      let from = this.#found;
      // A match that begins one byte later may be longer.
      while (length < LONG_ENOUGH && at + 1 + SHORTEST <= end) {
        const later = this.#find(at + 1, end);
        if (later <= length + 1) break;
        at += 1;
        length = later;
        from = this.#found;
      }
      const next = at + length;
      const lowest = from < this.#start ? 0 : this.#start;
      while (at > copied && from > lowest && text[at - 1] === text[from - 1]) {
        at -= 1;
        from -= 1;
      }
      this.#write(copied, at, from, next - at - SHORTEST);
      const last = Math.min(next, end - SHORTEST);
      for (let i = at + 1; i < last; i += 2) inText[hashAt(text, i)] = i;
      at = next;
      copied = next;
    }
    if (copied < end) this.#write(copied, end, undefined, 0);
    return this.#symbols.subarray(0, this.#count);
  }

  /** The length of the longer match of the bytes at `at`, or 0; where it begins is in `#found`. */
  #find(at: number, end: number): number {
    const text = this.#text;
    const hash = hashAt(text, at);
    const earlier = this.#inText[hash] as number;
    this.#inText[hash] = at;
    const known = this.#inDictionary[hash] as number;
    const inDictionary = known < 0 ? 0 : matchLength(text, known, at, Math.min(end, at + this.#start - known));
    const inText = earlier < 0 || at - earlier + this.#distances > FARTHEST ? 0 : matchLength(text, earlier, at, end);
    this.#found = inText > inDictionary ? earlier : known;
    return Math.max(inDictionary, inText);
  }

  /** Writes the bytes that are not repeated and a reference; `matched` is the length of the match beyond four bytes. */
  #write(copied: number, at: number, from: number | undefined, matched: number): void {
    const text = this.#text;
    this.#put(TOKEN, (Math.min(at - copied, LONG) << 4) | Math.min(matched, LONG));
    this.#putRest(at - copied);
    for (let i = copied; i < at; i++) {
      this.#put(i === copied ? FIRST : (CLASS_OF[text[i - 1] as number] as number), text[i] as number);
    }
    if (from === undefined) return;
    const isKnown = from < this.#start;
    const position = isKnown ? from : this.#distances + at - from;
    this.#put(PAGE, position >>> 8);
    this.#put(isKnown ? KNOWN : EARLIER, position & 0xff);
    this.#putRest(matched);
  }

  /** What a token cannot hold of a length. */
  #putRest(length: number): void {
    let left = length - LONG;
    for (; left >= 255; left -= 255) this.#put(LENGTH, 255);
    if (left >= 0) this.#put(LENGTH, left);
  }

  #put(kind: number, byte: number): void {
    this.#symbols[this.#count++] = (kind << 8) | byte;
  }

  #reserve(size: number): void {
    if (size <= this.#text.length) return;
    const larger = new Uint8Array(size * 2);
    larger.set(this.#text.subarray(0, this.#start));
    this.#text = larger;
  }
}

/** The highest reference, of two bytes. */
const FARTHEST = 0xffff;
/** A match of this length is taken without looking for a longer one. */
const LONG_ENOUGH = 64;
const HASH_BITS = 14;

function hashAt(text: Uint8Array, at: number): number {
  const four =
    (text[at] as number) |
    ((text[at + 1] as number) << 8) |
    ((text[at + 2] as number) << 16) |
    ((text[at + 3] as number) << 24);
  return Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** How many bytes at two positions are equal, up to `end`; 0 if too few for a reference. */
function matchLength(text: Uint8Array, from: number, at: number, end: number): number {
  let length = 0;
  while (at + length < end && text[from + length] === text[at + length]) length += 1;
  return length < SHORTEST ? 0 : length;
}
