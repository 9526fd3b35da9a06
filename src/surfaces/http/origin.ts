import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The origin for absolute links: the public one where it is set, else the one that a request names, where it names one. */
export function originOf(request: FastifyRequest, baseUrl: string | undefined, app: FastifyInstance): string {
  if (baseUrl !== undefined) return baseUrl;
  // What a trusted proxy says of the protocol may be anything.
  const protocol = request.protocol === 'https' ? 'https:' : 'http:';
  const asked = hostOf(protocol, request.host);
  if (asked !== undefined) return asked.origin;
  return app.server.listening ? app.listeningOrigin : 'http://localhost';
}

/** Undefined where it is no name or address, with or without a port. */
export function hostOf(protocol: string, host: string): URL | undefined {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host)) return undefined;
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}
