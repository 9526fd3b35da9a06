import type { Figure, Target, Targets, Unit } from './benchmark.ts';

export interface Spread {
  lowest: number;
  median: number;
  highest: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const at = (i: number) => sorted[i] ?? Number.NaN;
  const median = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
  return { lowest: at(0), median, highest: at(last) };
}

/** Of every round; undefined if nothing was measured beside the figure. */
export function ratiosOf({ values, beside }: Figure): number[] | undefined {
  return beside?.values.map((other, round) => (values[round] as number) / other);
}

/** The spread that a target is about. */
export function judgedSpread(figure: Figure, { of }: Target): Spread {
  return spreadOf(of === 'value' ? figure.values : (ratiosOf(figure) ?? []));
}

export function isMet(figure: Figure, target: Target): boolean {
  const { median } = judgedSpread(figure, target);
  return target.at === 'most' ? median <= target.value : median >= target.value;
}

export const REPORT_COLUMNS = ['', 'measured', 'ratio', 'target', ''] as const;

/** One line per figure: its name, its spread, its ratio, its target, and whether that was met. */
export function reportRows(figures: readonly Figure[], targets: Targets): string[][] {
  return figures.map((figure) => {
    const { name, unit, values, beside } = figure;
    const target = targets[name];
    const ratios = ratiosOf(figure);
    const ratio =
      ratios === undefined
        ? ''
        : `${formatSpread(spreadOf(ratios), ratioUnit(unit))}${unit === '/s' ? ' of' : ''} ${beside?.name}`;
    const said = target === undefined ? '' : formatTarget(target, unit);
    const verdict = target === undefined ? '' : isMet(figure, target) ? 'met' : 'missed';
    return [name, formatSpread(spreadOf(values), unit), ratio, said, verdict];
  });
}

type ShownUnit = Unit | '%' | '×';
/** Rates are a share of the limit; times are a multiple. */
const ratioUnit = (unit: Unit): ShownUnit => (unit === '/s' ? '%' : '×');

function formatTarget({ at, value, of }: Target, unit: Unit): string {
  const shown = of === 'value' ? `${value.toLocaleString('en')} ${unit}` : formatValue(value, ratioUnit(unit));
  return `at ${at} ${shown}`;
}

export function formatSpread({ lowest, median, highest }: Spread, unit: ShownUnit): string {
  const middle = formatValue(median, unit);
  if (lowest === highest) return middle;
  return `${middle} (${formatNumber(lowest, unit)} to ${formatNumber(highest, unit)})`;
}

const formatValue = (value: number, unit: ShownUnit) => `${formatNumber(value, unit)} ${unit}`;

function formatNumber(value: number, unit: ShownUnit): string {
  const shown = unit === '%' ? value * 100 : value;
  if (!Number.isFinite(shown)) return '–';
  const size = Math.abs(shown);
  const digits = unit === '%' || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 3;
  return shown.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** For a terminal. */
export function alignTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').trim()).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
