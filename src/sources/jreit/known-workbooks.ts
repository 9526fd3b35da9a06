import { COLUMNS, type ColumnDefinition, findColumn, type PropertyColumn } from '../disclosure/columns.ts';
import { type DisclosedRow, type PropertyLayout, periodOf, textAt } from '../disclosure/disclosed-table.ts';
import { parseFigure, type Units, unitsAbove, unitsIn } from '../disclosure/figures.ts';
import type { Portfolio } from '../disclosure/portfolio.ts';
import type { PropertyRow } from '../disclosure/property-row.ts';
import { readPropertyCell } from '../disclosure/read-property-cell.ts';
import type { Sheet } from './read-workbook.ts';

/** A sheet of a known REIT workbook: columns and units that its headers do not state. */
interface KnownSheet {
  sheet: string;
  columns: Readonly<Partial<Record<PropertyColumn, string>>>;
  units: Units;
}

const KNOWN: readonly KnownSheet[] = [
  // 日本ビルファンド投資法人
  {
    sheet: 'データシート',
    columns: { name: 'B', address: 'C', price: 'D', book: 'E', appraisal: 'F', leasable: 'G', occupancy: 'J' },
    units: { money: '円', area: 'm2', rate: '%' },
  },
  // GLP投資法人
  {
    sheet: 'ポートフォリオ一覧',
    columns: { number: 'A', name: 'B', address: 'C', price: 'E', leasable: 'G', occupancy: 'I' },
    units: { money: '百万円', area: 'm2', rate: '%' },
  },
  { sheet: '鑑定評価額一覧', columns: { number: 'A', appraisal: 'C', book: 'K' }, units: { money: '百万円' } },
  // ジャパンリアルエステイト投資法人: one sheet per metric
  { sheet: '基礎データ', columns: { name: 'B', address: 'C', price: 'L' }, units: { area: 'm2' } },
];

/** Adds what is known about a sheet to the layout found by its headers. */
export function completeLayout(sheet: string, layout: PropertyLayout): PropertyLayout {
  const known = KNOWN.find((each) => each.sheet === sheet.normalize('NFKC').trim());
  if (known === undefined) return layout;
  const columns = new Map(layout.columns);
  const taken = new Set([...columns.values()].map(({ index }) => index));
  for (const [column, letter] of Object.entries(known.columns) as [PropertyColumn, string][]) {
    const index = letter.charCodeAt(0) - 65;
    if (!columns.has(column) && !taken.has(index)) columns.set(column, { index, units: {} });
  }
  for (const [column, { index, units }] of columns) columns.set(column, { index, units: { ...known.units, ...units } });
  return { ...layout, columns };
}

const PERIODS_WITHIN = 10;
const NAMES_WITHIN = 4;

/**
 * Reads a sheet of one metric over all periods (JRE): the metric is the name of the sheet, and the last period is used. A row
 * belongs to the property that it names, else to the property in the same row of the property list.
 */
export function* readMetricSheet(
  { name, rows }: Sheet,
  portfolio: Portfolio,
  nameInRow: ReadonlyMap<number, string>,
): Generator<PropertyRow> {
  const column = metricOf(name);
  const at = rows.slice(0, PERIODS_WITHIN).findIndex((row) => periodsIn(row).length > 0);
  if (column === undefined || at < 0) return;
  const periods = periodsIn(rows[at] as DisclosedRow);
  const last = periods.reduce((best, each) => (each.period > best.period ? each : best));
  const head = rows.slice(0, at + 2).flatMap(({ cells }) => cells.map((cell) => cell?.text ?? ''));
  const units = { ...unitsAbove(head), ...unitsIn(name) };
  for (const row of rows.slice(at + 1)) {
    const texts = Array.from({ length: Math.min(NAMES_WITHIN, periods[0]?.index ?? 0) }, (_, index) =>
      textAt(row, index),
    );
    const property = texts.map((text) => portfolio.find(text)).find((found) => found !== undefined);
    const isNameless = texts.every((text) => text === '' || parseFigure(text).kind !== 'unreadable');
    const known = property?.name ?? (isNameless ? nameInRow.get(row.line) : undefined);
    const text = textAt(row, last.index);
    if (known === undefined || text === '') continue;
    const reading = readPropertyCell(column, column === 'occupancy' ? asPercent(text) : text, units);
    yield { line: row.line, name: known, number: undefined, ...reading, otherColumns: {} };
  }
}

function metricOf(sheet: string): PropertyColumn | undefined {
  const column = findColumn(sheet);
  if (column === undefined) return undefined;
  const { kind }: ColumnDefinition = COLUMNS[column];
  return kind === 'money' || kind === 'area' || kind === 'rate' ? column : undefined;
}

/** Two or more cells that contain only periods: 45, 46 or 第45期, 第46期. */
function periodsIn({ cells }: DisclosedRow): { index: number; period: number }[] {
  const found = cells.flatMap((cell, index) => {
    const text = cell?.text ?? '';
    const period = /^\d{1,3}期?$/u.test(text) ? Number.parseInt(text, 10) : periodOf(text);
    return period === undefined || index === 0 ? [] : [{ index, period }];
  });
  const rising = found.every(({ period }, at) => at === 0 || period !== found[at - 1]?.period);
  return found.length > 1 && rising ? found : [];
}

/** These sheets have rates as fractions, whether or not the cell format is per cent. */
function asPercent(text: string): string {
  const figure = parseFigure(text);
  if (figure.kind !== 'number' || figure.unit !== undefined) return text;
  const fraction = Number(figure.decimal);
  return fraction >= 0 && fraction <= 1 ? `${Number((fraction * 100).toPrecision(12))}%` : text;
}
