import { CATEGORY_ALIASES } from './category-aliases.ts';
import { normaliseAlias } from './text.ts';

export const CATEGORIES = [
  'residential',
  'office',
  'retail',
  'hotel',
  'logistics',
  'industrial',
  'education',
  'healthcare',
  'public',
  'religious',
  'culture',
  'sports',
  'transport',
  'parking',
  'agriculture',
  'utility',
  'other',
  'unspecified',
] as const;
export type Category = (typeof CATEGORIES)[number];

const CATEGORY_BY_WORD: ReadonlyMap<string, Category> = new Map(
  CATEGORIES.flatMap((category) => CATEGORY_ALIASES[category].map((word) => [word, category] as const)),
);

/** The table key of a use: case, width and the key of an OSM building tag do not matter. */
function foldUse(use: string): string {
  return normaliseAlias(use).replace(/^building=/, '');
}

/** The category of a use, in any case and width; undefined for an unknown word. */
export function findCategory(use: string): Category | undefined {
  const word = foldUse(use);
  const known = CATEGORY_BY_WORD.get(word);
  if (known !== undefined) return known;
  const key = /^([a-z_:]+)=/.exec(word)?.[1];
  return key === undefined ? undefined : CATEGORY_BY_WORD.get(`${key}=*`);
}

/** The category of a recorded use; an unknown word is `other`. */
export function categoryOf(use: string): Category {
  return findCategory(use) ?? 'other';
}

/** SEA-09, AGT-01: the value of `type`: a category, or one recorded word. */
type AskedUse = { category: Category } | { word: string };

/** A word without a particular use (tower, ビル) finds only itself; only the name `unspecified` finds that category. */
export function readAskedUse(type: string): AskedUse {
  const word = foldUse(type);
  const category = findCategory(type);
  const isCategory = category !== undefined && (category !== 'unspecified' || word === category);
  return isCategory ? { category } : { word };
}
