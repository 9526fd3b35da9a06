import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { endpoint } from '../http/endpoint.ts';
import { sendProblem } from '../http/problem.ts';
import { sendFinished } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';
import { readSearchQuery } from './query.ts';

export function searchRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, `${API_ROOT}/assets`, async (request, reply) => {
    const query = readSearchQuery(request);
    if (!query.ok) return sendProblem(reply, 400, query.failure);
    return sendFinished(request, reply, await registry.search(query.value));
  });
}
