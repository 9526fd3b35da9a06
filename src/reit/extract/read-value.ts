import { isMoneyUnit, type MoneyUnit, parseFigure, stripMarks } from '../../sources/disclosure/figures.ts';
import { dateIn } from '../../sources/disclosure/read-cell.ts';
import type { Units } from '../../sources/disclosure/units.ts';
import { toDay, toMonth } from '../../vocabulary/japanese.ts';
import { isDateMetric, type SourceMetric, type Unit, unitOfMetric } from '../../vocabulary/reit-metrics.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { FigureFrame } from '../publication/read-figure.ts';
import type { HistoryValue } from './history.ts';
import { legendOf, reasonOf, roundingOf, type TableNotes } from './table-notes.ts';

const SCALES: Readonly<Record<MoneyUnit, number>> = { 円: 0, 千円: 3, 万円: 4, 百万円: 6, 億円: 8 };
const MAX_PRINTED = 200;
const MAX_DECIMALS = 12;

const DASH = /^[-‐‑‒–—―ー−─]+$/u;
const NOT_DISCLOSED = /^(?:非開示|非公表|未開示|開示なし|開示(?:して(?:い|お)|でき|を(?:行|差し控))[^\d]{0,20})$/u;
const NOT_APPLICABLE = /^(?:該当(?:事項)?[はが]?(?:なし|無し|ない|ありません|ございません)|n\/a)$/iu;
const ELSEWHERE = /に含(?:む|め|まれ)|^一括|合算/u;

const unresolved = (reasonCode: string): HistoryValue => ({ state: 'unresolved', reasonCode });

/** What a cell says, with the precision that headers, captions and notes give it. Nothing is guessed (AGR-07). */
export function readValue(metric: SourceMetric, text: string, units: Units, notes: TableNotes): HistoryValue {
  const printed = cleanText(text);
  if (printed.length > MAX_PRINTED) return unresolved('tooLong');
  const plain = stripMarks(printed.replace(CIRCLED, ' ')).normalize('NFKC').replace(/\s+/gu, '');
  if (NOT_DISCLOSED.test(plain)) return { state: 'notDisclosed', reasonCode: reasonOf(printed, notes) };
  if (ELSEWHERE.test(plain)) return { state: 'notDisclosed', reasonCode: 'bundled' };
  if (NOT_APPLICABLE.test(plain)) return { state: 'notApplicable' };
  const isDash = DASH.test(plain);
  const legend = isDash ? legendOf(notes) : undefined;
  if (isDash && legend === undefined) return unresolved('dashWithoutLegend');
  if (legend === 'notDisclosed') return { state: legend, reasonCode: reasonOf(printed, notes) };
  if (legend !== undefined && legend !== 'zero') return { state: legend };
  if (isDateMetric(metric)) return isDash ? unresolved('noDate') : readDate(plain);
  const frame = frameOf(metric, plain, units);
  if ('state' in frame) return frame;
  const { unit, scale } = frame;
  const rounding = unit === 'day' || unit === 'count' ? 'exact' : roundingOf(metric, notes);
  const decimals = fractionDigits(plain) - scale;
  if (isDash) return { state: 'zero', amount: '0', unit, scale, decimals, rounding };
  if (metric === 'occupancyRate' && !/%|パーセント/u.test(plain) && looksLikeFraction(plain)) {
    return unresolved('looksLikeFraction');
  }
  return { printed, unit, scale, decimals, rounding };
}

const CIRCLED = /[\u2460-\u24ff\u2776-\u2793\u3251-\u325f\u00b2\u00b3\u00b9\u2070-\u2079]/gu;

/** The unit in the cell, else the header's, else the caption's. Without one an amount is unresolved. */
function frameOf(
  metric: SourceMetric,
  plain: string,
  units: Units,
): Pick<FigureFrame, 'unit' | 'scale'> | Extract<HistoryValue, { state: 'unresolved' }> {
  const figure = parseFigure(plain);
  const inCell = figure.kind === 'number' ? figure.unit : undefined;
  const without = { state: 'unresolved', reasonCode: 'noUnit' } as const;
  const other = { state: 'unresolved', reasonCode: 'otherUnit' } as const;
  const unit = unitOfMetric(metric) as Unit;
  switch (unit) {
    case 'JPY': {
      if (inCell !== undefined) return isMoneyUnit(inCell) ? { unit: 'JPY', scale: SCALES[inCell] } : other;
      return units.money === undefined ? without : { unit: 'JPY', scale: SCALES[units.money] };
    }
    case 'm2': {
      const stated = inCell ?? units.area;
      if (stated === undefined) return without;
      return ['m2', 'm²', '平方メートル'].includes(stated) ? { unit: 'm2', scale: 0 } : other;
    }
    case 'ratio':
      if (inCell !== undefined && inCell !== '%' && inCell !== 'パーセント') return other;
      return inCell === undefined && units.rate === undefined ? without : { unit: 'ratio', scale: -2 };
    default:
      return { unit, scale: 0 };
  }
}

/** 98.5 has one; as printed, trailing zeros included. */
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
