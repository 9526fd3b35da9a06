import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abr } from '../../../src/sources/abr/adapter.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import type { Draft } from '../../../src/sources/draft.ts';
import { fileOf, READING, readAll } from '../../support/source-files.ts';
import { AT, type GivenCells, HAKUSAN_1, PARCEL, RESIDENCE, type TableName, tableOf } from './tables.ts';

const recordsIn = (items: Item[]): Draft[] => items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));

async function read(tables: Partial<Record<TableName, GivenCells[]>>): Promise<Item[]> {
  const names = Object.keys(tables) as TableName[];
  return readAll(
    abr,
    names.map((name) => fileOf(`${name}.csv`, tableOf(name, tables[name] ?? []))),
  );
}

async function addressOf(cells: GivenCells): Promise<unknown> {
  const row = { ...RESIDENCE, ...cells };
  return recordsIn(await read({ rsdt: [row], rsdtPos: [{ ...row, ...AT }] }))[0]?.observations[0]?.value;
}

describe('residences', () => {
  it('are records with address, point, machi-aza and its postcode', async () => {
    const items = await read({
      rsdtPos: [{ ...RESIDENCE, ...AT }],
      rsdt: [RESIDENCE],
      town: [{ ...HAKUSAN_1, post_code: '1120001' }],
    });
    expect(items.at(-1)).toEqual({
      kind: 'record',
      at: { file: 'rsdt.csv', line: 2 },
      record: {
        sourceRecordId: '131059-0001001-001-002',
        sourceUrl: 'https://catalog.registries.digital.go.jp/',
        extractionMethod: 'area-lookup',
        whole: false,
        area: '131050001001',
        geometry: { type: 'Point', coordinates: [139.751, 35.715] },
        observations: [
          { field: 'addressJa', value: '東京都文京区白山一丁目1番2号', unit: null, tier: 'free' },
          { field: 'postcode', value: '112-0001', unit: null, tier: 'free' },
        ],
        venues: [],
        complex: null,
        links: [],
        notes: [],
      },
    });
  });

  it.each([
    [{ rsdt2_id: '00101', rsdt_num2: '101' }, '東京都文京区白山一丁目1番2-101号'],
    [{ rsdt_id: '', rsdt_num: '' }, '東京都文京区白山一丁目1番'],
    [{ blk_id: '', blk_num: '', oaza_cho: '板垣大通り', chome: '', rsdt_num: '10' }, '東京都文京区板垣大通り10'],
    [{ chome: '一丁目' }, '東京都文京区白山一丁目1番2号'],
    [{ lg_code: '011011', city: '札幌市', ward: '中央区' }, '北海道札幌市中央区白山一丁目1番2号'],
  ])('%j have the address %s', async (cells, address) => {
    expect(await addressOf(cells)).toBe(address);
  });

  it('take their county from the table of municipalities', async () => {
    const row = { ...RESIDENCE, lg_code: '133035', city: '瑞穂町' };
    const city = { lg_code: '133035', pref: '東京都', county: '西多摩郡', city: '瑞穂町', city_roma: 'Mizuho-machi' };
    const [record] = recordsIn(await read({ rsdt: [row], rsdtPos: [{ ...row, ...AT }], city: [city] }));
    expect(record?.observations[0]?.value).toBe('東京都西多摩郡瑞穂町白山一丁目1番2号');
  });

  it('include the padded second residence ID in theirs, and cite the given URL', async () => {
    const row = { ...RESIDENCE, rsdt2_id: '00101' };
    const files = [fileOf('r.csv', tableOf('rsdt', [row])), fileOf('p.csv', tableOf('rsdtPos', [{ ...row, ...AT }]))];
    const [record] = recordsIn(await readAll(abr, files, { ...READING, url: 'https://example.org/abr' }));
    expect(record?.sourceRecordId).toBe('131059-0001001-001-002-00101');
    expect(record?.sourceUrl).toBe('https://example.org/abr');
  });

  it('without a point are left out, with one note per file', async () => {
    const rows = ['001', '002', '003', '004'].map((rsdt_id) => ({ ...RESIDENCE, rsdt_id }));
    const pos = rows.slice(1, 3).map((row) => ({ ...row, ...AT }));
    const items = await read({ rsdt: rows, rsdtPos: pos });
    expect(recordsIn(items).map(({ sourceRecordId }) => sourceRecordId.slice(-3))).toEqual(['002', '003']);
    expect(items.filter(({ kind }) => kind === 'note')).toEqual([
      {
        kind: 'note',
        at: { file: 'rsdt.csv', line: 1 },
        record: null,
        reason: '2 residences left out: no position file of this ingest has their points',
      },
    ]);
    expect(recordsIn(await read({ rsdt: rows }))).toEqual([]);
  });

  it('are rejected with invalid IDs or without a number', async () => {
    const bad = [
      { lg_code: '999999' },
      { machiaza_id: '1' },
      { rsdt_id: '\u202e' },
      { blk_num: '', rsdt_num: '' },
      { city: '' },
    ];
    for (const cells of bad) {
      const row = { ...RESIDENCE, ...cells };
      const items = await read({ rsdt: [row], rsdtPos: [{ ...row, ...AT }] });
      expect(recordsIn(items).length + items.filter(({ kind }) => kind === 'rejected').length).toBe(1);
    }
  });

  it('and their points may come in any order', async () => {
    const keys = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(keys, keys, async (rows, points) => {
        const cellsOf = (n: number) => ({ ...RESIDENCE, rsdt_id: String(n).padStart(3, '0'), rsdt_num: String(n) });
        const items = await read({
          rsdt: rows.map(cellsOf),
          rsdtPos: points.map((n) => ({ ...cellsOf(n), ...AT, rep_lat: `35.${100 + n}` })),
        });
        const given = recordsIn(items).map(({ sourceRecordId, geometry }) => [
          Number(sourceRecordId.slice(-3)),
          geometry?.type === 'Point' ? Math.round(geometry.coordinates[1] * 1000 - 35_100) : null,
        ]);
        const expected = rows.filter((n) => points.includes(n));
        expect(given.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
          expected.sort((a, b) => a - b).map((n) => [n, n]),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('cut off anywhere, in chunks of any size, give complete records and a broken item', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ ...RESIDENCE, rsdt_id: String(i).padStart(3, '0') }));
    const text = Buffer.from(tableOf('rsdt', rows));
    const points = fileOf(
      'p.csv',
      tableOf(
        'rsdtPos',
        rows.map((row) => ({ ...row, ...AT })),
      ),
    );
    const whole = recordsIn(await readAll(abr, [fileOf('r.csv', text), points])).map((record) =>
      JSON.stringify(record),
    );
    expect(whole).toHaveLength(20);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), fc.integer({ min: 1, max: 500 }), async (cut, chunk) => {
        const items = await readAll(abr, [fileOf('r.csv', text.subarray(0, cut), chunk), points]);
        const records = recordsIn(items).map((record) => JSON.stringify(record));
        expect(records).toEqual(whole.slice(0, records.length));
        const rest = items.filter(({ kind }) => kind !== 'record').map(({ kind }) => kind);
        expect(rest.every((kind) => kind === 'broken' || kind === 'rejected')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('parcels', () => {
  it.each([
    [{}, '東京都文京区白山一丁目4番地14'],
    [{ prc_num2: '' }, '東京都文京区白山一丁目4番地'],
    [{ prc_num3: '2' }, '東京都文京区白山一丁目4番地14-2'],
  ])('%j have the address %s', async (cells, address) => {
    const row = { ...PARCEL, ...cells };
    const [record] = recordsIn(await read({ parcelPos: [{ ...row, ...AT }], parcel: [row] }));
    expect(record).toMatchObject({ sourceRecordId: '131059-0001001-000040001400000', area: '131050001001' });
    expect(record?.observations[0]?.value).toBe(address);
  });
});
