import type { SourceFile } from '../../files/source-file.ts';
import { type CutLine, cutLines, cutObjects } from './cut-bytes.ts';
import { cutElements } from './cut-elements.ts';
import { addPiece, plainBytes, positionText, type RawPiece, type RawPieces, type RecordQuery } from './piece.ts';

const HEADER_WITHIN = 60;

const pieceOf = (what: string, { number, offset, bytes }: CutLine): RawPiece => ({
  what,
  at: positionText(number, offset),
  bytes,
});

/** Finds lines by number, in a file with one JSON value per line. */
export async function findLines(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  for await (const line of cutLines(plainBytes(file), false)) {
    for (const each of wanted) if (each.line === line.number) addPiece(pieces, each, pieceOf('record', line));
  }
  return pieces;
}

/** Finds rows of a CSV by their first line, each with the header: the first row with as many cells. */
export async function findCsvRows(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  const first: CutLine[] = [];
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

/** Finds the rows of a CSV that begin with these cells. */
export async function findRowsByStart(file: SourceFile, starts: ReadonlySet<string>): Promise<Map<string, RawPiece[]>> {
  const found = new Map<string, RawPiece[]>();
  let header: CutLine | undefined;
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

/** Finds the buildings of a tile: the element at the stored line, and all others with the same ID (branches). */
export async function findBuildingElements(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  for await (const { line, offset, bytes, isCut } of cutElements(plainBytes(file), ['Building'])) {
    const piece: RawPiece = { what: 'element', at: positionText(line, offset), bytes, isCut };
    for (const each of wanted) {
      if (each.line === line || bytes.includes(`>${each.id}<`)) addPiece(pieces, each, piece);
    }
  }
  return pieces;
}

/** Finds the entries of code lists, by `list#code`. */
export async function findCodes(file: SourceFile, codes: ReadonlySet<string>): Promise<Map<string, RawPiece>> {
  const found = new Map<string, RawPiece>();
  const list = file.name.slice(file.name.lastIndexOf('/') + 1);
  for await (const { line, offset, bytes } of cutElements(plainBytes(file), ['Definition'])) {
    const code = /<(?:\w+:)?name[^<>]*>([^<]*)</.exec(bytes.toString('utf8'))?.[1]?.trim();
    const key = `${list}#${code}`;
    if (codes.has(key)) found.set(key, { what: `code list ${list}`, at: positionText(line, offset), bytes });
  }
  return found;
}

/** Finds Wikidata entities: members of `entities`, or lines of a dump. */
export async function findEntities(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  for await (const { line, offset, bytes } of cutObjects(plainBytes(file), 3)) {
    const id = parse(bytes)?.id;
    for (const each of wanted) {
      if (each.id === id) addPiece(pieces, each, { what: 'entity', at: positionText(line, offset), bytes });
    }
  }
  const inLines = wanted.filter((each) => !pieces.has(each));
  if (inLines.length > 0) for (const [each, found] of await findLines(file, inLines)) pieces.set(each, found);
  return pieces;
}

/** Finds replies of Nominatim: the whole document, members of a list or of `features`, or lines. */
export async function findReplies(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  if (/\.(ndjson|jsonl)$/i.test(file.name)) return findLines(file, wanted);
  const pieces: RawPieces = new Map();
  for (const depth of [3, 2, 1]) {
    for await (const { line, offset, bytes } of cutObjects(plainBytes(file), depth)) {
      const reply = parse(bytes);
      if (reply === undefined) continue;
      for (const each of wanted) {
        if (pieces.has(each) || !isReply(reply, each.id)) continue;
        addPiece(pieces, each, { what: 'reply', at: positionText(line, offset), bytes });
      }
    }
  }
  return pieces;
}

/** Nominatim writes node, N or W; a record without OSM ID is identified by place ID or position. */
function isReply(reply: Record<string, unknown>, id: string): boolean {
  const text = JSON.stringify(reply);
  const [type = '', number = ''] = id.split('/');
  if (number === '') {
    const [lat = '', lon = ''] = id.split(',');
    return text.includes(lat) && text.includes(lon) && 'display_name' in reply;
  }
  if (type === 'place') return String(reply.place_id) === number;
  const outer = (reply.properties ?? reply) as Record<string, unknown>;
  const properties = (outer.geocoding ?? outer) as Record<string, unknown>;
  return String(properties.osm_id) === number && String(properties.osm_type ?? '').toLowerCase()[0] === type[0];
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
