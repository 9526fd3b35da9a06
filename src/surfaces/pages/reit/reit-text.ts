import type { AgreementStatus } from '../../../reit/publication/document.ts';
import type { Consensus, Measure } from '../../../reit/publication/measure.ts';
import { shiftDecimal } from '../../../vocabulary/exact-number.ts';
import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import type { Label } from '../catalogue/labels.ts';

export const NONE_ACCEPTED = 'No accepted REIT publications for this building';
export const UNAVAILABLE = 'REIT history is temporarily unavailable. The rest of this page is not affected.';
export const NO_AUDIT =
  'Figures cover the interest that the REIT holds, as it discloses them. Agreement means that sources state the same value; it does not imply an independent audit.';

/** In display order. */
export const METRIC_LABELS: Readonly<Record<Metric, Label>> = {
  acquisitionPrice: { en: 'Acquisition price', ja: '取得価格' },
  acquisitionDate: { en: 'Acquisition date', ja: '取得日' },
  appraisalValue: { en: 'Appraisal value', ja: '鑑定評価額' },
  appraisalDate: { en: 'Appraisal date', ja: '価格時点' },
  bookValue: { en: 'Book value', ja: '帳簿価額' },
  unrealizedGain: { en: 'Unrealised gain', ja: '含み損益' },
  unrealizedGainRatio: { en: 'Unrealised gain ratio', ja: '含み損益率' },
  rentalRevenue: { en: 'Rental revenue', ja: '賃貸事業収益' },
  rentalExpenses: { en: 'Rental expenses', ja: '賃貸事業費用' },
  depreciation: { en: 'Depreciation', ja: '減価償却費' },
  noi: { en: 'NOI', ja: '賃貸NOI' },
  noiDerived: { en: 'NOI (derived)', ja: 'NOI（算出）' },
  noiYieldAcquisition: { en: 'NOI yield (acquisition price)', ja: 'NOI利回り（取得価格）' },
  noiYieldAppraisal: { en: 'NOI yield (appraisal value)', ja: 'NOI利回り（鑑定評価額）' },
  afterDepreciationYield: { en: 'Yield after depreciation', ja: '償却後利回り' },
  expenseRatio: { en: 'Expense ratio', ja: '経費率' },
  capex: { en: 'Capital expenditure', ja: '資本的支出' },
  operatingDays: { en: 'Operating days', ja: '運用日数' },
  occupancyRate: { en: 'Occupancy rate', ja: '稼働率' },
  leasableArea: { en: 'Leasable area', ja: '賃貸可能面積' },
  leasedArea: { en: 'Leased area', ja: '賃貸面積' },
  tenantCount: { en: 'Tenants', ja: 'テナント数' },
  directCapRate: { en: 'Direct cap rate', ja: '直接還元利回り' },
  discountRate: { en: 'Discount rate', ja: '割引率' },
  terminalCapRate: { en: 'Terminal cap rate', ja: '最終還元利回り' },
};

/** Shown in place of an amount, or beside it. */
const STATE_LABELS: Readonly<Record<string, string>> = {
  recorded: 'recorded',
  zero: 'zero',
  derived: 'derived',
  notRecorded: 'not recorded',
  notDisclosed: 'not disclosed',
  notApplicable: 'not applicable',
  outsideHoldingPeriod: 'not held',
  missing: 'missing',
  conflict: 'conflict',
  unresolved: 'unresolved',
};

export const AGREEMENT_LABELS: Readonly<Record<AgreementStatus, { glyph: string; text: string }>> = {
  agreed: { glyph: '●', text: 'agreed' },
  singleSource: { glyph: '○', text: 'single source' },
  missing: { glyph: '·', text: 'missing' },
  conflict: { glyph: '✕', text: 'conflict' },
  unresolved: { glyph: '?', text: 'unresolved' },
};

export const stateText = (state: string): string => STATE_LABELS[state] ?? state;

const UNITS: Readonly<Record<string, string>> = { JPY: ' 円', m2: ' m²', day: ' days', count: '' };

/** An exact amount with grouped digits, a ratio as a percentage; never converted to a float. */
function amountText(amount: string, unit: string): string {
  if (unit === 'ratio') return `${trim(shiftDecimal(amount, 2))}%`;
  return `${group(amount)}${UNITS[unit] ?? ` ${unit}`}`;
}

/** The published value, or the reason why there is none. */
export function valueText(value: Consensus | Measure | null, status: string): string {
  if (value === null) return stateText(status);
  if ('amount' in value) return amountText(value.amount, value.unit);
  return 'date' in value ? value.date : stateText(value.state);
}

/** The exact amount as in the API, then formatted; empty without one. */
export function exactText(value: Consensus | Measure | null): string {
  if (value === null) return '';
  if ('date' in value) return value.date;
  if (!('amount' in value)) return '';
  return `${value.amount} ${value.unit} (${amountText(value.amount, value.unit)})`;
}

function group(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const trim = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

export const dayText = (day: string | null): string => day ?? 'not stated';

/** A filing gives no end date while ownership continues. */
export const endText = (day: string | null): string => day ?? 'ongoing';

export const shareText = (share: { numerator: number; denominator: number } | null): string =>
  share === null ? 'not stated' : `${share.numerator}/${share.denominator}`;
