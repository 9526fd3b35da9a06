import type { FormerBuilding } from '../../../registry/identity.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { markdownLink } from '../../http/markdown.ts';
import { footprintThumbnail } from '../building/drawings.ts';
import { displayAddress, displayName, japanese } from '../building/names.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { formatCount, pluralise, withUnit } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { filterForm } from './filter-form.ts';
import { activeFilters } from './filter-labels.ts';
import { onFirstPage } from './filters.ts';
import { type ListView, listUrl } from './list-view.ts';

/** Filters on one side, results on the other: the main part of /japan/areas and of every hub. */
export function listColumns(view: ListView, areas: Html | undefined): Html {
  return html`<div class="list-columns">
<aside aria-label="Filters and areas">${filterForm(view)}${areas}</aside>
<section aria-labelledby="results-title"><h2 id="results-title" class="sr">Results</h2>
${view.map}
${results(view)}
</section></div>`;
}

function results(view: ListView): Html {
  const { list, filters } = view;
  const active = activeFilters(filters);
  return html`<div class="results">
${view.former && formerNotice(view.former)}
<p class="total" role="status">${pluralise(list.total, 'building')}${active.length > 0 && ' found'}</p>
${
  active.length > 0 &&
  html`<ul class="active" aria-label="Active filters">${active.map(
    ({ text, without }) =>
      html`<li><a href="${listUrl(view, without)}"><span class="sr">Remove filter: </span>${text}<span class="cross" aria-hidden="true">×</span></a></li>`,
  )}</ul>`
}
${
  list.total === 0
    ? noResults(view)
    : html`<ol class="cards" start="${(list.page - 1) * 20 + 1}">${list.items.map((building) => html`<li>${buildingCard(building)}</li>`)}</ol>${pagination(view)}`
}
</div>`;
}

export function buildingCard(building: BuildingPage): Html {
  const name = displayName(building);
  const { fields, assetTypes, counters } = building;
  const figures = (['heightM', 'floorsAbove', 'yearBuilt', 'footprintM2'] as const).flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [html`<li>${CARD_FIGURES[field](withUnit(field, value.value, value.unit))}</li>`];
  });
  return html`<article class="card">${footprintThumbnail(building)}
<div><h3><a href="${building.path}"${raw(name.lang === 'ja' ? ' lang="ja"' : '')}>${name.text}</a></h3>
${name.also !== undefined && html`<p class="also">${name.also}</p>`}
<p class="place">${japanese(displayAddress(building))}</p>
<ul class="figures">${assetTypes.map(({ category }) => html`<li class="use c-${category}">${CATEGORY_LABELS[category].en}</li>`)}${figures}${
    counters.conflictsFlagged > 0 && html`<li class="flag">${pluralise(counters.conflictsFlagged, 'conflict')}</li>`
  }</ul></div></article>`;
}

const CARD_FIGURES = {
  heightM: (height: string) => `${height} high`,
  floorsAbove: (floors: string) => (floors === '1' ? '1 floor' : `${floors} floors`),
  yearBuilt: (year: string) => `built ${year}`,
  footprintM2: (area: string) => `${area} footprint`,
} as const;

function noResults(view: ListView): Html {
  const active = activeFilters(view.filters);
  const hasEmptyRange = Object.values(view.filters.ranges).some(
    ({ min = 0, max = Number.POSITIVE_INFINITY } = {}) => min > max,
  );
  return html`<div class="empty"><h2>No buildings found</h2>
${hasEmptyRange && html`<p>Minimum exceeds maximum</p>`}
<p>Search is literal: every term must appear in one name, address or ID of a building, in the script in which it is recorded.</p>
<ul>${active.map(({ text, without }) => html`<li><a href="${listUrl(view, without)}">Remove filter: ${text}</a></li>`)}
${view.areas.length > 0 && html`<li><a href="${listUrl({ path: '/japan/areas', slugs: {} }, onFirstPage(view.filters))}">Search all of Japan</a></li>`}</ul></div>`;
}

/** Page links shown on either side of the current page. */
const NEIGHBOUR_PAGES = 2;

function pagination(view: ListView): Html | undefined {
  const { list, filters } = view;
  const { page, pages, total } = list;
  if (pages <= 1) return undefined;
  const to = (number: number) => listUrl(view, { ...filters, page: number });
  const numbers = Array.from({ length: pages }, (_, i) => i + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= NEIGHBOUR_PAGES,
  );
  return html`<nav class="pages" aria-label="Pages"><ul>
${page > 1 && html`<li><a rel="prev" href="${to(page - 1)}">Previous</a></li>`}
${numbers.map((number, i) => html`${i > 0 && number - (numbers[i - 1] as number) > 1 && raw('<li aria-hidden="true">…</li>')}<li><a href="${to(number)}"${raw(number === page ? ' aria-current="page"' : '')}><span class="sr">Page </span>${number}</a></li>`)}
${page < pages && html`<li><a rel="next" href="${to(page + 1)}">Next</a></li>`}
</ul>${total > pages * 20 && html`<p class="aside">Only the first ${formatCount(pages * 20)} buildings are listed. Add filters to see the others.</p>`}</nav>`;
}

/** ID-04: the building that replaced the merged or retired ID in the search text. */
function formerNotice(former: FormerBuilding): Html {
  const { survivor } = former;
  const target =
    survivor && (survivor.path === null ? survivor.id : html`<a href="${survivor.path}">${survivor.id}</a>`);
  return html`<p class="notice" role="status">${sentenceStart(former)}${target}.</p>`;
}

export function formerMarkdown(former: FormerBuilding, origin: string): string {
  const { survivor } = former;
  const target =
    survivor && (survivor.path === null ? survivor.id : markdownLink(survivor.id, `${origin}${survivor.path}`));
  return `${sentenceStart(former)}${target ?? ''}.`;
}

function sentenceStart({ id, state, survivor }: FormerBuilding): string {
  if (survivor === null) return `${id} was retired and has no successor`;
  return state === 'merged' ? `${id} was merged into ` : `${id} was retired in favour of `;
}
