import { type Column, findLabel, SAYS_PROPERTY } from './columns.ts';
import { type PropertyRow, toPropertyRow } from './property-row.ts';
import type { Cell, Table, TableRow } from './table.ts';
import { type Units, unitsAbove, unitsIn } from './units.ts';

const MAX_ROWS = 200;
const MIN_SAID = 3;

/** A table of one property, with labels beside their values (Ichigo). Undefined where it is none. */
export function readLabels({ rows, above }: Table): PropertyRow | undefined {
  if (rows.length > MAX_ROWS) return undefined;
  const general = unitsAbove(above);
  const found = new Map<Column, { text: string; units: Units; shared: boolean }>();
  for (const row of rows) {
    for (const [column, label, value] of pairsIn(row)) {
      if (!found.has(column))
        found.set(column, { text: value, units: { ...general, ...unitsIn(label) }, shared: false });
    }
  }
  const said = [...found.keys()].filter((column) => SAYS_PROPERTY.has(column)).length;
  if (!found.has('name') || said < MIN_SAID || found.has('planned')) return undefined;
  return toPropertyRow(rows[0]?.line ?? 1, (column) => found.get(column), undefined);
}

/** Label and value, from left to right; a label may be of two cells (所在地 | 住居表示, 土地 | 面積). */
function* pairsIn({ cells }: TableRow): Generator<[Column, label: string, value: string]> {
  const distinct = [...new Set(cells)].filter((cell): cell is Cell => cell !== undefined);
  let at = 0;
  while (at + 1 < distinct.length) {
    const [first, second, third] = distinct.slice(at, at + 3).map(({ text }) => text) as [string, string, string?];
    const inner = third === undefined ? undefined : (findLabel(second) ?? findLabel(first + second));
    if (inner !== undefined && third !== undefined && findLabel(third) === undefined) {
      yield [inner, first + second, third];
      at += 3;
      continue;
    }
    const column = findLabel(first);
    if (column === undefined) at += 1;
    else {
      yield [column, first, second];
      at += 2;
    }
  }
}
