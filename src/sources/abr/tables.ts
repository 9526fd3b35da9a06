import { BrokenFile, ForeignFile, untilBroken } from '../../files/broken-file.ts';
import { readCsv } from '../../files/read-csv.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText, hiddenIn } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';

interface TableDefinition {
  /** The name of the table in the registry. */
  title: string;
  /** Columns that the header row must have. */
  columns: readonly string[];
  /** Columns that the header row may have; their cells are blank otherwise. */
  optional: readonly string[];
  /** Columns that only other tables have. */
  without: readonly string[];
}

const POINT = ['rep_lon', 'rep_lat', 'rep_srid'] as const;
const TOWN = ['lg_code', 'machiaza_id', 'city', 'ward', 'oaza_cho', 'chome', 'koaza'] as const;

/** The tables that are read, recognised by their header rows: files get renamed, headers do not. */
const TABLES = {
  prefecture: {
    title: 'prefectures (mt_pref)',
    columns: ['lg_code', 'pref', 'pref_roma'],
    optional: ['ablt_date'],
    without: ['city', 'machiaza_id'],
  },
  ward: {
    title: 'municipalities (mt_city)',
    columns: ['lg_code', 'pref', 'pref_roma', 'county', 'county_roma', 'city', 'city_roma', 'ward', 'ward_roma'],
    optional: ['ablt_date'],
    without: ['machiaza_id'],
  },
  machiAza: {
    title: 'machi-aza (mt_town)',
    columns: [
      ...TOWN,
      'pref',
      'pref_roma',
      'county',
      'county_roma',
      'city_roma',
      'ward_roma',
      'oaza_cho_roma',
      'chome_number',
      'koaza_roma',
    ],
    optional: ['ablt_date', 'rsdt_addr_flg', 'koaza_aka_code', 'post_code'],
    without: ['blk_id', 'prc_id'],
  },
  areaPoint: {
    title: 'positions of prefectures and municipalities (mt_pref_pos, mt_city_pos)',
    columns: ['lg_code', ...POINT],
    optional: [],
    without: ['machiaza_id'],
  },
  machiAzaPoint: {
    title: 'positions of machi-aza (mt_town_pos)',
    columns: ['lg_code', 'machiaza_id', ...POINT],
    optional: ['rsdt_addr_flg'],
    without: ['blk_id', 'prc_id'],
  },
  block: {
    title: 'blocks (mt_rsdtdsp_blk)',
    columns: [...TOWN, 'blk_id', 'blk_num'],
    optional: ['ablt_date'],
    without: ['rsdt_id'],
  },
  blockPoint: {
    title: 'positions of blocks (mt_rsdtdsp_blk_pos)',
    columns: ['lg_code', 'machiaza_id', 'blk_id', ...POINT],
    optional: [],
    without: ['rsdt_id', 'blk_num'],
  },
  residence: {
    title: 'residences (mt_rsdtdsp_rsdt)',
    columns: [...TOWN, 'blk_id', 'rsdt_id', 'rsdt2_id', 'blk_num', 'rsdt_num', 'rsdt_num2'],
    optional: ['ablt_date'],
    without: [],
  },
  residencePoint: {
    title: 'positions of residences (mt_rsdtdsp_rsdt_pos)',
    columns: ['lg_code', 'machiaza_id', 'blk_id', 'rsdt_id', 'rsdt2_id', ...POINT],
    optional: [],
    without: ['blk_num'],
  },
  parcel: {
    title: 'parcels (mt_parcel)',
    columns: [...TOWN, 'prc_id', 'prc_num1', 'prc_num2', 'prc_num3'],
    optional: ['ablt_date'],
    without: [],
  },
  parcelPoint: {
    title: 'positions of parcels (mt_parcel_pos)',
    columns: ['lg_code', 'machiaza_id', 'prc_id', ...POINT],
    optional: [],
    without: ['prc_num1'],
  },
} as const satisfies Record<string, TableDefinition>;

type TableKind = keyof typeof TABLES;

type Column<K extends TableKind> = (typeof TABLES)[K]['columns'][number] | (typeof TABLES)[K]['optional'][number];

/** The cells of a row by column. */
export type AbrCells<K extends TableKind> = Readonly<Record<Column<K>, string>>;

function tableKindOf(header: readonly string[]): TableKind | undefined {
  return (Object.keys(TABLES) as TableKind[]).find((kind) => {
    const { columns, without }: TableDefinition = TABLES[kind];
    return columns.every((c) => header.includes(c)) && !without.some((c) => header.includes(c));
  });
}

const TABLE_TITLES: string = Object.values(TABLES)
  .map(({ title }) => title)
  .join(', ');

export interface AbrTable<K extends TableKind = TableKind> {
  file: SourceFile;
  kind: K;
  header: readonly string[];
  /** The ID cells of its first row, by which tables are sorted. */
  first: string;
}

export interface TableRow<C> {
  kind: 'row';
  file: string;
  line: number;
  cells: C;
}

export type AbrRow<K extends TableKind> = TableRow<AbrCells<K>>;

const NOT_READ = `unknown header row; expected one of: ${TABLE_TITLES}`;

/** Recognises a table by its header row. */
export async function openTable(file: SourceFile): Promise<AbrTable> {
  for await (const [header, row] of readCsv(file, 'utf-8')) {
    const kind = header && tableKindOf(header.cells);
    if (header?.unended) throw new BrokenFile('the file ends in its header row and may be cut off');
    if (kind === undefined) {
      // The registry has tables that are not read here.
      const isRegistrys = header?.cells.includes('lg_code');
      throw isRegistrys ? new ForeignFile(NOT_READ) : new BrokenFile(NOT_READ);
    }
    const first = (row?.cells ?? []).filter((_, i) => /^(lg_code|.*_id)$/.test(header?.cells[i] ?? '')).join('-');
    return { file, kind, header: header?.cells ?? [], first };
  }
  throw new BrokenFile('no header row: the file may be cut off');
}

/** The rows of all tables of one kind that are in force, with rejections and broken files between them. */
export async function* readTables<K extends TableKind>(
  tables: readonly AbrTable[],
  kind: K,
): AsyncGenerator<(AbrRow<K> | Item)[]> {
  for (const table of tables) {
    if (table.kind === kind) yield* untilBroken(table.file.name, readRows(table as AbrTable<K>));
  }
}

async function* readRows<K extends TableKind>({
  file,
  kind,
  header,
}: AbrTable<K>): AsyncGenerator<(AbrRow<K> | Item)[]> {
  const columns = [...TABLES[kind].columns, ...TABLES[kind].optional].map(
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
        const reason = `${cells.length} cells, but the header has ${header.length}: the file may be cut off here`;
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
      if (!named.ablt_date) some.push({ kind: 'row', file: file.name, line, cells: named as AbrCells<K> });
    }
    yield some;
  }
}

/** Most cells are ASCII digits and need no cleaning. */
function clean(cell = ''): string {
  return /[^\x21-\x7e]/.test(cell) ? cleanText(cell) : cell;
}
