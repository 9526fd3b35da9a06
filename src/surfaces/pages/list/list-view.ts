import type { FormerBuilding } from '../../../registry/identity.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { ListPage } from '../../../registry/search/read/list-page.ts';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { AREA_LEVELS, type AreaSlugs, type Filters, NO_FILTERS, toQuery } from './filters.ts';

/** A list as it is shown, on /japan/areas or on a hub. */
export interface ListView {
  /** The path it is at. */
  path: string;
  /** The place among the parameters; on a hub it is in the path. */
  place: AreaSlugs;
  filters: Filters;
  list: ListPage;
  /** The areas from the prefecture down to where it looks; none for all of Japan. */
  way: readonly AreaSummary[];
  /** The building that q is the ID of, where it was merged or retired. */
  former: FormerBuilding | undefined;
}

/** The address of the same list by other filters. */
export const listUrl = ({ path, place }: Pick<ListView, 'path' | 'place'>, filters: Filters): string =>
  `${path}${toQuery(filters, place)}`;

/** The areas that slugs lead to from the prefecture down, as far as they do. */
export async function findAreas(registry: Registry, slugs: readonly string[]): Promise<AreaSummary[]> {
  const way: AreaSummary[] = [];
  for (let depth = 1; depth <= slugs.length; depth++) {
    const found = await registry.getArea(slugs.slice(0, depth));
    if (!found.ok) break;
    way.push(JSON.parse(Buffer.from(found.value.body).toString()) as AreaSummary);
  }
  return way;
}

/** A place that somebody asked for, without what names no area. */
export async function resolveArea(registry: Registry, asked: AreaSlugs) {
  const known = AREA_LEVELS.filter((level) => isSlug(asked[level]));
  const hasMore = known.length < AREA_LEVELS.filter((level) => asked[level] !== undefined).length;
  const gap = AREA_LEVELS.findIndex((level) => !known.includes(level));
  const rooted = gap === -1 ? known : AREA_LEVELS.slice(0, gap);
  if (rooted.length < known.length) {
    // A ward alone is that slug in any prefecture, which no way leads to.
    const place = placeOf(asked, known);
    const { total } = await registry.list({ ...NO_FILTERS, ...place });
    if (total > 0) return { place, way: [], wasCut: hasMore };
  }
  const way = await findAreas(
    registry,
    rooted.map((level) => asked[level] as string),
  );
  return { place: placeOf(asked, AREA_LEVELS.slice(0, way.length)), way, wasCut: hasMore || way.length < known.length };
}

const placeOf = (asked: AreaSlugs, levels: readonly (keyof AreaSlugs)[]): AreaSlugs =>
  Object.fromEntries(levels.map((level) => [level, asked[level]]));

const isSlug = (text: string | undefined): text is string => text !== undefined && /^[a-z0-9-]{1,200}$/.test(text);
