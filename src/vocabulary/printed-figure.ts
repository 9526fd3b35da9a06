/** Units of money as powers of ten yen; longer words before those that end like them. */
export const YEN_SCALES = { 百万円: 6, 千円: 3, 億円: 8, 万円: 4, 円: 0 } as const;

export type YenUnit = keyof typeof YEN_SCALES;

export const YEN_UNITS = Object.keys(YEN_SCALES) as YenUnit[];

/** Any yen unit, for a regular expression. */
export const YEN_UNIT = YEN_UNITS.join('|');

export function isYenUnit(unit: string): unit is YenUnit {
  return Object.hasOwn(YEN_SCALES, unit);
}

/** Units that may be printed after a number. */
export type PrintedUnit = YenUnit | 'm2' | '坪' | '%' | '戸' | '室' | '区画' | '棟' | '日' | '件' | '社';

/** Any of them in NFKC, for a regular expression. */
export const PRINTED_UNIT = `${YEN_UNIT}|m2|平方メートル|坪|%|パーセント|戸|室|区画|棟|日|件|社`;
const IN_WORDS: Readonly<Record<string, PrintedUnit>> = { 平方メートル: 'm2', パーセント: '%' };

type FigureFault = 'bracketed' | 'badGrouping' | 'exponent' | 'severalNumbers' | 'noNumber';

type PrintedFigure =
  | { kind: 'number'; decimal: string; unit: PrintedUnit | undefined }
  | { kind: 'fault'; reason: FigureFault };

/** A space after a triangle has no meaning; after a minus sign it may separate a dash from another cell's number. */
const FIGURE = new RegExp(`^(△ ?|▲ ?|[-−]?)([\\d,.]+) ?(${PRINTED_UNIT})?$`, 'u');
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

const fault = (reason: FigureFault): PrintedFigure => ({ kind: 'fault', reason });

/**
 * A printed number in the form of `plainFigure`: `△1,234`, `98.5%`, `12,340百万円`. A doubtful figure is a fault (AGR-07):
 * brackets may mean a loss, or a figure given only in addition to another.
 */
export function readPrintedFigure(plain: string): PrintedFigure {
  const match = FIGURE.exec(plain);
  if (match === null) return fault(faultIn(plain));
  const [, sign = '', figure = '', unit] = match;
  if (figure.includes(',') && !GROUPED.test(figure)) return fault('badGrouping');
  const digits = withoutGrouping(figure);
  if (digits === undefined) return fault('noNumber');
  const isNegative = sign !== '' && /[1-9]/.test(digits);
  const known = unit === undefined ? undefined : (IN_WORDS[unit] ?? (unit as PrintedUnit));
  return { kind: 'number', decimal: isNegative ? `-${digits}` : digits, unit: known };
}

/** 1,234.5 and 1234.5 are 1234.5; undefined for 1,2345 and anything else that is not a number. */
export function withoutGrouping(text: string): string | undefined {
  const digits = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  return /^\d+(?:\.\d+)?$/.test(digits) ? digits : undefined;
}

function faultIn(plain: string): FigureFault {
  if (/^[-−△▲]? ?\([^()]*\)$/u.test(plain)) return 'bracketed';
  if (/^[\d.,]+e[-+]?\d+$/iu.test(plain)) return 'exponent';
  if (/\d[^\d ]* \D*\d/u.test(plain)) return 'severalNumbers';
  return 'noNumber';
}
