import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { SCALAR_FIELDS } from '../../../vocabulary/fields.ts';
import { hubCrumbs } from '../area-navigation.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../catalogue/labels.ts';
import { withUnit } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { elevationDrawing } from './drawings.ts';
import { displayAddress, displayName, japanese } from './names.ts';

export const TABS = ['overview', 'venues', 'sources', 'history', 'reit'] as const;
export type Tab = (typeof TABS)[number];

/** The head of a building page, the same on every tab. */
export function buildingHeader(building: BuildingPage, tab: Tab): Html {
  const name = displayName(building);
  const { fields, location } = building;
  const { prefecture, ward, machiAza } = location;
  return html`${hubCrumbs([prefecture, ward, machiAza])}
<div class="building-head">
<div>
<h1${raw(name.lang === 'ja' ? ' lang="ja"' : '')}>${name.text}</h1>
${name.also !== undefined && html`<p class="also">${name.also}</p>`}
<ul class="uses" aria-label="Uses">${building.assetTypes.map(
    ({ category }) =>
      html`<li class="use c-${category}">${CATEGORY_LABELS[category].en} <span lang="ja">${CATEGORY_LABELS[category].ja}</span></li>`,
  )}</ul>
<p class="place">${japanese(displayAddress(building))}</p>
<p class="id"><code>${building.id}</code></p>
<dl class="key">${KEY_FIGURES.map(([field, label]) => {
    const value = fields[field];
    if (value === undefined) return html`<div class="absent"><dt>${label}</dt><dd>not available</dd></div>`;
    const about = value.estimated ? 'about ' : '';
    return html`<div><dt>${label}</dt><dd>${about}${withUnit(field, value.value, value.unit)}</dd></div>`;
  })}</dl>
${conflictNotice(building)}
</div>
${elevationDrawing(building)}
</div>
${tabs(building, tab)}`;
}

/** Links to the fields with conflicting values. */
function conflictNotice({ fields, path }: BuildingPage): Html | undefined {
  const conflicting = SCALAR_FIELDS.filter((name) => fields[name] != null && fields[name].conflict !== null);
  if (conflicting.length === 0) return undefined;
  return html`<p class="notice">Sources disagree on ${conflicting.map(
    (name, i) => html`${i > 0 && ', '}<a href="${path}#${name}">${FIELD_LABELS[name].en.toLowerCase()}</a>`,
  )}.</p>`;
}

const KEY_FIGURES = [
  ['heightM', 'Height'],
  ['floorsAbove', 'Floors'],
  ['yearBuilt', 'Year built'],
  ['gfaM2', 'Floor area'],
] as const;

function tabs({ path, counters }: BuildingPage, current: Tab): Html {
  const entries: [Tab, string, number | undefined][] = [
    ['overview', 'Overview', undefined],
    ['venues', 'Venues', counters.venues],
    ['sources', 'Sources', counters.sources],
    ['history', 'History', counters.versions],
    ['reit', 'REIT history', undefined],
  ];
  return html`<nav class="tabs" aria-label="Sections of this record"><ul>${entries.map(
    ([tab, text, amount]) =>
      html`<li><a href="${tabPath(path, tab)}"${raw(tab === current ? ' aria-current="page"' : '')}>${text}${amount !== undefined && html` <span class="amount">${amount}</span>`}</a></li>`,
  )}</ul></nav>`;
}

export const tabPath = (path: string, tab: Tab) => (tab === 'overview' ? path : `${path}?tab=${tab}`);
