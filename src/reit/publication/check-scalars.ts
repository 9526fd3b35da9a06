import { faultInText } from '../../vocabulary/fields.ts';
import { parseInstant } from '../../vocabulary/time.ts';
import type { Fraction } from './bundle.ts';
import { isDay } from './calendar.ts';
import { type BundleFault, fault, step } from './fault.ts';

/** Neither a database nor UTF-8 holds NUL and half a surrogate pair, and RFC 8785 has no form for the latter. */
export function faultsInTexts(value: unknown, at: string): BundleFault[] {
  if (typeof value === 'string') {
    // A printed cell may be blank: it is unresolved then, and no fault of the bundle.
    const problem = at.endsWith('/printed') && value.trim() === '' ? undefined : faultInText(value);
    return problem === undefined ? [] : [fault(at, problem, 'give a text that can be kept')];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  return entries.flatMap(([key, member]) => faultsInTexts(member, at + step(key)));
}

export function faultsInDays<K extends string>(
  item: Record<K, string | null>,
  keys: readonly K[],
  at: string,
): BundleFault[] {
  return keys.flatMap((key) => {
    const day = item[key];
    return day === null || isDay(day) ? [] : [fault(`${at}/${key}`, 'no day of the calendar', 'write YYYY-MM-DD')];
  });
}

export function faultsInRange<K extends string>(
  item: Record<K, string | null>,
  from: K,
  to: K,
  at: string,
): BundleFault[] {
  const bad = faultsInDays(item, [from, to], at);
  const [first, last] = [item[from], item[to]];
  if (bad.length > 0 || first === null || last === null || first <= last) return bad;
  return [fault(`${at}/${to}`, `comes before ${from}`, 'exchange the two')];
}

export function faultsInInstants<K extends string>(
  item: Record<K, string>,
  keys: readonly K[],
  at: string,
): BundleFault[] {
  return keys.flatMap((key) =>
    parseInstant(item[key]) === undefined
      ? [fault(`${at}/${key}`, 'no instant', 'write an ISO 8601 instant with a zone, 2026-01-05T00:00:00Z')]
      : [],
  );
}

/** A share above one is a fraction still: it can be shown, and blocks the draft (implausible.ts). */
export function faultsInShare(share: Fraction | null, at: string): BundleFault[] {
  if (share === null || (share.numerator > 0 && share.denominator > 0)) return [];
  return [fault(at, 'not a share above zero', 'write it as a fraction of the whole, such as 1 of 2')];
}

/** What is given up may be written with a minus sign. */
export function magnitude(share: Fraction | null): Fraction | null {
  return share && { ...share, numerator: Math.abs(share.numerator) };
}
