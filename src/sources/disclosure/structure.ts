import { kanjiNumbersToDigits } from '../../vocabulary/japanese.ts';

export interface Structure {
  structure: string | undefined;
  floorsAbove: number | undefined;
  floorsBelow: number | undefined;
}

const BELOW = /(?:地下|(?<![a-z])b)(\d{1,2})(?:階|f)?/gu;
const ABOVE = [/地上(\d{1,3})階?(?:建て?)?/gu, /(\d{1,3})階(?:建て?)?/gu, /(?<![\da-z])(\d{1,3})f(?![a-z])/gu];
const BUILT_FLAT = /平(?:屋|家)(?:建て?)?/gu;
const TOWER = /塔屋(?:付き?)?\d*階?(?:建て?)?(?:付き?)?|ph\d*f?/gu;
const KIND = /造|コンクリート|鉄骨|鉄筋|木|ブロック|(?<![a-z])(?:s|rc|src|cft|pc|w)(?![a-z])/u;

/**
 * 鉄骨鉄筋コンクリート造 地下2階付25階建, S・RC造B1/12F, SRC造B2F/25F, RC造 地上10階 地下1階. Floors that
 * are stated more than once and differently (several buildings in one cell) are not known.
 */
export function parseStructure(text: string): Structure {
  const plain = text.slice(0, 300).normalize('NFKC').replace(/\s+/gu, ' ').trim();
  let rest = plain
    .toLowerCase()
    .replace(/[〇零一二三四五六七八九十百]+(?=階)/gu, kanjiNumbersToDigits)
    .replace(/rc(?=[\db])|src(?=[\db])/gu, '$& ')
    .replace(TOWER, ' ');
  const take = (pattern: RegExp): number[] => {
    const found: number[] = [];
    rest = rest.replace(pattern, (_, floors: string | number) => {
      found.push(typeof floors === 'string' ? Number(floors) : 1);
      return '|';
    });
    return found;
  };
  const below = take(BELOW);
  const above = [...ABOVE.flatMap(take), ...take(BUILT_FLAT)];
  const words = rest
    .split('|')
    .map((word) => word.replace(/^[\s付建て/・、,.()-]+|[\s/・、,.(-]+$/gu, '').replace(/^\)+/u, ''))
    .filter((word) => KIND.test(word));
  const kind = words.length === 0 ? undefined : restoreCase(words.join('、'));
  return { structure: kind, floorsAbove: onlyOne(above), floorsBelow: onlyOne(below) };
}

function onlyOne(floors: number[]): number | undefined {
  return new Set(floors).size === 1 ? floors[0] : undefined;
}

/** Latin letters are abbreviations here: SRC, RC, S. */
function restoreCase(text: string): string {
  return text.toUpperCase();
}
