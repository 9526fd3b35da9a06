import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseMethod } from './endpoint.ts';
import { drain, NO_ENDPOINT, refuse, UNDECODABLE_PATH } from './refuse.ts';
import { redirectCaching } from './send-finished.ts';
import { API_ROOT, type Surface, surfaceOf } from './surface.ts';

const MAX_HEADERS = 100;

/** Requests whose path has an escape that cannot be decoded. */
const undecodable = new WeakSet<IncomingMessage>();

/** Refuses requests that need no endpoint to be refused, in the error form of their surface (API-04). */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // PAG-11. At an endpoint, a wrong method is reported first, whatever the path holds (API-02).
    if (undecodable.has(raw) && (isRead(raw) || request.is404)) refuse(reply, 400, UNDECODABLE_PATH);
    else if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      refuse(reply, 400, 'the Host header is missing');
    } else if (hasTwoHosts(raw.rawHeaders)) {
      refuse(reply, 400, 'the Host header is given twice');
    } else if (raw.rawHeaders.length > 2 * MAX_HEADERS) {
      refuse(reply, 431, `the request has more than ${MAX_HEADERS} headers`);
    } else if (raw.headers.expect !== undefined && !/100-continue/i.test(raw.headers.expect)) {
      refuse(reply, 417, 'the Expect header names an expectation that is not supported');
    }
    // Before the path is looked up: a trailing slash is removed whatever the path names.
    else if (request.surface === 'page' && redirectWithoutSlash(request, reply)) return;
    // API-03: answered here, so that the body of a request without an endpoint is not read.
    else if (request.is404) refuse(reply, 404, NO_ENDPOINT);
    else done();
  });
  app.server.maxHeadersCount = 0; // Node would drop the excess headers, which may be those of a trusted proxy.
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

const WITHOUT_PATH: Readonly<Record<Surface, string>> = {
  api: `${API_ROOT}/-`,
  page: '/japan/-',
  mcp: '/japan/mcp/-',
  other: '/-',
};

/** The router fails on such a path before any hook. The request is routed again by a decodable path of the same shape. */
export function routeUndecodable(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
  const target = request.url ?? '';
  // An absolute target may have no path that the router can find at all.
  if (undecodable.has(request)) request.url = WITHOUT_PATH[surfaceOf(target)];
  else {
    const [path = '', ...query] = target.split('?');
    request.url = [path.replaceAll(/%(?![0-7][\da-f])(?:[89a-f][\da-f])?/gi, 'x'), ...query].join('?');
  }
  undecodable.add(request);
  app.routing(request, response);
}

/** PAG-13: answers a request whose path ends in a slash; returns false for any other. */
function redirectWithoutSlash(request: FastifyRequest, reply: FastifyReply): boolean {
  const target = withoutSlashes(request.raw.url ?? '');
  if (target === undefined) return false;
  if (!isRead(request.raw)) {
    refuseMethod(reply);
    return true;
  }
  drain(reply);
  reply.header('cache-control', redirectCaching(reply)).header('content-length', 0).redirect(target, 308);
  return true;
}

/**
 * The target of a request without the slashes at the end of its path; undefined if it has none. The result begins with
 * exactly one slash, and so stays on this service.
 */
export function withoutSlashes(target: string): string | undefined {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?\/*([^?#]*)(\?[^#]*)?/i.exec(target) ?? [];
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return end === path.length ? undefined : `/${path.slice(0, end)}${query}`;
}
