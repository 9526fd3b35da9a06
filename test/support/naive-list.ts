import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { searchableValues } from './naive-search.ts';
import type { Random } from './random.ts';
import { byRecency } from './served-registry.ts';

/** Minimum and maximum, both inclusive. */
type Range = [(number | undefined)?, (number | undefined)?];

/** A list query of contract 4.4, answered by checking every published record. */
export interface ListParameters {
  q?: string;
  prefecture?: string;
  ward?: string;
  machiAza?: string;
  /** Categories. */
  types?: readonly string[];
  floors?: Range;
  height?: Range;
  built?: Range;
  has?: readonly string[];
  sort?: string;
  page?: number;
}

const normalise = (text: string) => text.trim().normalize('NFKC').toLowerCase();

const FIELD = { floors: 'floorsAbove', height: 'heightM', built: 'yearBuilt' } as const;
const SORTED_BY = { footprint: 'footprintM2', height: 'heightM', floors: 'floorsAbove', built: 'yearBuilt' } as const;

export function naiveList(records: readonly BuildingPage[], parameters: ListParameters) {
  const terms = normalise(parameters.q ?? '')
    .split(/\s/)
    .filter((term) => term !== '');
  const others = records.filter(
    (page) =>
      (parameters.prefecture === undefined || page.location.prefecture.slug === parameters.prefecture) &&
      (parameters.ward === undefined || page.location.ward.slug === parameters.ward) &&
      (parameters.machiAza === undefined || page.location.machiAza.slug === parameters.machiAza) &&
      (terms.length === 0 ||
        searchableValues(page).some((value) => terms.every((term) => normalise(value).includes(term)))) &&
      (['floors', 'height', 'built'] as const).every((name) => isWithin(page, FIELD[name], parameters[name])) &&
      (parameters.has ?? []).every((what) => hasIt(page, what)),
  );
  const byType = new Map<string, number>();
  for (const { assetTypes } of others) {
    for (const { category } of assetTypes) byType.set(category, (byType.get(category) ?? 0) + 1);
  }
  const types = parameters.types ?? [];
  const found = others
    .filter(({ assetTypes }) => types.length === 0 || assetTypes.some(({ category }) => types.includes(category)))
    .sort(orderBy(parameters.sort));
  const pages = Math.min(50, Math.ceil(found.length / 20));
  const page = Math.max(1, Math.min(parameters.page ?? 1, pages));
  return { total: found.length, page, pages, ids: found.slice((page - 1) * 20, page * 20).map(({ id }) => id), byType };
}

function isWithin({ fields }: BuildingPage, name: 'floorsAbove' | 'heightM' | 'yearBuilt', range?: Range) {
  if (range === undefined) return true;
  const value = fields[name]?.value;
  if (typeof value !== 'number') return false;
  return value >= (range[0] ?? Number.NEGATIVE_INFINITY) && value <= (range[1] ?? Number.POSITIVE_INFINITY);
}

function hasIt({ fields, venues }: BuildingPage, what: string): boolean {
  if (what === 'owner') return fields.ownerPublic !== undefined;
  if (what === 'yearBuilt') return fields.yearBuilt !== undefined;
  if (what === 'venues') return venues.length > 0;
  return Object.values(fields).every((field) => field?.conflict == null);
}

function orderBy(sort: string | undefined): (a: BuildingPage, b: BuildingPage) => number {
  if (sort === undefined) return byRecency;
  const byId = (a: BuildingPage, b: BuildingPage) => (a.id < b.id ? -1 : 1);
  if (sort === 'name') {
    const nameOf = ({ fields }: BuildingPage) => normalise(String(fields.nameJa?.value ?? fields.nameEn?.value ?? ''));
    return (a, b) => {
      const [x, y] = [nameOf(a), nameOf(b)];
      if (x === y) return byId(a, b);
      if (x === '' || y === '') return x === '' ? 1 : -1;
      return x < y ? -1 : 1;
    };
  }
  const field = SORTED_BY[sort as keyof typeof SORTED_BY];
  const figureOf = ({ fields }: BuildingPage) => Number(fields[field]?.value ?? Number.NEGATIVE_INFINITY);
  return (a, b) => (figureOf(a) === figureOf(b) ? byId(a, b) : figureOf(b) - figureOf(a));
}

/** The query string of a list, with comma-separated values. */
export function listQuery({ types, has, floors, height, built, ...rest }: ListParameters): string {
  const ranges = Object.entries({ floors, height, built }).flatMap(([name, range]) => [
    [`${name}Min`, range?.[0]],
    [`${name}Max`, range?.[1]],
  ]);
  const pairs = [...Object.entries(rest), ['type', types?.join(',')], ['has', has?.join(',')], ...ranges];
  const parameters = new URLSearchParams();
  for (const [name, value] of pairs)
    if (value !== undefined && value !== '') parameters.set(name as string, `${value}`);
  return parameters.toString();
}

const some = <T>(random: Random, list: readonly T[]) => list.filter(() => random.chance(0.3));
const maybe = <K extends keyof ListParameters>(random: Random, name: K, make: () => ListParameters[K]) =>
  random.chance(0.3) ? { [name]: make() } : {};

/** A random list query for the page town. */
export function anyList(random: Random): ListParameters {
  const range = (from: number, to: number): Range => {
    const least = from + random.below(to - from);
    return random.chance(0.5) ? [least, least + random.below(to - from)] : [least];
  };
  const place = random.pick<ListParameters>([
    {},
    {},
    { prefecture: 'tokyo' },
    { prefecture: 'tokyo', ward: 'chiyoda-ku' },
    { prefecture: 'tokyo', ward: 'chiyoda-ku', machiAza: 'marunouchi-2-chome' },
    { prefecture: 'osaka' },
    { ward: 'chiyoda-ku' },
  ]);
  return {
    ...place,
    ...maybe(random, 'q', () => random.pick(['塔', '第 塔', '丸の内', '１', 'asset-jp-13', 'ｺﾞ', '%', '第00'])),
    ...maybe(random, 'types', () => some(random, ['office', 'residential', 'retail', 'hotel', 'parking', 'logistics'])),
    ...maybe(random, 'has', () => some(random, ['owner', 'yearBuilt', 'noConflict', 'venues'])),
    ...maybe(random, 'floors', () => range(1, 9)),
    ...maybe(random, 'height', () => range(10, 50)),
    ...maybe(random, 'built', () => range(1900, 2000)),
    ...maybe(random, 'sort', () => random.pick(['footprint', 'height', 'floors', 'built', 'name'])),
    ...maybe(random, 'page', () => 1 + random.below(4)),
  };
}
