import { isObject, type Json, own } from '../../files/read-json.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import { EARTH_ITEM, GREGORIAN_ITEM, P } from './properties.ts';

interface ItemStatement {
  /** The value of the main snak, of any type. */
  value: unknown;
  preferred: boolean;
  /** P518: it applies only to a part. */
  ofPart: boolean;
}

/** More statements of one property than any building has. */
const MAX_STATEMENTS = 1_000;

/** The statements of a property that are neither deprecated nor ended at the given moment, in the item's order. */
export function currentStatements(entity: Json, property: string, now: string): ItemStatement[] {
  return readStatements(entity, property, now).filter(isKnown);
}

/** The preferred current statements, if there are any; "none" and "unknown" are no values. */
export function bestStatements(entity: Json, property: string, now: string): ItemStatement[] {
  const all = readStatements(entity, property, now);
  const preferred = all.filter((statement) => statement.preferred);
  return (preferred.length > 0 ? preferred : all).filter(isKnown);
}

const isKnown = (statement: ItemStatement) => statement.value !== undefined;

function readStatements(entity: Json, property: string, now: string): ItemStatement[] {
  const claims = own(own(entity, 'claims'), property);
  if (!Array.isArray(claims)) return [];
  const statements: ItemStatement[] = [];
  for (const claim of claims.slice(0, MAX_STATEMENTS)) {
    const rank = own(claim, 'rank');
    const snak = own(claim, 'mainsnak');
    if ((rank !== 'preferred' && rank !== 'normal') || !isObject(snak)) continue;
    const qualifiers = own(claim, 'qualifiers');
    if (hasEnded(own(qualifiers, P.endTime), now)) continue;
    const ofPart = Array.isArray(own(qualifiers, P.appliesToPart));
    statements.push({ value: snakValue(snak), preferred: rank === 'preferred', ofPart });
  }
  return statements;
}

function snakValue(snak: unknown): unknown {
  return own(snak, 'snaktype') === 'value' ? own(own(snak, 'datavalue'), 'value') : undefined;
}

/** Whether it ended at an unknown time, or in a period that began before now. */
function hasEnded(ends: unknown, now: string): boolean {
  if (!Array.isArray(ends)) return false;
  return ends.some((snak) => {
    if (own(snak, 'snaktype') === 'somevalue') return true;
    const end = sortableInstant(snakValue(snak));
    return end !== undefined && end < now;
  });
}

/** Readers of Wikidata's value types; each returns undefined for any other type. */

const ITEM_ID = /^Q[1-9]\d{0,9}$/;

export function itemId(text: unknown): string | undefined {
  return typeof text === 'string' && ITEM_ID.test(text) ? text : undefined;
}

/** Older files have only the number. */
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
  /** Undefined without a valid unit. */
  unit: string | undefined;
  bare: boolean;
}

/** Amounts are decimal strings with a sign: +332.6 */
export function quantityOf(value: unknown): Quantity | undefined {
  const amount = own(value, 'amount');
  if (typeof amount !== 'string' || !/^[+-]?\d{1,15}(\.\d{1,30})?$/.test(amount)) return undefined;
  const unit = own(value, 'unit');
  return { amount: Number(amount), unit: itemOfUrl(unit), bare: unit === '1' };
}

const TIME = /^\+(\d{4,9})-(\d\d)-(\d\d)T\d\d:\d\d:\d\dZ$/;
/** 9 is a year, 10 a month, 11 a day; smaller numbers are coarser. */
const YEAR_PRECISION = 9;

/** The year of a Gregorian time with a precision of a year or better. */
export function yearOf(value: unknown): number | undefined {
  const time = own(value, 'time');
  const precision = own(value, 'precision');
  const match = typeof time === 'string' ? TIME.exec(time) : null;
  if (match === null || typeof precision !== 'number' || precision < YEAR_PRECISION) return undefined;
  return itemOfUrl(own(value, 'calendarmodel')) === GREGORIAN_ITEM ? Number(match[1]) : undefined;
}

/** The first day of a time as a sortable instant; a month or day of 00 is unknown. */
export function sortableInstant(value: unknown): string | undefined {
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
  /** In degrees. */
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
