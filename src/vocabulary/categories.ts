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

/** The category a use resolves to, whatever its case and width; undefined for a word no table knows. */
export function findCategory(use: string): Category | undefined {
  const word = normaliseAlias(use).replace(/^building=/, '');
  const known = CATEGORY_BY_WORD.get(word);
  if (known !== undefined) return known;
  const key = /^([a-z_:]+)=/.exec(word)?.[1];
  return key === undefined ? undefined : CATEGORY_BY_WORD.get(`${key}=*`);
}

/** A recorded use always has a category: an unknown word is some other use. */
export function categoryOf(use: string): Category {
  return findCategory(use) ?? 'other';
}
