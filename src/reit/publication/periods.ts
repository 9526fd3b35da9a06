import { isCalendarDate } from '../../vocabulary/time.ts';
import type { Fraction, Ownership, Period } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import type { AgreementField, Document } from './document.ts';

/** Oldest first, by end date. Ordinals are the issuer's and may contradict the calendar. */
export function periodsInOrder(periods: readonly Period[]): Period[] {
  return periods.toSorted(
    (a, b) =>
      compareText(a.endDate, b.endDate) ||
      a.ordinal - b.ordinal ||
      compareText(a.startDate, b.startDate) ||
      compareText(a.id, b.id),
  );
}

interface PeriodFigures {
  period: Period;
  /** The fields that a source states, in the order of the document. */
  fields: AgreementField[];
}

/** The periods in which anything is stated about a holding, oldest first. */
export function periodsWithFigures(document: Document, holdingId: string): PeriodFigures[] {
  const groups = document.agreement?.groups.filter((group) => group.holdingId === holdingId) ?? [];
  const fieldsOf = new Map(groups.map(({ periodId, fields }) => [periodId, fields]));
  return periodsInOrder(document.periods)
    .map((period) => ({
      period,
      fields: fieldsOf.get(period.id)?.filter(({ status }) => status !== 'missing') ?? [],
    }))
    .filter(({ fields }) => fields.length > 0);
}

export function latestPeriod(document: Document, holdingId: string): Period | undefined {
  return periodsWithFigures(document, holdingId).at(-1)?.period;
}

const DAY_MS = 86_400_000;

/** The number of days, including both. */
export function daysBetween(first: string, last: string): number {
  return Math.round((dayNumber(last) - dayNumber(first)) / DAY_MS) + 1;
}

function dayAfter(date: string): string {
  return new Date(dayNumber(date) + DAY_MS).toISOString().slice(0, 10);
}

export const isDay = (text: string): boolean => isCalendarDate(text) && text >= '0001-01-01' && text < '9999-12-31';

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/**
 * Whether a holding's share changed inside a period, so that its amounts mix two shares. The first acquisition does not
 * count (operatingDays covers it), nor does a row that continues with the same share.
 */
export function changesShareWithin(rows: readonly Ownership[], { startDate, endDate }: Period): boolean {
  const isInside = (day: string) => day > startDate && day < endDate;
  const acquired = rows.reduce((first, { from }) => (first === '' || from < first ? from : first), '');
  return rows.some((row) => {
    const begins = row.from !== acquired && isInside(row.from) && !rows.some((other) => continues(other, row));
    const ends = row.to !== null && isInside(row.to) && !rows.some((other) => continues(row, other));
    return begins || ends;
  });
}

/** Sources may write the last day of a row as the first day of the next. */
function continues(earlier: Ownership, later: Ownership): boolean {
  if (earlier === later || earlier.to === null || !isSameShare(earlier.share, later.share)) return false;
  return later.from === earlier.to || later.from === dayAfter(earlier.to);
}

function isSameShare(a: Fraction | null, b: Fraction | null): boolean {
  if (a === null || b === null) return false;
  return BigInt(a.numerator) * BigInt(b.denominator) === BigInt(b.numerator) * BigInt(a.denominator);
}
