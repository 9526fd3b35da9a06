import type { PreparedOne, Storage } from '../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import { resolveSurvivor } from './identity.ts';
import { NOTHING_NEARBY } from './pages.ts';

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
  const pageQuery = storage.db
    .selectFrom('page as p')
    .leftJoin('nearby as n', 'n.building', 'p.building')
    .select(['p.etag', 'p.body', 'n.etag as tailEtag', 'n.body as tail'])
    .where('p.building', '=', 0);
  const sourcesQuery = storage.db.selectFrom('page').select(['etag', 'sources']).where('building', '=', 0);
  const findPage = storage.prepareOne<[AssetKey], PageRow>(pageQuery.compile());
  const findSources = storage.prepareOne<[AssetKey], SourcesRow>(sourcesQuery.compile());

  const get = async <R>(
    id: string,
    find: PreparedOne<[AssetKey], R>,
    finish: (row: R) => Finished,
  ): Promise<Result<Finished, GetFailure>> => {
    const key = parseAssetId(id);
    if (key === undefined) return fail({ kind: 'malformedId' });
    const found = await find(key);
    if (found !== undefined) return ok(finish(found));
    const survivor = await resolveSurvivor(storage.db, key);
    if (survivor === undefined || survivor === key) return fail({ kind: 'unknownBuilding' });
    return fail({ kind: 'movedBuilding', survivor });
  };

  return {
    getPage: (id) => get(id, findPage, finishPage),
    getSources: (id) => get(id, findSources, ({ etag, sources }) => ({ etag: `"${etag}"`, body: sources })),
  };
}

interface PageRow {
  etag: string;
  body: Uint8Array;
  tailEtag: string | null;
  tail: Uint8Array | null;
}

interface SourcesRow {
  etag: string;
  sources: Uint8Array;
}

/** The two parts of a record, and a tag that changes with either. */
function finishPage({ etag, body, tailEtag, tail }: PageRow): Finished {
  const end = tail ?? NOTHING_NEARBY.body;
  return { etag: `"${etag}${tailEtag ?? NOTHING_NEARBY.etag}"`, body: Buffer.concat([body, end]) };
}
