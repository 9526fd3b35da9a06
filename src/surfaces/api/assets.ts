import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Finished, GetFailure, Registry } from '../../registry/registry.ts';
import { formatAssetId } from '../../vocabulary/asset-id.ts';
import { endpoint } from '../endpoint.ts';
import { NO_ENDPOINT, sendProblem } from '../problem.ts';

export const API_ROOT = '/japan/api/v1';
const JSON_TYPE = 'application/json; charset=utf-8';
const REVALIDATE = 'public, max-age=0, must-revalidate';

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;

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

/** Bytes made when the building was published; the tag tells a client that it has them already. */
function sendFinished(request: FastifyRequest, reply: FastifyReply, { etag, body }: Finished): FastifyReply {
  reply.header('etag', etag).header('cache-control', REVALIDATE);
  const asked = request.headers['if-none-match'];
  if (asked !== undefined && matchesTag(asked, etag)) return reply.code(304).send();
  return reply.header('content-type', JSON_TYPE).send(body);
}

function matchesTag(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: GetFailure, subPath: string): FastifyReply {
  switch (failure.kind) {
    case 'malformedId':
      return sendProblem(reply, 400, 'path parameters: id must have the form ASSET-JP-NN-NNNNNNNN');
    case 'unknownBuilding':
      return sendProblem(reply, 404, 'no building has this id');
    case 'movedBuilding': {
      const query = request.raw.url?.indexOf('?') ?? -1;
      const search = query === -1 ? '' : request.raw.url?.slice(query);
      reply.header('cache-control', REVALIDATE).header('content-length', 0);
      return reply.redirect(`${API_ROOT}/assets/${formatAssetId(failure.survivor)}${subPath}${search}`, 301);
    }
  }
}
