import { prefectureName } from '../../vocabulary/prefectures.ts';

/** The special wards, which Nominatim gives as cities. */
// biome-ignore format: a table in rows of eight
export const TOKYO_WARDS: ReadonlySet<string> = new Set([
  '千代田区', '中央区', '港区', '新宿区', '文京区', '台東区', '墨田区', '江東区',
  '品川区', '目黒区', '大田区', '世田谷区', '渋谷区', '中野区', '杉並区', '豊島区',
  '北区', '荒川区', '板橋区', '練馬区', '足立区', '葛飾区', '江戸川区',
]);

export function prefectureByIso(code: string | undefined): string | undefined {
  const match = /^JP-(\d\d)$/.exec(code ?? '');
  return match === null ? undefined : prefectureName(match[1] as string);
}
