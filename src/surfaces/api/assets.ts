import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GetFailure, Registry } from '../../registry/registry.ts';
import { formatAssetId } from '../../vocabulary/asset-id.ts';
import { endpoint } from '../http/endpoint.ts';
import { NO_ENDPOINT, sendProblem } from '../http/problem.ts';
import { redirectCaching, sendFinished } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';

export const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;

export function assetRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, `${API_ROOT}/assets/:id`, async (request, reply) => {
    // The router takes an empty segment for an ID; without one the path is no endpoint.
    if (idOf(request) === '') return sendProblem(reply, 404, NO_ENDPOINT);
    const found = await registry.getPage(idOf(request));
    return found.ok ? sendFinished(request, reply, found.value) : sendFailure(request, reply, found.failure, '');
  });

  endpoint(app, `${API_ROOT}/assets/:id/sources`, async (request, reply) => {
    const found = await registry.getSources(idOf(request));
    return found.ok
      ? sendFinished(request, reply, found.value)
      : sendFailure(request, reply, found.failure, '/sources');
  });
}

/** Why there is no answer for this ID, or where it leads now (API-08). */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: GetFailure,
  subPath: string,
): FastifyReply {
  switch (failure.kind) {
    case 'malformedId':
      return sendProblem(reply, 400, 'path parameters: id must have the form ASSET-JP-NN-NNNNNNNN');
    case 'unknownBuilding':
      return sendProblem(reply, 404, 'no building has this id');
    case 'movedBuilding': {
      const query = request.raw.url?.indexOf('?') ?? -1;
      const search = query === -1 ? '' : request.raw.url?.slice(query);
      reply.header('cache-control', redirectCaching(reply)).header('content-length', 0);
      return reply.redirect(`${API_ROOT}/assets/${formatAssetId(failure.survivor)}${subPath}${search}`, 301);
    }
  }
}
