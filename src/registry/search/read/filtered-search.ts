import type { Reads } from '../../../storage/storage.ts';
import type { SearchQuery } from '../../../vocabulary/api-shapes.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import { readAskedUse } from '../../../vocabulary/categories.ts';
import type { SearchRequest } from '../../../vocabulary/search-arguments.ts';
import type { Attribute } from '../format/entry.ts';
import type { SegmentCache } from './index-reads.ts';
import { findListed } from './list-page.ts';
import type { ListQuery } from './list-query.ts';
import { type FindPage, type SearchAnswer, searchPage } from './search.ts';

/** A search of the registry, which knows no REIT publications. */
export type FilteredSearch = SearchQuery &
  Partial<Omit<SearchRequest, keyof SearchQuery | 'has'>> & {
    has?: readonly Attribute[];
    /** Only these buildings; all if undefined. */
    among?: readonly AssetKey[];
  };

/** FIT-01, FIT-02, FIT-03, FIT-04, FIT-05, FIT-06: a search with filters and an order; without any, as the contract has it. */
export async function filteredSearch(reads: Reads, query: FilteredSearch, cache: SegmentCache): Promise<SearchAnswer> {
  if (!isFiltered(query)) return searchPage(reads, query, query.view);
  const find: FindPage = async (_, { q }, { offset, limit }) => {
    const found = await findListed(reads, toListQuery(query, q), { offset, limit }, cache);
    return { ...found, near: query.near };
  };
  return searchPage(reads, query, query.view, find);
}

function isFiltered({ ranges = {}, has = [], among, sort = 'recorded', near, bbox }: FilteredSearch): boolean {
  const isPlaced = near !== undefined || bbox !== undefined;
  return isPlaced || Object.keys(ranges).length + has.length > 0 || among !== undefined || sort !== 'recorded';
}

function toListQuery(query: FilteredSearch, q: string | undefined): ListQuery {
  const { prefecture, ward, machiAza, type, ranges = {}, has = [], among, sort = 'recorded', near, bbox } = query;
  const asked = type ? readAskedUse(type) : undefined;
  return {
    ...{ q, prefecture, ward, machiAza, ranges, has, among, near, bbox },
    types: asked !== undefined && 'category' in asked ? [asked.category] : [],
    words: asked !== undefined && 'word' in asked ? [asked.word] : [],
    sort: sort === 'recorded' ? undefined : sort,
    page: 1,
  };
}
