import { parseKanjiNumber } from './japanese.ts';

const MAX_LENGTH = 1_000;
const MAX_KEYS = 100;
const MAX_RANGE = 50;

const HYPHENS = /[‐‑‒–—―−ー]/g;
const TILDES = /[〜～]/g;

const KANJI = '[〇零一二三四五六七八九十百千]{1,9}';
const SOME = `(?:\\d|${KANJI})`;
/** What makes the number before it that of a floor, a room, a wing or an area. */
const NO_OTHER_UNIT = '(?!\\d|番館|番街|番町|号館|号棟|号室|階|棟|室|街区|区画|画地|期|丁|条|線|筆|[Ff](?![A-Za-z]))';
const ENDS = `(?=[、,・]\\s*(?:${SOME}|他|外|ほか)|及び|および|並びに|ならびに|他|外|ほか|の?各?一部|の内|\\s|$)`;
/** A number in kanji is one only where an address goes on after it: 4番三井ビル is in 4番. */
const AFTER_KANJI = `(?:(?=番|号|-|~|の${SOME})|${ENDS})`;
const NUMBER = `(?:[甲乙丙丁イロハニホヘト]?\\d{1,6}${NO_OTHER_UNIT}|${KANJI}${NO_OTHER_UNIT}${AFTER_KANJI})`;

/** 4番14号, 4番地の14, 4-14, 14番1~5号: a number under a block or lot; what is under that number goes. */
const NESTED =
  `(?<block>${NUMBER})(?:(?<unit>番地?)(?:の|-)?|-|の)(?<number>${NUMBER})(?:[-の]${NUMBER})*` +
  `(?:号?~(?:(?<endBlock>${NUMBER})(?:番地?の?|-))?(?<end>${NUMBER}))?(?<go>号)?(?:[-の]${NUMBER})*`;
/** 4番, 4番地, and 4 where nothing else goes on. */
const LONE = `(?<number>${NUMBER})(?:(?<unit>番地?)|(?<go>号))?(?:~(?<end>${NUMBER})(?:番地?|(?<go2>号))?)?`;

const ITEM = new RegExp(`${NESTED}|${LONE}(?:(?<=[番地号])|${ENDS})`, 'uy');
const SEPARATOR = /(?:の?各?一部|の内)?\s*(?:[、,・]|及び|および|並びに|ならびに)\s*/uy;
const CHOME = new RegExp(`^[^\\d番号]{0,40}?(?:\\d{1,3}|${KANJI})丁目`, 'u');

/**
 * What follows the machi-aza in an address, as keys that can be compared: 4番14号, ４－１４ and 4番地の14 are 4-14, a
 * lone block is 4, and a letter before a lot number stays (甲4-14).
 * Building, floor and room go. What can be read in two ways is left out rather than guessed.
 */
export function parseHouseNumbers(rest: string): string[] {
  const text = tidy(rest.slice(0, MAX_LENGTH).normalize('NFKC'));
  const keys = new Set<string>();
  /** What a lone number is under: 21番3、4 and 14番1号、5号; after 4-14 it may be of that block or be one. */
  let under: { block: string | null; needsGo: boolean } = { block: null, needsGo: false };
  for (let at = 0; keys.size < MAX_KEYS; ) {
    const groups = match(ITEM, text, at);
    if (groups === undefined) break;
    const isGo = groups.go !== undefined || groups.go2 !== undefined;
    const number = parseNumber(groups.number);
    const block = groups.block === undefined ? null : parseNumber(groups.block);
    if (number === undefined || block === undefined) break;
    if (block !== null) {
      under = { block, needsGo: isGo || groups.unit === undefined };
    } else if (groups.unit !== undefined || under.block === null) {
      under = { block: null, needsGo: false };
    } else if (under.needsGo && !isGo) break;
    const isOneBlock = groups.endBlock === undefined || parseNumber(groups.endBlock) === block;
    for (const one of rangeOf(number, isOneBlock ? parseNumber(groups.end) : undefined)) {
      keys.add(under.block === null ? one : `${under.block}-${one}`);
    }
    const separator = match(SEPARATOR, text, ITEM.lastIndex);
    if (separator === undefined) break;
    at = SEPARATOR.lastIndex;
  }
  return [...keys];
}

/** One way of writing for hyphens and white space; what is in brackets, and the chome, are no part of it. */
function tidy(text: string): string {
  return text
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\(.*$/su, ' ')
    .replace(HYPHENS, '-')
    .replace(TILDES, '~')
    .replace(CHOME, '')
    .replace(/\s*([-~、,・]|番地?|号)/gu, '$1')
    .replace(/([-~])\s+/gu, '$1')
    .replace(/(番地?の?)\s+(?=[\d〇零一二三四五六七八九十百千]{1,9}(?:号(?!室|棟|館)|\s*$))/gu, '$1')
    .replace(/^[-の、\s]+/u, '')
    .trimEnd();
}

function match(pattern: RegExp, text: string, at: number): Record<string, string | undefined> | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : (found.groups ?? {});
}

function parseNumber(text: string | undefined): string | undefined {
  const [, letter = '', digits = ''] = /^([甲乙丙丁イロハニホヘト]?)(.+)$/u.exec(text ?? '') ?? [];
  const number = /^\d+$/.test(digits) ? Number(digits) : parseKanjiNumber(digits);
  return number === undefined || number === 0 ? undefined : `${letter}${number}`;
}

/** 1 to 5 are five numbers; a range too long or backwards is only what it begins with. */
function rangeOf(first: string, end: string | undefined): string[] {
  const [from, to] = [Number(first), Number(end)];
  if (!(to > from && to - from < MAX_RANGE)) return [first];
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
}
