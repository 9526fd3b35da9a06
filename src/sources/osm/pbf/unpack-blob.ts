import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { PbfReader } from 'pbf';
import { BrokenFile } from '../../../files/broken-file.ts';

/** Limit of the format. */
export const MAX_BLOB = 32 << 20;

/** Turns any error of decoding into that of a damaged file. */
export function decodeBlob<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof BrokenFile ? error : new BrokenFile('a blob is damaged', { cause: error });
  }
}

const inflateBytes = promisify(inflate) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const unzstd = promisify(zstdDecompress) as (bytes: Uint8Array, options: object) => Promise<Buffer>;

type Unpack = (bytes: Uint8Array, size: number) => Promise<Uint8Array | undefined>;

/** One output chunk, no longer than stated. */
const bounded = (size: number) => ({ maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size, 64) });

/** Field numbers of a blob (fileformat.proto). */
const UNPACK: Readonly<Record<number, Unpack>> = {
  3: (bytes, size) => inflateBytes(bytes, bounded(size)),
  6: async (bytes, size) => unpackLz4(bytes, size),
  7: (bytes, size) => unzstd(bytes, bounded(size)),
};
const NOT_READ: Readonly<Record<number, string>> = { 4: 'LZMA', 5: 'bzip2' };

export async function unpackBlob(blob: Uint8Array): Promise<Uint8Array> {
  const { field, bytes, rawSize } = readBlob(blob);
  if (field === 1) return bytes;
  const unpackBytes = UNPACK[field];
  if (unpackBytes === undefined) {
    throw new BrokenFile(`unsupported compression ${NOT_READ[field]}; write the file again with zlib or zstd`);
  }
  if (rawSize > MAX_BLOB) throw new BrokenFile(`a blob is larger than ${MAX_BLOB} bytes`);
  const plain = await unpackBytes(bytes, rawSize).catch(() => undefined);
  if (plain?.length !== rawSize) throw new BrokenFile('a blob cannot be unpacked: the file is damaged');
  return plain;
}

function readBlob(blob: Uint8Array): { field: number; bytes: Uint8Array; rawSize: number } {
  return decodeBlob(() => {
    const reader = new PbfReader(blob);
    const read = { field: 0, bytes: new Uint8Array(), rawSize: 0 };
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === 2) read.rawSize = reader.readVarint();
      else if (field === 1 || (field >= 3 && field <= 7)) {
        read.field = field;
        read.bytes = reader.readBytes() as Uint8Array<ArrayBuffer>;
      }
    }
    if (read.field === 0 || reader.pos !== blob.length) throw new BrokenFile('a blob is damaged');
    return read;
  });
}

const MIN_MATCH = 4;
const NIBBLE = 15;

/** Unpacks an LZ4 block of known size; undefined if it is invalid. */
function unpackLz4(packed: Uint8Array, size: number): Uint8Array | undefined {
  const plain = new Uint8Array(size);
  let at = 0;
  let end = 0;
  /** A length that does not fit its nibble continues in bytes until one is below 255. */
  const readLength = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === NIBBLE ? 255 : 0; byte === 255; length += byte) byte = packed[at++] ?? Number.NaN;
    return length;
  };
  while (at < packed.length) {
    const token = packed[at++] as number;
    const literals = readLength(token >> 4);
    if (!(at + literals <= packed.length && end + literals <= size)) return undefined;
    plain.set(packed.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    // The last sequence has only literals.
    if (at === packed.length) break;
    const distance = (packed[at++] as number) | ((packed[at++] ?? 0) << 8);
    const length = readLength(token & NIBBLE) + MIN_MATCH;
    if (distance === 0 || distance > end || !(end + length <= size)) return undefined;
    // Source and target may overlap.
    if (distance >= length) plain.copyWithin(end, end - distance, end - distance + length);
    else for (let i = end; i < end + length; i++) plain[i] = plain[i - distance] as number;
    end += length;
  }
  return end === size ? plain : undefined;
}
