import type { FastifyInstance } from 'fastify';
import { tagOf } from '../../registry/records.ts';
import type { Registry } from '../../registry/registry.ts';
import { endpoint } from '../http/endpoint.ts';
import { sendFinished } from '../http/send-finished.ts';
import { readParameters } from './parameters.ts';

/** Rows for what somebody has typed so far (SUG-01, SUG-02, SUG-03). */
export function suggestRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, '/japan/suggest', async (request, reply) => {
    const query = readParameters(request).get('q') ?? '';
    const body = Buffer.from(JSON.stringify({ query, rows: await registry.suggest(query) }));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body });
  });
}
