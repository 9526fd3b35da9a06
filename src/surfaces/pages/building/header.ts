import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { SCALAR_FIELDS } from '../../../vocabulary/fields.ts';
import { hubCrumbs } from '../area-navigation.ts';
import { withUnit } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../labels.ts';
import { elevationDrawing } from './drawings.ts';
import { displayAddress, displayName, japanese } from './names.ts';

export const TABS = ['overview', 'venues', 'sources', 'history', 'reit'] as const;
export type Tab = (typeof TABS)[number];

/** What a building page begins with, whatever its tab. */
export function header(building: BuildingPage, tab: Tab): Html {
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
    if (value === undefined) return html`<div class="absent"><dt>${label}</dt><dd>not known</dd></div>`;
    const about = value.estimated ? 'about ' : '';
    return html`<div><dt>${label}</dt><dd>${about}${withUnit(field, value.value, value.unit)}</dd></div>`;
  })}</dl>
${disagreement(building)}
</div>
${elevationDrawing(building)}
</div>
${tabs(building, tab)}`;
}

/** What the sources do not agree on, and where both values are. */
function disagreement({ fields, path }: BuildingPage): Html | undefined {
  const disputed = SCALAR_FIELDS.filter((name) => fields[name] != null && fields[name].conflict !== null);
  if (disputed.length === 0) return undefined;
  return html`<p class="notice">Sources disagree on ${disputed.map(
    (name, i) => html`${i > 0 && ', '}<a href="${path}#${name}">${FIELD_LABELS[name].en.toLowerCase()}</a>`,
  )}.</p>`;
}

const KEY_FIGURES = [
  ['heightM', 'Height'],
  ['floorsAbove', 'Floors'],
  ['yearBuilt', 'Built'],
  ['gfaM2', 'Floor area'],
] as const;

function tabs({ path, counters }: BuildingPage, current: Tab): Html {
  const shown: [Tab, string, number | undefined][] = [
    ['overview', 'Overview', undefined],
    ['venues', 'Venues', counters.venues],
    ['sources', 'Sources', counters.sources],
    ['history', 'History', counters.versions],
    ['reit', 'REIT history', undefined],
  ];
  return html`<nav class="tabs" aria-label="Parts of this record"><ul>${shown.map(
    ([tab, text, amount]) =>
      html`<li><a href="${tabPath(path, tab)}"${raw(tab === current ? ' aria-current="page"' : '')}>${text}${amount !== undefined && html` <span class="amount">${amount}</span>`}</a></li>`,
  )}</ul></nav>`;
}

export const tabPath = (path: string, tab: Tab) => (tab === 'overview' ? path : `${path}?tab=${tab}`);
