import { kanjiNumbersToDigits } from '../../vocabulary/japanese.ts';

interface Storeys {
  floorsAbove: number | undefined;
  floorsBelow: number | undefined;
  /** The kinds of structure as the source words them, joined by 、. */
  structure: string | undefined;
}

const NUMBER = '([\\d〇一二三四五六七八九十百]+)';
const BELOW = new RegExp(`地下\\s*(?:${NUMBER}\\s*(?:階|F)|(なし|無し|無))付?|B${NUMBER}F?(?![A-Z\\d])`, 'iu');
const ABOVE = new RegExp(`(?:地上)?\\s*${NUMBER}\\s*(?:階|F)`, 'iu');
const PENTHOUSE = new RegExp(`塔屋\\s*${NUMBER}?\\s*(?:階|F)?|P${NUMBER}F?(?![A-Z\\d])`, 'giu');
const ONE_STOREY = /平[家屋](?:建て?)?/u;
/** Kinds that are often written without 造. */
const BARE = /^(?:SRC|RC|S|CFT|PC|HPC|WRC|W|LGS|CB|(?:鉄骨)?鉄筋コンクリート|(?:軽量)?鉄骨|木)$/u;

/** 地上25階、地下2階、SRC造、RC造、S造, in any order and any part of it. */
export function parseStoreys(text: string): Storeys {
  let rest = text.normalize('NFKC').slice(0, 500).replace(PENTHOUSE, '、');
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = `${rest.slice(0, match.index)}、${rest.slice(match.index + match[0].length)}`;
    return match;
  };
  const below = take(BELOW);
  const above = take(ABOVE);
  const single = above === null ? take(ONE_STOREY) : null;
  return {
    floorsAbove: above === null ? (single === null ? undefined : 1) : toCount(above[1]),
    floorsBelow: below === null ? undefined : below[2] === undefined ? toCount(below[1] ?? below[3]) : 0,
    structure: structureOf(rest),
  };
}

/** A cell that holds one number of floors: 8, ８階, 地上8階, B2F, なし. */
export function parseFloorCount(text: string): number | undefined {
  const plain = text.normalize('NFKC').trim();
  if (/^(?:なし|無し|無)$/u.test(plain)) return 0;
  const match = new RegExp(`^(?:地上|地下|B)?\\s*${NUMBER}\\s*(?:階|F|階建て?)?$`, 'iu').exec(plain);
  return match === null ? undefined : toCount(match[1]);
}

function toCount(digits: string | undefined): number | undefined {
  const count = Number(kanjiNumbersToDigits(digits ?? ''));
  return digits === undefined || Number.isNaN(count) ? undefined : count;
}

function structureOf(text: string): string | undefined {
  const kinds = text
    .split(/[、,・/／+＋\s]+/u)
    .map((kind) => kind.replace(/^[:(]+|[:)]+$|^建て?$/gu, ''))
    .map((kind) => (BARE.test(kind) ? `${kind}造` : kind))
    .filter((kind) => kind.includes('造'));
  return kinds.length === 0 ? undefined : [...new Set(kinds)].join('、');
}
