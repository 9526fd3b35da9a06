import type { Reads } from '../../storage/storage.ts';
import { LAST_PAGE, PAGE_SIZE } from '../../vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../vocabulary/building-page.ts';
import { CATEGORIES, type Category } from '../../vocabulary/categories.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import { type Attribute, wordKey } from './entry.ts';
import { readTerms } from './grams.ts';
import { SegmentCache } from './kept-segments.ts';
import { type ListedEntries, listEntries, type ValueRange } from './list.ts';
import { areasBySlug, readRecords } from './search.ts';
import type { Sort, SortedMeasure } from './sorts.ts';

/** PAG-02: what a list page asks for. */
export interface ListQuery {
  q?: string | undefined;
  /** Slugs. */
  prefecture?: string | undefined;
  ward?: string | undefined;
  machiAza?: string | undefined;
  /** Any of these categories and recorded words; none of either for all. */
  types: readonly Category[];
  words: readonly string[];
  /** All of these. */
  has: readonly Attribute[];
  ranges: Readonly<Partial<Record<Exclude<SortedMeasure, 'footprint'>, ValueRange>>>;
  /** The most recently recorded first where there is none. */
  sort?: Sort | undefined;
  page: number;
}

export interface ListPage {
  total: number;
  /** How many buildings have each use, whatever types are asked for; one with two counts under each (PAG-04). */
  byType: Record<Category, number>;
  /** The page that is shown: the last where one behind it is asked for. */
  page: number;
  /** How many pages there are, at most 50. */
  pages: number;
  items: BuildingPage[];
}

/** One page of a list, finished. */
export async function listPage(reads: Reads, query: ListQuery, kept = new SegmentCache()): Promise<FinishedResponse> {
  const areas = await areasBySlug(reads, query);
  const isNowhere = areas !== undefined && areas.codes.length === 0;
  const question = {
    terms: readTerms(query.q ?? ''),
    areas,
    uses: query.types.map((type) => CATEGORIES.indexOf(type)),
    words: query.words.map(wordKey),
    has: query.has,
    ranges: query.ranges,
    sort: query.sort,
  };
  const portionOf = (total: number) => ({ offset: (pageOf(query.page, total) - 1) * PAGE_SIZE, limit: PAGE_SIZE });
  const listed: ListedEntries = isNowhere ? NOTHING : await listEntries(reads, question, portionOf, kept);
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

const COMMA = Buffer.from(',');
const NOTHING: ListedEntries = { total: 0, byUse: CATEGORIES.map(() => 0), buildings: [] };
const pagesOf = (total: number) => Math.min(LAST_PAGE, Math.ceil(total / PAGE_SIZE));
const pageOf = (asked: number, total: number) => Math.max(1, Math.min(asked, pagesOf(total)));
