import { formatCount } from './counts.ts';

const en = {
  view: 'View',
  cards: 'Cards',
  table: 'Table',
  caption: (from: number, to: number, total: number) =>
    `Buildings ${formatCount(from)} to ${formatCount(to)} of ${formatCount(total)}`,
  name: 'Name',
  id: 'ID',
  uses: 'Uses',
  /** UI-21: cards count only visible ones. */
  conflicts: 'Conflicts, also slight',
  columns: 'Columns',
  show: 'Show these columns',
  reset: 'Default columns',
  sortBy: (column: string) => `Sort by ${column}`,
  notAvailable: 'not available',
  compare: 'Compare',
  previous: 'Previous page',
  next: 'Next page',
};

const ja: typeof en = {
  view: '表示形式',
  cards: 'カード',
  table: '表',
  caption: (from, to, total) => `全${formatCount(total)}棟中${formatCount(from)}〜${formatCount(to)}棟目`,
  name: '名称',
  id: 'ID',
  uses: '用途',
  conflicts: '相違（全件）',
  columns: '列の選択',
  show: '選んだ列を表示',
  reset: '標準の列に戻す',
  sortBy: (column) => `${column}で並べ替え`,
  notAvailable: '情報なし',
  compare: '比較',
  previous: '前のページ',
  next: '次のページ',
};

export const tableText = { en, ja };
