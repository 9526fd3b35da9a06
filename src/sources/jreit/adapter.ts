import { BrokenFile, untilBroken } from '../../files/broken-file.ts';
import { type Row, readCsv } from '../../files/read-csv.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { parseJapaneseDate, toDay } from '../../vocabulary/japanese.ts';
import { cleanText } from '../../vocabulary/text.ts';
import { dayInJapan } from '../../vocabulary/time.ts';
import type { Adapter, Item, Reading } from '../adapter.ts';
import { type DisclosedRow, findLayout, MAX_COLUMNS, type PropertyLayout } from '../disclosure/disclosed-table.ts';
import { parseFigure } from '../disclosure/figures.ts';
import { containsAddress, isAbroad } from '../disclosure/names.ts';
import { newProperty, Portfolio, type Property, propertyDraft, propertyId } from '../disclosure/portfolio.ts';
import { readPropertyRows } from '../disclosure/property-row.ts';
import { completeLayout, readMetricSheet } from './known-workbooks.ts';
import { readWorkbook, type Sheet } from './read-workbook.ts';

const HEADER_WITHIN = 30;
const PORTION = 200;
const NOT_HELD = /(?:取得|譲渡|売却)予定|(?:譲渡|売却)(?:済|物件)/u;
/** The sheet of properties whose row order the metric sheets share (JRE). */
const BASE_SHEET = '基礎データ';
const NO_HEADER = `no property table; expected a header with 物件名称 and, for example, 所在地 in the first ${HEADER_WITHIN} rows`;

const UNENDED = 'last line without a line end: the file may be cut off; add one';

/** Property tables from the websites of REITs, as CSV or workbooks. */
export const jreit: Adapter = {
  source: 'jreit',
  expected: '.csv or .xlsx tables of properties',
  reads: (name) => /\.(?:csv|xlsx)$/iu.test(name) && !/(?:^|\/)~\$/u.test(name),
  read,
};

async function* read(files: readonly SourceFile[], reading: Reading): AsyncGenerator<Item[]> {
  const given = new Set<string>();
  for (const file of files) {
    const items = /\.xlsx$/iu.test(file.name) ? readXlsx(file, reading, given) : readTable(file, reading, given);
    yield* untilBroken<Item>(file.name, items);
  }
}

/** Reads a CSV with one property per row, as a stream. */
async function* readTable(file: SourceFile, reading: Reading, given: Set<string>): AsyncGenerator<Item[]> {
  let head: DisclosedRow[] = [];
  let layout: PropertyLayout | undefined;
  let reit: string | undefined;
  let cutAt: number | undefined;
  for await (const rows of withEnd(readCsv(file))) {
    cutAt ??= rows?.find(({ unended }) => unended)?.line;
    let body = (rows ?? []).filter(({ unended }) => !unended).map(toTableRow);
    if (layout === undefined) {
      head = [...head, ...body];
      // A header may continue below the rows in which it begins.
      if (rows !== undefined && head.length < HEADER_WITHIN + 5) continue;
      layout = findLayout({ rows: head, above: [] }, HEADER_WITHIN);
      if (layout === undefined) throw new BrokenFile(NO_HEADER);
      reit = holderIn(head.slice(0, layout.body));
      body = head.slice(layout.body);
      head = [];
    }
    const items: Item[] = [];
    for (const row of readPropertyRows(body, layout)) {
      if (row.name !== '') items.push(...itemsOf(newProperty(file.name, row), reading, reit, given));
    }
    if (rows === undefined && cutAt !== undefined) {
      items.push({ kind: 'rejected', at: { file: file.name, line: cutAt }, record: null, reason: UNENDED });
    }
    if (items.length > 0) yield items;
  }
}

/** The portions, then undefined at the end, also before the error of a broken file. */
async function* withEnd(portions: AsyncIterable<Row[]>): AsyncGenerator<Row[] | undefined> {
  let fault: unknown;
  try {
    yield* portions;
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    fault = error;
  }
  yield undefined;
  if (fault !== undefined) throw fault;
}

function toTableRow({ line, cells }: Row): DisclosedRow {
  return { line, cells: cells.slice(0, MAX_COLUMNS).map((text) => (text === '' ? undefined : { text })) };
}

/** Reads a workbook. Its sheets describe the same properties, so they are held until the end. */
async function* readXlsx(file: SourceFile, reading: Reading, given: Set<string>): AsyncGenerator<Item[]> {
  const portfolio = new Portfolio();
  const metrics: Sheet[] = [];
  const nameInRow = new Map<number, string>();
  let reit: string | undefined;
  for await (const sheet of readWorkbook(file)) {
    if (NOT_HELD.test(sheet.name)) continue;
    const layout = findLayout({ rows: sheet.rows, above: [] }, HEADER_WITHIN);
    if (layout === undefined) {
      metrics.push(sheet);
      continue;
    }
    portfolio.beginTable();
    reit ??= holderIn(sheet.rows.slice(0, layout.body));
    for (const row of readPropertyRows(sheet.rows.slice(layout.body), completeLayout(sheet.name, layout))) {
      portfolio.add(file.name, row, row.otherColumns.reit);
      if (sheet.name === BASE_SHEET) nameInRow.set(row.line, row.name);
    }
  }
  if (portfolio.size === 0) throw new BrokenFile(NO_HEADER);
  for (const sheet of metrics) {
    portfolio.beginTable();
    for (const row of readMetricSheet(sheet, portfolio, nameInRow)) portfolio.add(file.name, row);
  }
  let items: Item[] = [];
  for (const property of portfolio.properties()) {
    items.push(...itemsOf(property, reading, reit, given));
    if (items.length < PORTION) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}

/** The REIT whose name is alone in a cell above the table. */
function holderIn(rows: readonly DisclosedRow[]): string | undefined {
  for (const { cells } of rows) {
    for (const cell of cells) {
      const text = cleanText(cell?.text ?? '');
      if (text.length <= 40 && /^(?:\S*[^\s人]投資法人|投資法人みらい)$/u.test(text)) return text;
    }
  }
  return undefined;
}

/** The items of one property; `given` are the IDs of the ingest so far. */
function itemsOf(property: Property, reading: Reading, reit: string | undefined, given: Set<string>): Item[] {
  const at = { file: property.file, line: property.line };
  const holder = property.otherColumns.reit || reit;
  const url = urlIn(property.otherColumns.propertyUrl) ?? urlIn(property.otherColumns.listUrl) ?? urlIn(reading.url);
  if (url === undefined) {
    const reason = 'no page to cite; use --url, or add a column 物件ページ or ポートフォリオページ';
    const named = holder === undefined ? property.name : propertyId(holder.normalize('NFKC'), property);
    return [{ kind: 'rejected', at, record: named, reason }];
  }
  const record = propertyId(holder?.normalize('NFKC') ?? new URL(url).host, property);
  const address = String(property.values.get('addressJa')?.[0] ?? '');
  if (containsAddress(property.name, address)) {
    const reason = 'name and address run together; extract the table again, cell by cell';
    return [{ kind: 'rejected', at, record, reason }];
  }
  const left = whyLeftOut(property, reading);
  if (left !== undefined) return [{ kind: 'note', at, record, reason: left }];
  if (given.has(record)) return [{ kind: 'note', at, record, reason: 'repeated; the first row is kept' }];
  given.add(record);
  const draft = propertyDraft(record, url, property, holder);
  const notes = draft.notes.map((reason): Item => ({ kind: 'note', at, record, reason }));
  return [...notes, { kind: 'record', at, record: draft }];
}

/** Properties that are not held or not in Japan are left out. */
function whyLeftOut({ values, otherColumns }: Property, { retrievedAt }: Reading): string | undefined {
  const address = values.get('addressJa')?.[0];
  if (typeof address === 'string' && isAbroad(address)) return 'not in Japan; left out';
  if (dayIn(otherColumns.sold) !== undefined || isFigure(otherColumns.sold)) return 'sold; left out';
  const plannedOn = dayIn(otherColumns.planned);
  const isPlanned = plannedOn === undefined ? isFigure(otherColumns.planned) : plannedOn > dayInJapan(retrievedAt);
  return isPlanned ? 'not acquired yet; left out' : undefined;
}

function isFigure(text: string | undefined): boolean {
  return text !== undefined && ['number', 'bracketed'].includes(parseFigure(text).kind);
}

/** A comparable day; the first one if only a month or year is stated. */
function dayIn(text: string | undefined): string | undefined {
  const date = parseJapaneseDate((text ?? '').replace(/\s+/gu, ''));
  return date === undefined ? undefined : toDay({ year: date.year, month: date.month ?? 1, day: date.day ?? 1 });
}

/** A URL, possibly with words around it. */
function urlIn(text: string | undefined): string | undefined {
  const url = /https?:\/\/[^\s()（）<>"'「」、。]{1,2000}/u.exec(text ?? '')?.[0];
  return url !== undefined && URL.canParse(url) ? url : undefined;
}
