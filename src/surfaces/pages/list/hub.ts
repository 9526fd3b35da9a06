import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/prefers-markdown.ts';
import { refuse } from '../../http/problem.ts';
import { areaLinks, hubCrumbs, INSIDE } from '../area-navigation.ts';
import { dayOf, many } from '../format.ts';
import { html } from '../html.ts';
import { layOut, type Page } from '../layout.ts';
import { withoutSuffix } from '../request-target.ts';
import { finish, type PageContext, sendMarkdown, sendNegotiated } from '../send-page.ts';
import { coverageChart } from './coverage.ts';
import { fromStart, LEVELS, readFilters, toQuery } from './filters.ts';
import { hubMarkdown } from './hub-markdown.ts';
import { findWay, type ListView } from './list-view.ts';
import { listColumns } from './results.ts';

/** PAG-08: the page of a prefecture, a ward or a machi-aza. */
export function hubRoutes(app: FastifyInstance, { registry, settingOf }: PageContext): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const parts = Object.values(request.params as Record<string, string>);
    const { name, isMarkdown } = withoutSuffix(parts.at(-1) as string);
    const slugs = [...parts.slice(0, -1), name];
    const way = await findWay(registry, slugs);
    const here = way.at(-1);
    if (here === undefined || way.length < slugs.length) return refuse(reply, 404, 'the path names no area');
    const filters = readFilters(request);
    const list = await registry.list({ ...filters, ...Object.fromEntries(slugs.map((slug, i) => [LEVELS[i], slug])) });
    const former = await registry.findFormer(filters.q ?? '');
    const view: ListView = { path: here.area.path, place: {}, filters, list, way, former };
    const setting = settingOf(request);
    if (isMarkdown || prefersMarkdown(request.headers.accept)) {
      return sendMarkdown(
        request,
        reply,
        finish(hubMarkdown(view, here, setting.origin)),
        `${setting.origin}${here.area.path}`,
      );
    }
    return sendNegotiated(request, reply, finish(layOut(composeHub(view, here), setting)), setting);
  };
  for (const [i] of LEVELS.entries()) {
    endpoint(
      app,
      `/japan/${LEVELS.slice(0, i + 1)
        .map((level) => `:${level}`)
        .join('/')}`,
      answer,
    );
  }
}

/** The page of an area: what it is, the areas inside, its buildings, and how much is known of them. */
function composeHub(view: ListView, here: AreaSummary): Page {
  const { area, buildingCount, latestRecordedAt, children } = here;
  const query = toQuery(fromStart(view.filters));
  const name = area.nameEn === null ? area.nameJa : `${area.nameJa} ${area.nameEn}`;
  return {
    title: `Buildings in ${name}`,
    description: `${many(buildingCount, 'building')} in ${name}: names, addresses, uses, heights and years, each with its source.`,
    canonical: area.path,
    markdown: `${area.path}.md`,
    json: `/japan/api/v1/areas${area.path.slice('/japan'.length)}`,
    section: 'buildings',
    hasMap: true,
    main: html`${hubCrumbs(
      view.way.map((each) => each.area),
      true,
      query,
    )}
<h1><span lang="ja">${area.nameJa}</span>${area.nameEn !== null && html` <span class="en">${area.nameEn}</span>`}</h1>
<p class="lead">${many(buildingCount, 'building')} · last recorded <time datetime="${latestRecordedAt}">${dayOf(latestRecordedAt)}</time> · area code <code>${area.code}</code>
${query !== '' && html`· <a href="/japan/areas${query}">Search all of Japan by these filters</a>`}</p>
${listColumns(
  view,
  areaLinks(children, INSIDE[area.level], ({ path }) => `${path}${query}`),
)}
${coverageChart(here)}`,
  };
}
