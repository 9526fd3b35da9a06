import { type Static, Type } from 'typebox';
import { canonicalDecimal, DECIMAL_PATTERN } from '../../vocabulary/exact-number.ts';
import { UNITS } from '../../vocabulary/reit-metrics.ts';
import { closed, OneOf } from '../../vocabulary/schema.ts';

const ROUNDINGS = ['exact', 'truncate', 'halfUp', 'ceil', 'unknown'] as const;
const PRECISIONS = ['day', 'month', 'year'] as const;
/** What a source states instead of an amount. Only notRecorded abstains (AGR-06). */
export const BARE_STATES = ['notRecorded', 'notDisclosed', 'notApplicable', 'outsideHoldingPeriod'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/** Larger than in any disclosure, and small enough to compute with. */
const MAX_EXPONENT = 40;

const UnitSchema = OneOf(UNITS);
const AmountSchema = Type.String({
  pattern: DECIMAL_PATTERN,
  maxLength: 120,
  description: 'An exact decimal in base units, never a float.',
});
const ReasonCodeSchema = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
  description: 'A code such as tenantConsent, counterpartyConsent, bundled or unstated; no prose.',
});
export const precisionKeys = {
  scale: Type.Integer({
    minimum: -MAX_EXPONENT,
    maximum: MAX_EXPONENT,
    description: 'Printed × 10^scale is the amount.',
  }),
  decimals: Type.Integer({
    minimum: -MAX_EXPONENT,
    maximum: MAX_EXPONENT,
    description: 'As in XBRL: −6 means to the million.',
  }),
  rounding: OneOf(ROUNDINGS, { description: 'How the source rounded the figure.' }),
};

export const AmountMeasureSchema = Type.Object(
  { state: OneOf(['recorded', 'zero']), amount: AmountSchema, unit: UnitSchema, ...precisionKeys },
  closed,
);
export const DateMeasureSchema = Type.Object(
  { state: OneOf(['recorded']), date: Type.String(), precision: OneOf(PRECISIONS) },
  closed,
);
export const DerivedMeasureSchema = Type.Object(
  {
    state: OneOf(['derived']),
    amount: AmountSchema,
    unit: UnitSchema,
    formulaVersion: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$' }),
    inputRevisionIds: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
  },
  closed,
);
export const BareMeasureSchema = Type.Object(
  { state: OneOf(BARE_STATES), reasonCode: Type.Optional(ReasonCodeSchema) },
  closed,
);
export const UnresolvedMeasureSchema = Type.Object(
  { state: OneOf(['unresolved']), reasonCode: ReasonCodeSchema },
  closed,
);

/** REIT-12, REIT-13: a value as one source states it, or as the service derives it. */
export const MeasureSchema = Type.Union([
  AmountMeasureSchema,
  DateMeasureSchema,
  DerivedMeasureSchema,
  BareMeasureSchema,
  UnresolvedMeasureSchema,
]);

/** The value that the sources agree on, in canonical form, without the precision of any of them. */
export const ConsensusSchema = Type.Union([
  Type.Object({ state: OneOf(['recorded', 'zero']), amount: AmountSchema, unit: UnitSchema }, closed),
  Type.Object({ state: OneOf(['recorded']), date: Type.String() }, closed),
  DerivedMeasureSchema,
  Type.Object({ state: OneOf(['notDisclosed', 'notApplicable', 'outsideHoldingPeriod']) }, closed),
]);

export type AmountMeasure = Static<typeof AmountMeasureSchema>;
export type DateMeasure = Static<typeof DateMeasureSchema>;
export type DerivedMeasure = Static<typeof DerivedMeasureSchema>;
export type BareMeasure = Static<typeof BareMeasureSchema>;
export type UnresolvedMeasure = Static<typeof UnresolvedMeasureSchema>;
export type Measure = AmountMeasure | DateMeasure | DerivedMeasure | BareMeasure | UnresolvedMeasure;
export type Consensus = Static<typeof ConsensusSchema>;

export const unresolved = (reasonCode: string): UnresolvedMeasure => ({ state: 'unresolved', reasonCode });

/** AGR-06: only null and notRecorded abstain. */
export function abstains(value: Measure | null): value is null | (BareMeasure & { state: 'notRecorded' }) {
  return value === null || value.state === 'notRecorded';
}

/** An asserted value in canonical form, without its precision. A recorded 0 becomes zero. */
export function consensusOf(value: Exclude<Measure, UnresolvedMeasure>): Consensus {
  if ('amount' in value) {
    const amount = canonicalDecimal(value.amount);
    if (value.state === 'derived') return { ...value, amount, inputRevisionIds: [...value.inputRevisionIds].sort() };
    return { state: amount === '0' ? 'zero' : 'recorded', amount, unit: value.unit };
  }
  if ('date' in value) return { state: 'recorded', date: datePart(value) };
  return { state: value.state } as Consensus;
}

/** Values agree if their keys are equal: state, unit, amount or date, formula. */
export function consensusKey(consensus: Consensus): string {
  if ('amount' in consensus) {
    const formula = consensus.state === 'derived' ? consensus.formulaVersion : '';
    return [consensus.state, consensus.unit, consensus.amount, formula].join(' ');
  }
  return 'date' in consensus ? `${consensus.state} ${consensus.date}` : consensus.state;
}

/** AGR-08: cuts a date to its precision. 2025-03-01 known to the month is 2025-03. */
function datePart({ date, precision }: DateMeasure): string {
  return date.slice(0, { day: 10, month: 7, year: 4 }[precision]);
}
