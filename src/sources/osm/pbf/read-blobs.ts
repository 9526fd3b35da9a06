import { PbfReader } from 'pbf';
import { BrokenFile } from '../../../files/broken-file.ts';
import type { SourceFile } from '../../../files/source-file.ts';
import { printable } from '../../../vocabulary/text.ts';
import { decodeBlob, MAX_BLOB, unpackBlob } from './unpack-blob.ts';

/** Limits of the format. */
const MAX_HEADER = 64 << 10;
/** Blobs that are inflated beside the thread that reads them. */
const AHEAD = 4;

interface DataBlob {
  /** Counted from 0 among the data blobs of the file. */
  index: number;
  /** Where its frame begins in the file. */
  offset: number;
  bytes: Uint8Array;
}

type PackedBlob = Omit<DataBlob, 'bytes'> & { blob: Uint8Array };

/** The data blobs of a file that are wanted, inflated, in their order. Behind `last` nothing is read. */
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
  // It is awaited in its turn; until then a failure is nobody's.
  block.catch(() => undefined);
  return block;
}

async function* readFrames(
  file: SourceFile,
  wants: (index: number) => boolean,
  last: number,
): AsyncGenerator<PackedBlob> {
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
        checkHeader(await unpackBlob(await source.take(blobSize)));
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
  return decodeBlob(() => {
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

const REQUIRED_FEATURES = 4;
const KNOWN: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes', 'LocationsOnWays']);

/** Refuses a file that asks of its readers what is not done here. */
function checkHeader(bytes: Uint8Array): void {
  for (const feature of readRequired(bytes)) {
    if (KNOWN.has(feature)) continue;
    throw new BrokenFile(
      feature === 'HistoricalInformation'
        ? 'it is a history of OpenStreetMap, which is not read: make an extract of one moment of it'
        : `it requires ${printable(feature, 60)}, which is not read`,
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

/** Bytes that come in chunks, taken by count. */
class ByteSource {
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
