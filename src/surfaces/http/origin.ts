import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** HST-01: whether the response has an origin that the client chose. */
    namesHost: boolean;
  }
}

/** The origin for absolute links: the public one if it is set, else the one that the request names. */
export function originOf(request: FastifyRequest, baseUrl: string | undefined, app: FastifyInstance): string {
  if (baseUrl !== undefined) return baseUrl;
  request.namesHost = true;
  // A trusted proxy may send any text as the protocol.
  const protocol = request.protocol === 'https' ? 'https:' : 'http:';
  const requested = hostOf(protocol, request.host);
  if (requested !== undefined) return requested.origin;
  return app.server.listening ? app.listeningOrigin : 'http://localhost';
}

/** The URL of a host name or address, with or without a port; undefined for anything else. */
export function hostOf(protocol: string, host: string): URL | undefined {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host)) return undefined;
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}
