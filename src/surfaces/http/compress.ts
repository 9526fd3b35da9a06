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
import type { ContentEncoding } from './negotiation.ts';

/** Fast rather than small, because most responses are compressed each time they are sent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const GZIP = { level: 6 };

const brotliWhole = promisify(brotliCompress);
const zstdWhole = promisify(zstdCompress);
const gzipWhole = promisify(gzip);

const WHOLE: Readonly<Record<ContentEncoding, (body: Uint8Array) => Promise<Buffer>>> = {
  br: (body) => brotliWhole(body, BROTLI),
  zstd: (body) => zstdWhole(body, ZSTD),
  gzip: (body) => gzipWhole(body, GZIP),
};

const STREAM: Readonly<Record<ContentEncoding, () => Transform>> = {
  br: () => createBrotliCompress(BROTLI),
  zstd: () => createZstdCompress(ZSTD),
  gzip: () => createGzip(GZIP),
};

const COMPRESSED = new WeakMap<Uint8Array, Partial<Record<ContentEncoding, Promise<Buffer>>>>();

/** Compresses in another thread, and only once for bytes that are sent again: files, the document, cached records. */
export function compress(body: Uint8Array, encoding: ContentEncoding): Promise<Buffer> {
  const known = COMPRESSED.get(body) ?? {};
  COMPRESSED.set(body, known);
  known[encoding] ??= WHOLE[encoding](body);
  return known[encoding];
}

export const compressor = (encoding: ContentEncoding) => STREAM[encoding]();
