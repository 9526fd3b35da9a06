import type { Position } from '../../vocabulary/geometry.ts';
import { NumberList } from './number-list.ts';

/** An impossible longitude, for nodes that are wanted but not in the file. */
const NOWHERE = -0x80000000;
const MAX_DEGREES = 1.8e9;

/** Positions of nodes, 16 bytes each, found by binary search. Degrees are integers of 1e-7, as in OSM. */
export class NodeTable {
  readonly #ids: Float64Array;
  readonly #lons: Int32Array;
  readonly #lats: Int32Array;
  #at = 0;

  /** IDs ascend without duplicates. */
  private constructor(ids: Float64Array, lons: Int32Array, lats: Int32Array) {
    this.#ids = ids;
    this.#lons = lons;
    this.#lats = lats;
  }

  /** A table of nodes without positions yet. Takes ownership of the IDs. */
  static wanting(ids: Float64Array): NodeTable {
    const sorted = ids.sort();
    let count = 0;
    for (let i = 0; i < sorted.length; i++) {
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i] as number;
    }
    return new NodeTable(sorted.subarray(0, count), new Int32Array(count).fill(NOWHERE), new Int32Array(count));
  }

  static of({ ids, lons, lats }: NodeList): NodeTable {
    const taken = ids.taken();
    if (ascends(taken)) return new NodeTable(taken, lons.taken(), lats.taken());
    const table = NodeTable.wanting(taken.slice());
    for (let i = 0; i < taken.length; i++) {
      table.place(taken[i] as number, lons.values[i] as number, lats.values[i] as number);
    }
    return table;
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Whether any ID from `first` to `last` is wanted. */
  wantsAny(first: number, last: number): boolean {
    return (this.#ids[this.#lowerBound(first)] ?? Number.POSITIVE_INFINITY) <= last;
  }

  wants(id: number): boolean {
    return this.#seek(id);
  }

  place(id: number, lon: number, lat: number): void {
    if (!this.#seek(id) || !(Math.abs(lon) <= MAX_DEGREES && Math.abs(lat) <= MAX_DEGREES)) return;
    this.#lons[this.#at] = lon;
    this.#lats[this.#at] = lat;
  }

  positionOf(id: number): Position | undefined {
    const at = this.#lowerBound(id);
    if (this.#ids[at] !== id || this.#lons[at] === NOWHERE) return undefined;
    return [(this.#lons[at] as number) / 1e7, (this.#lats[at] as number) / 1e7];
  }

  /** Nodes mostly come in the order of their IDs, so the next one is usually a few steps ahead. */
  #seek(id: number): boolean {
    let at = this.#at;
    if (at >= this.#ids.length || (this.#ids[at] as number) > id) {
      if (at === 0 || (this.#ids[at - 1] as number) < id) return false;
      at = this.#lowerBound(id);
    } else {
      for (let steps = 0; steps < 16 && at < this.#ids.length && (this.#ids[at] as number) < id; steps++) at++;
      if (at < this.#ids.length && (this.#ids[at] as number) < id) at = this.#lowerBound(id);
    }
    this.#at = at;
    return this.#ids[at] === id;
  }

  #lowerBound(id: number): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Nodes in the order of the file. */
export class NodeList {
  readonly ids = new NumberList(Float64Array);
  readonly lons = new NumberList(Int32Array);
  readonly lats = new NumberList(Int32Array);

  add(id: number, lon: number, lat: number): void {
    this.ids.push(id);
    this.lons.push(Math.round(lon * 1e7));
    this.lats.push(Math.round(lat * 1e7));
  }

  /** Adds nodes with positions in 1e-7 degrees; invalid positions are skipped. */
  addAll(ids: Float64Array, places: { lon(node: number): number; lat(node: number): number }): void {
    for (let i = 0; i < ids.length; i++) {
      const [lon, lat] = [places.lon(i), places.lat(i)];
      if (!(Math.abs(lon) <= MAX_DEGREES && Math.abs(lat) <= MAX_DEGREES)) continue;
      this.ids.push(ids[i] as number);
      this.lons.push(lon);
      this.lats.push(lat);
    }
  }

  placeIn(table: NodeTable): void {
    for (let i = 0; i < this.ids.length; i++) {
      table.place(this.ids.values[i] as number, this.lons.values[i] as number, this.lats.values[i] as number);
    }
  }
}

function ascends(ids: Float64Array): boolean {
  for (let i = 1; i < ids.length; i++) if ((ids[i] as number) <= (ids[i - 1] as number)) return false;
  return true;
}
