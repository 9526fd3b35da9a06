import type { FastifyRequest } from 'fastify';
import { SORTS } from '../../../registry/search/format/segments.ts';
import type { ListRequest } from '../../../reit/life/require-reit.ts';
import { parsePostcode } from '../../../vocabulary/address.ts';
import { CATEGORIES, readAskedUse } from '../../../vocabulary/categories.ts';
import { REQUIREMENTS } from '../../../vocabulary/search-arguments.ts';
import { cleanText } from '../../../vocabulary/text.ts';
import { readParameters } from '../request-target.ts';
import { displayPairs, type ListDisplay, readDisplay } from './list-display.ts';

/** Everything in a list query except the area, and how the list is shown. */
export type Filters = Omit<ListRequest, 'prefecture' | 'ward' | 'machiAza'> & ListDisplay;

export const AREA_LEVELS = ['prefecture', 'ward', 'machiAza'] as const;
export type AreaSlugs = Pick<ListRequest, (typeof AREA_LEVELS)[number]>;

export const RANGES = ['floors', 'height', 'built'] as const;
export type Range = (typeof RANGES)[number];
export const NO_FILTERS: Filters = { types: [], words: [], has: [], ranges: {}, page: 1 };

/** Each word is looked up in every segment of the search index. */
export const MAX_WORDS = 32;

/** The values of a parameter, comma-separated or repeated (PAG-03). */
const valuesOf = (parameters: URLSearchParams, name: string): string[] =>
  parameters
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim());

function readUses(parameters: URLSearchParams) {
  const uses = valuesOf(parameters, 'type').flatMap((type) => (cleanText(type) === '' ? [] : [readAskedUse(type)]));
  const types = new Set(uses.flatMap((use) => ('category' in use ? [use.category] : [])));
  const words = new Set(uses.flatMap((use) => ('word' in use ? [use.word] : [])));
  return { types, words };
}

/** PAG-02, PAG-03, PAG-04, PAG-07: invalid values are ignored; `readCorrections` tells them. */
export function readFilters(request: FastifyRequest): Filters {
  const parameters = readParameters(request);
  const { types, words } = readUses(parameters);
  const has = new Set(valuesOf(parameters, 'has'));
  const ranges = RANGES.map((name) => {
    return [
      name,
      { min: readNumber(parameters.get(`${name}Min`)), max: readNumber(parameters.get(`${name}Max`)) },
    ] as const;
  }).filter(([, { min, max }]) => min !== undefined || max !== undefined);
  const q = parameters.get('q')?.trim();
  return {
    q: q === '' ? undefined : q,
    types: CATEGORIES.filter((category) => types.has(category)),
    words: [...words].slice(0, MAX_WORDS).sort(),
    has: REQUIREMENTS.filter((name) => has.has(name)),
    ranges: Object.fromEntries(ranges),
    postcode: parsePostcode(parameters.get('postcode') ?? ''),
    sort: SORTS.find((sort) => sort === parameters.get('sort')),
    page: readPage(parameters.get('page')),
    ...readDisplay(parameters),
  };
}

/** UI-50: what was corrected or ignored in a request. */
export type Correction =
  | { kind: 'page' | 'tooManyUses' | 'has' | 'sort' | 'postcode' }
  | { kind: 'pageBeyond'; last: number }
  | { kind: 'minimum' | 'maximum' | 'emptyRange'; range: Range }
  | { kind: 'unknownUse'; word: string };

/** The corrections that the request alone shows; unknown uses and pages depend on the registry. */
export function readCorrections(request: FastifyRequest): Correction[] {
  const parameters = readParameters(request);
  const given = (name: string) => (parameters.get(name) ?? '').trim() !== '';
  const isAny = (name: string, known: readonly string[]) =>
    valuesOf(parameters, name).every((value) => value === '' || known.includes(value));
  const corrections: Correction[] = [];
  if (readUses(parameters).words.size > MAX_WORDS) corrections.push({ kind: 'tooManyUses' });
  for (const range of RANGES) {
    const [min, max] = [readNumber(parameters.get(`${range}Min`)), readNumber(parameters.get(`${range}Max`))];
    if (min === undefined && given(`${range}Min`)) corrections.push({ kind: 'minimum', range });
    if (max === undefined && given(`${range}Max`)) corrections.push({ kind: 'maximum', range });
    if (min !== undefined && max !== undefined && min > max) corrections.push({ kind: 'emptyRange', range });
  }
  if (!isAny('has', REQUIREMENTS)) corrections.push({ kind: 'has' });
  if (given('postcode') && parsePostcode(parameters.get('postcode') ?? '') === undefined)
    corrections.push({ kind: 'postcode' });
  if (given('sort') && !SORTS.some((sort) => sort === parameters.get('sort'))) corrections.push({ kind: 'sort' });
  if (given('page') && !PAGE_NUMBER.test(parameters.get('page') ?? '')) corrections.push({ kind: 'page' });
  return corrections;
}

export function readAreaSlugs(request: FastifyRequest): AreaSlugs {
  const parameters = readParameters(request);
  return Object.fromEntries(
    AREA_LEVELS.flatMap((level) => {
      const slug = parameters.get(level) ?? '';
      return slug === '' ? [] : [[level, slug]];
    }),
  );
}

/** A decimal that is not negative, as in the API (FIT-02); in half-width or full-width digits. */
function readNumber(text: string | null): number | undefined {
  const plain = text?.normalize('NFKC').trim() ?? '';
  return /^\d{1,9}(\.\d{1,9})?$/.test(plain) ? Number(plain) : undefined;
}

const PAGE_NUMBER = /^0*[1-9]\d*$/;
/** Beyond the last page of any list. */
const MAX_PAGE = 999_999_999;

function readPage(text: string | null): number {
  return PAGE_NUMBER.test(text ?? '') ? Math.min(Number(text), MAX_PAGE) : 1;
}

/** The query string of filters, with its question mark; empty without any. The first page has no number. */
export function toQuery(filters: Partial<Filters>, slugs: AreaSlugs = {}): string {
  const { q, types, words, has, ranges, postcode, sort, page } = { ...NO_FILTERS, ...filters };
  const pairs: [string, string | undefined][] = [
    ['q', q],
    ...AREA_LEVELS.map((level): [string, string | undefined] => [level, slugs[level]]),
    ['type', [...types, ...words].join(',')],
    ...RANGES.flatMap((name): [string, string | undefined][] => [
      [`${name}Min`, ranges[name]?.min?.toString()],
      [`${name}Max`, ranges[name]?.max?.toString()],
    ]),
    ['has', has.join(',')],
    ['postcode', postcode],
    ['sort', sort],
    ['page', page === 1 ? undefined : String(page)],
    ...displayPairs(filters),
  ];
  const written = pairs.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []));
  return written.length === 0 ? '' : `?${written.join('&').replaceAll('%2C', ',')}`;
}

/** The slugs of the first `depth` levels. */
export const slugsTo = (slugs: AreaSlugs, depth: number): AreaSlugs =>
  Object.fromEntries(AREA_LEVELS.slice(0, depth).map((level) => [level, slugs[level]]));

export const onFirstPage = (filters: Filters): Filters => ({ ...filters, page: 1 });
