import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import type { Encoding } from './negotiate-encoding.ts';

/** Fast rather than small: an answer is compressed each time it is sent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const GZIP = { level: 6 };

const brotliWhole = promisify(brotliCompress);
const zstdWhole = promisify(zstdCompress);
const gzipWhole = promisify(gzip);

const WHOLE: Readonly<Record<Encoding, (body: Uint8Array) => Promise<Buffer>>> = {
  br: (body) => brotliWhole(body, BROTLI),
  zstd: (body) => zstdWhole(body, ZSTD),
  gzip: (body) => gzipWhole(body, GZIP),
};

const STREAM: Readonly<Record<Encoding, () => Transform>> = {
  br: () => createBrotliCompress(BROTLI),
  zstd: () => createZstdCompress(ZSTD),
  gzip: () => createGzip(GZIP),
};

/** Off this thread. */
export const compress = (body: Uint8Array, encoding: Encoding) => WHOLE[encoding](body);
export const compressor = (encoding: Encoding) => STREAM[encoding]();
