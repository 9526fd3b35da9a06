import type { ExportedBuilding } from '../registry/exported.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';

/** The islands of Japan, with a margin. */
const [WEST, SOUTH, EAST, NORTH] = [122, 20, 154, 46];
const LEVELS = 20;
const CELLS = 2 ** LEVELS;

/** The place of a position on a Hilbert curve through a grid of Japan whose cells are about 3 m wide. */
function curveKey(lon: number, lat: number): number {
  const cell = (value: number, from: number, to: number) =>
    Math.min(CELLS - 1, Math.max(0, Math.floor(((value - from) / (to - from)) * CELLS)));
  let [x, y] = [cell(lon, WEST, EAST), cell(lat, SOUTH, NORTH)];
  let key = 0;
  for (let side = CELLS / 2; side >= 1; side /= 2) {
    const [right, up] = [(x & side) > 0 ? 1 : 0, (y & side) > 0 ? 1 : 0];
    key += side * side * ((3 * right) ^ up);
    if (up === 1) continue;
    if (right === 1) [x, y] = [CELLS - 1 - x, CELLS - 1 - y];
    [x, y] = [y, x];
  }
  return key;
}

/** Buildings that are sorted along the curve, so that those of one place are in one part of a file; 12 bytes each. */
export class CurveOrder {
  #keys = new Float64Array(1024);
  #ids = new Float64Array(1024);
  #length = 0;

  add(buildings: readonly ExportedBuilding[]): void {
    for (const { id, lat, lon } of buildings) {
      if (this.#length === this.#ids.length) this.#grow();
      // Those without a place come last.
      this.#keys[this.#length] = lat === null || lon === null ? Number.MAX_SAFE_INTEGER : curveKey(lon, lat);
      this.#ids[this.#length] = id;
      this.#length += 1;
    }
  }

  get length(): number {
    return this.#length;
  }

  /** All buildings in order, in batches. */
  *batches(size: number): Generator<AssetKey[]> {
    const [keys, ids] = [this.#keys, this.#ids];
    const order = Uint32Array.from({ length: this.#length }, (_, i) => i).sort(
      (a, b) => (keys[a] as number) - (keys[b] as number) || (ids[a] as number) - (ids[b] as number),
    );
    for (let from = 0; from < order.length; from += size) {
      yield Array.from(order.subarray(from, from + size), (i) => ids[i] as number);
    }
  }

  #grow(): void {
    const grown = (array: Float64Array<ArrayBuffer>) => {
      const larger = new Float64Array(array.length * 2);
      larger.set(array);
      return larger;
    };
    this.#keys = grown(this.#keys);
    this.#ids = grown(this.#ids);
  }
}
