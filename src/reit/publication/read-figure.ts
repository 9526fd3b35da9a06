import { isDecimal, shiftDecimal } from '../../vocabulary/exact-number.ts';
import { plainFigure } from '../../vocabulary/footnotes.ts';
import { isYenUnit, type PrintedUnit, readPrintedFigure, YEN_SCALES } from '../../vocabulary/printed-figure.ts';
import type { Unit } from '../../vocabulary/reit-metrics.ts';
import { isDash } from '../../vocabulary/text.ts';
import { type AmountMeasure, type BareMeasure, type Measure, type Rounding, unresolved } from './measure.ts';

/** The unit and precision of a printed figure, from the headers, captions and notes of its table. */
export interface FigureFrame {
  unit: Unit;
  scale: number;
  decimals: number;
  rounding: Rounding;
}

/** What a dash means, if the document explains it. */
type Legend = { dash: 'zero' | BareMeasure['state'] };

const MAX_LENGTH = 200;

/** Units other than yen that may be printed in the cell, with their metric unit and scale. */
const OTHER_UNITS: Partial<Record<PrintedUnit, readonly [unit: Unit, scale: number]>> = {
  '%': ['ratio', -2],
  m2: ['m2', 0],
  日: ['day', 0],
  件: ['count', 0],
  社: ['count', 0],
};

const NOT_DISCLOSED = /^(?:非開示|非公表|未開示)$/u;
const NOT_APPLICABLE = /^(?:該当なし|該当事項なし|該当ありません)$/u;
/** A cell as printed: `△1,234`, `１，２３４`, `98.5％`, `12,340（注1）`. A doubtful cell is unresolved (AGR-07). */
export function readFigure(printed: string, frame: FigureFrame, legend?: Legend): Measure {
  if (printed.length > MAX_LENGTH) return unresolved('tooLong');
  const plain = plainFigure(printed);
  if (plain === '') return unresolved('emptyCell');
  if (NOT_DISCLOSED.test(plain)) return { state: 'notDisclosed', reasonCode: 'unstated' };
  if (NOT_APPLICABLE.test(plain)) return { state: 'notApplicable' };
  if (isDash(plain)) return readDash(frame, legend);
  const figure = readPrintedFigure(plain);
  if (figure.kind === 'fault') return unresolved(figure.reason);
  if (figure.unit !== undefined && !fitsFrame(figure.unit, frame)) return unresolved('otherUnit');
  if (!isDecimal(figure.decimal)) return unresolved('noNumber');
  const amount = shiftDecimal(figure.decimal, frame.scale);
  return write(/[1-9]/.test(amount) ? 'recorded' : 'zero', amount, frame);
}

function fitsFrame(printed: PrintedUnit, { unit, scale }: FigureFrame): boolean {
  const [printedUnit, printedScale] = isYenUnit(printed) ? ['JPY', YEN_SCALES[printed]] : (OTHER_UNITS[printed] ?? []);
  return printedUnit === unit && printedScale === scale;
}

function readDash(frame: FigureFrame, legend: Legend | undefined): Measure {
  if (legend === undefined) return unresolved('dashWithoutLegend');
  return legend.dash === 'zero' ? write('zero', '0', frame) : { state: legend.dash };
}

function write(state: AmountMeasure['state'], amount: string, frame: FigureFrame): AmountMeasure {
  const { unit, scale, decimals, rounding } = frame;
  return { state, amount, unit, scale, decimals, rounding };
}
