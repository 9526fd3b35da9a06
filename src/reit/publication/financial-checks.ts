import {
  add,
  compareExact,
  divide,
  type Exact,
  exact,
  formatExact,
  fromInteger,
  negate,
  subtract,
  unitOf,
} from '../../vocabulary/exact-number.ts';
import type { Metric } from '../../vocabulary/reit-metrics.ts';
import { assertedObservations, type ObservationGroup } from './agreement.ts';
import { byTexts } from './canonical-json.ts';
import type { FinancialCheck, MetricObservation } from './document.ts';
import type { AmountMeasure } from './measure.ts';

interface Reported {
  amount: string;
  interval: Interval;
  observations: MetricObservation[];
}

/** noi-identity/1: revenue − expenses + depreciation equals the reported NOI, within the rounding of each. */
export function checkNoiIdentity(group: ObservationGroup): FinancialCheck {
  const { holdingId, periodId } = group;
  const check = {
    id: `/${holdingId}/${periodId}/noi-identity`,
    kind: 'noi-identity',
    version: 1,
    holdingId,
    periodId,
    blocking: true,
  };
  const revenue = reported(group, 'rentalRevenue');
  const expenses = reported(group, 'rentalExpenses');
  const depreciation = reported(group, 'depreciation');
  const noi = reported(group, 'noi');
  if (revenue === undefined || expenses === undefined || depreciation === undefined || noi === undefined) {
    return { ...check, outcome: 'notEvaluable', expected: null, actual: null, inputs: [] };
  }
  const sum = add(subtract(exact(revenue.amount), exact(expenses.amount)), exact(depreciation.amount));
  const interval = addIntervals(
    addIntervals(revenue.interval, negateInterval(expenses.interval)),
    depreciation.interval,
  );
  const inputs = [revenue, expenses, depreciation, noi].flatMap(({ observations }) =>
    observations.map(({ revisionId, path }) => ({ revisionId, path })),
  );
  return {
    ...check,
    outcome: intervalsOverlap(interval, noi.interval) ? 'pass' : 'fail',
    expected: formatExact(sum),
    actual: noi.amount,
    inputs: inputs.sort(
      byTexts(
        ({ revisionId }) => revisionId,
        ({ path }) => path,
      ),
    ),
  };
}

/** An agreed amount in yen, recorded or zero. */
function reported(group: ObservationGroup, metric: Metric): Reported | undefined {
  const { value } = group.agreementOn(metric);
  if (value === null || !('amount' in value) || value.state === 'derived' || value.unit !== 'JPY') return undefined;
  const observations = assertedObservations(group, metric);
  const intervals = observations.map((observation) => intervalOf(observation.value as AmountMeasure));
  return { amount: value.amount, interval: intersectIntervals(intervals as [Interval, ...Interval[]]), observations };
}

interface End {
  at: Exact;
  open: boolean;
}

/** The possible true values behind a rounded figure. */
export interface Interval {
  low: End;
  high: End;
}

const closed = (at: Exact): End => ({ at, open: false });
const open = (at: Exact): End => ({ at, open: true });

/** The interval of a figure by its rounding; u = 10^−decimals is the last unit that was kept. */
export function intervalOf({ amount, decimals, rounding }: AmountMeasure): Interval {
  const v = exact(amount);
  const u = unitOf(-decimals);
  const [below, above] = [subtract(v, u), add(v, u)];
  switch (rounding) {
    case 'exact':
      return { low: closed(v), high: closed(v) };
    case 'truncate':
      return { low: v.n > 0n ? closed(v) : open(below), high: v.n < 0n ? closed(v) : open(above) };
    case 'halfUp': {
      const half = divide(u, fromInteger(2));
      return { low: closed(subtract(v, half)), high: closed(add(v, half)) };
    }
    case 'ceil':
      // Below zero 切上げ is used in both directions; the wider interval rejects no correct figure.
      return { low: open(below), high: v.n < 0n ? open(above) : closed(v) };
    case 'unknown':
      return { low: open(below), high: open(above) };
  }
}

function addIntervals(a: Interval, b: Interval): Interval {
  return { low: addEnds(a.low, b.low), high: addEnds(a.high, b.high) };
}

function negateInterval({ low, high }: Interval): Interval {
  return { low: { ...high, at: negate(high.at) }, high: { ...low, at: negate(low.at) } };
}

/** Never empty, because figures that agree on an amount all contain it. */
export function intersectIntervals(intervals: readonly [Interval, ...Interval[]]): Interval {
  return intervals.reduce((a, b) => ({
    low: tighter(a.low, b.low, 1),
    high: tighter(a.high, b.high, -1),
  }));
}

export function intervalsOverlap(a: Interval, b: Interval): boolean {
  return reaches(a.low, b.high) && reaches(b.low, a.high);
}

function reaches(low: End, high: End): boolean {
  const order = compareExact(low.at, high.at);
  return order < 0 || (order === 0 && !low.open && !high.open);
}

function tighter(a: End, b: End, direction: 1 | -1): End {
  const order = compareExact(a.at, b.at) * direction;
  if (order === 0) return a.open ? a : b;
  return order > 0 ? a : b;
}

function addEnds(a: End, b: End): End {
  return { at: add(a.at, b.at), open: a.open || b.open };
}
