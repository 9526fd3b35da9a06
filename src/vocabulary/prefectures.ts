import type { Position } from './geometry.ts';

/** The prefectures in the order of their codes, from 01. */
// biome-ignore format: a table in rows of eight
export const PREFECTURE_NAMES: readonly string[] = [
  '北海道', '青森県', '岩手県', '宮城県', '秋田県', '山形県', '福島県', '茨城県',
  '栃木県', '群馬県', '埼玉県', '千葉県', '東京都', '神奈川県', '新潟県', '富山県',
  '石川県', '福井県', '山梨県', '長野県', '岐阜県', '静岡県', '愛知県', '三重県',
  '滋賀県', '京都府', '大阪府', '兵庫県', '奈良県', '和歌山県', '鳥取県', '島根県',
  '岡山県', '広島県', '山口県', '徳島県', '香川県', '愛媛県', '高知県', '福岡県',
  '佐賀県', '長崎県', '熊本県', '大分県', '宮崎県', '鹿児島県', '沖縄県',
];

/** The name of a prefecture by its two-digit code. */
export function prefectureName(code: string): string | undefined {
  return PREFECTURE_NAMES[Number(code) - 1];
}

import cells from './prefecture-cells.json' with { type: 'json' };

/**
 * prefecture-cells.json lists, by prefecture (from 01), the cells of 1/32 by 1/48 of a degree within 2 km of its land,
 * row by row: `1712:1270-1280,1283` is a row of latitude and its columns, counted from 100° E. Computed from the
 * prefectures of MLIT's administrative areas (国土数値情報 行政区域 N03, 2021) and the points of all machi-aza.
 */
const [COLUMNS, ROWS] = [32, 48];

interface Run {
  prefecture: string;
  first: number;
  last: number;
}

let rows: Map<number, Run[]> | undefined;

/** The possible prefectures of a position: one away from borders, several near them, none far out at sea. */
export function prefecturesAround([lon, lat]: Position): string[] {
  rows ??= readCells();
  const column = Math.floor((lon - 100) * COLUMNS);
  const runs = rows.get(Math.floor(lat * ROWS)) ?? [];
  return runs.filter(({ first, last }) => first <= column && column <= last).map(({ prefecture }) => prefecture);
}

function readCells(): Map<number, Run[]> {
  const found = new Map<number, Run[]>();
  cells.forEach((text, i) => {
    const prefecture = String(i + 1).padStart(2, '0');
    for (const part of text.split(' ')) {
      const [row, columns = ''] = part.split(':');
      const runs = columns.split(',').map((run): Run => {
        const [first = '', last = first] = run.split('-');
        return { prefecture, first: Number(first), last: Number(last) };
      });
      found.set(Number(row), [...(found.get(Number(row)) ?? []), ...runs]);
    }
  });
  return found;
}
