import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import type { Draft } from '../../../src/sources/draft.ts';
import { osm } from '../../../src/sources/osm/adapter.ts';
import type { Field } from '../../../src/vocabulary/fields.ts';
import { buildingXml, nodeXml, osmXml, relationXml, squareXml, wayXml } from '../../support/osm-xml.ts';
import { fileOf, hasRealData, readAll, realFiles } from '../../support/source-files.ts';

const readXml = (xml: string | Uint8Array, chunk?: number) => readAll(osm, [fileOf('a.osm', xml, chunk)]);
const readJson = (elements: unknown[], more = {}) =>
  readAll(osm, [fileOf('a.json', JSON.stringify({ version: 0.6, osm3s: {}, elements, ...more }))]);

const recordsOf = (items: Item[]): Draft[] => items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
const idsOf = (items: Item[]) => recordsOf(items).map((record) => record.sourceRecordId);
const reasonsOf = (items: Item[], kind: 'note' | 'rejected' | 'broken' | 'detail') =>
  items.flatMap((item) => (item.kind === kind ? [item.reason] : []));
const valuesOf = (draft: Draft | undefined, field: Field) =>
  draft?.observations.filter((o) => o.field === field).map((o) => o.value);

const square = (way: number, west: number, size: number, tags: Record<string, string>) =>
  squareXml({ way, west, south: 35.62, size, tags });

describe('osm', () => {
  it('reads files by the ending of their names', () => {
    for (const name of ['a.osm', 'B.OSM', 'tokyo.osm.pbf', 'x/overpass.json', 'map.xml'])
      expect(osm.reads(name)).toBe(true);
    for (const name of ['a.gml', 'a.osm.xz', 'a.csv', 'osm']) expect(osm.reads(name)).toBe(false);
  });

  it('yields a building with the values of its tags, and never who mapped it', async () => {
    const items = await readXml(
      buildingXml({
        ...{
          building: 'office',
          name: '見本タワー',
          'name:en': 'Sample Tower',
          alt_name: '見本;旧見本',
          height: '120.5 m',
        },
        ...{ 'building:levels': '25', 'building:levels:underground': '3', wikidata: 'Q42;Q43', amenity: 'bank' },
        ...{ 'addr:postcode': '〒１３５－００６４', start_date: '1997', 'name:ja_rm': 'Mihon' },
      }),
    );
    const [record] = recordsOf(items);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ kind: 'record', at: { file: 'a.osm', line: 11 } });
    expect(record).toMatchObject({
      sourceRecordId: 'way/1',
      sourceUrl: 'https://www.openstreetmap.org/way/1',
      extractionMethod: 'osm-tag',
      whole: true,
      links: ['wikidata:Q42', 'wikidata:Q43'],
      geometry: { type: 'Polygon' },
    });
    expect(record?.observations).toEqual([
      { field: 'nameJa', value: '見本タワー', unit: null, tier: 'free' },
      { field: 'nameEn', value: 'Sample Tower', unit: null, tier: 'free' },
      { field: 'aliases', value: '見本', unit: null, tier: 'free' },
      { field: 'aliases', value: '旧見本', unit: null, tier: 'free' },
      { field: 'postcode', value: '135-0064', unit: null, tier: 'free' },
      { field: 'assetTypes', value: 'office', unit: null, tier: 'free' },
      { field: 'assetTypes', value: 'amenity=bank', unit: null, tier: 'free', extractionMethod: 'osm-business-tag' },
      { field: 'footprintM2', value: 10051.55, unit: 'm2', tier: 'free' },
      { field: 'heightM', value: 120.5, unit: 'm', tier: 'free' },
      { field: 'floorsAbove', value: 25, unit: null, tier: 'free' },
      { field: 'floorsBelow', value: 3, unit: null, tier: 'free' },
    ]);
    expect(JSON.stringify(items)).not.toContain('mapper');
  });

  it('REF-04 keeps each value of ref:* as an identifier, and plain ref not', async () => {
    const tags = {
      building: 'yes',
      ref: '7',
      'ref:': '8',
      'ref:MLIT_PLATEAU': '13111-bldg-1;13111-bldg-2',
      'ref:a': ' x ',
    };
    const [record] = recordsOf(await readXml(buildingXml({ ...tags, 'ref:b': 'x', 'ref:long': 'x'.repeat(301) })));
    expect(record?.links).toEqual([
      ...['ref:MLIT_PLATEAU=13111-bldg-1', 'ref=13111-bldg-1', 'ref:MLIT_PLATEAU=13111-bldg-2', 'ref=13111-bldg-2'],
      ...['ref:a=x', 'ref=x', 'ref:b=x'],
    ]);
  });

  it.each([
    { building: 'no' },
    { building: 'demolished' },
    { building: 'proposed' },
    { building: 'construction' },
    { building: 'ruins' },
    { building: 'yes', 'demolished:building': 'yes' },
    { building: 'yes', 'razed:building': 'house' },
    { building: 'yes', demolished: 'yes' },
    { building: '' },
  ])('leaves out areas that are not buildings: %j', async (tags) => {
    expect(await readXml(buildingXml(tags))).toEqual([]);
  });

  it.each([
    'demolished:building',
    'was:building',
    'proposed:building',
    'construction:building',
    'removed:building',
    'abandoned:building',
  ])('leaves out %s without a building tag', async (key) => {
    expect(await readXml(osmXml(square(1, 139.77, 0.001, { [key]: 'yes' })))).toEqual([]);
  });

  it('keeps a building that replaced another', async () => {
    expect(idsOf(await readXml(buildingXml({ 'was:building': 'school' })))).toEqual(['way/1']);
  });

  it('leaves out roads, nodes and other areas', async () => {
    const items = await readXml(
      osmXml(
        nodeXml(1, 139.7, 35.6, { building: 'yes', name: '点' }),
        square(2, 139.77, 0.001, { landuse: 'residential' }),
        wayXml(3, [20, 21], { highway: 'service' }),
        relationXml(4, [['way', 2, 'outer']], { type: 'multipolygon', leisure: 'park' }),
        relationXml(5, [['way', 2, '']], { type: 'site', building: 'yes' }),
      ),
    );
    expect(items).toEqual([]);
  });

  it('rejects a building with an invalid outline, and leaves out one that is incomplete in the file', async () => {
    const items = await readXml(
      osmXml(
        ...[nodeXml(1, 139.7, 35.6), nodeXml(2, 139.71, 35.6), nodeXml(3, 139.71, 35.61), nodeXml(4, 2.35, 48.85)],
        wayXml(11, [1, 2, 3], { building: 'yes' }),
        wayXml(12, [1, 2, 99, 1], { building: 'yes' }),
        wayXml(13, [1, 2, 4, 1], { building: 'yes' }),
        wayXml(14, [1, 2, 1, 2, 1], { building: 'yes' }),
        wayXml(-15, [1, 2, 3, 1], { building: 'yes' }),
        wayXml(16, [], { building: 'yes' }),
        relationXml(17, [], { building: 'yes' }),
      ),
    );
    expect(
      items.map((item) => ('reason' in item && 'at' in item ? [item.kind, item.record, item.reason] : item)),
    ).toEqual([
      ['rejected', 'relation/17', expect.stringMatching(/without a type/)],
      ['rejected', 'way/11', expect.stringMatching(/not closed/)],
      ['detail', 'way/12', expect.stringMatching(/nodes are not in the file/)],
      ['rejected', 'way/13', expect.stringMatching(/outside Japan/)],
      ['rejected', 'way/14', expect.stringMatching(/without area/)],
      ['rejected', 'way/-15', expect.stringMatching(/not in OpenStreetMap yet/)],
      ['detail', 'way/16', expect.stringMatching(/nodes are not in the file/)],
      { kind: 'remark', file: 'a.osm', reason: 'left out at the edge of the extract: 2 ways' },
    ]);
  });

  it('skips elements marked as deleted', async () => {
    const xml = buildingXml({}).replace('<way id="1">', '<way id="1" action="delete">');
    expect(await readXml(xml)).toEqual([]);
    expect(await readXml(xml.replace('action="delete"', 'visible="false"'))).toEqual([]);
  });

  it('reads attributes in any order and quotes, CRLF, a byte order mark, relations before ways', async () => {
    const xml =
      "\ufeff<osm>\r\n<relation visible='true' id='9'><member role='outer' ref='5' type='way'/>" +
      "<tag v='yes' k='building'/><tag v='multipolygon' k='type'/></relation>\r\n" +
      "<way id='5'><nd ref='3'/><nd ref='2'/><nd ref='1'/><nd ref='3'/></way>\r\n" +
      "<node lon='139.7' id='3' lat='35.6'/><node lat='35.6' id='1' lon='139.71'/><node id='2' lat='35.61' lon='139.7'/></osm>";
    expect(idsOf(await readXml(xml))).toEqual(['relation/9']);
  });

  it('reads each file by itself, and continues after a broken one', async () => {
    const whole = buildingXml({});
    const nodesOnly = whole.replace(/<way[\s\S]*<\/way>/, '');
    const wayOnly = whole.replace(/<node[\s\S]*<\/node>/, '');
    const files = [
      fileOf('a.osm', nodesOnly),
      fileOf('b.osm', wayOnly),
      fileOf('c.osm', '<osm'),
      fileOf('d.osm', whole),
    ];
    const items = await readAll(osm, files);
    expect(items.map((item) => [item.kind, 'at' in item ? item.at.file : item.file])).toEqual([
      ['detail', 'b.osm'],
      ['broken', 'b.osm'],
      ['broken', 'c.osm'],
      ['record', 'd.osm'],
    ]);
  });

  it.each([
    ['a.osm', '<gml><way id="1"/></gml>', /root is <gml>/],
    ['a.json', '{"type":"FeatureCollection","features":[]}', /no list of elements/],
  ])('reports why %s is not of this source: %s', async (name, content, reason) => {
    const items = await readAll(osm, [fileOf(name, content)]);
    expect(items).toEqual([{ kind: 'foreign', file: name, reason: expect.stringMatching(reason) }]);
  });

  it.each([
    ['a.osm', '', /well-formed/],
    ['a.osm', '<osm><remark>runtime error: Query timed out</remark></osm>', /Overpass stopped/],
    ['a.json', '[1]', /not a JSON object/],
    ['a.json', '', /too early/],
    ['a.json', '{"elements":[{"type":"node",]}', /not a JSON|too early/],
    ['a.json', '{"elements":[{"id":1}', /cut off/],
    ['a.json', '{"elements":[],"remark":"runtime error: Query run out of memory"}', /Overpass stopped/],
    ['a.txt', 'x', /^Unsupported file type; expected/],
  ])('reports why %s is broken: %s', async (name, content, reason) => {
    const items = await readAll(osm, [fileOf(name, content)]);
    expect(items).toEqual([{ kind: 'broken', file: name, reason: expect.stringMatching(reason) }]);
  });

  it('reports swapped axes as outside Japan', async () => {
    const swapped = [1, 2, 3].map((id) => nodeXml(id, 35.6 + id / 1000, 139.7 + (id % 2) / 1000, {}));
    const items = await readXml(osmXml(...swapped, wayXml(5, [1, 2, 3, 1], { building: 'yes' })));
    expect(items).toMatchObject([
      { kind: 'rejected', record: 'way/5', reason: expect.stringMatching(/outside Japan/) },
    ]);
  });

  it('yields the complete buildings of a file that is cut off, and does not reject the rest', async () => {
    const xml = osmXml(square(1, 139.77, 0.001, { building: 'yes' }), square(2, 139.78, 0.001, { building: 'yes' }));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: xml.length - 8 }),
        fc.integer({ min: 1, max: 400 }),
        async (cut, chunk) => {
          const items = await readXml(xml.slice(0, cut), chunk);
          expect(items.at(-1)?.kind).toBe('broken');
          expect(items.slice(0, -1).every((item) => item.kind === 'record')).toBe(true);
          // Parts and relations after the cut may have had more values, so nothing is withdrawn.
          expect(recordsOf(items).some((record) => record.whole)).toBe(false);
          const firstEnd = xml.indexOf('</way>') + '</way>'.length;
          expect(idsOf(items).includes('way/1')).toBe(cut >= firstEnd);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('multipolygons', () => {
  const corner = { 1: [139.77, 35.62], 2: [139.78, 35.62], 3: [139.78, 35.63], 4: [139.77, 35.63] } as const;
  const nodes = Object.entries(corner).map(([id, [lon, lat]]) => nodeXml(Number(id), lon, lat));
  const tags = { type: 'multipolygon', building: 'yes' };

  it('joins outer ways in any direction and order, with holes', async () => {
    const items = await readXml(
      osmXml(
        ...nodes,
        wayXml(21, [1, 2, 3]),
        wayXml(22, [1, 4]),
        wayXml(23, [4, 3]),
        square(24, 139.772, 0.001, {}),
        relationXml(
          9,
          [
            ['way', 23, 'outer'],
            ['way', 24, 'inner'],
            ['way', 21, ''],
            ['way', 22, 'outer'],
          ],
          tags,
        ),
      ).replaceAll('lat="35.62"', 'lat="35.61"'),
    );
    const [record] = recordsOf(items);
    expect(record?.sourceRecordId).toBe('relation/9');
    expect(record?.geometry).toMatchObject({ type: 'Polygon' });
    expect(record?.geometry?.coordinates).toHaveLength(2);
    expect(items).toHaveLength(1);
  });

  it('builds one MultiPolygon of several outer rings, each hole in its own ring', async () => {
    const items = await readXml(
      osmXml(
        squareXml({ way: 1, west: 139.77, south: 35.62, size: 0.003, tags: {} }),
        squareXml({ way: 2, west: 139.78, south: 35.62, size: 0.003, tags: {} }),
        squareXml({ way: 3, west: 139.781, south: 35.621, size: 0.001, tags: {} }),
        squareXml({ way: 4, west: 139.79, south: 35.621, size: 0.001, tags: {} }),
        relationXml(
          9,
          [
            ['way', 1, 'outer'],
            ['way', 2, 'outer'],
            ['way', 3, 'inner'],
            ['way', 4, 'inner'],
          ],
          tags,
        ),
      ),
    );
    const geometry = recordsOf(items)[0]?.geometry;
    expect(geometry?.type).toBe('MultiPolygon');
    expect(((geometry?.coordinates ?? []) as unknown[][]).map((polygon) => polygon.length)).toEqual([1, 2]);
    expect(reasonsOf(items, 'note')).toEqual([expect.stringMatching(/1 inner rings outside every outer ring/)]);
  });

  it('replaces an outer way that has the tags too, but only if it has a shape', async () => {
    const way = square(1, 139.77, 0.001, { building: 'yes', name: '同じ' });
    const whole = osmXml(way, relationXml(9, [['way', 1, 'outer']], tags));
    expect(idsOf(await readXml(whole))).toEqual(['relation/9']);
    const torn = osmXml(
      way,
      relationXml(
        9,
        [
          ['way', 1, 'outer'],
          ['way', 2, 'outer'],
        ],
        tags,
      ),
    );
    const items = await readXml(torn);
    expect(idsOf(items)).toEqual(['way/1']);
    expect(reasonsOf(items, 'detail')).toEqual([expect.stringMatching(/members are not in the file/)]);
  });

  it('is rejected if its rings are not closed or missing', async () => {
    const open = osmXml(...nodes, wayXml(21, [1, 2, 3]), relationXml(9, [['way', 21, 'outer']], tags));
    expect(reasonsOf(await readXml(open), 'rejected')).toEqual([expect.stringMatching(/ring that is not closed/)]);
    const none = osmXml(relationXml(9, [['node', 1, 'outer']], tags));
    expect(reasonsOf(await readXml(none), 'rejected')).toEqual([expect.stringMatching(/no outer ring/)]);
  });
});

describe('parts', () => {
  const outline = (tags: Record<string, string>) => square(1, 139.77, 0.002, { building: 'yes', ...tags });
  const part = (way: number, tags: Record<string, string>) =>
    squareXml({ way, west: 139.7705, south: 35.6205, size: 0.0005, tags: { 'building:part': 'yes', ...tags } });

  it('give the building around them the greatest height and floors if it has none of its own', async () => {
    const parts = [
      part(2, { height: '30', 'building:levels': '9' }),
      part(3, { 'building:height': '40', 'building:levels:underground': '2' }),
    ];
    const [without] = recordsOf(await readXml(osmXml(outline({}), ...parts)));
    expect(['heightM', 'floorsAbove', 'floorsBelow'].map((f) => valuesOf(without, f as Field))).toEqual([
      [40],
      [9],
      [2],
    ]);
    const [own] = recordsOf(await readXml(osmXml(outline({ height: '12', 'building:levels': '3' }), ...parts)));
    expect(['heightM', 'floorsAbove', 'floorsBelow'].map((f) => valuesOf(own, f as Field))).toEqual([[12], [3], [2]]);
  });

  it('are noted outside every building', async () => {
    const items = await readXml(osmXml(part(2, { height: '30' })));
    expect(items).toEqual([
      {
        kind: 'note',
        at: { file: 'a.osm', line: 11 },
        record: 'way/2',
        reason: expect.stringMatching(/outside every building/),
      },
    ]);
  });

  it('tagged as buildings too, are parts inside a building and buildings elsewhere', async () => {
    const inside = osmXml(outline({}), part(2, { building: 'roof', height: '130' }));
    const items = await readXml(inside);
    expect(idsOf(items)).toEqual(['way/1']);
    expect(valuesOf(recordsOf(items)[0], 'heightM')).toEqual([130]);
    expect(idsOf(await readXml(osmXml(part(2, { building: 'roof', height: '130' }))))).toEqual(['way/2']);
  });

  it('belong to the outline of a type=building relation, whose tags complete those of the outline', async () => {
    const far = squareXml({
      way: 5,
      west: 139.8,
      south: 35.7,
      size: 0.001,
      tags: { 'building:part': 'yes', height: '99' },
    });
    const members = [
      ['way', 1, 'outline'],
      ['way', 5, 'part'],
    ] as const;
    const xml = osmXml(
      outline({ name: '本社' }),
      far,
      relationXml(8, members, { type: 'building', name: '本社ビル', height: '' }),
    );
    const [record] = recordsOf(await readXml(xml));
    expect(record?.sourceRecordId).toBe('way/1');
    expect(valuesOf(record, 'nameJa')).toEqual(['本社']);
    expect(valuesOf(record, 'aliases')).toEqual(['本社ビル']);
    expect(valuesOf(record, 'heightM')).toEqual([99]);
  });

  it('and a tagged type=building relation is the building instead of its outline', async () => {
    const members = [
      ['way', 1, 'outline'],
      ['way', 2, 'part'],
    ] as const;
    const tags = { type: 'building', building: 'hotel', name: '宿' };
    const items = await readXml(osmXml(outline({}), part(2, { height: '20' }), relationXml(8, members, tags)));
    expect(idsOf(items)).toEqual(['relation/8']);
    expect(valuesOf(recordsOf(items)[0], 'heightM')).toEqual([20]);
    const byRelation = osmXml(
      outline({}),
      relationXml(7, [['way', 1, 'outer']], { type: 'multipolygon', building: 'yes' }),
      relationXml(8, [['relation', 7, 'outline']], tags),
    );
    expect(idsOf(await readXml(byRelation))).toEqual(['relation/8']);
  });
});

describe('venues', () => {
  it('are the named businesses inside the footprint, not stops and furniture', async () => {
    const at = (id: number, tags: Record<string, string>, lon = 139.7705) => nodeXml(id, lon, 35.6205, tags);
    const xml = buildingXml({}).replace(
      '</osm>',
      `${[
        at(1, { amenity: 'cafe', name: '喫茶', 'name:en': 'Café', level: '2' }),
        at(2, { shop: 'convenience', 'name:ja': '売店', name: '売店 (Shop)' }),
        at(3, { amenity: 'cafe' }),
        at(4, { highway: 'bus_stop', name: '見本前', amenity: 'shelter' }),
        at(5, { amenity: 'bicycle_rental', name: '自転車' }),
        at(6, { office: 'company', name: '外' }, 139.78),
        at(7, { amenity: 'clinic', healthcare: 'doctor', name: '医院' }),
        at(8, { entrance: 'main', shop: 'mall', name: '入口' }),
      ].join('')}</osm>`,
    );
    expect(recordsOf(await readXml(xml))[0]?.venues).toEqual([
      { nameJa: '喫茶', nameEn: 'Café', category: 'cafe', level: '2' },
      { nameJa: '売店', nameEn: null, category: 'convenience', level: null },
      { nameJa: '医院', nameEn: null, category: 'clinic', level: null },
    ]);
  });
});

describe('Overpass JSON', () => {
  const line = [
    { lat: 35.62, lon: 139.77 },
    { lat: 35.62, lon: 139.771 },
    { lat: 35.621, lon: 139.771 },
    { lat: 35.62, lon: 139.77 },
  ];
  const way = { type: 'way', id: 5, nodes: [1, 2, 3, 1], tags: { building: 'yes' } };
  const nodes = line.slice(0, 3).map((place, i) => ({ type: 'node', id: i + 1, ...place }));
  const footprint = { field: 'footprintM2', value: 5025.77, unit: 'm2', tier: 'free' };

  it.each([
    ['nodes after ways', [way, ...nodes]],
    ['nodes before ways', [...nodes, way]],
    ['out geom', [{ ...way, geometry: line, bounds: {} }]],
    ['out geom without nodes', [{ ...way, nodes: undefined, geometry: line }]],
  ])('reads a way with %s', async (_, elements) => {
    const items = await readJson(elements);
    expect(items).toHaveLength(1);
    expect(recordsOf(items)[0]).toMatchObject({ sourceRecordId: 'way/5', observations: [footprint] });
  });

  it('reads a relation with the lines of its members', async () => {
    const members = [
      { type: 'way', ref: 1, role: 'outer', geometry: line.slice(0, 3) },
      { type: 'way', ref: 2, role: 'outer', geometry: line.slice(2) },
    ];
    const items = await readJson([
      { type: 'relation', id: 9, members, tags: { type: 'multipolygon', building: 'yes' } },
    ]);
    expect(recordsOf(items)[0]).toMatchObject({
      sourceRecordId: 'relation/9',
      observations: [footprint],
    });
    const torn = members.map((member) => ({ ...member, geometry: [...member.geometry.slice(1), null] }));
    const cut = await readJson([
      { type: 'relation', id: 9, members: torn, tags: { type: 'multipolygon', building: 'yes' } },
    ]);
    expect(reasonsOf(cut, 'detail')).toEqual([expect.stringMatching(/not in the file/)]);
  });

  it('yields a point without footprint for an element with only a center', async () => {
    const center = { lat: 35.6585639, lon: 139.74544 };
    const items = await readJson([
      { type: 'node', id: 1, lat: 35.6, lon: 139.7, tags: { highway: 'bus_stop', name: '塔' } },
      {
        type: 'relation',
        id: 9,
        center,
        members: [{ type: 'way', ref: 1, role: 'outer' }],
        tags: { type: 'multipolygon', building: 'yes' },
      },
      { ...way, center },
    ]);
    expect(items.map((item) => item.kind === 'record' && [item.at.line, item.record.geometry])).toEqual([
      [2, { type: 'Point', coordinates: [139.74544, 35.6585639] }],
      [3, { type: 'Point', coordinates: [139.74544, 35.6585639] }],
    ]);
    expect(recordsOf(items).flatMap((record) => valuesOf(record, 'footprintM2'))).toEqual([]);
  });

  it('reads the same in any chunks, and skips invalid elements', async () => {
    const json = JSON.stringify({
      generator: 'x "elements": [',
      osm3s: { elements: [{ type: 'way' }] },
      elements: [
        null,
        7,
        {},
        { type: 'way', id: 'x' },
        { type: 'area', id: 1 },
        { ...way, tags: { building: '学校"}]' } },
        ...nodes,
      ],
    });
    const expected = recordsOf(await readAll(osm, [fileOf('a.json', json, 1_000)]));
    expect(expected.map((record) => valuesOf(record, 'assetTypes'))).toEqual([['学校"}]']]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), async (chunk) => {
        expect(recordsOf(await readAll(osm, [fileOf('a.json', json, chunk)]))).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  it('ends in a broken item for any cut, and never throws', async () => {
    const json = JSON.stringify({ elements: [...nodes, way] });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: json.length - 1 }), async (cut) => {
        const items = await readAll(osm, [fileOf('a.json', json.slice(0, cut), 33)]);
        expect(items.at(-1)?.kind).toBe('broken');
      }),
      { numRuns: 40 },
    );
  });
});

describe.skipIf(!hasRealData)('real OSM files', () => {
  it('Odaiba: named towers with address, parts and wikidata', async () => {
    const items = await readAll(
      osm,
      realFiles('osm', (name) => name.startsWith('odaiba')),
    );
    // 19 are tagged as buildings: two relations lack members here, and the sphere of Fuji TV is a part.
    expect(idsOf(items)).toHaveLength(16);
    const leftOut = items.flatMap((item) => (item.kind === 'detail' ? [item.record] : []));
    expect(leftOut).toEqual(expect.arrayContaining(['relation/5804890', 'relation/5807214']));
    expect(items.at(-1)).toMatchObject({
      kind: 'remark',
      reason: expect.stringMatching(/2 relations, 16 building parts$/),
    });
    const fuji = recordsOf(items).find((record) => record.sourceRecordId === 'way/287770734');
    expect(valuesOf(fuji, 'nameJa')).toEqual(['フジテレビジョン']);
    expect(valuesOf(fuji, 'aliases')).toEqual(['フジテレビ', 'フジテレビ本社ビル']);
    expect(valuesOf(fuji, 'addressJa')).toEqual(['東京都港区台場二丁目4番8号']);
    expect(valuesOf(fuji, 'postcode')).toEqual(['137-8088']);
    expect(valuesOf(fuji, 'heightM')).toEqual([130]);
    expect(fuji?.links).toEqual(['wikidata:Q744800']);
    const addresses = recordsOf(items).flatMap((record) => valuesOf(record, 'addressJa') ?? []);
    expect(addresses).toEqual([
      '東京都江東区青海一丁目1番10号',
      '東京都江東区青海1-1-10',
      '東京都港区台場一丁目7番1号',
      '東京都港区台場二丁目4番8号',
      '東京都港区台場二丁目3-1',
      '東京都港区台場一丁目8番1号',
    ]);
  });

  it('Ota: 33 and 40 buildings among roads, routes and boundaries, with two venues', async () => {
    const [tile, full] = await Promise.all(
      ['ota_53392547', 'ota_minamirokugo'].map((start) =>
        readAll(
          osm,
          realFiles('osm', (name) => name.startsWith(start)),
        ),
      ),
    );
    expect(idsOf(tile as Item[])).toHaveLength(33);
    expect(idsOf(full as Item[])).toHaveLength(40);
    expect((full as Item[]).every((item) => item.kind === 'record')).toBe(true);
    expect(recordsOf(full as Item[]).flatMap((record) => record.venues.map((venue) => venue.nameJa))).toEqual([
      '南六郷福祉園',
      '大田区立くすのき園',
    ]);
  });

  it('Tokyo Tower: a point, since its members are not in the file; bus stops of its name are ignored', async () => {
    const items = await readAll(
      osm,
      realFiles('osm', (name) => name.endsWith('.json')),
    );
    expect(items).toHaveLength(1);
    const [tower] = recordsOf(items);
    expect(tower).toMatchObject({
      sourceRecordId: 'relation/4247312',
      geometry: { type: 'Point', coordinates: [139.74544, 35.6585639] },
      links: ['wikidata:Q183536'],
      venues: [],
    });
    expect(valuesOf(tower, 'heightM')).toEqual([333]);
    expect(valuesOf(tower, 'aliases')).toContain('日本電波塔');
    expect(valuesOf(tower, 'assetTypes')).toEqual(['tower:type=communication']);
    expect(valuesOf(tower, 'yearBuilt')).toEqual([]);
  });
});
