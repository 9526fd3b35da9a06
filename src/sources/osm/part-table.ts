import Flatbush from 'flatbush';
import { type AreaGeometry, contains, type Measures, type Position } from '../../vocabulary/geometry.ts';
import { elementKey } from './elements.ts';
import { NumberList } from './number-list.ts';
import type { BuildingSize } from './tags.ts';

export interface BuildingPart {
  type: 'way' | 'relation';
  id: number;
  line: number;
  /** A point inside the part. */
  point: Position;
  size: BuildingSize;
  /** Also tagged as a building. */
  building: boolean;
}

/** The building parts of a file, with a spatial index. */
export class PartTable {
  readonly #numbers = new NumberList(Float64Array);
  readonly #claimed = new NumberList(Uint8Array);
  #index: Flatbush | undefined;
  /** The building of each part that a relation assigns. */
  readonly #owners: ReadonlyMap<string, string>;
  readonly #owned = new Map<string, number[]>();

  /** `owners`: building by part. */
  constructor(owners: ReadonlyMap<string, string>) {
    this.#owners = owners;
  }

  get length(): number {
    return this.#claimed.length;
  }

  add({ type, id, line, point, size, building }: BuildingPart): void {
    const owner = this.#owners.get(elementKey(type, id));
    if (owner !== undefined) {
      const owned = this.#owned.get(owner);
      if (owned === undefined) this.#owned.set(owner, [this.length]);
      else owned.push(this.length);
    }
    const { heightM = Number.NaN, floorsAbove = Number.NaN, floorsBelow = Number.NaN } = size;
    const row = [type === 'way' ? 0 : 1, id, line, ...point, heightM, floorsAbove, floorsBelow, building ? 1 : 0];
    for (const number of row) this.#numbers.push(number);
    this.#claimed.push(0);
  }

  /** Claims the parts of a building and returns their greatest sizes. No part may be added after this. */
  claim(building: string, geometry: AreaGeometry, bbox: Measures['bbox']): BuildingSize {
    const size: BuildingSize = { heightM: undefined, floorsAbove: undefined, floorsBelow: undefined };
    if (this.length === 0) return size;
    this.#index ??= this.#makeIndex();
    const inside = this.#index.search(...bbox).filter((at) => {
      const part = this.at(at);
      return !this.#owners.has(elementKey(part.type, part.id)) && contains(geometry, part.point);
    });
    for (const at of [...inside, ...(this.#owned.get(building) ?? [])]) {
      this.#claimed.values[at] = 1;
      const part = this.at(at).size;
      for (const field of ['heightM', 'floorsAbove', 'floorsBelow'] as const) {
        const value = part[field];
        if (value !== undefined && value > (size[field] ?? -1)) size[field] = value;
      }
    }
    return size;
  }

  /** Parts that no building claimed. */
  *unclaimed(): Generator<BuildingPart> {
    for (let at = 0; at < this.length; at++) if (this.#claimed.values[at] === 0) yield this.at(at);
  }

  at(at: number): BuildingPart {
    const [type, id, line, lon, lat, ...rest] = this.#numbers.values.subarray(at * ROW, (at + 1) * ROW);
    const [heightM, floorsAbove, floorsBelow] = rest.map((n) => (Number.isNaN(n) ? undefined : n));
    return {
      type: type === 0 ? 'way' : 'relation',
      id: id as number,
      line: line as number,
      point: [lon as number, lat as number],
      size: { heightM, floorsAbove, floorsBelow },
      building: rest[3] === 1,
    };
  }

  #makeIndex(): Flatbush {
    const index = new Flatbush(this.length);
    for (let at = 0; at < this.length; at++) {
      const [lon, lat] = this.at(at).point;
      index.add(lon, lat, lon, lat);
    }
    index.finish();
    return index;
  }
}

const ROW = 9;
