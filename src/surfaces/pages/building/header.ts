import { completionYear } from '../../../vocabulary/completion.ts';
import type { ComplexName } from '../../../vocabulary/evidence.ts';
import { hubCrumbs } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, type Label } from '../catalogue/labels.ts';
import { comparePath } from '../compare/compared.ts';
import { langAttribute, run } from '../format.ts';
import { type Html, html, once, raw } from '../html.ts';
import { elevationDrawing } from './drawings.ts';
import { complexName, fieldLabel, figureOf } from './figures.ts';
import { disputedFields } from './losing-values.ts';
import { displayAddress, displayName } from './names.ts';
import type { ShownBuilding } from './shown-building.ts';

export const TABS = ['overview', 'venues', 'sources', 'history', 'reit'] as const;
export type Tab = (typeof TABS)[number];

/** The head of a building page, the same on every tab. */
export function buildingHeader(shown: ShownBuilding, tab: Tab): Html {
  const { building, t } = shown;
  const name = displayName(building, t);
  const { prefecture, ward, machiAza } = building.location;
  return html`${hubCrumbs(t, [prefecture, ward, machiAza])}
<div class="building-head">
<div>
<h1${langAttribute(t, name.text, name.lang)}>${name.text}</h1>
${name.also !== undefined && html`<p class="also"${langAttribute(t, name.also, 'en')}>${name.also}</p>`}
<ul class="uses" aria-label="${t.building.uses}">${building.assetTypes.map(
    ({ category }) => html`<li class="use c-${category}">${bilingual(t, CATEGORY_LABELS[category])}</li>`,
  )}</ul>
<p class="place">${run(t, displayAddress(building))}</p>
<p class="id"><code>${building.id}</code> <a class="compare-link" href="${comparePath([building.id])}" rel="nofollow">${t.cite.compare}</a></p>
<dl class="key">${keyFigures(shown)}</dl>
${conflictNotice(shown)}
</div>
${elevationDrawing(t, building)}
</div>
${tabs(shown, tab)}`;
}

/** The markup of a label, by language. There are few labels, and every page shows many of them. */
const labels = { en: new Map<Label, Html>(), ja: new Map<Label, Html>() };

/** A label, in English with the Japanese term beside it. */
export function bilingual(t: Text, label: Label): Html {
  let markup = labels[t.lang].get(label);
  if (markup === undefined) {
    const { en, ja } = label;
    markup = t.lang === 'en' ? html`${en} <span class="ja" lang="ja">${ja}</span>` : html`${ja}`;
    labels[t.lang].set(label, markup);
  }
  return markup;
}

const KEY_FIGURES = ['heightM', 'floorsAbove', 'yearBuilt', 'gfaM2'] as const;

function keyFigures({ building: { fields }, t, today }: ShownBuilding): Html[] {
  return KEY_FIGURES.map((name) => {
    const label = t.building.keyFigures[name];
    const field = fields[name];
    if (name === 'yearBuilt') {
      const completion = completionYear(fields, today);
      if (completion?.isPlanned === true) {
        return keyFigure(t.building.completion, html`${t.building.plannedFor(completion.year)}`);
      }
      if (field === undefined && completion !== undefined) return keyFigure(label, html`${completion.year}`);
    }
    if (field === undefined) {
      return once(
        `absent ${t.lang} ${name}`,
        () => html`<div class="absent"><dt>${label}</dt><dd>${t.building.notAvailable}</dd></div>`,
      );
    }
    const { text, exact } = figureOf(t, name, field);
    const figure = exact === undefined ? html`${text}` : html`<span title="${exact}">${text}</span>`;
    return keyFigure(
      label,
      html`${figure}${field.inheritedFrom && html` <small>${inherited(t, field.inheritedFrom)}</small>`}`,
    );
  });
}

const keyFigure = (label: string, figure: Html) => html`<div><dt>${label}</dt><dd>${figure}</dd></div>`;

/** UI-22: `from Roppongi Hills (complex)` */
export function inherited(t: Text, complex: ComplexName): Html {
  const name = complexName(t, complex);
  if (name === undefined) return html`${t.building.fromSomeComplex}`;
  const [before, after] = t.building.fromComplex('\0').split('\0');
  return html`${before}${run(t, name, complex.nameEn === name ? 'en' : undefined)}${after}`;
}

/** UI-21: links to the fields on which sources visibly disagree. */
function conflictNotice({ building, current, t, today }: ShownBuilding): Html | undefined {
  const disputed = disputedFields(building, current);
  if (disputed.length === 0) return undefined;
  const links = disputed.map(
    (name, i) =>
      html`${i > 0 && t.building.comma}<a href="${building.path}#${name}">${t.building.inSentence(fieldLabel(t, name, building.fields, today))}</a>`,
  );
  return html`<p class="notice">${t.building.conflictNotice(disputed.length, html`${links}`)}</p>`;
}

function tabs({ building: { path, counters }, t }: ShownBuilding, current: Tab): Html {
  const amounts: Partial<Record<Tab, number>> = {
    venues: counters.venues,
    sources: counters.sources,
    history: counters.versions,
  };
  return html`<nav class="tabs" aria-label="${t.building.sections}"><ul>${TABS.map(
    (tab) =>
      html`<li><a href="${tabPath(path, tab)}"${raw(tab === current ? ' aria-current="page"' : '')}>${t.building.tabs[tab]}${amounts[tab] !== undefined && html` <span class="amount">${amounts[tab]}</span>`}</a></li>`,
  )}</ul></nav>`;
}

export const tabPath = (path: string, tab: Tab) => (tab === 'overview' ? path : `${path}?tab=${tab}`);
