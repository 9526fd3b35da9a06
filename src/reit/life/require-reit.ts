import type { Attribute } from '../../registry/search/format/entry.ts';
import type { Sort } from '../../registry/search/format/segments.ts';
import type { ListQuery } from '../../registry/search/read/list-query.ts';
import { parseAssetId } from '../../vocabulary/asset-id.ts';
import type { Requirement } from '../../vocabulary/search-arguments.ts';
import type { PermittedSurface } from './permissions.ts';
import type { Reit } from './reit.ts';

export type ListRequest = Omit<ListQuery, 'has' | 'among' | 'sort'> & {
  has: readonly Requirement[];
  sort?: Sort | undefined;
};

/** The query of the registry for a list that may require a REIT history. */
export async function toListQuery(
  reit: Pick<Reit, 'servedBuildings'>,
  request: ListRequest,
  surface: PermittedSurface,
): Promise<ListQuery> {
  const has = request.has.filter((what): what is Attribute => what !== 'reit');
  if (has.length === request.has.length) return { ...request, has };
  const served = await reit.servedBuildings(surface);
  return { ...request, has, among: [...served].flatMap((id) => parseAssetId(id) ?? []) };
}
