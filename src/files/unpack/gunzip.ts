import { createGunzip } from 'node:zlib';
import { BrokenFile } from '../broken-file.ts';

/** Packed bytes given at once: what they unpack to is held until it is taken. */
const SLICE = 16 << 10;

/** Gives all that was unpacked before it says that the rest is damaged or cut off. */
export async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createGunzip();
  let ready: Buffer[] = [];
  let fault: Error | undefined;
  let settle = () => {};
  stream.on('data', (chunk: Buffer) => void ready.push(chunk));
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
