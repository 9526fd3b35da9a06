import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Finished, Streamed } from '../../registry/registry.ts';
import { compress, compressor } from './compress.ts';
import { type ContentEncoding, ENCODINGS, negotiateEncoding } from './negotiation.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export const REVALIDATE = 'public, max-age=0, must-revalidate';
export const NO_STORE = 'no-store';

/** How a redirect may be cached: not at all if the gate forbade storing the response (REIT-05). */
export const redirectCaching = (reply: FastifyReply) =>
  reply.getHeader('cache-control') === NO_STORE ? NO_STORE : REVALIDATE;

/** The headers that describe a body. */
export interface Representation {
  type: string;
  /** Cache-Control. */
  caching: string;
  /** Vary, if it depends on more than Accept-Encoding. */
  vary?: string;
}
const JSON_RECORD: Representation = { type: JSON_TYPE, caching: REVALIDATE };

/** Below this size, compression costs more than it saves. */
const WORTH_COMPRESSING = 1_024;

/** Runs a callback when the response is over, however it ends. The client may have gone before this is called. */
export function whenClosed(reply: FastifyReply, callback: () => void): void {
  if (reply.raw.destroyed) callback();
  else reply.raw.once('close', callback);
}

/** Sends a finished body, or 304 if the client has it already. */
export function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body, release }: Finished,
  representation: Representation = JSON_RECORD,
): FastifyReply | Promise<FastifyReply> {
  if (release !== undefined) {
    whenClosed(reply, release);
    // The framework does not take shared memory for an ArrayBuffer, and would serialise it as JSON.
    reply.serializer(asItIs);
  }
  const encoding = body.length < WORTH_COMPRESSING ? undefined : negotiateEncoding(request.headers['accept-encoding']);
  if (isNotModified(request, reply, etag, encoding, representation)) return reply.code(304).send();
  if (encoding === undefined) return setBodyHeaders(reply, encoding, representation).send(body);
  return compress(body, encoding).then((compressed) =>
    setBodyHeaders(reply, encoding, representation).send(compressed),
  );
}

const asItIs = (body: unknown) => body as string;

/** How long a client may read nothing of a response that is made for it alone. */
const STALL_MS = 60_000;
/** How long a whole stream may take, because it holds a connection to the database. */
const MAX_STREAM_MS = 1_800_000;

/**
 * Streams a body. It is not read if the client has it already or sent HEAD. An error before the first bytes is answered with
 * 500; a later one closes the connection, so that nobody takes a part for the whole. Reading ends when the client leaves
 * or stops reading.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body, release, evicted }: Streamed,
  representation: Representation = JSON_RECORD,
  stallMs = STALL_MS,
): Promise<FastifyReply> {
  whenClosed(reply, release);
  evicted?.addEventListener('abort', () => reply.raw.destroy(), { once: true });
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  if (isNotModified(request, reply, etag, encoding, representation)) return reply.code(304).send();
  if (request.method === 'HEAD') return setBodyHeaders(reply, encoding, representation).send();
  return streamBody(reply, body, encoding, representation, stallMs);
}

/** For responses that are made for one client. */
const JSON_ONCE: Representation = { type: JSON_TYPE, caching: NO_STORE };

/** Sends a body that is made for one client and must not be stored. */
export async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Uint8Array,
  stallMs = STALL_MS,
  representation = JSON_ONCE,
): Promise<FastifyReply> {
  reply.header('cache-control', representation.caching).header('vary', representation.vary ?? 'Accept-Encoding');
  const encoding = body.length < WORTH_COMPRESSING ? undefined : negotiateEncoding(request.headers['accept-encoding']);
  const bytes = encoding === undefined ? body : await compress(body, encoding);
  setBodyHeaders(reply, encoding, representation).send(bytes);
  // Usually the system has taken all of it by now.
  if (!reply.raw.writableEnded || reply.raw.writableLength > 0) closeIfStalled(reply, stallMs);
  return reply;
}

/** The same for a body that is too long to be held in memory. */
export function streamOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array>,
  stallMs: number,
): Promise<FastifyReply> {
  reply.header('cache-control', JSON_ONCE.caching).header('vary', 'Accept-Encoding');
  return streamBody(reply, body, negotiateEncoding(request.headers['accept-encoding']), JSON_ONCE, stallMs);
}

/** Closes the connection if the client reads nothing for so long, or takes too long in all. */
function closeIfStalled(reply: FastifyReply, stallMs: number): void {
  // Node waits for this time twice if the client has read something since the last write.
  reply.raw.setTimeout(stallMs / 2, () => reply.raw.destroy());
  const late = setTimeout(() => reply.raw.destroy(), MAX_STREAM_MS).unref();
  reply.raw.once('close', () => clearTimeout(late));
}

async function streamBody(
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array>,
  encoding: ContentEncoding | undefined,
  representation: Representation,
  stallMs: number,
): Promise<FastifyReply> {
  const source = Readable.from(body);
  reply.raw.once('close', () => source.destroy());
  await Promise.race([once(source, 'readable'), once(source, 'close')]);
  if (source.destroyed) return reply.hijack();
  closeIfStalled(reply, stallMs);
  setBodyHeaders(reply, encoding, representation);
  if (encoding === undefined) return reply.send(source);
  // An error of either stream reaches the last one, which the reply listens to.
  return reply.send(pipeline(source, compressor(encoding), () => {}));
}

/** Decides by ETag whether a response needs no body; undefined if it needs one in any case. */
export function needsNoBody(request: FastifyRequest): ((etag: string) => boolean) | undefined {
  if (request.method === 'HEAD') return () => true;
  const known = request.headers['if-none-match'];
  return known === undefined ? undefined : (etag) => knownTag(known, etag, etag) !== undefined;
}

/** Sets ETag, Cache-Control and Vary, and returns whether the client has these bytes already. */
function isNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  encoding: ContentEncoding | undefined,
  representation: Representation,
): boolean {
  const { caching, vary = 'Accept-Encoding' } = request.namesHost ? ofHost(representation) : representation;
  const own = encoding === undefined ? etag : encodedTag(etag, encoding);
  const sent = request.headers['if-none-match'];
  const known = sent === undefined ? undefined : knownTag(sent, etag, own);
  reply
    .header('etag', known ?? own)
    .header('cache-control', caching)
    .header('vary', vary);
  return known !== undefined;
}

/** HST-01: a cache keeps one response for each Host, and a shared one keeps none without asking. */
function ofHost({ type, caching, vary }: Representation): Representation {
  return { type, caching: caching.replace(/^public(?=, max-age=[1-9])/, 'private'), vary: varyByHost(vary) };
}

export const varyByHost = (vary = 'Accept-Encoding') => `${vary}, Host`;

function setBodyHeaders(
  reply: FastifyReply,
  encoding: ContentEncoding | undefined,
  { type }: Representation,
): FastifyReply {
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.header('content-type', type);
}

/** A strong ETag is of the encoded bytes. */
function encodedTag(etag: string, encoding: ContentEncoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/** The tag under which the client has these bytes, in any encoding. A weak tag is compared without its mark. */
function knownTag(header: string, etag: string, own: string): string | undefined {
  if (header.trim() === '*') return own;
  const opaque = withoutMark(etag);
  const known = header
    .split(',')
    .map((tag) => withoutMark(tag.trim()))
    .find((tag) => tag === opaque || ENCODINGS.some((encoding) => tag === encodedTag(opaque, encoding)));
  return known === undefined || opaque === etag ? known : `${WEAK}${known}`;
}

const WEAK = 'W/';
const withoutMark = (tag: string) => (tag.startsWith(WEAK) ? tag.slice(WEAK.length) : tag);
