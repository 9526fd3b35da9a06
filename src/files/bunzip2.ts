import { BadBzip2, BitReader, type Block, readBlock } from './bzip2-block.ts';

/** More than the largest compressed block: 900,000 symbols of 20 bits, and its tables. */
const MAX_PACKED_BLOCK = 2_500_000;
const BLOCK_UNIT = 100_000;
const PIECE = 1 << 18;
/** A block of text unpacks to a few MB at most; a block of zeros to 46 MB. */
const HELD = 16 << 20;
const [BLOCK_MAGIC, END_MAGIC] = [0x314159265359, 0x177245385090];

/**
 * Unpacks bzip2, one stream or several in sequence, block by block. A block is yielded when its checksum is right, so that
 * every intact block comes before the error that the rest is damaged or cut off.
 */
export async function* bunzip2(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new Decoder();
  let held: Buffer = Buffer.alloc(0);
  let chunks: Buffer[] = [];
  let length = 0;
  const gather = (): void => {
    held = Buffer.concat([held, ...chunks]);
    chunks = [];
    length = 0;
  };
  for await (const chunk of packed) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < MAX_PACKED_BLOCK) continue;
    gather();
    while (held.length >= MAX_PACKED_BLOCK && !decoder.isOver) {
      yield* decoder.next(held);
      held = decoder.rest(held);
    }
  }
  gather();
  while (held.length > 0 && !decoder.isOver) {
    yield* decoder.next(held);
    held = decoder.rest(held);
  }
  if (!decoder.isComplete) throw new BadBzip2();
}

/** Reads the parts of a stream in turn: header, blocks, end. */
class Decoder {
  #chain: Uint32Array | undefined;
  #crc = 0;
  #streams = 0;
  /** Bits of the first byte that were read before. */
  #used = 0;
  #left = 0;
  isOver = false;

  /** At least one stream has ended, and no other has begun. */
  get isComplete(): boolean {
    return this.#chain === undefined && this.#streams > 0;
  }

  rest(bytes: Buffer): Buffer {
    return bytes.subarray(bytes.length - this.#left);
  }

  *next(bytes: Buffer): Generator<Buffer> {
    const bits = new BitReader(bytes);
    if (this.#chain === undefined) this.#begin(bytes, bits);
    else {
      bits.read(this.#used);
      const magic = bits.read(24) * 2 ** 24 + bits.read(24);
      if (magic === BLOCK_MAGIC) yield* this.#give(readBlock(bits, this.#chain));
      else if (magic === END_MAGIC) this.#end(bits);
      else throw new BadBzip2();
    }
    // A byte with unread bits is read again.
    this.#used = (8 - bits.spare) % 8;
    this.#left = bits.left + (bits.spare > 0 ? 1 : 0);
  }

  #begin(bytes: Buffer, bits: BitReader): void {
    // Some archives are padded with zeros.
    if (this.#streams > 0 && bytes[0] === 0) {
      this.isOver = true;
      return;
    }
    const level = bits.read(24) === 0x425a68 ? bits.read(8) - 0x30 : 0;
    if (level < 1 || level > 9) throw new BadBzip2();
    this.#chain = new Uint32Array(level * BLOCK_UNIT);
    this.#crc = 0;
  }

  #end(bits: BitReader): void {
    if (bits.read32() !== this.#crc) throw new BadBzip2();
    bits.align();
    this.#chain = undefined;
    this.#streams += 1;
  }

  *#give(block: Block): Generator<Buffer> {
    let held: Buffer[] = [];
    let length = 0;
    for (const piece of unfold(block)) {
      held.push(piece);
      length += piece.length;
      if (length < HELD) continue;
      yield* held;
      held = [];
      length = 0;
    }
    this.#crc = ((this.#crc << 1) | (this.#crc >>> 31)) ^ block.crc;
    this.#crc >>>= 0;
    yield* held;
  }
}

/** The bytes of a block in their order, with their run lengths undone. */
function* unfold({ chain, start, length, crc: expected }: Block): Generator<Buffer> {
  let crc = 0xffffffff;
  let piece = Buffer.allocUnsafe(PIECE);
  let at = 0;
  let place = start;
  let last = -1;
  let repeats = 0;
  for (let i = 0; i < length; i++) {
    const link = chain[place] as number;
    place = link >>> 8;
    const byte = link & 0xff;
    // Four equal bytes are followed by the number of further ones.
    const isCount = repeats === 4;
    const copies = isCount ? byte : 1;
    const value = isCount ? last : byte;
    repeats = isCount ? 0 : byte === last ? repeats + 1 : 1;
    last = isCount ? -1 : byte;
    if (at + copies > PIECE) {
      yield piece.subarray(0, at);
      piece = Buffer.allocUnsafe(PIECE);
      at = 0;
    }
    for (let copy = 0; copy < copies; copy++) {
      piece[at++] = value;
      crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ value] as number);
    }
  }
  if (~crc >>> 0 !== expected) throw new BadBzip2();
  yield piece.subarray(0, at);
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});
