import { add, type Exact, fromInteger, multiply, subtract } from '../../vocabulary/exact-number.ts';
import type { DerivedMetric, SourceMetric, Unit } from '../../vocabulary/reit-metrics.ts';

/** The recorded noi, else noiDerived. */
export const NOI = 'NOI';
export type FormulaInput = SourceMetric | typeof NOI;

export interface Formula {
  metric: DerivedMetric;
  /** A change of a formula is a new version. */
  version: string;
  unit: Extract<Unit, 'JPY' | 'ratio'>;
  inputs: readonly FormulaInput[];
  /** Of the inputs in their order. */
  dividend(...inputs: Exact[]): Exact;
  /** Each must be above zero. */
  divisors: readonly FormulaInput[];
}

const YEAR = fromInteger(365);
type Three = [Exact, Exact, Exact];
type Two = [Exact, Exact];

/** In the order of computing: NOI comes before what is made of it. */
export const FORMULAS: readonly Formula[] = [
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
