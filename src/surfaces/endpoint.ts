import { METHODS } from 'node:http';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { NO_ENDPOINT, refuse } from './problem.ts';

const ALLOWED = ['GET', 'HEAD'];

/** Teaches the router every method that HTTP has, so that a wrong one is answered and not just unknown. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
}

/** API-01, API-02: GET, HEAD wherever GET is, and 405 for every other method. */
export function endpoint(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.route({ method: ALLOWED, url, handler });
  app.route({
    method: app.supportedMethods.filter((method) => !ALLOWED.includes(method)),
    url,
    onRequest: async (request, reply) => {
      if (Object.values(request.params as object).includes('')) return refuse(reply, 404, NO_ENDPOINT);
      return refuse(reply.header('allow', ALLOWED.join(', ')), 405, `the method must be ${ALLOWED.join(' or ')}`);
    },
    handler: async () => {
      throw new Error('unreachable: onRequest answers');
    },
  });
}
