import type { Reads } from '../../../storage/storage.ts';
import { LAST_PAGE, PAGE_SIZE } from '../../../vocabulary/api-shapes.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { CATEGORIES, type Category } from '../../../vocabulary/categories.ts';
import { type FinishedResponse, readRecords, tagOf } from '../../records.ts';
import { descending } from '../format/bitmaps.ts';
import type { EntryKeys } from '../format/entry.ts';
import { SegmentCache } from './index-reads.ts';
import { type ListEntryQuery, type ListQuery, toEntryQuery } from './list-query.ts';
import { type Matched, matchEntries } from './match-entries.ts';
import { buildingsOf } from './search.ts';
import { takeByDistance } from './site-filter.ts';
import { type Matches, takeInOrder } from './take-in-order.ts';

export interface ListPage {
  total: number;
  /** PAG-04: buildings per use, ignoring the requested types. A building with two uses counts under both. */
  byType: Record<Category, number>;
  /** The page shown: the last one if a later one is requested. */
  page: number;
  /** The number of pages, at most 50. */
  pages: number;
  items: BuildingPage[];
}

/** One page of a list, as a response. */
export async function listPage(reads: Reads, query: ListQuery, cache = new SegmentCache()): Promise<FinishedResponse> {
  const portionOf = (total: number) => ({ offset: (pageOf(query.page, total) - 1) * PAGE_SIZE, limit: PAGE_SIZE });
  const listed = await listPortion(reads, query, portionOf, cache);
  const records = await readRecords(reads, listed.buildings);
  const head = {
    total: listed.total,
    byType: Object.fromEntries(CATEGORIES.map((category, i) => [category, listed.byUse[i]])),
    page: pageOf(query.page, listed.total),
    pages: pagesOf(listed.total),
  };
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  for (const [i, { body }] of records.entries()) parts.push(...(i > 0 ? [COMMA] : []), body);
  const body = Buffer.concat([...parts, Buffer.from(']}')]);
  return { etag: `"${tagOf(body)}"`, body };
}

/** The number of buildings in a list. */
export async function countListed(reads: Reads, query: ListQuery, cache: SegmentCache): Promise<number> {
  const question = await toEntryQuery(reads, query);
  return question === undefined ? 0 : (await matchEntries(reads, question, cache, false)).total;
}

/** A window of a list, and the number of all matches. */
export async function findListed(
  reads: Reads,
  query: ListQuery,
  portion: ReturnType<WindowOf>,
  cache: SegmentCache,
): Promise<{ total: number; entries: EntryKeys }> {
  const question = await toEntryQuery(reads, query);
  if (question === undefined) return { total: 0, entries: { buildings: [] } };
  const { total, matches } = await matchEntries(reads, question, cache, false);
  return { total, entries: await inOrder(reads, cache, question, matches, portion) };
}

/** UI-61: the first `most` buildings of a list, in the order of its pages. */
export function listBuildings(
  reads: Reads,
  query: ListQuery,
  most: number,
  cache = new SegmentCache(),
): Promise<ListedEntries> {
  return listPortion(reads, query, () => ({ offset: 0, limit: most }), cache);
}

async function listPortion(
  reads: Reads,
  query: ListQuery,
  portionOf: WindowOf,
  cache: SegmentCache,
): Promise<ListedEntries> {
  const question = await toEntryQuery(reads, query);
  if (question === undefined) return NOTHING;
  return listEntries(reads, question, portionOf, cache);
}

const COMMA = Buffer.from(',');
const NOTHING: ListedEntries = { total: 0, byUse: CATEGORIES.map(() => 0), buildings: [] };
const pagesOf = (total: number) => Math.min(LAST_PAGE, Math.ceil(total / PAGE_SIZE));
const pageOf = (asked: number, total: number) => Math.max(1, Math.min(asked, pagesOf(total)));

export interface ListedEntries extends Pick<Matched, 'total' | 'byUse'> {
  buildings: AssetKey[];
}

/** The window to return, given the total. */
type WindowOf = (total: number) => { offset: number; limit: number };

/** Counts all matches and returns a window of them in the requested order. */
export async function listEntries(
  reads: Reads,
  question: ListEntryQuery,
  portionOf: WindowOf,
  cache: SegmentCache,
): Promise<ListedEntries> {
  const { total, byUse, matches } = await matchEntries(reads, question, cache, true);
  const entries = await inOrder(reads, cache, question, matches, portionOf(total));
  return { total, byUse, buildings: await buildingsOf(reads, entries) };
}

async function inOrder(
  reads: Reads,
  cache: SegmentCache,
  { sort, near }: ListEntryQuery,
  wanted: Matches,
  { offset, limit }: ReturnType<WindowOf>,
): Promise<EntryKeys> {
  const end = offset + limit;
  if (sort === 'distance') {
    if (near === undefined) throw new Error('only a search near a place has distances');
    return { buildings: (await takeByDistance(reads, cache, wanted, near, end)).slice(offset) };
  }
  if (sort !== undefined) return { buildings: (await takeInOrder(reads, cache, wanted, sort, end)).slice(offset) };
  const positions = wanted.fresh.slice(0, end).map(({ pos }) => pos);
  for (const { segment, docs } of wanted.parts) {
    for (const doc of descending(docs)) {
      if (positions.length === end) break;
      positions.push(segment.first + doc);
    }
  }
  return { positions: positions.slice(offset) };
}
