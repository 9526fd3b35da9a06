import { findColumn, type PropertyColumn, plainHeader } from '../../sources/disclosure/columns.ts';
import { CIRCLED } from '../../vocabulary/footnotes.ts';
import type { SourceMetric } from '../../vocabulary/reit-metrics.ts';
import { memoize } from '../publication/memoize.ts';
import { withoutPeriod } from './periods.ts';

/** Metrics of a period, not of a day. Only tables of a period's results state them. */
export const FLOW_METRICS: ReadonlySet<SourceMetric> = new Set<SourceMetric>([
  'rentalRevenue',
  'rentalExpenses',
  'depreciation',
  'noi',
  'operatingDays',
  'capex',
]);

const NOT_ACTUAL = '前回|期首|増減|差額|変動|推移|比率|割合|構成比|予定|計画|予想|想定|見込|年換算|年間|月額|単価';

/** Labels besides those of property lists, narrower ones first. */
const LABELS: readonly [SourceMetric, label: RegExp, not?: RegExp][] = [
  ['operatingDays', /(?:運用|運営|営業|保有)日数/u],
  ['terminalCapRate', /最終還元利回り|ターミナル・?(?:キャップ)?・?レート|最終キャップレート/u, /取得時|前回/u],
  ['discountRate', /割引率/u, /取得時|前回/u],
  [
    'directCapRate',
    /還元利回り|直接還元法?(?:による|における|の)?(?:収益)?(?:価格)?の?利回り|キャップレート/u,
    /取得時|前回/u,
  ],
  ['noi', /noi|賃貸純収益/u, new RegExp(`利回り|率|鑑定|dcf|直接還元|対する|${NOT_ACTUAL}`, 'u')],
  ['capex', /資本的支出/u, new RegExp(`累計|控除|修繕費|後|${NOT_ACTUAL}`, 'u')],
  ['rentalExpenses', /賃貸事業(?:総)?費用|賃貸費用(?:の)?合計/u, new RegExp(`その他|${NOT_ACTUAL}`, 'u')],
  ['depreciation', /減価償却費/u, new RegExp(`除|前|後|累計|含|${NOT_ACTUAL}`, 'u')],
  [
    'rentalRevenue',
    /賃貸事業(?:総)?収(?:入|益)|賃貸(?:料)?収(?:入|益)等?(?:の)?合計/u,
    new RegExp(`その他|費用|損益|利益|${NOT_ACTUAL}`, 'u'),
  ],
  ['tenantCount', /(?:テナント|賃借人|賃借人等)の?総?数/u, new RegExp(NOT_ACTUAL, 'u')],
  ['leasedArea', /賃貸(?:済|中)?(?:床)?面積/u, new RegExp(`可能|${NOT_ACTUAL}`, 'u')],
];

const BY_COLUMN: Partial<Record<PropertyColumn, SourceMetric>> = {
  price: 'acquisitionPrice',
  acquired: 'acquisitionDate',
  appraisal: 'appraisalValue',
  appraisedOn: 'appraisalDate',
  book: 'bookValue',
  leasable: 'leasableArea',
  occupancy: 'occupancyRate',
};

/** Also in brackets: NOI（年換算） is not a result of the period. */
const NOT_ACTUAL_INSIDE = /年換算|年率|想定|予想|見込|計画|取得時|期首/u;
const MAX_LABEL = 120;

/** The metric that a header or a label means, without any period that it names. */
export const findMetric = memoize(metricOf, MAX_LABEL);

function metricOf(header: string): SourceMetric | undefined {
  if (header.length > MAX_LABEL) return undefined;
  const plain = withoutPeriod(plainLabel(header));
  if (NOT_ACTUAL_INSIDE.test(plain)) return undefined;
  const bare = plain.replace(/\([^()]*\)/gu, '');
  const found = LABELS.find(([, label, not]) => label.test(bare) && not?.test(bare) !== true)?.[0];
  if (found !== undefined) return found;
  const column = findColumn(plain);
  return column === undefined ? undefined : BY_COLUMN[column];
}

const EACH_CIRCLED = new RegExp(`[${CIRCLED}]`, 'gu');

/** Removes circled numbers, which only order the lines of a table. */
export function plainLabel(label: string): string {
  return plainHeader(label.replace(EACH_CIRCLED, ''));
}

export interface MetricReading {
  metric: SourceMetric;
  doubt?: string;
}

type AppraisalMethod = 'direct' | 'dcf';

/** A 利回り of the DCF method that neither its header nor the cells beside it explain. */
export const UNCLEAR_YIELD = 'unclearYield';

const MAX_BACK = 6;
const AROUND_YIELD = /直接還元法?|dcf法?|収益還元法|収益価格|価格|による|における|の/gu;

/** The appraisal method that a label names; undefined if it names none or both. */
export function appraisalMethodIn(label: string): AppraisalMethod | undefined {
  if (label.length > MAX_LABEL) return undefined;
  const plain = plainLabel(label);
  const [direct, dcf] = [plain.includes('直接還元'), plain.includes('dcf')];
  return direct === dcf ? undefined : direct ? 'direct' : 'dcf';
}

export function isBareYield(label: string): boolean {
  if (label.length > MAX_LABEL) return false;
  const plain = withoutPeriod(plainLabel(label)).replace(/\([^()]*\)/gu, '');
  return plain.endsWith('利回り') && plain.replace(AROUND_YIELD, '') === '利回り';
}

/** The metric of the label at `index`. A bare 利回り belongs to the appraisal method before it. */
export function findMetricAt(labels: readonly string[], index: number): MetricReading | undefined {
  const label = labels[index] ?? '';
  const metric = findMetric(label);
  if (metric !== undefined) return { metric };
  if (!isBareYield(label)) return undefined;
  const method = appraisalMethodIn(label) ?? methodBefore(labels, index);
  if (method === undefined) return undefined;
  return method === 'direct' ? { metric: 'directCapRate' } : { metric: 'terminalCapRate', doubt: UNCLEAR_YIELD };
}

function methodBefore(labels: readonly string[], index: number): AppraisalMethod | undefined {
  for (let at = index - 1; at >= Math.max(0, index - MAX_BACK); at--) {
    const label = labels[at] as string;
    const method = appraisalMethodIn(label);
    if (method !== undefined) return method;
    if (findMetric(label) !== 'discountRate' && (isBareYield(label) || !/価格|収益/u.test(label))) return undefined;
  }
  return undefined;
}
