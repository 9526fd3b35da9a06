import type { FormerBuilding } from '../../../registry/identity.ts';
import { markdownLink } from '../../http/markdown.ts';
import { areaName } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { compareForm } from '../compare/choose.ts';
import { formatCount, run } from '../format.ts';
import { Html, html, raw } from '../html.ts';
import { buildingCard } from './card.ts';
import { filterForm } from './filter-form.ts';
import { activeFilters, correctionText } from './filter-labels.ts';
import { listTable } from './list-table.ts';
import { listTools } from './list-tools.ts';
import { type Lead, type ListView, listUrl } from './list-view.ts';

/**
 * Filters on one side, results on the other: the main part of /japan/areas and of every hub. If nothing is found, the
 * areas inside have nothing either.
 */
export function listColumns(view: ListView, areas: Html | undefined): Html {
  const { t } = view;
  return html`<div class="list-columns">
<aside aria-label="${t.list.filters}">${filterForm(view)}</aside>
<section aria-labelledby="results-title"><h2 id="results-title" class="sr">${t.list.results}</h2>
${results(view)}
</section>
<div class="beside">${view.list.total > 0 && areas}</div></div>`;
}

function results(view: ListView): Html {
  const { t, list, filters } = view;
  const active = activeFilters(t, filters);
  const total = t.counts.buildings(list.total);
  // UI-41: the building that replaced the asked one is the result.
  const isOnlySurvivor = list.total === 0 && view.survivor !== undefined;
  return html`<div class="results">
${corrections(view)}
${view.former && formerNotice(view, view.former)}
${!isOnlySurvivor && html`<p class="total" role="status">${active.length > 0 ? t.list.found(total) : total}</p>`}
${
  active.length > 0 &&
  html`<ul class="active" aria-label="${t.list.activeFilters}">${active.map(
    ({ text, without }) =>
      html`<li><a href="${listUrl(view, without)}"><span class="sr">${t.list.removeFilter}</span>${run(t, text)}<span class="cross" aria-hidden="true">×</span></a></li>`,
  )}</ul>`
}
${namedAreas(view)}
${
  list.total === 0
    ? !isOnlySurvivor && noResults(view)
    : html`${view.map}${listTools(t, view)}${compareForm(t)}${filters.view === 'table' ? listTable(t, view, view.cards.today) : cards(view)}${pagination(view)}`
}
</div>`;
}

function cards({ t, list, cards }: ListView): Html {
  return html`<ol class="cards" start="${(list.page - 1) * 20 + 1}">${list.items.map((building) => html`<li>${buildingCard(t, building, { ...cards, canCompare: true })}</li>`)}</ol>`;
}

/** UI-50: nothing in the address of the page is corrected silently. */
function corrections({ t, corrections }: ListView): Html[] {
  return corrections.map((correction) => html`<p class="notice">${run(t, correctionText(t, correction))}</p>`);
}

/** UI-42: 北区 names a ward of Tokyo and wards of other cities. */
function namedAreas({ t, named }: ListView): Html | undefined {
  if (named.length === 0) return undefined;
  return html`<nav class="named" aria-labelledby="named-areas"><h3 id="named-areas">${t.list.namedAreas}</h3><ul>${named.map(
    ({ label, labelEn, detail, detailEn, path, count }) => {
      const isEnglish = t.lang === 'en' && labelEn !== undefined;
      const within = isEnglish ? (detailEn ?? '') : detail;
      return html`<li><a href="${path}">${areaName(t, { nameJa: label, nameEn: labelEn ?? null })}</a> ${within !== '' && html`<span class="place">${run(t, within)}</span> `}<span class="amount">${formatCount(count)}</span></li>`;
    },
  )}</ul></nav>`;
}

function noResults(view: ListView): Html {
  const { t, filters, leads } = view;
  return html`<div class="empty"><h2>${t.list.noneFound}</h2>
${filters.q !== undefined && html`<p>${t.list.literal}${t.building.gap}${t.list.literalExample}</p>`}
${
  leads.length > 0 &&
  html`<h3>${t.list.offers}</h3>
<ul class="leads">${leads.map((lead) => html`<li>${leadLabel(t, lead)}<a href="${lead.url}">${run(t, lead.text)}</a> <span class="amount">${t.counts.buildings(lead.count)}${lead.everywhere && html`${t.list.separator}${t.list.everywhere}`}</span></li>`)}</ul>`
}</div>`;
}

/** What a lead is, unless its text says it. */
export const leadNames = (t: Text): Readonly<Record<Lead['kind'], string | undefined>> => ({
  address: t.list.offerAddress,
  postcode: t.list.offerPostcode,
  owner: t.list.offerOwner,
  fewerTerms: t.list.offerFewerTerms,
  removal: t.list.offerRemoval,
  everywhere: undefined,
});

function leadLabel(t: Text, { kind }: Lead): Html | undefined {
  const name = leadNames(t)[kind];
  return name === undefined ? undefined : html`<span class="kind">${name}</span> `;
}

/** Page links shown on either side of the current page. */
const NEIGHBOUR_PAGES = 2;

function pagination(view: ListView): Html | undefined {
  const { t, list, filters } = view;
  const { page, pages, total } = list;
  if (pages <= 1) return undefined;
  const to = (number: number) => listUrl(view, { ...filters, page: number });
  const numbers = Array.from({ length: pages }, (_, i) => i + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= NEIGHBOUR_PAGES,
  );
  return html`<nav class="pages" aria-label="${t.list.pages}"><ul>
${page > 1 && html`<li><a rel="prev" href="${to(page - 1)}">${t.list.previous}</a></li>`}
${numbers.map((number, i) => html`${i > 0 && number - (numbers[i - 1] as number) > 1 && raw('<li aria-hidden="true">…</li>')}<li><a href="${to(number)}"${raw(number === page ? ' aria-current="page"' : '')}><span class="sr">${t.list.page}</span>${number}</a></li>`)}
${page < pages && html`<li><a rel="next" href="${to(page + 1)}">${t.list.next}</a></li>`}
</ul>${total > pages * 20 && html`<p class="aside">${t.list.onlyFirst(pages * 20)}</p>`}</nav>`;
}

/** ID-04: the building that replaced the merged or retired ID in the search text, as a card. */
function formerNotice({ t, survivor, cards }: ListView, former: FormerBuilding): Html {
  const to = former.survivor;
  const link = to && (to.path === null ? to.id : html`<a href="${to.path}">${to.id}</a>`);
  const tombstone = html`<a href="/japan/id/${former.id}">${former.id}</a>`;
  return html`<div class="former"><p class="notice" role="status">${formerSentence(t, former, link, tombstone)}</p>${survivor && buildingCard(t, survivor, cards)}</div>`;
}

export function formerMarkdown(t: Text, former: FormerBuilding, origin: string): string {
  const to = former.survivor;
  const link = to && (to.path === null ? to.id : markdownLink(to.id, `${origin}${to.path}`));
  // Markup is not escaped: an ID and a link have nothing to escape.
  const tombstone = new Html(markdownLink(former.id, `${origin}/japan/id/${former.id}`));
  return String(formerSentence(t, former, link === null ? null : new Html(link), tombstone));
}

/** A retired building without a successor has a page of its own, which says when and why. */
function formerSentence(t: Text, { id, state }: FormerBuilding, survivor: Html | string | null, tombstone: Html): Html {
  if (survivor === null) return t.list.retired(tombstone);
  return state === 'merged' ? t.list.merged(id, survivor) : t.list.replaced(id, survivor);
}
