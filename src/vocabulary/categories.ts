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

/** A use as the table has it: case, width and the key of an OSM building tag do not matter. */
function foldUse(use: string): string {
  return normaliseAlias(use).replace(/^building=/, '');
}

/** The category a use resolves to, whatever its case and width; undefined for a word no table knows. */
export function findCategory(use: string): Category | undefined {
  const word = foldUse(use);
  const known = CATEGORY_BY_WORD.get(word);
  if (known !== undefined) return known;
  const key = /^([a-z_:]+)=/.exec(word)?.[1];
  return key === undefined ? undefined : CATEGORY_BY_WORD.get(`${key}=*`);
}

/** A recorded use always has a category: an unknown word is some other use. */
export function categoryOf(use: string): Category {
  return findCategory(use) ?? 'other';
}

/** What `type` asks for (SEA-09): the buildings of a category, or those that recorded one word. */
type AskedUse = { category: Category } | { word: string };

/** A word for no particular use (tower, ビル) is only itself: nothing but its own name means `unspecified`. */
export function readAskedUse(type: string): AskedUse {
  const word = foldUse(type);
  const category = findCategory(type);
  const isCategory = category !== undefined && (category !== 'unspecified' || word === category);
  return isCategory ? { category } : { word };
}
