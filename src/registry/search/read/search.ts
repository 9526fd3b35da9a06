import { isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import { LAST_PAGE, PAGE_SIZE, type SearchQuery, TOTAL_CAP } from '../../../vocabulary/api-shapes.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import { CATEGORIES, readAskedUse } from '../../../vocabulary/categories.ts';
import { encodeText } from '../../../vocabulary/encode-text.ts';
import type { View } from '../../../vocabulary/search-arguments.ts';
import { type FinishedResponse, readRecords, readRecordsAt, tagOf } from '../../records.ts';
import { readSummaryEntries } from '../../summaries.ts';
import { type Bitmap, countDocs, descending, EMPTY_BITMAP, hasDoc, intersect, unite } from '../format/bitmaps.ts';
import {
  areaFilter,
  type EntryKeys,
  PUBLISHED_FILTER,
  readTexts,
  type SearchEntry,
  useFilter,
  wordFilter,
  wordKey,
  wordKeysOf,
} from '../format/entry.ts';
import { writeSummary } from '../format/entry-summary.ts';
import { matchesTerms, plannedGrams, planTerms, type QueryPlan, readTerms } from '../format/grams.ts';
import { loadSegments, type Segment } from '../format/segments.ts';
import { DistanceFrom } from '../format/site.ts';
import { areasBySlug } from './area-finder.ts';
import { findCandidates } from './find-candidates.ts';
import { Hits } from './hits.ts';
import { type IndexReads, readIndex } from './index-reads.ts';
import { metresTo, type Near } from './site-filter.ts';

/**
 * One page of matching buildings, as a response.
 * SEA-01, SEA-02, SEA-03, SEA-04, SEA-05, SEA-06, SEA-07, SEA-08, SEA-09, SEA-10, SEA-11.
 */
export async function searchPage(
  reads: Reads,
  query: SearchQuery,
  view: View = 'full',
  find: FindPage = findRecorded,
): Promise<SearchAnswer> {
  // A bigint keeps all digits of any page number.
  const page = BigInt(query.page ?? 1);
  const counted = readTerms(query.q ?? '').length > 0;
  const found = await find(reads, query, windowOf(page, counted));
  const totalCapped = counted && found.total > TOTAL_CAP;
  const total = totalCapped ? TOTAL_CAP : found.total;
  const envelope = `],"page":${page},"total":${total},"totalCapped":${totalCapped}`;
  if (view === 'summary') {
    const entries = await readSummaryEntries(reads, found.entries);
    const from = found.near && new DistanceFrom(found.near);
    const items = entries.map((entry) => writeSummary(entry, from && metresTo(from, entry.site)));
    const body = encodeText(`{"items":[${items.join(',')}${envelope},"view":"summary"}`);
    return { etag: `"${tagOf(body)}"`, body, summarised: entries.map(({ building }) => building) };
  }
  const parts: Uint8Array[] = [Buffer.from('{"items":[')];
  for (const [i, { body }] of (await recordsOf(reads, found.entries)).entries()) {
    if (i > 0) parts.push(COMMA);
    parts.push(body);
  }
  const body = Buffer.concat([...parts, Buffer.from(`${envelope}}`)]);
  return { etag: `"${tagOf(body)}"`, body };
}

/** A page of a search. */
export interface SearchAnswer extends FinishedResponse {
  /** The buildings of a page of summaries, in order. */
  summarised?: readonly AssetKey[];
}

const COMMA = Buffer.from(',');
const NOTHING: FoundPage = { total: 0, entries: { buildings: [] } };

/** Finds a page of buildings, and counts all or until there are more than the cap. */
export type FindPage = (reads: Reads, query: SearchQuery, portion: ResultWindow) => Promise<FoundPage>;

const windowOf = (page: bigint, counted: boolean): ResultWindow => ({
  offset: page > LAST_PAGE ? 0 : (Number(page) - 1) * PAGE_SIZE,
  limit: page > LAST_PAGE ? 0 : PAGE_SIZE,
  cap: counted ? TOTAL_CAP : Number.MAX_SAFE_INTEGER,
});

const findRecorded: FindPage = async (reads, query, portion) => {
  const question = await toEntryQuery(reads, query);
  if (question === undefined) return NOTHING;
  const { total, positions } = await findPositions(reads, question, portion);
  return { total, entries: { positions } };
};

/** Undefined if a filter names something that does not exist, so nothing can match. */
async function toEntryQuery(reads: Reads, query: SearchQuery): Promise<EntryQuery | undefined> {
  const areas = await areasBySlug(reads, query);
  if (areas !== undefined && areas.codes.length === 0) return undefined;
  const question: EntryQuery = { terms: readTerms(query.q ?? ''), areas, use: undefined };
  if (!query.type) return question;
  const asked = readAskedUse(query.type);
  if ('category' in asked) return { ...question, use: CATEGORIES.indexOf(asked.category) };
  return { ...question, word: wordKey(asked.word) };
}

/** A search, with codes instead of slugs. */
export interface EntryQuery {
  terms: readonly string[];
  /** Codes of areas of one level, any of which matches; undefined for all of Japan. */
  areas: { level: 'prefecture' | 'ward' | 'area'; codes: readonly string[] } | undefined;
  /** The bit of a category. */
  use: number | undefined;
  /** The key of a recorded use without a category. */
  word?: string | undefined;
}

interface FoundEntries {
  /** The number of matches, or `cap` + 1. */
  total: number;
  /** The buildings from `offset` on, in result order. */
  buildings: AssetKey[];
}

interface FoundPage extends Pick<FoundEntries, 'total'> {
  /** Those from `offset` on, in result order. */
  entries: EntryKeys;
  /** Where the distances of summaries are measured from. */
  near?: Near | undefined;
}

interface ResultWindow {
  offset: number;
  limit: number;
  cap: number;
}

export async function findEntries(reads: Reads, question: EntryQuery, portion: ResultWindow): Promise<FoundEntries> {
  const { total, positions } = await findPositions(reads, question, portion);
  return { total, buildings: await buildingsAtPositions(reads, positions) };
}

/**
 * SEA-08: walks backwards, which is the order of results: first the unindexed entries, then segment by segment. Stops
 * when more than `cap` are found.
 */
async function findPositions(reads: Reads, question: EntryQuery, { offset, limit, cap }: ResultWindow): Promise<Hits> {
  const hits = new Hits(offset, limit, cap);
  // No value contains NUL, which pads short grams.
  if (question.terms.some((term) => term.includes('\0'))) return hits;
  const [segments, latest] = await Promise.all([loadSegments(reads), readTail(reads, Number.MAX_SAFE_INTEGER)]);
  await walkTail(reads, latest, question, hits);
  const index = readIndex(reads);
  const plan = planTerms(question.terms);
  const grams = plannedGrams(plan);
  const filters = filterNames(question);
  for (let left = segments.reverse(); left.length > 0 && !hits.isFull; ) {
    const portion = left.slice(0, index.batchSize(segments.length - left.length));
    left = left.slice(portion.length);
    await index.prefetch(portion, filters.flat(), grams);
    for (const segment of portion) {
      await walkSegment(reads, index, segment, filters, plan, hits);
      if (hits.isFull) break;
    }
  }
  return hits;
}

const TAIL_AT_ONCE = 1_000;

/** The latest entries that no segment has. */
function readTail(reads: Reads, below: number): SearchEntry[] | Promise<SearchEntry[]> {
  return reads.all<SearchEntry>(
    `select pos, building, prefecture, ward, area, uses, words, text from search_entry
      where pos >= (select coalesce(max(first + size), 1) from search_segment) and pos < ? order by pos desc limit ?`,
    [below, TAIL_AT_ONCE],
  );
}

async function walkTail(
  reads: Reads,
  latest: readonly SearchEntry[],
  { terms, areas, use, word }: EntryQuery,
  hits: Hits,
): Promise<void> {
  for (let rows = latest; !hits.isFull; rows = await readTail(reads, (rows.at(-1) as SearchEntry).pos)) {
    for (const row of rows) {
      if (row.area === null || (areas !== undefined && !areas.codes.includes(row[areas.level] as string))) continue;
      if (use !== undefined && (row.uses & (1 << use)) === 0) continue;
      if (word !== undefined && !wordKeysOf(row).includes(word)) continue;
      if (terms.length === 0 || matchesTerms(terms, row.building, row.text)) hits.add(row.pos);
    }
    if (rows.length < TAIL_AT_ONCE) return;
  }
}

/** An entry must be in one filter of each list. */
function filterNames({ areas, use, word }: EntryQuery): string[][] {
  const names = [[PUBLISHED_FILTER]];
  if (areas !== undefined) names.push(areas.codes.map(areaFilter));
  if (use !== undefined) names.push([useFilter(use)]);
  if (word !== undefined) names.push([wordFilter(word)]);
  return names;
}

async function walkSegment(
  reads: Reads,
  index: IndexReads,
  segment: Segment,
  filters: readonly (readonly string[])[],
  plan: QueryPlan,
  hits: Hits,
): Promise<void> {
  let known: Bitmap | undefined;
  const allowed = () => {
    known ??= applyFilters(index, segment, filters);
    return known;
  };
  if (plan.terms.length === 0) {
    hits.addAll(allowed(), segment.first);
    return;
  }
  const { sure, maybe } = findCandidates(index, segment, plan, allowed);
  if (countDocs(maybe) === 0) hits.addAll(sure, segment.first);
  else await addVerified(reads, segment, sure, maybe, plan.terms, hits);
}

export function applyFilters(index: IndexReads, segment: Segment, filters: readonly (readonly string[])[]): Bitmap {
  let allowed: Bitmap | undefined;
  for (const names of filters) {
    let any: Bitmap = EMPTY_BITMAP;
    for (const name of names) any = unite(any, index.filter(segment, name) ?? EMPTY_BITMAP, segment.size);
    allowed = allowed === undefined ? any : intersect(allowed, any);
  }
  return allowed ?? EMPTY_BITMAP;
}

const FIRST_LOOK = 128;
const MOST_AT_ONCE = 1_024;

async function addVerified(
  reads: Reads,
  segment: Segment,
  sure: Bitmap,
  maybe: Bitmap,
  terms: readonly string[],
  hits: Hits,
): Promise<void> {
  const order = descending(unite(sure, maybe, segment.size));
  for (let look = FIRST_LOOK; ; look = Math.min(look * 2, MOST_AT_ONCE)) {
    const some = take(order, look);
    if (some.length === 0) return;
    const doubtful = some.filter((doc) => !hasDoc(sure, doc)).map((doc) => segment.first + doc);
    const rows = await readTexts(reads, doubtful);
    const verified = new Set(rows.filter((row) => matchesTerms(terms, row.building, row.text)).map((row) => row.pos));
    for (const doc of some) {
      const pos = segment.first + doc;
      if (hasDoc(sure, doc) || verified.has(pos)) hits.add(pos);
      if (hits.isFull) return;
    }
  }
}

function take(order: Iterator<number>, count: number): number[] {
  const some: number[] = [];
  while (some.length < count) {
    const { value, done } = order.next();
    if (done) break;
    some.push(value);
  }
  return some;
}

export const buildingsOf = (reads: Reads, keys: EntryKeys): Promise<AssetKey[]> | AssetKey[] =>
  'buildings' in keys ? [...keys.buildings] : buildingsAtPositions(reads, keys.positions);

const recordsOf = (reads: Reads, keys: EntryKeys): Promise<FinishedResponse[]> =>
  'buildings' in keys ? readRecords(reads, keys.buildings) : readRecordsAt(reads, keys.positions);

async function buildingsAtPositions(reads: Reads, positions: readonly number[]): Promise<AssetKey[]> {
  const rows = await reads.all<{ pos: number; building: AssetKey }>(
    `select pos, building from search_entry where ${isAmong(reads, 'pos')}`,
    [listParameter(reads, positions)],
  );
  const byPosition = new Map(rows.map(({ pos, building }) => [pos, building]));
  return positions.map((pos) => byPosition.get(pos) as AssetKey);
}

/** The positions of everything published in some machi-aza, latest first. */
export async function positionsIn(reads: Reads, areas: readonly string[]): Promise<number[]> {
  const question: EntryQuery = { terms: [], areas: { level: 'area', codes: areas }, use: undefined };
  const everything = { offset: 0, limit: Number.MAX_SAFE_INTEGER, cap: Number.MAX_SAFE_INTEGER };
  return (await findPositions(reads, question, everything)).positions;
}
