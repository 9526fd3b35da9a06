import { parseJapaneseDate } from '../../vocabulary/japanese.ts';
import { cleanText, printable, withHyphens } from '../../vocabulary/text.ts';
import { METRE_UNITS, NO_VALUE_WORDS, SQUARE_METRE_UNITS } from './mapping.ts';

/** A value, none, or why what stands there is none. */
export type ReadValue<T> = T | undefined | { fault: string };

const SENTINELS: ReadonlySet<number> = new Set([9999, -9999]);
const EARLIEST_YEAR = 1500;

function readNumber(text: string): number {
  const plain = text.normalize('NFKC').replaceAll(',', '').trim();
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i.test(plain) ? Number(plain) : Number.NaN;
}

function readMeasure(
  text: string,
  unit: string | undefined,
  units: Readonly<Record<string, number>>,
  field: string,
): ReadValue<number> {
  const value = readNumber(text);
  if (Number.isNaN(value)) return { fault: `${field} is no number` };
  if (value <= 0) return undefined;
  const uom = (unit ?? '').normalize('NFKC').trim().toLowerCase().replace(/^#/, '');
  const factor = Object.hasOwn(units, uom) ? (units[uom] as number) : undefined;
  if (factor === undefined) return { fault: `${field} is given in ${printable(uom, 20)}, a unit that is not read` };
  return factor === 1 ? value : Math.round(value * factor * 1e6) / 1e6;
}

export function readHeight(text: string, unit: string | undefined): ReadValue<number> {
  return SENTINELS.has(readNumber(text)) ? undefined : readMeasure(text, unit, METRE_UNITS, 'heightM');
}

export function readFloorArea(text: string, unit: string | undefined): ReadValue<number> {
  return readMeasure(text, unit, SQUARE_METRE_UNITS, 'gfaM2');
}

/** No building has 0 storeys above ground: there it says that nothing is known. */
export function readStoreysAbove(text: string): ReadValue<number> {
  const count = readStoreys(text, 'floorsAbove');
  return count === 0 ? undefined : count;
}

export function readStoreysBelow(text: string): ReadValue<number> {
  return readStoreys(text, 'floorsBelow');
}

function readStoreys(text: string, field: string): ReadValue<number> {
  const count = readNumber(text);
  if (Number.isNaN(count)) return { fault: `${field} is no number` };
  return SENTINELS.has(count) ? undefined : count;
}

/** The year of a year or a date, with or without a zone. What was surveyed stands: a year to come is an error. */
export function readYear(text: string, latest: number): ReadValue<number> {
  const plain = text.trim().replace(/(?:Z|[-+]\d{2}:\d{2})$/, '');
  const year = parseJapaneseDate(plain.length > 40 ? '' : plain)?.year;
  if (year === undefined) return /^-?0*(?:9999)?$/.test(plain) ? undefined : { fault: 'yearBuilt is no year' };
  if (year < EARLIEST_YEAR || SENTINELS.has(year)) return undefined;
  return year > latest ? { fault: 'yearBuilt is still to come' } : year;
}

/** A name or an address; undefined for words that stand where nothing is known. */
export function readWords(text: string): string | undefined {
  const words = cleanText(text);
  return NO_VALUE_WORDS.has(words) ? undefined : detach(words);
}

/** The 13 digits of the land register and, after a hyphen, the 4 that tell parts of a property apart, where they are given. */
export function readRealEstateId(text: string): ReadValue<string> {
  if (readWords(text) === undefined) return undefined;
  const plain = withHyphens(text.slice(0, 100).normalize('NFKC').replace(/\s+/gu, ''));
  const [, number, code] = /^(\d{13})(?:-?(\d{4}))?$/.exec(plain) ?? [];
  if (number === undefined) return { fault: 'a real-estate ID is not 13 and 4 digits' };
  if (/^0+$/.test(number)) return undefined;
  return code === undefined ? number : `${number}-${code}`;
}

/** A text that does not keep alive the chunk of a file that it was cut from. */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}
