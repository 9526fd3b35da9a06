import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { refuse } from '../../http/refuse.ts';
import { areaLinks, areaName, CHILD_AREA_TITLES, hubCrumbs } from '../area-navigation.ts';
import { dayOf, pluralise } from '../format.ts';
import { html } from '../html.ts';
import { type Page, renderPage } from '../layout.ts';
import { listMap } from '../map.ts';
import { splitMarkdownSuffix } from '../request-target.ts';
import { type PageContext, sendMarkdown, sendNegotiated, toFinished } from '../send-page.ts';
import { coverageChart } from './coverage.ts';
import { AREA_LEVELS, onFirstPage, readFilters, toQuery } from './filters.ts';
import { hubMarkdown } from './hub-markdown.ts';
import { findAreas, type ListView, listUrl, mapQuery } from './list-view.ts';
import { listColumns } from './results.ts';

/** PAG-08: the page of a prefecture, a ward or a machi-aza. */
export function hubRoutes(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const parts = Object.values(request.params as Record<string, string>);
    const { name, isMarkdown } = splitMarkdownSuffix(parts.at(-1) as string);
    const slugs = [...parts.slice(0, -1), name];
    const areas = await findAreas(registry, slugs);
    const current = areas.at(-1);
    if (current === undefined || areas.length < slugs.length) return refuse(reply, 404, 'the path names no area');
    const filters = readFilters(request);
    const query = { ...filters, ...Object.fromEntries(slugs.map((slug, i) => [AREA_LEVELS[i], slug])) };
    const list = await registry.list(query);
    const former = await registry.findFormer(filters.q ?? '');
    const settings = await settingsOf(request);
    const view: ListView = { path: current.area.path, slugs: {}, filters, list, areas, former, map: undefined };
    if (isMarkdown || prefersMarkdown(request.headers.accept)) {
      return sendMarkdown(
        request,
        reply,
        toFinished(hubMarkdown(view, current, settings.origin)),
        `${settings.origin}${current.area.path}`,
      );
    }
    view.map = listMap(await registry.readMapPoints({ list: query }), mapQuery(view), settings.t);
    return sendNegotiated(request, reply, toFinished(renderPage(composeHub(view, current), settings)), settings);
  };
  for (const [i] of AREA_LEVELS.entries()) {
    endpoint(
      app,
      `/japan/${AREA_LEVELS.slice(0, i + 1)
        .map((level) => `:${level}`)
        .join('/')}`,
      answer,
    );
  }
}

function composeHub(view: ListView, summary: AreaSummary): Page {
  const { area, buildingCount, latestRecordedAt, children } = summary;
  const query = toQuery(onFirstPage(view.filters));
  const name = area.nameEn === null ? area.nameJa : `${area.nameJa} ${area.nameEn}`;
  return {
    title: `Buildings in ${name}`,
    description: `${pluralise(buildingCount, 'building')} in ${name}: names, addresses, uses, heights and years built, each with its source.`,
    canonical: area.path,
    address: listUrl(view, view.filters),
    markdown: `${area.path}.md`,
    json: `/japan/api/v1/areas${area.path.slice('/japan'.length)}`,
    section: 'buildings',
    hasMap: true,
    main: html`${hubCrumbs(
      view.areas.map((each) => each.area),
      true,
      query,
    )}
<h1>${areaName(area)}</h1>
<p class="lead">${pluralise(buildingCount, 'building')} · updated <time datetime="${latestRecordedAt}">${dayOf(latestRecordedAt)}</time> · area code <code>${area.code}</code>
${query !== '' && html`· <a href="/japan/areas${query}">Search all of Japan with these filters</a>`}</p>
${listColumns(
  view,
  areaLinks(children, CHILD_AREA_TITLES[area.level], ({ path }) => `${path}${query}`),
)}
${coverageChart(summary)}`,
  };
}
