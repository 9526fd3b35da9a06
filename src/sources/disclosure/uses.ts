import { findCategory } from '../../vocabulary/categories.ts';

const BETWEEN = /[・、,，/／\n;+＋]|及び|および|並びに|又は/u;

export interface Uses {
  known: string[];
  unknown: string[];
}

/** The uses in a cell: one word, or several (事務所・店舗). A word of the table that has a dot in it is one. */
export function splitUses(text: string): Uses {
  const whole = text.trim();
  if (findCategory(whole) !== undefined) return { known: [whole], unknown: [] };
  const uses: Uses = { known: [], unknown: [] };
  for (const part of whole.split(BETWEEN)) {
    const word = part.trim();
    if (word === '') continue;
    const bare = word.replace(/[(（][^()（）]*[)）]/gu, '').trim();
    const known = [word, bare].find((use) => use !== '' && findCategory(use) !== undefined);
    if (known === undefined) uses.unknown.push(word);
    else if (!uses.known.includes(known)) uses.known.push(known);
  }
  return uses;
}
