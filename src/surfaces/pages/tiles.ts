import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { parseMapTile } from '../../vocabulary/map-tile.ts';
import { endpoint } from '../http/endpoint.ts';
import { refuse } from '../http/problem.ts';
import { type Kind, REVALIDATE, sendFinished } from '../http/send-finished.ts';

const TILE: Kind = { type: 'application/vnd.mapbox-vector-tile', caching: REVALIDATE };

/** The registry as a map: what MapLibre draws. */
export function tileRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, '/japan/tiles/:z/:x/:y', async (request, reply) => {
    const { z, x, y } = request.params as Record<'z' | 'x' | 'y', string>;
    const tile = parseMapTile(z, x, y);
    if (tile === undefined) return refuse(reply, 404, 'the map has no such tile');
    return sendFinished(request, reply, await registry.getTile(tile), TILE);
  });
}
