import type { FastifyInstance } from 'fastify';
import { tagOf } from '../../registry/records.ts';
import type { Registry } from '../../registry/registry.ts';
import { parseMapTile } from '../../vocabulary/map-tile.ts';
import { endpoint } from '../http/endpoint.ts';
import { refuse } from '../http/refuse.ts';
import { REVALIDATE, type Representation, sendFinished } from '../http/send-finished.ts';
import { readParameters } from './request-target.ts';

/** Rows for client/suggest.ts (SUG-01, SUG-02, SUG-03). */
export function suggestRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, '/japan/suggest', async (request, reply) => {
    const query = readParameters(request).get('q') ?? '';
    const body = Buffer.from(JSON.stringify({ query, rows: await registry.suggest(query) }));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body });
  });
}

const TILE: Representation = { type: 'application/vnd.mapbox-vector-tile', caching: REVALIDATE };

/** Vector tiles for client/map.ts. */
export function tileRoutes(app: FastifyInstance, registry: Registry): void {
  endpoint(app, '/japan/tiles/:z/:x/:y', async (request, reply) => {
    const { z, x, y } = request.params as Record<'z' | 'x' | 'y', string>;
    const tile = parseMapTile(z, x, y);
    if (tile === undefined) return refuse(reply, 404, 'no such map tile');
    return sendFinished(request, reply, await registry.getTile(tile), TILE);
  });
}
