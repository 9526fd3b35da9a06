import { LRUCache } from 'lru-cache';
import { isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import { decodeBitmap } from '../format/bitmap-bytes.ts';
import type { Bitmap } from '../format/bitmaps.ts';
import { isHighCardinality, ONLY_SET } from '../format/entry.ts';
import type { Gram } from '../format/grams.ts';
import { boxOfSites, decodeSites, type SegmentSites } from '../format/segment-sites.ts';
import { decodeSort, ID_ORDER, postingKey, type Segment, type SortOrder, type SortRow } from '../format/segments.ts';
import type { UnitBox } from '../format/site.ts';
import type { SegmentMatches } from './take-in-order.ts';

/** Reads the index for a query. */
export interface IndexReads {
  /** Announces what is about to be read. */
  prefetch(segments: readonly Segment[], filters: readonly string[], grams: readonly Gram[]): void | Promise<void>;
  filter(segment: Segment, filter: string): Bitmap | undefined;
  posting(segment: Segment, gram: Gram): Uint8Array | undefined;
  /** How many segments to announce at once, given how many have been read. */
  batchSize(read: number): number;
}

const isWorthKeeping = (filter: string) => !isHighCardinality(filter);

export function readIndex(reads: Reads, cache = new SegmentCache()): IndexReads {
  return reads.engine === 'sqlite' ? readFromFile(reads, cache) : readFromServer(reads, cache);
}

/** The database is in this process: everything is read when needed. */
function readFromFile(reads: Reads, cache: SegmentCache): IndexReads {
  type Rows = { docs: Uint8Array }[];
  return {
    batchSize: () => 1,
    prefetch: () => {},
    filter(segment, filter) {
      const { filters } = cache.of(segment);
      if (filters.has(filter)) return filters.get(filter);
      const statement = 'select docs from search_filter where segment = ? and filter = ?';
      const [row] = reads.all(statement, [segment.id, filter]) as Rows;
      const docs = row && decodeBitmap(row.docs, ONLY_SET);
      if (isWorthKeeping(filter)) filters.set(filter, docs);
      return docs;
    },
    posting(segment, gram) {
      const [row] = reads.all('select docs from search_posting where key = ?', [postingKey(segment.id, gram)]) as Rows;
      return row?.docs;
    },
  };
}

/** Every query is a round trip, so many segments are read at once, and more as the search proceeds. */
function readFromServer(reads: Reads, cache: SegmentCache): IndexReads {
  let filters = new Map<string, Bitmap | undefined>();
  let postings = new Map<string, Uint8Array>();
  return {
    batchSize: (read) => Math.max(2, read * 4),
    async prefetch(segments, names, grams) {
      filters = new Map();
      postings = new Map();
      const keys = segments.flatMap(({ id }) => grams.map((gram) => String(postingKey(id, gram))));
      // Other requests may replace the cached segment meanwhile, so this request uses its own references.
      const known = new Map(segments.map((segment) => [segment, cache.of(segment).filters]));
      const unknown = segments.filter((segment) => names.some((name) => !known.get(segment)?.has(name)));
      for (const [segment, docs] of known) {
        for (const name of names) if (docs.has(name)) filters.set(`${segment.id} ${name}`, docs.get(name));
      }
      const readFilters = async () =>
        unknown.length === 0
          ? []
          : reads.all<{ segment: number; filter: string; docs: Uint8Array }>(
              `select segment, filter, docs from search_filter where ${isAmong(reads, 'segment')} and ${isAmong(reads, 'filter')}`,
              [
                listParameter(
                  reads,
                  unknown.map(({ id }) => id),
                ),
                listParameter(reads, names),
              ],
            );
      const readPostings = async () =>
        keys.length === 0
          ? []
          : // As text, because a key has more bits than a number.
            reads.all<{ key: string; docs: Uint8Array }>(
              `select key::text as key, docs from search_posting where ${isAmong(reads, 'key')}`,
              [listParameter(reads, keys)],
            );
      // In one round trip.
      const [filterRows, postingRows] = await Promise.all([readFilters(), readPostings()]);
      for (const { segment, filter, docs } of filterRows)
        filters.set(`${segment} ${filter}`, decodeBitmap(docs, ONLY_SET));
      for (const segment of unknown) {
        for (const name of names.filter(isWorthKeeping)) {
          known.get(segment)?.set(name, filters.get(`${segment.id} ${name}`));
        }
      }
      for (const { key, docs } of postingRows) postings.set(key, docs);
    },
    filter(segment, filter) {
      return filters.get(`${segment.id} ${filter}`);
    },
    posting: (segment, gram) => postings.get(String(postingKey(segment.id, gram))),
  };
}

/** What is cached of one segment. */
interface CachedSegment {
  stamp: number;
  filters: Map<string, Bitmap | undefined>;
  orders: Map<string, SortOrder>;
  /** Entries in ranges that were asked for lately. */
  ranges: Map<string, Bitmap>;
  buildings: Float64Array | undefined;
  sites: SegmentSites | undefined;
  /** Around its sites. */
  box: UnitBox | undefined;
}

/** The matches of a query in all segments. */
export interface IndexedMatches {
  total: number;
  /** Zero unless `countsUses`. */
  byUse: readonly number[];
  parts: readonly SegmentMatches[];
  countsUses: boolean;
}

/** Matches of so many queries are kept: those of one take up to 125 KB for a million buildings. */
const RECENT_QUERIES = 8;

/** Up to 8 KB each. */
const RECENT_RANGES = 8;

/** Caches what lists and suggestions read of every segment, until it changes: about 70 MB for a million buildings. */
export class SegmentCache {
  readonly #segments = new Map<number, CachedSegment>();
  readonly #matches = new LRUCache<string, IndexedMatches>({ max: RECENT_QUERIES });

  /** `key` names the query and the state of every segment. */
  recentMatches(key: string | undefined, countsUses: boolean): IndexedMatches | undefined {
    const kept = key === undefined ? undefined : this.#matches.get(key);
    return countsUses && kept?.countsUses === false ? undefined : kept;
  }

  keepMatches(key: string | undefined, matches: IndexedMatches): void {
    if (key !== undefined) this.#matches.set(key, matches);
  }

  of({ id, stamp }: Segment): CachedSegment {
    let cached = this.#segments.get(id);
    if (cached === undefined || cached.stamp !== stamp) {
      cached = {
        stamp,
        filters: new Map(),
        orders: new Map(),
        ranges: new Map(),
        buildings: undefined,
        sites: undefined,
        box: undefined,
      };
      this.#segments.set(id, cached);
    }
    return cached;
  }

  /** The entries of a segment in a range. A list, its map and what is offered instead of it ask for the same. */
  inRange(segment: Segment, key: string, find: () => Bitmap): Bitmap {
    const { ranges } = this.of(segment);
    let docs = ranges.get(key);
    if (docs === undefined) {
      docs = find();
      if (ranges.size >= RECENT_RANGES) ranges.clear();
      ranges.set(key, docs);
    }
    return docs;
  }

  /** Drops segments that no longer exist. */
  keepOnly(segments: readonly Segment[]): void {
    const ids = new Set(segments.map(({ id }) => id));
    for (const id of this.#segments.keys()) if (!ids.has(id)) this.#segments.delete(id);
  }

  /** The sort order of each segment, and the building of each entry. */
  async orders(reads: Reads, segments: readonly Segment[], sort: string): Promise<SegmentOrders> {
    const orders = new Map<number, SegmentOrder>();
    for (const segment of segments) {
      // Other requests may cache another state of the segment meanwhile, so this request uses its own references.
      const cached = this.of(segment);
      const order = cached.orders.get(sort) ?? (await readOrder(reads, segment, sort));
      cached.orders.set(sort, order);
      cached.buildings ??= await readBuildings(reads, segment);
      orders.set(segment.id, { ...order, buildingOf: cached.buildings });
    }
    return orders;
  }

  /** Where the buildings of a segment are. */
  async sites(reads: Reads, segment: Segment): Promise<SegmentSites> {
    const cached = this.of(segment);
    const sites = cached.sites ?? (await readSites(reads, segment));
    cached.sites = sites;
    return sites;
  }

  /** A box around the buildings of a segment; undefined if none has a point. */
  async box(reads: Reads, segment: Segment): Promise<UnitBox | undefined> {
    const cached = this.of(segment);
    cached.box ??= boxOfSites(await this.sites(reads, segment));
    return cached.box;
  }
}

export interface SegmentOrder extends SortOrder {
  /** By offset of the entry in the segment. */
  buildingOf: Float64Array;
}

export type SegmentOrders = ReadonlyMap<number, SegmentOrder>;

async function readOrder(reads: Reads, { id }: Segment, sort: string): Promise<SortOrder> {
  const [row] = await reads.all<Pick<SortRow, 'docs' | 'keys'>>(
    'select docs, keys from search_sort where segment = ? and sort = ?',
    [id, sort],
  );
  if (row === undefined) throw new Error('a segment has no order');
  return decodeSort(row);
}

async function readSites(reads: Reads, { id, size }: Segment): Promise<SegmentSites> {
  const [row] = await reads.all<{ sites: Uint8Array }>('select sites from search_site where segment = ?', [id]);
  if (row === undefined) throw new Error('a segment has no sites');
  return decodeSites(row.sites, size);
}

async function readBuildings(reads: Reads, { id, size }: Segment): Promise<Float64Array> {
  const [row] = await reads.all<Pick<SortRow, 'docs' | 'buildings'>>(
    'select docs, buildings from search_sort where segment = ? and sort = ?',
    [id, ID_ORDER],
  );
  if (row === undefined) throw new Error('a segment has no order');
  const { docs, keys: ids } = decodeSort({ docs: row.docs, keys: row.buildings });
  const buildings = new Float64Array(size);
  for (let i = 0; i < docs.length; i++) buildings[docs[i] as number] = ids[i] as number;
  return buildings;
}
