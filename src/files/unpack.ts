import { createGunzip } from 'node:zlib';
import { BrokenFile } from './broken-file.ts';
import { bunzip2 } from './bunzip2.ts';
import type { SourceFile } from './source-file.ts';

/** Text shrinks ten or twenty times; a file that grows more than this is a decompression bomb. */
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

/** A name without `.gz` or `.bz2`. */
export function unpackedName(name: string): string {
  return name.replace(/\.(?:gz|bz2)$/i, '');
}

/**
 * The content of a compressed file; any other file unchanged. The first bytes decide, not the name: download programs
 * decompress some files, and an error page may be saved under the file's name.
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
    if (length > limit) throw new BrokenFile(`its ${name} unpacks to far more than text would`);
    yield chunk;
  }
}

/** Compressed bytes written at once; what they unpack to is held in memory. */
const SLICE = 16 << 10;

/** Yields everything that can be unpacked before it reports that the rest is damaged or cut off. */
async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createGunzip();
  let ready: Buffer[] = [];
  let fault: Error | undefined;
  let settle = () => {};
  stream.on('data', (chunk: Buffer) => void ready.push(chunk));
  stream.on('error', (error) => {
    fault = error;
    settle();
  });
  // It may end before its input does: bytes after the last gzip member are ignored.
  let isOver = false;
  for (const event of ['end', 'close']) {
    stream.on(event, () => {
      isOver = true;
      settle();
    });
  }
  const settled = (act: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      settle = resolve;
      act(resolve);
    });
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  const check = () => {
    if (fault !== undefined) throw new BrokenFile('its gzip is damaged or cut off: fetch it again');
  };
  try {
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length; at += SLICE) {
        await settled((done) => stream.write(chunk.subarray(at, at + SLICE), done));
        yield* take();
        check();
      }
    }
    await settled((done) => {
      if (isOver || fault !== undefined) done();
      else stream.end();
    });
    yield* take();
    check();
  } finally {
    stream.destroy();
  }
}
