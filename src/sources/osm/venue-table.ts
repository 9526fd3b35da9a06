import Flatbush from 'flatbush';
import type { VenueObservation } from '../../vocabulary/evidence.ts';
import { type AreaGeometry, contains, type Measures } from '../../vocabulary/geometry.ts';
import { NumberList } from './number-list.ts';

const NUL = '\0';

/** The venues of a file, with a spatial index. A million of them need some tens of megabytes. */
export class VenueTable {
  readonly #lons = new NumberList(Int32Array);
  readonly #lats = new NumberList(Int32Array);
  readonly #ends = new NumberList(Float64Array);
  readonly #texts = new NumberList(Uint8Array, 1 << 14);
  #index: Flatbush | undefined;

  get length(): number {
    return this.#lons.length;
  }

  add({ nameJa, nameEn, category, level }: VenueObservation, lon: number, lat: number): void {
    const text = Buffer.from([nameJa ?? '', nameEn ?? '', category, level ?? ''].join(NUL));
    this.#texts.reserve(text.length);
    this.#texts.values.set(text, this.#texts.length);
    this.#texts.length += text.length;
    this.#ends.push(this.#texts.length);
    this.#lons.push(Math.round(lon * 1e7));
    this.#lats.push(Math.round(lat * 1e7));
  }

  /** The venues inside, in the order of the file. No venue may be added after this. */
  within(geometry: AreaGeometry, bbox: Measures['bbox']): VenueObservation[] {
    if (this.length === 0) return [];
    this.#index ??= this.#makeIndex();
    const [west, south, east, north] = bbox.map((degrees) => Math.round(degrees * 1e7)) as Measures['bbox'];
    return this.#index
      .search(west, south, east, north)
      .filter((at) => contains(geometry, [this.#degrees(this.#lons, at), this.#degrees(this.#lats, at)]))
      .sort((a, b) => a - b)
      .map((at) => this.#venue(at));
  }

  #makeIndex(): Flatbush {
    const index = new Flatbush(this.length, 16, Int32Array);
    for (let i = 0; i < this.length; i++) {
      const [lon, lat] = [this.#lons.values[i] as number, this.#lats.values[i] as number];
      index.add(lon, lat, lon, lat);
    }
    index.finish();
    return index;
  }

  #degrees(list: NumberList<Int32Array>, at: number): number {
    return (list.values[at] as number) / 1e7;
  }

  #venue(at: number): VenueObservation {
    const start = at === 0 ? 0 : (this.#ends.values[at - 1] as number);
    const bytes = this.#texts.values.subarray(start, this.#ends.values[at]);
    const [nameJa, nameEn, category, level] = Buffer.from(bytes).toString().split(NUL) as [
      string,
      string,
      string,
      string,
    ];
    return { nameJa: nameJa || null, nameEn: nameEn || null, category, level: level || null };
  }
}
