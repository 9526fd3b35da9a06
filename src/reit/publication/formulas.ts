import {
  add,
  divide,
  type Exact,
  exact,
  formatExact,
  fromInteger,
  isPositive,
  multiply,
  roundToDecimals,
  subtract,
} from '../../vocabulary/exact-number.ts';
import type { DerivedMetric, SourceMetric, Unit } from '../../vocabulary/reit-metrics.ts';
import { agreeOn, assertedObservations, type ObservationGroup } from './agreement.ts';
import { compareText } from './canonical-json.ts';
import type { MetricObservation } from './document.ts';
import type { DerivedMeasure } from './measure.ts';

/** The recorded noi, else noiDerived. */
const NOI = 'NOI';
type FormulaInput = SourceMetric | typeof NOI;

interface Formula {
  metric: DerivedMetric;
  /** A changed formula gets a new version. */
  version: string;
  unit: Extract<Unit, 'JPY' | 'ratio'>;
  inputs: readonly FormulaInput[];
  /** Computed from the inputs in their order. */
  dividend(...inputs: Exact[]): Exact;
  /** Each must be above zero. */
  divisors: readonly FormulaInput[];
}

const YEAR = fromInteger(365);
type Three = [Exact, Exact, Exact];
type Two = [Exact, Exact];

/** In the order of computation: NOI comes before the formulas that use it. */
const FORMULAS: readonly Formula[] = [
  {
    metric: 'noiDerived',
    version: 'noi/1',
    unit: 'JPY',
    inputs: ['rentalRevenue', 'rentalExpenses', 'depreciation'],
    dividend: (...[revenue, expenses, depreciation]: Three) => add(subtract(revenue, expenses), depreciation),
    divisors: [],
  },
  {
    metric: 'noiYieldAcquisition',
    version: 'noi-yield-acquisition/1',
    unit: 'ratio',
    inputs: [NOI],
    dividend: (...[noi]: [Exact]) => multiply(noi, YEAR),
    divisors: ['operatingDays', 'acquisitionPrice'],
  },
  {
    metric: 'noiYieldAppraisal',
    version: 'noi-yield-appraisal/1',
    unit: 'ratio',
    inputs: [NOI],
    dividend: (...[noi]: [Exact]) => multiply(noi, YEAR),
    divisors: ['operatingDays', 'appraisalValue'],
  },
  {
    metric: 'afterDepreciationYield',
    version: 'after-depreciation-yield/1',
    unit: 'ratio',
    inputs: [NOI, 'depreciation'],
    dividend: (...[noi, depreciation]: Two) => multiply(subtract(noi, depreciation), YEAR),
    divisors: ['operatingDays', 'acquisitionPrice'],
  },
  {
    metric: 'unrealizedGain',
    version: 'unrealized-gain/1',
    unit: 'JPY',
    inputs: ['appraisalValue', 'bookValue'],
    dividend: (...[appraisal, book]: Two) => subtract(appraisal, book),
    divisors: [],
  },
  {
    metric: 'unrealizedGainRatio',
    version: 'unrealized-gain-ratio/1',
    unit: 'ratio',
    inputs: ['appraisalValue', 'bookValue'],
    dividend: (...[appraisal, book]: Two) => subtract(appraisal, book),
    divisors: ['bookValue'],
  },
  {
    metric: 'expenseRatio',
    version: 'expense-ratio/1',
    unit: 'ratio',
    inputs: ['rentalExpenses', 'depreciation'],
    dividend: (...[expenses, depreciation]: Two) => subtract(expenses, depreciation),
    divisors: ['rentalRevenue'],
  },
];

const RATIO_DECIMALS = 6;

/** A derived value and its input observations, whose citations it takes over. */
export interface Derivation {
  metric: DerivedMetric;
  measure: DerivedMeasure;
  inputs: readonly MetricObservation[];
}

interface Input {
  amount: Exact;
  observations: readonly MetricObservation[];
}

/** REIT-13: all derived values of a holding in a period. A formula without all of its inputs gives none. */
export function deriveGroup(group: ObservationGroup): Derivation[] {
  const derived = new Map<DerivedMetric, Derivation>();
  for (const formula of FORMULAS) {
    const derivation = apply(formula, (input) => inputOf(group, input, derived.get('noiDerived')));
    if (derivation !== undefined) derived.set(formula.metric, derivation);
  }
  return [...derived.values()];
}

function apply(formula: Formula, find: (input: FormulaInput) => Input | undefined): Derivation | undefined {
  const { metric, version, unit, inputs, divisors, dividend } = formula;
  const found = inputs.map(find);
  const under = divisors.map(find);
  const all = [...found, ...under];
  if (!all.every((input) => input !== undefined) || !under.every((input) => input && isPositive(input.amount))) {
    return undefined;
  }
  const value = (under as Input[]).reduce(
    (rest, { amount }) => divide(rest, amount),
    dividend(...(found as Input[]).map(({ amount }) => amount)),
  );
  const observations = [...new Set(all.flatMap((input) => input.observations))];
  const inputRevisionIds = [...new Set(observations.map(({ revisionId }) => revisionId))].sort(compareText);
  const amount = unit === 'ratio' ? roundToDecimals(value, RATIO_DECIMALS) : formatExact(value);
  return {
    metric,
    measure: { state: 'derived', amount, unit, formulaVersion: version, inputRevisionIds },
    inputs: observations,
  };
}

/** An input must be agreed or from a single source, and recorded or zero. */
function inputOf(group: ObservationGroup, name: FormulaInput, noiDerived: Derivation | undefined): Input | undefined {
  if (name === NOI) return noiOf(group, noiDerived);
  const { value } = group.agreementOn(name);
  if (value === null || !('amount' in value) || value.state === 'derived') return undefined;
  if (value.unit !== (name === 'operatingDays' ? 'day' : 'JPY')) return undefined;
  return { amount: exact(value.amount), observations: assertedObservations(group, name) };
}

/** The recorded noi, else noiDerived. A disputed noi is not used and not replaced. */
function noiOf(group: ObservationGroup, derivation: Derivation | undefined): Input | undefined {
  const recorded = inputOf(group, 'noi', undefined);
  const { status } = group.agreementOn('noi');
  if (recorded !== undefined || status === 'conflict' || status === 'unresolved') return recorded;
  const stated = assertedObservations(group, 'noiDerived');
  const { value } = agreeOn([
    ...(derivation ? [derivation.measure] : []),
    ...stated.map((observation) => observation.value),
  ]);
  if (value === null || !('amount' in value) || value.unit !== 'JPY') return undefined;
  return { amount: exact(value.amount), observations: [...(derivation?.inputs ?? []), ...stated] };
}
