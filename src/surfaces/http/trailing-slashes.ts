import type { FastifyReply, FastifyRequest } from 'fastify';
import { drain } from './drain.ts';
import { refuseMethod } from './endpoint.ts';
import { redirectCaching } from './send-finished.ts';

/** PAG-13: answers a request for a path that ends in a slash; false where it has none. */
export function leaveSlashesOut(request: FastifyRequest, reply: FastifyReply): boolean {
  const target = withoutSlashes(request.raw.url ?? '');
  if (target === undefined) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuseMethod(reply);
    return true;
  }
  drain(reply);
  reply.header('cache-control', redirectCaching(reply)).header('content-length', 0).redirect(target, 308);
  return true;
}

/**
 * The target of a request without the slashes at the end of its path, everything else as it was sent; undefined where
 * there are none. It begins with one slash and so stays on this service.
 */
export function withoutSlashes(target: string): string | undefined {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?\/*([^?#]*)(\?[^#]*)?/i.exec(target) ?? [];
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return end === path.length ? undefined : `/${path.slice(0, end)}${query}`;
}
