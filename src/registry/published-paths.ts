import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isAmong, listParameter, type ReadStorage, type Reads } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { ok, type Result } from '../vocabulary/result.ts';
import { type LongReadLimits, longReads, openLongRead } from './long-reads.ts';

/** A page, and when its content was last recorded. */
export interface PublishedPath {
  path: string;
  recordedAt: string;
}

/** A fixed range of areas or buildings, whatever else is published. */
export interface PathRange {
  number: number;
  latestRecordedAt: string;
}

/** The paths of one range, with a tag that changes with them. */
export interface PathList {
  tag: string;
  paths: AsyncIterable<readonly PublishedPath[]>;
  /** Call when the paths are no longer needed, read or not. */
  release(): void;
  /** Aborted when the rest can no longer be read, because another request needed the connection. */
  evicted?: AbortSignal;
}

export interface PathQueries {
  /** The ranges that contain published pages. */
  list(most: number): Promise<PathRange[]>;
  /** Undefined if the range is empty. */
  read(most: number, number: number): Promise<Result<PathList | undefined, FailureOf<'busy'>>>;
}

/** Divides one kind of page into ranges of at most `most` pages. */
interface PathPartition<K> {
  parts(reads: Reads, most: number): Promise<PathRange[]>;
  /** The first key of a range, and the end. */
  bounds(reads: Reads, most: number, number: number): Promise<[from: K, to: K] | undefined>;
  paths(reads: Reads, from: K, to: K): AsyncIterable<readonly PublishedPath[]>;
}

export const PATH_LIMITS: LongReadLimits = { atOnce: 8, waiting: 32, waitMs: 1_000, stallMs: 10_000 };
/** Rows per read, so that the serving thread can answer other requests in between. */
const PATHS_PER_READ = 250;
const yieldToRequests = () => setImmediate();

export function pathQueries<K>(storage: ReadStorage, cut: PathPartition<K>, limits: LongReadLimits): PathQueries {
  const open = longReads(storage, limits);
  return {
    async list(most) {
      // No client reads while it is open, so it does not count against the limits.
      const { reads, release } = await openLongRead(storage);
      return cut.parts(reads, most).finally(release);
    },
    async read(most, number) {
      const opened = await open();
      if (!opened.ok) return opened;
      const { reads, release, progress, evicted } = opened.value;
      try {
        const bounds = await cut.bounds(reads, most, number);
        const tag = bounds && (await tagOfAll(cut.paths(reads, ...bounds)));
        if (bounds !== undefined && tag !== undefined) {
          return ok({ tag, paths: reportingProgress(cut.paths(reads, ...bounds), progress), release, evicted });
        }
        release();
        return ok(undefined);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

async function* reportingProgress<T>(parts: AsyncIterable<T>, progress: () => void): AsyncGenerator<T> {
  for await (const part of parts) {
    progress();
    yield part;
  }
}

/** Hashes all paths without storing them; undefined if there are none. */
async function tagOfAll(paths: AsyncIterable<readonly PublishedPath[]>): Promise<string | undefined> {
  const hash = createHash('sha256');
  let isEmpty = true;
  for await (const batch of paths) {
    hash.update(batch.map(({ path, recordedAt }) => `${path} ${recordedAt}\n`).join(''));
    isEmpty = false;
  }
  return isEmpty ? undefined : hash.digest('base64url').slice(0, 22);
}

/** Buildings in ranges of IDs: no count is needed, and each building stays in its range. */
export const buildingPaths: PathPartition<AssetKey> = {
  async parts(reads, most) {
    const parts: PathRange[] = [];
    for (let from = 0; ; ) {
      const [first] = await reads.all<{ id: AssetKey }>(
        'select id from building where id >= ? and area is not null order by id limit 1',
        [from],
      );
      if (first === undefined) return parts;
      const number = Math.floor(first.id / most);
      from = (number + 1) * most;
      const [newest] = await reads.all<{ latest: string }>(
        'select max(recorded_at) as latest from building where id >= ? and id < ? and area is not null',
        [first.id, from],
      );
      parts.push({ number, latestRecordedAt: newest?.latest as string });
      await yieldToRequests();
    }
  },

  async bounds(_reads, most, number) {
    return [number * most, (number + 1) * most];
  },

  async *paths(reads, from, to) {
    const areas = new Map<string, string>();
    for (let next = from; ; ) {
      const rows = await reads.all<BuildingRow>(
        `select id, area, recorded_at as "recordedAt" from building
          where id >= ? and id < ? and area is not null order by id limit ${PATHS_PER_READ}`,
        [next, to],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      await loadAreaPaths(
        reads,
        areas,
        rows.map(({ area }) => area),
      );
      yield rows.map(({ id, area, recordedAt }): PublishedPath => {
        return { path: `${areas.get(area)}/${formatAssetId(id)}`, recordedAt };
      });
      await yieldToRequests();
      next = last.id + 1;
    }
  },
};

interface BuildingRow {
  id: AssetKey;
  area: string;
  recordedAt: string;
}

interface AreaRow {
  code: string;
  prefecture: string;
  ward: string;
  slug: string;
}

/** Buildings with consecutive IDs are close together, so few areas have to be read. */
async function loadAreaPaths(reads: Reads, known: Map<string, string>, codes: readonly string[]): Promise<void> {
  const unknown = [...new Set(codes)].filter((code) => !known.has(code));
  if (unknown.length === 0) return;
  const rows = await reads.all<AreaRow>(
    `select a.code, p.slug as prefecture, w.slug as ward, a.slug from area a
      join area w on w.code = a.parent join area p on p.code = w.parent where ${isAmong(reads, 'a.code')}`,
    [listParameter(reads, unknown)],
  );
  for (const { code, prefecture, ward, slug } of rows) known.set(code, `/japan/${prefecture}/${ward}/${slug}`);
}

/** In every database, letters sort after the digits of a code. */
const END = 'z';

/**
 * Area pages in ranges of the codes of all areas, published or not: the codes are in an index, and a range changes only
 * when areas are added.
 */
export const hubPaths: PathPartition<string> = {
  async parts(reads, most) {
    const parts: PathRange[] = [];
    let from = await codeAfter(reads, '', 0);
    for (let number = 0; from !== undefined; number++) {
      const to: string | undefined = await codeAfter(reads, from, most);
      const [newest] = await reads.all<{ latest: string | null }>(
        'select max(latest_recorded_at) as latest from area_summary where area >= ? and area < ?',
        [from, to ?? END],
      );
      if (newest?.latest != null) parts.push({ number, latestRecordedAt: newest.latest });
      await yieldToRequests();
      from = to;
    }
    return parts;
  },

  async bounds(reads, most, number) {
    const from = await codeAfter(reads, '', number * most);
    return from === undefined ? undefined : [from, (await codeAfter(reads, from, most)) ?? END];
  },

  async *paths(reads, from, to) {
    for (let next = from; ; ) {
      const rows = await reads.all<HubRow>(
        `select s.area, s.latest_recorded_at as "recordedAt", a.slug, b.slug as "parentSlug", c.slug as "grandparentSlug"
          from area_summary s join area a on a.code = s.area
          left join area b on b.code = a.parent left join area c on c.code = b.parent
          where s.area >= ? and s.area < ? order by s.area limit ${PATHS_PER_READ}`,
        [next, to],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ recordedAt, slug, parentSlug, grandparentSlug }): PublishedPath => {
        const slugs = [grandparentSlug, parentSlug, slug].filter((part) => part !== null);
        return { path: `/japan/${slugs.join('/')}`, recordedAt };
      });
      await yieldToRequests();
      // No code sorts in between.
      next = `${last.area}0`;
    }
  },
};

interface HubRow {
  area: string;
  recordedAt: string;
  slug: string;
  parentSlug: string | null;
  grandparentSlug: string | null;
}

/** The code `count` places after a code. */
async function codeAfter(reads: Reads, code: string, count: number): Promise<string | undefined> {
  const [row] = await reads.all<{ code: string }>(
    'select code from area where code >= ? order by code limit 1 offset ?',
    [code, count],
  );
  return row?.code;
}
