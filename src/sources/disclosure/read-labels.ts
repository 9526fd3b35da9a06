import { findLabel, type PropertyColumn, SAYS_PROPERTY } from './columns.ts';
import { type PropertyRow, toPropertyRow } from './property-row.ts';
import type { DisclosedCell, DisclosedRow, DisclosedTable } from './table.ts';
import { type Units, unitsAbove, unitsIn } from './units.ts';

const MAX_ROWS = 200;
const MIN_SAID = 3;
/** Labels in fewer rows may be headers. */
const MIN_ROWS = 3;

/** A table of one property, with labels beside their values (Ichigo). Undefined where it is none. */
export function readLabels({ rows, above }: DisclosedTable): PropertyRow | undefined {
  if (rows.length > MAX_ROWS) return undefined;
  const general = unitsAbove(above);
  const found = new Map<PropertyColumn, { text: string; units: Units; shared: boolean }>();
  let labelled = 0;
  for (const row of rows) {
    const pairs = [...pairsIn(row)];
    if (pairs.length > 0) labelled += 1;
    for (const [column, label, text] of pairs) {
      if (!found.has(column)) found.set(column, { text, units: { ...general, ...unitsIn(label) }, shared: false });
    }
  }
  const said = [...found.keys()].filter((column) => SAYS_PROPERTY.has(column)).length;
  if (!found.has('name') || labelled < MIN_ROWS || said < MIN_SAID || found.has('planned') || found.has('sold'))
    return undefined;
  return toPropertyRow(rows[0]?.line ?? 1, (column) => found.get(column), undefined);
}

/** Label and value, from left to right; a label may be of two cells (所在地 | 住居表示, 土地 | 面積). */
function* pairsIn({ cells }: DisclosedRow): Generator<[PropertyColumn, label: string, value: string]> {
  const distinct = [...new Set(cells)].filter((cell): cell is DisclosedCell => cell !== undefined);
  let at = 0;
  while (at + 1 < distinct.length) {
    const [first, second, third] = distinct.slice(at, at + 3).map(({ text }) => text) as [string, string, string?];
    const column = findLabel(first);
    const inner = findLabel(second) ?? (column === undefined ? findLabel(first + second) : undefined);
    if (inner !== undefined && third !== undefined && findLabel(third) === undefined) {
      yield [inner, first + second, third];
      at += 3;
      continue;
    }
    if (column === undefined || findLabel(second) !== undefined) at += 1;
    else {
      yield [column, first, second];
      at += 2;
    }
  }
}
