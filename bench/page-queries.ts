/** Requests to the pages of the generated city: lists by every filter and order, and names as they are typed. */
import { SORTS } from '../src/registry/search/format/segments.ts';
import { CATEGORIES } from '../src/vocabulary/categories.ts';
import { chance } from './generate-records.ts';
import { QUERIES } from './search-queries.ts';

const WORDS = QUERIES.flatMap(({ query: { q } }) => (q === undefined ? [] : [q]));

/** Paths of lists and hubs, the same in every run. Each filter is in about a third of them. */
export function listPaths(count: number, hubs: readonly string[]): string[] {
  const random = chance(31);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const sometimes = (share: number, pairs: () => [string, string][]) => (random() < share ? pairs() : []);
  const between = (low: number, high: number) => String(Math.round(low + random() * (high - low)));
  return Array.from({ length: count }, () => {
    const pairs = [
      ...sometimes(0.35, () => [['q', pick(WORDS)]]),
      ...sometimes(0.4, () => [
        ['type', random() < 0.3 ? `${pick(CATEGORIES)},${pick(CATEGORIES)}` : pick(CATEGORIES)],
      ]),
      ...sometimes(0.3, () => [['floorsMin', between(1, 20)]]),
      ...sometimes(0.2, () => [['heightMax', between(10, 120)]]),
      ...sometimes(0.3, () => [
        ['builtMin', between(1950, 1990)],
        ['builtMax', between(1990, 2025)],
      ]),
      ...sometimes(0.3, () => [['has', pick(['owner', 'yearBuilt', 'noConflict', 'venues', 'yearBuilt,noConflict'])]]),
      ...sometimes(0.7, () => [['sort', pick(SORTS)]]),
      ...sometimes(0.3, () => [['page', between(2, 50)]]),
    ];
    const query = new URLSearchParams(pairs).toString();
    const path = random() < 0.5 ? '/japan/areas' : pick(hubs);
    return query === '' ? path : `${path}?${query}`;
  });
}

/** Every prefix, up to twelve characters, of every word of the search mix. */
export function suggestPaths(): string[] {
  const typed = new Set(
    WORDS.flatMap((word) => {
      const characters = [...word].slice(0, 12);
      return characters.map((_, i) => characters.slice(0, i + 1).join(''));
    }),
  );
  return [...typed].map((q) => `/japan/suggest?${new URLSearchParams({ q })}`);
}
