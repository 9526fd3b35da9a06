import type { Consensus, Measure } from '../../../reit/publication/measure.ts';
import { shiftDecimal } from '../../../vocabulary/exact-number.ts';
import { stateText } from './words.ts';

const UNITS: Readonly<Record<string, string>> = { JPY: ' 円', m2: ' m²', day: ' days', count: '' };

/** An exact amount for people: grouped, a ratio as percent, and never through a float. */
function amountText(amount: string, unit: string): string {
  if (unit === 'ratio') return `${trim(shiftDecimal(amount, 2))}%`;
  return `${group(amount)}${UNITS[unit] ?? ` ${unit}`}`;
}

/** What is published of a value, or the state that stands in its place. */
export function valueText(value: Consensus | Measure | null, status: string): string {
  if (value === null) return stateText(status);
  if ('amount' in value) return amountText(value.amount, value.unit);
  return 'date' in value ? value.date : stateText(value.state);
}

/** The amount as the API has it, to be computed with, and how people write it; nothing where there is none. */
export function exactText(value: Consensus | Measure | null): string {
  if (value === null) return '';
  if ('date' in value) return value.date;
  if (!('amount' in value)) return '';
  return `${value.amount} ${value.unit} (${amountText(value.amount, value.unit)})`;
}

function group(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const trim = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

export const dayText = (day: string | null): string => day ?? 'not stated';

/** The last day of ownership; a filing leaves it out where it goes on. */
export const endText = (day: string | null): string => day ?? 'not ended';

/** A share of a whole, `1/2`. */
export const shareText = (share: { numerator: number; denominator: number } | null): string =>
  share === null ? 'not stated' : `${share.numerator}/${share.denominator}`;
