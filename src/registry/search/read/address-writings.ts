import { parseHouseNumbers, readChome, withoutPreamble } from '../../../vocabulary/address.ts';
import { NUMERALS, toKanjiNumber } from '../../../vocabulary/japanese.ts';
import { normaliseLine } from '../format/entry.ts';

/** Longer queries are not addresses. */
const MAX_LENGTH = 100;
const NUMERAL = new RegExp(`[\\d${NUMERALS}]`, 'u');
const NAME = new RegExp(`(?![${NUMERALS}])[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]`, 'u');
const PREFECTURE = /^(?:北海道|東京都|大阪府|京都府|\p{sc=Han}{2,3}県)/u;
const MUNICIPALITY = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+?[市区町村](?=.)/u;

/**
 * UI-43: the forms in which the registry may write the address in a query, likeliest first: 丸の内1-9-2 and 丸の内１丁目９番２号 are
 * 丸の内一丁目9番2号. Then the block and the chome alone. Numbers are read as those of the registers.
 */
export function addressWritings(q: string): string[] {
  if (q.length > MAX_LENGTH) return [];
  const text = withoutPreamble(q).trim();
  for (let at = 1; at < text.length; at++) {
    const isStart = NUMERAL.test(text[at] as string) && !/\d/.test(text[at - 1] as string);
    const numbers = isStart ? numberWritings(text.slice(at)) : [];
    if (numbers.length === 0) continue;
    const stems = stemWritings(text.slice(0, at));
    const writings = numbers.flatMap((number) => stems.map((stem) => `${stem}${number}`));
    return [...new Set(writings)].filter((writing) => normaliseLine(writing) !== normaliseLine(q));
  }
  return [];
}

/** The part before the numbers as it is, without its prefecture, and without its municipality. */
function stemWritings(before: string): string[] {
  const whole = before.replace(/\s/gu, '');
  const inPrefecture = whole.replace(PREFECTURE, '');
  const last = before.trim().split(/\s+/u).at(-1) ?? '';
  const stems = [whole, inPrefecture, inPrefecture.replace(MUNICIPALITY, ''), last];
  return [...new Set(stems)].filter((stem) => NAME.test(stem));
}

function numberWritings(after: string): string[] {
  const chome = readChome(after);
  const [house] = parseHouseNumbers(after);
  const undivided = house === undefined ? [] : houseWritings(house);
  if (chome === undefined) return undivided;
  const inChome = chomeWritings(chome.number, parseHouseNumbers(chome.rest)[0]);
  // 本町4-14 may be in 本町四丁目 or in 本町.
  return chome.as === 'chome' || chome.as === 'first of three' ? inChome : [...inChome, ...undivided];
}

function chomeWritings(chome: number, house: string | undefined): string[] {
  if (chome > 9_999) return [];
  const names = [`${toKanjiNumber(chome)}丁目`, `${chome}丁目`];
  if (house === undefined) return names;
  const forms = houseWritings(house).flatMap((form) => names.map((name) => `${name}${form}`));
  return [...forms, `${chome}-${house}`, ...names];
}

/** 9-2 is 9番2号, 9番地2 or 9-2; if neither, the block 9番 remains. */
function houseWritings(key: string): string[] {
  const [block, number] = key.split('-');
  if (number === undefined) return [`${block}番`, key];
  return [`${block}番${number}号`, `${block}番地${number}`, key, `${block}番`];
}
