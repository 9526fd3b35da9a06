import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import type { BoundaryDraft } from '../../../src/sources/draft.ts';
import { estat } from '../../../src/sources/estat/adapter.ts';
import { polygonsOf } from '../../../src/vocabulary/geometry.ts';
import { fileOf, readAll } from '../../support/source-files.ts';
import { type Cells, dbfOf, JGD2011, shpOf, squareAt } from './shapefiles.ts';

const KORAKU = { KEY_CODE: '13105010001', PREF: '13', CITY: '105', S_NAME: '後楽一丁目', HCODE: 8101 };
const HONGO = { ...KORAKU, KEY_CODE: '13105020001', S_NAME: '本郷一丁目' };
const SQUARE = [squareAt(139.75, 35.7)];
const SQUARE_EAST = [squareAt(139.77, 35.7)];

const boundariesIn = (items: Item[]): BoundaryDraft[] =>
  items.flatMap((item) => (item.kind === 'boundary' ? [item.boundary] : []));
const brokenIn = (items: Item[]) => items.flatMap((item) => (item.kind === 'broken' ? [item.reason] : []));

function filesOf(shp: Buffer, dbf: Buffer, more: Record<string, string> = { prj: JGD2011 }, stem = 'a.zip/r2ka13105') {
  const others = Object.entries(more).map(([extension, text]) => fileOf(`${stem}.${extension}`, text));
  return [...others, fileOf(`${stem}.dbf`, dbf), fileOf(`${stem}.shp`, shp)];
}

const read = (rows: Cells[], shapes: [number, number][][][], more?: Record<string, string>) =>
  readAll(estat, filesOf(shpOf(shapes), dbfOf(rows), more));

describe('small areas of the census', () => {
  it('reads the parts of a shapefile that it needs', () => {
    for (const name of ['a.zip/r2ka13105.shp', 'R2KA.DBF', 'a.prj', 'a.cpg']) expect(estat.reads(name)).toBe(true);
    for (const name of ['a.shx', 'a.csv', 'shp']) expect(estat.reads(name)).toBe(false);
  });

  it('yields a boundary per neighbourhood, with its name from CP932', async () => {
    expect(await read([KORAKU, HONGO], [SQUARE, SQUARE_EAST])).toEqual([
      {
        kind: 'boundary',
        at: { file: 'a.zip/r2ka13105.shp', line: 1 },
        boundary: {
          id: '13105010001',
          ward: '13105',
          nameJa: '後楽一丁目',
          boundary: { type: 'Polygon', coordinates: [squareAt(139.75, 35.7)] },
        },
      },
      expect.objectContaining({ at: { file: 'a.zip/r2ka13105.shp', line: 2 } }),
    ]);
  });

  it('keeps rings that are holes', async () => {
    const hole = squareAt(139.752, 35.702, 0.005).reverse();
    const [boundary] = boundariesIn(await read([KORAKU], [[...SQUARE, hole]]));
    expect(boundary?.boundary).toMatchObject({ type: 'Polygon', coordinates: { length: 2 } });
  });

  it('joins the features of one code and name, wherever they are', async () => {
    const [joined, other] = boundariesIn(
      await read([KORAKU, HONGO, KORAKU], [SQUARE, SQUARE_EAST, SQUARE_EAST]),
    ).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(joined?.boundary.type).toBe('MultiPolygon');
    expect(polygonsOf(joined?.boundary ?? { type: 'MultiPolygon', coordinates: [] })).toHaveLength(2);
    expect(other?.nameJa).toBe('本郷一丁目');
  });

  it('separates the names of one code', async () => {
    const rows = [KORAKU, { ...KORAKU, S_NAME: '後楽二丁目' }, { ...KORAKU, S_NAME: '後楽三丁目' }];
    const boundaries = boundariesIn(await read(rows, [SQUARE, SQUARE_EAST, [squareAt(139.79, 35.7)]]));
    expect(boundaries.map(({ id }) => id)).toEqual(['13105010001', '13105010001-2', '13105010001-3']);
  });

  it('leaves out water and areas without a name', async () => {
    const rows = [
      { ...KORAKU, HCODE: 8154 },
      { ...KORAKU, S_NAME: '‐' },
      { ...KORAKU, S_NAME: '　‐　' },
      { ...KORAKU, S_NAME: '－' },
      { ...KORAKU, S_NAME: '' },
    ];
    expect(
      await read(
        rows,
        rows.map(() => SQUARE),
      ),
    ).toEqual([]);
  });

  it('takes the ward from the code if the table lacks it, and reads older columns', async () => {
    const columns = [
      ['KEY_CODE', 'C', 11],
      ['KEN', 'C', 2],
      ['MOJI', 'C', 30],
    ] as const;
    const dbf = dbfOf(
      [{ KEY_CODE: '13105010001', KEN: '13', MOJI: '後楽１丁目' }],
      undefined,
      columns.map(([...c]) => c),
    );
    const [boundary] = boundariesIn(await readAll(estat, filesOf(shpOf([SQUARE]), dbf)));
    expect(boundary).toMatchObject({ ward: '13105', nameJa: '後楽１丁目' });
  });

  it('reads UTF-8 if a .cpg says so or the bytes are valid, and needs no .prj', async () => {
    const dbf = dbfOf([KORAKU], (text) => [...Buffer.from(text)]);
    const files = filesOf(shpOf([SQUARE]), dbf, { cpg: 'UTF-8' });
    expect(boundariesIn(await readAll(estat, files))[0]?.nameJa).toBe('後楽一丁目');
    expect(boundariesIn(await readAll(estat, filesOf(shpOf([SQUARE]), dbf)))[0]?.nameJa).toBe('後楽一丁目');
    const illegible = await read([KORAKU], [SQUARE], { cpg: 'UTF-8' });
    expect(illegible).toMatchObject([
      { kind: 'rejected', record: '13105010001', reason: expect.stringMatching(/cannot be decoded/) },
    ]);
  });

  it.each([
    ['PROJCS["JGD_2011_Japan_Zone_9",GEOGCS["GCS_JGD_2011"]]', /plane/],
    ['GEOGCS["GCS_Tokyo",DATUM["D_Tokyo"]]', /Tokyo datum/],
    ['GEOGCS["GCS_Pulkovo_1942"]', /unknown reference system/],
    ['', /unknown reference system/],
  ])('refuses %s', async (prj, reason) => {
    const items = await read([KORAKU], [SQUARE], { prj });
    expect(items).toEqual([{ kind: 'broken', file: 'a.zip/r2ka13105.shp', reason: expect.stringMatching(reason) }]);
  });

  it.each([
    'GEOGCS["JGD2000",DATUM["Japanese_Geodetic_Datum_2000"]]',
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"]]',
    JGD2011,
  ])('takes %s', async (prj) => {
    expect(boundariesIn(await read([KORAKU], [SQUARE], { prj }))).toHaveLength(1);
  });

  it('rejects an invalid boundary with its code', async () => {
    const shapes = [
      [squareAt(35.7, 139.7)],
      [squareAt(-6_000, -35_000)],
      [squareAt(139.7, 35.7, 0)],
      [],
      [squareAt(Number.NaN, 35)],
    ];
    const rows = shapes.map((_, i) => ({ ...KORAKU, KEY_CODE: `1310501000${i}` }));
    const items = await read(rows, shapes);
    expect(items.map((item) => item.kind === 'rejected' && item.record)).toEqual(rows.map(({ KEY_CODE }) => KEY_CODE));
    const bad = await read(
      [
        { ...KORAKU, KEY_CODE: 'x' },
        { ...HONGO, CITY: '1 5' },
      ],
      [SQUARE, SQUARE],
    );
    expect(bad.map(({ kind }) => kind)).toEqual(['rejected', 'rejected']);
  });

  it('continues after an incomplete or invalid shapefile', async () => {
    const whole = filesOf(shpOf([SQUARE]), dbfOf([KORAKU]), {}, 'z');
    const items = await readAll(estat, [
      fileOf('a.shp', shpOf([SQUARE])),
      fileOf('b.dbf', dbfOf([KORAKU])),
      ...filesOf(Buffer.from('no'), dbfOf([KORAKU]), {}, 'c'),
      ...filesOf(shpOf([SQUARE]), Buffer.from('no'), {}, 'd'),
      ...filesOf(shpOf([SQUARE], 3), dbfOf([KORAKU]), {}, 'e'),
      ...filesOf(shpOf([SQUARE]), dbfOf([{}], undefined, [['NAME', 'C', 9]]), {}, 'f'),
      ...filesOf(shpOf([SQUARE]), dbfOf([{}], undefined, [['KEY_CODE', '?' as 'C', 9]]), {}, 'g'),
      ...whole,
    ]);
    expect(items.flatMap((item) => (item.kind === 'broken' ? [[item.file, item.reason]] : []))).toEqual([
      ['a.shp', expect.stringContaining('a.dbf is missing')],
      ['b.dbf', expect.stringContaining('b.shp is missing')],
      ['c.shp', 'not a .shp file'],
      ['d.shp', 'the .dbf is not a table'],
      ['e.shp', 'the shapes are not polygons'],
      ['f.shp', expect.stringContaining('KEY_CODE and S_NAME')],
      ['g.shp', 'the .dbf has columns of an unknown type'],
    ]);
    expect(boundariesIn(items)).toHaveLength(1);
  });

  it('keeps the complete features of a pair with different counts', async () => {
    const items = await read([KORAKU], [SQUARE, SQUARE_EAST]);
    expect(boundariesIn(items)).toHaveLength(1);
    expect(brokenIn(items)).toEqual(['2 shapes, but 1 rows in the .dbf: the files do not belong together']);
  });

  it('cut off anywhere yields the complete features and a broken item', async () => {
    const rows = [0, 1, 2, 3].map((i) => ({ ...KORAKU, KEY_CODE: `1310501000${i}` }));
    const [shp, dbf] = [shpOf(rows.map((_, i) => [squareAt(139 + i / 10, 35)])), dbfOf(rows)];
    const whole = boundariesIn(await readAll(estat, filesOf(shp, dbf)));
    const cutAt = fc.record({ isShp: fc.boolean(), at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(cutAt, async ({ isShp, at }) => {
        const cut = (bytes: Buffer, is: boolean) =>
          is ? bytes.subarray(0, Math.floor((bytes.length - 1) * at)) : bytes;
        const items = await readAll(estat, filesOf(cut(shp, isShp), cut(dbf, !isShp)));
        expect(boundariesIn(items)).toEqual(whole.slice(0, boundariesIn(items).length));
        expect(brokenIn(items)).toHaveLength(1);
      }),
      { numRuns: 80 },
    );
  });

  it('never throws or hangs on changed bytes', async () => {
    const rows = [KORAKU, HONGO];
    const [shp, dbf] = [shpOf([SQUARE, SQUARE_EAST]), dbfOf(rows)];
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        async (isShp, at, bytes) => {
          const file = Buffer.from(isShp ? shp : dbf);
          file.set(bytes.subarray(0, file.length - (at % file.length)), at % file.length);
          const items = await readAll(estat, isShp ? filesOf(file, dbf) : filesOf(shp, file));
          expect(items.every(({ kind }) => ['boundary', 'note', 'rejected', 'broken'].includes(kind))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
