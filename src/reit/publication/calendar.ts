import { isCalendarDate } from '../../vocabulary/time.ts';

const DAY_MS = 86_400_000;

/** Days from the first to the last, both counted. */
export function daysBetween(first: string, last: string): number {
  return Math.round((dayNumber(last) - dayNumber(first)) / DAY_MS) + 1;
}

export function dayAfter(date: string): string {
  return new Date(dayNumber(date) + DAY_MS).toISOString().slice(0, 10);
}

export const isDay = (text: string): boolean => isCalendarDate(text) && text >= '0001-01-01' && text < '9999-12-31';

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
