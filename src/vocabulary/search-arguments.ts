import { type Static, Type } from 'typebox';
import { type SearchQuery, SearchQuerySchema } from './api-shapes.ts';
import type { Measures } from './geometry.ts';
import { fail, ok, type Result } from './result.ts';
import { OneOf } from './schema.ts';

/** FIT-01: what is sent of each building. */
const VIEWS = ['full', 'summary'] as const;
export type View = (typeof VIEWS)[number];

export const ViewSchema = OneOf(VIEWS, {
  default: 'full',
  description:
    '`summary` returns the names, the address and the main figures of each building, without its history, geometry and neighbours.',
});

/** FIT-03, UI-47: what a search or a list can require of a building; `reit` is a publication that the surface serves now. */
export const REQUIREMENTS = ['owner', 'yearBuilt', 'noConflict', 'venues', 'reit'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** FIT-04 */
const SEARCH_SORTS = ['recorded', 'footprint', 'height', 'floors', 'built', 'name', 'distance'] as const;
type SearchSort = (typeof SEARCH_SORTS)[number];

const RANGES = ['floors', 'height', 'built'] as const;
type Range = (typeof RANGES)[number];

/** FIT-05: in metres. */
const DEFAULT_RADIUS = 500;
const MAX_RADIUS = 5_000;

const decimal = (description: string, example: number, more = {}) =>
  Type.Optional(Type.Number({ minimum: 0, description, examples: [example], ...more }));

/** Beyond the contract: every parameter is optional, and a search without them is as before. */
export const SearchArgumentsSchema = Type.Object({
  ...SearchQuerySchema.properties,
  view: Type.Optional(ViewSchema),
  floorsMin: decimal('At least so many floors above ground.', 20),
  floorsMax: decimal('At most so many floors above ground.', 40),
  heightMin: decimal('At least so many metres high.', 200),
  heightMax: decimal('At most so many metres high.', 300),
  builtMin: decimal('Built in this year or later.', 1970),
  builtMax: decimal('Built in this year or earlier.', 1999),
  has: Type.Optional(
    Type.String({
      description:
        'A comma-separated list of what a building must have: `owner`, `yearBuilt`, `noConflict` (no source disagrees on ' +
        'a field), `venues`, `reit` (an accepted REIT publication).',
      examples: ['owner,yearBuilt'],
    }),
  ),
  sort: Type.Optional(
    OneOf(SEARCH_SORTS, {
      default: 'recorded',
      description:
        'The order: most recently recorded first, a figure from the largest, `name`, or `distance` from `near`. Buildings ' +
        'without a value come last; ties are in the order of IDs.',
    }),
  ),
  near: Type.Optional(
    Type.String({
      description: 'Latitude and longitude. Finds the buildings whose footprint is within `radius` metres.',
      examples: ['35.6812,139.7671'],
    }),
  ),
  radius: decimal(`The distance from \`near\` in metres: ${DEFAULT_RADIUS} by default, at most 5,000.`, 500, {
    maximum: MAX_RADIUS,
  }),
  bbox: Type.Optional(
    Type.String({
      description:
        'West, south, east and north in degrees. Finds the buildings whose footprint has a bounding box that meets it.',
      examples: ['139.76,35.675,139.77,35.685'],
    }),
  ),
});

/** SEA-06: a page may have a number that only a bigint holds exactly. */
type SearchArguments = Omit<Static<typeof SearchArgumentsSchema>, 'page'> & Pick<SearchQuery, 'page'>;

/** Both ends are inclusive. */
interface ValueRange {
  min?: number | undefined;
  max?: number | undefined;
}

/** The arguments of a search, read. */
export interface SearchRequest extends Pick<SearchQuery, 'q' | 'prefecture' | 'ward' | 'machiAza' | 'type' | 'page'> {
  view: View;
  ranges: Partial<Record<Range, ValueRange>>;
  has: readonly Requirement[];
  sort: SearchSort;
  near: { lat: number; lon: number; radius: number } | undefined;
  bbox: Measures['bbox'] | undefined;
}

/** FIT-22: a search by nothing but the parameters of the contract, whose answer is as before. */
export const isPlainSearch = ({ ranges, has, sort, near, bbox }: SearchRequest): boolean =>
  Object.keys(ranges).length + has.length === 0 && sort === 'recorded' && near === undefined && bbox === undefined;

/** FIT-01, FIT-02, FIT-03, FIT-04, FIT-05, FIT-06: the request, or what is wrong with the arguments. */
export function readSearchArguments(given: SearchArguments): Result<SearchRequest, string> {
  const { view = 'full', sort = 'recorded', q, prefecture, ward, machiAza, type, page } = given;
  const ranges: SearchRequest['ranges'] = {};
  for (const name of RANGES) {
    const [min, max] = [given[`${name}Min`], given[`${name}Max`]];
    if (min !== undefined || max !== undefined) ranges[name] = { min, max };
  }
  const has = readHas(given.has);
  if (!has.ok) return has;
  const near = readNear(given.near, given.radius);
  if (!near.ok) return near;
  const bbox = readBbox(given.bbox);
  if (!bbox.ok) return bbox;
  if (sort === 'distance' && near.value === undefined) return fail('sort by distance needs near');
  const words = Object.entries({ q, prefecture, ward, machiAza, type, page }).filter(
    ([, value]) => value !== undefined,
  );
  const asked = Object.fromEntries(words) as SearchQuery;
  return ok({ ...asked, view, ranges, has: has.value, sort, near: near.value, bbox: bbox.value });
}

function readHas(text: string | undefined): Result<Requirement[], string> {
  const words = new Set(text?.split(',').map((word) => word.trim()));
  const known = REQUIREMENTS.filter((what) => words.has(what));
  return known.length === words.size
    ? ok(known)
    : fail(`has must be a comma-separated list of ${REQUIREMENTS.join(', ')}`);
}

const DEGREES = /^ *-?\d{1,3}(\.\d+)? *$/;

/** Decimal degrees, separated by commas; undefined if they are not so many. */
function readDegrees(text: string, count: number): number[] | undefined {
  const parts = text.split(',');
  return parts.length === count && parts.every((part) => DEGREES.test(part)) ? parts.map(Number) : undefined;
}

const isLatitude = (degrees: number) => Math.abs(degrees) <= 90;
const isLongitude = (degrees: number) => Math.abs(degrees) <= 180;

function readNear(text: string | undefined, radius: number | undefined): Result<SearchRequest['near'], string> {
  if (text === undefined) return radius === undefined ? ok(undefined) : fail('radius needs near');
  const [lat, lon] = readDegrees(text, 2) ?? [];
  if (lat === undefined || lon === undefined || !isLatitude(lat) || !isLongitude(lon)) {
    return fail('near must be a latitude and a longitude in decimal degrees, separated by a comma');
  }
  return ok({ lat, lon, radius: radius ?? DEFAULT_RADIUS });
}

function readBbox(text: string | undefined): Result<SearchRequest['bbox'], string> {
  if (text === undefined) return ok(undefined);
  const [west, south, east, north] = readDegrees(text, 4) ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    return fail('bbox must be west, south, east and north in decimal degrees, separated by commas');
  }
  if (![west, east].every(isLongitude) || ![south, north].every(isLatitude)) {
    return fail('bbox must have longitudes between -180 and 180 and latitudes between -90 and 90');
  }
  if (west > east || south > north) return fail('bbox must not have its west or south edge beyond the opposite one');
  return ok([west, south, east, north]);
}
