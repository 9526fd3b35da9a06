import type { Reads } from '../../storage/storage.ts';
import type { Bitmap } from './docs.ts';
import type { Segment } from './segments.ts';
import { decodeSort, ID_ORDER, type SortOrder, type SortRow } from './sorts.ts';

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
