import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/files/source-file.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import type { Draft } from '../../../src/sources/draft.ts';
import { plateau } from '../../../src/sources/plateau/adapter.ts';
import { USAGES } from '../../../src/sources/plateau/mapping.ts';
import { categoryOf, findCategory } from '../../../src/vocabulary/categories.ts';
import { measure, type Ring } from '../../../src/vocabulary/geometry.ts';
import { fileOf, READING, readAll } from '../../support/source-files.ts';
import { type CityBuilding, type CityOptions, cityGml, codeList, squareRing } from '../../support/write-citygml.ts';

const AT = [139.7, 35.65] as const;
const square = squareRing(...AT, 20);

const tile = (buildings: CityBuilding[], options?: CityOptions, name = 'city/udx/bldg/53393596_bldg_6697_op.gml') =>
  fileOf(name, cityGml(buildings, options), 997);

const drafts = (items: readonly Item[]): Draft[] =>
  items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
const others = (items: readonly Item[]): Item[] => items.filter((item) => item.kind !== 'record');
const reasons = (items: readonly Item[]): string[] =>
  items.flatMap((item) => ('reason' in item ? [`${item.kind}: ${item.reason}`] : []));

function valuesOf(draft: Draft | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { field, value } of draft?.observations ?? []) {
    values[field] = field === 'assetTypes' ? [...((values[field] as unknown[]) ?? []), value] : value;
  }
  return values;
}

async function readOne(building: CityBuilding, options?: CityOptions, more: SourceFile[] = []) {
  const items = await readAll(plateau, [
    tile([{ id: '13113-bldg-1', outline: [square], ...building }], options),
    ...more,
  ]);
  return { items, draft: drafts(items)[0], values: valuesOf(drafts(items)[0]), reasons: reasons(items) };
}

describe('files', () => {
  it.each([
    ['city.zip/udx/bldg/53394611_bldg_6697_op.gml', true],
    ['udx/bldg/a.GML', true],
    ['53394611.gml', true],
    ['city/codelists/Building_usage.xml', true],
    ['codelists/Building_name.xml', true],
    ['city/udx/tran/53394611_tran_6697_op.gml', false],
    ['udx/dem/533946_dem_6697_op.gml', false],
    ['udx/ubld/a.gml', false],
    ['city/metadata/a.xml', false],
    ['city/udx/bldg/53394611_appearance/a.jpg', false],
  ])('%s: %s', (name, expected) => {
    expect(plateau.reads(name)).toBe(expected);
  });
});

describe('a building', () => {
  const full: CityBuilding = {
    name: '見本タワー',
    usage: ['401', '402'],
    height: 36.8,
    storeysAbove: 9,
    storeysBelow: 1,
    year: 1985,
    floorArea: 4321.5,
    address: '東京都渋谷区道玄坂一丁目',
  };

  it.each(['1.4', '2.0', '3.0', '3.1', '3.2'] as const)('is read of i-UR %s', async (uro) => {
    const { draft, values, items } = await readOne(full, { uro });
    expect(others(items)).toEqual([]);
    expect(draft).toMatchObject({
      sourceRecordId: '13113-bldg-1',
      extractionMethod: 'citygml',
      whole: true,
      area: null,
    });
    expect(values).toEqual({
      nameJa: '見本タワー',
      addressJa: '東京都渋谷区道玄坂一丁目',
      assetTypes: ['業務施設', '商業施設'],
      footprintM2: measure({ type: 'Polygon', coordinates: [square] }).areaM2,
      gfaM2: 4321.5,
      floorsAbove: 9,
      floorsBelow: 1,
      heightM: 36.8,
      yearBuilt: 1985,
    });
    expect(draft?.geometry).toEqual({
      type: 'Polygon',
      coordinates: [square.map(([lon, lat]) => [Math.round(lon * 1e7) / 1e7, Math.round(lat * 1e7) / 1e7])],
    });
  });

  it.each(['1.4', '2.0', '3.2', '4.0'] as const)('PLC-01 states its municipality in i-UR %s', async (uro) => {
    const stated = async (building: CityBuilding, name?: string) =>
      drafts(await readAll(plateau, [tile([{ outline: [square], ...building }], { uro }, name)]))[0]?.municipality;
    expect(await stated({ id: '27100-bldg-1', city: '27126' })).toBe('27126');
    // The municipality in the ID is not stored a second time.
    expect(await stated({ id: '13113-bldg-1', city: '13113' })).toBeUndefined();
    expect(await stated({ id: '13113-bldg-1', city: '99999' })).toBeUndefined();
    expect(await stated({ id: 'a', city: '' }, '13111_ota-ku_2020/udx/bldg/53392547_bldg.gml')).toBe('13111');
    expect(await stated({ id: 'a', city: '' }, '53392547_bldg.gml')).toBeUndefined();
    const parts = [{ outline: [square], id: 'b', city: '14131' }];
    expect(await stated({ id: 'a', city: '', shapes: [], parts })).toBe('14131');
  });

  it('has its position in the file and its source', async () => {
    const two = tile([
      { id: 'a', outline: [square] },
      { id: 'b', outline: [square] },
    ]);
    const lines = cityGml([
      { id: 'a', outline: [square] },
      { id: 'b', outline: [square] },
    ]).split('\n');
    const expected = lines.flatMap((line, i) => (line.startsWith('<bldg:Building ') ? [i + 1] : []));
    const items = await readAll(plateau, [two], { ...READING, url: 'https://example.org/city.zip' });
    expect(items.map((item) => 'at' in item && item.at)).toEqual(expected.map((line) => ({ file: two.name, line })));
    expect(drafts(items)[0]?.sourceUrl).toBe('https://example.org/city.zip');
    expect((await readOne({})).draft?.sourceUrl).toBe('https://www.geospatial.jp/ckan/dataset/plateau');
  });

  it('reads CRLF, a byte order mark and namespaces in any order', async () => {
    const { values, items } = await readOne(full, { newline: '\r\n', bom: true });
    expect(values).toMatchObject({ heightM: 36.8, nameJa: '見本タワー' });
    expect(items[0]).toMatchObject({ at: { line: 7 } });
  });

  it('without a building ID has its gml:id as ID; without both it is rejected', async () => {
    const xml = cityGml([{ gmlId: 'bldg_x', outline: [square] }]);
    const items = await readAll(plateau, [fileOf('a.gml', xml), fileOf('b.gml', xml.replace(' gml:id="bldg_x"', ''))]);
    expect(drafts(items).map((draft) => draft.sourceRecordId)).toEqual(['bldg_x']);
    expect(reasons(items)).toEqual([expect.stringMatching(/^rejected: .*neither a building ID nor a gml:id/)]);
  });

  it('may lack all values', async () => {
    const road = '<CityModel><cityObjectMember><Road><name>道</name></Road></cityObjectMember></CityModel>';
    expect(await readAll(plateau, [tile([]), fileOf('x.gml', road)])).toEqual([]);
  });

  it('is read among elements with similar names', async () => {
    const ifc = `<uro:ifcBuildingAttribute><uro:IfcBuilding><uro:name>別名</uro:name></uro:IfcBuilding></uro:ifcBuildingAttribute>
      <uro:unheardOf><bldg:Building gml:id="inner"/><uro:name>x</uro:name><bldg:measuredHeight uom="m">1</bldg:measuredHeight></uro:unheardOf>`;
    const { values, items } = await readOne({ height: 5, raw: ifc });
    expect(values).toMatchObject({ heightM: 5 });
    expect(values).not.toHaveProperty('nameJa');
    expect(items).toHaveLength(1);
  });
});

describe('unknown and invalid values', () => {
  it.each<[CityBuilding, string[]]>([
    [{ height: -9999, storeysAbove: 9999, storeysBelow: 9999, year: '0001', floorArea: -9999, usage: '461' }, []],
    [{ height: 9999, storeysAbove: -9999, storeysBelow: -9999, year: '0000', floorArea: 0 }, []],
    [{ height: 0, storeysAbove: 0, year: '9999', name: '不明', address: '-' }, []],
    [{ height: '' }, []],
    [{ height: 'high', storeysAbove: 'two', year: 'old', floorArea: 'NaN' }, ['is not a number', 'is not a year']],
    [{ height: 123456, storeysAbove: 5000, storeysBelow: -1 }, ['from 0 to']],
    [{ storeysAbove: 2.5 }, ['whole number']],
    [{ year: 2090 }, ['in the future']],
    [{ usage: '999' }, ['unknown usage code']],
    [{ name: '見本一郎様邸' }, ['private person']],
  ])('%j', async (building, notes) => {
    const { values, reasons: said, draft } = await readOne(building);
    expect(Object.keys(values)).toEqual(['footprintM2']);
    for (const note of notes) expect(said.join()).toContain(note);
    expect(said.every((reason) => reason.startsWith('note: '))).toBe(true);
    if (notes.length === 0) expect(said).toEqual([]);
    expect(draft?.geometry).not.toBeNull();
  });

  it('0 storeys below ground means that there is no basement', async () => {
    expect((await readOne({ storeysBelow: 0 })).values).toMatchObject({ floorsBelow: 0 });
  });

  it.each([
    ['1985-04-01', 1985],
    ['1985+09:00', 1985],
    ['1985Z', 1985],
    ['昭和60年', 1985],
    ['1868', 1868],
  ])('the year of %s', async (year, expected) => {
    expect((await readOne({ year })).values).toMatchObject({ yearBuilt: expected });
  });

  it.each([
    ['<bldg:measuredHeight uom="cm">1250</bldg:measuredHeight>', 12.5],
    ['<bldg:measuredHeight uom="#m">12.5</bldg:measuredHeight>', 12.5],
    ['<bldg:measuredHeight>１２．５</bldg:measuredHeight>', 12.5],
    ['<bldg:measuredHeight uom="cubit">12.5</bldg:measuredHeight>', undefined],
  ])('%s', async (raw, expected) => {
    const { values, reasons: said } = await readOne({ raw });
    expect(values.heightM).toBe(expected);
    expect(said).toEqual(expected === undefined ? ['note: heightM has the unsupported unit cubit'] : []);
  });

  it('住宅 or 社宅 does not make a name private', async () => {
    expect((await readOne({ name: '県営第二住宅' })).values).toMatchObject({ nameJa: '県営第二住宅' });
    expect((await readOne({ name: '見本社宅' })).values).toMatchObject({ nameJa: '見本社宅' });
  });
});

describe('codes', () => {
  it('every usage of the common list has a category', () => {
    for (const [code, label] of USAGES) {
      expect(findCategory(label), label).toBeDefined();
      expect(findCategory(code)).toBe(categoryOf(label));
    }
    expect(USAGES.size).toBe(18);
  });

  const usage = (folder: string, labels: Record<string, string>) =>
    fileOf(`${folder}/codelists/Building_usage.xml`, `\ufeff${codeList('Building_usage', labels)}`);

  it('a list beside the tile takes precedence, in any order of files', async () => {
    const list = usage('city', { 401: '専用事務所', 402: '不明', 499: '立体駐車場' });
    expect((await readOne({ usage: ['401', '402', '499', '412'] }, {}, [list])).values.assetTypes).toEqual([
      '専用事務所',
      '立体駐車場',
      '共同住宅',
    ]);
  });

  it('a label without a category is replaced by the common one, and a compound label is split', async () => {
    const list = usage('city', { 401: '業務施設その七', 402: '事務所・共同住宅', 498: '謎の施設' });
    const { values } = await readOne({ usage: ['401', '402', '498'] }, {}, [list]);
    expect(values.assetTypes).toEqual(['業務施設', '事務所', '共同住宅', '謎の施設']);
  });

  it('each city has its own names', async () => {
    const name = (folder: string, label: string) =>
      fileOf(`${folder}/codelists/Building_name.xml`, codeList('Building_name', { 1: label }));
    const of = (folder: string) =>
      tile(
        [{ id: folder, name: '1', nameCodeSpace: '../../codelists/Building_name.xml', outline: [square] }],
        {},
        `${folder}/udx/bldg/a.gml`,
      );
    const items = await readAll(plateau, [of('a'), of('b.zip'), of('c'), name('a', '駅'), name('b.zip', '病院')]);
    expect(drafts(items).map((draft) => valuesOf(draft).nameJa)).toEqual(['駅', '病院', undefined]);
    expect(reasons(items)).toEqual([expect.stringMatching(/^note: nameJa is a code that is not in the code lists/)]);
  });

  it('a list is found by its name if the path is wrong', async () => {
    const list = fileOf('elsewhere/codelists/Building_name.xml', codeList('Building_name', { 1: '見本駅' }));
    const { values } = await readOne({ name: '1', nameCodeSpace: '../../codelists/Building_name.xml' }, {}, [list]);
    expect(values.nameJa).toBe('見本駅');
  });

  it('a broken list does not affect other files', async () => {
    const list = fileOf('city/codelists/Building_usage.xml', codeList('x', { 401: '専用事務所' }).slice(0, -20));
    const { values, reasons: said } = await readOne({ usage: '402' }, {}, [list]);
    expect(values.assetTypes).toEqual(['商業施設']);
    expect(said).toEqual([expect.stringMatching(/^broken: .*cut off/)]);
  });
});

describe('addresses', () => {
  const address = (xal: string) =>
    `<bldg:address><core:Address><core:xalAddress><xAL:AddressDetails><xAL:Country><xAL:CountryName>日本</xAL:CountryName>${xal}</xAL:Country></xAL:AddressDetails></core:xalAddress></core:Address></bldg:address>`;
  it.each([
    [
      '<xAL:Locality><xAL:LocalityName Type="town">山口県周南市\n大字川曲 </xAL:LocalityName></xAL:Locality>',
      '山口県周南市 大字川曲',
    ],
    [
      '<xAL:Locality><xAL:LocalityName Type="prefecture">東京都</xAL:LocalityName><xAL:LocalityName Type="city">渋谷区</xAL:LocalityName>' +
        '<xAL:DependentLocality Type="district"><xAL:DependentLocalityName>神宮前</xAL:DependentLocalityName>' +
        '<xAL:DependentLocalityNumber>2-2-3</xAL:DependentLocalityNumber></xAL:DependentLocality></xAL:Locality>',
      '東京都渋谷区神宮前2-2-3',
    ],
    [
      '<xAL:AdministrativeArea><xAL:AdministrativeAreaName>東京都</xAL:AdministrativeAreaName><xAL:Locality>' +
        '<xAL:LocalityName>東京都文京区本郷四丁目</xAL:LocalityName><xAL:Premise><xAL:PremiseNumber>14</xAL:PremiseNumber>' +
        '<xAL:PremiseNumber>10</xAL:PremiseNumber></xAL:Premise><xAL:PostalCode><xAL:PostalCodeNumber>1130033</xAL:PostalCodeNumber></xAL:PostalCode></xAL:Locality></xAL:AdministrativeArea>',
      '東京都文京区本郷四丁目14-10',
    ],
    ['<xAL:Locality><xAL:LocalityName>不明</xAL:LocalityName></xAL:Locality>', undefined],
  ])('%s', async (xal, expected) => {
    expect((await readOne({ raw: address(xal) })).values.addressJa).toBe(expected);
  });
});

describe('footprints', () => {
  const areaOf = (ring: Ring) => measure({ type: 'Polygon', coordinates: [ring] }).areaM2;
  const small = squareRing(...AT, 10);

  it.each(['lod0FootPrint', 'lod0RoofEdge', 'lod1Solid', 'lod2'] as const)('come from %s', async (shape) => {
    const { values, items } = await readOne({ shapes: [shape] });
    expect(values).toEqual({ footprintM2: areaOf(square) });
    expect(items).toHaveLength(1);
  });

  const shape = (name: string, ring: Ring, height = 0) =>
    `<bldg:${name}><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>` +
    `${ring.map(([lon, lat]) => `${lat} ${lon} ${height}`).join(' ')}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>` +
    `</gml:surfaceMember></gml:MultiSurface></bldg:${name}>`;

  it('are preferred to roof edges', async () => {
    const both = [shape('lod0FootPrint', small), shape('lod0RoofEdge', square)];
    for (const raw of [both.join(''), both.reverse().join('')]) {
      expect((await readOne({ shapes: [], raw })).values.footprintM2).toBe(areaOf(small));
    }
  });

  it('of a solid are all polygons of its bottom, with holes', async () => {
    const outlines = [
      [square, squareRing(AT[0] + 0.00005, AT[1] + 0.00005, 5)],
      [squareRing(AT[0] + 0.001, AT[1], 10)],
    ];
    const { draft, values } = await readOne({ outlines, shapes: ['lod1Solid'], height: 12 });
    expect(draft?.geometry).toMatchObject({ type: 'MultiPolygon' });
    expect(draft?.geometry?.coordinates).toHaveLength(2);
    expect(values.footprintM2).toBeCloseTo(measure({ type: 'MultiPolygon', coordinates: outlines }).areaM2, 1);
  });

  it('are all ground surfaces of LOD2, which may be many', async () => {
    const outlines = Array.from({ length: 30 }, (_, i) => [squareRing(AT[0] + i * 0.001, AT[1], 10)]);
    const { draft } = await readOne({ outlines, shapes: ['lod2'] });
    expect(draft?.geometry?.coordinates).toHaveLength(30);
  });

  it('of a solid on two levels are the lower one', async () => {
    const raw = shape('lod1Solid', small, 3).replaceAll('MultiSurface', 'Solid');
    const higher = shape('lod1Solid', square, 8).replace(/.*(<gml:surfaceMember>.*<\/gml:surfaceMember>).*/, '$1');
    const two = raw.replace('<gml:surfaceMember>', `${higher}<gml:surfaceMember>`);
    expect((await readOne({ shapes: [], raw: two })).values.footprintM2).toBe(areaOf(small));
  });

  it('are read from several gml:pos, and in two dimensions', async () => {
    const positions = square.map(([lon, lat]) => `<gml:pos>${lat} ${lon} 3</gml:pos>`).join('');
    const raw = shape('lod0FootPrint', square).replace(/<gml:posList>.*<\/gml:posList>/, positions);
    expect((await readOne({ shapes: [], raw })).values.footprintM2).toBe(areaOf(square));
    const flat = await readOne({ shapes: ['lod0FootPrint'] }, { srsDimension: 2, srsName: 'EPSG:6668' });
    expect(flat.values.footprintM2).toBe(areaOf(square));
  });

  it.each<[CityOptions, boolean]>([
    [{ srsName: 'urn:ogc:def:crs:EPSG::6697' }, true],
    [{ srsName: null }, true],
    [{ srsName: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84', srsDimension: 2, axes: 'lon lat' }, true],
    [{ srsName: 'urn:ogc:def:crs:OGC::CRS84h', axes: 'lon lat' }, true],
    [{ axes: 'lon lat' }, false],
    [{ srsName: 'http://www.opengis.net/def/crs/EPSG/0/6677' }, false],
    [{ srsName: 'constructor' }, false],
  ])('in %j: %s', async (options, isRead) => {
    const { items, values, reasons: said } = await readOne({}, options);
    if (isRead) expect(values.footprintM2).toBe(areaOf(square));
    else {
      expect(drafts(items)).toEqual([]);
      expect(said).toEqual([
        expect.stringMatching(
          /^rejected: no footprint: lod0RoofEdge (?:has a position outside Japan|is in the unsupported reference system)/,
        ),
      ]);
    }
  });

  it('may each have their own reference system', async () => {
    const plane = shape('lod0FootPrint', square).replace(
      '<gml:MultiSurface>',
      '<gml:MultiSurface srsName="EPSG:6677">',
    );
    const { values, reasons: said } = await readOne({ raw: plane, shapes: ['lod1Solid'] });
    expect(values.footprintM2).toBe(areaOf(square));
    expect(said).toEqual([
      expect.stringMatching(/^note: lod0FootPrint is in the unsupported reference system EPSG:6677.*another/),
    ]);
  });

  it.each<[string, (posList: string) => string, RegExp]>([
    ['a ring that is not closed', (list) => list.split(' ').slice(0, -3).join(' '), /not closed/],
    ['an odd number', (list) => `${list} 35.6`, /multiple of 3/],
    ['NaN', (list) => list.replace(/^\S+/, 'NaN'), /not a pair of numbers/],
    ['an empty ring', () => ' ', /empty ring/],
    ['a ring of two positions', (list) => list.split(' ').slice(0, 6).join(' '), /fewer than four/],
    [
      'no area',
      (list) => Array.from({ length: 5 }, () => list.split(' ').slice(0, 3).join(' ')).join(' '),
      /without area/,
    ],
    ['a place in the sea off Africa', (list) => list.replace(/\S+/g, '0'), /outside Japan/],
  ])('with %s are rejected, or the next shape is used', async (_, spoil, reason) => {
    const bad = shape('lod0FootPrint', square).replace(/(?<=<gml:posList>).*(?=<\/gml:posList>)/, spoil);
    const rejected = await readOne({ shapes: [], raw: bad });
    expect(rejected.reasons).toEqual([expect.stringMatching(reason)]);
    expect(rejected.items).toMatchObject([{ kind: 'rejected', record: '13113-bldg-1' }]);
    const saved = await readOne({ shapes: ['lod1Solid'], raw: bad });
    expect(saved.values.footprintM2).toBe(areaOf(square));
    expect(saved.reasons).toEqual([expect.stringMatching(/^note: .*another shape is used/)]);
  });

  it('are required', async () => {
    const { items } = await readOne({ shapes: [] });
    expect(items).toEqual([
      {
        kind: 'rejected',
        at: expect.anything(),
        record: '13113-bldg-1',
        reason: expect.stringMatching(/^no footprint: /),
      },
    ]);
  });
});

describe('branches and parts', () => {
  const at = (x: number) => [squareRing(AT[0] + x * 0.001, AT[1], 10)];
  const id = '27100-bldg-1';

  it.each(['1.4', '3.2'] as const)('branches of one ID are one building, over all files (%s)', async (uro) => {
    const first: CityBuilding[] = [
      { id, branch: 3, outline: at(3), height: 30, storeysAbove: 2, usage: '412', gmlId: 'b3' },
      { id: '27100-bldg-2', branch: 1, outline: at(9), gmlId: 'single' },
    ];
    const second: CityBuilding[] = [
      { id, branch: 1, outline: at(1), height: 10, storeysAbove: 5, name: '母屋', year: '0001', gmlId: 'b1' },
      { id, branch: 2, outline: at(2), name: '離れ', year: 1990, usage: '401', gmlId: 'b2' },
    ];
    const items = await readAll(plateau, [tile(first, { uro }, 'a.gml'), tile(second, { uro }, 'b.gml')]);
    expect(others(items)).toEqual([]);
    const [single, joined] = drafts(items);
    expect(single?.sourceRecordId).toBe('27100-bldg-2');
    expect(joined?.sourceRecordId).toBe(id);
    expect(joined?.geometry?.coordinates).toHaveLength(3);
    expect(valuesOf(joined)).toEqual({
      nameJa: '母屋',
      assetTypes: ['業務施設'],
      footprintM2: measure({ type: 'MultiPolygon', coordinates: [at(1), at(2), at(3)] }).areaM2,
      floorsAbove: 5,
      heightM: 30,
      yearBuilt: 1990,
    });
    expect(items[1]).toMatchObject({ at: { file: 'b.gml' } });
  });

  it('the same ID without branches is one building too', async () => {
    const items = await readAll(plateau, [
      tile([
        { id, outline: at(1) },
        { id: 'x', outline: at(3) },
        { id, outline: at(2) },
      ]),
    ]);
    expect(drafts(items).map((draft) => [draft.sourceRecordId, draft.geometry?.type])).toEqual([
      ['x', 'Polygon'],
      [id, 'MultiPolygon'],
    ]);
  });

  it('a branch without a footprint does not affect the others', async () => {
    const items = await readAll(plateau, [
      tile([
        { id, branch: 1 },
        { id, branch: 2, outline: at(1) },
      ]),
    ]);
    expect(drafts(items)).toHaveLength(1);
    expect(reasons(items)).toEqual(['note: 1 of 2 branches have no footprint']);
  });

  it('the same tile twice yields the same buildings', async () => {
    const buildings = [1, 2, 3].map((i) => ({ id: `b${i}`, gmlId: `g${i}`, outline: at(i) }));
    const items = await readAll(plateau, [tile(buildings, {}, 'a/x.gml'), tile(buildings, {}, 'b/x.gml')]);
    expect(drafts(items)).toEqual(drafts(await readAll(plateau, [tile(buildings)])));
    expect(new Set(reasons(items))).toEqual(new Set(['note: repeated building with the same gml:id']));
  });

  it('an ID shared by too many buildings is not used', async () => {
    const many = Array.from({ length: 101 }, (_, i) => ({ id: '0', gmlId: `g${i}`, outline: at(i % 50) }));
    const items = await readAll(plateau, [tile(many)]);
    expect(drafts(items)).toHaveLength(101);
    expect(drafts(items)[100]?.sourceRecordId).toBe('g100');
    expect(reasons(items)[0]).toMatch(/101 buildings share/);
  });

  it('an ID that the first pass missed is rejected when it comes again', async () => {
    const hidden = (gmlId: string) =>
      cityGml([{ id: 'a', gmlId, outline: at(1) }]).replace('>a</uro:buildingID', '>&#97;</uro:buildingID');
    const items = await readAll(plateau, [fileOf('a.gml', hidden('g1')), fileOf('b.gml', hidden('g2'))]);
    expect(drafts(items)).toHaveLength(1);
    expect(reasons(items)).toEqual([expect.stringMatching(/^rejected: the ID came again/)]);
  });

  it('parts give values that the building lacks', async () => {
    const parts: CityBuilding[] = [
      { outline: at(1), height: 10, storeysAbove: 3, usage: '401', shapes: ['lod1Solid'] },
      { outline: at(2), height: 40, storeysAbove: 9, usage: '402', storeysBelow: 2, floorArea: 50 },
    ];
    const { values, draft } = await readOne({ shapes: [], parts, storeysAbove: 8 });
    expect(draft?.geometry?.coordinates).toHaveLength(2);
    expect(values).toMatchObject({ heightM: 40, floorsAbove: 8, floorsBelow: 2, assetTypes: ['業務施設', '商業施設'] });
    expect(values).not.toHaveProperty('gfaM2');
    const own = await readOne({ parts, usage: '412', height: 11 });
    expect(own.draft?.geometry).toMatchObject({ type: 'Polygon' });
    expect(own.values).toMatchObject({ heightM: 11, assetTypes: ['共同住宅'], floorsAbove: 9 });
  });

  it.each(['3.2', '4.0'] as const)('parts give their common name and the sum of their areas (%s)', async (uro) => {
    const read = async (parts: CityBuilding[], building: CityBuilding = {}) =>
      (await readOne({ shapes: [], parts, ...building }, { uro })).values;
    const [one, two] = [
      { outline: at(1), name: '見本ビル', usage: '401', floorArea: 100.1 },
      { outline: at(2), name: '見本ビル', usage: '401', floorArea: 200.2 },
    ];
    expect(await read([one, two])).toMatchObject({ nameJa: '見本ビル', assetTypes: ['業務施設'], gfaM2: 300.3 });
    expect(await read([one, two], { name: '別棟', floorArea: 5 })).toMatchObject({ nameJa: '別棟', gfaM2: 5 });
    const differing = await read([one, { ...two, name: '別館', floorArea: -9999 }]);
    expect(differing).not.toHaveProperty('nameJa');
    expect(differing).not.toHaveProperty('gfaM2');
    expect(await read([one, { outline: at(2) }])).not.toHaveProperty('nameJa');
  });

  it('a single part names the building only if that has no outline of its own', async () => {
    const shop = { outline: at(1), name: '店', usage: '402', floorArea: 50, height: 4 };
    const { values } = await readOne({ outline: at(3), parts: [shop] });
    expect(values).not.toHaveProperty('nameJa');
    expect(values).not.toHaveProperty('gfaM2');
    expect(values).toMatchObject({ heightM: 4, assetTypes: ['商業施設'] });
    expect((await readOne({ shapes: [], parts: [shop] })).values).toMatchObject({ nameJa: '店', gfaM2: 50 });
    const two = await readOne({ outline: at(3), parts: [shop, { ...shop, outline: at(2) }] });
    expect(two.values).toMatchObject({ nameJa: '店', gfaM2: 100 });
  });
});

describe('real-estate IDs', () => {
  const attribute = (...elements: [name: string, text: string][]) =>
    `<uro:RealEstateIDAttribute>${elements.map(([name, text]) => `<uro:${name}>${text}</uro:${name}>`).join('')}</uro:RealEstateIDAttribute>`;
  const within = (uro: '3.2' | '4.0', text: string) =>
    uro === '4.0'
      ? `<bldg:adeOfAbstractBuilding>${text}</bldg:adeOfAbstractBuilding>`
      : `<uro:bldgRealEstateIDAttribute>${text}</uro:bldgRealEstateIDAttribute>`;

  it.each(['3.2', '4.0'] as const)('of building, units and land are stored as links (%s)', async (uro) => {
    const raw = within(
      uro,
      attribute(
        ['realEstateIDOfBuilding', '0100001234567-0000'],
        ['numberOfBuildingUnitOwnership', '2'],
        ['realEstateIDOfBuildingUnitOwnership', '0100001234568-0101'],
        ['realEstateIDOfBuildingUnitOwnership', '0100001234569-0102'],
        ['numberOfRealEstateIDOfLand', '1'],
        ['realEstateIDOfLand', '０１００００７６５４３２１－００００'],
        ['matchingScore', '87'],
      ),
    );
    const { draft, values } = await readOne({ raw, height: 12 }, { uro });
    expect(draft?.links).toEqual([
      'realestate:0100001234567-0000',
      'realestate-unit:0100001234568-0101',
      'realestate-unit:0100001234569-0102',
      'realestate-land:0100007654321-0000',
    ]);
    expect(values).toMatchObject({ heightM: 12 });
  });

  it.each([
    ['01000012345670000', ['realestate:0100001234567-0000']],
    [' 0100001234567 ', ['realestate:0100001234567']],
    ['不明', []],
    ['0000000000000-0000', []],
  ])('are normalised: %s', async (text, links) => {
    const { draft } = await readOne({ raw: within('3.2', attribute(['realEstateIDOfBuilding', text])) });
    expect(draft).toMatchObject({ links, notes: [] });
  });

  it('are left out with a note if invalid, and never repeated', async () => {
    const ids: [string, string][] = ['X-1', '0100001234567-0000', '0100001234567－0000'].map((text) => [
      'realEstateIDOfBuilding',
      text,
    ]);
    const { draft } = await readOne({ raw: within('3.2', attribute(...ids)) });
    expect(draft?.links).toEqual(['realestate:0100001234567-0000']);
    expect(draft?.notes).toEqual(['a real-estate ID must have 13 digits, or 13 and 4']);
  });

  it('of all branches belong to the building', async () => {
    const branch = (i: number): CityBuilding => ({
      ...{ id: '13113-bldg-1', gmlId: `g${i}`, branch: i, outline: [squareRing(139.7 + i / 1000, 35.65, 10)] },
      raw: within('3.2', attribute(['realEstateIDOfLand', `010000123456${i}-0000`])),
    });
    const [draft] = drafts(await readAll(plateau, [tile([branch(1), branch(2)])]));
    expect(draft?.links).toEqual(['realestate-land:0100001234561-0000', 'realestate-land:0100001234562-0000']);
  });
});

describe('CityGML 3.0 with i-UR 4.0', () => {
  const at = (i: number): Ring[] => [squareRing(139.7 + i / 1000, 35.65, 10)];
  const city: CityBuilding[] = [
    {
      ...{ id: '13113-bldg-1', gmlId: 'g1', name: '見本タワー', usage: ['401', '402'], height: 36.8, year: 1998 },
      ...{ storeysAbove: 9, storeysBelow: 1, floorArea: 1234.5, address: '東京都渋谷区道玄坂一丁目', outline: at(1) },
    },
    {
      id: '13113-bldg-2',
      gmlId: 'g2',
      branch: 1,
      height: 5,
      outline: at(2),
      shapes: ['lod0FootPrint', 'lod0RoofEdge'],
    },
    { id: '13113-bldg-2', gmlId: 'g3', branch: 2, height: 7, outline: at(3), shapes: ['lod2'] },
    { gmlId: 'g4', height: -9999, storeysAbove: 9999, year: '0001', usage: '461', outlines: [at(4), at(5)] },
    {
      ...{ id: '13113-bldg-5', gmlId: 'g5', shapes: [] },
      parts: [
        { outline: at(6), height: 10, storeysAbove: 2, usage: '411' },
        { outline: at(7), height: 12, year: 2001 },
      ],
    },
    { id: '13113-bldg-6', gmlId: 'g6', outline: at(8), outlines: [at(8), at(9)], shapes: ['lod2'] },
  ];

  it('yields the same buildings as in CityGML 2.0', async () => {
    const [old, ...others] = await Promise.all(
      (['3.2', '4.0'] as const).map(async (uro) => readAll(plateau, [tile(city, { uro })])),
    );
    for (const items of others) {
      expect(drafts(items)).toEqual(drafts(old as Item[]));
      expect(reasons(items)).toEqual(reasons(old as Item[]));
    }
    expect(drafts(old as Item[])).toHaveLength(5);
  });

  it('reads a LOD0 surface that is neither footprint nor roof edge', async () => {
    const outline: Ring = [
      [139.7, 35.65],
      [139.7002, 35.65],
      [139.7002, 35.6502],
      [139.7, 35.65],
    ];
    const { draft } = await readOne({ outline: [outline], shapes: ['lod0MultiSurface', 'lod1Solid'] }, { uro: '4.0' });
    expect(draft?.geometry).toEqual({ type: 'Polygon', coordinates: [outline] });
    expect((await readOne({ outline: [outline], shapes: ['lod0MultiSurface'] }, { uro: '4.0' })).draft).toEqual(draft);
  });

  it('uses the greatest measured height, and an estimate only without one', async () => {
    const read = async (building: CityBuilding) => (await readOne(building, { uro: '4.0' })).values.heightM;
    const other = (status: 'measured' | 'estimated', value: number) => ({ otherHeights: [{ status, value }] });
    expect(await read({ height: 12, ...other('measured', 10) })).toBe(12);
    expect(await read({ height: 12, ...other('measured', 14) })).toBe(14);
    expect(await read({ height: 12, ...other('estimated', 14) })).toBe(12);
    expect(await read({ height: -9999, ...other('estimated', 14) })).toBe(14);
  });

  it('reads the ID in a generic attribute, and joins the branches of one', async () => {
    const branch = (gmlId: string, i: number) => ({
      gmlId,
      outline: at(i),
      generic: { 建物ID: '13101-bldg-9', 枝番: `${i}` },
    });
    const items = await readAll(plateau, [tile([branch('g1', 1), branch('g2', 2)], { uro: '4.0' })]);
    expect(drafts(items).map(({ sourceRecordId }) => sourceRecordId)).toEqual(['13101-bldg-9']);
    expect(reasons(items)).toEqual([]);
  });

  it('reads tiles converted from CityGML 2.0 without i-UR 4.0', async () => {
    const raw = [
      '<bldg:adeOfAbstractBuilding><uro:BuildingProperties><uro:buildingDetails><uro:BuildingDetails>',
      '<uro:totalFloorArea uom="m2">77</uro:totalFloorArea>',
      '</uro:BuildingDetails></uro:buildingDetails></uro:BuildingProperties></bldg:adeOfAbstractBuilding>',
      '<con:height><con:Height><con:value uom="urn:adv:uom:m">31.7</con:value></con:Height></con:height>',
    ].join('');
    expect((await readOne({ raw }, { uro: '4.0' })).values).toMatchObject({ gfaM2: 77, heightM: 31.7 });
  });

  it('recognises elements by local name, with any prefix', async () => {
    const text = cityGml(city, { uro: '4.0' })
      .replaceAll(/(<\/?)core:/g, '$1')
      .replace('xmlns:core=', 'xmlns=');
    const items = await readAll(plateau, [fileOf('a.gml', text)]);
    expect(drafts(items)).toEqual(drafts(await readAll(plateau, [fileOf('a.gml', cityGml(city, { uro: '4.0' }))])));
  });
});
