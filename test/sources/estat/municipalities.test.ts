import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import type { BoundaryDraft } from '../../../src/sources/draft.ts';
import { estat } from '../../../src/sources/estat/adapter.ts';
import { type Position, round7 } from '../../../src/vocabulary/geometry.ts';
import { fileOf, readAll } from '../../support/source-files.ts';
import { dbfOf, JGD2011, shpOf, squareAt } from './shapefiles.ts';

type Cells = Record<string, string | null>;
const COLUMNS = ['N03_001', 'N03_002', 'N03_003', 'N03_004', 'N03_005', 'N03_007'] as const;
const KITA: Cells = { N03_001: '大阪府', N03_003: '大阪市', N03_004: '北区', N03_007: '27127' };
const KITA_2024: Cells = { N03_001: '大阪府', N03_003: null, N03_004: '大阪市', N03_005: '北区', N03_007: '27127' };
const NISHI: Cells = { ...KITA, N03_004: '西区', N03_007: '27106' };
const UNDECIDED: Cells = { N03_001: '東京都', N03_004: '所属未定地', N03_007: null };

const feature = (properties: Cells, ring: Position[]) => ({
  ...{ type: 'Feature', properties },
  geometry: { type: 'Polygon', coordinates: [ring] },
});
type Feature = ReturnType<typeof feature>;
const geoJson = (features: Feature[], more: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });
const small = (lon: number, lat: number) => squareAt(lon, lat, 0.001).map(([x, y]): Position => [round7(x), round7(y)]);
const [WEST, EAST, FAR] = [small(135.49, 34.7), small(135.52, 34.7), small(153.9, 24.2)];

const ofKind = <K extends Item['kind']>(items: Item[], kind: K) =>
  items.filter((item): item is Extract<Item, { kind: K }> => item.kind === kind);
const boundariesIn = (items: Item[]): BoundaryDraft[] => ofKind(items, 'boundary').map(({ boundary }) => boundary);
const read = (features: Feature[], more?: object) =>
  readAll(estat, [fileOf('N03-21_27.geojson', geoJson(features, more))]);
const shapefile = (rows: Cells[], rings: Position[][], encode?: (text: string) => number[]) => [
  fileOf('a/N03-27.shp', shpOf(rings.map((ring) => [ring]))),
  fileOf(
    'a/N03-27.dbf',
    dbfOf(
      rows.map((row) => Object.fromEntries(COLUMNS.map((column) => [column, row[column] ?? '']))),
      encode,
      COLUMNS.map((column) => [column, 'C', 60]),
    ),
  ),
  fileOf('a/N03-27.prj', JGD2011),
];

describe('boundaries of municipalities (N03)', () => {
  it('is read from GeoJSON by name in folders, and from any JSON that is named', () => {
    for (const name of ['a/N03-20240101_13.geojson', 'N03-21_13_210101.json']) expect(estat.reads(name)).toBe(true);
    expect([estat.reads('a.json'), estat.readsNamed?.('a.json')]).toEqual([false, true]);
  });

  it('joins all islands of a code into one boundary, in any order', async () => {
    const items = await read([feature(KITA, WEST), feature(NISHI, EAST), feature(KITA, FAR)]);
    expect(boundariesIn(items)).toEqual([
      {
        ...{ id: '27127/N03', ward: '27127', nameJa: '大阪市北区' },
        boundary: { type: 'MultiPolygon', coordinates: [[WEST], [FAR]] },
      },
      {
        ...{ id: '27106/N03', ward: '27106', nameJa: '大阪市西区' },
        boundary: { type: 'Polygon', coordinates: [EAST] },
      },
    ]);
  });

  it('reads names as of 2024, and codes without leading zero', async () => {
    expect(boundariesIn(await read([feature(KITA_2024, WEST)]))[0]?.nameJa).toBe('大阪市北区');
    const properties = { ...KITA, N03_007: 1101 as unknown as string };
    expect(boundariesIn(await read([feature(properties, WEST)]))[0]?.ward).toBe('01101');
  });

  it('leaves out shapes without a municipality, with one remark', async () => {
    const items = await read([
      feature(UNDECIDED, FAR),
      feature(KITA, WEST),
      feature({ N03_001: '大阪府', N03_007: '27000' }, EAST),
    ]);
    expect(boundariesIn(items)).toHaveLength(1);
    expect(ofKind(items, 'remark').map(({ reason }) => reason)).toEqual([
      'shapes without a municipality (所属未定地) left out: 2',
    ]);
    expect(ofKind(items, 'detail').map(({ at }) => at.line)).toEqual([1, 3]);
  });

  it('reads the same from a shapefile in CP932 or UTF-8, and skips the GeoJSON beside it', async () => {
    const [rows, rings] = [
      [KITA, NISHI, UNDECIDED, KITA],
      [WEST, EAST, FAR, FAR],
    ];
    const drawn = boundariesIn(await read(rows.map((row, i) => feature(row, rings[i] as Position[]))));
    const byId = (all: BoundaryDraft[]) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const encode of [undefined, (text: string) => [...Buffer.from(text)]]) {
      const files = [...shapefile(rows, rings, encode), fileOf('a/N03-27.geojson', geoJson([feature(KITA, EAST)]))];
      const items = await readAll(estat, files);
      expect(byId(boundariesIn(items))).toEqual(byId(drawn));
      expect(ofKind(items, 'remark')).toHaveLength(2);
    }
  });

  it('rejects an invalid island and keeps the others', async () => {
    const line: Position[] = [...WEST.slice(0, 2), ...WEST.slice(0, 2).reverse()];
    const items = await read([feature(KITA, line), feature(KITA, EAST), feature(NISHI, [[35, 135], ...WEST.slice(1)])]);
    expect(boundariesIn(items).map(({ boundary }) => boundary.type)).toEqual(['Polygon']);
    expect(ofKind(items, 'rejected').map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      expect.stringMatching(/^27127\/N03: a polygon of the boundary/),
      expect.stringMatching(/^27106\/N03: a polygon of the boundary/),
    ]);
  });

  it('yields all but the last municipality of a file that is cut off', async () => {
    const text = geoJson([feature(NISHI, EAST), feature(KITA, WEST), feature(KITA, FAR)]);
    const items = await readAll(estat, [fileOf('N03.geojson', text.slice(0, -30))]);
    expect(boundariesIn(items).map(({ ward }) => ward)).toEqual(['27106']);
    expect(ofKind(items, 'broken')).toHaveLength(1);
  });

  it('gets a remark if its corners are far apart', async () => {
    const remarks = ofKind(await read([feature(KITA, squareAt(135.49, 34.7))]), 'remark');
    expect(remarks.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/simplified to one corner per 1\d{3} m/),
    ]);
    expect(await read([feature(KITA, WEST)])).toHaveLength(1);
  });

  it('is not read from the published file of prefectures', async () => {
    const prefecture: Cells = { N03_001: '大阪府', N03_002: null, N03_007: '27000' };
    const items = [
      ...(await read([feature(prefecture, WEST)])),
      ...(await readAll(estat, shapefile([prefecture], [WEST]))),
    ];
    expect(items.map(({ kind }) => kind)).toEqual(['foreign', 'foreign']);
  });

  it('refuses other GeoJSON, and other coordinates', async () => {
    const foreign = await readAll(estat, [fileOf('a.geojson', geoJson([feature({ name: 'x' }, WEST)]))]);
    expect(foreign.map(({ kind }) => kind)).toEqual(['foreign']);
    const crs = (name: string) => ({ crs: { type: 'name', properties: { name } } });
    expect(ofKind(await read([feature(KITA, WEST)], crs('urn:ogc:def:crs:EPSG::4301')), 'broken')[0]?.reason).toContain(
      '4301',
    );
    expect(boundariesIn(await read([feature(KITA, WEST)], crs('urn:ogc:def:crs:EPSG::6668')))).toHaveLength(1);
  });
});
