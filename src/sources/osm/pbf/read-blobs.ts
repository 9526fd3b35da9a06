import { PbfReader } from 'pbf';
import { BrokenFile } from '../../../files/broken-file.ts';
import type { SourceFile } from '../../../files/source-file.ts';
import { printable } from '../../../vocabulary/text.ts';
import { decodeBlob, MAX_BLOB, unpackBlob } from './unpack-blob.ts';

/** Limit of the format. */
const MAX_HEADER = 64 << 10;
/** How many blobs are unpacked ahead, off the main thread. */
const AHEAD = 4;

interface DataBlob {
  /** Counted from 0 among the data blobs of the file. */
  index: number;
  /** The offset of its frame in the file. */
  offset: number;
  bytes: Uint8Array;
}

type PackedBlob = Omit<DataBlob, 'bytes'> & { blob: Uint8Array };

/** The wanted data blobs of a file, unpacked, in order. Nothing after `last` is read. */
export async function* readBlobs(
  file: SourceFile,
  wants: (index: number) => boolean,
  last = Number.POSITIVE_INFINITY,
): AsyncGenerator<DataBlob> {
  if (last < 0) return;
  const frames = readFrames(file, wants, last);
  const queue: Promise<DataBlob>[] = [];
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

function unpackInTurn({ index, offset, blob }: PackedBlob): Promise<DataBlob> {
  const block = unpackBlob(blob).then((bytes) => ({ index, offset, bytes }));
  // It is awaited later; until then a rejection must not count as unhandled.
  block.catch(() => undefined);
  return block;
}

/**
 * Reads a file to its end without unpacking its data, so that a file that is cut off is noticed. Returns when its data was
 * replicated, in seconds since 1970.
 */
export async function surveyFrames(file: SourceFile): Promise<number | undefined> {
  let replicatedAt: number | undefined;
  const onHeader = (header: Uint8Array) => {
    replicatedAt = readReplicationTime(header);
  };
  const frames = readFrames(file, () => false, Number.POSITIVE_INFINITY, onHeader);
  for await (const _ of frames);
  return replicatedAt;
}

async function* readFrames(
  file: SourceFile,
  wants: (index: number) => boolean,
  last: number,
  onHeader: (header: Uint8Array) => void = () => {},
): AsyncGenerator<PackedBlob> {
  const source = new ByteSource(file.bytes());
  let index = 0;
  let started = false;
  try {
    while (index <= last) {
      const offset = source.taken;
      const size = await source.takeSize();
      if (size === undefined) break;
      if (size === 0 || size > MAX_HEADER) throw new BrokenFile('not an OSM PBF file, or damaged');
      const { type, size: blobSize } = readBlobHeader(await source.take(size));
      if (blobSize > MAX_BLOB) throw new BrokenFile(`a blob is larger than ${MAX_BLOB} bytes`);
      if (!started) {
        if (type !== 'OSMHeader') throw new BrokenFile('not an OSM PBF file: no header at the beginning');
        const header = await unpackBlob(await source.take(blobSize));
        checkHeader(header);
        onHeader(header);
        started = true;
      } else if (type === 'OSMData') {
        if (wants(index)) yield { index, offset, blob: await source.take(blobSize) };
        else await source.skip(blobSize);
        index += 1;
      } else await source.skip(blobSize);
    }
    if (!started) throw new BrokenFile('the file is empty');
  } finally {
    await source.close();
  }
}

function readBlobHeader(bytes: Uint8Array): { type: string; size: number } {
  return decodeBlob(() => {
    const reader = new PbfReader(bytes);
    const header = { type: '', size: -1 };
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === 1) header.type = reader.readString();
      else if (field === 3) header.size = reader.readVarint();
    }
    if (header.size < 0 || reader.pos !== bytes.length) throw new BrokenFile('not an OSM PBF file, or damaged');
    return header;
  });
}

const REQUIRED_FEATURES = 4;
const KNOWN: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes', 'LocationsOnWays']);

/** Refuses a file that requires unsupported features. */
function checkHeader(bytes: Uint8Array): void {
  for (const feature of readRequired(bytes)) {
    if (KNOWN.has(feature)) continue;
    throw new BrokenFile(
      feature === 'HistoricalInformation'
        ? 'OpenStreetMap history files are not supported; extract a single point in time'
        : `unsupported required feature: ${printable(feature, 60)}`,
    );
  }
}

function readRequired(bytes: Uint8Array): string[] {
  return decodeBlob(() => {
    const reader = new PbfReader(bytes);
    const features: string[] = [];
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === REQUIRED_FEATURES) features.push(reader.readString());
    }
    return features;
  });
}

/** osmosis_replication_timestamp */
const REPLICATION_TIME = 32;

function readReplicationTime(header: Uint8Array): number | undefined {
  return decodeBlob(() => {
    const reader = new PbfReader(header);
    let seconds: number | undefined;
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === REPLICATION_TIME) seconds = reader.readVarint(true);
    }
    return seconds;
  });
}

/** Takes bytes by count from a stream of chunks. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  /** The number of bytes taken. */
  taken = 0;

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** A four-byte size; undefined at the end. */
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

const CUT = 'the file ends inside a blob and may be cut off';
