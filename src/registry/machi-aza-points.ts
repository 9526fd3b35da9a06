import Flatbush from 'flatbush';
import { metresPerDegree, type Position } from '../vocabulary/geometry.ts';
import type { Area } from './areas.ts';

/** PLC-01: the nearest point decides only within this distance. */
export const MAX_NEAREST_M = 2_000;

interface Near {
  code: string;
  distanceM: number;
}

type Pointed = Area & { point: Position };

/** The representative points of machi-aza. Of two at the same distance, the lower code wins. */
export class MachiAzaPoints {
  readonly #areas: Pointed[];
  readonly #index: Flatbush | undefined;
  readonly #byWard = new Map<string, Pointed[]>();
  readonly #prefectures = new Set<string>();

  constructor(all: Iterable<Area>) {
    this.#areas = [...all].filter((area): area is Pointed => area.level === 'machiAza' && area.point != null);
    for (const area of this.#areas) {
      this.#prefectures.add(area.code.slice(0, 2));
      const ward = this.#byWard.get(area.parent as string);
      if (ward === undefined) this.#byWard.set(area.parent as string, [area]);
      else ward.push(area);
    }
    if (this.#areas.length === 0) return;
    this.#index = new Flatbush(this.#areas.length);
    for (const { point } of this.#areas) this.#index.add(point[0], point[1], point[0], point[1]);
    this.#index.finish();
  }

  hasPrefecture(code: string): boolean {
    return this.#prefectures.has(code);
  }

  /**
   * The nearest point of each prefecture within reach, nearest first. Machi-aza with a boundary are omitted: the
   * boundary would have matched.
   */
  around([lon, lat]: Position): Near[] {
    const scale = metresPerDegree(lat);
    const [width, height] = [MAX_NEAREST_M / scale.lon, MAX_NEAREST_M / scale.lat];
    const found = this.#index?.search(lon - width, lat - height, lon + width, lat + height) ?? [];
    const byPrefecture = new Map<string, Near>();
    for (const i of found) {
      const area = this.#areas[i] as Pointed;
      const near = measure(area, [lon, lat]);
      if (near.distanceM > MAX_NEAREST_M || area.isBounded) continue;
      const prefecture = near.code.slice(0, 2);
      byPrefecture.set(prefecture, nearer(near, byPrefecture.get(prefecture)));
    }
    return [...byPrefecture.values()].sort((a, b) => (nearer(a, b) === a ? -1 : 1));
  }

  /** The nearest point of some wards, at any distance. */
  within(wards: Iterable<string>, position: Position): Near | undefined {
    let best: Near | undefined;
    for (const ward of wards) {
      for (const area of this.#byWard.get(ward) ?? []) best = nearer(measure(area, position), best);
    }
    return best;
  }
}

function measure({ code, point }: Pointed, [lon, lat]: Position): Near {
  const scale = metresPerDegree(lat);
  return { code, distanceM: Math.hypot((point[0] - lon) * scale.lon, (point[1] - lat) * scale.lat) };
}

function nearer(a: Near, b: Near | undefined): Near {
  if (b === undefined) return a;
  return a.distanceM < b.distanceM || (a.distanceM === b.distanceM && a.code < b.code) ? a : b;
}
