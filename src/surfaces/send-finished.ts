import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Finished, Streamed } from '../registry/registry.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export const REVALIDATE = 'public, max-age=0, must-revalidate';

/** Bytes that are all there; the tag tells a client that it has them already. */
export function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body }: Finished,
  { type = JSON_TYPE, caching = REVALIDATE } = {},
): FastifyReply {
  if (isKnown(request, reply, etag, caching)) return reply.code(304).send();
  return reply.header('content-type', type).send(body);
}

export function sendStream(request: FastifyRequest, reply: FastifyReply, { etag, body }: Streamed): FastifyReply {
  if (isKnown(request, reply, etag, REVALIDATE)) return reply.code(304).send();
  return reply.header('content-type', JSON_TYPE).send(Readable.from(body));
}

function isKnown(request: FastifyRequest, reply: FastifyReply, etag: string, caching: string): boolean {
  reply.header('etag', etag).header('cache-control', caching);
  const asked = request.headers['if-none-match'];
  return asked !== undefined && matchesTag(asked, etag);
}

function matchesTag(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
