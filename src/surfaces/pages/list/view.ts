import type { FormerBuilding } from '../../../registry/former-building.ts';
import type { ListPage } from '../../../registry/search/list-page.ts';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import type { Filters, Place } from './filters.ts';
import { toQuery } from './filters.ts';

/** A list as it is shown, on /japan/areas or on a hub. */
export interface ListView {
  /** The path it is at. */
  path: string;
  /** The place among the parameters; on a hub it is in the path. */
  place: Place;
  filters: Filters;
  list: ListPage;
  /** The areas from the prefecture down to where it looks; none for all of Japan. */
  way: readonly AreaSummary[];
  /** The building that q is the ID of, where it was merged or retired. */
  former: FormerBuilding | undefined;
}

/** The address of the same list by other filters. */
export const addressOf = ({ path, place }: Pick<ListView, 'path' | 'place'>, filters: Filters): string =>
  `${path}${toQuery(filters, place)}`;
