import type { FastifyInstance } from 'fastify';
import type { ListPage } from '../../registry/search/read/list-page.ts';
import type { AreaSummary, CountrySummary } from '../../vocabulary/api-shapes.ts';
import { endpoint } from '../http/endpoint.ts';
import { areaLinks, areaName, breadcrumbs } from './area-navigation.ts';
import type { Text } from './catalogue/catalogue.ts';
import { dayElement, run } from './format.ts';
import { type Html, html } from './html.ts';
import { website } from './json-ld.ts';
import { type Page, searchBox } from './layout.ts';
import { buildingCard, type CardOptions } from './list/card.ts';
import { AREA_LEVELS, type AreaSlugs, NO_FILTERS, readAreaSlugs, slugsTo, toQuery } from './list/filters.ts';
import { mapQuery, resolveArea } from './list/list-view.ts';
import { listMap } from './map.ts';
import { type PageContext, sendPage } from './send-page.ts';

const LATEST_SHOWN = 6;

/** PAG-01: the home page. */
export function homeRoutes(app: FastifyInstance, { registry, reit, settingsOf }: PageContext): void {
  endpoint(app, '/japan', async (request, reply) => {
    const { slugs, areas, isUnknown } = await resolveArea(registry, readAreaSlugs(request));
    const country = await registry.getCountry();
    const { has: _has, view: _view, columns: _columns, ...everything } = NO_FILTERS;
    const list = await registry.list({ ...everything, has: [], ...slugs });
    const settings = await settingsOf(request);
    const points = await registry.readMapPoints({ list: { ...everything, has: [], ...slugs } });
    const map = listMap(settings.t, points, mapQuery({ slugs, areas, filters: NO_FILTERS }));
    const latest = list.items.slice(0, LATEST_SHOWN).map(({ id }) => id);
    const cards = { today: settings.today, withReit: await reit.servedBuildings('page', latest) };
    const page = composeHome(settings.t, { country, slugs, areas, isUnknown, list, cards, map });
    return sendPage(request, reply, page, settings);
  });
}

interface Home {
  country: CountrySummary;
  slugs: AreaSlugs;
  areas: readonly AreaSummary[];
  isUnknown: boolean;
  list: ListPage;
  cards: CardOptions;
  map: Html | undefined;
}

function composeHome(t: Text, { country, slugs, areas, isUnknown, list, cards, map }: Home): Page {
  const current = areas.at(-1);
  return {
    title: t.home.title,
    description: t.home.description,
    canonical: '/japan',
    address: `/japan${toQuery({}, slugs)}`,
    isHome: true,
    jsonLd: (origin) => [website(t, origin)],
    isUnstored: cards.withReit.size > 0,
    hasMap: true,
    main: html`<div class="hero">
<h1><span class="brand"${t.lang !== 'ja' && html` lang="ja"`}>建物</span> ${t.home.heading}</h1>
<p class="lead">${t.home.lead(t.counts.buildings(country.buildingCount))}</p>
${searchBox(t, { id: 'search', large: true })}
${quickFilters(t)}
</div>
<section class="browse" id="browse" aria-labelledby="browse-title"><h2 id="browse-title">${current === undefined ? t.home.browse : t.home.browseArea(areaName(t, current.area))}</h2>
${isUnknown && html`<p class="notice" role="status">${t.home.unknownArea}</p>`}
${areaTrail(t, areas, slugs)}
<div class="browse-columns"><div>${childAreas(t, country, areas, slugs)}</div>${map}</div>
</section>
<section aria-labelledby="latest"><h2 id="latest">${t.home.recent}</h2>
${
  list.items.length === 0
    ? html`<p class="unknown">${t.home.none}</p>`
    : html`<ol class="cards grid">${list.items.slice(0, LATEST_SHOWN).map((building) => html`<li>${buildingCard(t, building, cards)}</li>`)}</ol>`
}
<p><a href="/japan/areas${toQuery({}, slugs)}">${current === undefined ? t.home.all(t.counts.buildings(list.total)) : t.home.allIn(t.counts.buildings(list.total), areaName(t, current.area))}</a></p>
</section>
${audiences(t)}`,
  };
}

/** PAG-06: searches of all Japan, whatever area the page shows. */
const QUICK_FILTERS = [
  ['tallest', 'sort=height'],
  ['offices', 'type=office&sort=height'],
  ['hotels', 'type=hotel'],
  ['culture', 'type=culture'],
  ['before1930', 'builtMax=1929&sort=built'],
  ['from200m', 'heightMin=200&sort=height'],
  ['venues', 'has=venues'],
  ['owner', 'has=owner'],
  ['reit', 'has=reit'],
] as const;

function quickFilters(t: Text): Html {
  return html`<ul class="quick" aria-label="${t.home.quickFilters}">${QUICK_FILTERS.map(([name, query]) => html`<li><a href="/japan/areas?${query}">${t.home.quick[name]}</a></li>`)}</ul>`;
}

function areaTrail(t: Text, areas: readonly AreaSummary[], slugs: AreaSlugs): Html | undefined {
  if (areas.length === 0) return undefined;
  const urlAt = (depth: number) => `/japan${toQuery({}, slugsTo(slugs, depth))}#browse`;
  const top = { text: t.list.allOfJapan, url: urlAt(0) };
  const current = areas.at(-1) as AreaSummary;
  return html`${breadcrumbs(t, { top, areas: areas.map(({ area }) => area), urlAt, endsHere: true })}
<p>${t.counts.buildings(current.buildingCount)} · ${t.hub.updated(dayElement(t, current.latestRecordedAt))} · <a href="${current.area.path}">${t.list.areaSummary}</a></p>`;
}

function childAreas(
  t: Text,
  country: CountrySummary,
  areas: readonly AreaSummary[],
  slugs: AreaSlugs,
): Html | undefined {
  const current = areas.at(-1);
  const level = AREA_LEVELS[areas.length];
  if (current !== undefined && level === undefined) return undefined;
  return areaLinks(
    t,
    current?.children ?? country.children,
    current === undefined ? t.hub.prefectures : t.hub.children[current.area.level],
    ({ slug }) => `/japan${toQuery({}, { ...slugs, [level as string]: slug })}#browse`,
  );
}

function audiences(t: Text): Html {
  const link = (url: string) => (text: string) => html`<a href="${url}">${text}</a>`;
  return html`<section class="whom" aria-label="${t.home.audiences}">
<div><h2>${t.home.developers}</h2><p>${t.home.developersText(link('/japan/api'))}</p><pre tabindex="0"><code>GET /japan/api/v1/assets?q=${run(t, '丸の内')}&amp;type=office</code></pre></div>
<div><h2>${t.home.agents}</h2><p>${t.home.agentsText(link('/japan/about#agents'), link('/llms.txt')('llms.txt'))}</p><pre tabindex="0"><code>POST /japan/mcp</code></pre></div>
<div><h2>${t.home.values}</h2><p>${t.home.valuesText(link('/japan/about#precedence'))}</p></div>
</section>`;
}
