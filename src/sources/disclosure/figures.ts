import { canonicalDecimal, shiftDecimal } from '../../vocabulary/exact-number.ts';
import { plainFigure, withoutFootnotes } from '../../vocabulary/footnotes.ts';
import {
  type PrintedUnit,
  readPrintedFigure,
  YEN_SCALES,
  YEN_UNIT,
  type YenUnit,
} from '../../vocabulary/printed-figure.ts';
import { DASHES } from '../../vocabulary/text.ts';

/** The content of a numeric cell: a mark for "no value", a number with its unit, a number in brackets, or anything else. */
type Figure =
  | { kind: 'none' }
  | { kind: 'number'; decimal: string; unit: PrintedUnit | undefined }
  | { kind: 'bracketed' }
  | { kind: 'unreadable' };

const MAX_LENGTH = 60;
const NONE = new RegExp(
  `^(?:[${DASHES}.…·*※]*|非開示|非公表|未開示|開示なし|該当なし|該当事項なし|不明|未定|なし|n/?a|nil)$`,
  'iu',
);

/** The text of a cell without footnote marks. */
export function stripFootnoteMarks(text: string): string {
  return withoutFootnotes(collapseSpace(text));
}

const MAX_CELL = 2_000;

/** The text of a cell with runs of white space collapsed, which keeps the patterns fast; line breaks are kept. */
export function collapseSpace(text: string): string {
  return text.slice(0, MAX_CELL).replace(/\s{2,}/gu, (space) => (space.includes('\n') ? '\n' : ' '));
}

/** `1,234`, `１，２３４`, `1,234.5百万円`, `△1,234`, `98.5％ (注1)`. `(1,234)` is a figure, but not a value. */
export function parseFigure(text: string): Figure {
  if (text.length > MAX_CELL) return { kind: 'unreadable' };
  const plain = plainFigure(collapseSpace(text));
  if (NONE.test(plain.replaceAll(' ', ''))) return { kind: 'none' };
  if (plain.length > MAX_LENGTH) return { kind: 'unreadable' };
  const printed = readPrintedFigure(plain);
  if (printed.kind === 'number') return printed;
  const isBracketed = printed.reason === 'bracketed' && isNumber(plain.replace(/[()]/gu, ''));
  return { kind: isBracketed ? 'bracketed' : 'unreadable' };
}

const isNumber = (plain: string): boolean => readPrintedFigure(plain).kind === 'number';

/** Whole yen; undefined for a fraction of a yen or an unsafe integer. */
export function toYen(decimal: string, unit: YenUnit): number | undefined {
  const yen = canonicalDecimal(shiftDecimal(decimal, YEN_SCALES[unit]));
  return !yen.includes('.') && Number.isSafeInteger(Number(yen)) ? Number(yen) : undefined;
}

/** The units that a header, caption or line states for the numbers below it. */
export interface Units {
  money?: YenUnit;
  area?: 'm2' | '坪';
  rate?: '%';
}

/** A price per area or per share is not an amount. */
const PER = /(?:百万|千|億|万)?円\s*[/／]\s*\S+/gu;
const MONEY = new RegExp(`${YEN_UNIT}|jpy$`, 'u');
const AREA = /m2|平方メートル|坪/u;
const RATE = /%|パーセント/u;

export function unitsIn(text: string): Units {
  const plain = text.slice(0, 2_000).normalize('NFKC').toLowerCase().replace(/\s+/gu, '').replace(PER, '');
  const money = MONEY.exec(plain)?.[0];
  const area = AREA.exec(plain)?.[0];
  return {
    ...(money === undefined ? {} : { money: (money === 'jpy' ? '円' : money) as YenUnit }),
    ...(area === undefined ? {} : { area: area === '坪' ? '坪' : 'm2' }),
    ...(RATE.test(plain) ? { rate: '%' } : {}),
  };
}

const STATED = /単位\s*[:は]?\s*[(「]?([^()。」]{1,40})/u;
const ONE = `(?:${YEN_UNIT}|m2|%)`;
const ALONE = new RegExp(`^\\(?\\s*${ONE}(?:\\s*[,、・/]\\s*${ONE})*\\s*\\)?$`, 'u');

/** The units of a whole table, from lines that state them: （単位：百万円、㎡）, or a line with only a unit. */
export function unitsAbove(lines: readonly string[]): Units {
  const units: Units = {};
  for (const line of lines) {
    const plain = line.slice(0, 500).normalize('NFKC').trim();
    const stated = STATED.exec(plain)?.[1] ?? (ALONE.test(plain) ? plain : undefined);
    if (stated !== undefined) Object.assign(units, unitsIn(stated));
  }
  return units;
}
