/** The bytes at hand end before what they begin with. */
export class OutOfBytes extends Error {}

/** Bits, the highest of each byte first. */
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

  /** The same without going on. */
  peek(bits: number): number {
    while (this.#count < bits) {
      if (this.#at >= this.#bytes.length) throw new OutOfBytes();
      this.#held = (this.#held << 8) | (this.#bytes[this.#at++] as number);
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - bits)) & ((1 << bits) - 1);
  }

  /** Goes on after what was seen. */
  skip(bits: number): void {
    this.#count -= bits;
  }

  read32(): number {
    return ((this.read(16) << 16) | this.read(16)) >>> 0;
  }

  /** Passes over the rest of a byte. */
  align(): void {
    this.#count -= this.#count % 8;
  }

  /** How many bits of a byte that was begun have not been read. */
  get spare(): number {
    return this.#count % 8;
  }

  /** How many whole bytes have not been read. */
  get left(): number {
    return this.#bytes.length - this.#at + (this.#count >> 3);
  }
}
