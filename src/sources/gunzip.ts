import { createGunzip } from 'node:zlib';
import type { SourceFile } from './adapter.ts';
import { BrokenFile } from './broken-file.ts';

/** Text packs by a factor of ten or twenty; what grows beyond this was made to fill a disk or a memory. */
const MAX_GROWTH = 256;
const ALWAYS_ALLOWED = 64 << 20;
/** Packed bytes given at once: what they unpack to is held until it is taken. */
const SLICE = 16 << 10;

/** A file that is packed with gzip, by its name, as what is in it; any other as it is. */
export function unpacked(file: SourceFile): SourceFile {
  if (!/\.gz$/i.test(file.name)) return file;
  return { name: file.name, size: file.size, bytes: () => gunzip(file.bytes(), file.size) };
}

/** Gives all that was unpacked before it says that the rest is damaged or cut off. */
async function* gunzip(packed: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const limit = ALWAYS_ALLOWED + size * MAX_GROWTH;
  const stream = createGunzip();
  let ready: Buffer[] = [];
  let length = 0;
  let fault: Error | undefined;
  let settle = () => {};
  stream.on('data', (chunk: Buffer) => {
    ready.push(chunk);
    length += chunk.length;
  });
  stream.on('error', (error) => {
    fault = error;
    settle();
  });
  // It may be over before its last bytes are given: what follows a member and is none is passed over.
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
    if (length > limit) throw new BrokenFile('its gzip unpacks to far more than a text can: it is not read on');
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
