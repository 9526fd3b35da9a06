import { isDecimal, shiftDecimal } from '../../vocabulary/exact-number.ts';
import type { Unit } from '../../vocabulary/reit-metrics.ts';
import { type AmountMeasure, type BareMeasure, type Measure, type Rounding, unresolved } from './measure.ts';

/** How a printed figure is to be taken; its table's headers, captions and notes say so. */
export interface FigureFrame {
  unit: Unit;
  scale: number;
  decimals: number;
  rounding: Rounding;
}

/** What a dash means where the document has a legend for it. */
export type Legend = { dash: 'zero' | BareMeasure['state'] };

const MAX_LENGTH = 200;

/**
 * Footnote marks. They go before NFKC, which would make a digit of ① and of ²; and each leaves a gap, so that what stood
 * on either side of it never becomes one number.
 */
const MARKS = [
  /[（(［[]\s*(?:注|※|[*＊])[^（）()［］[\]]{0,20}[）)］\]]/gu,
  // ※1234 may be ※ and 1234, or ※1 and 234: it stays, and makes the cell unresolved.
  /[※*＊](?:\s*[\d０-９]{1,2}(?![\d０-９,，.．])|(?!\s*[\d０-９]))[)）]?/gu,
  /注\s*[\d０-９]{1,2}(?![\d０-９,，.．])[)）]?/gu,
  /[\u2460-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf\u{1f100}-\u{1f10c}]/gu,
  /[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u207d\u207e\u2080-\u2089\u208d\u208e]/gu,
];

/** A unit printed inside the cell, and the frame it goes with. */
const SUFFIXES: Readonly<Record<string, readonly [unit: Unit, scale: number]>> = {
  円: ['JPY', 0],
  千円: ['JPY', 3],
  万円: ['JPY', 4],
  百万円: ['JPY', 6],
  億円: ['JPY', 8],
  '%': ['ratio', -2],
  m2: ['m2', 0],
  日: ['day', 0],
  件: ['count', 0],
  社: ['count', 0],
};

const NOT_DISCLOSED = /^(?:非開示|非公表|未開示)$/u;
const NOT_APPLICABLE = /^(?:該当なし|該当事項なし|該当ありません)$/u;
const DASH = /^[-‐‑‒–—―ー−─]+$/u;
/** After a triangle a space is only a space; after a minus sign it may part a dash from another cell's number. */
const FIGURE = /^(△ ?|▲ ?|[-−]?)([\d,.]+) ?(百万円|千円|億円|万円|円|%|m2|日|件|社)?$/u;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** A cell as printed: `△1,234`, `１，２３４`, `98.5％`, `12,340（注1）`. What is doubtful stays unresolved (AGR-07). */
export function readFigure(printed: string, frame: FigureFrame, legend?: Legend): Measure {
  if (printed.length > MAX_LENGTH) return unresolved('tooLong');
  const unmarked = MARKS.reduce((rest, mark) => rest.replace(mark, ' '), printed.replace(/[mｍ]²/gu, '㎡'));
  const plain = unmarked.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  if (plain === '') return unresolved('emptyCell');
  if (NOT_DISCLOSED.test(plain)) return { state: 'notDisclosed', reasonCode: 'unstated' };
  if (NOT_APPLICABLE.test(plain)) return { state: 'notApplicable' };
  if (DASH.test(plain)) return readDash(frame, legend);
  const match = FIGURE.exec(plain);
  if (match === null) return unresolved(faultIn(plain));
  const [, sign = '', figure = '', suffix] = match;
  if (suffix !== undefined) {
    const [unit, scale] = SUFFIXES[suffix] as readonly [Unit, number];
    if (unit !== frame.unit || scale !== frame.scale) return unresolved('otherUnit');
  }
  if (figure.includes(',') && !GROUPED.test(figure)) return unresolved('badGrouping');
  const digits = figure.replaceAll(',', '');
  if (!isDecimal(digits)) return unresolved('noNumber');
  const amount = shiftDecimal(digits, frame.scale);
  const zero = !/[1-9]/.test(amount);
  return write(zero ? 'zero' : 'recorded', sign === '' || zero ? amount : `-${amount}`, frame);
}

function readDash(frame: FigureFrame, legend: Legend | undefined): Measure {
  if (legend === undefined) return unresolved('dashWithoutLegend');
  return legend.dash === 'zero' ? write('zero', '0', frame) : { state: legend.dash };
}

function write(state: AmountMeasure['state'], amount: string, frame: FigureFrame): AmountMeasure {
  const { unit, scale, decimals, rounding } = frame;
  return { state, amount, unit, scale, decimals, rounding };
}

function faultIn(plain: string): string {
  if (/^[-−△▲]? ?\([^()]*\)$/u.test(plain)) return 'bracketed';
  if (/^[\d.,]+e[-+]?\d+$/iu.test(plain)) return 'exponent';
  if (/\d\D* \D*\d/u.test(plain)) return 'severalNumbers';
  return 'noNumber';
}
