import { ATTRIBUTES } from '../../../registry/search/format/entry.ts';
import { SORTS } from '../../../registry/search/format/segments.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { formatCount } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { DEFAULT_SORT_LABEL, HAS_LABELS, RANGE_LABELS, SORT_LABELS } from './filter-labels.ts';
import { RANGES, toQuery } from './filters.ts';
import type { ListView } from './list-view.ts';

const checked = (is: boolean) => raw(is ? ' checked' : '');
const selected = (is: boolean) => raw(is ? ' selected' : '');

/** PAG-02: every filter and sort order. client/enhance.ts submits the form on change; it also works without. */
export function filterForm({ path, slugs, filters, list }: ListView): Html {
  const { q, types, words, has, ranges, sort } = filters;
  const categories = CATEGORIES.filter((category) => (list.byType[category] ?? 0) > 0 || types.includes(category));
  return html`<form class="filters" action="${path}" method="get" data-filters aria-label="Filters">
<div class="field"><label for="filter-q">Name, address or ID</label>
<input id="filter-q" type="search" name="q" value="${q ?? ''}" autocomplete="off" spellcheck="false"></div>
${Object.entries(slugs).map(([level, slug]) => slug && html`<input type="hidden" name="${level}" value="${slug}">`)}
<div class="field"><label for="filter-sort">Sort by</label>
<select id="filter-sort" name="sort"><option value="">${DEFAULT_SORT_LABEL}</option>${SORTS.map(
    (name) => html`<option value="${name}"${selected(name === sort)}>${SORT_LABELS[name]}</option>`,
  )}</select></div>
<details open>
<summary>More filters</summary>
${
  categories.length + words.length > 0 &&
  html`<fieldset><legend>Use <span class="ja" lang="ja">用途</span></legend>
<ul class="checks">${categories.map(
    (category) =>
      html`<li><label><input type="checkbox" name="type" value="${category}"${checked(types.includes(category))}> <span>${CATEGORY_LABELS[category].en} <span class="ja" lang="ja">${CATEGORY_LABELS[category].ja}</span></span> <span class="amount">${formatCount(list.byType[category] ?? 0)}</span></label></li>`,
  )}${words.map(
    (word) =>
      html`<li><label><input type="checkbox" name="type" value="${word}" checked> <span>${word}</span></label></li>`,
  )}</ul></fieldset>`
}
${RANGES.map((name) => {
  const { name: label, unit } = RANGE_LABELS[name];
  const input = (end: 'Min' | 'Max', value: number | undefined) =>
    html`<input type="number" inputmode="decimal" step="any" name="${name}${end}" value="${value}" aria-label="${label}, ${end === 'Min' ? 'minimum' : 'maximum'}${unit === '' ? '' : ' (metres)'}" placeholder="${end === 'Min' ? 'min' : 'max'}">`;
  return html`<fieldset class="range"><legend>${label}${unit !== '' && ` (${unit.trim()})`}</legend><div>${input('Min', ranges[name]?.min)} <span aria-hidden="true">–</span> ${input('Max', ranges[name]?.max)}</div></fieldset>`;
})}
<fieldset><legend>Data availability</legend>
<ul class="checks">${ATTRIBUTES.map(
    (name) =>
      html`<li><label><input type="checkbox" name="has" value="${name}"${checked(has.includes(name))}> <span>${HAS_LABELS[name]}</span></label></li>`,
  )}</ul></fieldset>
</details>
<p class="actions"><button type="submit">Apply filters</button> <a href="${path}${toQuery({}, slugs)}">Clear filters</a></p>
</form>`;
}
