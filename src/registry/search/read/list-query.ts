import type { Reads } from '../../../storage/storage.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import { CATEGORIES, type Category } from '../../../vocabulary/categories.ts';
import { type Attribute, ownerKey, wordKey } from '../format/entry.ts';
import { readTerms } from '../format/grams.ts';
import type { Sort, SortedMeasure } from '../format/segments.ts';
import { areasBySlug } from './area-finder.ts';
import type { EntryQuery } from './search.ts';
import type { SiteQuery } from './site-filter.ts';

/** PAG-02: the query of a list page. */
export interface ListQuery extends SiteQuery {
  q?: string | undefined;
  /** Slugs. */
  prefecture?: string | undefined;
  ward?: string | undefined;
  machiAza?: string | undefined;
  /** The name of an owner, compared as OWN-01 compares it. */
  owner?: string | undefined;
  /** Any of these categories and recorded words; all if both are empty. */
  types: readonly Category[];
  words: readonly string[];
  /** All of these. */
  has: readonly Attribute[];
  ranges: Readonly<Partial<Record<Exclude<SortedMeasure, 'footprint'>, ValueRange>>>;
  /** As `parsePostcode` writes it. */
  postcode?: string | undefined;
  /** Only these buildings; all if undefined. */
  among?: readonly AssetKey[] | undefined;
  /** Default: most recently recorded first. By distance, `near` is required. */
  sort?: ListSort | undefined;
  page: number;
}

/** FIT-04: what a list can be sorted by. */
type ListSort = Sort | 'distance';

/** Both ends are inclusive; unknown values are in no range. */
export interface ValueRange {
  min?: number | undefined;
  max?: number | undefined;
}

/** PAG-02: the query of a list, with codes instead of slugs. */
export interface ListEntryQuery extends Pick<EntryQuery, 'terms' | 'areas'>, SiteQuery {
  /** The key of an owner. */
  owner?: string | undefined;
  /** Bits of categories and keys of recorded words, any of which matches; all if both are empty. */
  uses: readonly number[];
  words: readonly string[];
  /** All of these. */
  has: readonly Attribute[];
  ranges: Readonly<Partial<Record<SortedMeasure, ValueRange>>>;
  postcode?: string | undefined;
  /** Only these buildings; all if undefined. */
  among?: readonly AssetKey[] | undefined;
  /** Default: most recently recorded first. */
  sort: ListSort | undefined;
}

/** The query with codes instead of slugs; undefined if it names an area that does not exist. */
export async function toEntryQuery(reads: Reads, query: ListQuery): Promise<ListEntryQuery | undefined> {
  const areas = await areasBySlug(reads, query);
  if (areas !== undefined && areas.codes.length === 0) return undefined;
  return {
    terms: readTerms(query.q ?? ''),
    areas,
    owner: query.owner === undefined ? undefined : ownerKey(query.owner),
    uses: query.types.map((type) => CATEGORIES.indexOf(type)),
    words: query.words.map(wordKey),
    has: query.has,
    ranges: query.ranges,
    postcode: query.postcode,
    among: query.among,
    near: query.near,
    bbox: query.bbox,
    sort: query.sort,
  };
}
