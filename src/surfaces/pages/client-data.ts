import type { FastifyInstance } from 'fastify';
import { tagOf } from '../../registry/records.ts';
import type { Finished, Registry } from '../../registry/registry.ts';
import { type MapTile, parseMapTile } from '../../vocabulary/map-tile.ts';
import { endpoint } from '../http/endpoint.ts';
import { refuse } from '../http/refuse.ts';
import { REVALIDATE, type Representation, sendFinished } from '../http/send-finished.ts';
import { readListQuery } from './list/list-view.ts';
import { readParameters } from './request-target.ts';
import type { PageContext } from './send-page.ts';

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
  const serve = (path: string, get: (tile: MapTile) => Promise<Finished>) =>
    endpoint(app, `${path}/:z/:x/:y`, async (request, reply) => {
      const { z, x, y } = request.params as Record<'z' | 'x' | 'y', string>;
      const tile = parseMapTile(z, x, y);
      if (tile === undefined) return refuse(reply, 404, 'no such map tile');
      return sendFinished(request, reply, await get(tile), TILE);
    });
  serve('/japan/tiles', registry.getTile);
  serve('/japan/tiles/areas', registry.getAreaTile);
}

/** UI-84: the buildings of a list for client/map.ts. The query is that of /japan/areas, with a box or the name of an owner. */
export function mapPointRoutes(app: FastifyInstance, context: Pick<PageContext, 'registry' | 'reit'>): void {
  endpoint(app, '/japan/map-points', async (request, reply) => {
    const parameters = readParameters(request);
    const box = readBox(parameters.get('bbox'));
    const { query } = await readListQuery(context, request);
    const list = { ...query, owner: parameters.get('owner') ?? undefined };
    return sendFinished(request, reply, await context.registry.getMapPoints({ list, box }), GEOJSON);
  });
}

const GEOJSON: Representation = { type: 'application/geo+json; charset=utf-8', caching: REVALIDATE };

/** West, south, east and north in degrees; like other parameters of pages, an invalid box is ignored. */
function readBox(text: string | null): [number, number, number, number] | undefined {
  if (text === null || !/^-?\d{1,3}(\.\d{1,9})?(,-?\d{1,3}(\.\d{1,9})?){3}$/.test(text)) return undefined;
  return text.split(',').map(Number) as [number, number, number, number];
}
