import type { FastifyRequest } from 'fastify';

/** The query of a request as a form would send it. Whatever is wrong with it is read as far as it can be. */
export function readParameters({ raw }: FastifyRequest): URLSearchParams {
  const target = raw.url ?? '';
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
}
