import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { endpoint } from '../http/endpoint.ts';
import { NO_ENDPOINT, sendProblem } from '../http/problem.ts';
import { sendFinished } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';

const LEVELS = ['prefecture', 'ward', 'machiAza'] as const;

/** ARE-01, ARE-02, ARE-03: one endpoint a level. */
export function areaRoutes(app: FastifyInstance, registry: Registry): void {
  for (const depth of LEVELS.keys()) {
    const names = LEVELS.slice(0, depth + 1);
    const url = `${API_ROOT}/areas/${names.map((name) => `:${name}`).join('/')}`;
    endpoint(app, url, async (request, reply) => {
      const given = request.params as Record<(typeof LEVELS)[number], string>;
      const slugs = names.map((name) => given[name]);
      if (slugs.includes('')) return sendProblem(reply, 404, NO_ENDPOINT);
      const found = await registry.getArea(slugs);
      return found.ok
        ? sendFinished(request, reply, found.value)
        : sendProblem(reply, 404, 'no published building is in such an area');
    });
  }
}
