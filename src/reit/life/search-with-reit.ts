import { tagOf } from '../../registry/records.ts';
import type { Finished, Registry } from '../../registry/registry.ts';
import type { Attribute } from '../../registry/search/format/entry.ts';
import { markReit } from '../../registry/summaries.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../../vocabulary/asset-id.ts';
import type { SearchRequest } from '../../vocabulary/search-arguments.ts';
import type { PermittedSurface } from './permissions.ts';
import type { Reit } from './reit.ts';

/** FIT-03, FIT-08: a search whose `has` and `hasReit` follow what a surface serves now. */
export async function searchWithReit(
  registry: Pick<Registry, 'search'>,
  reit: Pick<Reit, 'servedBuildings'>,
  { has: required, ...request }: SearchRequest,
  surface: PermittedSurface,
): Promise<Finished> {
  const has = required.filter((what): what is Attribute => what !== 'reit');
  const served = has.length === required.length ? undefined : await reit.servedBuildings(surface);
  const among = served && { among: [...served].flatMap((id) => parseAssetId(id) ?? []) };
  const answer = await registry.search({ ...request, has, ...among });
  const { summarised = [], ...finished } = answer;
  if (summarised.length === 0) return finished;
  return withReit(finished, summarised, await reit.servedBuildings(surface, summarised.map(formatAssetId)));
}

function withReit(answer: Finished, summarised: readonly AssetKey[], served: ReadonlySet<string>): Finished {
  if (served.size === 0) return answer;
  const hasReit = summarised.map((building) => served.has(formatAssetId(building)));
  const body = markReit(answer.body, hasReit);
  answer.release?.();
  return { etag: `"${tagOf(body)}"`, body };
}
