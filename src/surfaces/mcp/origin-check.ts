import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostOf } from '../http/origin.ts';
import { rememberLast } from '../http/remember-last.ts';

/**
 * Prevents DNS rebinding, where a web page has its own name resolved to this machine: with a public origin, Host must be
 * its host; without one, on loopback, Host and Origin must be loopback. The check returns undefined for allowed requests.
 */
export function originCheck(
  app: FastifyInstance,
  baseUrl: string | undefined,
): (request: FastifyRequest) => string | undefined {
  if (baseUrl !== undefined) {
    const { protocol, host, hostname } = new URL(baseUrl);
    const isOurs = rememberLast((named: string) => hostOf(protocol, named)?.host === host);
    return (request) => {
      if (!isOurs(request.host)) return 'the Host header must be the host of BASE_URL';
      return isLoopback(hostname) ? checkOrigin(request) : undefined;
    };
  }
  let onLoopback = false;
  app.addHook('onListen', async () => {
    onLoopback = app.addresses().every((address) => typeof address === 'object' && isLoopback(address.address));
  });
  const namesThisMachine = rememberLast((named: string) => isLoopback(hostOf('http:', named)?.hostname ?? ''));
  return (request) => {
    if (!onLoopback) return undefined;
    // An HTTP/1.0 client may send none.
    const isNamed = request.raw.headers.host !== undefined || request.host !== '';
    if (isNamed && !namesThisMachine(request.host)) {
      return 'the Host header must name this machine (localhost); set BASE_URL to serve under a public name';
    }
    return checkOrigin(request);
  };
}

function checkOrigin({ headers: { origin } }: FastifyRequest): string | undefined {
  if (origin === undefined || (URL.canParse(origin) && isLoopback(new URL(origin).hostname))) return undefined;
  return 'the Origin header must name this machine (localhost); set a public BASE_URL to serve other origins';
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(name);
}
