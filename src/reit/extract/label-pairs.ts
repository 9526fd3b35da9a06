import { findLabel, plainHeader } from '../../sources/disclosure/columns.ts';
import type { DisclosedCell, DisclosedRow } from '../../sources/disclosure/disclosed-table.ts';
import { parseFigure, type Units, unitsIn } from '../../sources/disclosure/figures.ts';
import { PRINTED_UNIT } from '../../vocabulary/printed-figure.ts';
import { isDateMetric, type SourceMetric } from '../../vocabulary/reit-metrics.ts';
import { memoize } from '../publication/memoize.ts';
import { appraisalMethodIn, findMetric, isBareYield } from './find-metric.ts';
import type { PeriodHint } from './history.ts';
import { isInterestLabel } from './interest.ts';
import { periodHint } from './periods.ts';

/** A cell beside a label, with the header of its column. */
export interface PairValue {
  text: string;
  hint: PeriodHint | undefined;
  header: string;
}

/** A label of a table and the cells beside it. */
export interface LabelPair {
  kind: 'pair';
  row: number;
  label: string;
  /** The labels to the left that group it: 直接還元法 before 還元利回り. */
  groups: readonly string[];
  values: PairValue[];
  units: Units;
}

/** In table order. A title spans a row and heads the rows below it; headers describe the columns. */
export type LabelEvent = LabelPair | { kind: 'title'; text: string } | { kind: 'headers'; texts: readonly string[] };

const MAX_LABEL = 40;
const COMMENT_COLUMN = /^(?:概要等?|備考|摘要|根拠等?|査定根拠|査定の根拠|説明|コメント|内容説明)$/u;
const VALUE_COLUMN = /^(?:内容|金額|数値|査定額|値|試算価格|評価額等)$/u;
const UNIT_COLUMN = '単位';
const COLUMN_OF_LABELS =
  /^(?:項目|科目|勘定科目|区分|内訳|期|期別|決算期|計算期間|営業期間|運用期間|対象期間|年度)?(?:\(?単位.*)?$/u;
const UNIT_ALONE = new RegExp(`^\\(?(?:${PRINTED_UNIT})\\)?$`, 'u');
/** Occurs in sentences, not in labels. */
const SENTENCE = /[をはが、。]|査定|考慮|勘案|参考|加味|採用|判断|反映|標準|還元して/u;

type Role = { kind: 'value'; hint: PeriodHint | undefined; header: string } | { kind: 'comment' } | { kind: 'unit' };

/** The labels of a table with the cells beside them, and the titles between them. */
export function* labelEvents(rows: readonly DisclosedRow[]): Generator<LabelEvent> {
  let roles: (Role | undefined)[] = [];
  let headersAt = -1;
  for (const [row, { cells }] of rows.entries()) {
    const distinct = [...new Set(cells)].filter((cell): cell is DisclosedCell => cell !== undefined);
    const filled = distinct.filter(({ text }) => text.trim() !== '');
    if (filled.length === 0) continue;
    const [first] = filled as [DisclosedCell];
    if (filled.length === 1 && (distinct.length === 1 || (distinct[0] === first && !isLabel(first.text)))) {
      roles = [];
      yield { kind: 'title', text: first.text };
      continue;
    }
    const header = columnRoles(cells);
    if (header !== undefined) {
      roles = headersAt === row - 1 ? header.map((role, index) => joined(roles[index], role)) : header;
      headersAt = row;
      yield { kind: 'headers', texts: filled.map(({ text }) => text) };
    } else yield* pairsIn(cells, distinct, roles, row);
  }
}

/** The roles of the columns if a row states them: periods, or 項目, 内容, 概要等. */
function columnRoles(cells: DisclosedRow['cells']): (Role | undefined)[] | undefined {
  const [label] = cells;
  if (!COLUMN_OF_LABELS.test(plainHeader(label?.text ?? ''))) return undefined;
  const roles = cells.map((cell): Role | undefined =>
    cell === undefined || cell === label ? undefined : roleOf(cell.text),
  );
  const others = cells.filter((cell) => cell !== label && (cell?.text.trim() ?? '') !== '');
  return others.length > 0 && cells.every((cell, index) => !others.includes(cell) || roles[index] !== undefined)
    ? roles
    : undefined;
}

/** Joins headers of two rows: a period above 金額（千円）. */
function joined(above: Role | undefined, below: Role | undefined): Role | undefined {
  if (above?.kind !== 'value' || below?.kind !== 'value') return below ?? above;
  return { kind: 'value', hint: below.hint ?? above.hint, header: `${above.header}${below.header}` };
}

function roleOf(text: string): Role | undefined {
  const plain = plainHeader(text).replace(/\([^()]*\)/gu, '');
  if (COMMENT_COLUMN.test(plain) || /比$|増減|差異|差額/u.test(plain)) return { kind: 'comment' };
  if (plain === UNIT_COLUMN) return { kind: 'unit' };
  if (isLabel(text)) return undefined;
  const hint = periodHint(text);
  if (hint === undefined && !VALUE_COLUMN.test(plain) && !UNIT_ALONE.test(plain)) return undefined;
  return { kind: 'value', hint, header: text };
}

function* pairsIn(
  cells: DisclosedRow['cells'],
  distinct: readonly DisclosedCell[],
  roles: readonly (Role | undefined)[],
  row: number,
): Generator<LabelPair> {
  let open: LabelPair | undefined;
  const lead: string[] = [];
  for (const cell of distinct) {
    const { text } = cell;
    if (isLabel(text)) {
      if (open !== undefined && open.values.length > 0) yield open;
      // A label without a value groups the one that follows it.
      else if (open !== undefined) lead.push(open.label);
      open = { kind: 'pair', row, label: text, groups: [...lead], values: [], units: {} };
      continue;
    }
    if (open === undefined) {
      if (text.trim() !== '') lead.push(text);
      continue;
    }
    const spanned = roles.filter((_, index) => cells[index] === cell).filter((role) => role !== undefined);
    const [role] = spanned;
    if (role?.kind === 'comment') continue;
    if (role?.kind === 'unit' || UNIT_ALONE.test(plainHeader(text))) {
      open.units = { ...open.units, ...unitsIn(text) };
      continue;
    }
    const own = role?.kind === 'value' && spanned.length === 1 ? role : { hint: undefined, header: '' };
    open.values.push({ text, hint: own.hint, header: own.header });
  }
  if (open !== undefined && open.values.length > 0) yield open;
}

/** A label only names the value beside it. Remarks of an appraiser contain the same words. */
export const isLabel = memoize((text: string) => text.length <= MAX_LABEL && isLabelText(text), MAX_LABEL);

function isLabelText(text: string): boolean {
  const plain = withoutOrder(text);
  if (SENTENCE.test(plainHeader(plain).replace(/\([^()]*\)/gu, ''))) return false;
  if (findLabel(plain) !== undefined || isInterestLabel(plain)) return true;
  const isMetric = findMetric(plain) !== undefined || isBareYield(plain) || appraisalMethodIn(plain) !== undefined;
  return isMetric && !/^[\d△▲-]/u.test(plain);
}

/** Removes an order mark before a label: `(1)`, `1.`, `a)`. */
export function withoutOrder(label: string): string {
  return label
    .trim()
    .replace(/^(?:[(（][\da-zア-ン０-９]{1,2}[)）]|[\d０-９]{1,2}[.．、)）])\s*(?=[^\d０-９\s])/iu, '');
}

const DATE = /\d{4}[年/.-]\d{1,2}|(?:明治|大正|昭和|平成|令和)(?:元|\d{1,2})年/u;
const STATED = /^(?:非開示|非公表|未開示|開示|該当|n\/a$|一括|合算)|に含/iu;

/** Whether a cell can be a value of a metric: a figure, a date, a dash, or a word instead. */
export function isValueOf(metric: SourceMetric, text: string): boolean {
  const plain = plainHeader(text);
  if (STATED.test(plain) || parseFigure(text).kind !== 'unreadable') return true;
  if (isDateMetric(metric)) return DATE.test(plain);
  return /^[\d△▲(約-]/u.test(plain) && !DATE.test(plain);
}
