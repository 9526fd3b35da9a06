import type { HistoryPeriod, PeriodHint } from './history.ts';

const ORDINAL = /第(\d{1,3})期末?/u;
const MONTH = /(\d{4})[年/.](\d{1,2})月?(?:\d{1,2}日|[/.]\d{1,2})?(?:末|期)?(?:現在|時点)?/u;
/** A day of valuation tells of an appraisal, not of the period it is reported for. */
const VALUED = /(?:価格時点|評価時点|調査時点|取得日|取得年月日?)[はを:]*(?:\d{4}年\d{1,2}月(?:\d{1,2}日)?)?/gu;

const plainOf = (text: string) => text.slice(0, 500).normalize('NFKC').replace(/\s+/gu, '');

/** 第40期, 2026年1月末, 当期, 前期; undefined where a text names no period, or several. */
export function periodHint(text: string): PeriodHint | undefined {
  const plain = plainOf(text).replace(VALUED, '');
  const ordinals = new Set([...plain.matchAll(new RegExp(ORDINAL, 'gu'))].map(([, ordinal]) => Number(ordinal)));
  if (ordinals.size === 1) return { ordinal: [...ordinals][0] as number };
  if (ordinals.size > 1) return undefined;
  if (/前期/u.test(plain)) return 'previous';
  if (/当期/u.test(plain)) return 'current';
  const months = [...plain.matchAll(new RegExp(MONTH, 'gu'))].map(
    ([, year, month]) => `${year}-${String(month).padStart(2, '0')}`,
  );
  // A span of days ends in its period's last month.
  const last = months.at(-1);
  return last === undefined ? undefined : { month: last };
}

export function withoutPeriod(plain: string): string {
  return plain
    .replace(new RegExp(ORDINAL, 'gu'), '')
    .replace(/(?<!時点[はを:(]*)\d{4}[年/.]\d{1,2}月?(?:\d{1,2}日)?(?:末|期)?(?:現在|時点)?/gu, '')
    .replace(/[当前]期末?/gu, '');
}

/** The period that is meant; undefined where the filing does not say when it was. */
export function resolvePeriod(
  hint: PeriodHint | undefined,
  current: HistoryPeriod,
  periods: readonly HistoryPeriod[],
): HistoryPeriod | undefined {
  if (hint === undefined || hint === 'current') return current;
  if (hint === 'previous') {
    return current.ordinal === null
      ? undefined
      : periods.find(({ ordinal }) => ordinal === (current.ordinal as number) - 1);
  }
  if ('ordinal' in hint) return periods.find(({ ordinal }) => ordinal === hint.ordinal);
  return periods.find(({ endDate }) => endDate.startsWith(hint.month));
}

export function describeHint(hint: PeriodHint): string {
  if (hint === 'current') return '当期';
  if (hint === 'previous') return '前期';
  return 'ordinal' in hint ? `第${hint.ordinal}期` : hint.month;
}
