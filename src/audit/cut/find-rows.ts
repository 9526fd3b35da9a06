import type { SourceFile } from '../../files/source-file.ts';
import { cutLines, type Line } from './cut-lines.ts';
import { addPiece, type Piece, type Pieces, placeOf, plainBytes, type Wanted } from './piece.ts';

const HEADER_WITHIN = 60;

const pieceOf = (what: string, { number, offset, bytes }: Line): Piece => ({
  what,
  at: placeOf(number, offset),
  bytes,
});

/** Whole lines by their numbers: one JSON value to a line. */
export async function findLines(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  for await (const line of cutLines(plainBytes(file), false)) {
    for (const each of wanted) if (each.line === line.number) addPiece(pieces, each, pieceOf('record', line));
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
