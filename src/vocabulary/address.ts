import { compile, LOT_LETTERS } from './address-grammar.ts';
import { NUMERALS, parseKanjiNumber, plainNumerals } from './japanese.ts';
import { DASHES } from './text.ts';

const MAX_LENGTH = 1_000;
const MAX_KEYS = 100;
const MAX_RANGE = 50;

const HYPHENS = new RegExp(`[${DASHES}]|(?<=\\d)一(?=\\d)`, 'gu');
const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const TILDES = /[〜～]/g;

const ITEM = compile('item');
const SEPARATOR = compile('separator');
const ITS_CHOME = new RegExp(`(\\d{1,3}|[${NUMERALS}]{1,9})(?:丁目|丁)$`, 'u');
const LEADING_CHOME = new RegExp(`^[^\\d番号]{0,40}?(?:\\d{1,3}|[${NUMERALS}]{1,9})丁目`, 'u');
const CHOME = compile('chome');
const BARE_CHOME = compile('bareChome');
const LONE_CHOME = compile('loneChome');
const THREE_NUMBERS = compile('threeNumbers');
const PLACE_NUMBER = compile('placeNumber');
const PART_NUMBER = compile('partNumber');
const AFTER_NAME = compile('afterName');
const PREAMBLE = /^\s*(?:日本国?[、,\s]\s*)?(?:〒\s*)?(?:\d{3}\s*-?\s*\d{4}(?!\d)[、,]?\s*)?/u;

/**
 * What follows the machi-aza in an address, as keys that can be compared: 4番14号, ４－１４ and 4番地の14 are 4-14, a
 * lone block is 4, and a letter before a lot number stays (甲4-14).
 * Building, floor and room go. What can be read in two ways is left out rather than guessed. The name of the machi-aza tells
 * its chome, which a list may repeat: in 東水元二丁目 14-2、2-14-1 is 14-2 and 14-1.
 */
export function parseHouseNumbers(rest: string, machiAza = ''): string[] {
  const plain = rest.slice(0, MAX_LENGTH).normalize('NFKC');
  const text = tidy(plain);
  const [place = machiAza.normalize('NFKC')] = LEADING_CHOME.exec(plain) ?? [];
  const chome = parseNumber(ITS_CHOME.exec(place)?.[1]);
  const keys = new Set<string>();
  let before: Item | undefined;
  for (let at = 0; keys.size < MAX_KEYS; ) {
    const matched = match(ITEM, text, at);
    const groups = matched === undefined || before === undefined ? matched : withoutChome(matched, before, chome);
    if (groups === undefined || (before !== undefined && text[ITEM.lastIndex] === '番')) break;
    const number = parseNumber(groups.number);
    const block = groups.block === undefined ? null : parseNumber(groups.block);
    if (number === undefined || block === undefined) break;
    const isGo = groups.go !== undefined || groups.go2 !== undefined;
    const item = { block, number, unit: groups.unit, isGo, isRoom: groups.room !== undefined };
    if (before !== undefined && isRoomAfter(before, item)) break;
    // A lone number is under the block of the one before it (21番3、4 and 14番1号、5号), or else it is a block or lot itself.
    const isUnder = block === null && groups.unit === undefined && before !== undefined && before.block !== null;
    // After 4-14 it may be either.
    if (isUnder && !isGo && (before?.isGo || before?.unit === undefined)) break;
    before = isUnder ? { ...(before as Item), number } : item;
    const isOneBlock = groups.endBlock === undefined || parseNumber(groups.endBlock) === block;
    for (const one of rangeOf(number, isOneBlock ? parseNumber(groups.end) : undefined)) {
      keys.add(before.block === null ? one : `${before.block}-${one}`);
    }
    const separator = match(SEPARATOR, text, ITEM.lastIndex);
    if (separator === undefined) break;
    at = SEPARATOR.lastIndex;
  }
  return [...keys];
}

interface Item {
  block: string | null;
  number: string;
  /** 番 or 番地, where the number or its block is said to be one. */
  unit: string | undefined;
  isGo: boolean;
  isRoom: boolean;
}

type Groups = Record<string, string | undefined>;

const FIRST_UNDER = compile('firstUnder');

/**
 * A number of three levels after one of two begins with the chome, where that is the one of the machi-aza. With another
 * first number it may be of another chome or have a room: undefined, as where the chome may be the block too.
 */
function withoutChome(groups: Groups, before: Item, chome: string | undefined): Groups | undefined {
  if (chome === undefined || groups.room === undefined || before.isRoom) return groups;
  const block = parseNumber(groups.block);
  if ((block === chome) === (block === before.block)) return undefined;
  if (block !== chome) return groups;
  const house = match(FIRST_UNDER, groups.room, 0)?.under;
  return {
    ...groups,
    block: groups.number,
    number: house,
    room: groups.room.slice(FIRST_UNDER.lastIndex) || undefined,
  };
}

/** Whether what stands after a number and a comma is a room: 3-2-107号、108号, 2番地16、502号, 4番地の14、210. */
function isRoomAfter(before: Item, { block, number, unit, isGo }: Item): boolean {
  if (before.block === null || unit !== undefined) return false;
  if (isGo && !before.isGo && before.unit === '番地') return true;
  // 7番17号、1-802 and 80番地7、3-801: nobody changes the way of writing within a list.
  if (block !== null) return before.unit !== undefined && !isGo;
  return before.isRoom || (Number(number) >= 100 && Number(number) > 2 * Number(before.number));
}

/** An address in one width, without variation selectors, nor the postcode and the country before it. */
export function withoutPreamble(address: string): string {
  const plain = address.slice(0, MAX_LENGTH).normalize('NFKC').replace(VARIATION_SELECTORS, '');
  return plain.replace(HYPHENS, keepLetters).replace(PREAMBLE, '');
}

/** How a text that follows the stem of a chome (本郷) names one of its chome (四丁目). */
interface WrittenChome {
  number: number;
  /** Whether it is said to be one (4丁目), or a number that stands before others (4-14-10), or alone (4). */
  as: 'chome' | 'first of three' | 'first of two' | 'alone';
  rest: string;
}

export function readChome(after: string): WrittenChome | undefined {
  const text = joinNumbers(after);
  for (const pattern of [CHOME, BARE_CHOME, LONE_CHOME]) {
    const written = match(pattern, text, 0)?.chome;
    if (written === undefined) continue;
    const end = pattern.lastIndex;
    const number = parseNumber(written);
    if (number === undefined) return undefined;
    if (pattern === CHOME) return { number: Number(number), as: 'chome', rest: text.slice(end) };
    if (pattern === LONE_CHOME) {
      // 本郷4 14-10 goes on with a house number; 本郷4 201 does so with anything.
      const rest = text.slice(end).trimStart();
      return { number: Number(number), as: 'alone', rest: /^\d+(?:-|番)\d/u.test(rest) ? rest : '' };
    }
    const isFirst = match(THREE_NUMBERS, text, 0) !== undefined;
    return { number: Number(number), as: isFirst ? 'first of three' : 'first of two', rest: text.slice(end) };
  }
  return undefined;
}

/** Whether a machi-aza's whole name may end where this text begins, and a house number or nothing follows. */
export function mayFollowName(after: string): boolean {
  const text = joinNumbers(after);
  return match(AFTER_NAME, text, 0) !== undefined && match(PLACE_NUMBER, text, 0) === undefined;
}

/** The unit of the part of a machi-aza that this text begins with the number of; '' where that has none of its own. */
export function readPartUnit(after: string): string | undefined {
  const groups = match(PART_NUMBER, joinNumbers(after), 0);
  return groups === undefined ? undefined : (groups.unit ?? '');
}

const ENDS_IN_NUMBER = new RegExp(`[\\d${NUMERALS}番地号]\\s*$`, 'u');

/** The long vowel of a name (流通センター) stays; between numbers it is a hyphen, as all the others are anywhere. */
function keepLetters(hyphen: string, at: number, text: string): string {
  if (hyphen !== 'ー' && hyphen !== '一') return '-';
  const isAfterNumber = ENDS_IN_NUMBER.test(text.slice(Math.max(0, at - 3), at));
  return hyphen === '一' || (isAfterNumber && /^\s*\d/u.test(text.slice(at + 1, at + 4))) ? '-' : hyphen;
}

/** One way of writing for hyphens and white space; what is in brackets, and the chome, are no part of it. */
function tidy(text: string): string {
  return joinNumbers(
    text
      .replace(/\([^()]*\)/g, ' ')
      .replace(/\(.*$/su, ' ')
      .replace(HYPHENS, '-')
      .replace(TILDES, '~')
      .replace(LEADING_CHOME, ''),
  )
    .replace(/^(?:の?部(?=\d)|第(?=\d+番)|[-の、\s])+/u, '')
    .trimEnd();
}

const JOINING_NO = new RegExp(`(?<=[\\d${NUMERALS}番地号])\\s*[のノ之乃丿]\\s*(?=[\\d${NUMERALS}])`, 'gu');
const LOT_BEFORE_RESIDENCE = new RegExp(`(番地?の?)\\s+(?=[\\d${NUMERALS}]{1,9}号(?![室棟館線]))`, 'gu');

/** The numerals of deeds (壱, 弐) as usual ones, every の between numbers as one, and no blank within a number. */
function joinNumbers(text: string): string {
  return plainNumerals(text)
    .replace(JOINING_NO, 'の')
    .replace(/\s*([-~、,・]|番(?![町丁館街])地?|号(?![室棟館線]))/gu, '$1')
    .replace(/([-~])\s+/gu, '$1')
    .replace(LOT_BEFORE_RESIDENCE, '$1');
}

function match(pattern: RegExp, text: string, at: number): Groups | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : (found.groups ?? {});
}

const LETTERED = new RegExp(`^([${LOT_LETTERS}]?)[-のノ]?(.+)$`, 'u');

function parseNumber(text: string | undefined): string | undefined {
  const [, letter = '', digits = ''] = LETTERED.exec(text ?? '') ?? [];
  const number = /^\d+$/.test(digits) ? Number(digits) : parseKanjiNumber(digits);
  return number === undefined || number === 0 ? undefined : `${letter}${number}`;
}

/** 1 to 5 are five numbers; a range too long or backwards is only what it begins with. */
function rangeOf(first: string, end: string | undefined): string[] {
  const [from, to] = [Number(first), Number(end)];
  if (!(to > from && to - from < MAX_RANGE)) return [first];
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
}
