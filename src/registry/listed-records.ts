import { setImmediate } from 'node:timers/promises';
import { batches, listAsRows, listParameter, type ReadStorage, type Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { ok, type Result } from '../vocabulary/result.ts';
import type { OpenLongRead } from './long-reads.ts';
import { SMALL_PORTFOLIO } from './portfolios.ts';
import { pageTag, readRecords, tagOf } from './records.ts';
import type { FeatureQuery, FoundFeatures } from './search/read/features.ts';
import type { ListQuery } from './search/read/list-query.ts';

/** The records of a list, read while they are sent. */
interface ListedRecords {
  /** Changes with every record, their order and the total. */
  tag: string;
  /** All matches, of which `count` are listed. */
  total: number;
  count: number;
  /** Complete records, in batches. */
  records: AsyncIterable<readonly Uint8Array[]>;
  /** Call when the records are no longer needed, read or not. */
  release(): void;
  /** Aborted when the rest can no longer be read, because another request needed the connection. */
  evicted?: AbortSignal;
}

export type ListRecords = (query: ListQuery, most: number) => Promise<Result<ListedRecords, FailureOf<'busy'>>>;

const RECORDS_AT_ONCE = 20;
const TAGS_AT_ONCE = 500;

/** Reads the records of buildings that were found, of all that match. */
type ReadFound = (found: FoundBuildings) => Promise<Result<ListedRecords, FailureOf<'busy'>>>;

/** UI-61: the first `most` buildings of a list. The search threads find them; this thread reads their records. */
export function listRecords(
  read: ReadFound,
  find: (query: ListQuery, most: number) => Promise<FoundBuildings>,
): ListRecords {
  return async (query, most) => read(await find(query, most));
}

interface FoundBuildings {
  total: number;
  buildings: readonly AssetKey[];
}

/** A building that disappeared after it was found is left out. */
export function foundRecords(storage: ReadStorage, open: OpenLongRead): ReadFound {
  return async ({ total, buildings }) => {
    if (buildings.length <= SMALL_PORTFOLIO) {
      return ok(
        await storage.snapshot(async (reads) => {
          const { tag, present } = await tagAll(reads, buildings, total);
          const records = (await readRecords(reads, present)).map(({ body }) => body);
          return { tag, total, count: present.length, records: eachOf([records]), release() {} };
        }),
      );
    }
    const opened = await open();
    if (!opened.ok) return opened;
    const { reads, release, progress, evicted } = opened.value;
    try {
      const { tag, present } = await tagAll(reads, buildings, total);
      return ok({ tag, total, count: present.length, records: readAll(reads, present, progress), release, evicted });
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** OGC-05: a page of all buildings, and where the next one begins. */
export type ReadFeatures = (
  query: FeatureQuery,
) => Promise<Result<ListedRecords & Pick<FoundFeatures, 'next'>, FailureOf<'busy'>>>;

export function readFeatures(read: ReadFound, find: (query: FeatureQuery) => Promise<FoundFeatures>): ReadFeatures {
  return async (query) => {
    const found = await find(query);
    const records = await read(found);
    return records.ok ? ok({ ...records.value, next: found.next }) : records;
  };
}

async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function* readAll(
  reads: Reads,
  buildings: readonly AssetKey[],
  progress: () => void,
): AsyncGenerator<readonly Uint8Array[]> {
  for (const batch of batches(buildings, RECORDS_AT_ONCE)) {
    const records = await readRecords(reads, batch);
    progress();
    yield records.map(({ body }) => body);
    // Other requests are answered in between.
    await setImmediate();
  }
}

/** The buildings that are still published, in the same order, and the tag of their records. */
async function tagAll(reads: Reads, buildings: readonly AssetKey[], total: number) {
  const tags = new Map<AssetKey, string>();
  for (const batch of batches(buildings, TAGS_AT_ONCE)) {
    const rows = await reads.all<{ building: AssetKey; etag: string; tailEtag: string | null }>(
      `select p.building, p.etag, n.etag as "tailEtag" from ${listAsRows(reads, 'k')}
        join page p on p.building = k.value left join nearby n on n.building = k.value`,
      [listParameter(reads, batch)],
    );
    for (const { building, etag, tailEtag } of rows) tags.set(building, pageTag(etag, tailEtag));
    if (batch.length === TAGS_AT_ONCE) await setImmediate();
  }
  const present = buildings.filter((building) => tags.has(building));
  const parts = present.map((building) => `${building} ${tags.get(building)}`);
  return { present, tag: tagOf(Buffer.from(JSON.stringify([total, parts]))) };
}
