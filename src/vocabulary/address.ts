import { NUMERALS, parseKanjiNumber, plainNumerals } from './japanese.ts';
import { DASHES, withHyphens } from './text.ts';

/** The kana of the iroha without の, which joins numbers, and the calendar signs without 子, which ends names. */
const LOT_LETTERS =
  'ア-ネハ-モヤユヨラ-ロワヰヱヲいろはにほへとちりぬるをわかよたれそつねならむうゐおくやまけふこえてあさきゆめみしゑひもせす' +
  '甲乙丙丁戊己庚辛壬癸丑寅卯辰巳午未申酉戌亥';

/**
 * The grammar of what follows a machi-aza in an address, as regular expressions. A production may use those above it,
 * in braces. Texts are prepared by `tidy`: one kind of hyphen, one の, no space within a number.
 */
const GRAMMAR = {
  digits: '\\d{1,6}',
  kanji: `[${NUMERALS}]{1,9}`,
  figure: '\\d|{kanji}',
  // A lot number may have a letter; Ishikawa uses all of them: 甲544番地11, イ12, ナ-3, レの2, 午10. 砂子10 is a name.
  letter: `[${LOT_LETTERS}]`,
  // After these, a number is that of a floor, room, wing or other unit, or part of a building's name (109ビル), not a
  // house number.
  otherUnit:
    '番館|番街|番町|番丁|号館|号棟|号室|号線|階|棟|室|街区|区画|画地|期|丁|条|線|筆|地割|' +
    'ビル|タワー|マンション|ハイツ|コーポ|プラザ|館|部|字|組|[A-Za-z](?![A-Za-z]|-[A-Za-z]{2})',
  // What may follow a list of house numbers.
  end: '(?=[、,・]\\s*(?:{figure}|他|外|ほか)|及び|および|並びに|ならびに|他|外|ほか|の?各?一部|の内|以下|\\s|$)',
  // A number in kanji counts only if the address continues after it: 4番三井ビル is in 4番.
  goesOn: '(?=番|号|-|~|の{figure})|{end}',
  number: '(?:{letter}[-のノ]?)?{digits}(?!\\d|{otherUnit})|{kanji}(?!{otherUnit}){goesOn}',
  // 番 and 番地 mean block or lot, 号 means residence.
  lotUnit: '番地|番(?!地)',
  // 4-14, 4の14, 4番14, 4番地の14.
  under: '{lotUnit}(?:の|-)?|-|の',
  // What follows the residence is dropped: 4-14-201, 4番14号の2.
  subNumber: '[-の]{number}',
  firstUnder: '[-の](?<under>{number})',
  // 4番1~5号 and 21番3~21番5.
  rangeUnder: '号?~(?:(?<endBlock>{number})(?:{lotUnit}の?|-))?(?<end>{number})',
  // 4番14号, 4番地の14, 4-14, 14番1~5号.
  nested:
    '(?<block>{number})(?:(?<unit>{lotUnit})(?:の|-)?|-|の)(?<number>{number})(?<room>{subNumber}+)?{rangeUnder}?' +
    '(?<go>号)?{subNumber}*',
  // 4番, 4番地, 10号, 5番~7番.
  lone: '(?<number>{number})(?:(?<unit>{lotUnit})|(?<go>号))?(?:~(?<end>{number})(?:{lotUnit}|(?<go2>号))?)?',
  // Counters and directions: the number before them need not be a house number: 21世紀, 24時間, 9東.
  counter:
    '[区班番号丁町街条線階世時年月日周割坪畳帖本戸社店人名件台回級型式面左右上下前後中内外円満位里反校枚度機軒段列角口間箇次代目点種工系合十百千万]|' +
    '[東西南北](?!京)|[LSDK]{1,4}(?![A-Za-z])|FL|フロア|ブロック|エリア|ゲート|ホール|ゾーン|ルーム|ユニット|メートル|キロ|バース|コート|[カケヵヶ]所',
  // 11住友ビル, 3インテージ秋葉原ビル, 2JA共済ビル: a building's name directly after a single number.
  building: '(?<=\\d)(?=[A-Z]{2}|[ァ-ヺ][ァ-ヺー]|\\p{Script=Han})(?!{counter}|[^\\d\\s]*\\d+(?:番|-\\d|の\\d))',
  // Ambiguous: in 4番 101 and 4 14-10 the second number may be a house number or a room; 3号540 is a lot of 第3号; in
  // 4番1Hビル and 4番2マンション the second number may belong to the name. 4番5階 and 4番3号室 are 4番.
  clear: '(?!\\s+{number}|(?<=号)\\d|(?<=[番地])の?\\d)|(?=\\d+(?:階|号?室|F(?![A-Za-z])))',
  item: '{nested}|{lone}(?:(?<=[番地号])|{end}|{building}){clear}',
  separator: '(?:の?各?一部|の内)?\\s*(?:[、,・]|及び|および|並びに|ならびに)\\s*',
  // 四丁目, 4丁 (Sakai), 4町目 (Tohoku).
  chome: '\\s*(?<chome>\\d{1,3}|{kanji})\\s*(?:丁目|町目|丁(?=[-の\\s]|{letter}?{figure}|$))',
  // 4-14-10 and 4の14: the unit of the chome is omitted, and another number follows.
  bareChome: '\\s*(?<chome>\\d{1,3}|{kanji})[-の](?={number}|\\d)',
  // 4, followed by nothing or a space.
  loneChome: '\\s*(?<chome>\\d{1,3}|{kanji})(?=\\s|$)',
  // 4-14-10, 4-14番10号: the first number is above block and number.
  threeNumbers: `\\s*[\\d${NUMERALS}]+[-の]{number}(?:{under}(?:{number}|\\d)|{lotUnit})`,
  // 4丁目, 1条西4, 3番町: the number of an area, not of a house.
  placeNumber: '\\s*(?:第?\\d+|第?{kanji})(?:丁目?|町目|条|線|番町|番丁|地割|区(?!画)|の?通り?)',
  // The number of a part that some prefectures have and address tables often lack: 29地割77, 19線51, ハ部1, 第80号1番地.
  partNumber: '\\s*(?:第?(?:\\d+|{kanji})(?<unit>地割|線)|第(?:\\d+|{kanji})号|{letter}の?[部字])',
  // What may follow the complete name of a machi-aza. If the name continues (本町 and 本町通), it is another.
  afterName:
    '\\s*$|\\s+|[-の]?{number}|{letter}?\\d|{letter}[-ーのノ]\\d|第\\d+番|[A-Za-z]|[-~、,・.;:()「【〔]|[大小]?字|の?部(?=\\d)|番外地|番地|無番地|[国官公]有|' +
    '(?:地内|地先|他|外|ほか|の?各?一部|の内)(?=[\\s\\d、,()]|{kanji}?筆|$)|以下|及び|および',
} as const;

type Production = keyof typeof GRAMMAR;

const EXPANDED = new Map<string, string>();
for (const [name, production] of Object.entries(GRAMMAR)) {
  EXPANDED.set(
    name,
    `(?:${production.replace(/\{([a-z]\w+)\}/giu, (all, used: string) => EXPANDED.get(used) ?? all)})`,
  );
}

/** A production as a sticky regular expression. */
export const compile = (name: Production, flags = 'uy') => new RegExp(EXPANDED.get(name) as string, flags);

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
const PREAMBLE = /^\s*(?:日本国?[、,\s]\s*)?(?:〒\s*)?(?:\d{3}\s*(?:-\s*)?\d{4}(?!\d)[、,]?\s*)?/u;

/**
 * The house numbers after the machi-aza, as comparable keys: 4番14号, ４－１４ and 4番地の14 are 4-14, a lone block is 4, and a
 * letter before a lot number stays (甲4-14). Building, floor and room are dropped. Ambiguous numbers are omitted. A list
 * may repeat the chome of the machi-aza: in 東水元二丁目, 14-2、2-14-1 is 14-2 and 14-1.
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
    // A lone number belongs to the block of the one before it (21番3、4 and 14番1号、5号), otherwise it is a block or lot
    // itself.
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
  /** 番 or 番地, if written after the number or its block. */
  unit: string | undefined;
  isGo: boolean;
  isRoom: boolean;
}

type Groups = Record<string, string | undefined>;

const FIRST_UNDER = compile('firstUnder');

/**
 * After a number of two levels, a number of three begins with the chome if that is the machi-aza's. Otherwise it may be
 * of another chome or have a room: undefined, as when the chome may also be the block.
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

/** Whether a number after a comma is a room: 3-2-107号、108号, 2番地16、502号, 4番地の14、210. */
function isRoomAfter(before: Item, { block, number, unit, isGo }: Item): boolean {
  if (before.block === null || unit !== undefined) return false;
  if (isGo && !before.isGo && before.unit === '番地') return true;
  // 7番17号、1-802 and 80番地7、3-801: the notation does not change within a list.
  if (block !== null) return before.unit !== undefined && !isGo;
  return before.isRoom || (Number(number) >= 100 && Number(number) > 2 * Number(before.number));
}

/** The address in one width, without variation selectors, postcode and country. */
export function withoutPreamble(address: string): string {
  const plain = address.slice(0, MAX_LENGTH).normalize('NFKC').replace(VARIATION_SELECTORS, '');
  return plain.replace(HYPHENS, keepLetters).replace(PREAMBLE, '');
}

/** 〒135-0064, １３５００６４ and 135 0064 become 135-0064; undefined if it is not a postcode. */
export function parsePostcode(text: string): string | undefined {
  const plain = withHyphens(text.slice(0, MAX_LENGTH).normalize('NFKC')).replace(/\s/gu, '');
  const match = /^〒?(\d{3})-?(\d{4})$/u.exec(plain);
  return match === null ? undefined : `${match[1]}-${match[2]}`;
}

/** The chome (四丁目) that a text names after its stem (本郷). */
interface WrittenChome {
  number: number;
  /** Whether it is written as a chome (4丁目), or as a number before others (4-14-10), or alone (4). */
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
      // 本郷4 14-10 continues with a house number; 本郷4 201 may continue with anything.
      const rest = text.slice(end).trimStart();
      return { number: Number(number), as: 'alone', rest: /^\d+(?:-|番)\d/u.test(rest) ? rest : '' };
    }
    const isFirst = match(THREE_NUMBERS, text, 0) !== undefined;
    return { number: Number(number), as: isFirst ? 'first of three' : 'first of two', rest: text.slice(end) };
  }
  return undefined;
}

/** Whether the name of a machi-aza may end before this text, so that a house number or nothing follows. */
export function mayFollowName(after: string): boolean {
  const text = joinNumbers(after);
  return match(AFTER_NAME, text, 0) !== undefined && match(PLACE_NUMBER, text, 0) === undefined;
}

/** The unit of the numbered part at the start of this text; '' if the part has no unit of its own. */
export function readPartUnit(after: string): string | undefined {
  const groups = match(PART_NUMBER, joinNumbers(after), 0);
  return groups === undefined ? undefined : (groups.unit ?? '');
}

const ENDS_IN_NUMBER = new RegExp(`[\\d${NUMERALS}番地号]\\s*$`, 'u');

/** The long vowel of a name (流通センター) stays; between numbers it is a hyphen, as all other dashes are anywhere. */
function keepLetters(hyphen: string, at: number, text: string): string {
  if (hyphen !== 'ー' && hyphen !== '一') return '-';
  const isAfterNumber = ENDS_IN_NUMBER.test(text.slice(Math.max(0, at - 3), at));
  return hyphen === '一' || (isAfterNumber && /^\s*\d/u.test(text.slice(at + 1, at + 4))) ? '-' : hyphen;
}

/** Unifies hyphens and spaces, and removes brackets and the chome. */
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

/** Unifies deed numerals (壱, 弐) and の between numbers, and removes spaces within numbers. */
function joinNumbers(text: string): string {
  return plainNumerals(text)
    .replace(JOINING_NO, 'の')
    .replace(/(?<!\s)\s*([-~、,・]|番(?![町丁館街])地?|号(?![室棟館線]))/gu, '$1')
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

/** 1 to 5 are five numbers; of a range that is too long or descending only the first. */
function rangeOf(first: string, end: string | undefined): string[] {
  const [from, to] = [Number(first), Number(end)];
  if (!(to > from && to - from < MAX_RANGE)) return [first];
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
}
