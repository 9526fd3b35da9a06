import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Keeps a web page that had its name resolved to this machine from asking in its visitor's stead: with a public origin
 * the Host must be its host; without one, on loopback, Host and Origin must be loopback. Undefined where all is well.
 */
export function originCheck(
  app: FastifyInstance,
  baseUrl: string | undefined,
): (request: FastifyRequest) => string | undefined {
  if (baseUrl !== undefined) {
    const { protocol, host } = new URL(baseUrl);
    return (request) =>
      hostOf(`${protocol}//${request.host}`) === host ? undefined : 'the Host header must be the host of BASE_URL';
  }
  let onLoopback = false;
  app.addHook('onListen', async () => {
    onLoopback = app.addresses().every((at) => typeof at === 'object' && isLoopback(at.address));
  });
  return ({ host, headers: { origin } }) => {
    if (!onLoopback) return undefined;
    if (host !== '' && !isLoopback(hostnameOf(`http://${host}`))) {
      return 'the Host header must name this machine (localhost); set BASE_URL to serve under a public name';
    }
    if (origin !== undefined && !isLoopback(hostnameOf(origin))) {
      return 'the Origin header must name this machine (localhost); set BASE_URL to serve other origins';
    }
    return undefined;
  };
}

/** With its port, unless that is the usual one. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined);
const hostnameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(name);
}
