import { findColumn, findLabel } from '../../sources/disclosure/columns.ts';
import {
  type DisclosedCell,
  type DisclosedRow,
  type DisclosedTable,
  textAt,
} from '../../sources/disclosure/disclosed-table.ts';
import { type Units, unitsAbove, unitsIn } from '../../sources/disclosure/figures.ts';
import { isTotal, oneLine } from '../../sources/disclosure/names.ts';
import { appraisalMethodIn, FLOW_METRICS, findMetric, findMetricAt, type MetricReading } from './find-metric.ts';
import type { PeriodHint, PropertyMention, ReadTable } from './history.ts';
import { interestText, isInterestLabel } from './interest.ts';
import { limitStatements, type MetricLine, selectLines } from './metric-lines.ts';
import { periodHint } from './periods.ts';
import { APPRAISERS_FLOWS } from './read-label-table.ts';

const HEADER_WITHIN = 5;
const MAX_NAME = 200;
const MAX_ROWS = 1_000;

interface Across extends PropertyMention {
  index: number;
  hint: PeriodHint | undefined;
}

/** Reads a table with a column for every property and the labels on the left. */
export function readColumnTable(table: DisclosedTable): ReadTable | undefined {
  const { rows } = table;
  if (rows.length > MAX_ROWS) return undefined;
  const heads = rows.slice(0, HEADER_WITHIN).filter((row) => keyOf(row) !== undefined);
  const [head] = heads;
  if (head === undefined || heads.some(({ cells }) => cells.slice(1).some((cell) => isHeader(cell, cells[0])))) {
    return undefined;
  }
  const width = Math.max(...heads.map(({ cells }) => labelWidth(cells)));
  const labels = rows.map(({ cells }) => labelOf(cells, width));
  const found = labels.flatMap((label, index): MetricLine[] => {
    const metric = heads.includes(rows[index] as DisclosedRow)
      ? undefined
      : metricOf(rows[index] as DisclosedRow, width, labels, index);
    const figures = (rows[index] as DisclosedRow).cells.slice(width).some((cell) => (cell?.text.trim() ?? '') !== '');
    return metric === undefined || !figures ? [] : [{ index, ...metric, label, hint: periodHint(label) }];
  });
  if (found.length === 0 || found.some(({ index }) => hasLabels(rows[index] as DisclosedRow, width))) return undefined;
  const across = propertiesAcross(rows, heads, width, found[0]?.index ?? 0);
  if (across.length === 0) return undefined;
  const estimates = labels.findIndex((label) => appraisalMethodIn(label) !== undefined);
  const actual = found.filter(({ metric, index }) => estimates < 0 || index < estimates || !FLOW_METRICS.has(metric));
  const { lines, notes } = selectLines(actual, labels);
  if (actual.length < found.length) notes.push(APPRAISERS_FLOWS);
  limitStatements(lines.length * across.length);
  const first = rows.indexOf(head);
  const general = unitsAbove([
    ...table.above,
    ...rows.slice(0, first + 1).flatMap(({ cells }) => [...new Set(cells)].map((cell) => cell?.text ?? '')),
  ]);
  const read: ReadTable = { mentions: [], statements: [], notes };
  for (const property of across) read.mentions.push(mentionOf(property, rows, labels));
  for (const line of lines) {
    const { cells } = rows[line.index] as DisclosedRow;
    const units: Units = { ...general, ...unitsIn(labels[line.index] as string), ...unitColumn(head, cells) };
    for (const { index, number, name, hint } of across) {
      const cell = cells[index];
      if (cell === undefined) continue;
      const shared = across.some((other) => cells[other.index] === cell && !isSame(other, { number, name }));
      const column = [number, oneLine(name)].filter((part) => part !== '').join(' ');
      const statement = { number, name, metric: line.metric, text: cell.text, units, shared };
      const place = { hint: hint ?? line.hint, row: oneLine(line.label), column };
      const doubt = line.doubt === undefined ? {} : { doubt: line.doubt };
      read.statements.push({ ...statement, ...place, ...doubt });
    }
  }
  return read;
}

function keyOf({ cells }: DisclosedRow): 'number' | 'name' | undefined {
  const kind = findLabel(cells[0]?.text ?? '');
  return kind === 'number' || kind === 'name' ? kind : undefined;
}

/** A row of headers belongs to a table with a row for every property. */
function isHeader(cell: DisclosedCell | undefined, label: DisclosedCell | undefined): boolean {
  if (cell === undefined || cell === label) return false;
  return (
    findMetric(cell.text) !== undefined || (findColumn(cell.text) !== undefined && findLabel(cell.text) !== undefined)
  );
}

/** Labels among the figures mean a table with labels beside their values. */
function hasLabels({ cells }: DisclosedRow, width: number): boolean {
  return cells.slice(width).some((cell) => {
    const text = cell?.text ?? '';
    return findLabel(text) !== undefined || (findMetric(text) !== undefined && !/^[\d△▲-]/u.test(text));
  });
}

function labelWidth(cells: DisclosedRow['cells']): number {
  const end = cells.findIndex((cell) => cell !== cells[0]);
  return end < 0 ? cells.length : end;
}

function labelOf(cells: DisclosedRow['cells'], width: number): string {
  return [...new Set(cells.slice(0, width))].map((cell) => cell?.text ?? '').join('');
}

/** By the innermost label, else with the labels that group it. */
function metricOf(
  { cells }: DisclosedRow,
  width: number,
  labels: readonly string[],
  index: number,
): MetricReading | undefined {
  const parts = [...new Set(cells.slice(0, width))]
    .map((cell) => cell?.text ?? '')
    .filter((text) => text.trim() !== '');
  return findMetricAt([parts.at(-1) ?? ''], 0) ?? findMetricAt(labels, index);
}

function propertiesAcross(
  rows: readonly DisclosedRow[],
  heads: readonly DisclosedRow[],
  width: number,
  firstLine: number,
): Across[] {
  const across: Across[] = [];
  const columns = Math.max(...heads.map(({ cells }) => cells.length));
  const above = rows.slice(0, firstLine);
  for (let index = width; index < columns; index++) {
    const property = { number: '', name: '' };
    for (const head of heads) {
      const key = keyOf(head);
      if (key !== undefined) property[key] ||= textAt(head, index).trim();
    }
    const name = oneLine(property.name || property.number);
    if (name === '' || name === '単位' || name.length > MAX_NAME || isTotal(name)) continue;
    const texts = above.filter((row) => !heads.includes(row)).map((row) => textAt(row, index));
    const hint = texts.map(periodHint).find((found) => found !== undefined);
    across.push({ ...property, interest: '', index, hint });
  }
  return across;
}

function mentionOf(property: Across, rows: readonly DisclosedRow[], labels: readonly string[]): PropertyMention {
  const interest = rows
    .flatMap((row, index) => {
      const label = labels[index] as string;
      return isInterestLabel(label) ? [interestText(label, textAt(row, property.index))] : [];
    })
    .join('\n');
  return { number: property.number, name: property.name, interest };
}

function unitColumn(head: DisclosedRow, cells: DisclosedRow['cells']): Units {
  const index = head.cells.findIndex((cell) => cell?.text.trim() === '単位');
  return index < 0 ? {} : unitsIn(cells[index]?.text ?? '');
}

function isSame(a: { number: string; name: string }, b: { number: string; name: string }): boolean {
  return a.number === b.number && a.name === b.name;
}
