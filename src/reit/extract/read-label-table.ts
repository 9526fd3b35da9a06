import { findLabel } from '../../sources/disclosure/columns.ts';
import type { DisclosedTable } from '../../sources/disclosure/disclosed-table.ts';
import { type Units, unitsAbove, unitsIn } from '../../sources/disclosure/figures.ts';
import { oneLine } from '../../sources/disclosure/names.ts';
import { appraisalMethodIn, FLOW_METRICS, findMetricAt, type MetricReading } from './find-metric.ts';
import type { PropertyMention, ReadTable, TableStatement } from './history.ts';
import { interestText, isInterestLabel } from './interest.ts';
import {
  isValueOf,
  type LabelEvent,
  type LabelPair,
  labelEvents,
  type PairValue,
  withoutOrder,
} from './label-pairs.ts';
import { type MetricLine, selectLines, TOTAL } from './metric-lines.ts';
import { periodHint } from './periods.ts';

export const MAX_LABEL_ROWS = 200;
/** Labels in fewer rows may be headers. */
const MIN_ROWS = 3;
const MIN_METRICS = 2;

/** Reads a table that names its one property and has labels beside their values. */
export function readLabelTable({ rows, above }: DisclosedTable): ReadTable | undefined {
  if (rows.length > MAX_LABEL_ROWS) return undefined;
  const events = [...labelEvents(rows)];
  const pairs = events.filter((event): event is LabelPair => event.kind === 'pair');
  if (new Set(pairs.map(({ row }) => row)).size < MIN_ROWS) return undefined;
  const keys = { number: new Set<string>(), name: new Set<string>() };
  for (const { label, values } of pairs) {
    const kind = findLabel(label);
    if (kind === 'planned' || kind === 'sold') return undefined;
    if (kind === 'number' || kind === 'name') for (const { text } of values) keys[kind].add(text.trim());
  }
  if (keys.number.size > 1 || keys.name.size > 1 || keys.number.size + keys.name.size === 0) return undefined;
  const [number = '', name = ''] = [...[keys.number, keys.name].map((texts) => [...texts][0])];
  const { statements, notes } = statementsOf(placedPairs(events, above), { number, name }, unitsOf(events, above));
  if (new Set(statements.map(({ metric }) => metric)).size < MIN_METRICS) return undefined;
  return { mentions: [{ number, name, interest: interestOf(pairs) }], statements, notes };
}

function placedPairs(events: readonly LabelEvent[], above: readonly string[]): PlacedPair[] {
  const places = new AppraisalTracker(above);
  return events.flatMap((event) => {
    if (event.kind === 'pair') return [places.place(event)];
    if (event.kind === 'title') places.takeTitle(event.text);
    return [];
  });
}

/** The units stated above a table, or by titles and headers inside it. */
export function unitsOf(events: readonly LabelEvent[], above: readonly string[]): ReturnType<typeof unitsAbove> {
  return unitsAbove([...above, ...events.flatMap(textsIn)]);
}

function textsIn(event: LabelEvent): readonly string[] {
  if (event.kind === 'pair') return [];
  return event.kind === 'title' ? [event.text] : event.texts;
}

/** A pair, and whether it is among the figures of an appraiser. */
export interface PlacedPair {
  pair: LabelPair;
  inAppraisal: boolean;
}

interface PairStatements {
  statements: TableStatement[];
  notes: string[];
}

const APPRAISAL = /鑑定|評価書|価格調査|直接還元|dcf|ＤＣＦ|収益価格|収益還元|試算価格/iu;
const RESULTS = /収支|損益|収益(?:の)?状況|運用状況|賃貸事業/u;
const SUMS: ReadonlySet<TableStatement['metric']> = new Set<TableStatement['metric']>([
  'rentalRevenue',
  'rentalExpenses',
]);
const TENANT = /^(?:主要な?)?(?:テナント|賃借人)(?:の?名称?|氏名)?$/u;

/** Whether a title heads an appraiser's estimates, whose NOI and capital expenditure are not those of a period. */
export const isAppraisal = (title: string): boolean => APPRAISAL.test(title) && !RESULTS.test(title);

export const APPRAISERS_FLOWS =
  "results in a table of appraisals are left out: they are the appraiser's estimates, not results of a period";

const groupOf = ({ groups }: LabelPair): string => groups.join('');

/** Reads the statements of the labels of one property. */
export function statementsOf(
  placed: readonly PlacedPair[],
  { number, name }: Pick<PropertyMention, 'number' | 'name'>,
  general: Units,
): PairStatements {
  const labels = placed.map(({ pair }) => withoutOrder(pair.label));
  const grouped = placed.map(({ pair }, index) => groupOf(pair) + (labels[index] as string));
  const hasTenant = labels.some((label) => TENANT.test(oneLine(label)));
  const notes: string[] = [];
  const found = placed.flatMap(({ pair, inAppraisal }, index): MetricLine[] => {
    const metric = metricOf(labels, grouped, index);
    if (metric === undefined || !pair.values.some(({ text }) => isValueOf(metric.metric, text))) return [];
    // The area of a tenant is not that of the property.
    if (hasTenant && (metric.metric === 'leasedArea' || metric.metric === 'leasableArea')) return [];
    if (FLOW_METRICS.has(metric.metric) && (inAppraisal || isAppraisal(groupOf(pair)))) {
      if (!notes.includes(APPRAISERS_FLOWS)) notes.push(APPRAISERS_FLOWS);
      return [];
    }
    const hint = periodHint(groupOf(pair) + pair.label);
    const part = SUMS.has(metric.metric) ? partOf(pair, metric.metric) : '';
    const doubt = part === '' || TOTAL.test(part) ? metric.doubt : 'noTotal';
    return [{ index, metric: metric.metric, label: `${grouped[index]}${part}`, hint, doubt }];
  });
  const settled = selectLines(found, grouped);
  const column = [number, oneLine(name)].filter((part) => part !== '').join(' ');
  const statements = settled.lines.flatMap(({ index, metric, hint, doubt }) => {
    const { pair } = placed[index] as PlacedPair;
    return chosen(pair.values, metric).map(({ value, several }): TableStatement => {
      const stated = [value.header, groupOf(pair), pair.label].map(unitsIn);
      const units = Object.assign({}, general, ...stated, pair.units) as Units;
      const place = {
        row: oneLine(groupOf(pair) + pair.label),
        column: [column, oneLine(value.header)].join(' ').trim(),
      };
      const statement = {
        number,
        name,
        metric,
        text: value.text,
        units,
        hint: value.hint ?? hint,
        shared: false,
        ...place,
      };
      const why = several ? 'severalCells' : doubt;
      return why === undefined ? statement : { ...statement, doubt: why };
    });
  });
  return { statements, notes: [...notes, ...settled.notes] };
}

/** The text between the label of a sum and its figure. 賃貸事業収益 | 共益費収入 | 100 is only a part of the sum. */
function partOf({ values }: LabelPair, metric: TableStatement['metric']): string {
  const text = values.find((value) => value.text.trim() !== '')?.text ?? '';
  return isValueOf(metric, text) ? '' : oneLine(text);
}

/** By the label alone, else with its groups, else by the appraisal method before it. */
function metricOf(labels: readonly string[], grouped: readonly string[], index: number): MetricReading | undefined {
  return findMetricAt([labels[index] as string], 0) ?? findMetricAt(grouped, index);
}

/** One cell, or one of each period if the columns are periods. Several other cells are ambiguous. */
function chosen(
  values: readonly PairValue[],
  metric: TableStatement['metric'],
): { value: PairValue; several: boolean }[] {
  const filled = values.filter(({ text }) => text.trim() !== '');
  const dated = filled.filter(({ hint }) => hint !== undefined);
  if (dated.length > 0) return dated.map((value) => ({ value, several: false }));
  const fitting = filled.filter(({ text }) => isValueOf(metric, text));
  const [only] = fitting.length === 1 ? fitting : filled;
  const value = only ?? (values[0] as PairValue);
  return [{ value, several: fitting.length > 1 || (fitting.length === 0 && filled.length > 1) }];
}

/** The texts about the interest in the property. */
export function interestOf(pairs: readonly LabelPair[]): string {
  return pairs
    .filter(({ label }) => isInterestLabel(label))
    .map(({ label, values }) => interestText(label, values.map(({ text }) => text).join('')))
    .join('\n');
}

/** Tracks which pairs are an appraiser's figures: below a title of an appraisal, or after an appraisal method. */
export class AppraisalTracker {
  #inAppraisal: boolean;

  constructor(titles: readonly string[]) {
    const last = titles.findLast((title) => APPRAISAL.test(title) || RESULTS.test(title));
    this.#inAppraisal = last !== undefined && isAppraisal(last);
  }

  get inAppraisal(): boolean {
    return this.#inAppraisal;
  }

  takeTitle(title: string): void {
    this.#inAppraisal = isAppraisal(title);
  }

  place(pair: LabelPair): PlacedPair {
    if (appraisalMethodIn(groupOf(pair) + pair.label) !== undefined) this.#inAppraisal = true;
    return { pair, inAppraisal: this.#inAppraisal && !RESULTS.test(groupOf(pair)) };
  }
}
