import { CATALOGUE } from '../../src/surfaces/pages/catalogue/catalogue.ts';
import type { PageSettings } from '../../src/surfaces/pages/page-settings.ts';

/** Settings of a page in English that is rendered without a server. */
export const PLAIN_SETTINGS: PageSettings = {
  origin: '',
  baseMap: undefined,
  hasDownloads: false,
  t: CATALOGUE.en,
  isLanguageInUrl: false,
  hasSample: false,
  today: '2026-01-01',
};
