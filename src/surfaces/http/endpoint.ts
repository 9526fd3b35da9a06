import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { NO_ENDPOINT, refuse } from './problem.ts';
import { surfaceOf } from './surface.ts';

const ALLOWED = ['GET', 'HEAD'];

/** Teaches the router every method that HTTP has, so that a wrong one is answered and not just unknown. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
}

export function refuseMethod(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('allow', ALLOWED.join(', ')), 405, `the method must be ${ALLOWED.join(' or ')}`);
}

/** API-01, API-02: GET, HEAD wherever GET is, and 405 for every other method. */
export function endpoint(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  const own = surfaceOf(url);
  // A path that is all parameters would take what lies below another surface too.
  const leadsNowhere = ({ surface, params }: FastifyRequest) =>
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
      if (leadsNowhere(request)) return refuse(reply, 404, NO_ENDPOINT);
      return refuseMethod(reply);
    },
    handler: async () => {
      throw new Error('unreachable: onRequest answers');
    },
  });
}
