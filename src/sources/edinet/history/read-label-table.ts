import { findLabel } from '../../disclosure/columns.ts';
import { oneLine } from '../../disclosure/names.ts';
import type { Cell, Table, TableRow } from '../../disclosure/table.ts';
import { unitsAbove, unitsIn } from '../../disclosure/units.ts';
import { findMetric } from './find-metric.ts';
import type { ReadTable, Statement } from './history.ts';
import { interestLabel, interestText } from './interest.ts';
import { periodHint } from './period-hint.ts';
import { type Line, settleLines } from './settle-lines.ts';

const MAX_ROWS = 200;
const MAX_LABEL = 40;
/** Labels in fewer rows may be headers. */
const MIN_ROWS = 3;
const MIN_METRICS = 2;

/** A table of one property, with labels beside their values. */
export function readLabelTable({ rows, above }: Table): ReadTable | undefined {
  if (rows.length > MAX_ROWS) return undefined;
  const pairs = rows.map((row) => [...pairsIn(row)]);
  const all = pairs.flat();
  if (pairs.filter((some) => some.length > 0).length < MIN_ROWS) return undefined;
  const keys = { number: new Set<string>(), name: new Set<string>() };
  for (const { label, values } of all) {
    const kind = findLabel(label);
    if (kind === 'planned' || kind === 'sold') return undefined;
    if (kind === 'number' || kind === 'name') for (const value of values) keys[kind].add(value.trim());
  }
  if (keys.number.size > 1 || keys.name.size > 1 || keys.number.size + keys.name.size === 0) return undefined;
  const found = all.flatMap(({ label }, index): Line[] => {
    const metric = findMetric(label);
    return metric === undefined ? [] : [{ index, metric, label, hint: periodHint(label) }];
  });
  if (new Set(found.map(({ metric }) => metric)).size < MIN_METRICS) return undefined;
  const { lines, notes } = settleLines(
    found,
    all.map(({ label }) => label),
  );
  const general = unitsAbove(above);
  const [number = '', name = ''] = [...[keys.number, keys.name].map((said) => [...said][0])];
  const interest = all
    .filter(({ label }) => interestLabel(label))
    .map(({ label, values }) => interestText(label, values.join('')))
    .join('\n');
  const statements = lines.map(({ index, metric, label, hint, doubt }): Statement => {
    const values = all[index]?.values ?? [];
    const several = values.length > 1 ? 'severalCells' : doubt;
    const column = [number, oneLine(name)].filter((part) => part !== '').join(' ');
    const units = { ...general, ...unitsIn(label) };
    const statement = { number, name, metric, text: values[0] ?? '', units, hint, shared: false };
    const place = { row: oneLine(label), column };
    return several === undefined ? { ...statement, ...place } : { ...statement, ...place, doubt: several };
  });
  return { mentions: [{ number, name, interest }], statements, notes };
}

/** A label and the values beside it, up to the next label. A label may be of two cells. */
function* pairsIn({ cells }: TableRow): Generator<{ label: string; values: string[] }> {
  const texts = [...new Set(cells)].filter((cell): cell is Cell => cell !== undefined).map(({ text }) => text);
  let label: string | undefined;
  let values: string[] = [];
  for (const text of texts) {
    if (!isLabel(text)) {
      if (label !== undefined) values.push(text);
      continue;
    }
    if (label !== undefined && values.length > 0) yield { label, values };
    label = text;
    values = [];
  }
  if (label !== undefined && values.length > 0) yield { label, values };
}

function isLabel(text: string): boolean {
  if (text.length > MAX_LABEL) return false;
  return (
    findLabel(text) !== undefined || interestLabel(text) || (findMetric(text) !== undefined && !/^[\d△▲-]/u.test(text))
  );
}
