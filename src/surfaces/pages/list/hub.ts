import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { refuse } from '../../http/refuse.ts';
import { areaLinks, areaName, areaText, hubCrumbs } from '../area-navigation.ts';
import { dayElement, run } from '../format.ts';
import { html } from '../html.ts';
import { areaCrumbs, areaPlace, breadcrumbList, listedBuildings } from '../json-ld.ts';
import { type Page, renderPage } from '../layout.ts';
import { splitMarkdownSuffix } from '../request-target.ts';
import { type PageContext, sendMarkdown, sendNegotiated, withSampleNote } from '../send-page.ts';
import { coverageChart } from './coverage.ts';
import { describeSearch, listTitle, pageTitle } from './filter-labels.ts';
import { AREA_LEVELS, onFirstPage, toQuery } from './filters.ts';
import { hubMarkdown } from './hub-markdown.ts';
import { listFiles } from './list-tools.ts';
import { findAreas, type ListView, readListView, toBody } from './list-view.ts';
import { listColumns } from './results.ts';

/** PAG-08: the page of a prefecture, a ward or a machi-aza. */
export function hubRoutes(app: FastifyInstance, context: PageContext): void {
  const { registry, settingsOf } = context;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const parts = Object.values(request.params as Record<string, string>);
    const { name, isMarkdown } = splitMarkdownSuffix(parts.at(-1) as string);
    const slugs = [...parts.slice(0, -1), name];
    const areas = await findAreas(registry, slugs);
    const current = areas.at(-1);
    if (current === undefined || areas.length < slugs.length) return refuse(reply, 404, 'the path names no area');
    const settings = await settingsOf(request);
    const asMarkdown = isMarkdown || prefersMarkdown(request.headers.accept);
    const place = {
      path: current.area.path,
      slugs: {},
      within: Object.fromEntries(slugs.map((slug, i) => [AREA_LEVELS[i], slug])),
      areas,
    };
    const view = await readListView(context, request, settings, place, asMarkdown ? 'markdown' : 'page');
    if (asMarkdown) {
      const text = withSampleNote(hubMarkdown(view, current, settings.origin), settings);
      return sendMarkdown(request, reply, toBody(text, view), `${settings.origin}${current.area.path}`);
    }
    const text = renderPage(composeHub(view, current), settings);
    return sendNegotiated(request, reply, toBody(text, view), settings);
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
  const { t } = view;
  const { area, buildingCount, latestRecordedAt, children } = summary;
  const query = toQuery(onFirstPage(view.filters));
  const isSearch = describeSearch(t, view.filters) !== undefined;
  const name = t.lang === 'ja' || area.nameEn === null ? area.nameJa : `${area.nameEn} ${area.nameJa}`;
  const buildings = t.counts.buildings(buildingCount);
  const title = isSearch ? listTitle(t, view.filters, view.areas) : t.hub.title(name);
  return {
    title: pageTitle(t, title, view.list.page),
    description: t.hub.description(buildings, name),
    canonical: area.path,
    address: `${area.path}${toQuery(view.filters)}`,
    markdown: `${area.path}.md`,
    json: `/japan/api/v1/areas${area.path.slice('/japan'.length)}`,
    jsonLd: (origin) => {
      const areas = view.areas.map((each) => each.area);
      const crumbs = breadcrumbList(`${origin}${area.path}`, areaCrumbs(t, origin, areas));
      return [areaPlace(t, origin, areas), crumbs, listedBuildings(view, origin)];
    },
    files: listFiles(view),
    section: 'buildings',
    hasMap: true,
    main: html`${hubCrumbs(
      t,
      view.areas.map((each) => each.area),
      true,
      query,
    )}
<h1>${isSearch ? run(t, listTitle(t, view.filters, view.areas)) : areaName(t, area)}</h1>
<p class="lead">${isSearch && html`${areaText(t, area)} · `}${buildings} · ${t.hub.updated(dayElement(t, latestRecordedAt))} · ${t.hub.areaCode(html`<code>${area.code}</code>`)}
${query !== '' && html`· <a href="/japan/areas${query}">${t.hub.allOfJapan}</a>`}</p>
${listColumns(
  view,
  areaLinks(t, children, t.hub.children[area.level], ({ path }) => `${path}${query}`),
)}
${coverageChart(t, summary)}`,
  };
}
