import { SORTS, type Sort } from '../../../registry/search/format/segments.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { statedLanguage } from '../building/figures.ts';
import { displayAddress, displayName } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_LABELS, SOURCE_NAMES } from '../catalogue/labels.ts';
import { compareBox } from '../compare/choose.ts';
import { formatCount, langAttribute, run } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { ownerLink } from '../owner/owner-link.ts';
import { shownValue } from '../shown-value.ts';
import { onFirstPage, toQuery } from './filters.ts';
import { DEFAULT_COLUMNS, TABLE_COLUMNS, type TableColumn } from './list-display.ts';
import { type ListView, listUrl } from './list-view.ts';

/** The columns by which a list can be sorted. */
const SORTED_COLUMNS: Readonly<Partial<Record<TableColumn | 'name', Sort>>> = {
  name: 'name',
  footprintM2: 'footprint',
  heightM: 'height',
  floorsAbove: 'floors',
  yearBuilt: 'built',
};

/** UI-65: a list as a table. On a phone each cell shows the label of its column. */
export function listTable(t: Text, view: ListView, today: string): Html {
  const { list, filters } = view;
  const columns = filters.columns ?? DEFAULT_COLUMNS;
  const first = (list.page - 1) * 20 + 1;
  return html`${columnForm(t, view)}
<div class="scroll" tabindex="0" role="region" aria-label="${t.table.table}">
<table class="listing field-table"><caption>${t.table.caption(first, first + list.items.length - 1, list.total)}</caption>
<thead><tr><th scope="col" class="pick"><span class="sr">${t.table.compare}</span></th>${heading(t, view, 'name')}${columns.map((column) => heading(t, view, column))}</tr></thead>
<tbody>${list.items.map((building) => row(t, building, columns, today))}</tbody></table></div>`;
}

function columnLabel(t: Text, column: TableColumn | 'name'): string {
  if (column === 'name' || column === 'id' || column === 'uses' || column === 'conflicts') return t.table[column];
  return FIELD_LABELS[column][t.lang];
}

function heading(t: Text, view: ListView, column: TableColumn | 'name'): Html {
  const sort = SORTS.find((each) => each === SORTED_COLUMNS[column]);
  const label = columnLabel(t, column);
  const kind = NUMERIC.has(column) ? ' class="number"' : '';
  if (sort === undefined) return html`<th scope="col"${raw(kind)}>${label}</th>`;
  const isSorted = view.filters.sort === sort;
  const order = isSorted ? ` aria-sort="${sort === 'name' ? 'ascending' : 'descending'}"` : '';
  const url = listUrl(view, { ...onFirstPage(view.filters), sort });
  return html`<th scope="col"${raw(kind)}${raw(order)}><a href="${url}" title="${t.table.sortBy(label)}">${label}</a></th>`;
}

const NUMERIC: ReadonlySet<string> = new Set([
  ...['footprintM2', 'gfaM2', 'landAreaM2', 'leasableAreaM2', 'acquisitionPriceJpy', 'appraisalValueJpy'],
  ...['bookValueJpy', 'occupancyRate', 'unitCount', 'roomCount', 'floorsAbove', 'floorsBelow', 'heightM'],
  ...['yearBuilt', 'conflicts'],
]);

function row(t: Text, building: BuildingPage, columns: readonly TableColumn[], today: string): Html {
  const { text, also, isKnown } = displayName(building, t);
  const name = isKnown ? text : t.building.unnamed;
  return html`<tr><td class="pick">${compareBox(t, building.id, name, true)}</td><th scope="row"><a href="${building.path}"${langAttribute(t, name, 'en')}>${name}</a>${also !== undefined && !columns.includes('nameEn') && html` <span class="also">${run(t, also, 'en')}</span>`}</th>${columns.map(
    (column) =>
      html`<td${raw(NUMERIC.has(column) ? ' class="number"' : column === 'addressJa' || column === 'ownerPublic' ? ' class="text"' : '')}><span class="label" aria-hidden="true">${columnLabel(t, column)}</span><span class="cell">${cell(t, building, column, today) ?? html`<span class="unknown"><span class="sr">${t.table.notAvailable}</span><span aria-hidden="true">–</span></span>`}</span></td>`,
  )}</tr>`;
}

function cell(t: Text, building: BuildingPage, column: TableColumn, today: string): Html | undefined {
  switch (column) {
    case 'id':
      return html`<code>${building.id}</code>`;
    case 'uses':
      return html`${building.assetTypes.map(({ category }) => html`<span class="use c-${category}">${CATEGORY_LABELS[category][t.lang]}</span> `)}`;
    case 'conflicts':
      return html`${formatCount(building.counters.conflictsFlagged)}`;
    case 'addressJa':
      return run(t, displayAddress(building));
    default:
      return fieldCell(t, building, column, today);
  }
}

function fieldCell(t: Text, building: BuildingPage, field: ScalarField, today: string): Html | undefined {
  const shown = shownValue(t, field, building, today);
  if (shown === undefined) return undefined;
  const { text, exact, marks, conflict } = shown;
  // The text of an estimate says that it is one (UI-22).
  const title = [exact, ...marks].filter((part) => part !== undefined).join(t.building.semicolon);
  const value = field === 'ownerPublic' ? ownerLink(t, text) : run(t, text, statedLanguage(field, text));
  const other =
    conflict &&
    `${conflict.text}${t.building.colon}${conflict.value}${t.building.comma}${SOURCE_NAMES[conflict.source][t.lang]}`;
  return html`<span${title !== '' && html` title="${title}"`}>${value}</span>${marks.filter((mark) => mark !== t.building.estimated).map((mark) => html` <span class="flag">${run(t, mark)}</span>`)}${
    conflict !== undefined && html` <span class="flag conflicting" title="${other}">${conflict.text}</span>`
  }`;
}

/** A GET form, so that the choice works without scripts and is in the address. */
function columnForm(t: Text, view: ListView): Html {
  const { filters, path, slugs } = view;
  const chosen = filters.columns ?? DEFAULT_COLUMNS;
  const kept = new URLSearchParams(toQuery({ ...onFirstPage(filters), columns: undefined, view: 'table' }, slugs));
  return html`<details class="columns-choice"><summary>${t.table.columns}</summary>
<form action="${path}" method="get">${[...kept].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<ul class="checks">${TABLE_COLUMNS.map(
    (column) =>
      html`<li><label><input type="checkbox" name="columns" value="${column}"${raw(chosen.includes(column) ? ' checked' : '')}> <span>${columnLabel(t, column)}</span></label></li>`,
  )}</ul>
<p class="actions"><button type="submit">${t.table.show}</button> <a href="${listUrl(view, { ...filters, columns: undefined })}">${t.table.reset}</a></p></form></details>`;
}
