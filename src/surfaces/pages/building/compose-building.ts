import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { shorten } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { reitTab } from '../reit/reit-tab.ts';
import { buildingJsonLd } from './building-json-ld.ts';
import { completionText, figureOf } from './figures.ts';
import { buildingHeader, type Tab, tabPath } from './header.ts';
import { historyTab } from './history-tab.ts';
import { displayName } from './names.ts';
import { overviewTab } from './overview.ts';
import type { ShownBuilding } from './shown-building.ts';
import { sourcesTab } from './sources-tab.ts';
import { venuesTab } from './venues.ts';

export function composeBuilding(shown: ShownBuilding, tab: Tab): Page {
  const { building, t } = shown;
  return {
    title: tab === 'overview' ? titleOf(building, t) : t.layout.titleOfPart(titleOf(building, t), t.building.tabs[tab]),
    description: describe(shown),
    canonical: building.path,
    address: tabPath(building.path, tab),
    markdown: `${building.path}.md`,
    json: `/japan/api/v1/assets/${building.id}`,
    jsonLd: tab === 'overview' ? () => buildingJsonLd(shown) : undefined,
    section: 'buildings',
    hasMap: tab === 'overview',
    main: html`<article>${buildingHeader(shown, tab)}${bodyOf(shown, tab)}</article>`,
  };
}

function bodyOf(shown: ShownBuilding, tab: Tab): Html {
  switch (tab) {
    case 'overview':
      return overviewTab(shown);
    case 'venues':
      return venuesTab(shown);
    case 'sources':
      return sourcesTab(shown);
    case 'history':
      return historyTab(shown);
    case 'reit':
      return reitTab(shown.t, shown.reit, shown.building.id);
  }
}

function titleOf(building: BuildingPage, t: Text): string {
  const { text, also, isKnown } = displayName(building, t);
  if (!isKnown) return `${text} ${building.id}`;
  return shorten(also === undefined ? text : t.building.title(text, also), 120);
}

/** For search results and link previews. */
function describe({ building, t, today }: ShownBuilding): string {
  const { assetTypes, fields, location, counters } = building;
  const uses = assetTypes
    .map(({ category }) => t.building.inSentence(CATEGORY_LABELS[category][t.lang]))
    .join(t.building.comma);
  const { machiAza, ward, prefecture } = location;
  const place =
    t.lang === 'en'
      ? [machiAza, ward, prefecture].map((area) => area.nameEn ?? area.nameJa).join(', ')
      : [prefecture, ward, machiAza].map((area) => area.nameJa).join('');
  const { heightM, floorsAbove } = fields;
  const figures = [
    heightM && t.building.height(figureOf(t, 'heightM', heightM).text),
    floorsAbove && t.building.floors(figureOf(t, 'floorsAbove', floorsAbove).text),
    completionText(t, fields, today),
  ].filter((figure) => figure !== undefined);
  const evidence = t.building.evidenceSummary(
    t.counts.fields(counters.fields),
    t.counts.sourceRecords(counters.sources),
  );
  return shorten(t.building.description(displayName(building, t).text, uses, place, figures, evidence), 300);
}
