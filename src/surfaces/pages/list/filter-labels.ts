import type { Attribute } from '../../../registry/search/format/entry.ts';
import type { Sort } from '../../../registry/search/format/segments.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { type Filters, RANGES } from './filters.ts';

export const HAS_LABELS: Readonly<Record<Attribute, string>> = {
  owner: 'Owner known',
  yearBuilt: 'Year built known',
  noConflict: 'No conflicts',
  venues: 'Has venues',
};

export const SORT_LABELS: Readonly<Record<Sort, string>> = {
  footprint: 'Largest footprint',
  height: 'Tallest',
  floors: 'Most floors',
  built: 'Newest',
  name: 'Name',
};
export const DEFAULT_SORT_LABEL = 'Recently updated';

export const RANGE_LABELS = {
  floors: { name: 'Floors', unit: '' },
  height: { name: 'Height', unit: ' m' },
  built: { name: 'Year built', unit: '' },
} as const;

/** One active filter, and the filters that remain without it. */
interface ActiveFilter {
  text: string;
  without: Filters;
}

export function activeFilters(filters: Filters): ActiveFilter[] {
  const { q, types, words, has, ranges } = filters;
  const start = { ...filters, page: 1 };
  return [
    ...(q === undefined ? [] : [{ text: `“${q}”`, without: { ...start, q: undefined } }]),
    ...types.map((type) => ({
      text: CATEGORY_LABELS[type].en,
      without: { ...start, types: types.filter((other) => other !== type) },
    })),
    ...words.map((word) => ({
      text: `Use “${word}”`,
      without: { ...start, words: words.filter((other) => other !== word) },
    })),
    ...RANGES.flatMap((name) => {
      const range = ranges[name];
      if (range === undefined) return [];
      const { [name]: _, ...others } = ranges;
      return [{ text: rangeText(name, range), without: { ...start, ranges: others } }];
    }),
    ...has.map((name) => ({
      text: HAS_LABELS[name],
      without: { ...start, has: has.filter((other) => other !== name) },
    })),
  ];
}

function rangeText(
  name: keyof typeof RANGE_LABELS,
  { min, max }: { min?: number | undefined; max?: number | undefined },
): string {
  const { name: label, unit } = RANGE_LABELS[name];
  if (min === undefined) return `${label} up to ${max}${unit}`;
  return max === undefined ? `${label} from ${min}${unit}` : `${label} ${min} to ${max}${unit}`;
}
