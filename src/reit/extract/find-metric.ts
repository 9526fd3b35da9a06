import { findColumn, type PropertyColumn, plainHeader } from '../../sources/disclosure/columns.ts';
import { CIRCLED } from '../../vocabulary/footnotes.ts';
import type { SourceMetric } from '../../vocabulary/reit-metrics.ts';
import { withoutPeriod } from './period-hint.ts';
import { remember } from './remember.ts';

/** What is of a period and not of a day: only tables of a period's result state it. */
export const FLOWS: ReadonlySet<SourceMetric> = new Set<SourceMetric>([
  'rentalRevenue',
  'rentalExpenses',
  'depreciation',
  'noi',
  'operatingDays',
  'capex',
]);

const NOT_ACTUAL = '前回|期首|増減|差額|変動|推移|比率|割合|構成比|予定|計画|予想|想定|見込|年換算|年間|月額|単価';

/** Labels beyond those of property lists, the narrower before the wider. */
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

/** Also in brackets: NOI（年換算） is not the period's. */
const NOT_ACTUAL_INSIDE = /年換算|年率|想定|予想|見込|計画|取得時|期首/u;
const MAX_LABEL = 120;

/** The metric that a header or a label means; a period that it names is no part of it. */
export const findMetric = remember(metricOf, MAX_LABEL);

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

/** Numbers in circles order the lines of a table and are no part of what they say. */
export function plainLabel(label: string): string {
  return plainHeader(label.replace(EACH_CIRCLED, ''));
}
