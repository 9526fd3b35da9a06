import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { endpoint } from '../http/endpoint.ts';
import { NO_ENDPOINT, refuseBusy, sendProblem } from '../http/problem.ts';
import { needsNoBody, sendStream } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';

/** OWN-01 */
export function ownerRoutes(app: FastifyInstance, registry: Registry, stallMs: number): void {
  endpoint(app, `${API_ROOT}/owners/:name/assets`, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (name === '') return sendProblem(reply, 404, NO_ENDPOINT);
    const isEnough = needsNoBody(request);
    const found = await registry.getPortfolio(name, isEnough && { isEnough });
    return found.ok ? sendStream(request, reply, found.value, undefined, stallMs) : refuseBusy(reply);
  });
}
