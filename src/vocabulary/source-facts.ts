import type { Source } from './sources.ts';

/** What must be stated wherever values of a source are shown. */
interface SourceFacts {
  nameEn: string;
  publisher: string;
  licence: string;
  /** Where the terms are stated; the publisher's page if it has no page for them. */
  licenceUrl: string;
  attribution: string;
  url: string;
}

const ODBL = 'https://opendatacommons.org/licenses/odbl/1-0/';
const CC_BY = 'https://creativecommons.org/licenses/by/4.0/';
const CC0 = 'https://creativecommons.org/publicdomain/zero/1.0/';

/** ATT-01: the one table of names, licences and credits, which every surface uses. */
export const SOURCE_FACTS: Readonly<Record<Source, SourceFacts>> = {
  osm: {
    nameEn: 'OpenStreetMap',
    publisher: 'OpenStreetMap contributors',
    licence: 'ODbL 1.0',
    licenceUrl: ODBL,
    attribution: '© OpenStreetMap contributors',
    url: 'https://www.openstreetmap.org/copyright',
  },
  plateau: {
    nameEn: 'Project PLATEAU 3D city models',
    publisher: 'Ministry of Land, Infrastructure, Transport and Tourism (国土交通省) and the municipalities',
    licence: 'CC BY 4.0',
    licenceUrl: 'https://www.mlit.go.jp/plateau/site-policy/',
    attribution: '国土交通省 Project PLATEAU (3D都市モデル)',
    url: 'https://www.geospatial.jp/ckan/dataset/plateau',
  },
  abr: {
    nameEn: 'Address Base Registry',
    publisher: 'Digital Agency, Government of Japan',
    licence: 'CC BY 4.0',
    licenceUrl: CC_BY,
    attribution: 'Address Base Registry (アドレス・ベース・レジストリ), Digital Agency, CC BY 4.0',
    url: 'https://catalog.registries.digital.go.jp/',
  },
  estat: {
    nameEn: 'e-Stat, boundaries of the small areas of the census',
    publisher: 'Statistics Bureau of Japan',
    licence: 'e-Stat terms of use (attribution)',
    licenceUrl: 'https://www.e-stat.go.jp/terms-of-use',
    attribution: 'Portal Site of Official Statistics of Japan (e-Stat), boundary data of the population census',
    url: 'https://www.e-stat.go.jp/gis/statmap-search?type=2',
  },
  wikidata: {
    nameEn: 'Wikidata',
    publisher: 'Wikimedia Foundation',
    licence: 'CC0 1.0',
    licenceUrl: CC0,
    attribution: 'Wikidata (CC0 1.0)',
    url: 'https://www.wikidata.org/',
  },
  nominatim: {
    nameEn: 'Nominatim (OpenStreetMap)',
    publisher: 'OpenStreetMap contributors',
    licence: 'ODbL 1.0',
    licenceUrl: ODBL,
    attribution: '© OpenStreetMap contributors',
    url: 'https://nominatim.openstreetmap.org/',
  },
  edinet: {
    nameEn: 'EDINET, annual securities reports of listed REITs',
    publisher: '金融庁 (Financial Services Agency)',
    licence: 'PDL 1.0; copyright of each filing stays with its filer, facts only',
    licenceUrl: 'https://disclosure2dl.edinet-fsa.go.jp/guide/static/disclosure/WZEK0030.html',
    attribution: '出典：EDINET（金融庁）',
    url: 'https://disclosure2.edinet-fsa.go.jp/',
  },
  jreit: {
    nameEn: "Listed REITs' own property and portfolio pages",
    publisher: 'Each investment corporation (投資法人)',
    licence: 'Proprietary: facts only, no text and no images',
    licenceUrl: 'https://www.jpx.co.jp/equities/products/reits/issues/01.html',
    attribution: '各投資法人の開示資料',
    url: 'https://www.jpx.co.jp/equities/products/reits/issues/01.html',
  },
  greenarchive: {
    nameEn: 'Tokyo Green Building Program register, the retired predecessor (23 wards, from fiscal 2002)',
    publisher: '東京都環境局 (Bureau of Environment, Tokyo Metropolitan Government)',
    licence: 'Proprietary: extracted facts only, neither text nor images of its pages',
    licenceUrl: 'http://www7.kankyo.metro.tokyo.jp/building/area_select.html',
    attribution: '東京都環境局 建築物環境計画書制度 (旧公表ページ)',
    url: 'http://www7.kankyo.metro.tokyo.jp/building/area_select.html',
  },
  greenbuilding: {
    nameEn: 'Tokyo Green Building Program register',
    publisher: '東京都環境局 (Bureau of Environment, Tokyo Metropolitan Government)',
    licence: 'No reproduction without permission: facts only',
    licenceUrl: 'https://green-building-pgm.metro.tokyo.lg.jp/',
    attribution: '東京都環境局 建築物環境計画書制度',
    url: 'https://green-building-pgm.metro.tokyo.lg.jp/',
  },
  mankan: {
    nameEn: 'Register of certified condominium management plans',
    publisher: '公益財団法人マンション管理センター (Condominium Management Center)',
    licence: 'None stated: facts only',
    licenceUrl: 'https://www.mankan.or.jp/',
    attribution: '公益財団法人マンション管理センター 管理計画認定制度',
    url: 'https://www.mankan.or.jp/',
  },
  dnk: {
    nameEn: 'Tatemono, values computed by this registry',
    publisher: 'Tatemono',
    licence: 'CC0 1.0; the licences of the values it is computed from apply',
    licenceUrl: CC0,
    attribution: 'Computed by this service from the sources cited',
    url: '/japan/about#words',
  },
};

/** EXP-08: sources whose terms do not allow anyone to pass on what was taken from them; see their licences above. */
export const CLOSED_SOURCES: ReadonlySet<Source> = new Set(['jreit', 'greenarchive', 'greenbuilding', 'mankan']);
