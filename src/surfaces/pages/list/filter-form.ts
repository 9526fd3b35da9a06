import { SORTS } from '../../../registry/search/format/segments.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { REQUIREMENTS } from '../../../vocabulary/search-arguments.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { formatCount, run } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { type Filters, RANGES, toQuery } from './filters.ts';
import { displayPairs } from './list-display.ts';
import type { ListView } from './list-view.ts';

const checked = (is: boolean) => raw(is ? ' checked' : '');
const selected = (is: boolean) => raw(is ? ' selected' : '');

/**
 * PAG-02: every filter and sort order. client/enhance.ts updates the results in place (UI-53); without it the button
 * submits the form, and the other filters stay open while one is in use (UI-52).
 */
export function filterForm({ t, path, slugs, filters, list }: ListView): Html {
  const { q, types, words, has, ranges, postcode, sort } = filters;
  const categories = CATEGORIES.filter((category) => (list.byType[category] ?? 0) > 0 || types.includes(category));
  const inUse = countMoreFilters(filters);
  return html`<form class="filters" action="${path}" method="get" data-filters data-updating="${t.list.updating}" aria-label="${t.list.filters}">
<div class="field"><label for="filter-q">${t.list.searchLabel}</label>
<input id="filter-q" type="search" name="q" value="${q ?? ''}" autocomplete="off" spellcheck="false"></div>
${Object.entries(slugs).map(([level, slug]) => slug && html`<input type="hidden" name="${level}" value="${slug}">`)}
${postcode !== undefined && html`<input type="hidden" name="postcode" value="${postcode}">`}
${displayPairs(filters).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="field"><label for="filter-sort">${t.list.sortBy}</label>
<select id="filter-sort" name="sort"><option value="">${t.list.defaultSort}</option>${SORTS.map(
    (name) => html`<option value="${name}"${selected(name === sort)}>${t.list.sorts[name]}</option>`,
  )}</select></div>
<details${inUse > 0 && html` open`}>
<summary>${t.list.moreFilters} <span class="amount">${inUse > 0 && t.list.filtersInUse(inUse)}</span></summary>
<fieldset data-part="uses"${categories.length + words.length === 0 && html` hidden`}><legend>${t.list.use}</legend>
<ul class="checks">${categories.map(
    (category) =>
      html`<li><label><input type="checkbox" name="type" value="${category}"${checked(types.includes(category))}> <span>${useLabel(t, category)}</span> <span class="amount">${formatCount(list.byType[category] ?? 0)}</span></label></li>`,
  )}${words.map(
    (word) =>
      html`<li><label><input type="checkbox" name="type" value="${word}" checked> <span>${run(t, word)}</span></label></li>`,
  )}</ul></fieldset>
${RANGES.map((name) => {
  const label = t.list.ranges[name];
  const isMetres = name === 'height';
  const input = (end: 'Min' | 'Max', value: number | undefined) => {
    const text = end === 'Min' ? t.list.minimum(label) : t.list.maximum(label);
    return html`<input type="number" inputmode="decimal" step="any" name="${name}${end}" value="${value}" aria-label="${isMetres ? t.list.metres(text) : text}" placeholder="${end === 'Min' ? t.list.min : t.list.max}">`;
  };
  return html`<fieldset class="range"><legend>${isMetres ? t.list.rangeWithUnit(label, 'm') : label}</legend><div>${input('Min', ranges[name]?.min)} <span aria-hidden="true">–</span> ${input('Max', ranges[name]?.max)}</div></fieldset>`;
})}
<fieldset data-part="availability"><legend>${t.list.availability}</legend>
<ul class="checks">${REQUIREMENTS.map(
    (name) =>
      html`<li><label><input type="checkbox" name="has" value="${name}"${checked(has.includes(name))}> <span>${t.list.has[name]}</span></label></li>`,
  )}</ul></fieldset>
</details>
<p class="actions"><button type="submit">${t.list.apply}</button> <a href="${path}${toQuery({}, slugs)}">${t.list.clear}</a></p>
</form>`;
}

/** Uses keep their Japanese term on English pages: it is what sources record. */
function useLabel(t: Text, category: (typeof CATEGORIES)[number]): Html {
  const { en, ja } = CATEGORY_LABELS[category];
  return t.lang === 'ja' ? html`${ja}` : html`${en} <span class="ja" lang="ja">${ja}</span>`;
}

/** The active filters behind "More filters". */
const countMoreFilters = ({ types, words, has, ranges }: Filters): number =>
  types.length + words.length + has.length + Object.keys(ranges).length;
