import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { NO_ENDPOINT, refuse } from './refuse.ts';
import { surfaceOf } from './surface.ts';

const ALLOWED = ['GET', 'HEAD'];

/** Registers every HTTP method with the router, so that a wrong method is refused and not just unknown. */
export function registerMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
}

export function refuseMethod(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('allow', ALLOWED.join(', ')), 405, `the method must be ${ALLOWED.join(' or ')}`);
}

const PREFLIGHT = {
  'access-control-allow-methods': ALLOWED.join(', '),
  'access-control-allow-headers': 'Accept, If-None-Match',
  'access-control-max-age': '86400',
} as const;

/** API-01, API-02: registers GET and HEAD, and 405 for every other method; `isOpen` answers preflights of other origins. */
export function endpoint(app: FastifyInstance, url: string, handler: RouteHandlerMethod, isOpen = false): void {
  const own = surfaceOf(url);
  // A path of parameters only also matches paths of other surfaces.
  const isNoEndpoint = ({ surface, params }: FastifyRequest) =>
    surface !== own || Object.values(params as object).includes('');
  app.route({
    method: ALLOWED,
    url,
    handler: url.startsWith('/japan/:')
      ? function (request, reply) {
          return request.surface === own ? handler.call(this, request, reply) : refuse(reply, 404, NO_ENDPOINT);
        }
      : handler,
  });
  app.route({
    method: app.supportedMethods.filter((method) => !ALLOWED.includes(method)),
    url,
    onRequest: async (request, reply) => {
      if (isNoEndpoint(request)) return refuse(reply, 404, NO_ENDPOINT);
      if (isOpen && request.method === 'OPTIONS') return reply.code(204).headers(PREFLIGHT).send();
      return refuseMethod(reply);
    },
    handler: async () => {
      throw new Error('unreachable: onRequest answers');
    },
  });
}
