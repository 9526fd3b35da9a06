import type { FormerBuilding } from '../../../registry/identity.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { markdownLink } from '../../http/markdown.ts';
import { footprintThumbnail } from '../building/drawings.ts';
import { displayAddress, displayName, japanese } from '../building/names.ts';
import { formatCount, pluralise, withUnit } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { CATEGORY_LABELS } from '../labels.ts';
import { resultsMap } from '../map.ts';
import { filterForm } from './filter-form.ts';
import { activeFilters } from './filter-labels.ts';
import { type ListView, listUrl } from './list-view.ts';

/** The filters beside the results, on every page that lists. */
export function listColumns(view: ListView, areas: Html | undefined): Html {
  return html`<div class="list-columns">
<aside aria-label="Narrow down">${filterForm(view)}${areas}</aside>
<section aria-labelledby="results-title"><h2 id="results-title" class="sr">Results</h2>
${resultsMap(view.list.items)}
${results(view)}
</section></div>`;
}

/** How many there are, what narrows them down, and one page of them. */
function results(view: ListView): Html {
  const { list, filters } = view;
  const active = activeFilters(filters);
  return html`<div class="results">
${view.former && formerNotice(view.former)}
<p class="total" role="status">${pluralise(list.total, 'building')}${active.length > 0 && ' match'}</p>
${
  active.length > 0 &&
  html`<ul class="active" aria-label="Active filters">${active.map(
    ({ text, without }) =>
      html`<li><a href="${listUrl(view, without)}"><span class="sr">Remove filter: </span>${text}<span class="cross" aria-hidden="true">×</span></a></li>`,
  )}</ul>`
}
${
  list.total === 0
    ? empty(view)
    : html`<ol class="cards" start="${(list.page - 1) * 20 + 1}">${list.items.map((building) => html`<li>${card(building)}</li>`)}</ol>${pagination(view)}`
}
</div>`;
}

/** A building in few words. */
export function card(building: BuildingPage): Html {
  const name = displayName(building);
  const { fields, assetTypes, counters } = building;
  const figures = (['heightM', 'floorsAbove', 'yearBuilt', 'footprintM2'] as const).flatMap((field) => {
    const value = fields[field];
    return value === undefined
      ? []
      : [html`<li>${WORDS[field][0]}${withUnit(field, value.value, value.unit)}${WORDS[field][1]}</li>`];
  });
  return html`<article class="card">${footprintThumbnail(building)}
<div><h3><a href="${building.path}"${raw(name.lang === 'ja' ? ' lang="ja"' : '')}>${name.text}</a></h3>
${name.also !== undefined && html`<p class="also">${name.also}</p>`}
<p class="place">${japanese(displayAddress(building))}</p>
<ul class="figures">${assetTypes.map(({ category }) => html`<li class="use c-${category}">${CATEGORY_LABELS[category].en}</li>`)}${figures}${
    counters.conflictsFlagged > 0 && html`<li class="flag">${pluralise(counters.conflictsFlagged, 'conflict')}</li>`
  }</ul></div></article>`;
}

const WORDS = {
  heightM: ['', ' high'],
  floorsAbove: ['', ' floors'],
  yearBuilt: ['built ', ''],
  footprintM2: ['', ' footprint'],
} as const;

/** Which way leads on from a list of nothing. */
function empty(view: ListView): Html {
  const active = activeFilters(view.filters);
  const range = Object.values(view.filters.ranges).some(
    ({ min = 0, max = Number.POSITIVE_INFINITY } = {}) => min > max,
  );
  return html`<div class="empty"><h2>Nothing matches all of this</h2>
${range && html`<p>One of the ranges ends before it begins.</p>`}
<p>Text is matched letter by letter: every word has to be in one name, address or ID of the building, in the script in which it is recorded.</p>
<ul>${active.map(({ text, without }) => html`<li><a href="${listUrl(view, without)}">Look again without ${text}</a></li>`)}
${view.way.length > 0 && html`<li><a href="${listUrl({ path: '/japan/areas', place: {} }, { ...view.filters, page: 1 })}">Look in all of Japan</a></li>`}</ul></div>`;
}

/** How many pages are named to either side. */
const AROUND = 2;

function pagination(view: ListView): Html | undefined {
  const { list, filters } = view;
  const { page, pages, total } = list;
  if (pages <= 1) return undefined;
  const to = (number: number) => listUrl(view, { ...filters, page: number });
  const numbers = Array.from({ length: pages }, (_, i) => i + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= AROUND,
  );
  return html`<nav class="pages" aria-label="Pages"><ul>
${page > 1 && html`<li><a rel="prev" href="${to(page - 1)}">Previous</a></li>`}
${numbers.map((number, i) => html`${i > 0 && number - (numbers[i - 1] as number) > 1 && raw('<li aria-hidden="true">…</li>')}<li><a href="${to(number)}"${raw(number === page ? ' aria-current="page"' : '')}><span class="sr">Page </span>${number}</a></li>`)}
${page < pages && html`<li><a rel="next" href="${to(page + 1)}">Next</a></li>`}
</ul>${total > pages * 20 && html`<p class="aside">The first ${formatCount(pages * 20)} can be paged through. Narrow the list down to see others.</p>`}</nav>`;
}

/** ID-04: where the ID that was searched for leads now. */
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
