import { parseJapaneseDate } from '../../vocabulary/japanese.ts';
import { parseRealEstateId } from '../../vocabulary/real-estate-id.ts';
import { cleanText, printable } from '../../vocabulary/text.ts';
import { METRE_UNITS, NO_VALUE_WORDS, SQUARE_METRE_UNITS } from './mapping.ts';

/** A value, no value, or what is wrong with it. */
export type ReadValue<T> = T | undefined | { fault: string };

const SENTINELS: ReadonlySet<number> = new Set([9999, -9999]);
const EARLIEST_YEAR = 1500;

function readNumber(text: string): number {
  const plain = text.normalize('NFKC').replaceAll(',', '').trim();
  return /^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$/i.test(plain) ? Number(plain) : Number.NaN;
}

function readMeasure(
  text: string,
  unit: string | undefined,
  units: Readonly<Record<string, number>>,
  field: string,
): ReadValue<number> {
  const value = readNumber(text);
  if (Number.isNaN(value)) return { fault: `${field} is not a number` };
  if (value <= 0) return undefined;
  const uom = (unit ?? '').normalize('NFKC').trim().toLowerCase().replace(/^#/, '');
  const factor = Object.hasOwn(units, uom) ? (units[uom] as number) : undefined;
  if (factor === undefined) return { fault: `${field} has the unsupported unit ${printable(uom, 20)}` };
  return factor === 1 ? value : Math.round(value * factor * 1e6) / 1e6;
}

export function readHeight(text: string, unit: string | undefined): ReadValue<number> {
  return SENTINELS.has(readNumber(text)) ? undefined : readMeasure(text, unit, METRE_UNITS, 'heightM');
}

export function readFloorArea(text: string, unit: string | undefined): ReadValue<number> {
  return readMeasure(text, unit, SQUARE_METRE_UNITS, 'gfaM2');
}

/** 0 storeys above ground means that the number is unknown. */
export function readStoreysAbove(text: string): ReadValue<number> {
  const count = readStoreys(text, 'floorsAbove');
  return count === 0 ? undefined : count;
}

export function readStoreysBelow(text: string): ReadValue<number> {
  return readStoreys(text, 'floorsBelow');
}

function readStoreys(text: string, field: string): ReadValue<number> {
  const count = readNumber(text);
  if (Number.isNaN(count)) return { fault: `${field} is not a number` };
  return SENTINELS.has(count) ? undefined : count;
}

/** The year of a year or date, with or without a time zone. Surveyed buildings exist, so a future year is an error. */
export function readYear(text: string, latest: number): ReadValue<number> {
  const plain = text.trim().replace(/(?:Z|[-+]\d{2}:\d{2})$/, '');
  const year = parseJapaneseDate(plain.length > 40 ? '' : plain)?.year;
  if (year === undefined) return /^-?0*(?:9999)?$/.test(plain) ? undefined : { fault: 'yearBuilt is not a year' };
  if (year < EARLIEST_YEAR || SENTINELS.has(year)) return undefined;
  return year > latest ? { fault: 'yearBuilt is in the future' } : year;
}

/** A name or an address; undefined for words that mean "unknown". */
export function readWords(text: string): string | undefined {
  const words = cleanText(text);
  return NO_VALUE_WORDS.has(words) ? undefined : detach(words);
}

export function readRealEstateId(text: string): ReadValue<string> {
  if (readWords(text) === undefined) return undefined;
  const id = parseRealEstateId(text);
  if (id === undefined) return { fault: 'a real-estate ID must have 13 digits, or 13 and 4' };
  return id.startsWith('0'.repeat(13)) ? undefined : id;
}

/** A copy of a text that does not keep the chunk of its file in memory. */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}
