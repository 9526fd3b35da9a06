import type { FastifyInstance } from 'fastify';
import type { CountrySummary } from '../../../vocabulary/api-shapes.ts';
import { endpoint } from '../../http/endpoint.ts';
import { areaLinks, breadcrumbs, CHILD_AREA_TITLES } from '../area-navigation.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { listMap } from '../map.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import { AREA_LEVELS, onFirstPage, readAreaSlugs, readFilters, slugsTo, toQuery } from './filters.ts';
import { type ListView, listUrl, mapQuery, resolveArea } from './list-view.ts';
import { listColumns } from './results.ts';

/** PAG-02: /japan/areas, the list of buildings in all of Japan or in one area. */
export function listRoutes(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  endpoint(app, '/japan/areas', async (request, reply) => {
    const filters = readFilters(request);
    const { slugs, areas, isUnknown } = await resolveArea(registry, readAreaSlugs(request));
    const list = await registry.list({ ...filters, ...slugs });
    const country = areas.length === 0 ? await registry.getCountry() : undefined;
    const former = await registry.findFormer(filters.q ?? '');
    const settings = await settingsOf(request);
    const points = await registry.readMapPoints({ list: { ...filters, ...slugs } });
    const map = listMap(points, mapQuery({ slugs, areas, filters }), settings.t);
    const page = composeList({ path: '/japan/areas', slugs, filters, list, areas, former, map }, country, isUnknown);
    return sendPage(request, reply, page, settings);
  });
}

function composeList(view: ListView, country: CountrySummary | undefined, isUnknown: boolean): Page {
  const current = view.areas.at(-1);
  const filters = onFirstPage(view.filters);
  const children = current?.children ?? country?.children ?? [];
  const level = AREA_LEVELS[view.areas.length] ?? 'machiAza';
  // A ward without a prefecture may match several wards, so only its slug is known.
  const slug = AREA_LEVELS.map((each) => view.slugs[each]).findLast((each) => each !== undefined);
  const title =
    slug === undefined ? 'Buildings in Japan' : `Buildings in ${current?.area.nameEn ?? current?.area.nameJa ?? slug}`;
  return {
    title,
    description:
      'Buildings of the registry by name, address, use, height, floors and year built, each value with its source.',
    canonical: '/japan/areas',
    address: listUrl(view, view.filters),
    section: 'buildings',
    hasMap: true,
    main: html`${listCrumbs(view)}
<h1>${current === undefined ? title : html`Buildings in <span lang="ja">${current.area.nameJa}</span>`}</h1>
${isUnknown && html`<p class="notice" role="status">Area not found. Showing ${current === undefined ? 'all of Japan' : 'the area that contains it'} instead.</p>`}
${current !== undefined && html`<p class="lead"><a href="${current.area.path}">Area summary</a></p>`}
${listColumns(
  view,
  areaLinks(children, current === undefined ? 'Prefectures' : CHILD_AREA_TITLES[current.area.level], ({ slug }) => {
    return `/japan/areas${toQuery(filters, { ...view.slugs, [level]: slug })}`;
  }),
)}`,
  };
}

/** PAG-05: a change of location keeps the filters. */
function listCrumbs({ areas, filters, slugs }: ListView): Html {
  const urlAt = (depth: number) => `/japan/areas${toQuery(onFirstPage(filters), slugsTo(slugs, depth))}`;
  const top = { text: 'All of Japan', url: urlAt(0) };
  return breadcrumbs({ top, areas: areas.map(({ area }) => area), urlAt, endsHere: true });
}
