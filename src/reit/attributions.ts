import type { Source } from '../vocabulary/sources.ts';
import { compareText } from './canonical-json.ts';
import type { Document } from './document.ts';

/** What must be said of a source wherever its values are shown, as its adapter has it. */
export const ATTRIBUTIONS: Readonly<Record<Source, string>> = {
  osm: '© OpenStreetMap contributors',
  plateau: '国土交通省 Project PLATEAU (3D都市モデル)',
  abr: 'Address Base Registry (アドレス・ベース・レジストリ), Digital Agency, CC BY 4.0',
  estat: 'Portal Site of Official Statistics of Japan (e-Stat), boundary data of the population census',
  wikidata: 'Wikidata (CC0 1.0)',
  nominatim: '© OpenStreetMap contributors',
  edinet: '出典：EDINET（金融庁）',
  jreit: '各投資法人の開示資料',
  greenarchive: '東京都環境局 建築物環境計画書制度 (旧公表ページ)',
  greenbuilding: '東京都環境局 建築物環境計画書制度',
  mankan: '公益財団法人マンション管理センター 管理計画認定制度',
  dnk: 'Computed by this service from the sources cited',
};

export function attributionsOf(sources: Iterable<Source>): Document['attributions'] {
  return [...new Set(sources)].sort(compareText).map((source) => ({ source, text: ATTRIBUTIONS[source] }));
}
