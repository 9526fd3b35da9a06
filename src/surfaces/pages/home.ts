import type { FastifyInstance } from 'fastify';
import type { ListPage } from '../../registry/search/read/list-page.ts';
import type { AreaSummary, CountrySummary } from '../../vocabulary/api-shapes.ts';
import { endpoint } from '../http/endpoint.ts';
import { areaLinks, breadcrumbs, CHILD_AREA_TITLES } from './area-navigation.ts';
import type { Text } from './catalogue/catalogue.ts';
import { dayOf, pluralise } from './format.ts';
import { type Html, html } from './html.ts';
import { type Page, searchBox } from './layout.ts';
import { AREA_LEVELS, type AreaSlugs, NO_FILTERS, readAreaSlugs, slugsTo, toQuery } from './list/filters.ts';
import { mapQuery, resolveArea } from './list/list-view.ts';
import { buildingCard } from './list/results.ts';
import { listMap } from './map.ts';
import { type PageContext, sendPage } from './send-page.ts';

const LATEST_SHOWN = 6;

/** PAG-01: the home page. */
export function homeRoutes(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  endpoint(app, '/japan', async (request, reply) => {
    const { slugs, areas, isUnknown } = await resolveArea(registry, readAreaSlugs(request));
    const country = await registry.getCountry();
    const list = await registry.list({ ...NO_FILTERS, ...slugs });
    const settings = await settingsOf(request);
    const points = await registry.readMapPoints({ list: { ...NO_FILTERS, ...slugs } });
    const map = listMap(points, mapQuery({ slugs, areas, filters: NO_FILTERS }), settings.t);
    return sendPage(request, reply, composeHome({ country, slugs, areas, isUnknown, list, map }, settings.t), settings);
  });
}

interface Home {
  country: CountrySummary;
  slugs: AreaSlugs;
  areas: readonly AreaSummary[];
  isUnknown: boolean;
  list: ListPage;
  map: Html | undefined;
}

function composeHome({ country, slugs, areas, isUnknown, list, map }: Home, t: Text): Page {
  const current = areas.at(-1);
  return {
    title: 'Open building registry for Japan',
    description:
      'Buildings in Japan, compiled from public sources. Every value has its source, date and conflicting values. Open and read-only, for people and programs.',
    canonical: '/japan',
    address: `/japan${toQuery({}, slugs)}`,
    isHome: true,
    hasMap: true,
    main: html`<div class="hero">
<h1><span lang="ja">建物</span> Japan’s buildings, <br>with a source for every fact</h1>
<p class="lead">${pluralise(country.buildingCount, 'building')}, each value with its source, date and conflicting values</p>
${searchBox(t, { id: 'search', large: true })}
${quickFilters()}
</div>
<section class="browse" id="browse" aria-labelledby="browse-title"><h2 id="browse-title">${current === undefined ? 'Browse by area' : html`Browse <span lang="ja">${current.area.nameJa}</span>`} <span class="ja" lang="ja">地域</span></h2>
${isUnknown && html`<p class="notice" role="status">Area not found</p>`}
${areaTrail(areas, slugs)}
<div class="browse-columns"><div>${childAreas(country, areas, slugs)}</div>${map}</div>
</section>
<section aria-labelledby="latest"><h2 id="latest">Recently updated <span class="ja" lang="ja">更新</span></h2>
${
  list.items.length === 0
    ? html`<p class="unknown">No buildings published yet</p>`
    : html`<ol class="cards grid">${list.items.slice(0, LATEST_SHOWN).map((building) => html`<li>${buildingCard(building)}</li>`)}</ol>`
}
<p><a href="/japan/areas${toQuery({}, slugs)}">All ${pluralise(list.total, 'building')}${current !== undefined && html` in <span lang="ja">${current.area.nameJa}</span>`}</a></p>
</section>
${audiences()}`,
  };
}

/** PAG-06: searches of all Japan, whatever area the page shows. */
const QUICK_FILTERS = [
  ['Tallest', 'sort=height'],
  ['Offices', 'type=office&sort=height'],
  ['Hotels', 'type=hotel'],
  ['Culture', 'type=culture'],
  ['Built before 1930', 'builtMax=1929&sort=built'],
  ['200 m or taller', 'heightMin=200&sort=height'],
  ['With venues', 'has=venues'],
  ['Owner known', 'has=owner'],
] as const;

function quickFilters(): Html {
  return html`<ul class="quick" aria-label="Quick filters">${QUICK_FILTERS.map(([text, query]) => html`<li><a href="/japan/areas?${query}">${text}</a></li>`)}</ul>`;
}

function areaTrail(areas: readonly AreaSummary[], slugs: AreaSlugs): Html | undefined {
  if (areas.length === 0) return undefined;
  const urlAt = (depth: number) => `/japan${toQuery({}, slugsTo(slugs, depth))}#browse`;
  const top = { text: 'All of Japan', url: urlAt(0) };
  const current = areas.at(-1) as AreaSummary;
  return html`${breadcrumbs({ top, areas: areas.map(({ area }) => area), urlAt, endsHere: true })}
<p>${pluralise(current.buildingCount, 'building')} · updated ${dayOf(current.latestRecordedAt)} · <a href="${current.area.path}">Area summary</a></p>`;
}

function childAreas(country: CountrySummary, areas: readonly AreaSummary[], slugs: AreaSlugs): Html | undefined {
  const current = areas.at(-1);
  const level = AREA_LEVELS[areas.length];
  if (current !== undefined && level === undefined) return undefined;
  return areaLinks(
    current?.children ?? country.children,
    current === undefined ? 'Prefectures' : CHILD_AREA_TITLES[current.area.level],
    ({ slug }) => {
      return `/japan${toQuery({}, { ...slugs, [level as string]: slug })}#browse`;
    },
  );
}

function audiences(): Html {
  return html`<section class="whom" aria-label="For developers and AI agents">
<div><h2>For developers</h2><p>A read-only <a href="/japan/api">REST API</a> without accounts or keys, with the same records as these pages.</p><pre tabindex="0"><code>GET /japan/api/v1/assets?q=丸の内&amp;type=office</code></pre></div>
<div><h2>For AI agents</h2><p>An <a href="/japan/about#agents">MCP server</a>, a Markdown version of every building and area page, and <a href="/llms.txt">llms.txt</a>.</p><pre tabindex="0"><code>POST /japan/mcp</code></pre></div>
<div><h2>How values are chosen</h2><p>Each field has a fixed <a href="/japan/about#precedence">source precedence</a>. Conflicting values are kept and shown beside the published one.</p></div>
</section>`;
}
