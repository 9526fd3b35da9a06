import { type Html, html } from '../html.ts';
import { formatCount } from './counts.ts';
import { filterText } from './filters.ts';

const en = {
  ...filterText.en,
  title: (area: string) => `Buildings in ${area}`,
  /** UI-49: the title of a search. */
  searchTitle: (search: string, area: string) => `${search} in ${area}`,
  japan: 'Japan',
  description:
    'Buildings of the registry by name, address, use, height, floors and year built, each value with its source.',
  separator: ' · ',
  allOfJapan: 'All of Japan',
  areaSummary: 'Area summary',
  unknownArea: 'Area not found. Showing all of Japan instead.',
  unknownPart: 'Area not found. Showing the area that contains it instead.',

  results: 'Results',
  found: (buildings: string) => `${buildings} found`,
  namedAreas: 'Areas with this name',
  noneFound: 'No buildings found',
  literal:
    'Search is literal: every term must appear in one name, address or ID of a building, in the script in which it is recorded.',
  literalExample: html`Addresses are recorded in full: <span lang="ja">丸の内一丁目9番2号</span> rather than <span lang="ja">丸の内1-9-2</span>.`,
  offers: 'These searches find buildings',
  offerAddress: 'Address as recorded',
  offerPostcode: 'Postcode',
  offerOwner: 'Owner',
  offerFewerTerms: 'Fewer terms',
  offerRemoval: 'Remove filter',
  searchWithout: (filter: string) => `Search without ${filter}`,
  everywhere: 'all of Japan, without filters',
  searchAllOfJapan: 'Search all of Japan',

  high: (height: string) => `${height} high`,
  footprint: (area: string) => `${area} footprint`,
  ofComplex: (figure: string) => `${figure} (complex)`,
  reit: 'REIT history',

  pages: 'Pages',
  page: 'Page ',
  previous: 'Previous',
  next: 'Next',
  onlyFirst: (count: number) =>
    `Only the first ${formatCount(count)} buildings are listed. Add filters to see the others.`,

  retired: (id: Html) => html`${id} was retired and has no successor.`,
  merged: (id: string, survivor: Html | string) => html`${id} was merged into ${survivor}.`,
  replaced: (id: string, survivor: Html | string) => html`${id} was retired in favour of ${survivor}.`,
};

const ja: typeof en = {
  ...filterText.ja,
  title: (area) => `${area}の建物`,
  searchTitle: (search, area) => `${search}：${area}の建物`,
  japan: '日本',
  description: '名称、所在地、用途、高さ、階数、建築年から建物を探せます。すべての値に出典があります。',
  separator: '・',
  allOfJapan: '全国',
  areaSummary: '地域の概要',
  unknownArea: '指定の地域が見つかりません。全国の建物を表示しています。',
  unknownPart: '指定の地域が見つかりません。それを含む地域の建物を表示しています。',

  results: '検索結果',
  found: (buildings) => `${buildings}が該当`,
  namedAreas: 'この名前の地域',
  noneFound: '該当する建物はありません',
  literal:
    '検索は文字どおりに行います。入力したすべての語が、ひとつの名称、所在地またはIDに、登録されている表記のまま含まれる建物だけが該当します。',
  literalExample: html`所在地は「丸の内1-9-2」ではなく、「丸の内一丁目9番2号」のように省略せずに登録されています。`,
  offers: '次の検索なら建物が見つかります',
  offerAddress: '登録されている表記の所在地',
  offerPostcode: '郵便番号',
  offerOwner: '所有者',
  offerFewerTerms: '語を減らす',
  offerRemoval: '条件を外す',
  searchWithout: (filter) => `${filter}を外して検索`,
  everywhere: '全国・絞り込みなし',
  searchAllOfJapan: '全国で検索',

  high: (height) => `高さ${height}`,
  footprint: (area) => `建築面積${area}`,
  ofComplex: (figure) => `${figure}（複合施設の値）`,
  reit: 'REIT開示履歴',

  pages: 'ページ',
  page: 'ページ ',
  previous: '前へ',
  next: '次へ',
  onlyFirst: (count) =>
    `表示するのは最初の${formatCount(count)}棟までです。ほかの建物を見るには条件を追加してください。`,

  retired: (id) => html`${id}は廃止され、引き継ぐ建物はありません。`,
  merged: (id, survivor) => html`${id}は${survivor}に統合されました。`,
  replaced: (id, survivor) => html`${id}は廃止され、${survivor}に引き継がれました。`,
};

/** Lists of buildings: /japan/areas and the list of a hub. */
export const listText = { en, ja };
