import type { Position } from './geometry.ts';
import cells from './prefecture-cells.json' with { type: 'json' };

/**
 * prefecture-cells.json has, by prefecture (01 first), the cells of 1/32 by 1/48 of a degree that it reaches into within 2 km of
 * its land, row by row: `1712:1270-1280,1283` is a row of latitude and the columns, counted from 100° E. Computed from the
 * prefectures of MLIT's administrative areas (国土数値情報 行政区域 N03, 2021) and the points of all machi-aza.
 */
const [COLUMNS, ROWS] = [32, 48];

interface Run {
  prefecture: string;
  first: number;
  last: number;
}

let rows: Map<number, Run[]> | undefined;

/** The prefectures that a place may be in: one away from their borders, several near them, none far out at sea. */
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
