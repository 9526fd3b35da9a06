import type { PreparedOne, Storage } from '../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import { resolveSurvivor } from './identity.ts';

/** A finished answer and the tag that changes with it. */
export interface Finished {
  etag: string;
  body: Uint8Array;
}

export type GetFailure = FailureOf<'malformedId'> | FailureOf<'unknownBuilding'> | FailureOf<'movedBuilding'>;

/** Every question the surfaces ask. */
export interface Registry {
  getPage(id: string): Promise<Result<Finished, GetFailure>>;
  getSources(id: string): Promise<Result<Finished, GetFailure>>;
}

export function openRegistry(storage: Storage): Registry {
  const pageQuery = storage.db.selectFrom('page').select(['etag', 'body']).where('building', '=', 0);
  const sourcesQuery = storage.db.selectFrom('page').select(['etag', 'sources as body']).where('building', '=', 0);
  const findPage = storage.prepareOne<[AssetKey], Finished>(pageQuery.compile());
  const findSources = storage.prepareOne<[AssetKey], Finished>(sourcesQuery.compile());

  const get = async (find: PreparedOne<[AssetKey], Finished>, id: string): Promise<Result<Finished, GetFailure>> => {
    const key = parseAssetId(id);
    if (key === undefined) return fail({ kind: 'malformedId' });
    const found = await find(key);
    if (found !== undefined) return ok(found);
    const survivor = await resolveSurvivor(storage.db, key);
    if (survivor === undefined || survivor === key) return fail({ kind: 'unknownBuilding' });
    return fail({ kind: 'movedBuilding', survivor });
  };

  return {
    getPage: (id) => get(findPage, id),
    getSources: (id) => get(findSources, id),
  };
}
