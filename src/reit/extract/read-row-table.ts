import { findColumn, findLabel, type PropertyColumn } from '../../sources/disclosure/columns.ts';
import {
  type DisclosedCell,
  type DisclosedRow,
  type DisclosedTable,
  depthOf,
  headerOf,
  textAt,
  valuationDay,
} from '../../sources/disclosure/disclosed-table.ts';
import { type Units, unitsAbove, unitsIn } from '../../sources/disclosure/figures.ts';
import { isTotal, oneLine } from '../../sources/disclosure/names.ts';
import { isDateMetric } from '../../vocabulary/reit-metrics.ts';
import { appraisalMethodIn, FLOW_METRICS, findMetricAt, isBareYield } from './find-metric.ts';
import type { PropertyMention, ReadTable, TableStatement } from './history.ts';
import { interestText, isInterestLabel } from './interest.ts';
import { limitStatements, type MetricLine, selectLines } from './metric-lines.ts';
import { periodHint } from './periods.ts';
import { APPRAISERS_FLOWS } from './read-label-table.ts';

const HEADER_WITHIN = 4;
const MAX_NAME = 200;

interface Columns {
  at: number;
  body: number;
  headers: string[];
  name: number;
  number: number;
  interest: number[];
  lines: MetricLine[];
  notes: string[];
}

/** Reads a table with a row for every property. */
export function readRowTable(table: DisclosedTable): ReadTable | undefined {
  const columns = findColumns(table);
  if (columns === undefined) return undefined;
  const { rows } = table;
  const { headers, lines, at } = columns;
  const general = unitsAbove([...table.above, ...rows.slice(0, at).flatMap(({ cells }) => textsOf(cells))]);
  const read: ReadTable = { mentions: [], statements: [], notes: columns.notes };
  const body = rows.slice(columns.body);
  limitStatements(body.length * lines.length);
  const shared = findShared(body, columns);
  for (const { cells } of body) {
    const mention = mentionOf(cells, columns);
    if (mention === undefined) continue;
    read.mentions.push(mention);
    for (const line of lines) {
      const cell = cells[line.index];
      if (cell === undefined) continue;
      const header = headers[line.index] as string;
      const units: Units = { ...general, ...unitsIn(header) };
      read.statements.push(statementOf(mention, line, header, cell, units, shared.has(cell)));
    }
  }
  addValuationDay(read, table, columns);
  return read;
}

function statementOf(
  { number, name }: PropertyMention,
  line: MetricLine,
  header: string,
  cell: DisclosedCell,
  units: Units,
  shared: boolean,
): TableStatement {
  const { metric, hint, doubt } = line;
  const row = [number, oneLine(name)].filter((part) => part !== '').join(' ');
  const statement = { number, name, metric, text: cell.text, units, hint, shared, row, column: oneLine(header) };
  return doubt === undefined ? statement : { ...statement, doubt };
}

function findColumns({ rows }: DisclosedTable): Columns | undefined {
  let best: Columns | undefined;
  for (let at = 0; at < Math.min(HEADER_WITHIN, rows.length); at++) {
    const key = (rows[at] as DisclosedRow).cells.findIndex((cell) => isKey(cell?.text ?? ''));
    if (key < 0) continue;
    const columns = columnsAt(rows, at, depthOf(rows, at, key));
    if (columns !== undefined && columns.lines.length > (best?.lines.length ?? -1)) best = columns;
  }
  return best;
}

function columnsAt(rows: readonly DisclosedRow[], at: number, depth: number): Columns | undefined {
  const width = Math.max(...rows.slice(at, at + depth).map(({ cells }) => cells.length));
  const headers = Array.from({ length: width }, (_, index) => headerAt(rows, at, depth, index));
  const kinds = headers.map((header) => findColumn(header));
  if (kinds.some((kind) => kind === 'planned' || kind === 'sold')) return undefined;
  const found = headers.flatMap((label, index): MetricLine[] => {
    const metric = isKeyKind(kinds[index]) ? undefined : findMetricAt(headers, index);
    return metric === undefined ? [] : [{ index, ...metric, label, hint: periodHint(label) }];
  });
  const interest = headers.flatMap((header, index) => (isInterestLabel(header) ? [index] : []));
  const [name, number] = [kinds.indexOf('name'), kinds.indexOf('number')];
  if ((name < 0 && number < 0) || found.length + interest.length === 0) return undefined;
  const actual = withoutEstimates(found, headers);
  const { lines, notes } = selectLines(actual, headers);
  if (actual.length < found.length) notes.push(APPRAISERS_FLOWS);
  return { at, body: at + depth, headers, name, number, interest, lines, notes };
}

/** Beside appraisal methods, NOI is the appraiser's estimate. */
function withoutEstimates(lines: readonly MetricLine[], headers: readonly string[]): readonly MetricLine[] {
  const isAppraisal = headers.some((header) => appraisalMethodIn(header) !== undefined);
  return isAppraisal ? lines.filter(({ metric, hint }) => !FLOW_METRICS.has(metric) || hint !== undefined) : lines;
}

/** A bare 利回り needs its appraisal method, which may be above this column only. */
function headerAt(rows: readonly DisclosedRow[], at: number, depth: number, index: number): string {
  const header = headerOf(rows, at, depth, index);
  if (!isBareYield(header) || appraisalMethodIn(header) !== undefined) return header;
  const above = rows.slice(0, at).map((row) => textAt(row, index));
  return (above.findLast((text) => appraisalMethodIn(text) !== undefined) ?? '') + header;
}

const isKeyKind = (kind: PropertyColumn | undefined) => kind === 'name' || kind === 'number';
const isKey = (text: string) => isKeyKind(findColumn(text));

function mentionOf(cells: DisclosedRow['cells'], columns: Columns): PropertyMention | undefined {
  const [name, number] = [columns.name, columns.number].map((index) => cells[index]?.text.trim() ?? '') as [
    string,
    string,
  ];
  const key = cells[columns.name] ?? cells[columns.number];
  const plain = oneLine(name === '' ? number : name);
  if (plain === '' || plain.length > MAX_NAME || isTotal(plain) || isTotal(oneLine(number))) return undefined;
  // Headers repeat on each page, and titles between rows span the columns.
  if (findLabel(plain) !== undefined || columns.lines.some(({ index }) => cells[index] === key)) return undefined;
  const interest = columns.interest
    .map((index) => interestText(columns.headers[index] as string, cells[index]?.text ?? ''))
    .join('\n');
  return { number, name, interest };
}

/** Cells that span the rows of several properties are totals of all of them. */
function findShared(rows: readonly DisclosedRow[], columns: Columns): ReadonlySet<DisclosedCell> {
  const owners = new Map<DisclosedCell, string>();
  const shared = new Set<DisclosedCell>();
  const figures = columns.lines.filter(({ metric }) => !isDateMetric(metric));
  for (const { cells } of rows) {
    const mention = mentionOf(cells, columns);
    if (mention === undefined) continue;
    const owner = `${mention.number}\n${mention.name}`;
    for (const { index } of figures) {
      const cell = cells[index];
      if (cell === undefined) continue;
      if ((owners.get(cell) ?? owner) !== owner) shared.add(cell);
      else owners.set(cell, owner);
    }
  }
  return shared;
}

/** CON-10: a valuation day above the table applies to its appraisals, unless a column has dates. */
function addValuationDay(read: ReadTable, { above, rows }: DisclosedTable, { lines, headers, at }: Columns): void {
  const appraisals = lines.filter(({ metric }) => metric === 'appraisalValue');
  if (appraisals.length === 0 || lines.some(({ metric }) => metric === 'appraisalDate')) return;
  for (const { index, hint } of appraisals) {
    const heads = rows.slice(0, at).flatMap(({ cells }) => textsOf(cells));
    const day = valuationDay([headers[index] as string, ...above, ...heads]);
    if (day === undefined) continue;
    const valued = read.statements.filter(
      (statement) => statement.metric === 'appraisalValue' && statement.hint === hint && textOf(statement) !== '',
    );
    for (const statement of valued) {
      read.statements.push({ ...statement, metric: 'appraisalDate', text: day, shared: false });
    }
  }
}

const textOf = ({ text }: TableStatement) => text.trim();
const textsOf = (cells: DisclosedRow['cells']) => [...new Set(cells)].map((cell) => cell?.text ?? '');
