import { batches, isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import {
  type Bitmap,
  countDocs,
  countShared,
  descending,
  EMPTY_BITMAP,
  intersect,
  toBits,
  unite,
} from '../format/bitmaps.ts';
import {
  areaFilter,
  attributeFilter,
  hasAttribute,
  PUBLISHED_FILTER,
  readTexts,
  type SearchEntry,
  useFilter,
  wordFilter,
  wordKeysOf,
} from '../format/entry.ts';
import { matchesTerms, plannedGrams, planTerms, type QueryPlan } from '../format/grams.ts';
import { indexedEnd, loadSegments, type Segment, type SortedMeasure } from '../format/segments.ts';
import { FEW, findCandidates } from './find-candidates.ts';
import {
  type IndexedMatches,
  type IndexReads,
  readIndex,
  type SegmentCache,
  type SegmentOrder,
  type SegmentOrders,
} from './index-reads.ts';
import type { ListEntryQuery, ValueRange } from './list-query.ts';
import { applyFilters } from './search.ts';
import { SiteFilter } from './site-filter.ts';
import type { Matches, SegmentMatches } from './take-in-order.ts';

/** Everything that matches a query, in no order. */
export interface Matched {
  total: number;
  /** Matches per category, ignoring the requested categories. */
  byUse: number[];
  matches: Matches;
}

/** Finds everything that matches a query. `byUse` is zero if it is not wanted. */
export async function matchEntries(
  reads: Reads,
  question: ListEntryQuery,
  cache: SegmentCache,
  countsUses: boolean,
): Promise<Matched> {
  const byUse = CATEGORIES.map(() => 0);
  if (question.terms.some((term) => term.includes('\0'))) return { total: 0, byUse, matches: { fresh: [], parts: [] } };
  const segments = await loadSegments(reads);
  cache.keepOnly(segments);
  const wanted = question.uses.reduce((bits, use) => bits | (1 << use), 0);
  const wantsAny = question.uses.length + question.words.length === 0;
  const isWanted = (entry: SearchEntry) =>
    wantsAny || (entry.uses & wanted) !== 0 || wordKeysOf(entry).some((word) => question.words.includes(word));
  const positions = await positionsOf(reads, question);
  const located = SiteFilter.of(question);
  const fresh: SearchEntry[] = [];
  for (const entry of await readTail(reads, indexedEnd(segments), question)) {
    if (positions?.has(entry.pos) === false || located?.matches(entry.site) === false) continue;
    for (const [use] of CATEGORIES.entries()) if (entry.uses & (1 << use)) (byUse[use] as number) += 1;
    if (isWanted(entry)) fresh.push(entry);
  }
  // A list and its map ask for the same matches one after the other.
  const { sort: _sort, ...asked } = question;
  const key = positions === undefined ? JSON.stringify([asked, segments]) : undefined;
  const indexed =
    cache.recentMatches(key, countsUses) ??
    (await matchSegments(reads, question, cache, { segments, positions, located, countsUses }));
  cache.keepMatches(key, indexed);
  return {
    total: fresh.length + indexed.total,
    byUse: byUse.map((count, use) => count + (indexed.byUse[use] as number)),
    matches: { fresh, parts: indexed.parts },
  };
}

/** Where to look for matches, besides the query. */
interface SegmentsAsked {
  segments: readonly Segment[];
  positions: ReadonlySet<number> | undefined;
  located: SiteFilter | undefined;
  countsUses: boolean;
}

async function matchSegments(
  reads: Reads,
  question: ListEntryQuery,
  cache: SegmentCache,
  { segments, positions, located, countsUses }: SegmentsAsked,
): Promise<IndexedMatches> {
  const wantsAny = question.uses.length + question.words.length === 0;
  const byUse = CATEGORIES.map(() => 0);
  let total = 0;
  const index = readIndex(reads, cache);
  const plan = planTerms(question.terms);
  const ranged = await readRanges(reads, cache, segments, question.ranges);
  const filters = [[PUBLISHED_FILTER], ...question.has.map((what) => [attributeFilter(what)])];
  if (question.areas !== undefined) filters.push(question.areas.codes.map(areaFilter));
  const uses = CATEGORIES.map((_, use) => useFilter(use));
  const words = question.words.map(wordFilter);
  const read = uses.filter((_, use) => countsUses || question.uses.includes(use));
  await index.prefetch(segments, [...filters.flat(), ...read, ...words], plannedGrams(plan));
  const parts: SegmentMatches[] = [];
  for (const segment of segments.toReversed()) {
    const sites = await located?.candidates(reads, cache, segment);
    const there = sites && unite(sites.sure, sites.maybe, segment.size);
    if (there !== undefined && countDocs(there) === 0) continue;
    let known: Bitmap | undefined;
    const allowed = () => {
      if (known === undefined) {
        const published = applyFilters(index, segment, filters);
        const placed = there === undefined ? published : intersect(there, published);
        known = docsAtPositions(segment, positions, docsInRanges(cache, segment, ranged, placed));
      }
      return known;
    };
    // An area has few entries in most segments, and they are found faster than words.
    const isSparse = plan.terms.length > 0 && question.areas !== undefined && countDocs(allowed()) <= FEW;
    const matching =
      plan.terms.length === 0
        ? allowed()
        : isSparse
          ? await withTerms(reads, segment, plan, allowed())
          : await matchingDocs(reads, index, segment, plan, allowed);
    const docs =
      located === undefined || sites === undefined
        ? matching
        : await located.verify(reads, segment, matching, sites.maybe);
    let any: Bitmap = EMPTY_BITMAP;
    for (const [use, name] of uses.entries()) {
      if (!countsUses && !question.uses.includes(use)) continue;
      const used = index.filter(segment, name);
      if (used === undefined) continue;
      if (countsUses) (byUse[use] as number) += countShared(docs, used);
      if (question.uses.includes(use)) any = unite(any, intersect(docs, used), segment.size);
    }
    for (const name of words)
      any = unite(any, intersect(docs, index.filter(segment, name) ?? EMPTY_BITMAP), segment.size);
    const found = wantsAny ? docs : any;
    if (countDocs(found) > 0) parts.push({ segment, docs: found });
    total += countDocs(found);
  }
  return { total, byUse, parts, countsUses };
}

/** Unindexed entries that match everything but the requested uses, latest first. */
async function readTail(reads: Reads, end: number, question: ListEntryQuery): Promise<SearchEntry[]> {
  const rows = await reads.all<SearchEntry>('select * from search_entry where pos >= ? order by pos desc', [end]);
  const { terms, areas, ranges } = question;
  return rows.filter((row) => {
    if (row.area === null || (areas !== undefined && !areas.codes.includes(row[areas.level] as string))) return false;
    if (!question.has.every((what) => hasAttribute(row, what))) return false;
    for (const [measure, { min, max }] of Object.entries(ranges)) {
      const value = row[measure as SortedMeasure];
      if (value === null || (min !== undefined && value < min) || (max !== undefined && value > max)) return false;
    }
    return terms.length === 0 || matchesTerms(terms, row.building, row.text);
  });
}

function docsAtPositions({ first, size }: Segment, positions: ReadonlySet<number> | undefined, docs: Bitmap): Bitmap {
  if (positions === undefined) return docs;
  const offsets = [...positions].map((pos) => pos - first).filter((offset) => offset >= 0 && offset < size);
  return intersect(docs, Uint16Array.from(offsets.sort((a, b) => a - b)));
}

type Ranged = { measure: string; orders: SegmentOrders; range: ValueRange }[];

async function readRanges(
  reads: Reads,
  cache: SegmentCache,
  segments: readonly Segment[],
  ranges: ListEntryQuery['ranges'],
): Promise<Ranged> {
  const ranged: Ranged = [];
  for (const [measure, range] of Object.entries(ranges)) {
    ranged.push({ measure, orders: await cache.orders(reads, segments, measure), range });
  }
  return ranged;
}

function docsInRanges(cache: SegmentCache, segment: Segment, ranged: Ranged, allowed: Bitmap): Bitmap {
  let docs = allowed;
  for (const { measure, orders, range } of ranged) {
    if (countDocs(docs) === 0) return docs;
    const order = orders.get(segment.id) as SegmentOrder;
    const within = cache.inRange(segment, `${measure} ${range.min} ${range.max}`, () =>
      docsInRange(order, range, segment.size),
    );
    docs = intersect(docs, within);
  }
  return docs;
}

/** Keys are in descending order. */
function docsInRange({ docs, keys }: SegmentOrder, { min, max }: ValueRange, size: number): Bitmap {
  const from = max === undefined ? 0 : firstWhere(keys, (key) => key <= max);
  const to = min === undefined ? keys.length : firstWhere(keys, (key) => key < min);
  return toBits(docs.subarray(from, Math.max(from, to)), size);
}

/** Binary search for the first key that fulfils a monotonic condition. */
function firstWhere(keys: Float64Array, holds: (key: number) => boolean): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(keys[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function matchingDocs(
  reads: Reads,
  index: IndexReads,
  segment: Segment,
  plan: QueryPlan,
  allowed: () => Bitmap,
): Promise<Bitmap> {
  const { sure, maybe } = findCandidates(index, segment, plan, allowed);
  return unite(sure, await withTerms(reads, segment, plan, maybe), segment.size);
}

/** The entries that contain the terms, by their texts. */
async function withTerms(reads: Reads, segment: Segment, { terms }: QueryPlan, docs: Bitmap): Promise<Bitmap> {
  const verified: number[] = [];
  for (const batch of batches([...descending(docs)])) {
    const rows = await readTexts(
      reads,
      batch.map((doc) => segment.first + doc),
    );
    for (const row of rows) {
      if (matchesTerms(terms, row.building, row.text)) verified.push(row.pos - segment.first);
    }
  }
  return Uint16Array.from(verified.sort((a, b) => a - b));
}

/** The positions of the requested owner, postcode or buildings; undefined if the query has none of them. */
async function positionsOf(
  reads: Reads,
  { owner, postcode, among }: ListEntryQuery,
): Promise<ReadonlySet<number> | undefined> {
  if (owner === undefined && postcode === undefined && among === undefined) return undefined;
  const conditions = ['area is not null'];
  const parameters: unknown[] = [];
  if (owner !== undefined) {
    conditions.push('owner = ?');
    parameters.push(owner);
  }
  if (postcode !== undefined) {
    conditions.push('postcode = ?');
    parameters.push(postcode);
  }
  if (among !== undefined) {
    conditions.push(isAmong(reads, 'building'));
    parameters.push(listParameter(reads, among));
  }
  const rows = await reads.all<{ pos: number }>(
    `select pos from search_entry where ${conditions.join(' and ')}`,
    parameters,
  );
  return new Set(rows.map(({ pos }) => pos));
}
