import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, REVALIDATE } from '../send-finished.ts';

/** A file that stays the same while the service runs. Its name has the tag of its content, so that it may be kept. */
export interface PageFile {
  name: string;
  type: string;
  etag: string;
  body: Buffer;
}

const CACHING = { immutable: 'public, max-age=31536000, immutable', revalidate: REVALIDATE } as const;

export function makePageFile(name: string, type: string, content: string | Buffer): PageFile {
  const body = Buffer.from(content as string);
  const tag = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const extension = extname(name);
  return {
    name: `${name.slice(0, name.length - extension.length)}-${tag}${extension}`,
    type: `${type}; charset=utf-8`,
    etag: `"${tag}"`,
    body,
  };
}

export function sendPageFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, body }: PageFile,
  caching: keyof typeof CACHING,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', CACHING[caching]).header('x-content-type-options', 'nosniff');
  const asked = request.headers['if-none-match'];
  if (asked !== undefined && matchesTag(asked, etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(body);
}
