import { compareText } from './canonical-json.ts';

/** What a source can state of a holding in a period. */
export const SOURCE_METRICS = [
  'acquisitionPrice',
  'acquisitionDate',
  'appraisalValue',
  'appraisalDate',
  'bookValue',
  'leasableArea',
  'leasedArea',
  'occupancyRate',
  'tenantCount',
  'rentalRevenue',
  'rentalExpenses',
  'depreciation',
  'noi',
  'operatingDays',
  'capex',
  'directCapRate',
  'discountRate',
  'terminalCapRate',
] as const;

/** What the service computes from them (formulas.ts). */
export const DERIVED_METRICS = [
  'noiDerived',
  'noiYieldAcquisition',
  'noiYieldAppraisal',
  'afterDepreciationYield',
  'unrealizedGain',
  'unrealizedGainRatio',
  'expenseRatio',
] as const;

export type SourceMetric = (typeof SOURCE_METRICS)[number];
export type DerivedMetric = (typeof DERIVED_METRICS)[number];
export type Metric = SourceMetric | DerivedMetric;

export const METRICS: readonly Metric[] = [...SOURCE_METRICS, ...DERIVED_METRICS].sort(compareText);

const KNOWN: ReadonlySet<string> = new Set(METRICS);
const DATES: ReadonlySet<string> = new Set<Metric>(['acquisitionDate', 'appraisalDate']);

export const isMetric = (text: string): text is Metric => KNOWN.has(text);
export const isDateMetric = (metric: string): boolean => DATES.has(metric);

/** `/h1/p21/noi`: the key of an observation inside its revision. */
export const fieldPath = (holdingId: string, periodId: string, metric: string): string =>
  `/${holdingId}/${periodId}/${metric}`;

/** IDs of holdings and periods have no slash, so that a path is read in one way. */
export function splitFieldPath(path: string): { holdingId: string; periodId: string; metric: string } | undefined {
  const [empty, holdingId, periodId, metric, ...rest] = path.split('/');
  if (empty !== '' || !holdingId || !periodId || !metric || rest.length > 0) return undefined;
  return { holdingId, periodId, metric };
}
