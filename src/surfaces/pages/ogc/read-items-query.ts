import type { FeatureQuery } from '../../../registry/search/read/features.ts';
import { ID_FORM, parseAssetId } from '../../../vocabulary/asset-id.ts';
import type { Measures } from '../../../vocabulary/geometry.ts';
import { fail, ok, type Result } from '../../../vocabulary/result.ts';
import { instantSortKey, parseInstant } from '../../../vocabulary/time.ts';

/** OGC-05: features on a page. More than the maximum is not an error, as the standard says. */
export const ITEM_LIMITS = { default: 10, maximum: 1_000 } as const;

export const ITEM_PARAMETERS = ['bbox', 'datetime', 'limit', 'after'] as const;

/** Many clients ask for JSON by `f=json`, which is what every resource is. */
export const FORMAT = { name: 'f', value: 'json' } as const;

/** OGC-04: the parameters of a request, each known and given once; the refusal repeats nothing of it. */
export function readKnown(
  parameters: URLSearchParams,
  own: readonly string[],
): Result<Readonly<Record<string, string>>, string> {
  const known = [...own, FORMAT.name];
  const given = [...parameters.keys()];
  if (!given.every((name) => known.includes(name))) {
    return fail(`query parameters: each must be one of ${known.join(', ')}`);
  }
  if (new Set(given).size < given.length) return fail('query parameters: each may be given once');
  if ((parameters.get(FORMAT.name) ?? FORMAT.value) !== FORMAT.value) {
    return fail(`query parameters: ${FORMAT.name} must be ${FORMAT.value}`);
  }
  return ok(Object.fromEntries(parameters));
}

/** OGC-05, OGC-06, OGC-07, OGC-08 */
export function readItemsQuery(given: Readonly<Record<string, string>>): Result<FeatureQuery, string> {
  const { bbox, datetime, limit, after } = given;
  const most = limit === undefined ? ITEM_LIMITS.default : readLimit(limit);
  if (most === undefined) return fail('query parameters: limit must be a positive integer');
  const boxes = bbox === undefined ? undefined : readBoxes(bbox);
  if (bbox !== undefined && boxes === undefined) {
    return fail(
      'query parameters: bbox must be four or six numbers, separated by commas: west, south, east and north in degrees, ' +
        'or with the lowest and the highest height after south and north; longitudes from -180 to 180, latitudes from -90 to 90',
    );
  }
  const recorded = datetime === undefined ? {} : readInterval(datetime);
  if (recorded === undefined) {
    return fail(
      'query parameters: datetime must be an instant of RFC 3339 or two of them with a slash between, of which one may be .. or empty',
    );
  }
  const start = after === undefined ? 0 : parseAssetId(after);
  if (start === undefined) return fail(`query parameters: after must have the form ${ID_FORM}`);
  return ok({ after: start, limit: most, boxes, recorded });
}

function readLimit(text: string): number | undefined {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  return limit === 0 ? undefined : Math.min(limit, ITEM_LIMITS.maximum);
}

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** One box, or two for a box across the antimeridian. Heights are not compared, because the geometries have none. */
function readBoxes(text: string): Measures['bbox'][] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if ((parts.length !== 4 && parts.length !== 6) || !parts.every((part) => NUMBER.test(part))) return undefined;
  const numbers = parts.map(Number);
  const [west, south, low, east, north, high] = (
    numbers.length === 6 ? numbers : [numbers[0], numbers[1], 0, numbers[2], numbers[3], 0]
  ) as [number, number, number, number, number, number];
  const isInRange = Math.max(Math.abs(west), Math.abs(east)) <= 180 && Math.max(Math.abs(south), Math.abs(north)) <= 90;
  if (!isInRange || south > north || low > high) return undefined;
  if (west <= east) return [[west, south, east, north]];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/** Undefined for anything but the syntax of the standard. An interval that ends before it begins is not valid. */
function readInterval(text: string): FeatureQuery['recorded'] | undefined {
  const ends = text.split('/');
  if (ends.length > 2) return undefined;
  const [from, to = from] = ends.map(readEnd);
  if (from === undefined || to === undefined || (from === OPEN && to === OPEN)) return undefined;
  if (ends.length === 1) return from === OPEN ? undefined : { from, to: from };
  if (from !== OPEN && to !== OPEN && instantSortKey(from) > instantSortKey(to)) return undefined;
  return { ...(from !== OPEN && { from }), ...(to !== OPEN && { to }) };
}

const OPEN = '..';

const readEnd = (text: string): string | undefined =>
  text === OPEN || text === '' ? OPEN : parseInstant(text.toUpperCase());
