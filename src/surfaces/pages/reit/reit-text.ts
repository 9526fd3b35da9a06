import type { AgreementStatus, Document } from '../../../reit/publication/document.ts';
import type { Consensus, Measure } from '../../../reit/publication/measure.ts';
import { shiftDecimal, withoutTrailingZeros } from '../../../vocabulary/exact-number.ts';
import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { METRIC_LABELS } from '../catalogue/labels.ts';
import { formatDay, formatDayPlainly, formatYen } from '../format.ts';

const GLYPHS: Readonly<Record<AgreementStatus, string>> = {
  agreed: '●',
  singleSource: '○',
  missing: '·',
  conflict: '✕',
  unresolved: '?',
};
export const AGREEMENTS = Object.keys(GLYPHS) as AgreementStatus[];
export const agreementGlyph = (status: AgreementStatus): string => GLYPHS[status];

export const stateText = ({ reit }: Text, state: string): string => reit.states[state] ?? state;

export const metricLabel = ({ lang }: Text, metric: Metric): string => METRIC_LABELS[metric][lang];

/** An exact amount in the form of the language, a ratio as a percentage; never converted to an inexact number. */
function amountText(t: Text, amount: string, unit: string): string {
  if (unit === 'ratio') return `${withoutTrailingZeros(shiftDecimal(amount, 2))}%`;
  if (unit === 'JPY') {
    const value = Number(amount);
    if (Number.isSafeInteger(value) && String(value) === amount) return formatYen(t, value);
    return t.lang === 'ja' ? `${group(amount)}円` : `¥${group(amount)}`;
  }
  if (unit === 'day') return t.reit.days(group(amount));
  return unit === 'm2' ? `${group(amount)} m²` : group(amount);
}

/** The published value, or the reason why there is none. */
export function valueText(t: Text, value: Consensus | Measure | null, status: string): string {
  if (value === null) return stateText(t, status);
  if ('amount' in value) return amountText(t, value.amount, value.unit);
  return 'date' in value ? formatDay(t, value.date) : stateText(t, value.state);
}

/** The exact amount as in the API, then formatted; empty without one. */
export function exactText(t: Text, value: Consensus | Measure | null): string {
  if (value === null) return '';
  if ('date' in value) return formatDayPlainly(t, value.date);
  if (!('amount' in value)) return '';
  return `${value.amount} ${value.unit} (${amountText(t, value.amount, value.unit)})`;
}

function group(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export const shareText = ({ reit }: Text, share: { numerator: number; denominator: number } | null): string =>
  share === null ? reit.notStated : reit.shareOf(share);

/** The credits of a publication. The service's own credit is in the language of the page. */
export const creditsText = ({ reit, building }: Text, attributions: Document['attributions']): string =>
  attributions.map(({ source, text }) => (source === 'dnk' ? reit.ownCredit : text)).join(building.semicolon);

export const transactionType = ({ reit }: Text, type: string): string => reit.transactionTypes[type] ?? type;
