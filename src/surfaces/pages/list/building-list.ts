import type { FastifyInstance } from 'fastify';
import type { CountrySummary } from '../../../vocabulary/api-shapes.ts';
import { endpoint } from '../../http/endpoint.ts';
import { areaLinks, breadcrumbs, CHILD_AREA_TITLES } from '../area-navigation.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import { AREA_LEVELS, onFirstPage, readFilters, readPlace, slugsTo, toQuery } from './filters.ts';
import { type ListView, resolveArea } from './list-view.ts';
import { listColumns } from './results.ts';

/** PAG-02: the list of all buildings. */
export function listRoutes(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  endpoint(app, '/japan/areas', async (request, reply) => {
    const filters = readFilters(request);
    const { place, way, wasCut } = await resolveArea(registry, readPlace(request));
    const list = await registry.list({ ...filters, ...place });
    const country = way.length === 0 ? await registry.getCountry() : undefined;
    const former = await registry.findFormer(filters.q ?? '');
    const page = composeList({ path: '/japan/areas', place, filters, list, way, former }, country, wasCut);
    return sendPage(request, reply, page, settingsOf(request));
  });
}

/** The page of the list of all buildings, in all of Japan or at a place. */
function composeList(view: ListView, country: CountrySummary | undefined, wasCut: boolean): Page {
  const here = view.way.at(-1);
  const filters = onFirstPage(view.filters);
  const children = here?.children ?? country?.children ?? [];
  const level = AREA_LEVELS[view.way.length] ?? 'machiAza';
  // A ward alone may be several: it is known by its slug.
  const slug = AREA_LEVELS.map((each) => view.place[each]).findLast((each) => each !== undefined);
  const title =
    slug === undefined ? 'Buildings of Japan' : `Buildings in ${here?.area.nameEn ?? here?.area.nameJa ?? slug}`;
  return {
    title,
    description:
      'Every building of the registry: by name, address, use, height, floors and year, each value with its source.',
    canonical: '/japan/areas',
    section: 'buildings',
    hasMap: true,
    main: html`${way(view)}
<h1>${here === undefined ? title : html`Buildings in <span lang="ja">${here.area.nameJa}</span>`}</h1>
${wasCut && html`<p class="notice" role="status">The area in the address is not in the registry: ${here === undefined ? 'all of Japan is shown' : 'the area around it is shown'}.</p>`}
${here !== undefined && html`<p class="lead"><a href="${here.area.path}">About this area</a></p>`}
${listColumns(
  view,
  areaLinks(children, here === undefined ? 'Prefectures' : CHILD_AREA_TITLES[here.area.level], ({ slug }) => {
    return `/japan/areas${toQuery(filters, { ...view.place, [level]: slug })}`;
  }),
)}`,
  };
}

/** Up from here, by the same filters (PAG-05). */
function way({ way, filters, place }: ListView): Html {
  const addressOf = (depth: number) => `/japan/areas${toQuery(onFirstPage(filters), slugsTo(place, depth))}`;
  const top = { text: 'All of Japan', address: addressOf(0) };
  return breadcrumbs({ top, areas: way.map(({ area }) => area), addressOf, isHere: true });
}
