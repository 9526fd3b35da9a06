import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { formatAssetId } from '../src/vocabulary/asset-id.ts';

/** A seeded random generator (mulberry32): the same seed gives the same file. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TOWNS = [
  '青葉',
  '旭',
  '泉',
  '梅里',
  '大手',
  '川端',
  '桜台',
  '昭和',
  '新町',
  '住吉',
  '高砂',
  '千歳',
  '中央',
  '若葉',
];
const KINDS = ['ビル', 'タワー', 'マンション', 'ハイツ', 'プラザ', 'センター', 'レジデンス', '会館', 'コート'];
const HEADS = ['東洋', '三和', '第一', '第二', '新', '日本', '中央', 'グランド', 'パーク', 'サン', 'メゾン', '丸の内'];
const KINDS_EN = ['Building', 'Tower', 'Heights', 'Plaza', 'Centre', 'Residence', 'Hall', 'Court'];
const OSM_USES = ['office', 'apartments', 'retail', 'house', 'hotel', 'warehouse', 'school', 'commercial'];
const PLATEAU_USES = ['業務施設', '共同住宅', '商業施設', '住宅', '宿泊施設', '運輸倉庫施設', '文教厚生施設'];
const BUILDINGS_PER_AREA = 500;
const AREAS_PER_ROW = 40;
/** One area is a square of about 700 m. */
const AREA_DEGREES = { lon: 0.0078, lat: 0.0063 };

/** Writes `count` buildings of three records each, with their areas. */
export async function generateRecords(path: string, count: number): Promise<void> {
  const out = createWriteStream(path, { highWaterMark: 1 << 20 });
  const write = async (entry: object) => {
    if (!out.write(`${JSON.stringify(entry)}\n`)) await once(out, 'drain');
  };
  const random = chance(1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  await write({
    kind: 'area',
    level: 'prefecture',
    code: '13',
    parent: null,
    slug: 'tokyo',
    nameJa: '東京都',
    nameEn: 'Tokyo',
  });
  await write({
    kind: 'area',
    level: 'ward',
    code: '13101',
    parent: '13',
    slug: 'chiyoda-ku',
    nameJa: '千代田区',
    nameEn: 'Chiyoda-ku',
  });
  for (let i = 0; i < count; i++) {
    const areaNumber = Math.floor(i / BUILDINGS_PER_AREA);
    const area = `13101${String(areaNumber + 1).padStart(7, '0')}`;
    const town = `${TOWNS[areaNumber % TOWNS.length]}${Math.floor(areaNumber / TOWNS.length) + 1}丁目`;
    if (i % BUILDINGS_PER_AREA === 0) {
      const slug = `machi-${areaNumber + 1}`;
      await write({ kind: 'area', level: 'machiAza', code: area, parent: '13101', slug, nameJa: town, nameEn: slug });
    }
    const building = formatAssetId(1_300_000_001 + i);
    const lon = 138.9 + ((areaNumber % AREAS_PER_ROW) + random()) * AREA_DEGREES.lon;
    const lat = 35.5 + (Math.floor(areaNumber / AREAS_PER_ROW) + random()) * AREA_DEGREES.lat;
    const floors = 1 + Math.floor(random() ** 3 * 40);
    const name = `${pick(HEADS)}${pick(TOWNS)}${pick(KINDS)}`;
    const number = `${1 + Math.floor(random() * 30)}-${1 + Math.floor(random() * 40)}`;
    const common = { building, area };
    await write({
      ...{
        kind: 'record',
        source: 'osm',
        sourceRecordId: `way/${i + 1}`,
        sourceUrl: `https://osm.example/way/${i + 1}`,
      },
      ...{
        retrievedAt: '2026-06-01T00:00:00Z',
        rawPayloadRef: payload(random),
        extractionMethod: 'osm-tag',
        ...common,
      },
      geometry: footprint(lon, lat, random),
      observations: [
        { field: 'nameJa', value: name },
        { field: 'addressJa', value: `東京都千代田区${town}${number}` },
        { field: 'assetTypes', value: pick(OSM_USES) },
        { field: 'floorsAbove', value: floors },
        { field: 'aliases', value: `${name}${1 + Math.floor(random() * 9)}号館` },
      ],
    });
    await write({
      ...{
        kind: 'record',
        source: 'plateau',
        sourceRecordId: `bldg_${i + 1}`,
        sourceUrl: `https://plateau.example/${i + 1}`,
      },
      ...{
        retrievedAt: '2026-05-01T00:00:00Z',
        rawPayloadRef: payload(random),
        extractionMethod: 'citygml',
        ...common,
      },
      geometry: footprint(lon, lat, random),
      observations: [
        { field: 'heightM', value: Math.round(floors * 34 + random() * 20) / 10, unit: 'm' },
        { field: 'footprintM2', value: Math.round(random() * 50_000) / 100, unit: 'm2' },
        { field: 'floorsAbove', value: floors + (random() < 0.1 ? 1 : 0) },
        { field: 'assetTypes', value: pick(PLATEAU_USES) },
      ],
    });
    await write({
      ...{
        kind: 'record',
        source: 'wikidata',
        sourceRecordId: `Q${i + 1}`,
        sourceUrl: `https://wikidata.example/Q${i + 1}`,
      },
      ...{
        retrievedAt: '2026-04-01T00:00:00Z',
        rawPayloadRef: payload(random),
        extractionMethod: 'wikidata-claim',
        ...common,
      },
      observations: [
        { field: 'nameEn', value: `${pick(HEADS)} ${pick(KINDS_EN)} ${i % 100}` },
        { field: 'yearBuilt', value: 1960 + Math.floor(random() * 65) },
        { field: 'heightM', value: Math.round(floors * 35) / 10, unit: 'm' },
      ],
    });
  }
  out.end();
  await once(out, 'finish');
}

export function payload(random: () => number): string {
  let hex = '';
  while (hex.length < 64)
    hex += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `sha256:${hex}`;
}

function footprint(lon: number, lat: number, random: () => number): object {
  const [w, h] = [0.00005 + random() * 0.0002, 0.00005 + random() * 0.0002];
  const round = (x: number) => Math.round(x * 1e7) / 1e7;
  const ring = [
    [lon, lat],
    [lon + w, lat],
    [lon + w, lat + h],
    [lon + w / 2, lat + h * 1.1],
    [lon, lat + h],
    [lon, lat],
  ];
  return { type: 'Polygon', coordinates: [ring.map(([x, y]) => [round(x as number), round(y as number)])] };
}
