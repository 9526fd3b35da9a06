import { BrokenFile } from '../../files/broken-file.ts';
import type { SourceMetric } from '../../vocabulary/reit-metrics.ts';
import { plainLabel, UNCLEAR_YIELD } from './find-metric.ts';
import type { PeriodHint } from './history.ts';

/** A row or a column of a table that states a metric. */
export interface MetricLine {
  index: number;
  metric: SourceMetric;
  label: string;
  hint: PeriodHint | undefined;
  doubt?: string | undefined;
}

const MAX_STATED = 50_000;

export function limitStatements(figures: number): void {
  if (figures > MAX_STATED) throw new BrokenFile('a table states more figures than any report');
}

interface SelectedLines {
  lines: MetricLine[];
  notes: string[];
}

export const TOTAL = /合計|総額|小計|計$|総収/u;
const OTHER = /その他の?(?:不動産)?(?:賃貸)?(?:事業)?収(?:入|益)/u;

/**
 * Selects the lines of a table that state the metric itself: totals where their parts are listed too, and expenses only if
 * they include depreciation.
 */
export function selectLines(lines: readonly MetricLine[], labels: readonly string[]): SelectedLines {
  const notes: string[] = [];
  const selected: MetricLine[] = [];
  const groups = Map.groupBy(lines, ({ metric, hint }) => `${metric} ${JSON.stringify(hint)}`);
  for (const group of groups.values()) {
    const { metric } = group[0] as MetricLine;
    if (metric !== 'rentalRevenue' && metric !== 'rentalExpenses') selected.push(...group);
    else selected.push(...totalsOf(group, labels));
  }
  const kept = selected.filter((line) => {
    if (line.metric !== 'rentalExpenses' || !excludesDepreciation(line, lines, labels)) return true;
    notes.push('rentalExpenses is left out: the total of its table excludes depreciation, which is another basis');
    return false;
  });
  return { lines: resolveYields(kept).sort((a, b) => a.index - b.index), notes };
}

/** A bare 利回り of the DCF method is the terminal rate if the discount rate has its own line. */
function resolveYields(lines: readonly MetricLine[]): MetricLine[] {
  return lines.flatMap((line): MetricLine[] => {
    if (line.doubt !== UNCLEAR_YIELD) return [line];
    const others = lines.filter((other) => other !== line && sameHint(other, line));
    const finals = others.filter(({ metric }) => metric === 'terminalCapRate');
    if (finals.some(({ doubt }) => doubt === undefined)) return [];
    const isClear = finals.length === 0 && others.some(({ metric }) => metric === 'discountRate');
    return isClear ? [{ ...line, doubt: undefined }] : [line];
  });
}

function totalsOf(group: readonly MetricLine[], labels: readonly string[]): MetricLine[] {
  const totals = group.filter(({ label }) => TOTAL.test(bare(label)));
  if (totals.length > 0) return totals;
  const partsBeside = labels.some((label) => OTHER.test(bare(label)));
  if (group.length === 1 && (!partsBeside || group[0]?.metric === 'rentalExpenses')) return [...group];
  // 賃貸事業収益 is the sum of 賃貸事業収入 and その他賃貸事業収入.
  const sums = group.filter(({ label }) => /収益/u.test(bare(label)));
  if (sums.length === 1) return sums;
  return group.slice(0, 1).map((line) => ({ ...line, doubt: 'noTotal' }));
}

function excludesDepreciation(line: MetricLine, lines: readonly MetricLine[], labels: readonly string[]): boolean {
  const label = plainLabel(line.label);
  if (/除|控除前|償却前/u.test(label)) return true;
  if (/含/u.test(label)) return false;
  const at = (metric: SourceMetric) => lines.find((other) => other.metric === metric && sameHint(other, line));
  const [noi, depreciation] = [at('noi'), at('depreciation')];
  if (noi === undefined || depreciation === undefined || depreciation.index < noi.index) return false;
  if (/[+＋]/u.test(noi.label)) return false;
  const between = labels.slice(Math.min(line.index, noi.index) + 1, noi.index);
  return !between.some((other) => /賃貸事業(?:損益|利益)/u.test(bare(other)));
}

const sameHint = (a: MetricLine, b: MetricLine) => JSON.stringify(a.hint) === JSON.stringify(b.hint);
const bare = (label: string) => plainLabel(label).replace(/\([^()]*\)/gu, '');
