import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { ApiProblemSchema, BuildingPageSchema } from '../../src/vocabulary/building-page.ts';
import { FIELDS, type FieldDefinition, SCALAR_FIELDS } from '../../src/vocabulary/fields.ts';

const schema = Compile(BuildingPageSchema);

const provenance = {
  source: 'osm',
  sourceRecordId: 'way/1',
  sourceUrl: 'https://www.openstreetmap.org/way/1',
  retrievedAt: '2026-01-01T00:00:00Z',
  extractionMethod: 'osm-tag',
  confidence: 0.8,
};

const fieldValue = (value: unknown, unit: string | null = null) => ({
  value,
  unit,
  tier: 'free',
  provenance,
  conflict: null,
  estimated: false,
});

const areaName = (code: string, slug: string, nameJa: string) => ({ code, slug, nameJa, nameEn: null });

const nearby = {
  id: 'ASSET-JP-13-00000002',
  path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000002',
  nameJa: null,
  nameEn: 'Neighbour',
  category: 'retail',
  distanceM: 12.3,
};

const PAGE = {
  id: 'ASSET-JP-13-00000001',
  path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000001',
  assetTypes: [{ value: 'office', category: 'office', tier: 'free', provenance }],
  fields: {
    nameJa: fieldValue('丸の内ビル'),
    heightM: { ...fieldValue(179.2, 'm'), conflict: { value: 180, unit: 'm', source: 'wikidata' } },
    floorsAbove: fieldValue(37),
    gfaM2: {
      ...fieldValue(159_839, 'm2'),
      provenance: { ...provenance, source: 'dnk', extractionMethod: 'computed', confidence: 0.5 },
      estimated: true,
    },
    yearBuilt: {
      ...fieldValue(2002),
      provenance: { ...provenance, source: 'wikidata', extractionMethod: 'inherited-complex', confidence: 0.5 },
      estimated: true,
      inheritedFrom: { nameJa: '丸の内', nameEn: null },
    },
    completionMonth: fieldValue('2002-08'),
    acquisitionDate: fieldValue('2024-02-29'),
    acquisitionPriceJpy: fieldValue(1_000_000_000, 'JPY'),
    occupancyRate: fieldValue(98.5, '%'),
    postcode: fieldValue('100-6390'),
    tenure: fieldValue('rental'),
  },
  location: {
    lat: 35.681236,
    lon: 139.767125,
    meshCode: '53394611',
    prefecture: areaName('13', 'tokyo', '東京都'),
    ward: areaName('13101', 'chiyoda-ku', '千代田区'),
    machiAza: areaName('131010001001', 'marunouchi-1-chome', '丸の内一丁目'),
  },
  aliases: [{ value: '丸ビル', tier: 'free', provenance }],
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [139.767, 35.681],
        [139.768, 35.681],
        [139.768, 35.682],
        [139.767, 35.681],
      ],
    ],
  },
  footprint: { areaM2: 5000.5, perimeterM: 300, bbox: [139.767, 35.681, 139.768, 35.682], provenance },
  sources: [{ source: 'osm', sourceRecordId: 'way/1', sourceUrl: provenance.sourceUrl, fields: ['nameJa'] }],
  venues: [{ nameJa: '喫茶', nameEn: null, category: 'cafe', level: null, provenance }],
  nearby: [nearby],
  history: [{ version: 1, recordedAt: '2026-01-02T03:04:05Z', changedFields: ['nameJa'] }],
  attribution: [
    {
      source: 'osm',
      name: 'OpenStreetMap',
      licence: 'ODbL 1.0',
      licenceUrl: 'https://opendatacommons.org/licenses/odbl/1-0/',
      credit: '© OpenStreetMap contributors',
    },
  ],
  counters: { observations: 3, sources: 1, fields: 3, aliases: 1, venues: 1, versions: 1, conflictsFlagged: 1 },
};

const GONE = Symbol('gone');

/** The page with one value changed, such as `fields.heightM.unit`. */
function pageWith(path: string, value: unknown): unknown {
  const page = structuredClone(PAGE);
  const keys = path.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, page);
  if (value === GONE) delete parent[last];
  else parent[last] = value;
  return page;
}

describe('building page', () => {
  it('REC-01 accepts a full record', () => {
    expect([...schema.Errors(PAGE)]).toEqual([]);
    expect(schema.Check(PAGE)).toBe(true);
  });

  it.each([
    ['no fields', 'fields', {}],
    ['no aliases', 'aliases', []],
    ['no geometry', 'geometry', null],
    ['no footprint', 'footprint', null],
    ['no coordinates', 'location.lat', null],
    ['a record that won nothing', 'sources.0.fields', []],
    ['a paid value', 'fields.nameJa.tier', 'paid'],
    ['a premium use', 'assetTypes.0.tier', 'premium'],
    ['a conflict without unit', 'fields.nameJa.conflict', { value: 'x', unit: null, source: 'plateau' }],
    ['a complex without a name', 'fields.yearBuilt.inheritedFrom', { nameJa: null, nameEn: null }],
    ['a confidence of 0', 'fields.nameJa.provenance.confidence', 0],
    ['a confidence of 1', 'fields.nameJa.provenance.confidence', 1],
    ['a time with decimals', 'fields.nameJa.provenance.retrievedAt', '2026-01-01T00:00:00.123Z'],
    ['eight neighbours', 'nearby', Array(8).fill(nearby)],
  ])('REC-03 accepts %s', (_, path, value) => {
    expect(schema.Check(pageWith(path, value))).toBe(true);
  });

  it.each(Object.keys(PAGE))('REC-01 refuses a record without %s', (key) => {
    expect(schema.Check(pageWith(key, GONE))).toBe(false);
  });

  it.each<[string, string, unknown]>([
    ['REC-02 no entry in assetTypes', 'assetTypes', []],
    ['REC-02 assetTypes inside fields', 'fields.assetTypes', fieldValue('office')],
    ['REC-02 a list of assetTypes inside fields', 'fields.assetTypes', PAGE.assetTypes],
    ['REC-02 aliases inside fields', 'fields.aliases', fieldValue('x')],
    ['CON-16 an unknown field', 'fields.colour', fieldValue('red')],
    ['REC-01 an unknown key', 'score', 1],
    ['ID-01 a malformed ID', 'id', 'ASSET-JP-13-1'],
    ['REC-03 no value', 'fields.nameJa.value', GONE],
    ['REC-03 no unit', 'fields.nameJa.unit', GONE],
    ['REC-03 no tier', 'fields.nameJa.tier', GONE],
    ['REC-03 no provenance', 'fields.nameJa.provenance', GONE],
    ['REC-03 no conflict', 'fields.nameJa.conflict', GONE],
    ['REC-03 no estimated', 'fields.nameJa.estimated', GONE],
    ['REC-03 an unknown tier', 'fields.nameJa.tier', 'gratis'],
    ['REC-03 estimated as text', 'fields.nameJa.estimated', 'false'],
    ['REC-03 an unknown key in a field', 'fields.nameJa.note', 'x'],
    ['REC-04 inheritedFrom null', 'fields.yearBuilt.inheritedFrom', null],
    ['REC-04 inheritedFrom without nameEn', 'fields.yearBuilt.inheritedFrom', { nameJa: 'x' }],
    ['REC-05 a conflict without its source', 'fields.heightM.conflict', { value: 180, unit: 'm' }],
    [
      'REC-05 a conflict with its provenance',
      'fields.heightM.conflict',
      { value: 1, unit: 'm', source: 'osm', provenance },
    ],
    ['REC-06 a conflict on an asset type', 'assetTypes.0.conflict', null],
    ['REC-06 an unknown category', 'assetTypes.0.category', 'castle'],
    ['REC-06 no category', 'assetTypes.0.category', GONE],
    ['REC-08 an unknown source', 'fields.nameJa.provenance.source', 'foursquare'],
    ['REC-08 an unknown method', 'fields.nameJa.provenance.extractionMethod', 'guess'],
    ['REC-08 no URL', 'fields.nameJa.provenance.sourceUrl', GONE],
    ['REC-08 the payload reference', 'fields.nameJa.provenance.rawPayloadRef', 'sha256:0'],
    ['REC-08 an invalid time', 'fields.nameJa.provenance.retrievedAt', 'yesterday'],
    ['REC-08 a day instead of a time', 'fields.nameJa.provenance.retrievedAt', '2026-01-01'],
    ['REC-08 a confidence above 1', 'fields.nameJa.provenance.confidence', 1.01],
    ['REC-08 a confidence below 0', 'fields.nameJa.provenance.confidence', -0.01],
    ['REC-08 a confidence of NaN', 'fields.nameJa.provenance.confidence', Number.NaN],
    ['REC-11 conflictsFlagged missing', 'counters.conflictsFlagged', GONE],
    ['REC-11 conflictsFlagged below 0', 'counters.conflictsFlagged', -1],
    ['REC-12 a wrong unit', 'fields.heightM.unit', 'ft'],
    ['REC-12 a missing unit', 'fields.heightM.unit', null],
    ['REC-12 an unexpected unit', 'fields.floorsAbove.unit', 'floors'],
    ['REC-12 a number as text', 'fields.heightM.value', '179.2'],
    ['REC-12 a text as number', 'fields.nameJa.value', 1],
    ['REC-12 half a floor', 'fields.floorsAbove.value', 37.5],
    ['REC-12 a height below 0', 'fields.heightM.value', -1],
    ['REC-12 an occupancy above 100', 'fields.occupancyRate.value', 100.5],
    ['REC-12 a day that does not exist', 'fields.acquisitionDate.value', '2026-02-30'],
    ['REC-12 a month in another format', 'fields.completionMonth.value', '2002/08'],
    ['REC-12 a month that does not exist', 'fields.completionMonth.value', '2002-13'],
    ['REC-12 a postcode without its hyphen', 'fields.postcode.value', '1006390'],
    ['REC-12 an unknown tenure', 'fields.tenure.value', 'lease'],
    ['SRC-01 a source without its URL', 'sources.0.sourceUrl', GONE],
    ['nine neighbours', 'nearby', Array(9).fill(nearby)],
    ['no history', 'history', []],
    ['a version of 0', 'history.0.version', 0],
    ['a mesh code of seven digits', 'location.meshCode', '5339461'],
    ['a position with a height', 'geometry.coordinates.0.0', [139.767, 35.681, 3]],
    ['a point as footprint', 'geometry', { type: 'Point', coordinates: [139.767, 35.681] }],
    ['a box of three numbers', 'footprint.bbox', [139.767, 35.681, 139.768]],
  ])('%s is refused', (_, path, value) => {
    expect(schema.Check(pageWith(path, value))).toBe(false);
  });

  it.each(SCALAR_FIELDS)('REC-12 %s has its own type and unit', (field) => {
    const { type, unit }: FieldDefinition = FIELDS[field];
    const example = {
      text: '値',
      postcode: '100-0005',
      month: '2026-01',
      date: '2026-01-31',
      oneOf: 'sale',
      number: 1.5,
      integer: 1_000,
    }[type.kind];
    // No floor count reaches a thousand.
    const value = field.startsWith('floors') ? 3 : example;
    expect(schema.Check(pageWith(`fields.${field}`, fieldValue(value, unit)))).toBe(true);
    expect(schema.Check(pageWith(`fields.${field}`, fieldValue(value, 'furlong')))).toBe(false);
    expect(schema.Check(pageWith(`fields.${field}`, fieldValue(typeof value === 'string' ? 1 : 'one', unit)))).toBe(
      false,
    );
    expect(schema.Check(pageWith(`fields.${field}`, fieldValue(null, unit)))).toBe(false);
  });
});

describe('API problem', () => {
  const problem = Compile(ApiProblemSchema);

  it('API-04 has exactly status, title and detail', () => {
    const body = { status: 400, title: 'Bad Request', detail: 'page must be a positive integer' };
    expect(problem.Check(body)).toBe(true);
    expect(problem.Check({ ...body, type: 'about:blank' })).toBe(false);
    expect(problem.Check({ ...body, status: '400' })).toBe(false);
    expect(problem.Check({ status: 400, title: 'Bad Request' })).toBe(false);
  });
});
