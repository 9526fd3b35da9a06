import { BrokenFile } from '../../../files/broken-file.ts';

/** Bytes that come in chunks, taken by count. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  /** How many bytes have been taken. */
  taken = 0;

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Four bytes as a number; undefined at the end. */
  async takeSize(): Promise<number | undefined> {
    while (this.#held.length === 0) {
      if (!(await this.#more())) return undefined;
    }
    return (await this.take(4)).readUInt32BE(0);
  }

  async take(count: number): Promise<Buffer> {
    if (this.#held.length >= count) return this.#cut(count);
    const taken = Buffer.allocUnsafe(count);
    let at = 0;
    while (at < count) {
      if (this.#held.length === 0 && !(await this.#more())) throw new BrokenFile(CUT);
      const piece = this.#cut(Math.min(count - at, this.#held.length));
      at += piece.copy(taken, at);
    }
    return taken;
  }

  async skip(count: number): Promise<void> {
    let left = count;
    while (left > 0) {
      if (this.#held.length === 0 && !(await this.#more())) throw new BrokenFile(CUT);
      left -= this.#cut(Math.min(left, this.#held.length)).length;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #cut(count: number): Buffer {
    const piece = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    this.taken += count;
    return piece;
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#held = next.value;
    return true;
  }
}

const CUT = 'it ends inside a blob: the file may be cut off';
