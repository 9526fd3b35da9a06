import { parseJapaneseDate, toDay } from '../../vocabulary/japanese.ts';
import { isCalendarDate } from '../../vocabulary/time.ts';
import type { HistoryPeriod, PeriodHint } from './history.ts';

const DAY = '((?:\\d{4}|(?:令和|平成)(?:元|\\d{1,2}))(?:年|[/.])\\d{1,2}(?:月|[/.])\\d{1,2}日?)';
/** 第40期(自2025年5月1日至2025年10月31日), 第41期(2025/12/01-2026/05/31). */
const PERIOD = new RegExp(`第(\\d{1,3})期[^第\\d]{0,12}${DAY}(?:から|[^\\d令平]{0,4})${DAY}`, 'gu');
const MAX_DAYS = 800;

/** The periods that texts name with both dates. A period with contradictory dates is left out. */
export function findPeriods(texts: Iterable<string>): HistoryPeriod[] {
  const found = new Map<number, HistoryPeriod | undefined>();
  for (const text of texts) {
    if (!text.includes('期')) continue;
    const plain = text.slice(0, 2_000).normalize('NFKC').replace(/\s+/gu, '');
    for (const [, number, from, to] of plain.matchAll(PERIOD)) {
      const period = periodOf(Number(number), from as string, to as string);
      if (period === undefined) continue;
      const known = found.get(Number(number));
      const same = known === undefined || (known.startDate === period.startDate && known.endDate === period.endDate);
      if (!found.has(Number(number))) found.set(Number(number), period);
      else if (!same) found.set(Number(number), undefined);
    }
  }
  return [...found.values()].filter((period) => period !== undefined);
}

/** The filing's own period: the one named with its last day, else only that day is known. */
export function currentPeriod(
  periods: readonly HistoryPeriod[],
  facts: ReadonlyMap<string, string>,
  endDate: string,
): HistoryPeriod {
  const named = periods.find((period) => period.endDate === endDate);
  if (named !== undefined) return named;
  const start = facts.get('CurrentFiscalYearStartDateDEI') ?? '';
  const startDate = isCalendarDate(start) && start <= endDate ? start : null;
  return { id: `p${endDate}`, ordinal: null, startDate, endDate };
}

function periodOf(ordinal: number, from: string, to: string): HistoryPeriod | undefined {
  const [startDate, endDate] = [dayOf(from), dayOf(to)];
  if (startDate === undefined || endDate === undefined) return undefined;
  const days = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000;
  return days > 0 && days < MAX_DAYS ? { id: `p${ordinal}`, ordinal, startDate, endDate } : undefined;
}

function dayOf(text: string): string | undefined {
  const date = parseJapaneseDate(text);
  return date === undefined ? undefined : toDay(date);
}

const ORDINAL = /第(\d{1,3})期末?/u;
const MONTH = /(\d{4})[年/.](\d{1,2})月?(?:\d{1,2}日|[/.]\d{1,2})?(?:末|期)?(?:現在|時点)?/u;
/** A valuation day belongs to an appraisal, not to the reported period. */
const VALUED = /(?:価格時点|評価時点|調査時点|取得日|取得年月日?)[はを:]*(?:\d{4}年\d{1,2}月(?:\d{1,2}日)?)?/gu;

const plainOf = (text: string) => text.slice(0, 500).normalize('NFKC').replace(/\s+/gu, '');

/** 第40期, 2026年1月末, 当期, 前期; undefined if a text names no period or several. */
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
  // A range of dates ends in the last month of its period.
  const last = months.at(-1);
  return last === undefined ? undefined : { month: last };
}

export function withoutPeriod(plain: string): string {
  return plain
    .replace(new RegExp(ORDINAL, 'gu'), '')
    .replace(/(?=\d{4})(?<!時点[はを:(]*)\d{4}[年/.]\d{1,2}月?(?:\d{1,2}日)?(?:末|期)?(?:現在|時点)?/gu, '')
    .replace(/[当前]期末?/gu, '');
}

/** The period that a hint means; undefined if the filing does not state its dates. */
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
