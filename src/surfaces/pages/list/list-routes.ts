import type { FastifyInstance } from 'fastify';
import { endpoint } from '../../http/endpoint.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import { composeList } from './compose-list.ts';
import { readFilters, readPlace } from './filters.ts';
import { findPlace } from './find-place.ts';

/** PAG-02: the list of all buildings. */
export function listRoutes(app: FastifyInstance, { registry, settingOf }: PageContext): void {
  endpoint(app, '/japan/areas', async (request, reply) => {
    const filters = readFilters(request);
    const { place, way, wasCut } = await findPlace(registry, readPlace(request));
    const list = await registry.list({ ...filters, ...place });
    const country = way.length === 0 ? await registry.getCountry() : undefined;
    const former = await registry.findFormer(filters.q ?? '');
    const page = composeList({ path: '/japan/areas', place, filters, list, way, former }, country, wasCut);
    return sendPage(request, reply, page, settingOf(request));
  });
}
