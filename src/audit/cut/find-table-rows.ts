import type { SourceFile } from '../../files/source-file.ts';
import { openWorkbook } from '../../sources/jreit/open-workbook.ts';
import { cutElements } from './cut-elements.ts';
import {
  addPiece,
  decodeBytes,
  plainBytes,
  positionText,
  type RawPiece,
  type RawPieces,
  type RecordQuery,
} from './piece.ts';

const MOST_PIECES = 12;

/** A row of a table without record IDs, in which records are found by name. */
interface Row {
  cells: string[];
  piece: RawPiece;
}

/** Finds the table rows of a filing with the name of the record in a cell, each with the header of its table. */
export async function findHtmlRows(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  for await (const table of cutElements(plainBytes(file), ['table'])) {
    // Only the innermost tables are shown.
    if (/<table[\s>]/i.test(table.bytes.toString('latin1', 6))) continue;
    const rows: Row[] = [];
    for await (const { line, offset, bytes } of cutElements(once(table.bytes), ['tr'])) {
      const at = positionText(table.line - linesIn(table.tag) + line - 1, table.offset + offset);
      const [, ...cells] = decodeBytes(bytes).split(/<t[dh](?=[\s>])[^<>]*>/i);
      rows.push({ cells: cells.map(stripTags), piece: { what: 'table row', at, bytes } });
    }
    addNamed(pieces, wanted, rows);
  }
  return pieces;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const linesIn = (text: string) => text.split(/\r\n|\n|\r/).length - 1;

/** Finds rows in the sheets of a workbook; a row is shown as XML, followed by the text of its cells. */
export async function findSheetRows(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  const parts = await openWorkbook(file);
  const strings = await sharedStrings(parts.get('xl/sharedStrings.xml'));
  for (const [path, part] of parts) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(path)) continue;
    const rows: Row[] = [];
    for await (const { tag, offset, bytes } of cutElements(plainBytes(part), ['row'])) {
      const [, ...written] = decodeBytes(bytes).split(/<c(?=[\s>])/);
      const cells = written.map((cell) => {
        const tag = cell.slice(0, cell.indexOf('>'));
        const value = stripTags(cell.slice(tag.length + 1));
        const text = /\st="s"/.test(tag) ? (strings[Number(value)] ?? '') : value;
        return { place: /\sr="([A-Z]+\d+)"/.exec(tag)?.[1] ?? '', text };
      });
      const shown = cells.map(({ place, text }) => `${place} ${text}`).join('\n');
      const at = `${path} row ${/\sr="(\d+)"/.exec(tag)?.[1] ?? '?'}, byte ${offset}`;
      const whole = Buffer.concat([bytes, Buffer.from(`\n${shown}`)]);
      rows.push({
        cells: cells.map(({ text }) => text),
        piece: { what: 'sheet row, with its cells', at, bytes: whole },
      });
    }
    addNamed(pieces, wanted, rows);
  }
  return pieces;
}

async function sharedStrings(part: SourceFile | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  for await (const { bytes } of cutElements(plainBytes(part), ['si'])) {
    strings.push(stripTags(withoutReadings(decodeBytes(bytes))));
  }
  return strings;
}

const READING_END = '</rPh>';

/** The pronunciation of a word (rPh) is not part of the text. */
function withoutReadings(text: string): string {
  const [first = '', ...rest] = text.split(/<rPh(?=[\s>])/);
  return first + rest.map((piece) => piece.slice(piece.indexOf(READING_END) + READING_END.length)).join('');
}

function addNamed(pieces: RawPieces, wanted: readonly RecordQuery[], rows: readonly Row[]): void {
  for (const each of wanted) {
    const name = keyOf(each.name ?? '');
    if (name === '') continue;
    for (const [i, { cells, piece }] of rows.entries()) {
      if (!cells.some((cell) => isName(keyOf(cell), name)) || (pieces.get(each)?.length ?? 0) >= MOST_PIECES) continue;
      addPiece(pieces, each, piece);
      const head = rows
        .slice(0, i)
        .findLast((row) => row.cells.length > 1 && row.cells.every((cell) => !/\d{2}/.test(cell)));
      if (head !== undefined) addPiece(pieces, each, { ...head.piece, what: 'head of the table' });
    }
  }
}

/** A note may follow the name, or a number precede it. */
const isName = (cell: string, name: string) => cell === name || cell.startsWith(`${name}(`) || cell.endsWith(name);

const keyOf = (text: string) => text.normalize('NFKC').replace(/\s+/gu, '');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function stripTags(text: string): string {
  return text.replace(/<[^<>]*>/g, '').replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
