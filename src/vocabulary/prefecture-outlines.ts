import type { MultiPolygon, Position } from './geometry.ts';
import encoded from './prefecture-outlines.json' with { type: 'json' };

/**
 * prefecture-outlines.json: the coasts and borders of the prefectures, generalised from Natural Earth's 1:10m states and
 * provinces (public domain) by scripts/prefecture-outlines.ts. Good for maps of a prefecture or more, not to decide
 * where a building is.
 */
export interface EncodedOutlines {
  /** Units per degree. */
  scale: number;
  /** Longitude and latitude of the first point in units, then the step to each of the others, separated by spaces. */
  arcs: string[];
  /** By prefecture from 01: polygons of rings of arcs; `~i` is arc `i` backwards. */
  prefectures: number[][][][];
}

interface PrefectureOutlines {
  /** By prefecture from 01. */
  areas: readonly MultiPolygon[];
  /** Each line once. */
  coasts: readonly Position[][];
  borders: readonly Position[][];
}

/** The English names of the prefectures, from 01, for labels. */
// biome-ignore format: a table in rows of eight
export const PREFECTURE_NAMES_EN: readonly string[] = [
  'Hokkaido', 'Aomori', 'Iwate', 'Miyagi', 'Akita', 'Yamagata', 'Fukushima', 'Ibaraki',
  'Tochigi', 'Gunma', 'Saitama', 'Chiba', 'Tokyo', 'Kanagawa', 'Niigata', 'Toyama',
  'Ishikawa', 'Fukui', 'Yamanashi', 'Nagano', 'Gifu', 'Shizuoka', 'Aichi', 'Mie',
  'Shiga', 'Kyoto', 'Osaka', 'Hyogo', 'Nara', 'Wakayama', 'Tottori', 'Shimane',
  'Okayama', 'Hiroshima', 'Yamaguchi', 'Tokushima', 'Kagawa', 'Ehime', 'Kochi', 'Fukuoka',
  'Saga', 'Nagasaki', 'Kumamoto', 'Oita', 'Miyazaki', 'Kagoshima', 'Okinawa',
];

let decoded: PrefectureOutlines | undefined;

/** Decoded when first needed. */
export function prefectureOutlines(): PrefectureOutlines {
  decoded ??= decodeOutlines(encoded);
  return decoded;
}

export function decodeOutlines({ scale, arcs, prefectures }: EncodedOutlines): PrefectureOutlines {
  const lines = arcs.map((arc) => {
    const steps = arc.split(' ').map(Number);
    let [x, y] = [0, 0];
    const line: Position[] = [];
    for (let i = 0; i < steps.length; i += 2) {
      x += steps[i] as number;
      y += steps[i + 1] as number;
      line.push([x / scale, y / scale]);
    }
    return line;
  });
  const uses = new Array<number>(lines.length).fill(0);
  const toRing = (indices: readonly number[]): Position[] => {
    const ring: Position[] = [];
    for (const index of indices) {
      const at = index < 0 ? ~index : index;
      uses[at] = (uses[at] as number) + 1;
      const line = lines[at] as Position[];
      const points = index < 0 ? line.toReversed() : line;
      ring.push(...(ring.length === 0 ? points : points.slice(1)));
    }
    return ring;
  };
  const areas = prefectures.map((polygons): MultiPolygon => {
    return { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(toRing)) };
  });
  return {
    areas,
    coasts: lines.filter((_, i) => uses[i] === 1),
    borders: lines.filter((_, i) => (uses[i] as number) > 1),
  };
}
