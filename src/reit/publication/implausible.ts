import { add, compareExact, type Exact, exact, fromInteger } from '../../vocabulary/exact-number.ts';
import {
  isAtMostOne,
  isMetric,
  type Metric,
  mayBeNegative,
  splitFieldPath,
  unitOfMetric,
} from '../../vocabulary/reit-metrics.ts';
import type { Fraction, Ownership, Period } from './bundle.ts';
import type { Document } from './document.ts';
import type { Measure } from './measure.ts';
import { daysBetween } from './periods.ts';
import { headsOf } from './revisions.ts';

interface Implausibility {
  path: string;
  remedy: string;
}

const ZERO = fromInteger(0);
const ONE = fromInteger(1);

/** Impossible figures, such as an occupancy in yen: a misread cell, or one from the wrong column. */
export function implausibleFigures(document: Document): Implausibility[] {
  return [
    ...implausibleFields(document),
    ...document.periods.flatMap(implausiblePeriod),
    ...implausibleShares(document),
    ...document.transactions.flatMap(({ id, price }) =>
      withRemedy(`/transactions/${id}/price`, implausibilityIn(price, 'acquisitionPrice')),
    ),
    ...[...Map.groupBy(document.ownership, ({ holdingId }) => holdingId).values()].flatMap(oversubscribed),
  ];
}

const withRemedy = (path: string, remedy: string | undefined): Implausibility[] =>
  remedy === undefined ? [] : [{ path, remedy }];

/** Only heads count: a corrected figure no longer blocks. */
function implausibleFields({ sourceRevisions, periods }: Document): Implausibility[] {
  const periodOf = new Map(periods.map((period) => [period.id, period]));
  return headsOf(sourceRevisions).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([path, value]) => {
      const parts = splitFieldPath(path);
      if (parts === undefined || !isMetric(parts.metric)) return [];
      return withRemedy(path, implausibilityIn(value, parts.metric, periodOf.get(parts.periodId)));
    }),
  );
}

function implausibilityIn(value: Measure | null, metric: Metric, period?: Period): string | undefined {
  if (value === null || !('amount' in value)) return undefined;
  const unit = unitOfMetric(metric);
  if (value.unit !== unit) return `the unit is ${value.unit}: state it in ${unit}`;
  const amount = exact(value.amount);
  if (compareExact(amount, ZERO) < 0 && !mayBeNegative(metric))
    return 'the figure is negative: check its sign in the filing';
  if (compareExact(amount, ONE) > 0 && isAtMostOne(metric)) {
    return 'the ratio is above 1 (100 %): check the scale, which is −2 for a figure in percent';
  }
  if (metric === 'operatingDays' && period !== undefined && compareExact(amount, fromInteger(period.days)) > 0) {
    return `the period has only ${period.days} days: check both`;
  }
  return undefined;
}

function implausiblePeriod({ id, startDate, endDate, days }: Period): Implausibility[] {
  const at = `/periods/${id}`;
  if (startDate > endDate) return [{ path: `${at}/endDate`, remedy: 'it comes before startDate: swap the two' }];
  const counted = daysBetween(startDate, endDate);
  return days === counted
    ? []
    : [{ path: `${at}/days`, remedy: `startDate and endDate give ${counted} days: write that` }];
}

function implausibleShares({ holdings, ownership, transactions }: Document): Implausibility[] {
  const shares: [path: string, share: Fraction | null][] = [
    ...holdings.map(({ id, interest }) => [`/holdings/${id}/interest/share`, interest.share] as const),
    ...ownership.map(({ id, share }) => [`/ownership/${id}/share`, share] as const),
    ...transactions.map(({ id, shareDelta }) => [`/transactions/${id}/shareDelta`, shareDelta] as const),
  ].map(([path, share]) => [path, share]);
  return shares
    .filter(([, share]) => share !== null && Math.abs(share.numerator) > share.denominator)
    .map(([path]) => ({
      path,
      remedy: 'the share is more than the whole: write it as a fraction of the whole, such as 1 of 2',
    }));
}

/** Rows with which the shares of a holding exceed the whole on some day. */
function oversubscribed(rows: readonly Ownership[]): Implausibility[] {
  return rows
    .filter(({ from }) => {
      const shares = rows.filter((row) => isHeldOn(row, from)).map(({ share }) => asExact(share));
      return shares.length > 1 && compareExact(shares.reduce(add, ZERO), ONE) > 0;
    })
    .map(({ id }) => ({
      path: `/ownership/${id}`,
      remedy: 'the shares held on its first day exceed the whole: end the earlier rows',
    }));
}

/** Sources may write the last day of a row as the first day of the next. */
function isHeldOn({ from, to }: Ownership, day: string): boolean {
  return from <= day && (to === null || day < to || from === day);
}

function asExact(share: Fraction | null): Exact {
  return share === null ? ZERO : { n: BigInt(share.numerator), d: BigInt(share.denominator) };
}
