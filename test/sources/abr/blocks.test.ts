import { describe, expect, it } from 'vitest';
import { abr } from '../../../src/sources/abr/adapter.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import { fileOf, readAll } from '../../support/source-files.ts';
import { AT, type GivenCells, HAKUSAN_1, tableOf } from './tables.ts';

const HAKUSAN_2 = { ...HAKUSAN_1, machiaza_id: '0001002', chome: '２丁目', chome_number: '2' };
const block = (town: GivenCells, blk_id: string, rep_lon: string) => ({
  ...town,
  ...{ blk_id, blk_num: String(Number(blk_id)) },
  ...{ ...AT, rep_lon },
});
const BLOCKS = [
  block(HAKUSAN_1, '001', '139.7'),
  ...['139.74', '139.75', '139.77'].map((lon, i) => block(HAKUSAN_2, `00${i + 1}`, lon)),
];
const towns = fileOf('mt_town.csv', tableOf('town', [HAKUSAN_1, HAKUSAN_2]));
const townPos = fileOf('mt_town_pos.csv', tableOf('townPos', [{ ...HAKUSAN_1, ...AT }]));
const names = fileOf('mt_rsdtdsp_blk.csv', tableOf('block', BLOCKS));
const positions = (rows: GivenCells[] = BLOCKS) => fileOf('mt_rsdtdsp_blk_pos.csv', tableOf('blockPos', rows));

const pointsIn = (items: Item[]) =>
  items.flatMap((item) => (item.kind === 'area' && item.area.level === 'machiAza' ? [item.area.point] : []));
const remarksIn = (items: Item[]) => items.flatMap((item) => (item.kind === 'remark' ? [item.reason] : []));

describe('blocks of the Address Base Registry', () => {
  it('make no records, with one remark', async () => {
    const items = await readAll(abr, [names, positions()]);
    expect(items.map(({ kind }) => kind)).toEqual(['remark']);
    expect(remarksIn(items)).toEqual([expect.stringMatching(/not addresses of buildings: 8 rows left out$/)]);
  });

  it('give the most central point to a machi-aza without a point', async () => {
    const items = await readAll(abr, [positions(), towns, names, townPos]);
    expect(pointsIn(items)).toEqual([
      [139.751, 35.715],
      [139.75, 35.715],
    ]);
    expect(remarksIn(items)[0]).toMatch(/; 1 machi-aza without a point take that of a block$/);
  });

  it('give no point without a position table of the municipality, which may have a better one', async () => {
    expect(pointsIn(await readAll(abr, [positions(), towns]))).toEqual([null, null]);
  });

  it('report invalid points and a file that is cut off', async () => {
    const bad = { ...block(HAKUSAN_2, '001', '139.7'), rep_srid: 'EPSG:2451' };
    expect((await readAll(abr, [positions([bad])])).map(({ kind }) => kind)).toEqual(['note', 'remark']);
    const cut = tableOf('block', BLOCKS).slice(0, -30);
    expect((await readAll(abr, [fileOf('a.csv', cut)])).map(({ kind }) => kind)).toContain('rejected');
  });
});
