import { BrokenFile } from '../broken-file.ts';
import type { SourceFile } from '../source-file.ts';
import { bunzip2 } from './bunzip2.ts';
import { gunzip } from './gunzip.ts';

/** Text packs by a factor of ten or twenty; what grows beyond this was made to fill a disk or a memory. */
const MAX_GROWTH = 256;
const ALWAYS_ALLOWED = 64 << 20;

interface Packing {
  name: string;
  magic: Buffer;
  unpack(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

const PACKINGS: readonly Packing[] = [
  { name: 'gzip', magic: Buffer.from([0x1f, 0x8b]), unpack: gunzip },
  { name: 'bzip2', magic: Buffer.from('BZh'), unpack: bunzip2 },
];
const MAGIC_BYTES = 3;

/** A name without the ending of a packing. */
export function unpackedName(name: string): string {
  return name.replace(/\.(?:gz|bz2)$/i, '');
}

/**
 * The content of a packed file; any other file unchanged. The first bytes decide, not the name: download programs unpack some
 * files, and an error page may be saved under the file's name.
 */
export function unpacked(file: SourceFile): SourceFile {
  return { ...file, bytes: () => unpackBytes(file) };
}

async function* unpackBytes(file: SourceFile): AsyncGenerator<Buffer> {
  const source = file.bytes()[Symbol.asyncIterator]();
  try {
    const head: Buffer[] = [];
    let isOver = false;
    while (!isOver && Buffer.concat(head).length < MAGIC_BYTES) {
      const { value, done } = await source.next();
      if (done === true) isOver = true;
      else head.push(value);
    }
    const first = Buffer.concat(head);
    const packed = chunksOf(first, source);
    const packing = PACKINGS.find(({ magic }) => first.subarray(0, magic.length).equals(magic));
    yield* packing === undefined ? packed : limited(packing, packed, file.size);
  } finally {
    await source.return?.();
  }
}

async function* chunksOf(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* limited(
  { name, unpack }: Packing,
  packed: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<Buffer> {
  const limit = ALWAYS_ALLOWED + size * MAX_GROWTH;
  let length = 0;
  for await (const chunk of unpack(packed)) {
    length += chunk.length;
    if (length > limit) throw new BrokenFile(`its ${name} unpacks to far more than a text can: it is not read on`);
    yield chunk;
  }
}
