import { own } from '../../files/read-json.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import { EARTH_ITEM, GREGORIAN_ITEM } from './properties.ts';

/** Readers of Wikidata's kinds of values; each gives undefined for what is none of its kind. */

const ITEM_ID = /^Q[1-9]\d{0,9}$/;

export function itemId(text: unknown): string | undefined {
  return typeof text === 'string' && ITEM_ID.test(text) ? text : undefined;
}

/** Older files have the number only. */
export function itemOf(value: unknown): string | undefined {
  const number = own(value, 'numeric-id');
  const byNumber = own(value, 'entity-type') === 'item' && typeof number === 'number' ? `Q${number}` : undefined;
  return itemId(own(value, 'id')) ?? itemId(byNumber);
}

/** http://www.wikidata.org/entity/Q11573 */
function itemOfUrl(url: unknown): string | undefined {
  return typeof url === 'string' ? itemId(url.slice(url.lastIndexOf('/') + 1)) : undefined;
}

interface Quantity {
  amount: number;
  /** Undefined for a bare number, or for what is no unit. */
  unit: string | undefined;
  bare: boolean;
}

/** Amounts are decimals in text, with a sign: +332.6 */
export function quantityOf(value: unknown): Quantity | undefined {
  const amount = own(value, 'amount');
  if (typeof amount !== 'string' || !/^[+-]?\d{1,15}(\.\d{1,30})?$/.test(amount)) return undefined;
  const unit = own(value, 'unit');
  return { amount: Number(amount), unit: itemOfUrl(unit), bare: unit === '1' };
}

const TIME = /^\+(\d{4,9})-(\d\d)-(\d\d)T\d\d:\d\d:\d\dZ$/;
/** 9 is a year, 10 a month, 11 a day; less is a decade and more. */
const YEAR_PRECISION = 9;

/** The year of a Gregorian time that is known at least to the year. */
export function yearOf(value: unknown): number | undefined {
  const time = own(value, 'time');
  const precision = own(value, 'precision');
  const match = typeof time === 'string' ? TIME.exec(time) : null;
  if (match === null || typeof precision !== 'number' || precision < YEAR_PRECISION) return undefined;
  return itemOfUrl(own(value, 'calendarmodel')) === GREGORIAN_ITEM ? Number(match[1]) : undefined;
}

/** The first day of a time as an instant that sorts; a month or day of 00 is an unknown one. */
export function endOf(value: unknown): string | undefined {
  const time = own(value, 'time');
  if (typeof time !== 'string') return undefined;
  if (time.startsWith('-')) return '';
  const match = TIME.exec(time);
  if (match === null || (match[1] as string).length > 4) return undefined;
  const [, year, month, day] = match;
  return `${year}-${month === '00' ? '01' : month}-${day === '00' ? '01' : day}T00:00:00Z`;
}

export interface Coordinate {
  position: Position;
  /** In degrees; undefined where it is not known. */
  precision: number | undefined;
}

export function coordinateOf(value: unknown): Coordinate | undefined {
  const lat = own(value, 'latitude');
  const lon = own(value, 'longitude');
  const precision = own(value, 'precision');
  if (typeof lat !== 'number' || typeof lon !== 'number') return undefined;
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180) || itemOfUrl(own(value, 'globe')) !== EARTH_ITEM) return undefined;
  return { position: [lon, lat], precision: typeof precision === 'number' ? precision : undefined };
}
