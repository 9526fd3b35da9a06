import type { FastifyInstance } from 'fastify';
import { API_ROOT } from '../api-root.ts';
import { endpoint } from '../endpoint.ts';
import { sendFinished } from '../send-finished.ts';
import { composeOpenApi, finishDocument } from './openapi.ts';

export function documentRoutes(app: FastifyInstance, baseUrl: string | undefined): void {
  const finished = finishDocument(composeOpenApi({ baseUrl }));
  endpoint(app, `${API_ROOT}/openapi.json`, async (request, reply) => sendFinished(request, reply, finished));
}
