import { parseJapaneseDate, toDay } from '../../vocabulary/japanese.ts';
import { isCalendarDate } from '../../vocabulary/time.ts';
import type { HistoryPeriod } from './history.ts';

const DAY = '((?:\\d{4}|(?:令和|平成)(?:元|\\d{1,2}))(?:年|[/.])\\d{1,2}(?:月|[/.])\\d{1,2}日?)';
/** 第40期(自2025年5月1日至2025年10月31日), 第41期(2025/12/01-2026/05/31). */
const PERIOD = new RegExp(`第(\\d{1,3})期[^第\\d]{0,12}${DAY}(?:から|[^\\d令平]{0,4})${DAY}`, 'gu');
const MAX_DAYS = 800;

/** The periods that texts name with both their days; one that they name differently is left out. */
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

/** The filing's own period: what is named for its last day, else only that day is known. */
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
