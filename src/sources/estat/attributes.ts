import { openDbf } from 'shapefile';
import { BrokenFile, ForeignFile } from '../../files/broken-file.ts';
import { cleanText, DASHES, hiddenIn } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';

/** Columns by meaning; a census before 2015 has other names. */
const COLUMNS = {
  key: ['KEY_CODE'],
  prefecture: ['PREF', 'KEN'],
  city: ['CITY'],
  name: ['S_NAME', 'MOJI'],
  kind: ['HCODE'],
} as const;

/** A body of water with an area code of its own. */
const WATER = '8154';
const NO_NAME = new RegExp(`^[\\s${DASHES}]*$`, 'u');

export interface AreaAttributes {
  key: string;
  /** A ward, as opposed to a neighbourhood. */
  isWard: boolean;
  ward: string;
  nameJa: string;
  /** Hidden characters removed from its name. */
  hidden: string | undefined;
  /** Whether its name could be decoded. */
  isLegible: boolean;
}

interface AttributeTable {
  /** One entry per row; undefined if it is neither a neighbourhood nor a municipality. */
  attributes: (AreaAttributes | undefined)[];
  areWards: boolean;
}

export async function readAttributes(dbf: Buffer, encoding: string): Promise<AttributeTable> {
  const rows: AttributeTable = { attributes: [], areWards: false };
  let read: ((cells: Cells) => AreaAttributes | undefined) | undefined;
  const table = await openDbf(dbf, { encoding });
  for (let row = await table.read(); !row.done; row = await table.read()) {
    const cells = row.value as Cells;
    if (read === undefined) {
      rows.areWards = isMunicipalityTable(Object.keys(cells));
      read = readerOf(Object.keys(cells), rows.areWards);
    }
    rows.attributes.push(read(cells));
  }
  return rows;
}

type Cells = Readonly<Record<string, unknown>>;

function readerOf(names: readonly string[], areWards: boolean): (cells: Cells) => AreaAttributes | undefined {
  if (areWards) return (cells) => municipalityAttributes((column) => cellOf(cells, column));
  const columns = findColumns(names);
  return (cells) => attributesOf((what) => cellOf(cells, columns[what]));
}

function findColumns(names: readonly string[]): Record<keyof typeof COLUMNS, string | undefined> {
  const find = (what: keyof typeof COLUMNS) => COLUMNS[what].find((name) => names.includes(name));
  const columns = {
    key: find('key'),
    prefecture: find('prefecture'),
    city: find('city'),
    name: find('name'),
    kind: find('kind'),
  };
  if (columns.key === undefined || columns.name === undefined) {
    throw new BrokenFile(
      'the .dbf has neither KEY_CODE and S_NAME (small areas of a census) nor N03_007 (municipalities)',
    );
  }
  return columns;
}

function cellOf(cells: Cells, column: string | undefined): string {
  const value = column === undefined ? undefined : cells[column];
  return value === null || value === undefined ? '' : String(value);
}

function attributesOf(cell: (what: keyof typeof COLUMNS) => string): AreaAttributes | undefined {
  const [key, prefecture, city, name] = [cell('key'), cell('prefecture'), cell('city'), cell('name')];
  if (cell('kind') === WATER || NO_NAME.test(name)) return undefined;
  const ward = prefecture && city ? prefecture.padStart(2, '0') + city.padStart(3, '0') : key.slice(0, 5);
  return {
    key,
    isWard: false,
    ward,
    nameJa: cleanText(name),
    hidden: hiddenIn(name),
    isLegible: !name.includes('\ufffd'),
  };
}

const CODE = 'N03_007';
/** County, municipality, and since 2024 the ward of a city, which used to be in the municipality column. */
const NAMES = ['N03_003', 'N03_004', 'N03_005'] as const;
/** Land whose municipality is undecided. */
const UNDECIDED = /^所属未定/u;

/** The municipality of a shape of 行政区域 (N03), if it belongs to one. */
export function municipalityAttributes(cell: (column: string) => string): AreaAttributes | undefined {
  const code = cell(CODE).trim();
  const city = cell('N03_004').trim();
  if (code === '' || city === '' || UNDECIDED.test(city)) return undefined;
  const ward = code.padStart(5, '0');
  // Older editions have dates in N03_005.
  const name = NAMES.map((column) => cell(column).trim())
    .filter((part) => !/^\d/.test(part))
    .join('');
  return {
    ...{ key: `${ward}/N03`, ward, nameJa: cleanText(name), isWard: true },
    ...{ hidden: hiddenIn(name), isLegible: !name.includes('\ufffd') },
  };
}

/** Whether the columns of a table or feature are those of N03. */
export function isMunicipalityTable(columns: readonly string[]): boolean {
  return columns.some((name) => /^N03_\d{3}$/.test(name));
}

/** Reports the shapes without a municipality. If no shape has one, it is a file of prefectures. */
export function reportUnassigned(file: string, lines: readonly number[], shapes: number): Item[] {
  if (lines.length === shapes) throw new ForeignFile('no municipality in the file (N03_007 and N03_004)');
  if (lines.length === 0) return [];
  const reason = `shapes without a municipality (所属未定地) left out: ${lines.length}`;
  return [
    { kind: 'remark', file, reason },
    ...lines.map((line): Item => ({ kind: 'detail', at: { file, line }, record: null, reason: 'no municipality' })),
  ];
}
