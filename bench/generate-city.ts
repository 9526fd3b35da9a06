/**
 * node bin/run.js bench/generate-city.ts <file> [buildings]
 *
 * A repeatable city in the record format: names, addresses and aliases as Japan writes them, the common
 * words far more often than the rare, a third of the buildings without a name.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { type AssetKey, formatAssetId } from '../src/vocabulary/asset-id.ts';
import { PREFECTURES } from './city-areas.ts';
import { fullWidth, halfWidth, nameBuilding, type Pick, type UseGroup } from './city-names.ts';
import {
  KANJI_NUMBERS,
  layOutCity,
  type MachiAza,
  numberBuildings,
  placeBuildings,
  SQUARE,
  zipfShares,
} from './city-plan.ts';
import { OWNERS } from './city-words.ts';
import { chance, payload } from './generate-records.ts';

const CHUNK = 1 << 20;

export async function generateCity(path: string, count: number): Promise<void> {
  await pipeline(Readable.from(chunks(count), { objectMode: false }), createWriteStream(path));
}

function* chunks(count: number): Generator<string> {
  let chunk = '';
  for (const line of lines(count)) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function* lines(count: number): Generator<object> {
  const { wards, machiAza } = layOutCity();
  for (const { code, slug, nameJa, nameEn } of PREFECTURES) {
    yield { kind: 'area', level: 'prefecture', code, parent: null, slug, nameJa, nameEn };
  }
  for (const { code, prefecture, slug, nameJa, nameEn } of wards) {
    yield { kind: 'area', level: 'ward', code, parent: prefecture, slug, nameJa, nameEn };
  }
  for (const { code, ward, slug, nameJa, nameEn } of machiAza) {
    yield { kind: 'area', level: 'machiAza', code, parent: ward, slug, nameJa, nameEn };
  }
  const random = chance(13);
  const common = commonFirst(random, 0.9);
  const commonUse = commonFirst(random, 1.4);
  const nextId = numberBuildings();
  for (const [i, index] of placeBuildings(count, machiAza).entries()) {
    const area = machiAza[index] as MachiAza;
    yield* recordsOf(i + 1, nextId(area.prefecture), area, commonUse(USES), common, random);
  }
}

/** Draws from a list, the first item most often (Zipf). */
function commonFirst(random: () => number, exponent: number): Pick {
  const sums = new Map<readonly unknown[], number[]>();
  return (list) => {
    let sum = sums.get(list);
    if (sum === undefined) {
      let total = 0;
      sum = zipfShares(list.length, exponent).map((share) => (total += share));
      sums.set(list, sum);
    }
    return list[lowerBound(sum, random())] as (typeof list)[number];
  };
}

function lowerBound(sums: readonly number[], wanted: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** OSM's word, PLATEAU's word, the last word of its name; the most frequent first. */
type Use = readonly [osm: string, plateau: string, group: UseGroup];
// biome-ignore format: a table
const USES: readonly Use[] = [
  ['house', '住宅', 'homes'], ['yes', '住宅', 'homes'], ['apartments', '共同住宅', 'homes'],
  ['residential', '住宅', 'homes'], ['detached', '住宅', 'homes'], ['office', '業務施設', 'offices'],
  ['retail', '商業施設', 'shops'], ['commercial', '商業施設', 'offices'], ['industrial', '工場', 'works'],
  ['warehouse', '運輸倉庫施設', 'works'], ['school', '文教厚生施設', 'public'], ['garage', '運輸倉庫施設', 'works'],
  ['public', '官公庁施設', 'public'], ['temple', '文教厚生施設', 'public'], ['hospital', '文教厚生施設', 'public'],
  ['hotel', '宿泊施設', 'shops'], ['supermarket', '商業施設', 'shops'], ['kindergarten', '文教厚生施設', 'public'],
  ['shrine', '文教厚生施設', 'public'], ['train_station', '運輸倉庫施設', 'public'], ['parking', '運輸倉庫施設', 'works'],
  ['university', '文教厚生施設', 'public'],
];
const FLOORS_BY_GROUP: Readonly<Record<UseGroup, number>> = { homes: 14, offices: 30, shops: 8, public: 6, works: 4 };

function* recordsOf(
  n: number,
  key: AssetKey,
  area: MachiAza,
  [osmUse, plateauUse, group]: Use,
  common: Pick,
  random: () => number,
): Generator<object> {
  const name = random() < 0.65 ? nameBuilding(group, area.place, common, random) : undefined;
  const floors = 1 + Math.floor(random() ** 4 * FLOORS_BY_GROUP[group]);
  const address = random() < 0.9 ? addressIn(area, random) : undefined;
  const [lon, lat] = [area.corner[0] + random() * SQUARE.lon, area.corner[1] + random() * SQUARE.lat];
  const building = formatAssetId(key);
  const head = (source: string, sourceRecordId: string, extractionMethod: string) => ({
    kind: 'record',
    source,
    sourceRecordId,
    sourceUrl: `https://${source}.example/${sourceRecordId}`,
    retrievedAt: `2026-0${1 + (n % 9)}-01T00:00:00Z`,
    rawPayloadRef: payload(random),
    extractionMethod,
    building,
    area: area.code,
  });

  yield {
    ...head('osm', `way/${n}`, 'osm-tag'),
    geometry: footprint(lon, lat, random),
    observations: [
      ...(name === undefined ? [] : namesOf(name, common, random)),
      ...(address === undefined ? [] : [{ field: 'addressJa', value: address }]),
      { field: 'assetTypes', value: osmUse },
      ...(random() < 0.3 ? [{ field: 'floorsAbove', value: floors }] : []),
    ],
  };
  if (random() < 0.18) {
    yield {
      ...head('plateau', `bldg_${n}`, 'citygml'),
      observations: [
        { field: 'heightM', value: Math.round(floors * 34 + random() * 20) / 10 },
        { field: 'assetTypes', value: plateauUse },
        ...(random() < 0.5 ? [{ field: 'yearBuilt', value: 1955 + Math.floor(random() * 70) }] : []),
      ],
    };
  }
  if (name === undefined) return;
  const owned = random();
  const owner = common(OWNERS);
  if (owned < 0.025) {
    yield {
      ...head(owned < 0.015 ? 'jreit' : 'edinet', `P${n}`, 'disclosure-table'),
      observations: [
        { field: 'nameJa', value: name.ja },
        { field: 'ownerPublic', value: owner },
        { field: 'completionMonth', value: `${1980 + Math.floor(random() * 45)}-0${1 + Math.floor(random() * 9)}` },
        { field: 'acquisitionPriceJpy', value: 10_000_000 * (1 + Math.floor(random() ** 3 * 3_000)) },
      ],
    };
  } else if (owned < 0.055) {
    yield {
      ...head('wikidata', `Q${n}`, 'wikidata-claim'),
      observations: [
        { field: 'nameEn', value: name.en },
        { field: 'yearBuilt', value: 1900 + Math.floor(random() ** 0.5 * 125) },
        ...(random() < 0.3 ? [{ field: 'ownerPublic', value: owner }] : []),
        ...(random() < 0.5 ? [{ field: 'aliases', value: `旧${name.ja}` }] : []),
      ],
    };
  }
}

function namesOf(name: { ja: string; en: string }, common: Pick, random: () => number): object[] {
  const names = [{ field: 'nameJa', value: random() < 0.04 ? fullWidth(name.ja) : name.ja }];
  if (random() < 0.18) names.push({ field: 'nameEn', value: random() < 0.1 ? name.en.toUpperCase() : name.en });
  const aliases = random() < 0.22 ? 1 + Math.floor(random() ** 2 * 3) : 0;
  const ways = [halfWidth(name.ja), fullWidth(name.en), `旧${name.ja}`, `${name.ja}本館`, name.en.replaceAll(' ', '')];
  const chosen = new Set(Array.from({ length: aliases }, () => common(ALIAS_WAYS)));
  for (const way of chosen) names.push({ field: 'aliases', value: ways[way] as string });
  return names;
}
const ALIAS_WAYS = [0, 1, 2, 3, 4];

function addressIn({ place, chome, above }: MachiAza, random: () => number): string {
  const [block, house] = [1 + Math.floor(random() ** 1.5 * 32), 1 + Math.floor(random() ** 1.4 * 28)];
  const r = random();
  const start = `${r < 0.85 ? above.withPrefecture : above.short}${place[0]}`;
  const way = random();
  if (chome === undefined) {
    const lot = block * 7 + house;
    if (way < 0.5) return `${start}${lot}番地${house}`;
    return `${start}${way < 0.9 ? `${lot}-${house}` : fullWidth(`${lot}-${house}`)}`;
  }
  if (way < 0.6) return `${start}${KANJI_NUMBERS[chome]}丁目${block}番${house}号`;
  if (way < 0.67) return `${start}${chome}丁目${block}-${house}`;
  const numbers = `${chome}-${block}-${house}`;
  return `${start}${way < 0.9 ? numbers : fullWidth(numbers)}`;
}

function footprint(lon: number, lat: number, random: () => number): object {
  const [w, h] = [0.00005 + random() * 0.0002, 0.00005 + random() * 0.0002];
  const round = (x: number) => Math.round(x * 1e6) / 1e6;
  const [west, south, east, north] = [round(lon), round(lat), round(lon + w), round(lat + h)];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, count = '10000'] = process.argv.slice(2);
  if (path === undefined) throw new Error('usage: node bin/run.js bench/generate-city.ts <file> [buildings]');
  await generateCity(path, Number(count));
}
