import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { RandomAccessReader } from 'yauzl';
import { BrokenFile } from './broken-file.ts';

const BLOCK_BYTES = 1 << 20;

/** The checksums of a file's bytes. */
export interface FileDigest {
  sha256: string;
  bytes: number;
  /** The CRC-32 of each block of BLOCK_BYTES, so that a later reader can check each block before using it. */
  blockSums: Uint32Array;
}

/** Computes the CRC-32 of each block from chunks of any size. */
class BlockSums {
  bytes = 0;
  readonly #sums: number[] = [];
  #sum = 0;

  update(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, BLOCK_BYTES - (this.bytes % BLOCK_BYTES));
      this.#sum = crc32(part, this.#sum);
      this.bytes += part.length;
      rest = rest.subarray(part.length);
      if (this.bytes % BLOCK_BYTES > 0) continue;
      this.#sums.push(this.#sum);
      this.#sum = 0;
    }
  }

  finish(): Uint32Array {
    return Uint32Array.from(this.bytes % BLOCK_BYTES > 0 ? [...this.#sums, this.#sum] : this.#sums);
  }
}

/** Reads chunks of any size to the end; `onChunk` receives each of them. */
export async function digestOf(
  chunks: AsyncIterable<Buffer>,
  onChunk: (chunk: Buffer) => Promise<void> = async () => {},
): Promise<FileDigest> {
  const hash = createHash('sha256');
  const sums = new BlockSums();
  for await (const chunk of chunks) {
    hash.update(chunk);
    sums.update(chunk);
    await onChunk(chunk);
  }
  return { sha256: hash.digest('hex'), bytes: sums.bytes, blockSums: sums.finish() };
}

/** Whether chunks have a digest; compares block sums, which takes a third of the time of hashing. */
export async function hasDigest(chunks: AsyncIterable<Buffer>, { bytes, blockSums }: FileDigest): Promise<boolean> {
  const sums = new BlockSums();
  for await (const chunk of chunks) sums.update(chunk);
  return sums.bytes === bytes && Buffer.compare(bytesOf(sums.finish()), bytesOf(blockSums)) === 0;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array) => Buffer.from(buffer, byteOffset, byteLength);

/** A file on disk with the digest of its bytes when they were read before. */
export interface KnownFile extends FileDigest {
  path: string;
}

/** Its bytes from the start. Each block is checked before it is yielded. */
export async function* readVerified(file: KnownFile): AsyncGenerator<Buffer> {
  const handle = await openKnown(file);
  let next = file.bytes > 0 ? readBlock(handle, file, 0) : undefined;
  try {
    for (let i = 1; next !== undefined; i++) {
      const block = await next;
      next = i < file.blockSums.length ? readBlock(handle, file, i) : undefined;
      // The error is thrown when the block is awaited; until then it must not count as unhandled.
      next?.catch(() => {});
      yield block;
    }
  } finally {
    await next?.catch(() => {});
    await handle.close();
  }
}

const KEPT_BLOCKS = 4;

/** Random access to a file for the zip reader. Each block is checked before it is used. */
export class VerifiedReader extends RandomAccessReader {
  readonly #file: KnownFile;
  readonly #handle: FileHandle;
  /** The blocks read last, the most recent at the end. */
  readonly #blocks = new Map<number, Promise<Buffer>>();

  private constructor(file: KnownFile, handle: FileHandle) {
    super();
    this.#file = file;
    this.#handle = handle;
  }

  static async open(file: KnownFile): Promise<VerifiedReader> {
    return new VerifiedReader(file, await openKnown(file));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const copy = async () => {
      let filled = 0;
      for await (const part of this.#range(position, position + length)) filled += part.copy(buffer, offset + filled);
      return filled;
    };
    copy().then((bytesRead) => callback(null, bytesRead), callback);
  }

  override close(callback: (error: Error | null) => void): void {
    this.#handle.close().then(() => callback(null), callback);
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < Math.min(end, this.#file.bytes); ) {
      const number = Math.floor(at / BLOCK_BYTES);
      const first = number * BLOCK_BYTES;
      const part = (await this.#block(number)).subarray(at - first, end - first);
      at += part.length;
      yield part;
    }
  }

  #block(number: number): Promise<Buffer> {
    const block = this.#blocks.get(number) ?? readBlock(this.#handle, this.#file, number);
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= KEPT_BLOCKS) break;
      this.#blocks.delete(oldest);
    }
    return block;
  }
}

async function openKnown(file: KnownFile): Promise<FileHandle> {
  return open(file.path, 'r').catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

async function readBlock(handle: FileHandle, file: KnownFile, number: number): Promise<Buffer> {
  const position = number * BLOCK_BYTES;
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, file.bytes - position));
  let filled = 0;
  try {
    while (filled < block.length) {
      const { bytesRead } = await handle.read(block, filled, block.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  if (filled === block.length && crc32(block) === file.blockSums[number]) return block;
  throw new BrokenFile(`${file.path} was damaged or changed while it was read`);
}

function unreadable({ path }: KnownFile, error: unknown): BrokenFile {
  return new BrokenFile(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
}
