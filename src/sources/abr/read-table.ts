import { BrokenFile, ForeignFile, untilBroken } from '../../files/broken-file.ts';
import { readCsv } from '../../files/read-csv.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText, hiddenIn } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import { type Cells, KINDS, kindOf, type TableKind, TITLES } from './kinds.ts';

export interface Table<K extends TableKind = TableKind> {
  file: SourceFile;
  kind: K;
  header: readonly string[];
  /** The cells of its first row that say what it is about, by which tables are put into an order. */
  first: string;
}

export interface RowWith<C> {
  kind: 'row';
  file: string;
  line: number;
  cells: C;
}

export type AbrRow<K extends TableKind> = RowWith<Cells<K>>;

const NOT_READ = `its header row is none of a table that is read: ${TITLES}`;

/** What a file holds, by its header row. */
export async function openTable(file: SourceFile): Promise<Table> {
  for await (const [header, row] of readCsv(file, 'utf-8')) {
    const kind = header && kindOf(header.cells);
    if (header?.unended) throw new BrokenFile('it ends in its header row: the file may be cut off');
    if (kind === undefined) {
      // The registry may have more tables than are read here.
      const isRegistrys = header?.cells.includes('lg_code');
      throw isRegistrys ? new ForeignFile(NOT_READ) : new BrokenFile(NOT_READ);
    }
    const first = (row?.cells ?? []).filter((_, i) => /^(lg_code|.*_id)$/.test(header?.cells[i] ?? '')).join('-');
    return { file, kind, header: header?.cells ?? [], first };
  }
  throw new BrokenFile('it has no header row: the file may be cut off');
}

/** The rows of some tables of one kind, those in force; what breaks or is no row comes between them. */
export async function* readTables<K extends TableKind>(
  tables: readonly Table[],
  kind: K,
): AsyncGenerator<(AbrRow<K> | Item)[]> {
  for (const table of tables) {
    if (table.kind === kind) yield* untilBroken(table.file.name, readRows(table as Table<K>));
  }
}

async function* readRows<K extends TableKind>({ file, kind, header }: Table<K>): AsyncGenerator<(AbrRow<K> | Item)[]> {
  const columns = [...KINDS[kind].columns, ...KINDS[kind].optional].map(
    (name) => [name, header.indexOf(name)] as const,
  );
  let isHeader = true;
  for await (const rows of readCsv(file, 'utf-8')) {
    const some: (AbrRow<K> | Item)[] = [];
    for (const { line, cells } of rows) {
      if (isHeader || (cells.length === 1 && cells[0] === '')) {
        isHeader = false;
        continue;
      }
      if (cells.length !== header.length) {
        const reason = `has ${cells.length} cells where the header has ${header.length}: the file may be cut off here`;
        some.push({ kind: 'rejected', at: { file: file.name, line }, record: null, reason });
        continue;
      }
      const named: Record<string, string> = {};
      for (const [name, index] of columns) {
        const cell = cells[index];
        named[name] = clean(cell);
        const hidden = cell === undefined ? undefined : hiddenIn(cell);
        if (hidden === undefined) continue;
        some.push({ kind: 'note', at: { file: file.name, line }, record: null, reason: `${name}: ${hidden} removed` });
      }
      if (!named.ablt_date) some.push({ kind: 'row', file: file.name, line, cells: named as Cells<K> });
    }
    yield some;
  }
}

/** Most cells are digits, of which there is nothing to clean. */
function clean(cell = ''): string {
  return /[^\x21-\x7e]/.test(cell) ? cleanText(cell) : cell;
}
