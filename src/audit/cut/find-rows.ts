import type { SourceFile } from '../../sources/adapter.ts';
import { openWorkbook } from '../../sources/jreit/open-workbook.ts';
import { cutElements } from './cut-elements.ts';
import { cutLines, type Line } from './cut-lines.ts';
import { addPiece, type Piece, type Pieces, placeOf, plainBytes, textOf, type Wanted } from './piece.ts';

const HEADER_WITHIN = 60;
const MOST_ROWS = 12;

const pieceOf = (what: string, { number, offset, bytes }: Line): Piece => ({
  what,
  at: placeOf(number, offset),
  bytes,
});

/** Whole lines by their numbers: one JSON value to a line. */
export async function findLines(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  for await (const line of cutLines(plainBytes(file), false)) {
    for (const each of wanted) if (each.line === line.number) addPiece(pieces, each, pieceOf('line', line));
  }
  return pieces;
}

/** Rows of a table by the line they begin in, each with the row that heads them: the first with as many cells. */
export async function findCsvRows(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  const first: Line[] = [];
  for await (const row of cutLines(plainBytes(file), true)) {
    if (first.length < HEADER_WITHIN) first.push(row);
    for (const each of wanted) {
      if (each.line !== row.number) continue;
      addPiece(pieces, each, pieceOf('row', row));
      const header = first.find(({ bytes, number }) => number < row.number && cellsIn(bytes) >= cellsIn(row.bytes));
      if (header !== undefined) addPiece(pieces, each, pieceOf('header', header));
    }
  }
  return pieces;
}

/** The rows of a table that begin with these cells. */
export async function findRowsByStart(file: SourceFile, starts: ReadonlySet<string>): Promise<Map<string, Piece[]>> {
  const found = new Map<string, Piece[]>();
  let header: Line | undefined;
  for await (const row of cutLines(plainBytes(file), true)) {
    header ??= row;
    const text = row.bytes.toString('latin1', 0, 60);
    for (const start of starts) {
      if (text.startsWith(start)) found.set(start, [pieceOf('row of the machi-aza', row), pieceOf('header', header)]);
    }
  }
  return found;
}

function cellsIn(bytes: Buffer): number {
  return bytes
    .toString('latin1')
    .replace(/"[^"]*"/g, '')
    .split(',').length;
}

/** Rows of HTML tables that have the name of the record in a cell. */
export async function findHtmlRows(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  for await (const { line, offset, bytes } of cutElements(plainBytes(file), ['tr'])) {
    const raw = textOf(bytes);
    // A row that holds a table is shown by the rows of that table.
    if (/<tr[\s>]/i.test(raw.slice(3))) continue;
    const cells = [...raw.matchAll(/<t[dh][\s>][\s\S]*?(?=<\/t[dh]\s*>)/gi)].map(([cell]) => keyOf(stripTags(cell)));
    addIfNamed(pieces, wanted, cells, { what: 'table row', at: placeOf(line, offset), bytes });
  }
  return pieces;
}

/** Rows of the sheets of a workbook that have the name of the record in a cell, as XML and as what the cells show. */
export async function findSheetRows(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  const parts = await openWorkbook(file);
  const strings: string[] = [];
  const shared = parts.get('xl/sharedStrings.xml');
  if (shared !== undefined) {
    for await (const { bytes } of cutElements(plainBytes(shared), ['si'])) {
      strings.push(stripTags(textOf(bytes).replace(/<rPh[\s>][\s\S]*?<\/rPh>/g, '')));
    }
  }
  for (const [path, part] of parts) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(path)) continue;
    for await (const { tag, offset, bytes } of cutElements(plainBytes(part), ['row'])) {
      const texts = [...textOf(bytes).matchAll(/<c[\s>][\s\S]*?<\/c>/g)].map(([cell]) => {
        const place = /\sr="([A-Z]+\d+)"/.exec(cell)?.[1] ?? '';
        const value = stripTags(cell);
        return { place, text: /\st="s"/.test(cell) ? (strings[Number(value)] ?? '') : value };
      });
      const row = /\sr="(\d+)"/.exec(tag)?.[1] ?? '?';
      const shown = texts.map(({ place, text }) => `${place} ${text}`).join('\n');
      addIfNamed(
        pieces,
        wanted,
        texts.map(({ text }) => keyOf(text)),
        {
          what: 'sheet row, with its cells',
          at: `${path} row ${row}, byte ${offset}`,
          bytes: Buffer.concat([bytes, Buffer.from(`\n${shown}`)]),
        },
      );
    }
  }
  return pieces;
}

function addIfNamed(pieces: Pieces, wanted: readonly Wanted[], cells: readonly string[], piece: Piece): void {
  for (const each of wanted) {
    const key = keyOf(each.name ?? '');
    if (key === '' || !cells.some((cell) => cell === key || cell.startsWith(`${key}(`) || cell.endsWith(key))) continue;
    if ((pieces.get(each)?.length ?? 0) < MOST_ROWS) addPiece(pieces, each, piece);
  }
}

const keyOf = (text: string) => text.normalize('NFKC').replace(/\s+/gu, '');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function stripTags(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/^<[^>]*$/, '')
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
