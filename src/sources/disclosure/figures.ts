/** A number as it is written, exact: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

export type MoneyUnit = '円' | '千円' | '万円' | '百万円' | '億円';

/** What a cell that should hold a number holds: nothing on purpose, a number with the unit beside it, or neither. */
export type Figure =
  | { kind: 'none' }
  | { kind: 'number'; value: Decimal; unit: string | undefined }
  | { kind: 'unreadable' };

/** Yen per unit, as a power of ten. */
const YEN: Readonly<Record<MoneyUnit, number>> = { 円: 0, 千円: 3, 万円: 4, 百万円: 6, 億円: 8 };

const MAX_LENGTH = 60;
const NONE = /^(?:[-‐‑–—―ー−─.…·*※]*|非開示|非公表|未開示|開示なし|該当なし|該当事項なし|不明|未定|なし|n\/?a|nil)$/iu;
const NUMBER =
  /^(\()?([-−△▲]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(\))?(百万円|千円|億円|万円|円|m2|m²|平方メートル|坪|%|パーセント|戸|室|区画|棟)?(\))?$/u;

/** The marks of footnotes, which stand in names and numbers alike: (注1), （※2）, ※1, *1, 注3). */
const MARKS = [
  /[（(［[]\s*(?:注|※|[*＊])[^（）()［］[\]]{0,20}[）)］\]]/gu,
  /\s*[※*＊]\s*[\d０-９]{1,2}(?:\s*[,、，・]\s*[\d０-９]{1,2}(?![\d０-９]))*(?:\)|）)?/gu,
  /注\s*[\d０-９]{1,2}[)）]?\s*$/u,
  /\s*[※*＊]+\s*$/u,
];

export function stripMarks(text: string): string {
  return MARKS.reduce((rest, mark) => rest.replace(mark, ''), collapse(text)).trim();
}

const MAX_CELL = 2_000;

/** The text of a cell without long white space, over which patterns would stumble; breaks of lines stay. */
export function collapse(text: string): string {
  return text.slice(0, MAX_CELL).replace(/\s{2,}/gu, (space) => (space.includes('\n') ? '\n' : ' '));
}

/** `1,234`, `１，２３４`, `1,234.5百万円`, `△1,234`, `(1,234)`, `98.5％ (注1)`. */
export function parseFigure(text: string): Figure {
  if (text.length > MAX_CELL) return { kind: 'unreadable' };
  const plain = stripMarks(text).normalize('NFKC').replace(/\s+/gu, '');
  if (NONE.test(plain)) return { kind: 'none' };
  if (plain.length > MAX_LENGTH) return { kind: 'unreadable' };
  const match = NUMBER.exec(plain);
  if (match === null) return { kind: 'unreadable' };
  const [, open, sign, whole = '', fraction = '', closed, unit, closedAfterUnit] = match;
  const closings = Number(closed !== undefined) + Number(closedAfterUnit !== undefined);
  if (closings !== Number(open !== undefined)) return { kind: 'unreadable' };
  const digits = BigInt(whole.replaceAll(',', '') + fraction);
  // Brackets around a number alone, and the triangle, are how accounts write what is below zero.
  const negative = open !== undefined || sign !== '';
  return { kind: 'number', value: { digits: negative ? -digits : digits, scale: fraction.length }, unit };
}

/** Whole yen, or undefined where it is not whole or larger than a number can hold exactly. */
export function toYen({ digits, scale }: Decimal, unit: MoneyUnit): number | undefined {
  const power = YEN[unit] - scale;
  const divisor = 10n ** BigInt(Math.max(0, -power));
  const yen = digits * 10n ** BigInt(Math.max(0, power));
  if (yen % divisor !== 0n) return undefined;
  const whole = Number(yen / divisor);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

export function toNumber({ digits, scale }: Decimal): number {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return Number(`${sign}${text.slice(0, text.length - scale)}.${text.slice(text.length - scale) || '0'}`);
}

export function isMoneyUnit(unit: string): unit is MoneyUnit {
  return Object.hasOwn(YEN, unit);
}
