import { isCalendarDate } from './time.ts';

const DIGITS = new Map([...'〇一二三四五六七八九'].map((kanji, value) => [kanji, value]));
const UNITS = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
DIGITS.set('零', 0);

/** The characters of kanji numbers, for a character class. */
export const NUMERALS = '〇零一二三四五六七八九十百千';

/** Deed numerals, which cannot be altered by adding a stroke, with the usual ones. */
const DEED_NUMERALS = new Map(['壱一', '壹一', '弐二', '貳二', '貮二', '参三', '參三', '拾十'].map(([a, b]) => [a, b]));

/** 壱 and 拾 as 一 and 十, anywhere in a text. */
export function plainNumerals(text: string): string {
  return text.replace(/[壱壹弐貳貮参參拾]/gu, (numeral) => DEED_NUMERALS.get(numeral) ?? numeral);
}

const KANJI_NUMBER = /[〇零一二三四五六七八九十百千]+/gu;

/** 二十三 and 二三 are 23; undefined if the text is not a kanji number. */
export function parseKanjiNumber(text: string): number | undefined {
  if (text === '' || !/^[〇零一二三四五六七八九十百千]+$/u.test(text)) return undefined;
  if (!/[十百千]/u.test(text)) return Number([...text].map((kanji) => DIGITS.get(kanji)).join(''));
  let sum = 0;
  let digit: number | undefined;
  let above = Number.POSITIVE_INFINITY;
  for (const kanji of text) {
    const unit = UNITS.get(kanji);
    if (unit === undefined) {
      if (digit !== undefined) return undefined;
      digit = DIGITS.get(kanji) as number;
    } else {
      // 十二十二 is two numbers.
      if (unit >= above) return undefined;
      above = unit;
      sum += (digit ?? 1) * unit;
      digit = undefined;
    }
  }
  return sum + (digit ?? 0);
}

/** Kanji numbers as digits, anywhere in a text. */
export function kanjiNumbersToDigits(text: string): string {
  return text.replace(KANJI_NUMBER, (kanji) => String(parseKanjiNumber(kanji) ?? kanji));
}

/** 1 to 9999 in kanji: 23 is 二十三. */
export function toKanjiNumber(value: number): string {
  const kanji = '〇一二三四五六七八九';
  if (value < 10) return kanji[value] as string;
  let text = '';
  for (const [unit, size] of [
    ['千', 1000],
    ['百', 100],
    ['十', 10],
  ] as const) {
    const count = Math.floor(value / size) % 10;
    if (count > 0) text += (count > 1 ? kanji[count] : '') + unit;
  }
  return text + (value % 10 > 0 ? kanji[value % 10] : '');
}

/** The year before the first of each era. */
const ERAS: Readonly<Record<string, number>> = {
  明治: 1867,
  大正: 1911,
  昭和: 1925,
  平成: 1988,
  令和: 2018,
  m: 1867,
  t: 1911,
  s: 1925,
  h: 1988,
  r: 2018,
};

export interface PartialDate {
  year: number;
  month: number | undefined;
  day: number | undefined;
}

const ERA_DATE =
  /^(明治|大正|昭和|平成|令和|[mtshr])\.?\s*(元|\d{1,2})(?:\s*年\s*|[./-])?(?:(\d{1,2})(?:\s*月\s*|[./-])?)?(?:(\d{1,2})\s*日?)?$/u;
const WESTERN_DATE = /^(\d{4})(?:\s*年\s*|[./-])?(?:(\d{1,2})(?:\s*月\s*|[./-])?)?(?:(\d{1,2})\s*日?)?$/u;

/** 平成19年12月3日, 令和元年5月, H19.12.3, 2007/12/3, 2007年. Missing parts are undefined. */
export function parseJapaneseDate(text: string): PartialDate | undefined {
  const plain = kanjiNumbersToDigits(text.normalize('NFKC').trim().toLowerCase());
  const era = ERA_DATE.exec(plain);
  const match = era ?? WESTERN_DATE.exec(plain);
  if (match === null) return undefined;
  const [year, month, day] = era === null ? match.slice(1, 4) : match.slice(2, 5);
  const base = era === null ? 0 : (ERAS[era[1] as string] as number);
  const date = {
    year: base + (year === '元' ? 1 : Number(year)),
    month: month === undefined ? undefined : Number(month),
    day: day === undefined ? undefined : Number(day),
  };
  const whole = [
    String(date.year).padStart(4, '0'),
    ...[date.month ?? 1, date.day ?? 1].map((n) => String(n).padStart(2, '0')),
  ].join('-');
  return isCalendarDate(whole) ? date : undefined;
}

/** YYYY-MM-DD, if the day is known. */
export function toDay({ year, month, day }: PartialDate): string | undefined {
  return month === undefined || day === undefined
    ? undefined
    : `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** YYYY-MM, if the month is known. */
export function toMonth({ year, month }: PartialDate): string | undefined {
  return month === undefined ? undefined : `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
