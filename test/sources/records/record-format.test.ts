import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, RecordEntry } from '../../../src/sources/records/entry.ts';
import { parseRecordLine } from '../../../src/sources/records/read-line.ts';
import { EXTRACTION_METHODS, SOURCES } from '../../../src/vocabulary/sources.ts';

type Json = Record<string, unknown>;

const SQUARE = [
  [139.765, 35.681],
  [139.766, 35.681],
  [139.766, 35.682],
  [139.765, 35.682],
  [139.765, 35.681],
];
const POLYGON = { type: 'Polygon', coordinates: [SQUARE] };

const RECORD: Json = {
  kind: 'record',
  source: 'osm',
  sourceRecordId: 'way/1',
  sourceUrl: 'https://www.openstreetmap.org/way/1',
  retrievedAt: '2026-01-01T00:00:00Z',
  rawPayloadRef: 'sha256:0123',
  extractionMethod: 'osm-tag',
  area: '131010001001',
  building: 'ASSET-JP-13-00000001',
  geometry: POLYGON,
  observations: [{ field: 'nameJa', value: '丸の内ビル', unit: null, tier: 'free' }],
  venues: [{ nameJa: '喫茶', category: 'cafe' }],
};
const WIKIDATA: Json = {
  ...RECORD,
  source: 'wikidata',
  sourceRecordId: 'Q1',
  sourceUrl: 'https://www.wikidata.org/wiki/Q1',
  extractionMethod: 'wikidata-claim',
  complex: { nameJa: '丸の内', nameEn: null },
};
const PREFECTURE: Json = {
  kind: 'area',
  level: 'prefecture',
  code: '13',
  parent: null,
  slug: 'tokyo',
  nameJa: '東京都',
  nameEn: 'Tokyo',
};
const WARD: Json = {
  ...PREFECTURE,
  level: 'ward',
  code: '13101',
  parent: '13',
  slug: 'chiyoda-ku',
  nameJa: '千代田区',
};
const MACHI_AZA: Json = {
  ...PREFECTURE,
  level: 'machiAza',
  code: '131010001001',
  parent: '13101',
  slug: 'marunouchi-1-chome',
  nameJa: '丸の内一丁目',
};
const MERGE: Json = {
  kind: 'merge',
  from: 'ASSET-JP-13-00000002',
  into: 'ASSET-JP-13-00000001',
  reason: 'the same building, drawn twice',
};

function without(line: Json, key: string): Json {
  const { [key]: _, ...rest } = line;
  return rest;
}

/** A record with one observation, of which the given keys are changed. */
const observing = (changes: Json): Json => ({
  ...RECORD,
  observations: [{ field: 'heightM', value: 10.5, unit: 'm', tier: 'free', ...changes }],
});
const withVenue = (changes: Json): Json => ({ ...RECORD, venues: [{ nameJa: '喫茶', category: 'cafe', ...changes }] });

const parse = (line: Json | string) => parseRecordLine(typeof line === 'string' ? line : JSON.stringify(line));

function accepted(line: Json | string): Entry {
  const result = parse(line);
  if (!result.ok) throw new Error(`refused: ${result.failure}`);
  return result.value;
}

function statementOf(line: Json | string): RecordEntry['statement'] {
  return (accepted(line) as RecordEntry).statement;
}

function refused(line: Json | string): string {
  const result = parse(line);
  if (result.ok) throw new Error('accepted');
  return result.failure;
}

describe('a line of the record format', () => {
  it('may be a prefecture', () => {
    expect(accepted(PREFECTURE)).toEqual({ ...PREFECTURE, boundary: null });
  });

  it('may be a ward', () => {
    expect(accepted(WARD)).toEqual({ ...WARD, boundary: null });
  });

  it('may be a machi-aza with its boundary', () => {
    expect(accepted({ ...MACHI_AZA, boundary: POLYGON })).toEqual({ ...MACHI_AZA, boundary: POLYGON });
  });

  it('may be an area without an English name', () => {
    expect(accepted({ ...WARD, nameEn: null })).toMatchObject({ nameEn: null });
    expect(accepted(without(WARD, 'nameEn'))).toMatchObject({ nameEn: null });
  });

  it('may be a record', () => {
    expect(accepted(RECORD)).toEqual({
      kind: 'record',
      source: 'osm',
      sourceRecordId: 'way/1',
      building: 1_300_000_001,
      statement: {
        sourceUrl: 'https://www.openstreetmap.org/way/1',
        retrievedAt: '2026-01-01T00:00:00Z',
        rawPayloadRef: 'sha256:0123',
        extractionMethod: 'osm-tag',
        whole: false,
        area: '131010001001',
        geometry: POLYGON,
        observations: [{ field: 'nameJa', value: '丸の内ビル', unit: null, tier: 'free' }],
        venues: [{ nameJa: '喫茶', nameEn: null, category: 'cafe', level: null }],
        complex: null,
      },
    });
  });

  it('CON-12 may be a wikidata record of a complex', () => {
    expect(statementOf(WIKIDATA).complex).toEqual({ nameJa: '丸の内', nameEn: null });
    expect(statementOf({ ...WIKIDATA, complex: {} }).complex).toEqual({ nameJa: null, nameEn: null });
  });

  it('may be a merge, with a reason or without', () => {
    const merge = { kind: 'merge', from: 1_300_000_002, into: 1_300_000_001 };
    expect(accepted(MERGE)).toEqual({ ...merge, reason: 'the same building, drawn twice' });
    expect(accepted(without(MERGE, 'reason'))).toEqual({ ...merge, reason: null });
  });

  it('may leave out building, area, whole, geometry, observations, venues and complex', () => {
    const keys = ['building', 'area', 'geometry', 'observations', 'venues'];
    const entry = accepted(keys.reduce(without, RECORD));
    expect(entry).toMatchObject({
      building: null,
      statement: { area: null, whole: false, geometry: null, observations: [], venues: [], complex: null },
    });
  });

  it('may be marked as whole', () => {
    expect(statementOf({ ...RECORD, whole: true }).whole).toBe(true);
    expect(statementOf({ ...RECORD, whole: false }).whole).toBe(false);
  });

  it('may have any white space that JSON allows', () => {
    expect(accepted(JSON.stringify(RECORD, null, 2))).toEqual(accepted(RECORD));
    expect(accepted(` \t${JSON.stringify(RECORD)}\r\n`)).toEqual(accepted(RECORD));
  });

  it('REC-08 has its time converted to UTC', () => {
    expect(statementOf({ ...RECORD, retrievedAt: '2026-01-01T09:00:00.5+09:00' }).retrievedAt).toBe(
      '2026-01-01T00:00:00.5Z',
    );
  });

  it('has its geometry rounded to seven decimals, without heights', () => {
    const geometry = { type: 'Point', coordinates: [139.76543219, 35.68123456, 40] };
    expect(statementOf({ ...RECORD, geometry }).geometry).toEqual({
      type: 'Point',
      coordinates: [139.7654322, 35.6812346],
    });
  });

  it.each([
    ['a number', 2, '2'],
    ['a number below zero', -1, '-1'],
    ['a text', 'B1', 'B1'],
    ['nothing', null, null],
  ])('may have a venue whose level is %s', (_, level, kept) => {
    expect(statementOf(withVenue({ level })).venues[0]?.level).toBe(kept);
  });

  it('may have a venue with only an English name', () => {
    expect(statementOf(withVenue({ nameJa: null, nameEn: 'Cafe' })).venues).toEqual([
      { nameJa: null, nameEn: 'Cafe', category: 'cafe', level: null },
    ]);
  });

  it('accepts every line of the documented example', () => {
    const document = readFileSync(new URL('../../../docs/reference/record-format.md', import.meta.url), 'utf8');
    const lines = document.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['area', 'area', 'area', 'record', 'record', 'merge']);
    expect(lines.map(parse).filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe('an observation', () => {
  it('REC-03 has the tier free by default', () => {
    const line = { ...RECORD, observations: [{ field: 'nameJa', value: 'x' }] };
    expect(statementOf(line).observations[0]?.tier).toBe('free');
    for (const tier of ['free', 'paid', 'premium']) {
      expect(statementOf(observing({ tier })).observations[0]?.tier).toBe(tier);
    }
  });

  it('REC-12 has the unit of its field by default', () => {
    const line = { ...RECORD, observations: [{ field: 'heightM', value: 10.5 }] };
    expect(statementOf(line).observations).toEqual([{ field: 'heightM', value: 10.5, unit: 'm', tier: 'free' }]);
  });

  it('REC-09 may have its own method and confidence', () => {
    const line = observing({ extractionMethod: 'osm-business-tag', confidence: 0.6 });
    expect(statementOf(line).observations).toEqual([
      { field: 'heightM', value: 10.5, unit: 'm', tier: 'free', extractionMethod: 'osm-business-tag', confidence: 0.6 },
    ]);
    for (const confidence of [0, 1]) {
      expect(statementOf(observing({ confidence })).observations[0]?.confidence).toBe(confidence);
    }
  });

  it.each(['aliases', 'assetTypes'])('CON-02 of %s may be repeated in one record', (field) => {
    const values = ['a', 'b', 'c'];
    const line = { ...RECORD, observations: values.map((value) => ({ field, value })) };
    expect(statementOf(line).observations.map(({ value }) => value)).toEqual(values);
  });

  it('CON-02 of any other field may not be repeated', () => {
    const twice = {
      ...RECORD,
      observations: [
        { field: 'nameJa', value: 'a' },
        { field: 'aliases', value: 'b' },
        { field: 'nameJa', value: 'a' },
      ],
    };
    expect(refused(twice)).toBe('observations[2]: nameJa is given twice');
  });
});

describe('a source and a method', () => {
  const TABLE: Record<string, string[]> = {
    osm: ['osm-tag', 'osm-business-tag', 'poi-join'],
    plateau: ['citygml'],
    abr: ['area-lookup'],
    estat: ['area-lookup'],
    wikidata: ['wikidata-claim', 'commons-imageinfo', 'inherited-complex'],
    nominatim: ['geocode-reverse'],
    edinet: ['disclosure-table'],
    jreit: ['disclosure-table'],
    greenarchive: ['disclosure-table'],
    greenbuilding: ['disclosure-table'],
    mankan: ['disclosure-table'],
  };

  it.each(Object.entries(TABLE))('REC-09 %s is read only by %j', (source, methods) => {
    for (const extractionMethod of EXTRACTION_METHODS) {
      // An inherited value must name its complex.
      const complex = source === 'wikidata' ? { complex: { nameJa: '複合', nameEn: null } } : {};
      const result = parse({ ...RECORD, source, extractionMethod, ...complex });
      expect(result.ok, extractionMethod).toBe(methods.includes(extractionMethod));
      if (!result.ok) expect(result.failure).toBe(`extractionMethod: ${source} is not read by ${extractionMethod}`);
    }
  });

  it('REC-08 every source except dnk is accepted', () => {
    expect([...Object.keys(TABLE), 'dnk'].sort()).toEqual([...SOURCES].sort());
    for (const extractionMethod of EXTRACTION_METHODS) {
      expect(refused({ ...RECORD, source: 'dnk', extractionMethod })).toMatch(/^source dnk/);
    }
  });
});

describe('a building and an area', () => {
  it('ID-01 must be in the same prefecture', () => {
    expect(refused({ ...RECORD, building: 'ASSET-JP-27-00000001' })).toMatch(/ASSET-JP-27-00000001.*prefecture 27/);
    expect(accepted(without({ ...RECORD, building: 'ASSET-JP-27-00000001' }, 'area'))).toMatchObject({
      building: 2_700_000_001,
    });
  });
});

/** A line, and the reason why it is rejected. */
const REFUSALS: [title: string, line: Json | string, reason: RegExp][] = [
  ['nothing', '', /^not JSON$/],
  ['white space', '  ', /^not JSON$/],
  ['half an object', '{"kind":"merge"', /^not JSON$/],
  ['NaN', JSON.stringify(observing({ value: 1 })).replace('"value":1', '"value":NaN'), /^not JSON$/],
  ['Infinity', JSON.stringify(observing({ value: 1 })).replace('"value":1', '"value":Infinity'), /^not JSON$/],
  ['a trailing comma', '{"kind":"merge",}', /^not JSON$/],
  ['a comment', `${JSON.stringify(MERGE)} // why`, /^not JSON$/],
  ['two objects', JSON.stringify(MERGE) + JSON.stringify(MERGE), /^not JSON$/],
  ['a list', '[]', /^not a JSON object$/],
  ['null', 'null', /^not a JSON object$/],
  ['a string', '"record"', /^not a JSON object$/],
  ['a number', '1', /^not a JSON object$/],
  ['a key twice', '{"kind":"merge","kind":"area"}', /^duplicate key "kind" in one object$/],
  [
    'a key twice, further in',
    JSON.stringify(RECORD).replace('"unit":null', '"unit":null,"unit":null'),
    /duplicate key "unit"/,
  ],
  ['a key twice, once escaped', '{"kind":"merge","\\u006bind":"area"}', /duplicate key "kind"/],

  ['no kind', {}, /^kind must be area, record or merge$/],
  ['an unknown kind', { ...RECORD, kind: 'building' }, /^kind must be/],
  ['a kind in another case', { ...RECORD, kind: 'Record' }, /^kind must be/],
  ['a kind that is no text', { ...RECORD, kind: ['record'] }, /^kind must be/],
  ['a kind of the prototype', { kind: 'constructor' }, /^kind must be/],

  ['an unknown key in a record', { ...RECORD, note: 1 }, /^unknown key note$/],
  ['an unknown key in an observation', observing({ note: 1 }), /^unknown key observations\[0\]\.note$/],
  ['an unknown key in a venue', withVenue({ floor: 1 }), /^unknown key venues\[0\]\.floor$/],
  ['an unknown key in a complex', { ...WIKIDATA, complex: { name: 'x' } }, /^unknown key complex\.name$/],
  ['an unknown key in a geometry', { ...RECORD, geometry: { ...POLYGON, crs: {} } }, /^geometry has an unknown key$/],
  ['an unknown key in an area', { ...WARD, kana: 'x' }, /^unknown key kana$/],
  ['an unknown key in a boundary', { ...WARD, boundary: { ...POLYGON, bbox: [] } }, /^boundary has an unknown key$/],
  ['an unknown key in a merge', { ...MERGE, at: 'now' }, /^unknown key at$/],
  ['a key of another kind', { ...MERGE, source: 'osm' }, /^unknown key source$/],
  [
    '__proto__ for a key',
    JSON.stringify(MERGE).replace('{', '{"__proto__":{"reason":"x"},'),
    /^unknown key __proto__$/,
  ],

  ['no source', without(RECORD, 'source'), /^source is missing$/],
  ['an unknown source', { ...RECORD, source: 'foursquare' }, /^source is not the name of a source$/],
  ['a source in another case', { ...RECORD, source: 'OSM' }, /^source is not the name of a source$/],
  ['a source of the prototype', { ...RECORD, source: 'toString' }, /^source is not the name of a source$/],
  ['a source that is no text', { ...RECORD, source: ['osm'] }, /^source is not the name of a source$/],

  ['no method', without(RECORD, 'extractionMethod'), /^extractionMethod is missing$/],
  [
    'inheritance from nothing',
    { ...RECORD, source: 'wikidata', extractionMethod: 'inherited-complex' },
    /^extractionMethod inherited-complex needs the complex/,
  ],
  ['an unknown method', { ...RECORD, extractionMethod: 'guess' }, /^extractionMethod is not an extraction method$/],
  ['a method that is no text', { ...RECORD, extractionMethod: 1 }, /^extractionMethod is not an extraction method$/],

  ['no sourceRecordId', without(RECORD, 'sourceRecordId'), /^sourceRecordId is missing$/],
  ['a sourceRecordId of null', { ...RECORD, sourceRecordId: null }, /^sourceRecordId must be a string$/],
  ['a sourceRecordId that is a number', { ...RECORD, sourceRecordId: 1 }, /^sourceRecordId must be a string$/],
  ['an empty sourceRecordId', { ...RECORD, sourceRecordId: '' }, /^sourceRecordId is empty$/],
  ['a sourceRecordId too long', { ...RECORD, sourceRecordId: 'x'.repeat(501) }, /^sourceRecordId is longer than 500/],
  ['a sourceRecordId with NUL', { ...RECORD, sourceRecordId: 'a\0' }, /^sourceRecordId contains a NUL/],
  ['half a surrogate pair', { ...RECORD, sourceRecordId: 'a\ud800' }, /^sourceRecordId contains half of a surrogate/],

  ['no sourceUrl', without(RECORD, 'sourceUrl'), /^sourceUrl is missing$/],
  ['a sourceUrl that is no text', { ...RECORD, sourceUrl: {} }, /^sourceUrl must be a string$/],
  ['a sourceUrl without a scheme', { ...RECORD, sourceUrl: 'example.org/1' }, /^sourceUrl must be an http/],
  ['a sourceUrl that is a script', { ...RECORD, sourceUrl: 'javascript:alert(1)' }, /^sourceUrl must be an http/],
  ['a sourceUrl that is a file', { ...RECORD, sourceUrl: 'file:///etc/passwd' }, /^sourceUrl must be an http/],
  ['a sourceUrl with a space', { ...RECORD, sourceUrl: 'https://example.org/a b' }, /^sourceUrl must be an http/],
  ['a sourceUrl with a newline', { ...RECORD, sourceUrl: 'https://example.org/\n' }, /^sourceUrl must be an http/],
  ['a sourceUrl with a bracket', { ...RECORD, sourceUrl: 'https://example.org/<b>' }, /^sourceUrl must be an http/],
  ['a sourceUrl with a quote', { ...RECORD, sourceUrl: 'https://example.org/"' }, /^sourceUrl must be an http/],
  [
    'a sourceUrl too long',
    { ...RECORD, sourceUrl: `https://example.org/${'x'.repeat(4_000)}` },
    /^sourceUrl is longer than 4000/,
  ],

  ['no retrievedAt', without(RECORD, 'retrievedAt'), /^retrievedAt is missing$/],
  ['a retrievedAt of null', { ...RECORD, retrievedAt: null }, /^retrievedAt must be a date/],
  ['a retrievedAt that is a number', { ...RECORD, retrievedAt: 1767225600 }, /^retrievedAt must be a date/],
  ['a retrievedAt without a zone', { ...RECORD, retrievedAt: '2026-01-01T00:00:00' }, /^retrievedAt must be a date/],
  ['a retrievedAt that is a day', { ...RECORD, retrievedAt: '2026-01-01' }, /^retrievedAt must be a date/],
  ['a retrievedAt on no day', { ...RECORD, retrievedAt: '2026-02-30T00:00:00Z' }, /^retrievedAt must be a date/],

  ['no rawPayloadRef', without(RECORD, 'rawPayloadRef'), /^rawPayloadRef is missing$/],
  ['a rawPayloadRef that is no text', { ...RECORD, rawPayloadRef: 1 }, /^rawPayloadRef must be a string$/],
  ['an empty rawPayloadRef', { ...RECORD, rawPayloadRef: ' ' }, /^rawPayloadRef is empty$/],

  ['a building that is no ID', { ...RECORD, building: 'ASSET-JP-13-1' }, /^building must be an asset ID/],
  ['a building that is a number', { ...RECORD, building: 1_300_000_001 }, /^building must be an asset ID/],
  ['a building that is empty', { ...RECORD, building: '' }, /^building must be an asset ID/],
  ['an area that is a number', { ...RECORD, area: 131010001001 }, /^area must be a string$/],
  ['an empty area', { ...RECORD, area: '' }, /^area is empty$/],
  ['an area too long', { ...RECORD, area: '1'.repeat(21) }, /^area is longer than 20/],
  ['a whole that is text', { ...RECORD, whole: 'true' }, /^whole must be true or false$/],
  ['a whole that is a number', { ...RECORD, whole: 1 }, /^whole must be true or false$/],

  ['a geometry that is text', { ...RECORD, geometry: 'POINT(139 35)' }, /^geometry must be a GeoJSON object$/],
  ['a geometry that is a list', { ...RECORD, geometry: [] }, /^geometry must be a GeoJSON object$/],
  [
    'a geometry of another kind',
    { ...RECORD, geometry: { type: 'LineString', coordinates: SQUARE } },
    /^geometry must be a Point/,
  ],
  [
    'a ring that is not closed',
    { ...RECORD, geometry: { type: 'Polygon', coordinates: [SQUARE.slice(0, 4)] } },
    /^geometry has a ring that is not closed$/,
  ],
  [
    'a place outside Japan',
    { ...RECORD, geometry: { type: 'Point', coordinates: [35.6, 139.7] } },
    /^geometry has a position outside Japan/,
  ],
  [
    'a place of 1e999',
    JSON.stringify(RECORD).replace('[139.766,35.682]', '[1e999,35.682]'),
    /^geometry has a position outside Japan/,
  ],

  ['observations that are no list', { ...RECORD, observations: {} }, /^observations must be a list$/],
  ['observations that are text', { ...RECORD, observations: 'nameJa' }, /^observations must be a list$/],
  [
    'too many observations',
    { ...RECORD, observations: Array(10_001).fill(null) },
    /^observations has more than 10000 entries$/,
  ],
  ['an observation that is null', { ...RECORD, observations: [null] }, /^observations\[0\] must be an object$/],
  [
    'an observation that is a list',
    { ...RECORD, observations: [['nameJa', 'x']] },
    /^observations\[0\] must be an object$/,
  ],
  [
    'an observation without field',
    { ...RECORD, observations: [{ value: 'x' }] },
    /^observations\[0\]\.field is not the name of a field$/,
  ],
  [
    'an observation without value',
    { ...RECORD, observations: [{ field: 'heightM' }] },
    /^observations\[0\]\.value: heightM must be a number$/,
  ],
  [
    'REC-12 a value of 1e999',
    JSON.stringify(observing({ value: 7 })).replace('"value":7', '"value":1e999'),
    /heightM is too large to be a number$/,
  ],
  [
    'REC-08 a confidence of 1e999',
    JSON.stringify(observing({ confidence: 7 })).replace('7}', '1e999}'),
    /^observations\[0\]\.confidence must be/,
  ],
  [
    'a fault in the second observation',
    { ...RECORD, observations: [{ field: 'aliases', value: 'x' }, { field: 'nope' }] },
    /^observations\[1\]\.field/,
  ],

  ['venues that are no list', { ...RECORD, venues: {} }, /^venues must be a list$/],
  ['a venue that is text', { ...RECORD, venues: ['cafe'] }, /^venues\[0\] must be an object$/],
  ['a venue without a category', { ...RECORD, venues: [{ nameJa: '喫茶' }] }, /^venues\[0\]\.category is missing$/],
  [
    'a venue on level 1e999',
    JSON.stringify(withVenue({ level: 7 })).replace('"level":7', '"level":1e999'),
    /^venues\[0\]\.level/,
  ],

  [
    'CON-12 a complex on another source',
    { ...RECORD, complex: { nameJa: 'x', nameEn: null } },
    /^complex: only a wikidata record/,
  ],
  ['CON-12 a complex that is text', { ...WIKIDATA, complex: '丸の内' }, /^complex must be an object$/],
  ['CON-12 a complex that is true', { ...WIKIDATA, complex: true }, /^complex must be an object$/],
  ['CON-12 a complex that is a list', { ...WIKIDATA, complex: [] }, /^complex must be an object$/],
  [
    'CON-12 a complex whose name is no text',
    { ...WIKIDATA, complex: { nameJa: 1 } },
    /^complex\.nameJa must be a string$/,
  ],

  ['no level', without(WARD, 'level'), /^level must be prefecture, ward or machiAza$/],
  ['an unknown level', { ...WARD, level: 'town' }, /^level must be/],
  ['no code', without(WARD, 'code'), /^code is missing$/],
  ['a code that is a number', { ...WARD, code: 13101 }, /^code must be a string$/],
  ['a code of letters', { ...WARD, code: '13abc' }, /^code must be digits$/],
  ['a code of full-width digits', { ...WARD, code: '13１０１' }, /^code must be digits$/],
  ['a code too long', { ...WARD, code: `13${'0'.repeat(19)}` }, /^code is longer than 20/],
  ['a prefecture code of one digit', { ...PREFECTURE, code: '1' }, /^code of a prefecture must be two digits$/],
  ['a prefecture code of five digits', { ...PREFECTURE, code: '13101' }, /^code of a prefecture must be two digits$/],
  ['a ward code of two digits', { ...WARD, code: '13' }, /^code must be digits$/],
  ['a prefecture with a parent', { ...PREFECTURE, parent: '13' }, /^a prefecture has no parent$/],
  ['a ward without a parent', { ...WARD, parent: null }, /^parent must be the code of a prefecture$/],
  ['a ward whose parent is left out', without(WARD, 'parent'), /^parent must be the code of a prefecture$/],
  ['a machi-aza without a parent', { ...MACHI_AZA, parent: null }, /^parent must be the code of a ward$/],
  ['a parent that is a number', { ...WARD, parent: 13 }, /^parent must be a string$/],
  ["a code outside its parent's", { ...WARD, code: '27102' }, /^code must begin with its parent's$/],
  ['no slug', without(WARD, 'slug'), /^slug is missing$/],
  ['a slug that is no text', { ...WARD, slug: 1 }, /^slug must be a string$/],
  ['no Japanese name', without(WARD, 'nameJa'), /^nameJa is missing$/],
  ['a Japanese name of null', { ...WARD, nameJa: null }, /^nameJa must be a string$/],
  ['an empty Japanese name', { ...WARD, nameJa: '' }, /^nameJa is empty$/],
  ['an English name that is no text', { ...WARD, nameEn: 1 }, /^nameEn must be a string$/],
  [
    'a boundary that is a point',
    { ...WARD, boundary: { type: 'Point', coordinates: [139.7, 35.6] } },
    /^boundary must be a Polygon/,
  ],
  ['a boundary that is no geometry', { ...WARD, boundary: 1 }, /^boundary must be a GeoJSON object$/],

  ['ID-01 a merge from no ID', { ...MERGE, from: 'ASSET-JP-13-1' }, /^from must be an asset ID/],
  ['ID-01 a merge into no ID', { ...MERGE, into: 'x' }, /^into must be an asset ID/],
  ['ID-01 a merge from a number', { ...MERGE, from: 1_300_000_002 }, /^from must be an asset ID/],
  ['a merge from nowhere', without(MERGE, 'from'), /^from must be an asset ID/],
  ['a merge into nothing', without(MERGE, 'into'), /^into must be an asset ID/],
  ['a reason that is no text', { ...MERGE, reason: 1 }, /^reason must be a string$/],
  ['an empty reason', { ...MERGE, reason: '' }, /^reason is empty$/],
];

/** A change to an observation, and the reason after its path. */
const REFUSED_OBSERVATIONS: [title: string, changes: Json, reason: RegExp][] = [
  ['an unknown field', { field: 'colour' }, /^field is not the name of a field$/],
  ['a field in another case', { field: 'heightm' }, /^field is not the name of a field$/],
  ['a field of the prototype', { field: 'constructor' }, /^field is not the name of a field$/],
  ['a field that is no text', { field: ['heightM'] }, /^field is not the name of a field$/],
  ['a value of null', { value: null }, /^value: heightM must be a number$/],
  ['REC-12 a number as text', { value: '10.5' }, /^value: heightM must be a number$/],
  ['REC-12 a text as number', { field: 'nameJa', value: 1, unit: null }, /^value: nameJa must be a string$/],
  ['REC-12 half a floor', { field: 'floorsAbove', value: 1.5, unit: null }, /floorsAbove must be a whole number$/],
  [
    'REC-12 a value out of range',
    { field: 'occupancyRate', value: 101, unit: '%' },
    /occupancyRate must be from 0 to 100$/,
  ],
  [
    'REC-12 a date on no day',
    { field: 'appraisalDate', value: '2026-02-30', unit: null },
    /appraisalDate must be a day of the calendar/,
  ],
  [
    'REC-12 a month of no year',
    { field: 'completionMonth', value: '2026-13', unit: null },
    /completionMonth must be a month of the calendar/,
  ],
  [
    'REC-12 an unknown tenure',
    { field: 'tenure', value: 'lease', unit: null },
    /tenure must be one of sale, rental, mixed$/,
  ],
  [
    'REC-12 a postcode of another form',
    { field: 'postcode', value: '1000005', unit: null },
    /postcode must have the form NNN-NNNN$/,
  ],
  ['REC-12 another unit', { unit: 'ft' }, /^unit: heightM is in m$/],
  ['REC-12 a unit in another case', { unit: 'M' }, /^unit: heightM is in m$/],
  ['REC-12 a unit too many', { field: 'floorsAbove', value: 3, unit: 'floors' }, /^unit: floorsAbove has no unit$/],
  ['REC-12 an empty unit', { field: 'floorsAbove', value: 3, unit: '' }, /^unit: floorsAbove has no unit$/],
  ['REC-12 a unit that is no text', { unit: ['m'] }, /^unit: heightM is in m$/],
  ['REC-03 an unknown tier', { tier: 'gratis' }, /^tier must be free, paid, premium$/],
  ['REC-03 a tier of null', { tier: null }, /^tier must be/],
  ['REC-03 a tier that is no text', { tier: ['free'] }, /^tier must be/],
  ['an unknown method of an observation', { extractionMethod: 'guess' }, /^extractionMethod is not/],
  [
    'REC-09 a method of another source',
    { extractionMethod: 'citygml' },
    /^extractionMethod: osm is not read by citygml$/,
  ],
  ['REC-09 a computed value', { extractionMethod: 'computed' }, /^extractionMethod: osm is not read by computed$/],
  ['REC-08 a confidence above 1', { confidence: 1.01 }, /^confidence must be a number from 0 to 1$/],
  ['REC-08 a confidence below 0', { confidence: -0.01 }, /^confidence must be/],
  ['REC-08 a confidence that is text', { confidence: '0.6' }, /^confidence must be/],
  ['REC-08 a confidence of null', { confidence: null }, /^confidence must be/],
];

/** The same for a venue. */
const REFUSED_VENUES: [title: string, changes: Json, reason: RegExp][] = [
  ['a venue without a name', { nameJa: null }, /^ has no name$/],
  ['a venue whose name is no text', { nameJa: 1 }, /^\.nameJa must be a string$/],
  ['a venue whose English name is empty', { nameEn: '' }, /^\.nameEn is empty$/],
  ['a venue whose category is null', { category: null }, /^\.category must be a string$/],
  ['a venue whose level is a list', { level: [1] }, /^\.level must be a string$/],
  ['a venue whose level is true', { level: true }, /^\.level must be a string$/],
];

describe('an invalid line', () => {
  it.each(REFUSALS)('%s', (_, line, reason) => {
    expect(refused(line)).toMatch(reason);
  });

  it.each(REFUSED_OBSERVATIONS)('%s', (_, changes, reason) => {
    const fault = refused(observing(changes));
    expect(fault.slice(0, 16)).toBe('observations[0].');
    expect(fault.slice(16)).toMatch(reason);
  });

  it.each(REFUSED_VENUES)('%s', (_, changes, reason) => {
    const fault = refused(withVenue(changes));
    expect(fault.slice(0, 9)).toBe('venues[0]');
    expect(fault.slice(9)).toMatch(reason);
  });

  it.each(['Tokyo', 'tokyo-', '-tokyo', 'to--kyo', 'to_kyo', 'to kyo', '東京', 'tōkyō', 'tokyo.md', 'a/b', '..', ''])(
    'an area with the slug %j',
    (slug) => {
      expect(refused({ ...WARD, slug })).toMatch(/^slug/);
    },
  );

  it.each(['api', 'mcp', 'areas', 'id', 'suggest', 'tiles', 'assets'])(
    'a prefecture with the slug %s, which is a path of the service',
    (slug) => {
      expect(refused({ ...PREFECTURE, slug })).toBe(`slug ${slug} is reserved for the service's own paths`);
      expect(accepted({ ...WARD, slug })).toMatchObject({ slug });
      expect(accepted({ ...PREFECTURE, slug: `${slug}-1` })).toMatchObject({ slug: `${slug}-1` });
    },
  );

  it('is reported without control characters of its keys', () => {
    expect(refused({ ...MERGE, '\u001b[2J\u202e\n': 1 })).toBe('unknown key \\u{1b}[2J\\u{202e}\\u{a}');
    expect(refused('{"\\u0007":1,"\\u0007":2}')).toBe('duplicate key "\\u{7}" in one object');
    expect(refused({ ...MERGE, ['x'.repeat(5_000)]: 1 }).length).toBeLessThan(100);
  });
});

describe('what must not be published', () => {
  const read = (line: Json) => {
    const entry = parseRecordLine(JSON.stringify(line));
    return entry.ok ? (entry.value as RecordEntry) : entry.failure;
  };

  it('is removed from every text, and reported by code point', () => {
    const line = {
      ...WIKIDATA,
      observations: [
        { field: 'nameJa', value: '丸\u202eの内\u202c' },
        { field: 'aliases', value: '丸\n\t 内' },
        { field: 'aliases', value: '葛\u{e0100}ビル' },
        { field: 'postcode', value: '100-0005\u200b' },
      ],
      venues: [{ nameJa: '\u2066喫茶', nameEn: 'Ca\u200bfe', category: 'ca\u0007fe', level: '\ufeffB1' }],
      complex: { nameJa: '街\u200f区', nameEn: null },
    };
    const entry = read(line) as RecordEntry;
    expect(entry.statement.observations.map(({ value }) => value)).toEqual([
      ...['丸の内', '丸 内', '葛\u{e0100}ビル', '100-0005'],
    ]);
    expect(entry.statement.venues).toEqual([{ nameJa: '喫茶', nameEn: 'Cafe', category: 'cafe', level: 'B1' }]);
    expect(entry.statement.complex).toEqual({ nameJa: '街区', nameEn: null });
    expect(entry.notes).toEqual([
      'observations[0].value: U+202E, U+202C removed',
      'observations[1].value: a line break or tab became a space',
      'observations[3].value: U+200B removed',
      'venues[0].nameJa: U+2066 removed',
      'venues[0].nameEn: U+200B removed',
      'venues[0].category: U+0007 removed',
      'venues[0].level: U+FEFF removed',
      'complex.nameJa: U+200F removed',
    ]);
    expect(read({ ...WARD, nameJa: '千代田\u202e区', nameEn: 'Chi\u200byoda' })).toMatchObject({
      ...{ nameJa: '千代田区', nameEn: 'Chiyoda' },
      notes: ['nameJa: U+202E removed', 'nameEn: U+200B removed'],
    });
    expect(read({ ...MERGE, reason: 'one\u202e' })).toMatchObject({ reason: 'one', notes: ['reason: U+202E removed'] });
    expect(read(RECORD)).not.toHaveProperty('notes');
  });

  it('is removed from the address', () => {
    const entry = read({ ...RECORD, sourceUrl: 'https://user:pass@example.jp/1?type=1&Subscription-Key=abc' });
    expect(entry).toMatchObject({
      statement: { sourceUrl: 'https://example.jp/1?type=1' },
      notes: ['sourceUrl: credentials and an access key removed'],
    });
  });

  it.each<[string, Json, string]>([
    [
      'a text with nothing else',
      { ...RECORD, venues: [{ nameJa: '\u202e', category: 'cafe' }] },
      'venues[0].nameJa is empty',
    ],
    ['an ID', { ...RECORD, sourceRecordId: 'way/\u202e1' }, 'sourceRecordId contains U+202E'],
    ['an ID in two lines', { ...RECORD, sourceRecordId: 'way\n1' }, 'sourceRecordId contains a line break or tab'],
    ['a payload', { ...RECORD, rawPayloadRef: 'sha256:\u200b' }, 'rawPayloadRef contains U+200B'],
    ['an address', { ...RECORD, sourceUrl: 'https://a.jp/\u202e' }, 'sourceUrl must be an http or https address'],
    ['a user that cannot be told', { ...RECORD, sourceUrl: 'https:///u:p@a.jp' }, 'sourceUrl carries credentials'],
  ])('is refused in %s', (_, line, reason) => {
    expect(read(line)).toBe(reason);
  });
});

describe('any line', () => {
  const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: anyUnit }));

  /** An entry or a reason, never an error; and the reason can be printed. */
  function judge(line: string): void {
    const result = parseRecordLine(line);
    if (result.ok) return;
    expect(result.failure).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(result.failure.length).toBeGreaterThan(3);
    expect(result.failure.length).toBeLessThan(1_000);
  }

  it('never throws: any text', () => {
    fc.assert(fc.property(anyText, judge), { numRuns: 300 });
  });

  it('never throws: any JSON', () => {
    fc.assert(fc.property(fc.json({ stringUnit: 'binary' }), judge), { numRuns: 300 });
  });

  it('never throws: any object of some kind', () => {
    const kind = fc.constantFrom('record', 'area', 'merge', 'other');
    const object = fc.dictionary(anyText, fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 5 });
    fc.assert(
      fc.property(kind, object, (k, rest) => judge(JSON.stringify({ ...rest, kind: k }))),
      { numRuns: 300 },
    );
  });

  it('never throws: an entry with something in it replaced, added or left out', () => {
    const whole = [RECORD, WIKIDATA, PREFECTURE, { ...MACHI_AZA, boundary: POLYGON }, MERGE];
    const odd = fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.constantFrom<unknown>(null, '', 0, -1, 1e308, [], [[]], {}, [null], [{}], true, '\0', '\ud800', '\u202e'),
    );
    let accepts = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.nat(),
        odd,
        fc.nat({ max: 2 }),
        anyText,
        (entry, pick, value, way, key) => {
          // Most values are not a valid length of a list.
          fc.pre(key !== 'length');
          const line = structuredClone(entry);
          // Every object and list in the entry, at any depth.
          const holders: Json[] = [];
          const gather = (item: unknown) => {
            if (typeof item !== 'object' || item === null) return;
            holders.push(item as Json);
            for (const child of Object.values(item)) gather(child);
          };
          gather(line);
          const holder = holders[pick % holders.length] as Json;
          const keys = Object.keys(holder);
          const name = keys[Math.floor(pick / holders.length) % keys.length] as string;
          if (way === 0) holder[name] = value;
          else if (way === 1) holder[key] = value;
          else delete holder[name];
          const text = JSON.stringify(line);
          judge(text);
          if (parseRecordLine(text).ok) accepts += 1;
        },
      ),
      { numRuns: 1_500 },
    );
    expect(accepts).toBeGreaterThan(0);
  });

  it.each([
    ['lists', '['.repeat(50_000), ']'.repeat(50_000)],
    ['objects', '{"a":'.repeat(50_000), '}'.repeat(50_000)],
  ])('never throws: nested %s without end', (_, open, close) => {
    const deep = `${open}1${close}`;
    judge(`{"kind":"x","y":${deep}}`);
    judge(
      JSON.stringify({ ...RECORD, geometry: 0 }).replace(
        '"geometry":0',
        `"geometry":{"type":"Polygon","coordinates":${deep}}`,
      ),
    );
    judge(JSON.stringify(observing({ value: 7 })).replace('"value":7', `"value":${deep}`));
    judge(JSON.stringify(WIKIDATA).replace('"complex":{', `"complex":{"x":${deep},`));
    expect(refused(`{"kind":"record","y":${deep}}`)).toBe('unknown key y');
  });
});
