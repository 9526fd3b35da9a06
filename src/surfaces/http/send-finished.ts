import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Finished, Streamed } from '../../registry/registry.ts';
import { compress, compressor } from './compress.ts';
import { type ContentEncoding, ENCODINGS, negotiateEncoding } from './negotiation.ts';
import { whenClosed } from './when-closed.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export const REVALIDATE = 'public, max-age=0, must-revalidate';
export const NO_STORE = 'no-store';

/** How a redirect may be kept: not at all where nothing of the answer may be, whatever it is (REIT-05). */
export const redirectCaching = (reply: FastifyReply) =>
  reply.getHeader('cache-control') === NO_STORE ? NO_STORE : REVALIDATE;

/** What is sent, and for how long a client may keep it. */
export interface Kind {
  type: string;
  caching: string;
  /** What it depends on besides the encoding that the client takes. */
  vary?: string;
}
const JSON_RECORD: Kind = { type: JSON_TYPE, caching: REVALIDATE };

/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_024;

/** Bytes that are all there; the tag tells a client that it has them already. */
export function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body, release }: Finished,
  kind: Kind = JSON_RECORD,
): FastifyReply | Promise<FastifyReply> {
  if (release !== undefined) {
    whenClosed(reply, release);
    // Shared memory is no ArrayBuffer to the framework, which would make JSON of it.
    reply.serializer(asItIs);
  }
  const encoding = body.length < WORTH_COMPRESSING ? undefined : negotiateEncoding(request.headers['accept-encoding']);
  if (isKnown(request, reply, etag, encoding, kind)) return reply.code(304).send();
  if (encoding === undefined) return setBodyHeaders(reply, encoding, kind).send(body);
  return compress(body, encoding).then((compressed) => setBodyHeaders(reply, encoding, kind).send(compressed));
}

const asItIs = (body: unknown) => body as string;

/** For how long a client may read nothing of an answer that is made for it alone. */
const STALL_MS = 60_000;
/** For how long all of a stream may take: it holds a connection to the database. */
const LONGEST_MS = 1_800_000;

/**
 * Nothing is read of the body where the client has it already or asks for the headers alone. A fault before the first
 * bytes is a fault like any other; a later one breaks the connection off, so that nobody takes the half for the whole.
 * Reading ends when the client goes away, or reads no further.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body, release, evicted }: Streamed,
  kind: Kind = JSON_RECORD,
  stallMs = STALL_MS,
): Promise<FastifyReply> {
  whenClosed(reply, release);
  evicted?.addEventListener('abort', () => reply.raw.destroy(), { once: true });
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  if (isKnown(request, reply, etag, encoding, kind)) return reply.code(304).send();
  if (request.method === 'HEAD') return setBodyHeaders(reply, encoding, kind).send();
  return streamBody(reply, body, encoding, kind, stallMs);
}

/** Answers that are made for one client and are nobody else's. */
const JSON_ONCE: Kind = { type: JSON_TYPE, caching: NO_STORE };

/** The whole of such an answer. */
export async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Uint8Array,
  stallMs = STALL_MS,
  kind = JSON_ONCE,
): Promise<FastifyReply> {
  reply.header('cache-control', kind.caching).header('vary', kind.vary ?? 'Accept-Encoding');
  const encoding = body.length < WORTH_COMPRESSING ? undefined : negotiateEncoding(request.headers['accept-encoding']);
  const bytes = encoding === undefined ? body : await compress(body, encoding);
  setBodyHeaders(reply, encoding, kind).send(bytes);
  // Mostly the system has taken all of it by now.
  if (!reply.raw.writableFinished) giveUpInTime(reply, stallMs);
  return reply;
}

/** The same for one that is too long to be held whole. */
export function streamOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array>,
  stallMs: number,
): Promise<FastifyReply> {
  reply.header('cache-control', JSON_ONCE.caching).header('vary', 'Accept-Encoding');
  return streamBody(reply, body, negotiateEncoding(request.headers['accept-encoding']), JSON_ONCE, stallMs);
}

/** Ends with a client that reads nothing for so long, or takes for ever. */
function giveUpInTime(reply: FastifyReply, stallMs: number): void {
  // Node lets the time go by twice where some of what was written has been read since.
  reply.raw.setTimeout(stallMs / 2, () => reply.raw.destroy());
  const late = setTimeout(() => reply.raw.destroy(), LONGEST_MS).unref();
  reply.raw.once('close', () => clearTimeout(late));
}

async function streamBody(
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array>,
  encoding: ContentEncoding | undefined,
  kind: Kind,
  stallMs: number,
): Promise<FastifyReply> {
  const source = Readable.from(body);
  reply.raw.once('close', () => source.destroy());
  await Promise.race([once(source, 'readable'), once(source, 'close')]);
  if (source.destroyed) return reply.hijack();
  giveUpInTime(reply, stallMs);
  setBodyHeaders(reply, encoding, kind);
  if (encoding === undefined) return reply.send(source);
  // The fault of either is the fault of the last, which is the one the reply listens to.
  return reply.send(pipeline(source, compressor(encoding), () => {}));
}

/** By the tag of an answer, whether it is sent without a body; undefined where it is sent with one in any case. */
export function needsNoBody(request: FastifyRequest): ((etag: string) => boolean) | undefined {
  if (request.method === 'HEAD') return () => true;
  const asked = request.headers['if-none-match'];
  return asked === undefined ? undefined : (etag) => knownTag(asked, etag, etag) !== undefined;
}

/** Sets what tells the client which bytes these are, and says whether it has them. */
function isKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  encoding: ContentEncoding | undefined,
  { caching, vary = 'Accept-Encoding' }: Kind,
): boolean {
  const own = encoding === undefined ? etag : tagOf(etag, encoding);
  const asked = request.headers['if-none-match'];
  const known = asked === undefined ? undefined : knownTag(asked, etag, own);
  reply
    .header('etag', known ?? own)
    .header('cache-control', caching)
    .header('vary', vary);
  return known !== undefined;
}

function setBodyHeaders(reply: FastifyReply, encoding: ContentEncoding | undefined, { type }: Kind): FastifyReply {
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.header('content-type', type);
}

/** Other bytes, another strong tag. */
function tagOf(etag: string, encoding: ContentEncoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/** The tag under which the client has these bytes, in whichever encoding that may be. */
function knownTag(header: string, etag: string, own: string): string | undefined {
  if (header.trim() === '*') return own;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .find((tag) => tag === etag || ENCODINGS.some((encoding) => tag === tagOf(etag, encoding)));
}
