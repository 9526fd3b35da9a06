import { isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import { type Bitmap, decodeBitmap } from '../format/bitmaps.ts';
import { isHighCardinality, ONLY_SET } from '../format/entry.ts';
import type { Gram } from '../format/grams.ts';
import { decodeSort, ID_ORDER, postingKey, type Segment, type SortOrder, type SortRow } from '../format/segments.ts';

/** The index as a search reads it. */
export interface IndexReads {
  /** Says what is about to be read of some segments. */
  expect(segments: readonly Segment[], filters: readonly string[], grams: readonly Gram[]): void | Promise<void>;
  filter(segment: Segment, filter: string): Bitmap | undefined;
  posting(segment: Segment, gram: Gram): Uint8Array | undefined;
  /** How many segments to expect at once, given how many have been read so far. */
  portion(read: number): number;
}

const isWorthKeeping = (filter: string) => !isHighCardinality(filter);

export function readIndex(reads: Reads, kept = new SegmentCache()): IndexReads {
  return reads.engine === 'sqlite' ? readFromFile(reads, kept) : readFromServer(reads, kept);
}

/** The database is in this process: everything is read when it is needed, and only then. */
function readFromFile(reads: Reads, kept: SegmentCache): IndexReads {
  type Rows = { docs: Uint8Array }[];
  return {
    portion: () => 1,
    expect: () => {},
    filter(segment, filter) {
      const { filters } = kept.of(segment);
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

/** Every question costs a way there and back: asked for many segments at once, for more the further a search has come. */
function readFromServer(reads: Reads, kept: SegmentCache): IndexReads {
  let filters = new Map<string, Bitmap | undefined>();
  let postings = new Map<string, Uint8Array>();
  return {
    portion: (read) => Math.max(2, read * 2),
    async expect(segments, names, grams) {
      filters = new Map();
      postings = new Map();
      const keys = segments.flatMap(({ id }) => grams.map((gram) => String(postingKey(id, gram))));
      // Others may replace what is kept while this waits: what is asked for later is taken from here alone.
      const known = new Map(segments.map((segment) => [segment, kept.of(segment).filters]));
      const unknown = segments.filter((segment) => names.some((name) => !known.get(segment)?.has(name)));
      for (const [segment, docs] of known) {
        for (const name of names) if (docs.has(name)) filters.set(`${segment.id} ${name}`, docs.get(name));
      }
      const filterRows = await reads.all<{ segment: number; filter: string; docs: Uint8Array }>(
        `select segment, filter, docs from search_filter where ${isAmong(reads, 'segment')} and ${isAmong(reads, 'filter')}`,
        [
          listParameter(
            reads,
            unknown.map(({ id }) => id),
          ),
          listParameter(reads, names),
        ],
      );
      for (const { segment, filter, docs } of filterRows)
        filters.set(`${segment} ${filter}`, decodeBitmap(docs, ONLY_SET));
      for (const segment of unknown) {
        for (const name of names.filter(isWorthKeeping)) {
          known.get(segment)?.set(name, filters.get(`${segment.id} ${name}`));
        }
      }
      if (keys.length === 0) return;
      // As text: a key needs more bits than a number has.
      const rows = await reads.all<{ key: string; docs: Uint8Array }>(
        `select key::text as key, docs from search_posting where ${isAmong(reads, 'key')}`,
        [listParameter(reads, keys)],
      );
      for (const { key, docs } of rows) postings.set(key, docs);
    },
    filter(segment, filter) {
      return filters.get(`${segment.id} ${filter}`);
    },
    posting: (segment, gram) => postings.get(String(postingKey(segment.id, gram))),
  };
}

/** What was read of one segment. */
interface Kept {
  stamp: number;
  filters: Map<string, Bitmap | undefined>;
  orders: Map<string, SortOrder>;
  buildings: Float64Array | undefined;
}

/**
 * What lists and suggestions read of every segment over and over, for as long as it is the same: about fifty megabytes of a
 * million buildings.
 */
export class SegmentCache {
  readonly #kept = new Map<number, Kept>();

  of({ id, stamp }: Segment): Kept {
    let kept = this.#kept.get(id);
    if (kept === undefined || kept.stamp !== stamp) {
      kept = { stamp, filters: new Map(), orders: new Map(), buildings: undefined };
      this.#kept.set(id, kept);
    }
    return kept;
  }

  /** Of segments that are gone nothing is kept. */
  keepOnly(segments: readonly Segment[]): void {
    const ids = new Set(segments.map(({ id }) => id));
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id);
  }

  /** The order of each segment, and of each of its entries the building. */
  async orders(reads: Reads, segments: readonly Segment[], sort: string): Promise<SegmentOrders> {
    const orders = new Map<number, SegmentOrder>();
    for (const segment of segments) {
      // While this waits, others may find another state of the segment, and keep that: what is found here is for this reader.
      const kept = this.of(segment);
      const order = kept.orders.get(sort) ?? (await readOrder(reads, segment, sort));
      kept.orders.set(sort, order);
      kept.buildings ??= await readBuildings(reads, segment);
      orders.set(segment.id, { ...order, buildingOf: kept.buildings });
    }
    return orders;
  }
}

export interface SegmentOrder extends SortOrder {
  /** By the place of an entry in the segment. */
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
