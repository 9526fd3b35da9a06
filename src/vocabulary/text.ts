/** Hyphens, dashes and minus signs, for a character class. Includes ー, which is a dash unless kana surround it. */
export const DASHES = '\\-\u2010-\u2015\u2212\u2500\u2501\u2043\u02d7\ufe63\uff0dー';
const ONLY_DASHES = new RegExp(`^[${DASHES}]+$`, 'u');
const EACH_DASH = new RegExp(`[${DASHES}]`, 'gu');

export const isDash = (text: string): boolean => ONLY_DASHES.test(text);

/** Every dash as a hyphen. */
export const withHyphens = (text: string): string => text.replace(EACH_DASH, '-');

/** SEA-02: NFKC, then lower case by JavaScript's Unicode rules, for stored values and queries. */
export function normaliseSearchText(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

/** CON-07: aliases are equal if their search texts are, with whitespace collapsed. */
export function normaliseAlias(text: string): string {
  return normaliseSearchText(text).replace(/\s+/gu, ' ');
}

/** A REIT's property codes are equal in any width and case: Ａ-01, A-01, a-01. */
export function propertyCodeKey(code: string): string {
  return normaliseAlias(code);
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, 4_096))
    .join('\n');
}

/** Text from outside, made safe for a terminal or a log: control and bidi characters become escapes. */
export function printable(text: string, maxLength = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A name or address from a source, on one line, without hidden characters and repeated white space. */
export function cleanText(text: string): string {
  return withoutHidden(text).replace(/\s+/gu, ' ').trim();
}

/**
 * What a published text never contains: control characters, invisible or reordering characters (bidi marks, zero-width
 * characters, tags), replacement characters, noncharacters and unassigned code points. Planes 2 and 3 are allowed:
 * every code point there is or will be an ideograph.
 */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffd]|(?![\u{20000}-\u{3fffd}])\p{Cn}/u;
const EACH_HIDDEN = new RegExp(HIDDEN.source, 'gu');

/** A fast path for most texts: ASCII, kana, the kanji of Unicode 1, full and half width. */
const PLAIN = /^[ -~\u3000-\u303e\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fa5\uff01-\uff5e\uff61-\uff9f]*$/;

const hasHidden = (text: string) => !PLAIN.test(text) && (!text.isWellFormed() || HIDDEN.test(text));

/** Scripts whose spelling needs joiners. */
const JOINING =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}' +
  '\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}]';

/**
 * Hidden characters that belong to the character before them: variants of a kanji or symbol, joiners of emoji and
 * scripts.
 */
const BELONGS = new RegExp(
  [
    '(?<=\\p{Ideographic})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
    '(?<=[\\p{Emoji}\\p{S}\\p{P}])[\\ufe00-\\ufe0f]',
    '(?<=\\p{scx=Mong})[\\u180b-\\u180d\\u180f]',
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
    `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
  ].join('|'),
  'uy',
);

const WHITE_SPACE = /^[\t-\r\u0085\u2028\u2029]$/;

/** The text without hidden characters; breaks and tabs, with the white space around them, become one space. */
export function withoutHidden(text: string): string {
  if (!hasHidden(text)) return text;
  return text
    .toWellFormed()
    .replace(EACH_HIDDEN, (character, at: number, whole: string) => {
      if (belongs(whole, at)) return character;
      return WHITE_SPACE.test(character) ? '\n' : '';
    })
    .replace(/\s+/gu, (space) => (space.includes('\n') ? ' ' : space))
    .trim();
}

/** The hidden characters of a text as code points; undefined if there are none. */
export function hiddenIn(text: string): string | undefined {
  if (!hasHidden(text)) return undefined;
  const found = new Set<string>();
  for (const { 0: character, index } of text.toWellFormed().matchAll(EACH_HIDDEN)) {
    if (!WHITE_SPACE.test(character) && !belongs(text, index)) found.add(codePoint(character));
  }
  if (found.size === 0) return undefined;
  const some = [...found].slice(0, MOST_NAMED).join(', ');
  return found.size > MOST_NAMED ? `${some} and others` : some;
}

const MOST_NAMED = 5;

function belongs(text: string, at: number): boolean {
  BELONGS.lastIndex = at;
  return BELONGS.test(text);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * What a spreadsheet may interpret as a formula. OWASP lists = + - @, tab, carriage return, line feed and the
 * full-width forms of the first four. Programs differ in what they skip first (spaces, quotes, zero-width characters)
 * and in what they fold, so all of these are covered.
 */
const FORMULA = /^(?:[\t\r\n]|[\s"\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/**
 * Besides what RFC 4180 requires: separators of other locales, and white space at either end, which readers may trim.
 */
const QUOTED = /[",;\t\r\n]|^\s|\s$|^\[/;

/** CSV-04: an RFC 4180 cell that no spreadsheet interprets as a formula; plain numbers are unchanged. */
export function csvCell(text: string): string {
  const inert = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
