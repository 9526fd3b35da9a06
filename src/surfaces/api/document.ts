import type { FastifyInstance } from 'fastify';
import { endpoint } from '../endpoint.ts';
import { sendFinished } from '../send-finished.ts';
import { API_ROOT } from '../surface.ts';
import { composeOpenApi, finishDocument } from './openapi.ts';

export function documentRoutes(app: FastifyInstance, baseUrl: string | undefined, limit: number): void {
  const finished = finishDocument(composeOpenApi({ baseUrl, limit }));
  endpoint(app, `${API_ROOT}/openapi.json`, async (request, reply) => sendFinished(request, reply, finished));
}
