import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import type { Draft } from '../../../src/sources/draft.ts';
import { wikidata } from '../../../src/sources/wikidata/adapter.ts';
import { BUILDING_CLASSES } from '../../../src/sources/wikidata/classes.ts';
import { findCategory } from '../../../src/vocabulary/categories.ts';
import { fileOf, hasRealData, readAll, realFiles } from '../../support/source-files.ts';
import { randomRuns } from '../../support/test-length.ts';
import { amount, entity, IN_TOKYO, OFFICE, point, qualified, ranked, ref, text, time } from './entities.ts';

type Entity = ReturnType<typeof entity>;

const documentOf = (entities: Entity[]) =>
  JSON.stringify({ entities: Object.fromEntries(entities.map((e) => [e.id, e])) });
const dumpOf = (entities: Entity[]) => `[\n${entities.map((e) => JSON.stringify(e)).join(',\n')}\n]\n`;
const itemsOf = (...entities: Entity[]) => readAll(wikidata, [fileOf('a.json', documentOf(entities))]);
const recordsIn = (items: Item[]): Draft[] => items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
const reasonsIn = (items: Item[]) =>
  items.flatMap((item) => ('reason' in item ? [`${item.kind}: ${item.reason}`] : []));

function valuesIn(draft: Draft | undefined, field: string) {
  return draft?.observations.filter((o) => o.field === field).map((o) => o.value) ?? [];
}

async function valuesOf(field: string, claims: Parameters<typeof entity>[2], ...others: Entity[]) {
  const items = await itemsOf(entity('Q1', { ja: '建物' }, { ...OFFICE, ...claims }), ...others);
  return { values: valuesIn(recordsIn(items)[0], field), reasons: reasonsIn(items) };
}

const TOWER = entity(
  'Q100',
  { ja: '丸の内  タワー', en: 'Marunouchi Tower', de: 'Turm' },
  {
    P31: [ref('Q11303'), ref('Q1021645'), ref('Q27686')],
    ...IN_TOKYO,
    P2048: [amount('+180.5', 'Q11573')],
    P1101: [amount('+38')],
    P1139: [amount('+4')],
    P1619: [time('+2002-08-20')],
    P571: [time('+1999-00-00', 9)],
    P84: [ref('Q201'), ref('Q202')],
    P127: [ref('Q203')],
    P361: [ref('Q300')],
    P402: [text('11')],
    P10689: [text('12')],
    P11693: [text('13')],
  },
  {
    aliases: {
      ja: [{ language: 'ja', value: '丸タワー' }],
      en: [
        { language: 'en', value: 'Maru Tower' },
        { language: 'en', value: 'Marunouchi Tower' },
      ],
      zh: [{ language: 'zh', value: '丸之内' }],
    },
  },
);
const NAMED = [
  entity('Q201', { ja: '青山設計', en: 'Aoyama Design' }),
  entity('Q202', { en: 'Jane Doe' }, { P31: [ref('Q5')] }),
  entity('Q203', { ja: '丸の内土地' }),
];

describe('an item of a building', () => {
  it('is a record with all its values', async () => {
    const items = await itemsOf(TOWER, ...NAMED);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ kind: 'record', at: { file: 'a.json', line: 1 } });
    const [draft] = recordsIn(items);
    expect(draft).toMatchObject({
      sourceRecordId: 'Q100',
      sourceUrl: 'https://www.wikidata.org/wiki/Q100',
      extractionMethod: 'wikidata-claim',
      whole: true,
      geometry: { type: 'Point', coordinates: [139.767, 35.681] },
      complex: null,
      links: ['complex:Q300', 'osm:relation/11', 'osm:way/12', 'osm:node/13'],
    });
    expect(draft?.observations.map(({ field, value }) => [field, value])).toEqual([
      ['yearBuilt', 2002],
      ['nameJa', '丸の内 タワー'],
      ['nameEn', 'Marunouchi Tower'],
      ['aliases', '丸タワー'],
      ['aliases', 'Maru Tower'],
      ['assetTypes', 'office building'],
      ['assetTypes', 'hotel'],
      ['heightM', 180.5],
      ['floorsAbove', 38],
      ['floorsBelow', 4],
      ['architect', '青山設計、Jane Doe'],
      ['ownerPublic', '丸の内土地'],
    ]);
  });

  it('is read the same from every kind of file, with names from any of the files', async () => {
    const expected = recordsIn(await itemsOf(TOWER, ...NAMED));
    const lines = [TOWER, ...NAMED].map((e) => JSON.stringify(e)).join('\n');
    const shapes = [
      [fileOf('a.json', dumpOf([...NAMED, TOWER]))],
      [fileOf('a.ndjson', lines)],
      [fileOf('a.jsonl.gz', gzipSync(lines))],
      [fileOf('a.json.gz', gzipSync(documentOf([TOWER, ...NAMED])))],
      [
        fileOf('a.json', JSON.stringify({ success: 1, entities: { Q100: TOWER } }, null, 2)),
        fileOf('b.json', dumpOf(NAMED)),
      ],
      [fileOf('a.json', JSON.stringify([TOWER, ...NAMED]))],
      [fileOf('a.json', JSON.stringify([TOWER, ...NAMED], null, 2))],
      [fileOf('a.json', JSON.stringify(TOWER, null, 4)), fileOf('b.json', dumpOf(NAMED))],
      [fileOf('a.json', JSON.stringify(TOWER, null, '\t')), fileOf('b.json', documentOf(NAMED))],
      [fileOf('a.json', `[\n${' '.repeat(20_000)}${lines.replaceAll('\n', ',\n')}\n]\n`)],
      [fileOf('b.json', dumpOf(NAMED)), fileOf('a.json', dumpOf([TOWER]))],
    ];
    for (const files of shapes) {
      for (const file of files) expect(wikidata.reads(file.name)).toBe(true);
      const items = await readAll(wikidata, files);
      expect(reasonsIn(items)).toEqual([]);
      expect(recordsIn(items)).toEqual(expected);
    }
    expect(wikidata.reads('latest-all.json.bz2')).toBe(true);
  });

  it('loses hidden characters, with a note', async () => {
    const aliases = { ja: [{ language: 'ja', value: '見\u200b本' }] };
    const items = await itemsOf(entity('Q1', { ja: '\u202a見本館\u202c', en: 'Ok' }, OFFICE, { aliases }));
    expect(reasonsIn(items)).toEqual(['note: label: U+202A, U+202C removed', 'note: alias: U+200B removed']);
    const [draft] = recordsIn(items);
    expect([valuesIn(draft, 'nameJa'), valuesIn(draft, 'aliases')]).toEqual([['見本館'], ['見本']]);
  });

  it('has its line in a dump', async () => {
    const items = await readAll(wikidata, [fileOf('a.json', dumpOf([...NAMED, TOWER]))]);
    expect(items).toMatchObject([{ at: { line: 5 } }]);
  });
});

describe('statements', () => {
  it.each<[string, Parameters<typeof entity>[2], unknown[], RegExp?]>([
    ['the preferred one wins', { P1101: [amount('+9'), ranked('preferred', amount('+8'))] }, [8]],
    ['a deprecated one is ignored', { P1101: [ranked('deprecated', amount('+8'))] }, []],
    ['an unknown value is no value', { P1101: [{ snaktype: 'somevalue' }] }, []],
    [
      '"none" that is preferred hides the rest',
      { P1101: [amount('+9'), { snaktype: 'novalue', rank: 'preferred' }] },
      [],
    ],
    [
      'those of a part are not the building’s',
      { P1101: [qualified(amount('+60'), 'P518', ref('Q9')), amount('+8')] },
      [8],
    ],
    ['the greatest of several equals wins', { P1101: [amount('+8'), amount('+10')] }, [10], /greatest/],
    ['a count with a unit is ignored', { P1101: [amount('+8', 'Q11573')] }, [], /number without a unit/],
    ['half floors are none', { P1101: [amount('+8.5')] }, [], /whole number/],
    ['an absurd count is ignored', { P1101: [amount('+9000')] }, [], /from 0 to 300/],
    ['a count that is not a decimal is ignored', { P1101: [amount('+1e999')] }, [], /number without a unit/],
  ])('%s', async (_, claims, expected, reason) => {
    const { values, reasons } = await valuesOf('floorsAbove', claims);
    expect(values).toEqual(expected);
    expect(reasons.join()).toMatch(reason ?? /^$/);
  });

  it.each<[string, string, number[]]>([
    ['+333', 'Q11573', [333]],
    ['+1000', 'Q3710', [304.8]],
    ['+12345', 'Q174728', [123.45]],
    ['+0.25', 'Q828224', [250]],
    ['+12', 'Q999', []],
    ['+12', '1', []],
    ['-12', 'Q11573', []],
    ['+99999', 'Q11573', []],
  ])('heights are metres: %s %s', async (value, unit, expected) => {
    const { values, reasons } = await valuesOf('heightM', { P2048: [amount(value, unit)] });
    expect(values).toEqual(expected);
    expect(reasons).toHaveLength(1 - expected.length);
  });

  it.each<[string, Parameters<typeof entity>[2], number[], RegExp?]>([
    ['opening before inception', { P571: [time('+1957-05-08')], P1619: [time('+1958-12-23')] }, [1958]],
    ['service entry between them', { P571: [time('+1957-05-08')], P729: [time('+1958-00-00', 9)] }, [1958]],
    ['inception alone', { P571: [time('+2013-06-00', 10)] }, [2013]],
    ['the first of several openings is used', { P1619: [time('+1991-01-01'), time('+1964-00-00', 9)] }, [1964]],
    ['a decade is ignored', { P1619: [time('+1950-00-00', 8)] }, [], /no usable year/],
    ['a Julian date is ignored', { P571: [time('+1500-01-01', 11, 'Q1985786')] }, [], /no usable year/],
    ['a year BC is ignored', { P571: [time('-0300-00-00', 9)] }, [], /no usable year/],
    ['the year 0 is ignored', { P571: [time('+0000-00-00', 9)] }, [], /from 500/],
    ['a year before 500 is ignored', { P571: [time('+0499-00-00', 9)] }, [], /from 500/],
    [
      'a vague opening leaves the inception',
      { P571: [time('+1957-01-01')], P1619: [time('+1950-00-00', 8)] },
      [1957],
      /P1619/,
    ],
    ['a future opening gives no year', { P571: [time('+2024-01-01')], P1619: [time('+2031-01-01')] }, [], /future/],
  ])('years: %s', async (_, claims, expected, reason) => {
    const { values, reasons } = await valuesOf('yearBuilt', claims);
    expect(values).toEqual(expected);
    expect(reasons.join()).toMatch(reason ?? /^$/);
  });

  it('the founding of a venue does not date its building, its opening does', async () => {
    const yearOf = async (item: string) => {
      const claims = { ...IN_TOKYO, P31: [ref(item)], P1619: [time('+1990-01-01')], P571: [time('+1872-01-01')] };
      const [both, founded] = await Promise.all(
        [claims, { ...claims, P1619: [] }].map((c) => itemsOf(entity('Q1', {}, c))),
      );
      return [both, founded].map((items) => valuesIn(recordsIn(items ?? [])[0], 'yearBuilt')[0]);
    };
    expect(await yearOf('Q1021645')).toEqual([1990, 1872]);
    expect(await yearOf('Q33506')).toEqual([1990, undefined]);
    expect(await yearOf('Q845945')).toEqual([undefined, undefined]);
    expect(await yearOf('Q55488')).toEqual([undefined, undefined]);
  });

  it('owners are current and not persons', async () => {
    const company = entity('Q203', { ja: '丸の内土地' });
    const person = entity('Q204', { ja: '山田太郎' }, { P31: [ref('Q5')] });
    const ended = (end: unknown) => qualified(ref('Q205'), 'P582', end);
    for (const end of [time('+2020-05-00', 10), time('+2026-07-31')]) {
      const owners = { P127: [ended(end), ref('Q203')] };
      expect(await valuesOf('ownerPublic', owners, company)).toEqual({ values: ['丸の内土地'], reasons: [] });
    }
    const later = { P127: [qualified(ref('Q203'), 'P582', time('+2030-00-00', 9))] };
    expect((await valuesOf('ownerPublic', later, company)).values).toEqual(['丸の内土地']);
    const private_ = await valuesOf('ownerPublic', { P127: [ref('Q203'), ref('Q204')] }, company, person);
    expect(private_).toEqual({ values: [], reasons: [expect.stringMatching(/Q204 is a person/)] });
  });

  it('a missing name is a note, and an incomplete list of names is not used', async () => {
    const { values, reasons } = await valuesOf('architect', { P84: [ref('Q201'), ref('Q9')] }, NAMED[0] as Entity);
    expect(values).toEqual([]);
    expect(reasons).toEqual([expect.stringMatching(/^note: architect \(P84\) is Q9/)]);
  });

  it('a name in all languages is a name', async () => {
    const { values } = await valuesOf('architect', { P84: [ref('Q9')] }, entity('Q9', { mul: 'Jane Doe' }));
    expect(values).toEqual(['Jane Doe']);
  });

  it('uses come from its current classes, by the table or by their labels', async () => {
    const { values } = await valuesOf(
      'assetTypes',
      { P31: [ref('Q41176'), ref('Q901'), ref('Q902'), qualified(ref('Q27686'), 'P582', time('+1999-00-00', 9))] },
      entity('Q901', { ja: '雑居ビル', en: 'zakkyo building' }),
      entity('Q902', { ja: '旅館', en: 'something unheard of' }),
    );
    expect(values).toEqual(['旅館']);
  });

  it('every use in the table has a category', () => {
    for (const [item, { use }] of BUILDING_CLASSES) {
      if (use !== null) expect([item, use, findCategory(use)]).toEqual([item, use, expect.any(String)]);
      expect(['unspecified', 'other']).not.toContain(use === null ? '' : findCategory(use));
    }
  });

  it('a point that is coarse, on the Moon or has swapped axes is not used', async () => {
    for (const wrong of [point(35.6, 139.7, 0.1), point(35.6, 139.7, 0.0001, 'Q405'), point(139.7, 35.6)]) {
      const items = await itemsOf(entity('Q1', {}, { ...OFFICE, P625: [wrong] }));
      expect(recordsIn(items)[0]?.geometry).toBeNull();
      expect(reasonsIn(items)).toEqual([expect.stringMatching(/^note: coordinates/)]);
    }
    const [draft] = recordsIn(await itemsOf(entity('Q1', {}, { ...OFFICE, P625: [point(35.6, 139.7, null)] })));
    expect(draft?.geometry).not.toBeNull();
  });
});

describe('which items are buildings', () => {
  it.each<[string, Entity]>([
    ['an architect', NAMED[1] as Entity],
    ['a company', entity('Q1', { ja: '会社' }, { P31: [ref('Q4830453')], P17: [ref('Q17')] })],
    ['a building elsewhere', entity('Q1', {}, { ...OFFICE, P17: [ref('Q142')], P625: [point(48.85, 2.29)] })],
    [
      'a building in Korea, inside the box',
      entity('Q1', {}, { ...OFFICE, P17: [ref('Q884')], P625: [point(35.1, 129)] }),
    ],
    ['a building nowhere', entity('Q1', {}, { P31: [ref('Q1021645')] })],
    ['a park elsewhere', entity('Q1', {}, { P31: [ref('Q22698')], P17: [ref('Q142')], P625: [point(48.85, 2.29)] })],
    ['a property', entity('P84', { en: 'architect' }, {}, { type: 'property' })],
    ['a missing item', entity('Q1', {}, OFFICE, { missing: '' })],
    ['a redirect', entity('Q1', {}, OFFICE, { redirect: 'Q2' })],
    ['an item without an ID', entity('Q1', {}, OFFICE, { id: 'q1' })],
  ])('%s is not one', async (_, item) => {
    expect(await itemsOf(item)).toEqual([]);
  });

  it('a place without a building class is rejected', async () => {
    const park = entity('Q3266956', { ja: '芝公園' }, { P31: [ref('Q22698')], ...IN_TOKYO });
    expect(await itemsOf(park)).toMatchObject([{ kind: 'rejected', record: 'Q3266956' }]);
  });

  it('a place that a building refers to is not rejected: it is there for its name', async () => {
    const city = entity('Q190088', { ja: '港区' }, { P31: [ref('Q5327704')], ...IN_TOKYO });
    const office = entity('Q1', { ja: '区役所' }, { ...OFFICE, P127: [ref('Q190088')] });
    const items = await itemsOf(city, office);
    expect(recordsIn(items)).toHaveLength(1);
    expect(reasonsIn(items)).toEqual([]);
  });

  it('an item of any class with floors is a building, located by country or point', async () => {
    expect(
      recordsIn(await itemsOf(entity('Q1', {}, { P31: [ref('Q9')], ...IN_TOKYO, P1101: [amount('+3')] }))),
    ).toHaveLength(1);
    expect(recordsIn(await itemsOf(entity('Q1', {}, { ...OFFICE, P625: [] })))).toHaveLength(1);
    expect(recordsIn(await itemsOf(entity('Q1', {}, { ...OFFICE, P17: [] })))).toHaveLength(1);
  });

  it('an item of Japan with coordinates elsewhere is rejected', async () => {
    const items = await itemsOf(entity('Q1', {}, { ...OFFICE, P625: [point(139.7, 35.6), point(35.6, 39.7)] }));
    expect(reasonsIn(items)).toEqual([expect.stringMatching(/^rejected: .*outside/)]);
  });

  it('a building that is gone or only proposed is left out with a note', async () => {
    const gone = [
      { P576: [time('+2022-10-00', 10)] },
      { P31: [ref('Q1021645'), ref('Q19860854')] },
      { P31: [ref('Q41176'), ref('Q811683')] },
    ];
    for (const claims of gone) {
      expect(await itemsOf(entity('Q1', {}, { ...OFFICE, ...claims }))).toMatchObject([{ kind: 'note', record: 'Q1' }]);
    }
    const soon = { ...OFFICE, P576: [time('+2030-00-00', 9)] };
    expect(recordsIn(await itemsOf(entity('Q1', {}, soon)))).toHaveLength(1);
  });
});

describe('a complex (CON-12)', () => {
  const claims = {
    ...IN_TOKYO,
    P2048: [amount('+180', 'Q11573')],
    P1101: [amount('+38')],
    P1619: [time('+2003-04-25')],
    P84: [ref('Q201')],
    P527: [ref('Q101'), ref('Q102')],
    P361: [ref('Q301')],
  };
  const buildings = ['Q101', 'Q102'].map((id) => entity(id, { ja: id }, { ...OFFICE, P361: [ref('Q300')] }));

  it.each([
    ['by its class', 'Q1497364', [] as Entity[]],
    ['by two parts that are buildings', 'Q655686', buildings],
  ])('%s passes on only its year and architect', async (_, item, parts) => {
    const hills = entity('Q300', { ja: '丸の内ヒルズ', en: 'Marunouchi Hills' }, { P31: [ref(item)], ...claims });
    const records = recordsIn(await itemsOf(hills, ...parts, ...NAMED));
    expect(records[0]).toMatchObject({
      complex: { nameJa: '丸の内ヒルズ', nameEn: 'Marunouchi Hills' },
      links: ['member:Q101', 'member:Q102'],
    });
    expect(records[0]?.observations.map(({ field, value }) => [field, value])).toEqual([
      ['yearBuilt', 2003],
      ['architect', '青山設計'],
    ]);
    for (const record of records.slice(1)) expect(record).toMatchObject({ complex: null, links: ['complex:Q300'] });
  });

  it('needs two parts that are buildings', async () => {
    const tower = entity('Q300', { ja: '塔' }, { P31: [ref('Q12518')], ...claims });
    const foot = [buildings[0] as Entity, entity('Q102', { ja: '展望台' })];
    expect(recordsIn(await itemsOf(tower, ...foot))[0]?.complex).toBeNull();
  });

  it('needs a name', async () => {
    const items = await itemsOf(entity('Q300', { de: 'x' }, { P31: [ref('Q1497364')], ...claims }), ...NAMED);
    expect(reasonsIn(items)).toEqual([expect.stringMatching(/^rejected: .*without a Japanese or English label/)]);
  });
});

describe('hostile files', () => {
  it('keep complete items before a cut', async () => {
    const dump = Buffer.from(dumpOf([TOWER, ...NAMED, { ...TOWER, id: 'Q101' }]));
    for (let cut = 3; cut < dump.length - 2; cut += 211) {
      const items = await readAll(wikidata, [fileOf('a.json', dump.subarray(0, cut), 500)]);
      expect(items.at(-1)).toMatchObject({ kind: 'broken', file: 'a.json' });
      expect(items.filter((item) => item.kind === 'broken')).toHaveLength(1);
      for (const record of recordsIn(items)) expect(valuesIn(record, 'floorsAbove')).toEqual([38]);
    }
    const cut = documentOf([TOWER]).slice(0, -20);
    const items = await readAll(wikidata, [fileOf('a.json', cut), fileOf('b.json', documentOf([TOWER, ...NAMED]))]);
    expect(items.map((item) => item.kind)).toEqual(['broken', 'record']);
  });

  it('reject an invalid line and read the next', async () => {
    const lines = ['{"id":', '12', JSON.stringify(TOWER), '"x"'].join('\n');
    const items = await readAll(wikidata, [fileOf('a.ndjson', `${lines}\n`), fileOf('b.json', dumpOf(NAMED))]);
    expect(items.map((item) => [item.kind, 'at' in item && item.at.line])).toEqual([
      ['rejected', 1],
      ['rejected', 2],
      ['record', 3],
      ['rejected', 4],
    ]);
  });

  it('are bounded', async () => {
    const ja = Array.from({ length: 50_000 }, (_, i) => ({ language: 'ja', value: `別名${i}` }));
    const P84 = Array.from({ length: 50_000 }, (_, i) => ref(`Q${i + 1000}`));
    const items = await itemsOf(entity('Q1', { ja: '名'.repeat(30_000) }, { ...OFFICE, P84 }, { aliases: { ja } }));
    const [draft] = recordsIn(items);
    expect(valuesIn(draft, 'aliases')).toHaveLength(200);
    expect(valuesIn(draft, 'nameJa')).toEqual([]);
    expect(reasonsIn(items).join()).toMatch(/only the first 200 aliases/);
  });

  it('cannot reach the prototype of an object', async () => {
    const hostile =
      '{"entities":{"__proto__":{"id":"Q7"},"Q1":{"type":"item","id":"Q1","claims":{"__proto__":[1],"constructor":1},"labels":{"__proto__":{"value":"x"}}}}}';
    expect(await readAll(wikidata, [fileOf('a.json', hostile)])).toEqual([]);
  });

  it('never throw for any value in any part', async () => {
    const paths = pathsIn(TOWER);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
        const copy = structuredClone(TOWER);
        put(copy, path, value);
        for (const item of await itemsOf(copy, ...NAMED)) expect(item.kind).toMatch(/record|note|rejected/);
      }),
      { numRuns: randomRuns(500) },
    );
  });
});

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function put(target: unknown, path: string[], value: unknown): void {
  const [key, ...rest] = path as [string, ...string[]];
  const object = target as Record<string, unknown>;
  if (rest.length === 0) object[key] = value;
  else put(object[key], rest, value);
}

describe.skipIf(!hasRealData)('the real items', () => {
  it('are Tokyo Tower, and a park that is rejected', async () => {
    const items = await readAll(wikidata, realFiles('wikidata'));
    const [draft] = recordsIn(items);
    expect(recordsIn(items)).toHaveLength(1);
    expect(draft).toMatchObject({
      sourceRecordId: 'Q183536',
      geometry: { type: 'Point', coordinates: [139.7455556, 35.6586111] },
      complex: null,
      links: ['complex:Q11316462', 'osm:relation/4247312'],
    });
    expect(draft?.observations.map(({ field, value }) => [field, value])).toEqual([
      ['yearBuilt', 1958],
      ['nameJa', '東京タワー'],
      ['nameEn', 'Tokyo Tower'],
      ['aliases', '日本電波塔'],
      ['aliases', 'TOKYO TOWER'],
      ['aliases', 'Tōkyō Tower'],
      ['assetTypes', 'observation tower'],
      ['assetTypes', 'radio tower'],
      ['heightM', 332.6],
      ['floorsAbove', 16],
    ]);
    expect(items.filter((item) => item.kind !== 'record')).toMatchObject([
      { kind: 'note', record: 'Q183536', reason: expect.stringMatching(/Q1340974/) },
      { kind: 'rejected', record: 'Q3266956' },
    ]);
  });
});
