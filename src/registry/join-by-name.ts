import { normaliseAreaName } from '../vocabulary/area-names.ts';

/** A census boundary, with what identifies its machi-aza. */
interface NamedPiece {
  id: string;
  /** KEY_CODE: ward (5 digits), oaza (4 digits) and, where the oaza is divided, chome or hamlet (2 digits). */
  key: string;
  nameJa: string;
}

/** The machi-aza of one ward by normalised name; if two have the same name, the lower code wins. */
type MachiAzaByName = ReadonlyMap<string, string>;

export function machiAzaByName(areas: Iterable<{ code: string; nameJa: string }>): MachiAzaByName {
  const names = new Map<string, string>();
  for (const { code, nameJa } of areas) {
    const name = normaliseAreaName(nameJa);
    const known = names.get(name);
    if (known === undefined || code < known) names.set(name, code);
  }
  return names;
}

/** （飛地）, （番地）, （六七九番以前）: remarks on a part of an area, not part of its name. */
const REMARK = /[(（〔［[][^)）〕］\]]*[)）〕］\]]/gu;
const CHOME = /^\d+丁目?/u;
/**
 * No hamlet begins like this: the cut is within a word (松 in 松ケ丘), or the longer name is that of a town (尾高 in 尾高町).
 */
const WITHIN_A_WORD = /^[町村々ーケのツぁぃぅぇぉゃゅょっァィゥェォャュョッ]/u;
/** Endings of towns and settlements; a hamlet has them only below an oaza that the census divides. */
const TOWN = /(?:町|新田|団地|台|丘|通り?)$/u;
/** Between the names of areas that are drawn as one. */
const SEPARATOR = /[\s・、,，／/]+/u;
/** A former town or village, and the rest of the name. */
const VILLAGE = /^(.{1,6}?[町村])(.+)$/u;

/**
 * Assigns pieces to the machi-aza of their ward, by piece ID. A piece belongs to the machi-aza of its name, otherwise
 * to the one with the longest name that is a prefix of its own, unless the rest shows that another area is meant: a
 * wrong boundary is worse than none.
 */
export function joinByName(pieces: readonly NamedPiece[], names: MachiAzaByName): Map<string, string> {
  const joined = new Map<string, string>();
  const waiting: { piece: NamedPiece; name: string }[] = [];
  const numbersOf = new Map<string, Set<string>>();
  for (const piece of pieces) {
    const bare = piece.nameJa.replace(REMARK, '');
    const name = normaliseAreaName(bare);
    const code = (bare === piece.nameJa ? undefined : names.get(normaliseAreaName(piece.nameJa))) ?? names.get(name);
    if (code === undefined) waiting.push({ piece, name });
    else {
      joined.set(piece.id, code);
      numbersOf.set(code, (numbersOf.get(code) ?? new Set()).add(oazaNumber(piece.key)));
    }
  }
  if (waiting.length === 0) return joined;
  const finder = containingMachiAza(names);
  for (const { piece, name } of waiting) {
    const [, ...others] = piece.nameJa.split(SEPARATOR);
    if (others.some((other) => names.has(normaliseAreaName(other)))) continue;
    const code = finder(name, isDivision(piece.key));
    if (code === undefined) continue;
    // A hamlet has the number of its oaza: one with another number than the piece of the machi-aza's own name is
    // outside it.
    const numbers = numbersOf.get(code);
    if (numbers === undefined || numbers.has(oazaNumber(piece.key))) joined.set(piece.id, code);
  }
  return joined;
}

/** Without the last digit, which numbers parts of one oaza that were divided at different times. */
const oazaNumber = (key: string): string => key.slice(0, 8);
const isDivision = (key: string): boolean => key.length === 11 && !key.endsWith('00');

/** Finds the machi-aza that contains the area of a longer name. */
function containingMachiAza(names: MachiAzaByName): (name: string, isDivision: boolean) => string | undefined {
  const longest = Math.max(0, ...[...names.keys()].map((name) => name.length));
  // 赤波 for 用瀬町赤波; null if several machi-aza end like this.
  const withoutVillage = new Map<string, string | null>();
  const villages = new Set<string>();
  const numbered = new Set<string>();
  for (const [name, code] of names) {
    const [, village, rest] = VILLAGE.exec(name) ?? [];
    if (village !== undefined && rest !== undefined) {
      villages.add(village);
      withoutVillage.set(rest, withoutVillage.has(rest) ? null : code);
    }
    const chome = /^(.*\D)\d+丁目?$/u.exec(name)?.[1];
    if (chome !== undefined) numbered.add(chome);
  }

  const beginning = (name: string, isDivision: boolean): string | undefined => {
    for (let length = Math.min(name.length - 1, longest); length > 0; length--) {
      const start = name.slice(0, length);
      const code = names.get(start);
      if (code === undefined) continue;
      return holds(start, name.slice(length), isDivision) ? code : undefined;
    }
    return undefined;
  };
  const holds = (start: string, rest: string, isDivision: boolean): boolean => {
    if (WITHIN_A_WORD.test(rest) || isSameScript(start, rest)) return false;
    // 新開八丁目 is in 新開 only if 新開 has no chome of its own.
    if (CHOME.test(rest)) return !numbered.has(start);
    if (/\d丁目?$/u.test(rest)) return false;
    if (villages.has(start)) return false;
    return isDivision || (start.length > 1 && !TOWN.test(rest));
  };
  // Only one of the two sources writes the village. Names such as 東 or 本町 are too common to identify it.
  const elsewhere = (name: string): string | undefined => {
    const [, village, rest] = VILLAGE.exec(name) ?? [];
    const bare = rest ?? name;
    if (bare.length < 2 || /(?:町|\d丁目?)$/u.test(bare)) return undefined;
    if (rest === undefined || village === undefined) return withoutVillage.get(bare) ?? undefined;
    return villages.has(village) ? undefined : names.get(rest);
  };
  return (name, isDivision) => beginning(name, isDivision) ?? elsewhere(name);
}

/** Whether a name was cut within a number or a kana word. */
function isSameScript(start: string, rest: string): boolean {
  const ends = start.slice(-1);
  return [/\d/u, /\p{Script=Hiragana}/u, /\p{Script=Katakana}/u].some(
    (script) => script.test(ends) && script.test(rest.slice(0, 1)),
  );
}
