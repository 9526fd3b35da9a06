import type { FastifyInstance } from 'fastify';
import type { ListPage } from '../../registry/search/read/list-page.ts';
import type { AreaSummary, CountrySummary } from '../../vocabulary/api-shapes.ts';
import { endpoint } from '../http/endpoint.ts';
import { areaLinks, breadcrumbs, CHILD_AREA_TITLES } from './area-navigation.ts';
import { dayOf, formatCount, pluralise } from './format.ts';
import { type Html, html } from './html.ts';
import { type Page, searchBox } from './layout.ts';
import { AREA_LEVELS, type AreaSlugs, NO_FILTERS, readPlace, slugsTo, toQuery } from './list/filters.ts';
import { resolveArea } from './list/list-view.ts';
import { card } from './list/results.ts';
import { areaMap } from './map.ts';
import { type PageContext, sendPage } from './send-page.ts';

const LATEST = 6;

/** PAG-01 */
export function homeRoutes(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  endpoint(app, '/japan', async (request, reply) => {
    const { place, way, wasCut } = await resolveArea(registry, readPlace(request));
    const country = await registry.getCountry();
    const list = await registry.list({ ...NO_FILTERS, ...place });
    return sendPage(request, reply, composeHome({ country, place, way, wasCut, list }), settingsOf(request));
  });
}

interface Home {
  country: CountrySummary;
  place: AreaSlugs;
  way: readonly AreaSummary[];
  wasCut: boolean;
  list: ListPage;
}

function composeHome({ country, place, way, wasCut, list }: Home): Page {
  const here = way.at(-1);
  return {
    title: 'the open building registry for Japan',
    description:
      'Buildings of Japan from public sources: every value with its source, its date and who disagreed. Open, read-only, for people and programs.',
    canonical: '/japan',
    isHome: true,
    hasMap: true,
    main: html`<div class="hero">
<h1><span lang="ja">建物</span> Every building, <br>and who says so.</h1>
<p class="lead">${pluralise(country.buildingCount, 'building')} of Japan, each value with its source, its date and who disagreed.</p>
${searchBox({ id: 'search', large: true })}
${quickFilters()}
</div>
<section class="browse" id="browse" aria-labelledby="browse-title"><h2 id="browse-title">${here === undefined ? 'Browse by area' : html`Browse <span lang="ja">${here.area.nameJa}</span>`} <span class="ja" lang="ja">地域</span></h2>
${wasCut && html`<p class="notice" role="status">The area in the address is not in the registry.</p>`}
${steps(way, place)}
<div class="browse-columns"><div>${inside(country, way, place)}</div>${areaMap(list.items, here !== undefined)}</div>
</section>
<section aria-labelledby="latest"><h2 id="latest">Latest recorded <span class="ja" lang="ja">更新</span></h2>
${
  list.items.length === 0
    ? html`<p class="unknown">Nothing is published yet.</p>`
    : html`<ol class="cards grid">${list.items.slice(0, LATEST).map((building) => html`<li>${card(building)}</li>`)}</ol>`
}
<p><a href="/japan/areas${toQuery({}, place)}">All ${pluralise(list.total, 'building')}${here !== undefined && html` in <span lang="ja">${here.area.nameJa}</span>`}</a></p>
</section>
${forWhom()}`,
  };
}

/** PAG-06: these look in all of Japan, wherever the page is. */
const QUICK = [
  ['Tallest', 'sort=height'],
  ['Offices', 'type=office&sort=height'],
  ['Hotels', 'type=hotel'],
  ['Culture', 'type=culture'],
  ['Before 1930', 'builtMax=1929&sort=built'],
  ['Over 200 m', 'heightMin=200&sort=height'],
  ['With venues', 'has=venues'],
  ['Owner known', 'has=owner'],
] as const;

function quickFilters(): Html {
  return html`<ul class="quick" aria-label="Quick filters">${QUICK.map(([text, query]) => html`<li><a href="/japan/areas?${query}">${text}</a></li>`)}</ul>`;
}

function steps(way: readonly AreaSummary[], place: AreaSlugs): Html | undefined {
  if (way.length === 0) return undefined;
  const addressOf = (depth: number) => `/japan${toQuery({}, slugsTo(place, depth))}#browse`;
  const top = { text: 'All of Japan', address: addressOf(0) };
  const here = way.at(-1) as AreaSummary;
  return html`${breadcrumbs({ top, areas: way.map(({ area }) => area), addressOf, isHere: true })}
<p>${pluralise(here.buildingCount, 'building')} · last recorded ${dayOf(here.latestRecordedAt)} · <a href="${here.area.path}">The page of this area</a></p>`;
}

function inside(country: CountrySummary, way: readonly AreaSummary[], place: AreaSlugs): Html | undefined {
  const here = way.at(-1);
  const level = AREA_LEVELS[way.length];
  if (here !== undefined && level === undefined) return undefined;
  return areaLinks(
    here?.children ?? country.children,
    here === undefined ? 'Prefectures' : CHILD_AREA_TITLES[here.area.level],
    ({ slug }) => {
      return `/japan${toQuery({}, { ...place, [level as string]: slug })}#browse`;
    },
  );
}

function forWhom(): Html {
  return html`<section class="whom" aria-label="For programs and agents">
<div><h2>For developers</h2><p>A read-only <a href="/japan/api">REST API</a> without accounts or keys: the same record that the pages show, ${formatCount(20)} a page.</p><pre tabindex="0"><code>GET /japan/api/v1/assets?q=丸の内&amp;type=office</code></pre></div>
<div><h2>For agents</h2><p>An <a href="/japan/about#agents">MCP server</a>, a Markdown twin of every building and area, and <a href="/llms.txt">llms.txt</a>.</p><pre tabindex="0"><code>POST /japan/mcp</code></pre></div>
<div><h2>How it is decided</h2><p>Each field has a <a href="/japan/about#precedence">fixed order of sources</a>. What lost is kept and shown beside what won.</p></div>
</section>`;
}
