/** Codes of at most this many bits. */
const LONGEST = 12;

/** Prefix codes for bytes, one for each kind: frequent bytes have short codes, and each byte has one. */
export class PrefixCodes {
  /** Of every kind and byte: its code, the first bit lowest, plus 2¹⁶ times the number of its bits. */
  readonly #encoded: Uint32Array;
  /** Of every kind, for every sequence of bits: the byte whose code it begins with, plus 256 times the length of that. */
  readonly decoded: readonly Uint16Array[];
  #bytes = new Uint8Array(16_384);

  /** The length of each code, kind by kind. */
  constructor(lengths: Uint8Array) {
    this.#encoded = new Uint32Array(lengths.length);
    this.decoded = Array.from({ length: lengths.length / 256 }, (_, kind) => this.#assign(kind, lengths));
  }

  #assign(kind: number, lengths: Uint8Array): Uint16Array {
    const decoded = new Uint16Array(1 << LONGEST);
    let code = 0;
    for (let length = 1; length <= LONGEST; length++) {
      for (let byte = 0; byte < 256; byte++) {
        if (lengths[kind * 256 + byte] !== length) continue;
        let reversed = 0;
        for (let bit = 0; bit < length; bit++) reversed |= ((code >>> (LONGEST - 1 - bit)) & 1) << bit;
        this.#encoded[kind * 256 + byte] = (length << 16) | reversed;
        for (let bits = reversed; bits < 1 << LONGEST; bits += 1 << length) decoded[bits] = (length << 8) | byte;
        code += 1 << (LONGEST - length);
      }
    }
    if (code !== 1 << LONGEST) throw new Error('the lengths are not those of a prefix code');
    return decoded;
  }

  /** Writes bytes, each with its kind in the byte above. */
  encode(symbols: Uint16Array): Uint8Array {
    if (symbols.length * 2 > this.#bytes.length) this.#bytes = new Uint8Array(symbols.length * 4);
    const [bytes, encoded] = [this.#bytes, this.#encoded];
    let [at, bits, count] = [0, 0, 0];
    for (let i = 0; i < symbols.length; i++) {
      const code = encoded[symbols[i] as number] as number;
      bits |= (code & 0xffff) << count;
      count += code >>> 16;
      for (; count >= 8; count -= 8) {
        bytes[at++] = bits;
        bits >>>= 8;
      }
    }
    if (count > 0) bytes[at++] = bits;
    return bytes.slice(0, at);
  }
}

export class BitReader {
  /** The bytes at hand, then zeros. */
  #bytes = new Uint8Array(16_384);
  #size = 0;
  #at = 0;
  #bits = 0;
  #count = 0;

  start(bytes: Uint8Array): void {
    if (bytes.length + PADDING > this.#bytes.length) this.#bytes = new Uint8Array(2 * bytes.length + PADDING);
    this.#bytes.set(bytes);
    this.#bytes.fill(0, bytes.length, bytes.length + PADDING);
    this.#size = bytes.length;
    this.#at = 0;
    this.#bits = 0;
    this.#count = 0;
  }

  /** The next byte, in a code; anything after the end. */
  take(decoded: Uint16Array): number {
    if (this.#count < LONGEST) {
      const at = this.#at;
      this.#bits |= ((this.#bytes[at] as number) | ((this.#bytes[at + 1] as number) << 8)) << this.#count;
      this.#at = at + 2;
      this.#count += 16;
    }
    const next = decoded[this.#bits & ((1 << LONGEST) - 1)] as number;
    const length = next >>> 8;
    this.#bits >>>= length;
    this.#count -= length;
    return next & 0xff;
  }

  /** Whether exactly all bytes were taken. */
  get isAtEnd(): boolean {
    return this.#at - (this.#count >>> 3) === this.#size;
  }
}

/** Two bytes are read at once. */
const PADDING = 4;
