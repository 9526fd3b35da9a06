import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isAmong, listParameter, type Reads, type Storage } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { ok, type Result } from '../vocabulary/result.ts';
import { type LongReadLimits, longReads, openLongRead } from './long-reads.ts';

/** A page, and when what it shows was last recorded. */
export interface PublishedPath {
  path: string;
  recordedAt: string;
}

/** Some of the hubs or of the buildings: always the same ones, whatever else is published. */
export interface PathRange {
  number: number;
  latestRecordedAt: string;
}

/** The paths of one part, and a tag that changes with them. */
export interface PathList {
  tag: string;
  paths: AsyncIterable<readonly PublishedPath[]>;
  /** To be called when the paths are no longer needed, read or not. */
  release(): void;
  /** Aborted when the rest cannot be read any more, because others needed its place. */
  evicted?: AbortSignal;
}

export interface PathQueries {
  /** Those parts of all hubs, or of all buildings, that have any. */
  list(most: number): Promise<PathRange[]>;
  /** Undefined where a part has none. */
  read(most: number, number: number): Promise<Result<PathList | undefined, FailureOf<'busy'>>>;
}

/** How parts of at most `most` are cut out of one kind of page. */
interface PathPartition<K> {
  parts(reads: Reads, most: number): Promise<PathRange[]>;
  /** From the first key of a part to the end of it. */
  bounds(reads: Reads, most: number, number: number): Promise<[from: K, to: K] | undefined>;
  paths(reads: Reads, from: K, to: K): AsyncIterable<readonly PublishedPath[]>;
}

export const PATH_LIMITS: LongReadLimits = { atOnce: 8, waiting: 32, waitMs: 1_000, stallMs: 10_000 };
/** How many are read at once: the serving thread has others to answer in between. */
const PATHS_PER_READ = 250;
const yieldToRequests = () => setImmediate();

export function pathQueries<K>(storage: Storage, cut: PathPartition<K>, limits: LongReadLimits): PathQueries {
  const open = longReads(storage, limits);
  return {
    async list(most) {
      // No client reads it while it is open, so that it needs no place.
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
          return ok({ tag, paths: noting(cut.paths(reads, ...bounds), progress), release, evicted });
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

async function* noting<T>(parts: AsyncIterable<T>, progress: () => void): AsyncGenerator<T> {
  for await (const part of parts) {
    progress();
    yield part;
  }
}

/** Reads everything once and keeps nothing of it; undefined where there is nothing. */
async function tagOfAll(paths: AsyncIterable<readonly PublishedPath[]>): Promise<string | undefined> {
  const hash = createHash('sha256');
  let isEmpty = true;
  for await (const batch of paths) {
    hash.update(batch.map(({ path, recordedAt }) => `${path} ${recordedAt}\n`).join(''));
    isEmpty = false;
  }
  return isEmpty ? undefined : hash.digest('base64url').slice(0, 22);
}

/** Buildings by stretches of their IDs: nobody counts them, and each stays in its part for ever. */
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
      await learnAreas(
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

/** Buildings with IDs that follow each other stand close together, so that there are few areas to ask for. */
async function learnAreas(reads: Reads, known: Map<string, string>, codes: readonly string[]): Promise<void> {
  const unknown = [...new Set(codes)].filter((code) => !known.has(code));
  if (unknown.length === 0) return;
  const rows = await reads.all<AreaRow>(
    `select a.code, p.slug as prefecture, w.slug as ward, a.slug from area a
      join area w on w.code = a.parent join area p on p.code = w.parent where ${isAmong(reads, 'a.code')}`,
    [listParameter(reads, unknown)],
  );
  for (const { code, prefecture, ward, slug } of rows) known.set(code, `/japan/${prefecture}/${ward}/${slug}`);
}

/** Letters come after the digits of a code in the order of every database. */
const END = 'z';

/**
 * Hubs by stretches of the codes of all areas that are known, published or not: their codes alone are in an index, and
 * a part changes its bounds only when areas come.
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
        `select s.area, s.latest_recorded_at as "recordedAt", a.slug, b.slug as "around", c.slug as "furtherOut"
          from area_summary s join area a on a.code = s.area
          left join area b on b.code = a.parent left join area c on c.code = b.parent
          where s.area >= ? and s.area < ? order by s.area limit ${PATHS_PER_READ}`,
        [next, to],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ recordedAt, slug, around, furtherOut }): PublishedPath => {
        const slugs = [furtherOut, around, slug].filter((part) => part !== null);
        return { path: `/japan/${slugs.join('/')}`, recordedAt };
      });
      await yieldToRequests();
      // No code of digits comes between.
      next = `${last.area}0`;
    }
  },
};

interface HubRow {
  area: string;
  recordedAt: string;
  slug: string;
  around: string | null;
  furtherOut: string | null;
}

/** The code that comes so many after a code or what would be one. */
async function codeAfter(reads: Reads, code: string, count: number): Promise<string | undefined> {
  const [row] = await reads.all<{ code: string }>(
    'select code from area where code >= ? order by code limit 1 offset ?',
    [code, count],
  );
  return row?.code;
}
