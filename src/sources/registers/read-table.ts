import { BrokenFile } from '../../files/broken-file.ts';
import { type Row, readCsv } from '../../files/read-csv.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { printable } from '../../vocabulary/text.ts';

interface RegisterColumn {
  /** Accepted headers, the first one shown in messages. Width, case and white space are ignored. */
  headers: readonly string[];
  /** A file without a required column is broken; one without an expected column is read with a note. */
  need: 'required' | 'expected' | 'optional';
  /** It may occur several times. */
  repeated?: true;
}

export interface RegisterLayout<K extends string> {
  columns: Readonly<Record<K, RegisterColumn>>;
  /** The header row is the first row with this column; by default the first row that is not blank. */
  headedBy?: K;
  /** Unknown columns are refused. */
  closed: boolean;
  /** A row may leave these blank or omit their cells if it continues the row above (a cell over two rows). */
  spanning?: readonly K[];
}

export interface RegisterRow<K extends string> {
  line: number;
  /** The cell of the column, empty if there is none; the first one of a repeated column. */
  cell(column: K): string;
  cells(column: K): string[];
}

export type TableItem<K extends string> =
  | { kind: 'preamble'; cells: string[] }
  | { kind: 'missing'; line: number; header: string }
  | { kind: 'row'; row: RegisterRow<K> }
  | { kind: 'unusable'; line: number; reason: string };

/** Reads a table by its headers. Only complete rows are yielded: a cut file never yields half a value. */
export async function* readTable<K extends string>(
  file: SourceFile,
  layout: RegisterLayout<K>,
): AsyncGenerator<TableItem<K>[]> {
  const end = { endsLine: true };
  let header: Header<K> | undefined;
  let above: string[] = [];
  let last: Row | undefined;
  let fault: BrokenFile | undefined;
  const rowsOf = function* (rows: readonly Row[], mayBeCut: boolean): Generator<TableItem<K>> {
    for (const { line, cells } of rows) {
      const stated = withoutBlankEnd(cells);
      if (header === undefined) {
        header = readHeader(stated, layout);
        if (header !== undefined && mayBeCut) throw new BrokenFile('the file ends in its header and may be cut off');
        if (header === undefined) yield { kind: 'preamble', cells };
        else yield* header.missing.map((name) => ({ kind: 'missing' as const, line, header: name }));
        continue;
      }
      if (stated.length === 0) continue;
      const whole = fillFromAbove(cells, stated, header, above);
      if (whole === undefined) {
        const reason = `${cells.length} cells, but the header has ${header.width}; correct the row`;
        yield { kind: 'unusable', line, reason };
      } else if (mayBeCut && header.readsLast) {
        yield { kind: 'unusable', line, reason: 'last line without a line end: the file may be cut off; add one' };
      } else {
        above = whole;
        yield { kind: 'row', row: toRow(line, whole, header) };
      }
    }
  };
  try {
    for await (const rows of readCsv(watchEnd(file, end))) {
      yield [...rowsOf(last === undefined ? rows.slice(0, -1) : [last, ...rows.slice(0, -1)], false)];
      last = rows.at(-1);
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    fault = error;
  }
  if (last !== undefined) yield [...rowsOf([last], fault === undefined && !end.endsLine)];
  if (fault !== undefined) throw fault;
  if (header === undefined) {
    const name = layout.headedBy === undefined ? 'header' : `header ${layout.columns[layout.headedBy].headers[0]}`;
    throw new BrokenFile(`no row with a ${name}: another table, or cut off`);
  }
}

interface Header<K extends string> {
  width: number;
  places: Map<K, number[]>;
  missing: string[];
  readsLast: boolean;
  spanning: readonly K[];
}

/** Undefined if the row is not the header. */
function readHeader<K extends string>(cells: readonly string[], layout: RegisterLayout<K>): Header<K> | undefined {
  const columns = Object.entries(layout.columns) as [K, RegisterColumn][];
  const names = cells.map(headerKey);
  const placesOf = ({ headers }: RegisterColumn) =>
    names.flatMap((name, i) => (headers.map(headerKey).includes(name) ? [i] : []));
  if (cells.length === 0) return undefined;
  if (layout.headedBy !== undefined && placesOf(layout.columns[layout.headedBy]).length === 0) return undefined;
  const places = new Map(columns.map(([key, column]) => [key, placesOf(column)]));
  const known = columns.map(([, { headers }]) => headers[0]).join(', ');
  const read = new Set([...places.values()].flat());
  const unknown = layout.closed ? cells.findIndex((_, i) => !read.has(i)) : -1;
  if (unknown >= 0) {
    throw new BrokenFile(`unknown header "${printable(cells[unknown] as string, 60)}"; expected ${known}`);
  }
  const missing: string[] = [];
  for (const [key, { headers, need, repeated }] of columns) {
    const count = places.get(key)?.length ?? 0;
    if (count === 0 && need === 'required') throw new BrokenFile(`no column ${headers[0]}; expected ${known}`);
    if (count === 0 && need === 'expected') missing.push(headers[0] as string);
    if (count > 1 && repeated === undefined) throw new BrokenFile(`column ${headers[0]} occurs ${count} times`);
  }
  const readsLast = read.has(cells.length - 1);
  return { width: cells.length, places, missing, readsLast, spanning: layout.spanning ?? [] };
}

/** The headers that a table must have, as shown in messages. */
export function requiredHeaders<K extends string>({ columns }: RegisterLayout<K>): string[] {
  const all = Object.values<RegisterColumn>(columns);
  return all.flatMap(({ headers, need }) => (need === 'required' ? (headers[0] as string) : []));
}

/** Whether a row is certainly the header of this table: all required columns, and no unknown one if those are refused. */
export function isHeaderOf<K extends string>(
  cells: readonly string[],
  { columns, closed }: RegisterLayout<K>,
): boolean {
  const all = Object.values<RegisterColumn>(columns);
  const names = cells.map(headerKey).filter((name) => name !== '');
  const has = ({ headers }: RegisterColumn) => headers.some((header) => names.includes(headerKey(header)));
  if (!all.every((column) => column.need !== 'required' || has(column))) return false;
  const known = new Set(all.flatMap(({ headers }) => headers.map(headerKey)));
  return closed
    ? names.every((name) => known.has(name))
    : all.some((column) => column.need !== 'required' && has(column));
}

export function headerKey(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, '').toLowerCase();
}

function withoutBlankEnd(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}

/** The cells of a row, with those shared with the row above; undefined if they do not fit the header. */
function fillFromAbove<K extends string>(
  cells: readonly string[],
  stated: readonly string[],
  { width, places, spanning }: Header<K>,
  above: readonly string[],
): string[] | undefined {
  const shared = spanning.flatMap((key) => places.get(key) ?? []);
  if (cells.length >= width && stated.length <= width) {
    const blank = shared.length > 0 && above.length > 0 && shared.every((i) => cells[i] === '');
    return cells.slice(0, width).map((cell, i) => (blank && shared.includes(i) ? (above[i] as string) : cell));
  }
  // A table saved from a web page: the row lacks the leading cells that span two rows, and the button at the end.
  // A row that is cut off begins with a number instead.
  const first = Math.max(...shared) + 1;
  const spannedOrButton = [width - first, width - first - 1].includes(cells.length);
  if (above.length === 0 || shared.length === 0 || !spannedOrButton || /^[\d０-９]+$/u.test(cells[0] ?? ''))
    return undefined;
  return [...above.slice(0, first), ...cells, ...above.slice(first + cells.length)];
}

function toRow<K extends string>(line: number, cells: readonly string[], { places }: Header<K>): RegisterRow<K> {
  const cellsOf = (column: K) => (places.get(column) ?? []).map((place) => cells[place] ?? '');
  return { line, cells: cellsOf, cell: (column) => cellsOf(column)[0] ?? '' };
}

/** The same file; records whether its last line ended in a newline. */
function watchEnd(file: SourceFile, end: { endsLine: boolean }): SourceFile {
  return {
    name: file.name,
    size: file.size,
    async *bytes() {
      let tail = Buffer.alloc(0);
      for await (const chunk of file.bytes()) {
        tail = Buffer.concat([tail, chunk.subarray(-2)]).subarray(-2);
        yield chunk;
      }
      const isEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;
      // In UTF-16 a zero may follow the line end.
      end.endsLine = tail.length === 0 || isEnd(tail.at(-1)) || (tail.at(-1) === 0 && isEnd(tail[0]));
    },
  };
}
