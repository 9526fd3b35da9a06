import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import { plateau } from '../../../src/sources/plateau/adapter.ts';
import { hashOf } from '../../../src/sources/plateau/gather-branches.ts';
import { fileOf, READING, readAll } from '../../support/source-files.ts';
import { randomRuns } from '../../support/test-length.ts';
import { type CityBuilding, cityGml, cityGmlChunks, squareRing } from '../../support/write-citygml.ts';

const square = squareRing(139.7, 35.65, 20);
const building = (i: number): CityBuilding => ({
  id: `13113-bldg-${i}`,
  gmlId: `bldg_${i}`,
  name: `建物${i}`,
  usage: '401',
  height: 10 + i,
  outline: [squareRing(139.7 + i * 0.001, 35.65, 20)],
  shapes: i % 2 === 0 ? ['lod0FootPrint', 'lod1Solid', 'lod2'] : ['lod1Solid', 'lod2'],
});
const five = [0, 1, 2, 3, 4].map(building);
const xml = cityGml(five, { textures: 2 });
const records = (items: readonly Item[]) => items.filter((item) => item.kind === 'record');
const kinds = (items: readonly Item[]) => items.map((item) => item.kind);

describe('a file that is cut', () => {
  it('yields the buildings before the cut, then a broken item', async () => {
    const all = records(await readAll(plateau, [fileOf('a.gml', xml, 4096)]));
    expect(all).toHaveLength(5);
    const bytes = Buffer.from(xml);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (cut) => {
        const items = await readAll(plateau, [fileOf('a.gml', bytes.subarray(0, cut), 4096)]);
        expect(records(items)).toEqual(all.slice(0, items.length - 1));
        expect(items.at(-1)).toMatchObject({ kind: 'broken', file: 'a.gml' });
      }),
      { numRuns: randomRuns(60) },
    );
  });

  it('does not affect other files or the branches read before', async () => {
    const branch = (i: number) => ({ ...building(i), id: 'x', branch: i });
    const cut = cityGml([branch(1), branch(2)]);
    const items = await readAll(plateau, [fileOf('a.gml', cut.slice(0, -60)), fileOf('b.gml', cityGml([building(3)]))]);
    expect(kinds(items)).toEqual(['broken', 'record', 'record']);
    expect(records(items).map((item) => item.record.sourceRecordId)).toEqual(['13113-bldg-3', 'x']);
  });
});

describe('chunks', () => {
  it('of any size yield the same', async () => {
    const all = await readAll(plateau, [fileOf('a.gml', xml, 1 << 20)]);
    for (const size of [1, 2, 3, 5, 64, 1023])
      expect(await readAll(plateau, [fileOf('a.gml', xml, size)])).toEqual(all);
  });
});

describe('an invalid tile', () => {
  it.each<[string, string | Buffer]>([
    ['entities that explode', '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>'],
    ['nothing', ''],
    ['another kind of file', 'PK\u0003\u0004'],
    ['bytes of no encoding', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xff, 0xfe, 0x3c, 0x2f, 0x61, 0x3e])],
    ['elements without end', `<CityModel>${'<a>'.repeat(10_000)}`],
    ['an endless attribute', `<a ${Array.from({ length: 5_000 }, (_, i) => `b${i}=""`).join(' ')}/>`],
    ['an endless comment', `<CityModel><!-- ${'x'.repeat(300_000)}`],
    ['an endless texture', `<CityModel><appearanceMember>${'<x>'.repeat(100_000)}`],
  ])('%s gives only a broken item', async (_, content) => {
    const items = await readAll(plateau, [fileOf('bad.gml', content, 8192), fileOf('good.gml', xml, 8192)]);
    expect(kinds(items)).toEqual(['broken', 'record', 'record', 'record', 'record', 'record']);
  });

  it('never throws', async () => {
    const words = [
      ...[
        '<Building>',
        '</Building>',
        '<bldg:Building gml:id="1">',
        '<lod0FootPrint>',
        '</lod0FootPrint>',
        '<posList>',
      ],
      ...[
        '1 2 3',
        '</posList>',
        '<Polygon>',
        '</Polygon>',
        '<LinearRing>',
        '</LinearRing>',
        '<lod2Solid>',
        '<boundedBy>',
      ],
      ...[
        '<consistsOfBuildingPart>',
        '<BuildingPart>',
        '<address>',
        '<LocalityName>',
        '<usage>',
        '</usage>',
        '<!--',
        '-->',
      ],
      ...['<name>', 'あ', '&amp;', '\u0000', '<', '>', '"', '<Envelope srsName="x" srsDimension="9"/>', '<Building/>'],
    ];
    const text = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((some) => `<r>${some.join('')}</r>`);
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 30 }), async (content, chunk) => {
        for (const item of await readAll(plateau, [fileOf('a.gml', content, chunk)]))
          expect(item.kind).not.toBe('record');
      }),
      { numRuns: randomRuns(200) },
    );
  });
});

describe('a building with too much of something', () => {
  const readRaw = (raw: string, more: CityBuilding = {}) =>
    readAll(plateau, [fileOf('a.gml', cityGml([{ ...building(1), ...more, raw }]), 65_536)]);

  it('generic attributes, usages, names, notes', async () => {
    const many = (make: (i: number) => string) => Array.from({ length: 50_000 }, (_, i) => make(i)).join('\n');
    const items = await readRaw(
      many((i) => `<gen:stringAttribute name="n${i}"><gen:value>${i}</gen:value></gen:stringAttribute>`) +
        many(
          (i) =>
            `<bldg:usage>${500 + i}</bldg:usage><gml:name>${i}</gml:name><bldg:measuredHeight uom="${i}">1</bldg:measuredHeight>`,
        ),
    );
    expect(records(items)).toHaveLength(1);
    expect(items.length).toBeLessThan(30);
  });

  it('a ring of a quarter of a million positions', async () => {
    const list = Array.from({ length: 250_000 }, (_, i) => `35.65${i % 1000} 139.7 0`).join(' ');
    const raw = `<bldg:lod0FootPrint><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${list} 35.650 139.7 0</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></bldg:lod0FootPrint>`;
    const [item] = await readRaw(raw, { shapes: [] });
    expect(item).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/more than \d+ positions/) });
  });

  it('a name of a million characters with bidirectional controls', async () => {
    const items = await readRaw('', { name: `\u202e${'長'.repeat(1_000_000)}` });
    expect(items).toMatchObject([
      { kind: 'note', reason: 'nameJa: U+202E removed' },
      { kind: 'note', reason: expect.stringMatching(/^nameJa is longer/) },
      { kind: 'record' },
    ]);
    const [short] = records(await readRaw('', { name: '\u202e見本\t館' }));
    expect(short?.record.observations[0]).toMatchObject({ field: 'nameJa', value: '見本 館' });
  });

  it('an ID of a million characters', async () => {
    const [item] = records(await readRaw('', { id: 'x'.repeat(1_000_000) }));
    expect(item?.record.sourceRecordId).toBe('bldg_1');
  });

  it('parts in parts', async () => {
    let nested: CityBuilding = { outline: [square], height: 99 };
    for (let i = 0; i < 20; i++) nested = { parts: [nested] };
    const [item] = records(await readRaw('', { ...nested, outline: [], shapes: [], height: -9999 }));
    expect(item?.record.observations.map(({ field, value }) => `${field} ${value}`)).toContain('heightM 99');
  });
});

describe('a large tile', () => {
  it('is streamed in portions', async () => {
    const count = 3_000;
    function* buildings(): Generator<CityBuilding> {
      for (let i = 0; i < count; i++) {
        const outline = [squareRing(139 + (i % 100) * 0.001, 35 + Math.floor(i / 100) * 0.001, 20)];
        yield { id: `b-${i}`, branch: 1, height: 10, outline, shapes: ['lod0RoofEdge', 'lod1Solid', 'lod2'] };
      }
    }
    const file = {
      name: 'large.gml',
      size: 0,
      async *bytes() {
        for (const chunk of cityGmlChunks(buildings(), { textures: 5 })) yield Buffer.from(chunk);
      },
    };
    const portions: number[] = [];
    for await (const items of plateau.read([file], READING)) portions.push(items.length);
    expect(portions.reduce((a, b) => a + b, 0)).toBe(count);
    expect(portions.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...portions)).toBeLessThan(1_000);
  });
});

describe('hashes of IDs', () => {
  it('are distinct integers', () => {
    const hashes = new Set<number>();
    for (let i = 0; i < 200_000; i++) hashes.add(hashOf(`13113-bldg-${i}`));
    expect(hashes.size).toBe(200_000);
    expect([...hashes].every(Number.isSafeInteger)).toBe(true);
  });
});
