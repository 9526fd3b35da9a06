import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { withUnit } from '../format.ts';
import { type Html, html } from '../html.ts';
import { CATEGORY_LABELS } from '../labels.ts';
import type { Page } from '../layout.ts';
import { shorten } from '../links.ts';
import type { ReitHistories } from '../reit/history.ts';
import { reitTab } from '../reit/reit-tab.ts';
import { header, type Tab } from './header.ts';
import { historyTab } from './history-tab.ts';
import { buildingJsonLd } from './json-ld.ts';
import { nameOf } from './names.ts';
import { overview } from './overview.ts';
import { sourcesTab } from './sources-tab.ts';
import { venuesTab } from './venues.ts';

/** The page of a building, at one of its tabs. */
export function composeBuilding(building: BuildingPage, tab: Tab, origin: string, reit: ReitHistories = []): Page {
  return {
    title: titleOf(building),
    description: describe(building),
    canonical: building.path,
    markdown: `${building.path}.md`,
    json: `/japan/api/v1/assets/${building.id}`,
    jsonLd: tab === 'overview' ? buildingJsonLd(building, origin) : undefined,
    section: 'buildings',
    hasMap: tab === 'overview',
    main: html`<article>${header(building, tab)}${bodyOf(building, tab, origin, reit)}</article>`,
  };
}

function bodyOf(building: BuildingPage, tab: Tab, origin: string, reit: ReitHistories): Html {
  switch (tab) {
    case 'overview':
      return overview(building, origin);
    case 'venues':
      return venuesTab(building);
    case 'sources':
      return sourcesTab(building);
    case 'history':
      return historyTab(building);
    case 'reit':
      return reitTab(reit, building.id);
  }
}

function titleOf(building: BuildingPage): string {
  const { text, also, isKnown } = nameOf(building);
  if (!isKnown) return `${text} ${building.id}`;
  return shorten(also === undefined ? text : `${text} (${also})`, 120);
}

/** One sentence for those who see a link to the page. */
function describe(building: BuildingPage): string {
  const { assetTypes, fields, location, counters } = building;
  const uses = assetTypes.map(({ category }) => CATEGORY_LABELS[category].en.toLowerCase()).join(', ');
  const { machiAza, ward, prefecture } = location;
  const place = [machiAza, ward, prefecture].map((area) => area.nameEn ?? area.nameJa).join(', ');
  const size = (['heightM', 'floorsAbove', 'yearBuilt'] as const).flatMap((name) => {
    const field = fields[name];
    return field === undefined ? [] : [`${SIZE_WORDS[name]} ${withUnit(name, field.value, field.unit)}`];
  });
  const evidence = `${counters.fields} fields from ${counters.sources} source records.`;
  return shorten(`${[`${nameOf(building).text}: ${uses} in ${place}`, ...size].join(', ')}. ${evidence}`, 300);
}

const SIZE_WORDS = { heightM: 'height', floorsAbove: 'floors', yearBuilt: 'built' } as const;
