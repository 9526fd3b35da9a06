import { cleanText, normaliseAlias } from '../../vocabulary/text.ts';
import type { Tags } from './element.ts';
import { ALIASES, FAMILY_HOUSES, NAME_EN, NAME_JA, PUBLIC_BY } from './tag-tables.ts';

export interface Names {
  nameJa: string | undefined;
  nameEn: string | undefined;
  aliases: string[];
}

const NAMING: ReadonlySet<string> = new Set([...NAME_JA, ...NAME_EN, ...ALIASES]);
const NONE: Names = { nameJa: undefined, nameEn: undefined, aliases: [] };

/** `name` is the Japanese name in Japan, also where it is written in Latin letters. */
export function namesOf(tags: Tags): Names {
  if (![...tags.keys()].some((key) => NAMING.has(key)) || isPrivate(tags)) return NONE;
  const nameEn = firstOf(tags, NAME_EN);
  const nameJa = withoutEnglish(firstOf(tags, NAME_JA), nameEn);
  const known = new Set([nameJa, nameEn].filter((name) => name !== undefined).map(normaliseAlias));
  const aliases: string[] = [];
  for (const name of ALIASES.flatMap((key) => valuesOf(tags, key))) {
    const alias = withoutEnglish(name, nameEn) as string;
    const normal = normaliseAlias(alias);
    if (normal === '' || known.has(normal)) continue;
    known.add(normal);
    aliases.push(alias);
  }
  return { nameJa, nameEn, aliases };
}

/** What a family's house is called is not published. */
function isPrivate(tags: Tags): boolean {
  return FAMILY_HOUSES.has(tags.get('building') ?? '') && !PUBLIC_BY.some((key) => tags.has(key));
}

/** 東京タワー (Tokyo Tower), an older habit, is 東京タワー where the English name is given beside it. */
function withoutEnglish(name: string | undefined, nameEn: string | undefined): string | undefined {
  if (name === undefined || nameEn === undefined) return name;
  const tail = new Set([`(${nameEn})`, `（${nameEn}）`]);
  const at = Math.max(name.lastIndexOf('('), name.lastIndexOf('（'));
  return at > 0 && tail.has(name.slice(at)) ? name.slice(0, at).trim() : name;
}

function firstOf(tags: Tags, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const [value] = valuesOf(tags, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Several values of one tag stand with semicolons between them. */
export function valuesOf(tags: Tags, key: string): string[] {
  const value = tags.get(key);
  if (value === undefined) return [];
  return value.split(';', 100).map(cleanText).filter(Boolean);
}
