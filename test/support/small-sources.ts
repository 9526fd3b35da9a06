import type { IngestSource } from '../../src/pipeline/adapters.ts';
import type { Position } from '../../src/vocabulary/geometry.ts';
import { AT, HAKUSAN_1, RESIDENCE, tableOf } from '../sources/abr/tables.ts';
import { block, FORM, honbun, table } from '../sources/edinet/filing.ts';
import { dbfOf, JGD2011, shpOf, squareAt } from '../sources/estat/shapefiles.ts';
import { workbook, zipOf } from '../sources/jreit/workbook.ts';
import { amount, entity, ref, text, time } from '../sources/wikidata/entities.ts';
import { nodeXml, osmXml, squareXml } from './osm-xml.ts';
import { type CityBuilding, cityGml, squareRing } from './write-citygml.ts';
import { type PbfElement, writePbf } from './write-pbf.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

/** The location of the first building; each of the next is about 90 m further east. */
export const [LON, LAT]: Position = [139.7512, 35.7152];
const STEP = 0.001;
const SIZE = 0.0002;
export const HAKUSAN = '131050001001';
export const NAMES = ['青葉ビル', '若葉タワー', '双葉館'] as const;

/** Three OSM buildings in 白山一丁目; tags can be overridden. */
export function osmFile(changed: Readonly<Record<number, Readonly<Record<string, string>>>> = {}): string {
  const squares = NAMES.map((name, i) =>
    squareXml({
      ...{ way: i + 1, west: LON + i * STEP, south: LAT, size: SIZE },
      tags: {
        ...{ building: 'office', name, 'building:levels': String(5 + i) },
        ...(i === 0 ? { wikidata: 'Q901', height: '50' } : {}),
        ...changed[i + 1],
      },
    }),
  );
  const cafe = nodeXml(99, LON + SIZE / 2, LAT + SIZE / 2, { amenity: 'cafe', name: '喫茶あおば' });
  return osmXml(cafe, ...squares);
}

/** The same three as elements of the other formats. */
export function osmElements(): PbfElement[] {
  const nodes: PbfElement[] = [];
  const ways: PbfElement[] = [];
  NAMES.forEach((name, i) => {
    const [west, east] = [LON + i * STEP, LON + i * STEP + SIZE];
    const corners = [
      [west, LAT],
      [east, LAT],
      [east, LAT + SIZE],
      [west, LAT + SIZE],
    ] as const;
    const ids = corners.map(([lon, lat], j) => {
      nodes.push({ type: 'node', id: (i + 1) * 10 + j, lon, lat });
      return (i + 1) * 10 + j;
    });
    ways.push({ type: 'way', id: i + 1, refs: [...ids, ids[0] as number], tags: { building: 'office', name } });
  });
  return [...nodes, ...ways];
}

export const osmPbf = () => writePbf(osmElements());

export function overpassJson(): string {
  const elements = osmElements().map((element) =>
    element.type === 'way' ? { type: 'way', id: element.id, nodes: element.refs, tags: element.tags } : element,
  );
  return JSON.stringify({ version: 0.6, generator: 'Overpass API', elements }, null, 1);
}

/** The first is the first OSM building, half a metre off; the second is only in PLATEAU. */
export const CITY: readonly CityBuilding[] = [
  {
    ...{ id: '13105-bldg-1', gmlId: 'bldg_1', usage: '401', height: 48.5, storeysAbove: 5, year: 1999 },
    outline: [squareRing(LON + 0.000005, LAT, 20)],
  },
  {
    ...{ id: '13105-bldg-2', gmlId: 'bldg_2', usage: '411', height: 9.5, address: '東京都文京区白山一丁目' },
    outline: [squareRing(LON, LAT + STEP, 15)],
  },
];

const HAKUSAN_2 = { ...HAKUSAN_1, machiaza_id: '0001002', chome: '２丁目', chome_number: '2' };
/** 1番2号 is the first building, 1番3号 the second. */
const residences = [0, 1].map((i) => ({ ...RESIDENCE, rsdt_id: `00${i + 2}`, rsdt_num: String(i + 2) }));
const pointOf = (i: number) => ({
  rep_lon: (LON + i * STEP + SIZE / 2).toFixed(6),
  rep_lat: (LAT + SIZE / 2).toFixed(6),
  rep_srid: 'EPSG:6668',
});

export const ABR: Files = {
  'mt_town.csv': tableOf('town', [HAKUSAN_1, HAKUSAN_2]),
  'mt_town_pos.csv': tableOf(
    'townPos',
    [HAKUSAN_1, HAKUSAN_2].map((town) => ({ ...town, ...AT })),
  ),
  'mt_rsdt.csv': tableOf('rsdt', residences),
  'mt_rsdt_pos.csv': tableOf(
    'rsdtPos',
    residences.map((row, i) => ({ ...row, ...pointOf(i) })),
  ),
};

const small = (key: string, name: string) => ({ KEY_CODE: key, PREF: '13', CITY: '105', S_NAME: name, HCODE: 8101 });

/** Three neighbourhoods from west to east; the buildings are in the first. */
export function estatOf(names: readonly [string, string, string]): Files {
  const keys = ['13105013001', '13105013002', '13105099001'];
  return {
    'r2ka13105.shp': shpOf([139.745, 139.755, 139.765].map((west) => [squareAt(west, 35.71)])),
    'r2ka13105.dbf': dbfOf(names.map((name, i) => small(keys[i] as string, name))),
    'r2ka13105.prj': JGD2011,
  };
}

/** The last one is fictional. */
export const ESTAT: Files = estatOf(['白山一丁目', '白山二丁目', '架空一丁目']);

export const wikidataFile = (height = '+49.5') =>
  JSON.stringify({
    entities: {
      Q901: entity(
        'Q901',
        { ja: '青葉ビルディング', en: 'Aoba Building' },
        {
          P31: [ref('Q1021645')],
          P17: [ref('Q17')],
          P2048: [amount(height, 'Q11573')],
          P1619: [time('+1998-04-01')],
          P10689: [text('1')],
        },
      ),
    },
  });

export const NOMINATIM = JSON.stringify({
  ...{ place_id: 7, osm_type: 'way', osm_id: 2, category: 'building', type: 'office' },
  ...{
    lat: String(LAT + SIZE / 2),
    lon: String(LON + STEP + SIZE / 2),
    display_name: '若葉タワー, 白山一丁目, 文京区, 日本',
  },
  address: {
    ...{ building: '若葉タワー', city_block: '1', house_number: '3', neighbourhood: '白山一丁目', quarter: '白山' },
    ...{ city: '文京区', 'ISO3166-2-lvl4': 'JP-13', postcode: '112-0001', country: '日本', country_code: 'jp' },
  },
});

export const FILING = honbun(
  block(
    table(
      ['物件番号', '物件名称', '所在地', '取得価格（百万円）'],
      ['O-1', '青葉ビル', '東京都文京区白山一丁目1番2号', '1,234'],
      ['O-2', '遠方ビル', '東京都港区芝五丁目1番1号', '2,000'],
    ),
  ),
);

export const JREIT = [
  '投資法人,物件番号,物件名称,所在地,取得価格(百万円),竣工年月,物件ページ',
  'ＡＢＣ投資法人,O-1,若葉タワー,東京都文京区白山一丁目1番3号,"1,500",2001年3月,https://abc.example/p/1',
  'ＡＢＣ投資法人,O-2,離島ビル,東京都港区芝五丁目2番2号,900,1990年1月,https://abc.example/p/2',
  '',
].join('\n');

export const GREENARCHIVE = [
  '管理番号,建物名,所在地,延べ面積,完了年月,建築主',
  'A-1,青葉ビル,文京区白山一丁目1番2号,12345.67,1999-03,架空不動産株式会社',
  'A-2,何処ビル,文京区白山一丁目9番9号,999,2003-01,架空不動産株式会社',
  '',
].join('\n');

export const GREENBUILDING = [
  '検索条件',
  '',
  '建物番号,地域,建物名,所在地,建築主,延べ面積,工事完了(予定)年月,用途',
  '990001,文京区,若葉タワー,文京区白山一丁目1番3号,甲乙株式会社　代表取締役　山田太郎,2643.02,2020-06-25,賃貸住宅',
  '990002,文京区,彼方タワー,文京区白山一丁目8番8号,甲乙株式会社,2000,2021-06-25,分譲住宅',
  '',
].join('\n');

export const MANKAN = [
  '認定コード,マンション名,所在地,認定日,総戸数',
  '99-1,若葉タワー,東京都文京区白山一丁目1番3号,令和5年4月1日,120',
  '99-2,遠方マンション,東京都港区芝五丁目3番3号,2024-02-29,30',
  '',
].join('\n');

export const xlsx = () =>
  workbook({
    name: 'データシート',
    rows: {
      2: [undefined, '物件名称', '所在地', '取得価格（円）'],
      3: ['1', '双葉館', '東京都文京区白山一丁目1番4号', 1_000_000_000],
    },
  });

export type SmallSourceName = Exclude<IngestSource, 'records'>;

export interface SmallSource {
  files: Files;
  /** The counts of the summary of a first ingest, after the sources before it in the list. */
  read: number;
  matched: number;
  unmatched: number;
}

/** A small set of files per source, in an order in which each finds the buildings that it needs. */
export async function smallSources(): Promise<Record<SmallSourceName, SmallSource>> {
  const filing = await zipOf({ [`XBRL/PublicDoc/0101010_honbun_${FORM}`]: FILING });
  return {
    abr: { files: ABR, read: 6, matched: 0, unmatched: 2 },
    estat: { files: ESTAT, read: 3, matched: 2, unmatched: 1 },
    osm: { files: { 'city.osm': osmFile() }, read: 3, matched: 3, unmatched: 0 },
    plateau: { files: { 'udx/bldg/53394611_bldg_6697_op.gml': cityGml(CITY) }, read: 2, matched: 2, unmatched: 0 },
    wikidata: { files: { 'items.json': wikidataFile() }, read: 1, matched: 1, unmatched: 0 },
    nominatim: { files: { 'reply.json': NOMINATIM }, read: 1, matched: 1, unmatched: 0 },
    edinet: { files: { 'S100ABCD.zip': filing }, read: 2, matched: 1, unmatched: 1 },
    jreit: { files: { 'list.csv': JREIT }, read: 2, matched: 1, unmatched: 1 },
    greenarchive: { files: { 'archive.csv': GREENARCHIVE }, read: 2, matched: 1, unmatched: 1 },
    greenbuilding: { files: { 'export.csv': GREENBUILDING }, read: 2, matched: 1, unmatched: 1 },
    mankan: { files: { 'captured.csv': MANKAN }, read: 2, matched: 1, unmatched: 1 },
  };
}
