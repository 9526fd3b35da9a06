import type { Fraction, Ownership, Period } from './bundle.ts';
import { dayAfter } from './calendar.ts';

/**
 * Whether a holding's share changed strictly inside a period: amounts of such a period are of no one share. The first
 * acquisition is no change (operatingDays covers it), and neither is a row that goes on with the same share.
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

/** The last day of a row is either its own or the first of the next; sources write both. */
function continues(earlier: Ownership, later: Ownership): boolean {
  if (earlier === later || earlier.to === null || !isSameShare(earlier.share, later.share)) return false;
  return later.from === earlier.to || later.from === dayAfter(earlier.to);
}

function isSameShare(a: Fraction | null, b: Fraction | null): boolean {
  if (a === null || b === null) return false;
  return BigInt(a.numerator) * BigInt(b.denominator) === BigInt(b.numerator) * BigInt(a.denominator);
}
