import { add, exact, formatExact, subtract } from '../../vocabulary/exact-number.ts';
import type { Metric } from '../../vocabulary/reit-metrics.ts';
import { byTexts } from './canonical-json.ts';
import type { FinancialCheck, MetricObservation } from './document.ts';
import { assertedBy, type Group } from './group.ts';
import { addIntervals, type Interval, intersectIntervals, intervalOf, meet, negateInterval } from './interval.ts';
import type { AmountMeasure } from './measure.ts';

interface Reported {
  amount: string;
  interval: Interval;
  observations: MetricObservation[];
}

/** noi-identity/1: revenue − expenses + depreciation is the reported NOI, as far as rounding lets one tell. */
export function checkNoiIdentity(group: Group): FinancialCheck {
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
    outcome: meet(interval, noi.interval) ? 'pass' : 'fail',
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

/** An amount of money that the sources hold together, recorded or zero. */
function reported(group: Group, metric: Metric): Reported | undefined {
  const { value } = group.agreementOn(metric);
  if (value === null || !('amount' in value) || value.state === 'derived' || value.unit !== 'JPY') return undefined;
  const observations = assertedBy(group, metric);
  const intervals = observations.map((observation) => intervalOf(observation.value as AmountMeasure));
  return { amount: value.amount, interval: intersectIntervals(intervals as [Interval, ...Interval[]]), observations };
}
