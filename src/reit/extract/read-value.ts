import { parseFigure, type Units } from '../../sources/disclosure/figures.ts';
import { dateIn } from '../../sources/disclosure/read-property-cell.ts';
import { plainFigure } from '../../vocabulary/footnotes.ts';
import { toDay, toMonth } from '../../vocabulary/japanese.ts';
import { isDateMetric, type SourceMetric, type Unit, unitOfMetric } from '../../vocabulary/reit-metrics.ts';
import { cleanText, isDash } from '../../vocabulary/text.ts';
import { isYenUnit, YEN_SCALES } from '../../vocabulary/yen-scales.ts';
import type { FigureFrame } from '../publication/read-figure.ts';
import type { HistoryValue } from './history.ts';
import { legendOf, reasonOf, roundingOf, type TableNotes } from './table-notes.ts';

const MAX_PRINTED = 200;
const MAX_DECIMALS = 12;

const NOT_DISCLOSED = /^(?:非開示|非公表|未開示|開示なし|開示(?:して(?:い|お)|でき|を(?:行|差し控))[^\d]{0,20})$/u;
const NOT_APPLICABLE = /^(?:該当(?:事項)?[はが]?(?:なし|無し|ない|ありません|ございません)|n\/a)$/iu;
const ELSEWHERE = /に含(?:む|め|まれ)|^一括|合算/u;

const unresolved = (reasonCode: string): HistoryValue => ({ state: 'unresolved', reasonCode });

/** What a cell says, with the precision that headers, captions and notes give it. Nothing is guessed (AGR-07). */
export function readValue(metric: SourceMetric, text: string, units: Units, notes: TableNotes): HistoryValue {
  const printed = cleanText(text);
  if (printed.length > MAX_PRINTED) return unresolved('tooLong');
  const plain = plainFigure(printed).replaceAll(' ', '');
  if (NOT_DISCLOSED.test(plain)) return { state: 'notDisclosed', reasonCode: reasonOf(printed, notes) };
  if (ELSEWHERE.test(plain)) return { state: 'notDisclosed', reasonCode: 'bundled' };
  if (NOT_APPLICABLE.test(plain)) return { state: 'notApplicable' };
  const dash = isDash(plain);
  const legend = dash ? legendOf(notes) : undefined;
  if (dash && legend === undefined) return unresolved('dashWithoutLegend');
  if (legend === 'notDisclosed') return { state: legend, reasonCode: reasonOf(printed, notes) };
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

/** The unit in the cell, else the header's, else the caption's. Without one an amount is unresolved. */
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
