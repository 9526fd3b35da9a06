import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { areaText } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { shorten } from '../format.ts';
import { type Correction, type Filters, MAX_WORDS, RANGES } from './filters.ts';

/** What someone typed is shown in part; only the field of the form has all of it. */
const MAX_SHOWN = 60;
export const shownText = (typed: string): string => shorten(typed, MAX_SHOWN);

/** One active filter, and the filters that remain without it. */
interface ActiveFilter {
  text: string;
  without: Filters;
}

export function activeFilters(t: Text, filters: Filters): ActiveFilter[] {
  const { q, types, words, has, ranges, postcode } = filters;
  const start = { ...filters, page: 1 };
  return [
    ...(q === undefined ? [] : [{ text: t.list.quoted(shownText(q)), without: { ...start, q: undefined } }]),
    ...types.map((type) => ({
      text: CATEGORY_LABELS[type][t.lang],
      without: { ...start, types: types.filter((other) => other !== type) },
    })),
    ...words.map((word) => ({
      text: t.list.useNamed(shownText(word)),
      without: { ...start, words: words.filter((other) => other !== word) },
    })),
    ...RANGES.flatMap((name) => {
      const range = ranges[name];
      if (range === undefined) return [];
      const { [name]: _, ...others } = ranges;
      return [{ text: t.list.range[name](range), without: { ...start, ranges: others } }];
    }),
    ...has.map((name) => ({
      text: t.list.has[name],
      without: { ...start, has: has.filter((other) => other !== name) },
    })),
    ...(postcode === undefined
      ? []
      : [{ text: t.list.postcode(postcode), without: { ...start, postcode: undefined } }]),
  ];
}

/** UI-49: the search in the words of a title, `丸の内 · offices · 200 m or taller`; undefined without any filter. */
export function describeSearch(t: Text, filters: Filters): string | undefined {
  const { q, types, words, has, ranges, postcode } = filters;
  const { phrases } = t.list;
  // A building needs only one of the uses.
  const uses = [
    ...types.map((type) => phrases.uses[type]),
    ...words.map((word) => t.list.quoted(shownText(word))),
  ].join(phrases.or);
  const parts = [
    ...(uses === '' ? [] : [uses]),
    ...RANGES.flatMap((name) => (ranges[name] === undefined ? [] : [phrases.range[name](ranges[name])])),
    ...has.map((name) => phrases.has[name]),
    ...(postcode === undefined ? [] : [t.list.postcode(postcode)]),
  ];
  if (q !== undefined) return [shownText(q), ...parts].join(t.list.separator);
  return parts.length === 0 ? undefined : phrases.first(parts.join(t.list.separator));
}

/** UI-49: the title of a list, with its search and its area. `slug` names areas that are not one. */
export function listTitle(t: Text, filters: Filters, areas: readonly AreaSummary[], slug?: string): string {
  const current = areas.at(-1)?.area;
  const place = current === undefined ? (slug ?? t.list.japan) : areaText(t, current);
  const search = describeSearch(t, filters);
  return search === undefined ? t.list.title(place) : t.list.searchTitle(search, place);
}

/** UI-49: the title of one page of a list, in the browser. */
export const pageTitle = (t: Text, title: string, page: number): string =>
  page === 1 ? title : t.layout.titleOfPart(title, t.layout.pageNumber(page));

/** UI-50 */
export function correctionText(t: Text, correction: Correction): string {
  const { corrections, ranges } = t.list;
  switch (correction.kind) {
    case 'pageBeyond':
      return correction.last > 1 ? corrections.pageBeyond(correction.last) : corrections.noPageBeyond;
    case 'unknownUse':
      return corrections.unknownUse(shownText(correction.word));
    case 'tooManyUses':
      return corrections.tooManyUses(MAX_WORDS);
    case 'minimum':
    case 'maximum':
    case 'emptyRange':
      return corrections[correction.kind](ranges[correction.range]);
    default:
      return corrections[correction.kind];
  }
}
