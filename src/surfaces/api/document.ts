import type { FastifyInstance } from 'fastify';
import { endpoint } from '../endpoint.ts';
import { sendFinished } from '../send-finished.ts';
import { API_ROOT } from '../surface.ts';
import { finishDocument, type OpenApiDocument } from './openapi.ts';

export function documentRoutes(app: FastifyInstance, document: OpenApiDocument): void {
  const finished = finishDocument(document);
  endpoint(app, `${API_ROOT}/openapi.json`, async (request, reply) => sendFinished(request, reply, finished));
}
