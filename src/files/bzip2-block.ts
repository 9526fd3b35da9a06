import { BrokenFile } from './broken-file.ts';

/** The bytes are not valid bzip2, or end too early. */
export class BadBzip2 extends BrokenFile {
  constructor() {
    super('its bzip2 is damaged or cut off: fetch it again');
  }
}

const GROUP = 50;
const MAX_LENGTH = 20;
const SHORT = 10;
const SYMBOL_BITS = 9;
const [RUN_A, RUN_B] = [0, 1];

/** A Huffman code: for each length its last code, and where its symbols begin. */
interface Code {
  shortest: number;
  limits: Int32Array;
  offsets: Int32Array;
  symbols: Uint16Array;
  /** By the next bits: the symbol of a short code and, in the higher bits, its length; 0 for a longer code. */
  short: Uint16Array;
}

/** A block before its run lengths are undone: its bytes in the order of the transform, each with the position of the next. */
export interface Block {
  crc: number;
  /** Low byte: a byte of the block. Higher bits: the position of the next one. */
  chain: Uint32Array;
  start: number;
  length: number;
}

/** Reads a block, after its magic number, into `chain`, which has room for the largest block of the stream. */
export function readBlock(bits: BitReader, chain: Uint32Array): Block {
  const crc = bits.read32();
  // Randomised blocks: no bzip2 of the last 25 years writes them.
  if (bits.read(1) === 1) throw new BadBzip2();
  const origin = bits.read(24);
  const bytes = readUsedBytes(bits);
  const codeCount = bits.read(3);
  if (codeCount < 2 || codeCount > 6) throw new BadBzip2();
  const selectors = readSelectors(bits, codeCount);
  const codes = Array.from({ length: codeCount }, () => readCode(bits, bytes.length + 2));
  const counts = new Uint32Array(257);
  const length = readSymbols(bits, { bytes, selectors, codes }, chain, counts);
  if (origin >= length) throw new BadBzip2();
  const start = undoTransform(chain, length, counts, origin);
  return { crc, chain, start, length };
}

function readUsedBytes(bits: BitReader): Uint8Array {
  const groups = bits.read(16);
  const used: number[] = [];
  for (let i = 0; i < 16; i++) {
    if ((groups & (0x8000 >> i)) === 0) continue;
    const group = bits.read(16);
    for (let j = 0; j < 16; j++) if ((group & (0x8000 >> j)) !== 0) used.push(i * 16 + j);
  }
  if (used.length === 0) throw new BadBzip2();
  return Uint8Array.from(used);
}

/** Which code applies to each group of symbols, move-to-front coded. */
function readSelectors(bits: BitReader, codeCount: number): Uint8Array {
  const selectors = new Uint8Array(bits.read(15));
  const recent = Array.from({ length: codeCount }, (_, i) => i);
  for (let i = 0; i < selectors.length; i++) {
    let rank = 0;
    while (bits.read(1) === 1) if (++rank >= codeCount) throw new BadBzip2();
    const [code] = recent.splice(rank, 1) as [number];
    recent.unshift(code);
    selectors[i] = code;
  }
  if (selectors.length === 0) throw new BadBzip2();
  return selectors;
}

function readCode(bits: BitReader, symbolCount: number): Code {
  const lengths = new Uint8Array(symbolCount);
  let length = bits.read(5);
  for (let i = 0; i < symbolCount; i++) {
    for (; bits.read(1) === 1; length += bits.read(1) === 0 ? 1 : -1) {
      if (length < 1 || length > MAX_LENGTH) throw new BadBzip2();
    }
    if (length < 1 || length > MAX_LENGTH) throw new BadBzip2();
    lengths[i] = length;
  }
  return makeCode(lengths);
}

function makeCode(lengths: Uint8Array): Code {
  const symbols = new Uint16Array(lengths.length);
  const limits = new Int32Array(MAX_LENGTH + 2).fill(-1);
  const offsets = new Int32Array(MAX_LENGTH + 2);
  const shortest = Math.min(...lengths);
  const short = new Uint16Array(1 << SHORT);
  let at = 0;
  let code = 0;
  for (let length = shortest; length <= MAX_LENGTH; length++) {
    offsets[length] = at - code;
    for (let i = 0; i < lengths.length; i++) {
      if (lengths[i] !== length) continue;
      symbols[at++] = i;
      if (length <= SHORT)
        short.fill((length << SYMBOL_BITS) | i, code << (SHORT - length), (code + 1) << (SHORT - length));
      code += 1;
    }
    limits[length] = code - 1;
    code *= 2;
  }
  return { shortest, limits, offsets, symbols, short };
}

interface Codes {
  bytes: Uint8Array;
  selectors: Uint8Array;
  codes: readonly Code[];
}

/** Undoes the Huffman codes, the runs and the move-to-front coding; returns the number of bytes. */
function readSymbols(
  bits: BitReader,
  { bytes, selectors, codes }: Codes,
  chain: Uint32Array,
  counts: Uint32Array,
): number {
  const end = bytes.length + 1;
  const recent = Uint8Array.from(bytes);
  let length = 0;
  let run = 0;
  let unit = 1;
  for (const selector of selectors) {
    const code = codes[selector] as Code;
    for (let i = 0; i < GROUP; i++) {
      const symbol = readSymbol(bits, code);
      if (symbol === RUN_A || symbol === RUN_B) {
        run += unit << symbol;
        unit *= 2;
        if (run > chain.length) throw new BadBzip2();
        continue;
      }
      if (run > 0) {
        const byte = recent[0] as number;
        if (length + run > chain.length) throw new BadBzip2();
        chain.fill(byte, length, length + run);
        counts[byte] = (counts[byte] as number) + run;
        length += run;
        run = 0;
        unit = 1;
      }
      if (symbol === end) return length;
      if (length >= chain.length) throw new BadBzip2();
      const rank = symbol - 1;
      const byte = recent[rank] as number;
      for (let j = rank; j > 0; j--) recent[j] = recent[j - 1] as number;
      recent[0] = byte;
      chain[length++] = byte;
      counts[byte] = (counts[byte] as number) + 1;
    }
  }
  throw new BadBzip2();
}

function readSymbol(bits: BitReader, { shortest, limits, offsets, symbols, short }: Code): number {
  const found = short[bits.peek(SHORT)] as number;
  if (found !== 0) {
    bits.skip(found >> SYMBOL_BITS);
    return found & ((1 << SYMBOL_BITS) - 1);
  }
  let length = shortest;
  let value = bits.read(length);
  while (value > (limits[length] as number)) {
    if (++length > MAX_LENGTH) throw new BadBzip2();
    value = (value << 1) | bits.read(1);
  }
  const symbol = symbols[value + (offsets[length] as number)];
  if (symbol === undefined) throw new BadBzip2();
  return symbol;
}

/** Undoes the Burrows–Wheeler transform: links each byte to the one that follows it. */
function undoTransform(chain: Uint32Array, length: number, counts: Uint32Array, origin: number): number {
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const count = counts[byte] as number;
    counts[byte] = sum;
    sum += count;
  }
  for (let i = 0; i < length; i++) {
    const byte = (chain[i] as number) & 0xff;
    const place = counts[byte] as number;
    counts[byte] = place + 1;
    chain[place] = (chain[place] as number) | (i << 8);
  }
  return (chain[origin] as number) >>> 8;
}

/** Reads bits, the highest of each byte first. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Up to 24 bits as a number. */
  read(bits: number): number {
    const value = this.peek(bits);
    this.#count -= bits;
    return value;
  }

  /** The next bits, which stay to be read. */
  peek(bits: number): number {
    while (this.#count < bits) {
      if (this.#at >= this.#bytes.length) throw new BadBzip2();
      this.#held = (this.#held << 8) | (this.#bytes[this.#at++] as number);
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - bits)) & ((1 << bits) - 1);
  }

  /** Skips bits that were peeked at. */
  skip(bits: number): void {
    this.#count -= bits;
  }

  read32(): number {
    return ((this.read(16) << 16) | this.read(16)) >>> 0;
  }

  /** Skips the rest of a byte. */
  align(): void {
    this.#count -= this.#count % 8;
  }

  /** Unread bits of a byte that was begun. */
  get spare(): number {
    return this.#count % 8;
  }

  /** Unread whole bytes. */
  get left(): number {
    return this.#bytes.length - this.#at + (this.#count >> 3);
  }
}
