import Flatbush from 'flatbush';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { Nearby } from '../vocabulary/building-page.ts';
import type { Category } from '../vocabulary/categories.ts';
import { metresPerDegree } from '../vocabulary/geometry.ts';
import type { Areas } from './areas.ts';
import type { BuildingRow } from './buildings.ts';

export const NEARBY_RADIUS_M = 500;
const NEARBY_COUNT = 8;

/** A published building that has a place. */
export type PlacedBuilding = BuildingRow & { lat: number; lon: number; mesh: string; area: string; category: Category };

/** Points of one neighbourhood of tiles, in metres, to be asked what is near. */
export class Neighbourhood<T extends { lat: number; lon: number }> {
  readonly #items: readonly T[];
  readonly #index: Flatbush | undefined;
  readonly #scale: { lat: number; lon: number };

  constructor(items: readonly T[], centreLat: number) {
    this.#items = items;
    this.#scale = metresPerDegree(centreLat);
    if (items.length === 0) return;
    this.#index = new Flatbush(items.length);
    for (const { lat, lon } of items) {
      const [x, y] = this.#project(lat, lon);
      this.#index.add(x, y, x, y);
    }
    this.#index.finish();
  }

  /** Everything within `radius`, nearest first; at most `count` where it is given. */
  within(
    lat: number,
    lon: number,
    radius: number,
    count = Number.POSITIVE_INFINITY,
    accept?: (item: T) => boolean,
  ): { item: T; distance: number }[] {
    if (this.#index === undefined) return [];
    const [x, y] = this.#project(lat, lon);
    const found = this.#index.neighbors(x, y, count, radius, accept && ((i) => accept(this.#items[i] as T)));
    return found.map((i) => {
      const item = this.#items[i] as T;
      const [ix, iy] = this.#project(item.lat, item.lon);
      return { item, distance: Math.hypot(ix - x, iy - y) };
    });
  }

  #project(lat: number, lon: number): [number, number] {
    return [lon * this.#scale.lon, lat * this.#scale.lat];
  }
}

const toDecimetre = (metres: number) => Math.round(metres * 10) / 10;

/** Up to eight buildings within 500 m, nearest first, ties by ID. */
export function findNearby(building: PlacedBuilding, around: Neighbourhood<PlacedBuilding>, areas: Areas): Nearby[] {
  const { lat, lon } = building;
  const others = (item: PlacedBuilding) => item.id !== building.id;
  // One more than are shown: where it stands as far as the last of them, all who do are asked for and the ID decides.
  let found = around.within(lat, lon, NEARBY_RADIUS_M, NEARBY_COUNT + 1, others);
  const [last, next] = [found[NEARBY_COUNT - 1], found[NEARBY_COUNT]];
  if (last !== undefined && next !== undefined && toDecimetre(last.distance) === toDecimetre(next.distance)) {
    found = around.within(lat, lon, Math.min(next.distance + 0.1, NEARBY_RADIUS_M), undefined, others);
  }
  return found
    .map(({ item, distance }) => ({ item, distanceM: toDecimetre(distance) }))
    .sort((a, b) => a.distanceM - b.distanceM || a.item.id - b.item.id)
    .slice(0, NEARBY_COUNT)
    .map(({ item, distanceM }) => ({
      id: formatAssetId(item.id),
      path: buildingPath(item.id, item.area, areas),
      nameJa: item.name_ja,
      nameEn: item.name_en,
      category: item.category,
      distanceM,
    }));
}

function buildingPath(building: AssetKey, area: string, areas: Areas): string {
  return `${areas.place(area).path}/${formatAssetId(building)}`;
}
