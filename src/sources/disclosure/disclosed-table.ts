import { parseJapaneseDate, toDay } from '../../vocabulary/japanese.ts';
import { COLUMNS, findColumn, PROPERTY_EVIDENCE, type PropertyColumn, plainHeader } from './columns.ts';
import { parseFigure, type Units, unitsAbove, unitsIn } from './figures.ts';

/** A cell of a table. A cell that spans rows or columns is the same object in all of them. */
export interface DisclosedCell {
  readonly text: string;
}

export interface DisclosedRow {
  /** For messages: a line of a file, a row of a sheet, the ordinal of an HTML row. */
  line: number;
  cells: readonly (DisclosedCell | undefined)[];
}

export interface DisclosedTable {
  rows: readonly DisclosedRow[];
  /** Its caption and the lines directly above it. */
  above: readonly string[];
}

export const MAX_COLUMNS = 200;

export function textAt(row: DisclosedRow | undefined, index: number): string {
  return row?.cells[index]?.text ?? '';
}

interface ColumnPlace {
  index: number;
  units: Units;
}

/** The columns of a property table. */
export interface PropertyLayout {
  columns: ReadonlyMap<PropertyColumn, ColumnPlace>;
  /** The first row below the headers. */
  body: number;
  /** The day of valuation, if the headers or the lines above state it. */
  appraisedOn: string | undefined;
}

const MAX_DEPTH = 4;
const GROUPS_ABOVE = 3;

/** Finds the header in the first `look` rows: the one with the most known columns. Undefined if it is not a property table. */
export function findLayout(table: DisclosedTable, look: number): PropertyLayout | undefined {
  let best: PropertyLayout | undefined;
  const { rows } = table;
  for (let at = 0; at < Math.min(look, rows.length); at++) {
    const row = rows[at] as DisclosedRow;
    const key = row.cells.findIndex((cell) => {
      const column = cell === undefined ? undefined : findColumn(cell.text);
      return column === 'name' || column === 'number';
    });
    if (key < 0) continue;
    const depth = depthOf(rows, at, key);
    const layout = layoutOf(table, at, depth);
    if (layout !== undefined && layout.columns.size > (best?.columns.size ?? 0)) best = layout;
  }
  return best;
}

/** How many rows the header has: it continues while its key cell spans rows, or is empty above rows without figures. */
export function depthOf(rows: readonly DisclosedRow[], at: number, key: number): number {
  let depth = 1;
  while (depth < MAX_DEPTH && at + depth < rows.length) {
    const next = rows[at + depth] as DisclosedRow;
    const spans = next.cells[key] !== undefined && next.cells[key] === rows[at]?.cells[key];
    if (!spans && (textAt(next, key).trim() !== '' || !isHeading(next))) break;
    depth += 1;
  }
  return depth;
}

function isHeading({ cells }: DisclosedRow): boolean {
  const texts = cells.map((cell) => cell?.text.trim() ?? '').filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => parseFigure(text).kind === 'unreadable');
}

function layoutOf({ rows, above }: DisclosedTable, at: number, depth: number): PropertyLayout | undefined {
  const width = Math.max(...rows.slice(at, at + depth).map(({ cells }) => cells.length));
  const general = unitsAbove([
    ...above,
    ...rows.slice(0, at).flatMap(({ cells }) => [...new Set(cells)].map((cell) => cell?.text ?? '')),
  ]);
  const headers = Array.from({ length: width }, (_, index) => headerOf(rows, at, depth, index));
  const candidates = new Map<PropertyColumn, number[]>();
  headers.forEach((header, index) => {
    const column = findColumn(header);
    if (column !== undefined) candidates.set(column, [...(candidates.get(column) ?? []), index]);
  });
  if (!candidates.has('name') && !candidates.has('number')) return undefined;
  if (![...candidates.keys()].some((column) => PROPERTY_EVIDENCE.has(column))) return undefined;
  const columns = new Map<PropertyColumn, ColumnPlace>();
  for (const [column, indexes] of candidates) {
    const index = latest(indexes, headers);
    columns.set(column, { index, units: { ...general, ...unitsIn(headers[index] as string) } });
  }
  const appraisal = columns.get('appraisal');
  const appraisedOn = valuationDay([headers[appraisal?.index ?? -1] ?? '', ...above]);
  return { columns, body: at + depth, appraisedOn };
}

/** The headers of a column from top to bottom, including those of the groups above it. */
export function headerOf(rows: readonly DisclosedRow[], at: number, depth: number, index: number): string {
  const parts = new Set<string>();
  for (let up = Math.max(0, at - GROUPS_ABOVE); up < at; up++) {
    const cells = rows[up]?.cells ?? [];
    const cell = cells[index];
    const spanned = cell === undefined ? 0 : cells.filter((other) => other === cell).length;
    if (spanned > 1 && spanned < cells.length) parts.add(cell?.text ?? '');
  }
  for (let down = at; down < at + depth; down++) parts.add(textAt(rows[down], index));
  return [...parts].join('').slice(0, 500);
}

/** Of several columns for one field, the one of the latest period if their headers state periods; else the first. */
function latest(indexes: readonly number[], headers: readonly string[]): number {
  const periods = indexes.map((index) => periodOf(headers[index] as string));
  if (indexes.length === 1 || periods.includes(undefined)) return indexes[0] as number;
  const newest = Math.max(...(periods as number[]));
  return indexes[periods.indexOf(newest)] as number;
}

/** A sortable number for a period: 第28期, 2026年2月末. */
export function periodOf(header: string): number | undefined {
  const plain = header.normalize('NFKC').replace(/\s+/gu, '');
  const term = /第(\d{1,3})期/u.exec(plain);
  if (term !== null) return Number(term[1]);
  const date = /(\d{4})[年/.](\d{1,2})/u.exec(plain);
  return date === null ? undefined : Number(date[1]) * 100 + Number(date[2]);
}

const VALUED =
  /(?:価格時点|評価時点)[:は]?(?:はいずれも|を)?((?:\d{4}|(?:令和|平成)(?:元|\d{1,2}))年\d{1,2}月\d{1,2}日)/u;

/** CON-10: only a day that is labelled as the day of valuation counts. Two different days cancel each other. */
export function valuationDay(texts: readonly string[]): string | undefined {
  const days = new Set<string>();
  for (const text of texts) {
    const stated =
      VALUED.exec(plainHeader(text))?.[1] ??
      VALUED.exec(text.slice(0, 500).normalize('NFKC').replace(/\s+/gu, ''))?.[1];
    const date = stated === undefined ? undefined : parseJapaneseDate(stated);
    const day = date === undefined ? undefined : toDay(date);
    if (day !== undefined) days.add(day);
  }
  return days.size === 1 ? [...days][0] : undefined;
}

export function isNumeric(column: PropertyColumn): boolean {
  const { kind } = COLUMNS[column];
  return kind === 'money' || kind === 'area' || kind === 'rate' || kind === 'count';
}
