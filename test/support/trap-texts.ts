import { withoutHidden } from '../../src/vocabulary/text.ts';
import type { Random } from './random.ts';

/** Texts that naive comparison gets wrong: width, voiced marks, case, ligatures, surrogate pairs, wildcards, quotes. */
export const TRAPS: readonly string[] = [
  ...[
    '東京',
    '丸の内',
    '銀座',
    'ビル',
    'ビルヂング',
    'びる',
    'ﾋﾞﾙ',
    'ｶﾞｰﾃﾞﾝ',
    'ガーデン',
    'カ\u3099ーテ\u3099ン',
    'がーでん',
  ],
  ...[
    'ﾊﾟﾚｽ',
    'パレス',
    'ｱﾊﾟｰﾄ',
    'ヴィラ',
    'ｳﾞｨﾗ',
    'ー',
    '－',
    '‐',
    '々',
    '〆',
    '髙島屋',
    '高島屋',
    '㈱三井',
    '(株)三井',
    '㍿',
  ],
  ...[
    'Ｔｏｗｅｒ',
    'tower',
    'TOWER',
    'Tower',
    'ﬁrst',
    'FIRST',
    'ofﬁce',
    '①',
    '１',
    '1',
    '⑳',
    '㍍',
    'メートル',
    'Ⅷ',
    'viii',
  ],
  ...[
    'İstanbul',
    'ISTANBUL',
    'ıstanbul',
    'Straße',
    'STRASSE',
    'ẞ',
    'ΟΔΟΣ',
    'οδος',
    'οδοσ',
    'ΣΑΣ',
    'ǅ',
    'Å',
    '\u212b',
    'å',
  ],
  ...['𠮷野', '吉野', '𩸽', '🏢', '👨‍👩‍👧', 'café', 'cafe\u0301', 'CAFÉ', 'ﷺ', '½', 'm²', '´', '\u200b', '\u00ad'],
  ...[
    '100%',
    '%',
    '_',
    'a_b',
    'axb',
    'a\\b',
    '\\',
    '\\%',
    "O'Brien",
    "''",
    '"q"',
    '`',
    '--',
    ';',
    '<b>',
    '&amp;',
    '{1}',
  ],
  ...[
    '-13-',
    'ASSET-JP',
    'jp-27',
    '0000',
    '1-2-3',
    '１－２－３',
    '1丁目',
    '一丁目',
    'No.',
    '№',
    '…',
    '...',
    '\u0001',
    '\u007f',
  ],
];

/** JavaScript's whitespace, and three similar characters that are not: NEL, zero-width space, Mongolian vowel separator. */
export const SPACES: readonly string[] = [
  ...[' ', ' ', '  ', '\u3000', '\t', '\n', '\r\n', '\v', '\f', '\u00a0', '\u2003', '\u2028', '\u2029', '\ufeff'],
  ...['\u0085', '\u200b', '\u180e'],
];

export function trapText(random: Random, words = 4): string {
  const parts = random.some(words, () => random.pick(TRAPS), 1);
  const text = parts.map((part) => part + (random.chance(0.4) ? random.pick(SPACES) : '')).join('');
  // Ingest removes hidden characters and rejects a text that becomes empty.
  return /\S/.test(withoutHidden(text)) ? text : `${text}館`;
}

/** Variants of a text as another person might type it. */
export function retype(random: Random, text: string): string {
  const form = random.below(8);
  if (form === 0) return text.toUpperCase();
  if (form === 1) return text.toLowerCase();
  if (form === 2) return widen(text);
  if (form === 3) return text.normalize('NFD');
  if (form === 4) return text.normalize('NFKC');
  if (form === 5) return narrowKana(text);
  return text;
}

function widen(text: string): string {
  return text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
}

/** Every kana that has a half-width form, voiced ones as two characters. */
const NARROW = new Map<string, string>();
for (let code = 0xff66; code <= 0xff9d; code++) {
  for (const mark of ['', '\uff9e', '\uff9f']) {
    const narrow = String.fromCharCode(code) + mark;
    const wide = narrow.normalize('NFKC');
    if (wide.length === 1) NARROW.set(wide, narrow);
  }
}

function narrowKana(text: string): string {
  return [...text.normalize('NFC')].map((c) => NARROW.get(c) ?? c).join('');
}

/** A substring that never splits a surrogate pair. */
export function cutPiece(random: Random, text: string): string {
  const characters = [...text];
  const start = random.below(characters.length);
  const length = random.chance(0.3) ? characters.length : 1 + random.below(6);
  return characters.slice(start, start + length).join('');
}
