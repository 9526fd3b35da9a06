import { divide, type Exact, exact, formatExact, isPositive, roundToDecimals } from '../../vocabulary/exact-number.ts';
import type { DerivedMetric } from '../../vocabulary/reit-metrics.ts';
import { agreeOn } from './agreement.ts';
import { compareText } from './canonical-json.ts';
import type { MetricObservation } from './document.ts';
import { FORMULAS, type Formula, type FormulaInput, NOI } from './formulas.ts';
import { assertedBy, type Group } from './group.ts';
import type { DerivedMeasure } from './measure.ts';

const RATIO_DECIMALS = 6;

/** A derived value, and the observations it rests on, whose citations are its own. */
export interface Derivation {
  metric: DerivedMetric;
  measure: DerivedMeasure;
  inputs: readonly MetricObservation[];
}

interface Input {
  amount: Exact;
  observations: readonly MetricObservation[];
}

/** REIT-13: everything that the formulas give for a holding in a period; what lacks an input is not emitted. */
export function deriveGroup(group: Group): Derivation[] {
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

/** An input is agreed or of a single source, and recorded or zero. */
function inputOf(group: Group, name: FormulaInput, noiDerived: Derivation | undefined): Input | undefined {
  if (name === NOI) return noiOf(group, noiDerived);
  const { value } = group.agreementOn(name);
  if (value === null || !('amount' in value) || value.state === 'derived') return undefined;
  if (value.unit !== (name === 'operatingDays' ? 'day' : 'JPY')) return undefined;
  return { amount: exact(value.amount), observations: assertedBy(group, name) };
}

/** The recorded noi, else noiDerived; a disputed noi is no input, and nothing stands in for it. */
function noiOf(group: Group, derivation: Derivation | undefined): Input | undefined {
  const recorded = inputOf(group, 'noi', undefined);
  const { status } = group.agreementOn('noi');
  if (recorded !== undefined || status === 'conflict' || status === 'unresolved') return recorded;
  const stated = assertedBy(group, 'noiDerived');
  const { value } = agreeOn([...(derivation ? [derivation.measure] : []), ...stated.map((said) => said.value)]);
  if (value === null || !('amount' in value) || value.unit !== 'JPY') return undefined;
  return { amount: exact(value.amount), observations: [...(derivation?.inputs ?? []), ...stated] };
}
