import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { PbfReader } from 'pbf';
import { BrokenFile } from '../../../files/broken-file.ts';
import type { SourceFile } from '../../../files/source-file.ts';
import { ByteSource } from './byte-source.ts';
import { checkHeader } from './check-header.ts';
import { decoding } from './decoding.ts';
import { unpackLz4 } from './unpack-lz4.ts';

/** Limits of the format. */
const MAX_HEADER = 64 << 10;
const MAX_BLOB = 32 << 20;
/** Blobs that are inflated beside the thread that reads them. */
const AHEAD = 4;

export interface Block {
  /** Counted from 0 among the data blobs of the file. */
  index: number;
  /** Where its frame begins in the file. */
  offset: number;
  bytes: Uint8Array;
}

type Packed = Omit<Block, 'bytes'> & { blob: Uint8Array };

/** The data blobs of a file that are wanted, inflated, in their order. Behind `last` nothing is read. */
export async function* readBlobs(
  file: SourceFile,
  wants: (index: number) => boolean,
  last = Number.POSITIVE_INFINITY,
): AsyncGenerator<Block> {
  if (last < 0) return;
  const frames = readFrames(file, wants, last);
  const queue: Promise<Block>[] = [];
  let fault: { error: unknown } | undefined;
  let ended = false;
  try {
    while (true) {
      while (!ended && queue.length < AHEAD) {
        const next = await frames.next().catch((error: unknown) => {
          fault = { error };
        });
        if (next === undefined || next.done === true) ended = true;
        else queue.push(unpackInTurn(next.value));
      }
      const first = queue.shift();
      if (first === undefined) break;
      yield await first;
    }
  } finally {
    await frames.return(undefined);
  }
  if (fault !== undefined) throw fault.error;
}

function unpackInTurn({ index, offset, blob }: Packed): Promise<Block> {
  const block = unpack(blob).then((bytes) => ({ index, offset, bytes }));
  // It is awaited in its turn; until then a failure is nobody's.
  block.catch(() => undefined);
  return block;
}

async function* readFrames(file: SourceFile, wants: (index: number) => boolean, last: number): AsyncGenerator<Packed> {
  const source = new ByteSource(file.bytes());
  let index = 0;
  let started = false;
  try {
    while (index <= last) {
      const offset = source.taken;
      const size = await source.takeSize();
      if (size === undefined) break;
      if (size === 0 || size > MAX_HEADER) throw new BrokenFile('it is no OSM PBF, or is damaged');
      const { type, size: blobSize } = readBlobHeader(await source.take(size));
      if (blobSize > MAX_BLOB) throw new BrokenFile(`a blob of it is larger than ${MAX_BLOB} bytes`);
      if (!started) {
        if (type !== 'OSMHeader') throw new BrokenFile('it is no OSM PBF: it does not begin with a header');
        checkHeader(await unpack(await source.take(blobSize)));
        started = true;
      } else if (type === 'OSMData') {
        if (wants(index)) yield { index, offset, blob: await source.take(blobSize) };
        else await source.skip(blobSize);
        index += 1;
      } else await source.skip(blobSize);
    }
    if (!started) throw new BrokenFile('it is empty');
  } finally {
    await source.close();
  }
}

function readBlobHeader(bytes: Uint8Array): { type: string; size: number } {
  return decoding(() => {
    const reader = new PbfReader(bytes);
    const header = { type: '', size: -1 };
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === 1) header.type = reader.readString();
      else if (field === 3) header.size = reader.readVarint();
    }
    if (header.size < 0 || reader.pos !== bytes.length) throw new BrokenFile('it is no OSM PBF, or is damaged');
    return header;
  });
}

const inflateBytes = promisify(inflate) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const unzstd = promisify(zstdDecompress) as (bytes: Uint8Array, options: object) => Promise<Buffer>;

type Unpack = (bytes: Uint8Array, size: number) => Promise<Uint8Array | undefined>;

/** As it comes in one piece, and no longer than it says. */
const bounded = (size: number) => ({ maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size, 64) });

/** Field numbers of a blob (fileformat.proto). */
const UNPACK: Readonly<Record<number, Unpack>> = {
  3: (bytes, size) => inflateBytes(bytes, bounded(size)),
  6: async (bytes, size) => unpackLz4(bytes, size),
  7: (bytes, size) => unzstd(bytes, bounded(size)),
};
const NOT_READ: Readonly<Record<number, string>> = { 4: 'LZMA', 5: 'bzip2' };

async function unpack(blob: Uint8Array): Promise<Uint8Array> {
  const { field, bytes, rawSize } = readBlob(blob);
  if (field === 1) return bytes;
  const unpackBytes = UNPACK[field];
  if (unpackBytes === undefined) {
    throw new BrokenFile(`it is packed with ${NOT_READ[field]}, which is not read: write it again with zlib or zstd`);
  }
  if (rawSize > MAX_BLOB) throw new BrokenFile(`a blob of it is larger than ${MAX_BLOB} bytes`);
  const plain = await unpackBytes(bytes, rawSize).catch(() => undefined);
  if (plain?.length !== rawSize) throw new BrokenFile('a blob of it cannot be unpacked: the file is damaged');
  return plain;
}

function readBlob(blob: Uint8Array): { field: number; bytes: Uint8Array; rawSize: number } {
  return decoding(() => {
    const reader = new PbfReader(blob);
    const read = { field: 0, bytes: new Uint8Array(), rawSize: 0 };
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === 2) read.rawSize = reader.readVarint();
      else if (field === 1 || (field >= 3 && field <= 7)) {
        read.field = field;
        read.bytes = reader.readBytes() as Uint8Array<ArrayBuffer>;
      }
    }
    if (read.field === 0 || reader.pos !== blob.length) throw new BrokenFile('a blob of it is damaged');
    return read;
  });
}
