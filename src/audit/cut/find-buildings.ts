import type { SourceFile } from '../../files/source-file.ts';
import { cutElements } from './cut-elements.ts';
import { addPiece, type Piece, type Pieces, placeOf, plainBytes, type Wanted } from './piece.ts';

/** The buildings of a tile: the element at the line that was kept, and all others that carry the same ID (branches). */
export async function findBuildings(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  for await (const { line, offset, bytes, isCut } of cutElements(plainBytes(file), ['Building'])) {
    const piece: Piece = { what: 'element', at: placeOf(line, offset), bytes, isCut };
    for (const each of wanted) {
      if (each.line === line || bytes.includes(`>${each.id}<`)) addPiece(pieces, each, piece);
    }
  }
  return pieces;
}

/** The entries of code lists for these codes, by `list#code`. */
export async function findCodes(file: SourceFile, codes: ReadonlySet<string>): Promise<Map<string, Piece>> {
  const found = new Map<string, Piece>();
  const list = file.name.slice(file.name.lastIndexOf('/') + 1);
  for await (const { line, offset, bytes } of cutElements(plainBytes(file), ['Definition'])) {
    const code = /<(?:\w+:)?name[^<>]*>\s*([^<]*?)\s*</.exec(bytes.toString('utf8'))?.[1];
    const key = `${list}#${code}`;
    if (codes.has(key)) found.set(key, { what: `code list ${list}`, at: placeOf(line, offset), bytes });
  }
  return found;
}
