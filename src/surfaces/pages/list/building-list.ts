import type { FastifyInstance } from 'fastify';
import type { CountrySummary } from '../../../vocabulary/api-shapes.ts';
import { endpoint } from '../../http/endpoint.ts';
import { areaLinks, breadcrumbs } from '../area-navigation.ts';
import { run } from '../format.ts';
import { type Html, html } from '../html.ts';
import { listedBuildings } from '../json-ld.ts';
import type { Page } from '../layout.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import { listTitle, pageTitle } from './filter-labels.ts';
import { AREA_LEVELS, onFirstPage, readAreaSlugs, slugsTo, toQuery } from './filters.ts';
import { listFiles } from './list-tools.ts';
import { type ListView, readListView, resolveArea, showsReit } from './list-view.ts';
import { listColumns } from './results.ts';

/** PAG-02: /japan/areas, the list of buildings in all of Japan or in one area. */
export function listRoutes(app: FastifyInstance, context: PageContext): void {
  const { registry, settingsOf } = context;
  endpoint(app, '/japan/areas', async (request, reply) => {
    const { slugs, areas, isUnknown } = await resolveArea(registry, readAreaSlugs(request));
    const settings = await settingsOf(request);
    const place = { path: '/japan/areas', slugs, within: slugs, areas };
    const view = await readListView(context, request, settings, place);
    const country = areas.length === 0 ? await registry.getCountry() : undefined;
    return sendPage(request, reply, composeList(view, country, isUnknown), settings);
  });
}

function composeList(view: ListView, country: CountrySummary | undefined, isUnknown: boolean): Page {
  const { t } = view;
  const current = view.areas.at(-1);
  const filters = onFirstPage(view.filters);
  const children = current?.children ?? country?.children ?? [];
  const level = AREA_LEVELS[view.areas.length] ?? 'machiAza';
  // A ward without a prefecture may match several wards, so only its slug is known.
  const slug = AREA_LEVELS.map((each) => view.slugs[each]).findLast((each) => each !== undefined);
  const title = listTitle(t, view.filters, view.areas, slug);
  return {
    title: pageTitle(t, title, view.list.page),
    description: t.list.description,
    canonical: '/japan/areas',
    address: `/japan/areas${toQuery(view.filters, view.slugs)}`,
    jsonLd: (origin) => [listedBuildings(view, origin)],
    files: listFiles(view),
    section: 'buildings',
    isUnstored: showsReit(view),
    hasMap: true,
    main: html`${listCrumbs(view)}
<h1>${run(t, title)}</h1>
${isUnknown && html`<p class="notice" role="status">${current === undefined ? t.list.unknownArea : t.list.unknownPart}</p>`}
${current !== undefined && html`<p class="lead"><a href="${current.area.path}">${t.list.areaSummary}</a></p>`}
${listColumns(
  view,
  areaLinks(
    t,
    children,
    current === undefined ? t.hub.prefectures : t.hub.children[current.area.level],
    ({ slug }) => `/japan/areas${toQuery(filters, { ...view.slugs, [level]: slug })}`,
  ),
)}`,
  };
}

/** PAG-05: a change of location keeps the filters. */
function listCrumbs({ t, areas, filters, slugs }: ListView): Html {
  const urlAt = (depth: number) => `/japan/areas${toQuery(onFirstPage(filters), slugsTo(slugs, depth))}`;
  const top = { text: t.list.allOfJapan, url: urlAt(0) };
  return breadcrumbs(t, { top, areas: areas.map(({ area }) => area), urlAt, endsHere: true });
}
