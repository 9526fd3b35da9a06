import { type AssetKey, assetKey } from '../src/vocabulary/asset-id.ts';
import { PREFECTURES } from './city-areas.ts';
import { PLACES } from './city-words.ts';
import { chance } from './generate-records.ts';

export interface Ward {
  code: string;
  prefecture: string;
  slug: string;
  nameJa: string;
  nameEn: string;
}

export interface MachiAza {
  code: string;
  ward: string;
  prefecture: string;
  slug: string;
  nameJa: string;
  nameEn: string;
  /** Share of all buildings. */
  share: number;
  /** The name without the chome, in Japanese and English, and its number if it has one. */
  place: readonly [ja: string, en: string];
  chome: number | undefined;
  /** 東京都千代田区, or 千代田区. */
  above: { withPrefecture: string; short: string };
  corner: readonly [lon: number, lat: number];
}

/** One machi-aza is a square of about 700 m. */
export const SQUARE = { lon: 0.0078, lat: 0.0063 };
const SQUARES_PER_ROW = 40;
export const KANJI_NUMBERS = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十'] as const;
/** Well-known machi-aza; those of the other wards are generated. */
const KNOWN_PLACES: Readonly<Record<string, readonly string[]>> = {
  13101: ['丸の内', '大手町', '有楽町', '麹町', '永田町', '霞が関', '飯田橋', '九段', '神保町', '岩本町', '神田'],
  13102: ['銀座', '日本橋', '京橋', '八重洲', '築地', '月島'],
  13103: ['芝', '三田', '赤坂', '六本木', '麻布', '白金', '高輪'],
  27127: ['梅田', '天満', '大手町'],
};

/** Shares of `count` items, the first the largest (Zipf). */
export function zipfShares(count: number, exponent: number): number[] {
  const weights = Array.from({ length: count }, (_, i) => 1 / (i + 1) ** exponent);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

export function shuffle<T>(list: T[], random: () => number): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}

/** The areas of the city: the same for any number of buildings. */
export function layOutCity(): { wards: Ward[]; machiAza: MachiAza[] } {
  const random = chance(11);
  const wards: Ward[] = [];
  const machiAza: MachiAza[] = [];
  for (const prefecture of PREFECTURES) {
    const listed = prefecture.wards.split(',').map((entry) => entry.trim().split(' ') as [string, string, string]);
    const wardShares = zipfShares(listed.length, 0.5);
    let square = 0;
    for (const [i, [code, nameJa, nameEn]] of listed.entries()) {
      wards.push({ code, prefecture: prefecture.code, slug: nameEn.toLowerCase(), nameJa, nameEn });
      const inside = layOutWard(code, random);
      const shares = shuffle(zipfShares(inside.length, 0.6), random);
      for (const [j, area] of inside.entries()) {
        machiAza.push({
          ...area,
          ward: code,
          prefecture: prefecture.code,
          share: prefecture.share * (wardShares[i] as number) * (shares[j] as number),
          above: { withPrefecture: `${prefecture.nameJa}${nameJa}`, short: nameJa },
          corner: [
            prefecture.corner[0] + (square % SQUARES_PER_ROW) * SQUARE.lon,
            prefecture.corner[1] + Math.floor(square / SQUARES_PER_ROW) * SQUARE.lat,
          ],
        });
        square += 1;
      }
    }
  }
  return { wards, machiAza };
}

type AreaInWard = Pick<MachiAza, 'code' | 'slug' | 'nameJa' | 'nameEn' | 'place' | 'chome'>;

function layOutWard(ward: string, random: () => number): AreaInWard[] {
  const known = KNOWN_PLACES[ward]?.map((name) => PLACES.find(([ja]) => ja === name) as (typeof PLACES)[number]);
  const places = known ?? shuffle([...PLACES], random).slice(0, 4 + Math.floor(random() * 5));
  return places.flatMap((place, i): AreaInWard[] => {
    const [ja, en] = place;
    const code = `${ward}${String(i + 1).padStart(4, '0')}`;
    const chomes = known !== undefined ? 3 : Math.floor(random() ** 1.4 * 7);
    if (chomes === 0) {
      return [{ code: `${code}000`, slug: en.toLowerCase(), nameJa: ja, nameEn: en, place, chome: undefined }];
    }
    return Array.from({ length: chomes }, (_, n) => ({
      code: `${code}${String(n + 1).padStart(3, '0')}`,
      slug: `${en.toLowerCase()}-${n + 1}-chome`,
      nameJa: `${ja}${KANJI_NUMBERS[n + 1]}丁目`,
      nameEn: `${en} ${n + 1}-chome`,
      place,
      chome: n + 1,
    }));
  });
}

/** Share of the buildings that are not beside their neighbours in the file. */
const STRAYS = 0.15;

/** For each building in the order of the file, the index of its machi-aza: ward after ward, with some of them scattered. */
export function placeBuildings(count: number, machiAza: readonly MachiAza[]): Uint16Array {
  const random = chance(12);
  const order = new Uint16Array(count);
  const byWard = Map.groupBy(machiAza.keys(), (index) => (machiAza[index] as MachiAza).ward);
  let share = 0;
  let at = 0;
  for (const ward of shuffle([...byWard.keys()], random)) {
    for (const index of byWard.get(ward) as number[]) {
      share += (machiAza[index] as MachiAza).share;
      const end = Math.min(count, Math.round(share * count));
      order.fill(index, at, end);
      at = end;
    }
  }
  order.fill(order[Math.max(0, at - 1)] as number, at);
  for (let swaps = Math.floor((count * STRAYS) / 2); swaps > 0; swaps--) {
    const [i, j] = [Math.floor(random() * count), Math.floor(random() * count)];
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** The IDs of the city's buildings, in the order of the file. */
export function cityKeys(count: number): AssetKey[] {
  const { machiAza } = layOutCity();
  const next = numberBuildings();
  return Array.from(placeBuildings(count, machiAza), (index) => next((machiAza[index] as MachiAza).prefecture));
}

/** Assigns consecutive IDs in each prefecture. */
export function numberBuildings(): (prefecture: string) => AssetKey {
  const last = new Map<string, number>();
  return (prefecture) => {
    const number = (last.get(prefecture) ?? 0) + 1;
    last.set(prefecture, number);
    return assetKey(prefecture, number);
  };
}
