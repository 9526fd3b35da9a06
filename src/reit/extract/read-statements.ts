import { BrokenFile } from '../../files/broken-file.ts';
import { parseFigure, stripFootnoteMarks, type Units } from '../../sources/disclosure/figures.ts';
import { dateIn } from '../../sources/disclosure/read-property-cell.ts';
import { plainFigure } from '../../vocabulary/footnotes.ts';
import { parseJapaneseDate, toDay, toMonth } from '../../vocabulary/japanese.ts';
import { isYenUnit, YEN_SCALES } from '../../vocabulary/printed-figure.ts';
import { isDateMetric, type SourceMetric, type Unit, unitOfMetric } from '../../vocabulary/reit-metrics.ts';
import { cleanText, isDash } from '../../vocabulary/text.ts';
import type { FigureFrame } from '../publication/read-figure.ts';
import { UNCLEAR_YIELD } from './find-metric.ts';
import type { PlacedTable } from './find-tables.ts';
import type { HistoryPeriod, HistoryValue, TableStatement } from './history.ts';
import { describeHint, resolvePeriod } from './periods.ts';
import type { KnownProperty, PropertyList } from './property-list.ts';
import { dashMeaning, explainsYield, nonDisclosureReason, roundingOf, type TableNotes } from './table-notes.ts';

/** For one property in one filing. */
const MAX_FIELDS = 5_000;
const MAX_NOTES = 200;

export interface Periods {
  current: HistoryPeriod;
  periods: readonly HistoryPeriod[];
}

/** How many statements of a table became fields, and how many have a period without dates. */
export interface TakenStatements {
  fields: number;
  withoutPeriod: number;
}

/** Adds the statements of one table to its properties. A blank counts only if the table states nothing else there. */
export function readStatements(
  statements: readonly TableStatement[],
  placed: PlacedTable,
  { current, periods }: Periods,
  list: PropertyList,
  days: Map<KnownProperty, string>,
  notes: string[],
): TakenStatements {
  let [fields, withoutPeriod] = [0, 0];
  const dated = statements.flatMap((statement) => {
    const property = list.find(statement);
    if (property === undefined) return [];
    const hint = statement.hint ?? placed.hint;
    const period = resolvePeriod(hint, current, periods);
    if (period === undefined) {
      const name = hint === undefined ? '' : describeHint(hint);
      const note = `表${placed.table.number}: figures of ${name} are left out: the filing does not state its dates`;
      if (notes.length < MAX_NOTES && !notes.includes(note)) notes.push(note);
      withoutPeriod += 1;
      return [];
    }
    return [{ statement, property, period, path: `${statement.metric} ${period.id}` }];
  });
  const stated = new Map<KnownProperty, Set<string>>();
  for (const { statement, property, path } of dated) {
    if (statement.text.trim() === '') continue;
    stated.set(property, (stated.get(property) ?? new Set()).add(path));
  }
  for (const { statement, property, period, path } of dated) {
    const { metric, row, column, text } = statement;
    if (text.trim() === '' && stated.get(property)?.has(path) === true) continue;
    if (metric === 'acquisitionDate') keepEarliest(property, text, days);
    const locator = locatorOf(placed.section, placed.table.number, row, column);
    const field = { period, metric, value: toValue(statement, placed), locator };
    const key = JSON.stringify(field);
    fields += 1;
    if (property.taken.has(key)) continue;
    if (property.fields.length >= MAX_FIELDS)
      throw new BrokenFile('the filing states more about one property than any report');
    property.taken.add(key);
    property.fields.push(field);
  }
  return { fields, withoutPeriod };
}

function toValue({ metric, text, units, shared, doubt }: TableStatement, { notes }: PlacedTable): HistoryValue {
  // A total of several properties is never split; a word such as 非開示 applies to each.
  if (shared && /[\p{Nd}]/u.test(stripFootnoteMarks(text))) return { state: 'notDisclosed', reasonCode: 'bundled' };
  if (doubt !== undefined && !(doubt === UNCLEAR_YIELD && explainsYield(notes)))
    return { state: 'unresolved', reasonCode: doubt };
  return readValue(metric, text, units, notes);
}

const DAYS = /(?:\d{4}|(?:昭和|平成|令和)(?:元|\d{1,2}))[年/.]\d{1,2}[月/.]\d{1,2}日?/gu;

/** A share acquired later does not change the day since which the property is held. */
function keepEarliest(property: KnownProperty, text: string, days: Map<KnownProperty, string>): void {
  const plain = text.slice(0, 500).normalize('NFKC').replace(/\s+/gu, '');
  for (const [match] of plain.matchAll(DAYS)) {
    const date = parseJapaneseDate(match);
    const day = date === undefined ? undefined : toDay(date);
    const known = days.get(property);
    if (day !== undefined && (known === undefined || day < known)) days.set(property, day);
  }
}

const MAX_PART = 80;

/** REIT-03: a place in the public document: headings, table, row and column. */
function locatorOf(section: readonly string[], table: number, row: string, column: string): string {
  const titles = section.map((title) => short(title)).filter((title) => title !== '');
  return [...titles, `表${table}`, `行「${short(row)}」`, `列「${short(column)}」`].join(' > ');
}

function short(text: string): string {
  const plain = cleanText(stripFootnoteMarks(text)).replaceAll('「', '').replaceAll('」', '');
  return plain.length > MAX_PART ? `${plain.slice(0, MAX_PART).toWellFormed()}…` : plain;
}

const MAX_PRINTED = 200;
const MAX_DECIMALS = 12;

const NOT_DISCLOSED = /^(?:非開示|非公表|未開示|開示なし|開示(?:して(?:い|お)|でき|を(?:行|差し控))[^\d]{0,20})$/u;
const NOT_APPLICABLE = /^(?:該当(?:事項)?[はが]?(?:なし|無し|ない|ありません|ございません)|n\/a)$/iu;
const ELSEWHERE = /に含(?:む|め|まれ)|^一括|合算/u;

const unresolved = (reasonCode: string): HistoryValue => ({ state: 'unresolved', reasonCode });

/** Reads a cell, with the precision that headers, captions and notes state. Nothing is guessed (AGR-07). */
export function readValue(metric: SourceMetric, text: string, units: Units, notes: TableNotes): HistoryValue {
  const printed = cleanText(text);
  if (printed.length > MAX_PRINTED) return unresolved('tooLong');
  const plain = plainFigure(printed).replaceAll(' ', '');
  if (NOT_DISCLOSED.test(plain)) return { state: 'notDisclosed', reasonCode: nonDisclosureReason(printed, notes) };
  if (ELSEWHERE.test(plain)) return { state: 'notDisclosed', reasonCode: 'bundled' };
  if (NOT_APPLICABLE.test(plain)) return { state: 'notApplicable' };
  const dash = isDash(plain);
  const legend = dash ? dashMeaning(notes) : undefined;
  if (dash && legend === undefined) return unresolved('dashWithoutLegend');
  if (legend === 'notDisclosed') return { state: legend, reasonCode: nonDisclosureReason(printed, notes) };
  if (legend !== undefined && legend !== 'zero') return { state: legend };
  if (isDateMetric(metric)) return dash ? unresolved('noDate') : readDate(plain);
  const frame = frameOf(metric, printed, units);
  if ('state' in frame) return frame;
  const { unit, scale } = frame;
  const rounding = unit === 'day' || unit === 'count' ? 'exact' : roundingOf(metric, notes);
  const decimals = fractionDigits(plain) - scale;
  if (dash) return { state: 'zero', amount: '0', unit, scale, decimals, rounding };
  if (metric === 'occupancyRate' && !/%|パーセント/u.test(plain) && looksLikeFraction(plain)) {
    return unresolved('looksLikeFraction');
  }
  return { printed, unit, scale, decimals, rounding };
}

/** The unit of the cell, else of the header, else of the caption. An amount without a unit is unresolved. */
function frameOf(
  metric: SourceMetric,
  printed: string,
  units: Units,
): Pick<FigureFrame, 'unit' | 'scale'> | Extract<HistoryValue, { state: 'unresolved' }> {
  const figure = parseFigure(printed);
  const inCell = figure.kind === 'number' ? figure.unit : undefined;
  const without = { state: 'unresolved', reasonCode: 'noUnit' } as const;
  const other = { state: 'unresolved', reasonCode: 'otherUnit' } as const;
  const unit = unitOfMetric(metric) as Unit;
  switch (unit) {
    case 'JPY': {
      if (inCell !== undefined) return isYenUnit(inCell) ? { unit: 'JPY', scale: YEN_SCALES[inCell] } : other;
      return units.money === undefined ? without : { unit: 'JPY', scale: YEN_SCALES[units.money] };
    }
    case 'm2': {
      const stated = inCell ?? units.area;
      if (stated === undefined) return without;
      return stated === 'm2' ? { unit, scale: 0 } : other;
    }
    case 'ratio':
      if (inCell !== undefined && inCell !== '%') return other;
      return inCell === undefined && units.rate === undefined ? without : { unit: 'ratio', scale: -2 };
    default:
      return { unit, scale: 0 };
  }
}

/** Counts the decimals as printed, with trailing zeros: 98.50 has two. */
function fractionDigits(plain: string): number {
  return Math.min(/\d\.(\d+)/u.exec(plain)?.[1]?.length ?? 0, MAX_DECIMALS);
}

function looksLikeFraction(plain: string): boolean {
  const rate = Number(plain);
  return rate > 0 && rate <= 1;
}

const DATES = /\d{4}[年/.-]\d{1,2}|(?:明治|大正|昭和|平成|令和)(?:元|\d{1,2})年/gu;

function readDate(plain: string): HistoryValue {
  if ([...plain.matchAll(DATES)].length > 1) return unresolved('severalDates');
  const date = dateIn(plain);
  if (date === undefined) return unresolved(plain === '' ? 'emptyCell' : 'noDate');
  const [day, month] = [toDay(date), toMonth(date)];
  if (day !== undefined) return { state: 'recorded', date: day, precision: 'day' };
  if (month !== undefined) return { state: 'recorded', date: month, precision: 'month' };
  return { state: 'recorded', date: String(date.year).padStart(4, '0'), precision: 'year' };
}
