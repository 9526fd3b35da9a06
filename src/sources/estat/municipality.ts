import { ForeignFile } from '../../files/broken-file.ts';
import { cleanText, hiddenIn } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import type { Attributes } from './read-attributes.ts';

const CODE = 'N03_007';
/** County, municipality, and since 2024 the ward of a city, which had stood in the place of the municipality. */
const NAMES = ['N03_003', 'N03_004', 'N03_005'] as const;
/** Land of which it is open whose it is. */
const UNDECIDED = /^所属未定/u;

/** The municipality that a shape of 行政区域 (N03) belongs to; undefined where it belongs to none. */
export function municipalityOf(cell: (column: string) => string): Attributes | undefined {
  const code = cell(CODE).trim();
  const city = cell('N03_004').trim();
  if (code === '' || city === '' || UNDECIDED.test(city)) return undefined;
  const ward = code.padStart(5, '0');
  // Editions of former times have dates in N03_005.
  const name = NAMES.map((column) => cell(column).trim())
    .filter((part) => !/^\d/.test(part))
    .join('');
  return {
    ...{ key: `${ward}/N03`, ward, nameJa: cleanText(name), isWard: true },
    ...{ hidden: hiddenIn(name), isLegible: !name.includes('\ufffd') },
  };
}

/** Whether a table or a feature is of N03, by the names of its columns. */
export function isMunicipal(columns: readonly string[]): boolean {
  return columns.some((name) => /^N03_\d{3}$/.test(name));
}

/** What is said of the shapes that belong to no municipality; where all do, it is a file of prefectures. */
export function leftOut(file: string, lines: readonly number[], shapes: number): Item[] {
  if (lines.length === shapes) throw new ForeignFile('it has no municipality (N03_007 and N03_004)');
  if (lines.length === 0) return [];
  const reason = `shapes of no municipality (所属未定地) left out: ${lines.length}`;
  return [
    { kind: 'remark', file, reason },
    ...lines.map((line): Item => ({ kind: 'detail', at: { file, line }, record: null, reason: 'of no municipality' })),
  ];
}
