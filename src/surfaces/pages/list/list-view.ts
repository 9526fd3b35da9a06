import type { FormerBuilding } from '../../../registry/identity.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { ListPage } from '../../../registry/search/read/list-page.ts';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import type { Html } from '../html.ts';
import { AREA_LEVELS, type AreaSlugs, type Filters, NO_FILTERS, toQuery } from './filters.ts';

/** What a list page shows, on /japan/areas or on a hub. */
export interface ListView {
  path: string;
  /** The area in the query; empty on a hub, whose path names the area. */
  slugs: AreaSlugs;
  filters: Filters;
  list: ListPage;
  /** Of all its buildings; undefined if none is located. */
  map: Html | undefined;
  /** From the prefecture down to the area shown; empty for all of Japan. */
  areas: readonly AreaSummary[];
  /** The merged or retired building whose ID is the search text. */
  former: FormerBuilding | undefined;
}

/** The same list with other filters. */
export const listUrl = ({ path, slugs }: Pick<ListView, 'path' | 'slugs'>, filters: Filters): string =>
  `${path}${toQuery(filters, slugs)}`;

/** The query of the list's map: the area, the filters and the owner, but neither order nor page. */
export function mapQuery(
  { slugs, areas, filters }: Pick<ListView, 'slugs' | 'areas' | 'filters'>,
  owner?: string,
): string {
  const [prefecture, ward, machiAza] = areas.map(({ area }) => area.slug);
  const named = areas.length === 0 ? slugs : { prefecture, ward, machiAza };
  const query = toQuery({ ...filters, sort: undefined, page: 1, view: undefined, columns: undefined }, named);
  if (owner === undefined) return query;
  return `${query}${query === '' ? '?' : '&'}owner=${encodeURIComponent(owner)}`;
}

/** The areas of a path of slugs, from the prefecture down to the last one that exists. */
export async function findAreas(registry: Registry, slugs: readonly string[]): Promise<AreaSummary[]> {
  const areas: AreaSummary[] = [];
  for (let depth = 1; depth <= slugs.length; depth++) {
    const found = await registry.getArea(slugs.slice(0, depth));
    if (!found.ok) break;
    areas.push(JSON.parse(Buffer.from(found.value.body).toString()) as AreaSummary);
  }
  return areas;
}

/** The requested area, cut at the first level that names no area; `isUnknown` says that it was cut. */
export async function resolveArea(registry: Registry, requested: AreaSlugs) {
  const valid = AREA_LEVELS.filter((level) => isSlug(requested[level]));
  const hasInvalid = valid.length < AREA_LEVELS.filter((level) => requested[level] !== undefined).length;
  const gap = AREA_LEVELS.findIndex((level) => !valid.includes(level));
  const path = gap === -1 ? valid : AREA_LEVELS.slice(0, gap);
  if (path.length < valid.length) {
    // A ward without a prefecture matches that slug in any prefecture.
    const slugs = pickLevels(requested, valid);
    const { total } = await registry.list({ ...NO_FILTERS, ...slugs });
    if (total > 0) return { slugs, areas: [], isUnknown: hasInvalid };
  }
  const areas = await findAreas(
    registry,
    path.map((level) => requested[level] as string),
  );
  const slugs = pickLevels(requested, AREA_LEVELS.slice(0, areas.length));
  return { slugs, areas, isUnknown: hasInvalid || areas.length < valid.length };
}

const pickLevels = (slugs: AreaSlugs, levels: readonly (keyof AreaSlugs)[]): AreaSlugs =>
  Object.fromEntries(levels.map((level) => [level, slugs[level]]));

const isSlug = (text: string | undefined): text is string => text !== undefined && /^[a-z0-9-]{1,200}$/.test(text);
