import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostOf } from '../http/origin.ts';

/**
 * Keeps a web page that had its name resolved to this machine from asking in its visitor's stead: with a public origin
 * the Host must be its host; without one, on loopback, Host and Origin must be loopback. Undefined where all is well.
 */
export function originCheck(
  app: FastifyInstance,
  baseUrl: string | undefined,
): (request: FastifyRequest) => string | undefined {
  if (baseUrl !== undefined) {
    const { protocol, host, hostname } = new URL(baseUrl);
    return (request) => {
      if (hostOf(protocol, request.host)?.host !== host) return 'the Host header must be the host of BASE_URL';
      return isLoopback(hostname) ? strangeOrigin(request) : undefined;
    };
  }
  let onLoopback = false;
  app.addHook('onListen', async () => {
    onLoopback = app.addresses().every((at) => typeof at === 'object' && isLoopback(at.address));
  });
  return (request) => {
    if (!onLoopback) return undefined;
    // A client of HTTP/1.0 may have none.
    const isNamed = request.raw.headers.host !== undefined || request.host !== '';
    if (isNamed && !isLoopback(hostOf('http:', request.host)?.hostname ?? '')) {
      return 'the Host header must name this machine (localhost); set BASE_URL to serve under a public name';
    }
    return strangeOrigin(request);
  };
}

function strangeOrigin({ headers: { origin } }: FastifyRequest): string | undefined {
  if (origin === undefined || (URL.canParse(origin) && isLoopback(new URL(origin).hostname))) return undefined;
  return 'the Origin header must name this machine (localhost); set a public BASE_URL to serve other origins';
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(name);
}
