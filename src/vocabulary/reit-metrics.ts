export const UNITS = ['JPY', 'm2', 'ratio', 'day', 'count'] as const;
export type Unit = (typeof UNITS)[number];

/** What a source can state about a holding in a period. */
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

/** What the service computes from them (reit/publication/formulas.ts). */
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

export const METRICS: readonly Metric[] = [...SOURCE_METRICS, ...DERIVED_METRICS].sort();

const UNIT_OF: Readonly<Record<Metric, Unit | 'date'>> = {
  acquisitionPrice: 'JPY',
  acquisitionDate: 'date',
  appraisalValue: 'JPY',
  appraisalDate: 'date',
  bookValue: 'JPY',
  leasableArea: 'm2',
  leasedArea: 'm2',
  occupancyRate: 'ratio',
  tenantCount: 'count',
  rentalRevenue: 'JPY',
  rentalExpenses: 'JPY',
  depreciation: 'JPY',
  noi: 'JPY',
  operatingDays: 'day',
  capex: 'JPY',
  directCapRate: 'ratio',
  discountRate: 'ratio',
  terminalCapRate: 'ratio',
  noiDerived: 'JPY',
  noiYieldAcquisition: 'ratio',
  noiYieldAppraisal: 'ratio',
  afterDepreciationYield: 'ratio',
  unrealizedGain: 'JPY',
  unrealizedGainRatio: 'ratio',
  expenseRatio: 'ratio',
};
/** Amounts of a period may be losses or corrections. The others are sizes, prices, rates and counts. */
const SIGNED: ReadonlySet<Metric> = new Set<Metric>([
  ...(['rentalRevenue', 'rentalExpenses', 'depreciation', 'noi', 'capex'] as const),
  ...DERIVED_METRICS,
]);
const AT_MOST_ONE: ReadonlySet<Metric> = new Set<Metric>([
  'occupancyRate',
  'directCapRate',
  'discountRate',
  'terminalCapRate',
]);

const KNOWN: ReadonlySet<string> = new Set(METRICS);

export const isMetric = (text: string): text is Metric => KNOWN.has(text);
export const isDateMetric = (metric: string): boolean => isMetric(metric) && UNIT_OF[metric] === 'date';
export const unitOfMetric = (metric: Metric): Unit | 'date' => UNIT_OF[metric];
export const mayBeNegative = (metric: Metric): boolean => SIGNED.has(metric);
export const isAtMostOne = (metric: Metric): boolean => AT_MOST_ONE.has(metric);

/** `/h1/p21/noi`: the key of an observation inside its revision. */
export const fieldPath = (holdingId: string, periodId: string, metric: string): string =>
  `/${holdingId}/${periodId}/${metric}`;

/** IDs of holdings and periods contain no slash, so a path is unambiguous. */
export function splitFieldPath(path: string): { holdingId: string; periodId: string; metric: string } | undefined {
  const [empty, holdingId, periodId, metric, ...rest] = path.split('/');
  if (empty !== '' || !holdingId || !periodId || !metric || rest.length > 0) return undefined;
  return { holdingId, periodId, metric };
}
