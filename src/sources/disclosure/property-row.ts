import type { Field, FieldScalar } from '../../vocabulary/fields.ts';
import { noteHidden } from '../draft.ts';
import { COLUMNS, type ColumnDefinition, findLabel, PROPERTY_EVIDENCE, type PropertyColumn } from './columns.ts';
import {
  type DisclosedCell,
  type DisclosedRow,
  type DisclosedTable,
  isNumeric,
  type PropertyLayout,
} from './disclosed-table.ts';
import { type Units, unitsAbove, unitsIn } from './figures.ts';
import { isTotal, oneLine, propertyNumber } from './names.ts';
import { readPropertyCell } from './read-property-cell.ts';

/** The values of one property in one row, or in one table with labels. */
export interface PropertyRow {
  line: number;
  name: string;
  number: string | undefined;
  values: [Field, FieldScalar][];
  notes: string[];
  /** The text of columns without a field: `reit`, `propertyUrl`, `listUrl`, `planned`. */
  otherColumns: Partial<Record<PropertyColumn, string>>;
}

/** Longer text is not a name. */
const MAX_NAME = 200;

/** Priority of columns of the same field: 住居表示 before 地番. */
const ORDER = Object.keys(COLUMNS) as PropertyColumn[];

/** The row as a property; undefined for totals, titles and empty rows. */
function toPropertyRow(
  line: number,
  cellOf: (column: PropertyColumn) => { text: string; units: Units; shared: boolean } | undefined,
  appraisedOn: string | undefined,
): PropertyRow | undefined {
  const name = oneLine(cellOf('name')?.text ?? '');
  const numberText = oneLine(cellOf('number')?.text ?? '');
  const number = propertyNumber(numberText);
  // The header is repeated after a page break.
  if (findLabel(name) !== undefined || name.length > MAX_NAME) return undefined;
  if ((name === '' && number === undefined) || isTotal(name) || (name === '' && isTotal(numberText))) return undefined;
  const row: PropertyRow = { line, name, number, values: [], notes: [], otherColumns: {} };
  for (const column of ORDER) {
    const cell = cellOf(column);
    if (cell !== undefined) noteHidden(row, column, cell.text);
    if (cell === undefined || column === 'name') continue;
    const { field, kind }: ColumnDefinition = COLUMNS[column];
    if (kind === 'text' && field === undefined) row.otherColumns[column] = oneLine(cell.text);
    else if (cell.shared) row.notes.push(`${field ?? column} left out: the cell is shared with other properties`);
    else {
      const reading = readPropertyCell(column, cell.text, cell.units);
      row.values.push(...reading.values);
      row.notes.push(...reading.notes);
    }
  }
  pairAppraisal(row, appraisedOn);
  return row;
}

/** CON-10: the day of valuation comes from the row of the amount or from the headers of its table. */
function pairAppraisal(row: PropertyRow, appraisedOn: string | undefined): void {
  const stated = row.values.find(([field]) => field === 'appraisalDate')?.[1] ?? appraisedOn;
  row.values = row.values.filter(([field]) => field !== 'appraisalDate');
  const hasAmount = row.values.some(([field]) => field === 'appraisalValueJpy');
  if (hasAmount && stated !== undefined) row.values.push(['appraisalDate', stated]);
}

/** The properties of a table with headers on top. */
export function* readPropertyRows(rows: Iterable<DisclosedRow>, layout: PropertyLayout): Generator<PropertyRow> {
  const body = [...rows];
  const shared = findShared(body, layout);
  for (const { line, cells } of body) {
    const key = cells[layout.columns.get('name')?.index ?? layout.columns.get('number')?.index ?? -1];
    if (key === undefined || isTitle(cells, layout, key)) continue;
    const row = toPropertyRow(
      line,
      (column) => {
        const place = layout.columns.get(column);
        const cell = place === undefined ? undefined : cells[place.index];
        if (place === undefined || cell === undefined) return undefined;
        return { text: cell.text, units: place.units, shared: isNumeric(column) && shared.has(cell) };
      },
      layout.appraisedOn,
    );
    if (row !== undefined) yield row;
  }
}

/** A title between rows spans the columns: the same cell would be the name and a value. */
function isTitle(cells: DisclosedRow['cells'], { columns }: PropertyLayout, key: DisclosedCell): boolean {
  return [...columns].some(([column, { index }]) => column !== 'name' && column !== 'number' && cells[index] === key);
}

/** Figures that span the rows of several properties belong to none of them. */
function findShared(rows: readonly DisclosedRow[], { columns }: PropertyLayout): ReadonlySet<DisclosedCell> {
  const shared = new Set<DisclosedCell>();
  const owners = new Map<DisclosedCell, string>();
  const nameAt = columns.get('name')?.index ?? columns.get('number')?.index ?? -1;
  const figures = [...columns].filter(([column]) => isNumeric(column)).map(([, { index }]) => index);
  for (const { cells } of rows) {
    const name = cells[nameAt]?.text ?? '';
    if (name === '' || isTotal(oneLine(name))) continue;
    for (const index of figures) {
      const cell = cells[index];
      if (cell === undefined) continue;
      const owner = owners.get(cell);
      if (owner === undefined) owners.set(cell, name);
      else if (owner !== name) shared.add(cell);
    }
  }
  return shared;
}

const MAX_ROWS = 200;
const MIN_EVIDENCE = 3;
/** With fewer labelled rows the labels may be headers. */
const MIN_ROWS = 3;

/** Reads a table of one property with labels beside the values (Ichigo). Undefined for any other table. */
export function readLabelledProperty({ rows, above }: DisclosedTable): PropertyRow | undefined {
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
  const reading = [...found.keys()].filter((column) => PROPERTY_EVIDENCE.has(column)).length;
  if (!found.has('name') || labelled < MIN_ROWS || reading < MIN_EVIDENCE || found.has('planned') || found.has('sold'))
    return undefined;
  return toPropertyRow(rows[0]?.line ?? 1, (column) => found.get(column), undefined);
}

/** Labels and values from left to right; a label may have two cells (所在地 | 住居表示, 土地 | 面積). */
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
