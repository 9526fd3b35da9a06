import { type Html, html } from '../html.ts';
import { formatCount } from './counts.ts';

const en = {
  title: (name: string) => `Buildings owned by ${name}`,
  heading: (name: Html) => html`Buildings owned by ${name}`,
  description: (name: string, buildings: string) =>
    `${buildings} whose published owner is ${name}: list, map, floor area, uses, areas and years built, each value with its source.`,
  lead: (buildings: string, day: Html) => html`${buildings} · updated ${day}`,
  leadMarkdown: (buildings: string, day: string) => `${buildings}, updated ${day}`,
  note: 'Every building whose published owner has this name. Case, character width and white space do not matter.',
  totals: 'Totals',
  count: 'Buildings',
  ofWhichPlanned: (planned: number) => `${formatCount(planned)} of them planned`,
  floorAreaNote: (known: number, all: number, estimated: number, planned: number) =>
    `sum of ${formatCount(known)} of ${formatCount(all)} buildings${estimated === 0 ? '' : `; ${formatCount(estimated)} of them estimated`}${planned === 0 ? '' : `; ${formatCount(planned)} of them planned`}`,
  noFloorArea: 'not available for any building',
  yearRange: (first: number, last: number) => (first === last ? String(first) : `${first} to ${last}`),
  yearsNote: (known: number, all: number, planned: number) =>
    `known for ${formatCount(known)} of ${formatCount(all)} buildings${planned === 0 ? '' : `, without ${formatCount(planned)} planned`}`,
  noYears: 'not available for any building',
  planned: 'Planned',
  decade: (year: number) => `${year}s`,
  decades: 'Buildings by decade',
  uses: 'Buildings by use',
  prefectures: 'Buildings by prefecture',
  allPrefectures: 'All prefectures',
  buildings: 'Buildings',
  page: 'Page',
  json: 'JSON',
};

const ja: typeof en = {
  title: (name) => `${name}の所有建物`,
  heading: (name) => html`${name}の所有建物`,
  description: (name, buildings) =>
    `公表されている所有者が${name}である建物${buildings}の一覧、地図、延床面積、用途、地域、建築年。すべての値に出典を付けています。`,
  lead: (buildings, day) => html`${buildings} · ${day}更新`,
  leadMarkdown: (buildings, day) => `${buildings}、${day}更新`,
  note: '公表されている所有者の名称が一致する建物です。大文字と小文字、全角と半角、空白の違いは区別しません。',
  totals: '集計',
  count: '建物数',
  ofWhichPlanned: (planned) => `うち竣工予定${formatCount(planned)}棟`,
  floorAreaNote: (known, all, estimated, planned) => {
    const parts = [
      ...(estimated === 0 ? [] : [`推定${formatCount(estimated)}棟`]),
      ...(planned === 0 ? [] : [`竣工予定${formatCount(planned)}棟`]),
    ];
    return `${formatCount(all)}棟のうち${formatCount(known)}棟の合計${parts.length === 0 ? '' : `（うち${parts.join('、')}）`}`;
  },
  noFloorArea: '情報なし',
  yearRange: (first, last) => (first === last ? `${first}年` : `${first}年〜${last}年`),
  yearsNote: (known, all, planned) =>
    `${formatCount(all)}棟のうち${formatCount(known)}棟で判明${planned === 0 ? '' : `（竣工予定${formatCount(planned)}棟を除く）`}`,
  noYears: '情報なし',
  planned: '竣工予定',
  decade: (year) => `${year}年代`,
  decades: '年代別の建物数',
  uses: '用途別の建物数',
  prefectures: '都道府県別の建物数',
  allPrefectures: 'すべての都道府県',
  buildings: '建物一覧',
  page: 'ページ',
  json: 'JSON',
};

export const ownerText = { en, ja };
