import { mergeBuildings, retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { fillOnce, type TestDatabase } from './engines.ts';
import { AREA, AREAS, building, id, type Json, OTHER_AREA, record } from './records.ts';
import { openServedRegistry, type ServedRegistry } from './served-registry.ts';

const UMEDA = '271270001001';

/** Areas without an English name. */
const OSAKA: Json[] = [
  { level: 'prefecture', code: '27', parent: null, slug: 'osaka', nameJa: '大阪府' },
  { level: 'ward', code: '27127', parent: '27', slug: 'kita-ku', nameJa: '大阪市北区' },
  { level: 'machiAza', code: UMEDA, parent: '27127', slug: 'umeda', nameJa: '梅田' },
].map((area) => ({ kind: 'area', nameEn: null, ...area }));

/** The buildings of the town, by what they demonstrate. */
export const TOWN = {
  /** Has every field, from eight sources that mostly disagree. */
  everything: id(1),
  /** Inherits year built and architect from its complex; its floor area is computed. */
  inheriting: id(2),
  /** Not completed yet. */
  planned: id(3),
  /** Has no fields and no coordinates. */
  bare: id(4),
  onlyEnglish: id(5),
  osaka: id(1, '27'),
  /** Each merged into the next; the last is live. */
  chain: [id(20), id(21), id(22)] as const,
  retiredInto: { from: id(23), into: id(1) },
  retired: id(24),
  mergedIntoRetired: id(25),
  unplaced: id(26),
  unknown: id(99),
} as const;

const of = (number: number) => ({ building: id(number) });
const { area: _, ...unplaced } = building(26);

export const EVERYTHING: Json[] = [
  building(
    1,
    {
      nameJa: '甲ビル',
      nameEn: 'Kō Building',
      addressJa: '東京都千代田区丸の内一丁目1番',
      postcode: '100-0005',
      heightM: 48.5,
      floorsAbove: 9,
      footprintM2: 410,
      aliases: ['甲', 'The First'],
      assetTypes: ['office', 'retail'],
    },
    {
      venues: [
        { nameJa: '喫茶「甲」', nameEn: 'Café Kō', category: 'coffee_shop', level: 'B1' },
        ...Array.from({ length: 9 }, (_, i) => ({ nameJa: `店${i}`, category: 'shop', level: i + 1 })),
        { nameEn: 'Only English', category: 'bar' },
      ],
    },
  ),
  record('plateau', 'b1', { heightM: 50.25, floorsAbove: 10, footprintM2: 400.5, assetTypes: '事務所' }, of(1)),
  record(
    'wikidata',
    'Q1',
    {
      nameEn: 'Ko Building',
      yearBuilt: 2001,
      architect: '乙設計',
      ownerPublic: '丙株式会社',
      aliases: ['Ichi', '甲'],
      heightM: 49,
    },
    of(1),
  ),
  record('abr', 'a1', { addressJa: '東京都千代田区丸の内１丁目１', postcode: '100-0006' }, of(1)),
  record('estat', 'e1', { nameEn: 'Consulted in vain' }, of(1)),
  record(
    'jreit',
    'r1',
    {
      nameJa: '甲ビルディング',
      gfaM2: 12_345.67,
      completionMonth: '2001-03',
      structure: 'SRC造',
      landAreaM2: 1_000,
      leasableAreaM2: 9_876.54,
      acquisitionPriceJpy: 12_345_678_901,
      acquisitionDate: '2015-04-01',
      bookValueJpy: 11_000_000_000,
      occupancyRate: 98.7,
      unitCount: 12,
      roomCount: 345,
      floorsAbove: 11,
      floorsBelow: 2,
      yearBuilt: 2002,
      ownerPublic: '丁投資法人',
    },
    of(1),
  ),
  record(
    'edinet',
    'S100',
    {
      appraisalValueJpy: 13_000_000_000,
      appraisalDate: '2025-06-30',
      bookValueJpy: 10_900_000_000,
      occupancyRate: 99,
      structure: 'S造',
    },
    of(1),
  ),
  record('greenarchive', 'g1', { developer: '戊不動産', tenure: 'sale', completionMonth: '2001-04' }, of(1)),
  record('greenbuilding', 'n1', { developer: '己開発', tenure: 'rental' }, of(1)),
  record('mankan', 'm1', { managementPlanCertifiedOn: '2024-02-29', unitCount: 13 }, of(1)),
];

const LINES: Json[] = [
  ...AREAS,
  ...OSAKA,
  ...EVERYTHING,
  building(2, { nameJa: '乙タワー', footprintM2: 100, floorsAbove: 3, floorsBelow: 1, assetTypes: 'hotel' }),
  record(
    'wikidata',
    'Q2',
    { yearBuilt: 1999, architect: '複合設計' },
    { ...of(2), extractionMethod: 'inherited-complex', complex: { nameJa: '乙シティ', nameEn: 'Otsu City' } },
  ),
  record(
    'wikidata',
    'Q3',
    { yearBuilt: 1998 },
    { ...of(2), extractionMethod: 'inherited-complex', complex: { nameJa: '乙街区', nameEn: null } },
  ),
  building(3, { nameJa: '丙計画', assetTypes: 'apartments' }),
  record('greenbuilding', 'n3', { completionMonth: '2028-05', yearBuilt: 2028 }, of(3)),
  record('osm', 'node/4', {}, { ...of(4), area: OTHER_AREA }),
  record('osm', 'way/5', { nameEn: 'English House', assetTypes: 'house' }, { ...of(5), area: OTHER_AREA }),
  building(
    1,
    {
      nameJa: '梅田塔',
      addressJa: '大阪市北区梅田1-1',
      heightM: 120,
      floorsAbove: 30,
      assetTypes: ['hotel', 'retail'],
    },
    { building: TOWN.osaka, area: UMEDA, sourceRecordId: 'way/27' },
  ),
  ...Array.from({ length: 45 }, (_, i) =>
    building(
      100 + i,
      {
        nameJa: `第${String(i).padStart(2, '0')}塔`,
        heightM: 10 + i,
        floorsAbove: 1 + (i % 9),
        assetTypes: [['office'], ['共同住宅'], ['retail', 'parking'], []][i % 4],
        ...(i % 5 === 0 && { footprintM2: 1_000 - i }),
      },
      { area: i % 3 === 0 ? OTHER_AREA : AREA },
    ),
  ),
  ...Array.from({ length: 12 }, (_, i) =>
    record(
      'wikidata',
      `Q${100 + i}`,
      { yearBuilt: 1900 + i * 10, ...(i % 2 === 0 && { ownerPublic: `所有者${i}` }), ...(i === 3 && { heightM: 7 }) },
      of(100 + i),
    ),
  ),
  // A use without a category.
  ...[20, 21, 22, 23, 24, 25].map((number) => building(number, number === 22 ? { assetTypes: 'pagoda-like' } : {})),
  unplaced,
  { kind: 'merge', from: id(20), into: id(21), reason: 'one building' },
  { kind: 'merge', from: id(21), into: id(22), reason: 'one building' },
];

/** The IDs of published records. */
export const TOWN_LIVE = [
  ...[1, 2, 3, 4, 5, 22].map((number) => id(number)),
  TOWN.osaka,
  ...Array.from({ length: 45 }, (_, i) => id(100 + i)),
];

/** A registry in two prefectures that covers everything a page can show. */
export async function openPageTown(database: TestDatabase): Promise<ServedRegistry> {
  return openServedRegistry(database, await fillOnce('page town', database, fillPageTown));
}

/** Returns the time of its clock. */
async function fillPageTown(database: TestDatabase): Promise<number> {
  const served = await openServedRegistry(database);
  await served.ingest(LINES);
  const { context } = served;
  await retireBuilding(context, TOWN.retiredInto.from, TOWN.retiredInto.into, null);
  await mergeBuildings(context, TOWN.mergedIntoRetired, TOWN.retired, null);
  await retireBuilding(context, TOWN.retired, undefined, null);
  await served.close();
  return served.seconds();
}

export const HUBS = {
  prefecture: '/japan/tokyo',
  ward: '/japan/tokyo/chiyoda-ku',
  machiAza: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
} as const;
export const HUB_PATHS: readonly string[] = Object.values(HUBS);

export const townPath = (buildingId: string) => `${HUBS.machiAza}/${buildingId}`;
