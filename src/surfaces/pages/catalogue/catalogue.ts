import { aboutText } from './about.ts';
import { buildingText } from './building.ts';
import { citeText } from './cite.ts';
import { compareText } from './compare.ts';
import { countsText } from './counts.ts';
import { downloadsText } from './downloads.ts';
import { exportText } from './export.ts';
import { historyText } from './history.ts';
import { homeText } from './home.ts';
import { hubText } from './hub.ts';
import type { Language } from './language.ts';
import { layoutText } from './layout.ts';
import { listText } from './list.ts';
import { mapText } from './map.ts';
import { ogcText } from './ogc.ts';
import { ownerText } from './owner.ts';
import { reconcileText } from './reconcile.ts';
import { referenceText } from './reference.ts';
import { refusalText } from './refusal.ts';
import { reitText } from './reit.ts';
import { suggestText } from './suggest.ts';
import { tableText } from './table.ts';
import { tombstoneText } from './tombstone.ts';

/** One entry per area of pages, each with both languages. */
const AREAS = {
  about: aboutText,
  building: buildingText,
  cite: citeText,
  compare: compareText,
  counts: countsText,
  downloads: downloadsText,
  export: exportText,
  history: historyText,
  home: homeText,
  hub: hubText,
  layout: layoutText,
  list: listText,
  map: mapText,
  ogc: ogcText,
  owner: ownerText,
  reconcile: reconcileText,
  reference: referenceText,
  refusal: refusalText,
  reit: reitText,
  suggest: suggestText,
  table: tableText,
  tombstone: tombstoneText,
};
type Areas = typeof AREAS;

/** UI-01: every word of the pages in one language. */
export type Text = { lang: Language } & { [A in keyof Areas]: Areas[A]['en'] };

const textIn = (lang: Language): Text => ({
  lang,
  ...(Object.fromEntries(Object.entries(AREAS).map(([area, text]) => [area, text[lang]])) as Omit<Text, 'lang'>),
});

export const CATALOGUE: Readonly<Record<Language, Text>> = { en: textIn('en'), ja: textIn('ja') };
