import { parseKanjiNumber, toKanjiNumber } from '../../vocabulary/japanese.ts';
import { cleanText, DASHES } from '../../vocabulary/text.ts';
import type { Tags } from './elements.ts';
import { ADDRESS_KEYS } from './tag-tables.ts';

const MAX_LENGTH = 300;
const PREFECTURE = /^(?:北海道|東京都|大阪府|京都府|[\p{sc=Han}]{2,3}県)/u;
const MUNICIPALITY = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ヶケー]{1,10}[市区町村]/u;
const JAPANESE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const NUMBERS = /^\d{1,5}(?:-\d{1,5})*$/;
const CHOME = /^(.*?)([0-9]{1,4}|[〇一二三四五六七八九十百]{1,6})丁目(.*)$/u;

/**
 * The address in Japanese order, 東京都港区台場二丁目4番8号. Numbers become 番 and 号 only if the tags distinguish them, since
 * 4-8 alone may be a lot number. A complete `addr:full` wins if it differs from the parts.
 */
export function addressFromTags(tags: Tags): string | undefined {
  const parts = partsOf(tags);
  if (parts === undefined) return undefined;
  const area = areaOf(parts);
  const assembled = assemble(parts, area);
  const full = wholeAddress(parts.full, parts, area);
  if (full !== undefined) {
    return assembled?.whole === true && sameNumbers(assembled.text, full) ? assembled.text : withChome(full, parts);
  }
  return assembled?.text ?? wholeAddress(parts.house, parts, area);
}

const LEVELS = Object.entries(ADDRESS_KEYS) as [keyof typeof ADDRESS_KEYS, readonly string[]][];
const JAPANESE_KEYS = new Map(LEVELS.flatMap(([, keys]) => keys.map((key) => [key, `${key}:ja`])));

type Parts = Partial<Record<keyof typeof ADDRESS_KEYS, string>>;

/** Undefined without address tags, as for most buildings. */
function partsOf(tags: Tags): Parts | undefined {
  if (![...tags.keys()].some((key) => key.startsWith('addr:'))) return undefined;
  let parts: Parts | undefined;
  for (const [level, keys] of LEVELS) {
    for (const key of keys) {
      const value = tags.get(JAPANESE_KEYS.get(key) as string) ?? tags.get(key);
      if (value === undefined) continue;
      const text = plainText(value);
      if (text === '' || text.length > MAX_LENGTH) continue;
      parts ??= {};
      parts[level] = text;
      break;
    }
  }
  return parts;
}

const BETWEEN_DIGITS = new RegExp(`(?<=\\d)\\s*[${DASHES}]\\s*(?=\\d)`, 'gu');

/** Digits and dashes as ASCII, without blanks around dashes. */
function plainText(text: string): string {
  return cleanText(text.slice(0, MAX_LENGTH * 2))
    .replace(/[０-９Ａ-Ｚａ-ｚ]/g, (c) => c.normalize('NFKC'))
    .replace(BETWEEN_DIGITS, '-')
    .trim();
}

/** Prefecture, county, city and ward. Undefined if one is not in Japanese. */
function areaOf({ prefecture, county, city, ward }: Parts): string | undefined {
  let text = '';
  for (const part of [prefecture, county, city, ward]) {
    if (part === undefined) continue;
    if (!JAPANESE.test(part)) return undefined;
    text = join(text, part);
  }
  return text;
}

/** A level may repeat the levels above it: 東京都 and 東京都港区. */
function join(text: string, part: string): string {
  if (part.startsWith(text)) return part;
  return text.endsWith(part) ? text : text + part;
}

function assemble(parts: Parts, area: string | undefined): { text: string; whole: boolean } | undefined {
  if (area === undefined) return undefined;
  const chome = parts.neighbourhood === undefined ? '' : styleChome(parts.neighbourhood);
  const quarter = parts.quarter === undefined ? '' : styleChome(parts.quarter);
  const town = quarter !== '' && chome.startsWith(quarter) ? chome : quarter + chome;
  if (!JAPANESE.test(quarter === '' ? town.replace(/^[〇一二三四五六七八九十百]+丁目$/u, '') : quarter))
    return undefined;
  const block = /^(\d{1,5}(?:-\d{1,5})*)(番地?)?$/.exec(parts.block ?? '');
  const house = /^(\d{1,5}(?:-\d{1,5})*)号?$/.exec(parts.house ?? '')?.[1];
  let numbers = '';
  if (block !== null) numbers = `${block[1]}${block[2] ?? '番'}${house === undefined ? '' : `${house}号`}`;
  // A single number below a chome may be the 番 or the 号.
  else if (house !== undefined && (house.includes('-') || !town.endsWith('丁目'))) numbers = house;
  if (numbers === '' && !town.includes('丁目')) return undefined;
  return { text: join(area, town) + numbers, whole: area !== '' && block !== null && house !== undefined };
}

/** 2 and ２丁目 become 二丁目, 台場2丁目 becomes 台場二丁目; other names are kept. */
function styleChome(text: string): string {
  const match = CHOME.exec(/^\d{1,4}$/.test(text) ? `${text}丁目` : text);
  if (match === null) return text;
  const [, before, number, after] = match as unknown as [string, string, string, string];
  const value = /^\d/.test(number) ? Number(number) : parseKanjiNumber(number);
  return value === undefined || value === 0 ? text : `${before}${toKanjiNumber(value)}丁目${after}`;
}

/** A text with everything from the municipality to a number, completed by the prefecture of the other parts. */
function wholeAddress(text: string | undefined, parts: Parts, area: string | undefined): string | undefined {
  const address = text
    ?.replace(/^〒?\s*\d{3}-?\d{4}\s*/, '')
    .replace(/^日本国?[、,\s]*/, '')
    .replace(/(?<=[^\x20-\x7e])\s+(?=\S)/g, '');
  if (address === undefined || NUMBERS.test(address) || !/\d|丁目/.test(address)) return undefined;
  if (PREFECTURE.test(address)) return styleChome(address);
  if (!MUNICIPALITY.test(address)) return undefined;
  const prefecture = [parts.prefecture, area].find((part) => part !== undefined && PREFECTURE.test(part));
  return styleChome((PREFECTURE.exec(prefecture ?? '')?.[0] ?? '') + address);
}

/** 台場2-3-1 becomes 台場二丁目3-1 if another tag states that 2 is the chome. */
function withChome(full: string, { neighbourhood }: Parts): string {
  const chome = neighbourhood === undefined ? '' : styleChome(neighbourhood);
  const number = /^(.+)丁目$/u.exec(chome)?.[1];
  const match = /^(\D*?)(\d{1,4})-(\d.*)$/.exec(full);
  if (number === undefined || match === null || full.includes('丁目')) return full;
  const [, before, first, rest] = match as unknown as [string, string, string, string];
  return Number(first) === parseKanjiNumber(number) ? `${before}${number}丁目${rest}` : full;
}

function sameNumbers(a: string, b: string): boolean {
  return numbersIn(a) === numbersIn(b);
}

function numbersIn(text: string): string {
  const chome = CHOME.exec(text);
  const digits = chome === null ? text : `${chome[1]}${parseKanjiNumber(chome[2] as string) ?? chome[2]}-${chome[3]}`;
  return (digits.match(/\d+/g) ?? []).join('-');
}
