import type { FastifyInstance } from 'fastify';
import { endpoint } from '../http/endpoint.ts';
import { sendFinished } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';
import { finishDocument, type OpenApiDocument } from './openapi.ts';

export function documentRoutes(app: FastifyInstance, document: OpenApiDocument): void {
  const finished = finishDocument(document);
  endpoint(app, `${API_ROOT}/openapi.json`, async (request, reply) => sendFinished(request, reply, finished));
}
