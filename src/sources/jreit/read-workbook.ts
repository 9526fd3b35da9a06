import { BrokenFile } from '../../files/broken-file.ts';
import { readXml, type XmlHandler } from '../../files/read-xml.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { withoutTrailingZeros } from '../../vocabulary/exact-number.ts';
import { type DisclosedCell, type DisclosedRow, MAX_COLUMNS } from '../disclosure/disclosed-table.ts';
import { openWorkbook, type WorkbookParts } from './open-workbook.ts';

export interface Sheet {
  name: string;
  rows: DisclosedRow[];
}

const MAX_CELLS = 2_000_000;
const MAX_MERGED = 100_000;

interface Shared {
  strings: string[];
  formats: NumberFormat[];
  epoch: 1900 | 1904;
  /** Cells so far. */
  cells: number;
}

/** Reads the sheets of a workbook, with cells as displayed. */
export async function* readWorkbook(file: SourceFile): AsyncGenerator<Sheet> {
  const parts = await openWorkbook(file);
  const sheets: { name: string; relation: string }[] = [];
  const targets = new Map<string, string>();
  const shared: Shared = { strings: [], formats: [], epoch: 1900, cells: 0 };
  await readPart(parts, 'xl/workbook.xml', true, {
    open(tag, attributes) {
      if (tag === 'sheet') sheets.push({ name: attributes.name ?? '', relation: attributes['r:id'] ?? '' });
      if (tag === 'workbookPr' && /^(?:1|true)$/u.test(attributes.date1904 ?? '')) shared.epoch = 1904;
    },
  });
  await readPart(parts, 'xl/_rels/workbook.xml.rels', true, {
    open(tag, { Id = '', Target = '' }) {
      if (tag === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  await readStrings(parts, shared.strings);
  await readFormats(parts, shared.formats);
  for (const { name, relation } of sheets) {
    const path = targets.get(relation);
    if (path !== undefined && parts.has(path)) yield { name, rows: await readSheet(parts, path, shared) };
  }
}

async function readPart(
  parts: WorkbookParts,
  path: string,
  needed: boolean,
  handler: Partial<XmlHandler>,
): Promise<void> {
  const part = parts.get(path);
  if (part === undefined) {
    if (needed) throw new BrokenFile(`not a workbook: no ${path}`);
    return;
  }
  const whole: XmlHandler = { open() {}, close() {}, text() {}, ...handler };
  for await (const _ of readXml(part, whole));
}

async function readStrings(parts: WorkbookParts, strings: string[]): Promise<void> {
  let text = '';
  let reading = 0;
  await readPart(parts, 'xl/sharedStrings.xml', false, {
    open(tag) {
      if (tag === 'si') text = '';
      // The pronunciation of a word (rPh) is not part of the text.
      if (tag === 'rPh') reading += 1;
    },
    text(more) {
      if (reading === 0) text += more;
    },
    close(tag) {
      if (tag === 'rPh') reading -= 1;
      if (tag === 'si') strings.push(text);
    },
  });
}

async function readFormats(parts: WorkbookParts, formats: NumberFormat[]): Promise<void> {
  const codes = new Map<number, string>();
  let inCells = false;
  await readPart(parts, 'xl/styles.xml', false, {
    open(tag, attributes) {
      if (tag === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (tag === 'cellXfs') inCells = true;
      if (tag === 'xf' && inCells) {
        const id = Number(attributes.numFmtId ?? 0);
        formats.push(formatOf(id, codes.get(id)));
      }
    },
    close(tag) {
      if (tag === 'cellXfs') inCells = false;
    },
  });
}

async function readSheet(parts: WorkbookParts, path: string, shared: Shared): Promise<DisclosedRow[]> {
  const rows: DisclosedRow[] = [];
  const merged: string[] = [];
  let row: (DisclosedCell | undefined)[] = [];
  let line = 0;
  let cell: { column: number; type: string; format: NumberFormat; text: string } | undefined;
  let column = 0;
  let reading = 0;
  await readPart(parts, path, true, {
    open(tag, attributes) {
      if (tag === 'row') {
        row = [];
        column = 0;
        line = numberOr(attributes.r, line + 1);
      } else if (tag === 'c') {
        column = columnOf(attributes.r) ?? column + 1;
        const format = shared.formats[Number(attributes.s ?? 0)] ?? 'number';
        cell = { column, type: attributes.t ?? 'n', format, text: '' };
      } else if (tag === 'rPh') reading += 1;
      else if (tag === 'mergeCell' && merged.length < MAX_MERGED) merged.push(attributes.ref ?? '');
    },
    text(text) {
      if (cell !== undefined && reading === 0) cell.text += text;
    },
    close(tag) {
      if (tag === 'rPh') reading -= 1;
      else if (tag === 'f' && cell !== undefined) cell.text = '';
      else if (tag === 'c' && cell !== undefined) {
        const text = textOf(cell, shared).trim();
        if (text !== '' && cell.column <= MAX_COLUMNS) {
          shared.cells += 1;
          if (shared.cells > MAX_CELLS) throw new BrokenFile(`the workbook has more than ${MAX_CELLS} cells`);
          row[cell.column - 1] = { text };
        }
        cell = undefined;
      } else if (tag === 'row' && row.length > 0) rows.push({ line, cells: row });
    },
  });
  spreadMerged(rows, merged);
  return rows;
}

function textOf({ type, format, text }: { type: string; format: NumberFormat; text: string }, shared: Shared): string {
  switch (type) {
    case 's':
      return shared.strings[Number(text)] ?? '';
    case 'n':
      return text === '' ? '' : showNumber(text, format, shared.epoch);
    case 'd':
      return text.slice(0, 10);
    case 'e':
    case 'b':
      return '';
    default:
      return text;
  }
}

function numberOr(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text !== undefined && Number.isSafeInteger(value) && value > 0 ? value : otherwise;
}

/** B6 is column 2; an invalid reference is a column beyond the limit. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/u.exec(reference ?? '')?.[0];
  if (letters === undefined) return reference === undefined ? undefined : MAX_COLUMNS + 1;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** A merged cell is put in every row and column it covers, like a spanning cell of HTML. */
function spreadMerged(rows: readonly DisclosedRow[], references: readonly string[]): void {
  const byLine = new Map(rows.map((row) => [row.line, row.cells as (DisclosedCell | undefined)[]]));
  let left = MAX_MERGED;
  for (const reference of references) {
    const match = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/u.exec(reference);
    if (match === null) continue;
    const [west, east] = [
      columnOf(`${match[1]}1`) as number,
      Math.min(columnOf(`${match[3]}1`) as number, MAX_COLUMNS),
    ];
    const [north, south] = [Number(match[2]), Number(match[4])];
    const cell = byLine.get(north)?.[west - 1];
    left -= Math.max(0, south - north + 1) * Math.max(0, east - west + 1);
    if (cell === undefined || left < 0) continue;
    for (let line = north; line <= south; line++) {
      const cells = byLine.get(line);
      for (let column = west; cells !== undefined && column <= east; column++) cells[column - 1] ??= cell;
    }
  }
}

/** How a number is displayed, by the format of its cell. */
type NumberFormat = 'number' | 'percent' | 'day' | 'month';

const BUILT_IN: ReadonlyMap<number, NumberFormat> = new Map<number, NumberFormat>([
  [9, 'percent'],
  [10, 'percent'],
  ...[14, 15, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'day'] as const),
  [17, 'month'],
  [55, 'month'],
]);

export function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return BUILT_IN.get(id) ?? 'number';
  const bare = code
    .slice(0, 500)
    .replace(/"[^"]*"|\[[^\]]*\]|\\./gu, '')
    .toLowerCase();
  if (bare.includes('%')) return 'percent';
  if (bare === 'general' || !/[ymdge]/u.test(bare) || !/[md]/u.test(bare)) return 'number';
  return bare.includes('d') ? 'day' : 'month';
}

const DAY = 86_400_000;
/** Day 0 of serial numbers; workbooks of old Macintosh versions count from 1904. */
const EPOCH = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

/** The displayed number of a cell, without exponent and without binary rounding noise. */
export function showNumber(raw: string, format: NumberFormat, epoch: 1900 | 1904): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (format === 'day' || format === 'month') {
    const date = new Date(EPOCH[epoch] + Math.floor(value) * DAY);
    if (Number.isNaN(date.getTime()) || value < 1) return raw;
    return date.toISOString().slice(0, format === 'day' ? 10 : 7);
  }
  if (format === 'percent') return `${plain(Number((value * 100).toPrecision(15)))}%`;
  return plain(Number(value.toPrecision(15)));
}

function plain(value: number): string {
  if (Math.abs(value) >= 1e21) return String(BigInt(Math.trunc(value)));
  const text = String(value);
  return text.includes('e') ? withoutTrailingZeros(value.toFixed(15)) : text;
}
