import { SOURCE_METRICS, type SourceMetric } from '../src/vocabulary/reit-metrics.ts';

const SOURCES = ['edinet', 'jreit', 'mankan'] as const;
/** Twenty per period: the metrics that sources state, and two derived ones that they do not. */
const STATED = [...SOURCE_METRICS, 'noiDerived', 'unrealizedGain'] as const;

/** One holding over many periods, with several sources that state the same. */
export function generateBundle(buildingId: string, { periods, sources }: { periods: number; sources: number }) {
  const all = Array.from({ length: periods }, (_, i) => period(i));
  return {
    issuer: { id: 'reit-bench', nameJa: '計測投資法人', edinetCode: 'E99999' },
    holdings: [
      {
        ...{ id: 'h1', propertyCode: 'A-01', nameJa: '計測館', amountBasis: 'interest' },
        interest: { type: 'trustBeneficiary', tenure: 'whole', share: { numerator: 1, denominator: 1 } },
        ...{ heldFrom: '2000-04-01', heldTo: null },
      },
    ],
    periods: all,
    sourceRevisions: SOURCES.slice(0, sources).map((source) => ({
      ...{
        id: `r-${source}`,
        lineageId: `l-${source}`,
        source,
        sourceRecordId: `S-${source}`,
        title: '有価証券報告書',
      },
      sourceUrl: `https://disclosure.example/${source}`,
      ...{ publishedAt: '2026-01-01T00:00:00Z', retrievedAt: '2026-01-02T00:00:00Z', contentHash: 'sha256:00' },
      ...{ extractionMethod: 'disclosure-table', extractorVersion: '1', supersedes: null },
      fields: all.flatMap((one, i) =>
        STATED.map((metric) => ({
          path: `/h1/${one.id}/${metric}`,
          value: statedFor(metric, i, one),
          citations: [{ sourceUrl: `https://disclosure.example/${source}`, locator: `表${i} ${metric}` }],
        })),
      ),
    })),
    matches: [
      {
        ...{ holdingId: 'h1', buildingId, coverage: 'whole', evidence: [{ kind: 'address', result: 'equal' }] },
        ...{ reviewId: 'm1', reviewedAt: '2026-01-03T00:00:00Z' },
      },
    ],
    transactions: [],
    ownership: [],
  };
}

function period(i: number) {
  const year = 2000 + Math.floor((i + 1) / 2);
  const [start, end] = i % 2 === 0 ? ['04-01', '09-30'] : ['10-01', '03-31'];
  const startYear = i % 2 === 0 ? year : year - 1;
  const startDate = `${startYear}-${start}`;
  const endDate = `${i % 2 === 0 ? startYear : startYear + 1}-${end}`;
  const days = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 + 1;
  return { id: `p${i + 1}`, ordinal: i + 1, labelJa: `第${i + 1}期`, startDate, endDate, days };
}

function statedFor(
  metric: SourceMetric | 'noiDerived' | 'unrealizedGain',
  i: number,
  { endDate: date, days }: ReturnType<typeof period>,
): object {
  const jpy = (millions: number) => recorded(`${millions}000000`, 'JPY', 6, -6);
  switch (metric) {
    case 'acquisitionDate':
    case 'appraisalDate':
      return { state: 'recorded', date, precision: 'day' };
    case 'leasableArea':
    case 'leasedArea':
      return recorded('10955.29', 'm2', 0, 2);
    case 'occupancyRate':
    case 'directCapRate':
    case 'discountRate':
    case 'terminalCapRate':
      return recorded('0.985', 'ratio', -2, 3);
    case 'tenantCount':
      return recorded('12', 'count', 0, 0);
    case 'operatingDays':
      return recorded(String(days), 'day', 0, 0);
    case 'rentalRevenue':
      return jpy(500 + i);
    case 'rentalExpenses':
      return jpy(200 + i);
    case 'depreciation':
      return jpy(90);
    case 'noi':
      return jpy(390);
    case 'noiDerived':
    case 'unrealizedGain':
      return { state: 'notRecorded' };
    default:
      return jpy(12_000 + i);
  }
}

function recorded(amount: string, unit: string, scale: number, decimals: number) {
  return { state: 'recorded', amount, unit, scale, decimals, rounding: 'truncate' };
}
