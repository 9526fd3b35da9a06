import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { endpoint } from '../endpoint.ts';
import { NO_ENDPOINT, sendProblem } from '../problem.ts';
import { sendStream } from '../send-finished.ts';
import { API_ROOT } from '../surface.ts';

/** OWN-01 */
export function ownerRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, `${API_ROOT}/owners/:name/assets`, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (name === '') return sendProblem(reply, 404, NO_ENDPOINT);
    return sendStream(request, reply, await registry.getPortfolio(name));
  });
}
