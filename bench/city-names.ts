import { BORROWED, FAMILIES, FIRMS, KINDS, PLACES } from './city-words.ts';

export type Word = readonly [ja: string, en: string];
export type UseGroup = keyof typeof KINDS;
export type Pick = <T>(list: readonly T[]) => T;

const KATAKANA_KINDS = KINDS.homes.filter(([ja]) => /^[ァ-ヴー]+$/.test(ja));
const LATIN = ['A', 'B', 'C', 'EAST', 'WEST', 'ＯＰ', 'NEXT', 'J', 'T&K', 'Ⅱ', 'Ⅲ', 'Ⅳ', 'Ⅴ', 'Ⅷ'];
const ENDS = ['1', '2', '3', '5', '10', '21', '2号館', 'A棟', 'B棟', '1号棟', '３', '弐番館', '参番館', '別館', '新館'];

/**
 * One name in Japanese and English. `common` draws from the head of a list far more often than from its
 * end, `place` is where the building stands.
 */
export function nameBuilding(
  group: UseGroup,
  place: Word,
  common: Pick,
  random: () => number,
): { ja: string; en: string } {
  const near = random() < 0.65 ? place : common(PLACES);
  const parts = [...(random() < 0.015 ? [rareWord(random)] : []), ...PATTERNS[group](near, common, random)];
  return {
    ja: parts.map(([ja]) => ja).join(''),
    en: parts
      .flatMap(([, en]) => (en === '' ? [] : en.replaceAll('-', ' ')))
      .join(' ')
      .trim(),
  };
}

const ordinal = (common: Pick, random: () => number): Word => {
  const n = common(ORDINALS);
  return [random() < 0.6 ? `第${KANJI[n]}` : `第${n}`, `No.${n}`];
};
const KANJI = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
const ORDINALS = [2, 1, 3, 5, 4, 6, 7, 8, 10, 9];

const ending = (common: Pick, random: () => number): Word => {
  const text = common(random() < 0.5 ? ENDS : LATIN);
  return [text, text.normalize('NFKC').replace(/[^ -~]/gu, '')];
};

/** Two characters that hardly any other name has, like the long tail of real names. */
function rareWord(random: () => number): Word {
  const character = () => String.fromCharCode(0x4e00 + Math.floor(random() ** 0.7 * 0x5000));
  return [`${character()}${character()}`, ''];
}

type Pattern = (near: Word, common: Pick, random: () => number) => Word[];

function homes(near: Word, common: Pick, random: () => number): Word[] {
  const kind = common(KINDS.homes);
  const r = random();
  if (r < 0.22) return [common(BORROWED), common(BORROWED), near];
  if (r < 0.4) return [near, kind];
  if (r < 0.55) return [common(FAMILIES), kind];
  if (r < 0.64) return [ordinal(common, random), common(FAMILIES), kind];
  if (r < 0.74) return [common(BORROWED), near, ending(common, random)];
  if (r < 0.82) return [common(KATAKANA_KINDS), common(FAMILIES)];
  if (r < 0.87) return [common(BORROWED), ['・', ''], common(BORROWED), near, ending(common, random)];
  return [common(FAMILIES), ['邸', 'Residence']];
}

function offices(near: Word, common: Pick, random: () => number): Word[] {
  const kind = common(KINDS.offices);
  const r = random();
  if (r < 0.25) return [common(FIRMS), near, kind];
  if (r < 0.4) return [common(FIRMS), common(FIRMS), kind];
  if (r < 0.6) return [common(FAMILIES), kind];
  if (r < 0.7) return [ordinal(common, random), common(FIRMS), kind];
  if (r < 0.8) return [near, kind];
  if (r < 0.9) return [near, common(BORROWED), kind];
  return [['新', 'Shin'], near, kind, ending(common, random)];
}

const PATTERNS: Readonly<Record<UseGroup, Pattern>> = {
  homes,
  offices,
  shops: (near, common, random) =>
    random() < 0.5
      ? [common(BORROWED), common(KINDS.shops), near]
      : [random() < 0.5 ? common(FAMILIES) : common(FIRMS), near, common(KINDS.shops)],
  public: (near, common, random) => [
    ...(random() < 0.25 ? [ordinal(common, random)] : []),
    near,
    ...(random() < 0.2 ? [['東', 'Higashi'] as const] : []),
    common(KINDS.public),
  ],
  works: (near, common, random) => [
    common(FIRMS),
    ...(random() < 0.5 ? [common(FIRMS)] : []),
    near,
    common(KINDS.works),
  ],
};

const HALF_KATAKANA = new Map<string, string>();
for (let code = 0xff65; code <= 0xff9d; code++) {
  const half = String.fromCharCode(code);
  for (const mark of ['', 'ﾞ', 'ﾟ']) {
    const full = `${half}${mark}`.normalize('NFKC');
    if (full.length === 1) HALF_KATAKANA.set(full, `${half}${mark}`);
  }
}

/** ﾊﾟｰｸ for パーク. */
export function halfWidth(text: string): string {
  return Array.from(text, (c) => HALF_KATAKANA.get(c) ?? c).join('');
}

/** Ｐａｒｋ　１ for Park 1. */
export function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).replaceAll(' ', '　');
}
