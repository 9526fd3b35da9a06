import { batches, isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import type { Measures } from '../../../vocabulary/geometry.ts';
import { instantSortKey } from '../../../vocabulary/time.ts';
import {
  type Bitmap,
  countDocs,
  descending,
  EMPTY_BITMAP,
  exclude,
  intersect,
  toBits,
  unite,
} from '../format/bitmaps.ts';
import { PUBLISHED_FILTER, type SearchEntry } from '../format/entry.ts';
import { docsInWindow, joinBoxes } from '../format/segment-sites.ts';
import { indexedEnd, loadSegments, type Segment } from '../format/segments.ts';
import { boxOfSite, decodeSite, siteMeets, toDegrees, toExactBox, type UnitBox } from '../format/site.ts';
import { type IndexedMatches, readIndex, type SegmentCache } from './index-reads.ts';
import { type SegmentMatches, takeAfter } from './take-in-order.ts';

/** OGC-05, OGC-06, OGC-07, OGC-08: a page of all buildings, in the order of their IDs. */
export interface FeatureQuery {
  /** Only buildings after this one. */
  after: AssetKey;
  limit: number;
  /** The footprint meets one of these boxes; a building without a point is in every box. Undefined for all. */
  boxes: readonly Measures['bbox'][] | undefined;
  /** When the current version was recorded, both ends inclusive. */
  recorded: { from?: string | undefined; to?: string | undefined };
}

export interface FoundFeatures {
  /** All matches, whatever `after` and `limit` are. */
  total: number;
  buildings: AssetKey[];
  /** Where the next page begins; undefined if there is none. */
  next: AssetKey | undefined;
}

export async function findFeatures(reads: Reads, query: FeatureQuery, cache: SegmentCache): Promise<FoundFeatures> {
  const segments = await loadSegments(reads);
  cache.keepOnly(segments);
  const question: FeatureQuestion = {
    boxes: query.boxes?.map(toExactBox),
    positions: await positionsRecorded(reads, query.recorded),
  };
  const fresh = await freshFeatures(reads, indexedEnd(segments), question);
  // A client pages through the same matches.
  const key = JSON.stringify(['features', question, segments]);
  const indexed = cache.recentMatches(key, false) ?? (await matchFeatures(reads, segments, question, cache));
  cache.keepMatches(key, indexed);
  const found = await takeAfter(reads, cache, { fresh, parts: indexed.parts }, query.after, query.limit + 1);
  const buildings = found.slice(0, query.limit);
  return {
    total: fresh.length + indexed.total,
    buildings,
    next: found.length > query.limit ? buildings.at(-1) : undefined,
  };
}

interface FeatureQuestion {
  boxes: readonly UnitBox[] | undefined;
  /** Of the search entries, from the first to the one before the last. */
  positions: readonly [number, number];
}

const meetsAny = (boxes: readonly UnitBox[], site: Uint8Array | null) =>
  site === null || boxes.some((box) => siteMeets(decodeSite(site), box));

async function freshFeatures(
  reads: Reads,
  end: number,
  { boxes, positions: [from, to] }: FeatureQuestion,
): Promise<Pick<SearchEntry, 'building'>[]> {
  const rows = await reads.all<Pick<SearchEntry, 'building' | 'site'>>(
    'select building, site from search_entry where pos >= ? and pos < ? and area is not null',
    [Math.max(end, from), to],
  );
  return boxes === undefined ? rows : rows.filter(({ site }) => meetsAny(boxes, site));
}

async function matchFeatures(
  reads: Reads,
  segments: readonly Segment[],
  question: FeatureQuestion,
  cache: SegmentCache,
): Promise<IndexedMatches> {
  const [from, to] = question.positions;
  const asked = segments.filter(({ first, size }) => first < to && first + size > from);
  const index = readIndex(reads, cache);
  await index.prefetch(asked, [PUBLISHED_FILTER], []);
  const parts: SegmentMatches[] = [];
  let total = 0;
  for (const segment of asked) {
    const published = index.filter(segment, PUBLISHED_FILTER) ?? EMPTY_BITMAP;
    const recorded = inPositions(segment, question.positions, published);
    const docs =
      question.boxes === undefined ? recorded : await inBoxes(reads, cache, segment, question.boxes, recorded);
    const count = countDocs(docs);
    if (count > 0) parts.push({ segment, docs });
    total += count;
  }
  return { total, byUse: [], parts, countsUses: false };
}

function inPositions({ first, size }: Segment, [from, to]: readonly [number, number], docs: Bitmap): Bitmap {
  if (from <= first && first + size <= to) return docs;
  const [start, end] = [Math.max(0, from - first), Math.min(size, to - first)];
  const range = Uint16Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
  return intersect(docs, toBits(range, size));
}

async function inBoxes(
  reads: Reads,
  cache: SegmentCache,
  segment: Segment,
  boxes: readonly UnitBox[],
  docs: Bitmap,
): Promise<Bitmap> {
  const sites = await cache.sites(reads, segment);
  let [sure, maybe] = [sites.nowhere, EMPTY_BITMAP];
  for (const box of boxes) {
    const found = docsInWindow(sites, box);
    sure = unite(sure, found.sure, segment.size);
    maybe = unite(maybe, found.maybe, segment.size);
  }
  const doubtful = exclude(intersect(docs, maybe), sure);
  const certain = intersect(docs, sure);
  if (countDocs(doubtful) === 0) return certain;
  const verified: number[] = [];
  for (const batch of batches([...descending(doubtful)], SITES_AT_ONCE)) {
    const rows = await reads.all<Pick<SearchEntry, 'pos' | 'site'>>(
      `select pos, site from search_entry where ${isAmong(reads, 'pos')}`,
      [
        listParameter(
          reads,
          batch.map((doc) => segment.first + doc),
        ),
      ],
    );
    for (const { pos, site } of rows) if (meetsAny(boxes, site)) verified.push(pos - segment.first);
  }
  return unite(certain, Uint16Array.from(verified).sort(), segment.size);
}

const SITES_AT_ONCE = 2_000;

/**
 * The positions of the entries recorded in an interval. A new version is appended with a time that is not before those
 * before it (SEA-08), so the times are in the order of the positions.
 */
async function positionsRecorded(reads: Reads, { from, to }: FeatureQuery['recorded']): Promise<[number, number]> {
  if (from === undefined && to === undefined) return ALL_POSITIONS;
  const [last] = await reads.all<{ pos: number | null }>('select max(pos) as pos from search_entry', []);
  const end = (last?.pos ?? 0) + 1;
  const [first, limit] = ALL_POSITIONS;
  return [
    from === undefined ? first : await firstPosition(reads, end, (key) => key >= instantSortKey(from)),
    to === undefined ? limit : await firstPosition(reads, end, (key) => key > instantSortKey(to)),
  ];
}

const ALL_POSITIONS: [number, number] = [1, Number.MAX_SAFE_INTEGER];

/** The first position below `end` whose time fulfils a condition that all later ones fulfil too; else `end`. */
async function firstPosition(reads: Reads, end: number, holds: (key: string) => boolean): Promise<number> {
  let [low, high] = [1, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [entry] = await reads.all<{ pos: number; recordedAt: string }>(
      `select e.pos, b.recorded_at as "recordedAt" from search_entry e join building b on b.id = e.building
        where e.pos >= ? order by e.pos limit 1`,
      [middle],
    );
    if (entry === undefined || holds(instantSortKey(entry.recordedAt))) high = middle;
    else low = entry.pos + 1;
  }
  return low;
}

/** OGC-03: the box around all buildings, and the first and the last time that a current version was recorded. */
export interface FeatureExtent {
  bbox: Measures['bbox'] | undefined;
  interval: [string, string] | undefined;
}

export async function findExtent(reads: Reads, cache: SegmentCache): Promise<FeatureExtent> {
  const segments = await loadSegments(reads);
  cache.keepOnly(segments);
  let box: UnitBox | undefined;
  for (const segment of segments) {
    const own = await cache.box(reads, segment);
    if (own !== undefined) box = joinBoxes(box, own);
  }
  const fresh = await reads.all<{ site: Uint8Array }>(
    'select site from search_entry where pos >= ? and site is not null and area is not null',
    [indexedEnd(segments)],
  );
  for (const { site } of fresh) box = joinBoxes(box, boxOfSite(decodeSite(site)));
  const ends = await Promise.all(['asc', 'desc'].map((order) => recordedAtEnd(reads, order)));
  const [first, last] = ends;
  return {
    bbox: box?.map(toDegrees) as Measures['bbox'] | undefined,
    interval: first === undefined || last === undefined ? undefined : [first, last],
  };
}

async function recordedAtEnd(reads: Reads, order: string): Promise<string | undefined> {
  const [row] = await reads.all<{ recordedAt: string }>(
    `select b.recorded_at as "recordedAt" from search_entry e join building b on b.id = e.building
      order by e.pos ${order} limit 1`,
    [],
  );
  return row?.recordedAt;
}
