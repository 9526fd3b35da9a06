/**
 * Compresses short texts against a dictionary that both sides know. The format is LZ4's block format, with the
 * dictionary as the bytes before the block. Written here because Node's own zstd and deflate load their dictionary for
 * every call, which takes longer than the rest of reading a record, and no library on npm does it without native code.
 */
export class LzBlocks {
  readonly #start: number;
  /** The dictionary, then the bytes of the text at hand. */
  #text: Uint8Array;
  #block = new Uint8Array(16_384);
  /** The last position of each hash of four bytes. */
  readonly #seen: Int32Array;
  readonly #seenInDictionary: Int32Array;

  constructor(dictionary: Uint8Array) {
    this.#start = dictionary.length;
    this.#text = new Uint8Array(dictionary.length + 65_536);
    this.#text.set(dictionary);
    this.#seenInDictionary = new Int32Array(1 << HASH_BITS).fill(-1);
    for (let at = 0; at + SHORTEST <= dictionary.length; at++) this.#seenInDictionary[hashAt(this.#text, at)] = at;
    this.#seen = new Int32Array(1 << HASH_BITS);
  }

  compress(bytes: Uint8Array): Uint8Array {
    const end = this.#start + bytes.length;
    this.#reserve(end, bytes.length + (bytes.length >>> 7) + 16);
    const [text, block, seen] = [this.#text, this.#block, this.#seen];
    text.set(bytes, this.#start);
    seen.set(this.#seenInDictionary);
    let [out, copied] = [0, this.#start];
    for (let at = this.#start; at + SHORTEST <= end; ) {
      const hash = hashAt(text, at);
      let from = seen[hash] as number;
      seen[hash] = at;
      if (from < 0 || at - from > FARTHEST || !isSame(text, from, at)) {
        at += 1;
        continue;
      }
      let next = at + SHORTEST;
      for (let same = from + SHORTEST; next < end && text[next] === text[same]; same++) next += 1;
      while (at > copied && from > 0 && text[at - 1] === text[from - 1]) {
        at -= 1;
        from -= 1;
      }
      out = writeLiterals(block, out, text, copied, at, next - at - SHORTEST);
      block[out++] = (at - from) & 0xff;
      block[out++] = (at - from) >>> 8;
      if (next - at - SHORTEST >= LONG) out = writeLength(block, out, next - at - SHORTEST - LONG);
      const last = Math.min(next, end - SHORTEST);
      for (let i = at + 1; i < last; i += 2) seen[hashAt(text, i)] = i;
      at = next;
      copied = next;
    }
    return block.slice(0, writeLiterals(block, out, text, copied, end, 0));
  }

  /** Undoes `compress`; `size` is the length of the text. The result is valid until the next call. */
  expand(block: Uint8Array, size: number): Uint8Array {
    this.#reserve(this.#start + size, 0);
    const text = this.#text;
    let [at, out] = [0, this.#start];
    while (at < block.length) {
      const token = block[at++] as number;
      let length = token >>> 4;
      if (length === LONG) {
        for (let more = 255; more === 255; length += more) more = block[at++] as number;
      }
      for (const stop = out + length; out < stop; ) text[out++] = block[at++] as number;
      if (at >= block.length) break;
      let from = out - ((block[at] as number) | ((block[at + 1] as number) << 8));
      at += 2;
      length = token & LONG;
      if (length === LONG) {
        for (let more = 255; more === 255; length += more) more = block[at++] as number;
      }
      for (const stop = out + length + SHORTEST; out < stop; ) text[out++] = text[from++] as number;
    }
    if (out !== this.#start + size || at !== block.length) throw new Error('a compact text is damaged');
    return text.subarray(this.#start, out);
  }

  #reserve(textSize: number, blockSize: number): void {
    if (textSize > this.#text.length) {
      const larger = new Uint8Array(textSize * 2);
      larger.set(this.#text.subarray(0, this.#start));
      this.#text = larger;
    }
    if (blockSize > this.#block.length) this.#block = new Uint8Array(blockSize * 2);
  }
}

/** The shortest text that is worth a reference. */
const SHORTEST = 4;
/** Lengths from here on continue in further bytes. */
const LONG = 15;
const FARTHEST = 0xffff;
const HASH_BITS = 13;

function hashAt(text: Uint8Array, at: number): number {
  const four =
    (text[at] as number) |
    ((text[at + 1] as number) << 8) |
    ((text[at + 2] as number) << 16) |
    ((text[at + 3] as number) << 24);
  return Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
}

const isSame = (text: Uint8Array, a: number, b: number) =>
  text[a] === text[b] && text[a + 1] === text[b + 1] && text[a + 2] === text[b + 2] && text[a + 3] === text[b + 3];

/** Writes a token and the bytes that are not repeated; `matched` is the length of the repetition beyond four bytes. */
function writeLiterals(
  block: Uint8Array,
  at: number,
  text: Uint8Array,
  from: number,
  to: number,
  matched: number,
): number {
  const length = to - from;
  let out = at;
  block[out++] = (Math.min(length, LONG) << 4) | Math.min(matched, LONG);
  if (length >= LONG) out = writeLength(block, out, length - LONG);
  for (let i = from; i < to; i++) block[out++] = text[i] as number;
  return out;
}

function writeLength(block: Uint8Array, at: number, length: number): number {
  let [left, out] = [length, at];
  for (; left >= 255; left -= 255) block[out++] = 255;
  block[out++] = left;
  return out;
}
