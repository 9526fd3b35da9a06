import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter, Item } from '../../../src/sources/adapter.ts';
import { greenarchive } from '../../../src/sources/greenarchive/adapter.ts';
import { greenbuilding } from '../../../src/sources/greenbuilding/adapter.ts';
import { mankan } from '../../../src/sources/mankan/adapter.ts';
import { faultInValue } from '../../../src/vocabulary/fields.ts';
import { PRECEDENCE } from '../../../src/vocabulary/precedence.ts';
import { fileOf, READING, readAll } from '../../support/source-files.ts';
import { randomRuns } from '../../support/test-length.ts';

interface Table {
  adapter: Adapter;
  headers: string[];
  rows: string[][];
}

const TABLES: Record<string, Table> = {
  greenbuilding: {
    adapter: greenbuilding,
    headers: '建物番号,地域,建物名,所在地,建築主,延べ面積,工事完了(予定)年月,用途,用途,みどり'.split(','),
    rows: [
      [
        '1',
        '港区',
        '甲,タワー',
        '甲町1-2',
        '甲株式会社　取締役　山田太郎',
        '2643.02',
        '2026-06-25',
        '賃貸住宅',
        '',
        '3',
      ],
      ['2', '港区', '(仮称)乙', '港区乙3', '株式会社乙', '99', '2028-01', '分譲住宅', '事務所', '1'],
      ['1', '港区', '甲,タワー', '甲町1-2', '甲株式会社', '2643.02', '2026-06-25', '分譲住宅', '', '3'],
    ],
  },
  greenarchive: {
    adapter: greenarchive,
    headers: '管理番号,建物名,所在地,延べ面積,届出年度,構造,建築主,地上階数'.split(','),
    rows: [
      ['1', '甲"タワー', '港区甲1-2', '１２３㎡', '平成20年度', 'RC造', '甲株式会社　取締役　山田太郎', '25'],
      ['2', '乙', '港区乙3', '99', '2005', '地上3階、S造', '株式会社乙', '103'],
    ],
  },
  mankan: {
    adapter: mankan,
    headers: '認定コード,マンション名,所在地,認定日,竣工年月,構造,総戸数'.split(','),
    rows: [
      ['1', '甲\nマンション', '港区甲1-2', '令和5年4月1日', '昭和63年3月', 'RC造', '1120'],
      ['2', '乙', '港区乙3', '2024-02-29', '－', 'SRC造', '240'],
    ],
  },
};

const toCsv = (headers: readonly string[], rows: readonly string[][], quote = false) =>
  [headers, ...rows]
    .map((cells) => cells.map((c) => (quote || /[",\r\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c)).join(','))
    .map((line) => `${line}\n`)
    .join('');

const read = (adapter: Adapter, content: string | Uint8Array, chunk?: number) =>
  readAll(adapter, [fileOf('a.csv', content, chunk)], READING);

/** What must hold for every item of an adapter, for any input. */
function expectSound(items: readonly Item[], adapter: Adapter): void {
  for (const item of items) {
    if ('reason' in item) expect(item.reason.length).toBeLessThan(300);
    if (item.kind !== 'record') continue;
    const { sourceRecordId, sourceUrl, observations } = item.record;
    expect(sourceRecordId.trim()).not.toBe('');
    expect(sourceUrl).toMatch(/^https?:\/\//);
    for (const { field, value } of observations) {
      expect(PRECEDENCE[field]).toContain(adapter.source);
      expect(faultInValue(field, value)).toBeUndefined();
    }
    expect(observations.map(({ field }) => field)).toContain('addressJa');
  }
}

const valuesOf = (items: readonly Item[]) =>
  items.flatMap((item) => (item.kind === 'record' ? [[item.record.sourceRecordId, item.record.observations]] : []));

describe.each(Object.entries(TABLES))('%s, given hostile tables', (_, { adapter, headers, rows }) => {
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...rows.flat(), '', '－', '東京都', '元', '0', '-1', '9'.repeat(400)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\0', '\ud800', '\u202e', '株式会社', '理事長', '地上', '令和', '1e9', '__proto__'),
    },
  );
  const cells = fc.array(cell, { minLength: 0, maxLength: headers.length + 2 });
  const fitting = fc.array(cell, { minLength: headers.length, maxLength: headers.length });

  it('never throws on cells of any kind', async () => {
    const tables = fc.array(fc.oneof(cells, fitting, fc.constantFrom(...rows)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        expectSound(await read(adapter, toCsv(headers, table)), adapter);
      }),
      { numRuns: randomRuns(150) },
    );
  });

  it('never throws on headers or bytes of any kind', async () => {
    const anyHeaders = fc.array(fc.oneof(fc.constantFrom(...headers), cell), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(anyHeaders, fc.array(cells, { maxLength: 3 }), async (header, table) => {
        expectSound(await read(adapter, toCsv(header, table)), adapter);
      }),
      { numRuns: randomRuns(80) },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, headed) => {
        const head = Buffer.from(headed ? toCsv(headers, []) : '');
        expectSound(await read(adapter, Buffer.concat([head, bytes])), adapter);
      }),
      { numRuns: randomRuns(80) },
    );
  });

  it('yields the same for any chunks', async () => {
    const table = fc.array(fc.oneof(fitting, fc.constantFrom(...rows)), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (some, chunk, crlf) => {
        const text = toCsv(headers, some);
        const bytes = Buffer.from(crlf ? text.replaceAll('\n', '\r\n') : text);
        expect(await read(adapter, bytes, chunk)).toEqual(await read(adapter, bytes, bytes.length));
      }),
      { numRuns: randomRuns(60) },
    );
  });

  it.each([false, true])('yields complete rows or a broken item for any cut (quoted: %s)', async (quote) => {
    const bytes = Buffer.from(toCsv(headers, rows, quote));
    /** The records of the first rows, by number of rows. */
    const wholes: unknown[] = [];
    for (let count = 0; count <= rows.length; count++) {
      wholes.push(valuesOf(await read(adapter, toCsv(headers, rows.slice(0, count)))));
    }
    const lineEnds = wholes.map((_, count) => Buffer.byteLength(toCsv(headers, rows.slice(0, count), quote)));
    for (let at = 0; at < bytes.length; at++) {
      const items = await read(adapter, bytes.subarray(0, at), 4_096);
      const found = valuesOf(items);
      const before = lineEnds.findLastIndex((end) => end <= at);
      // The cut row may be complete except for its line end.
      const whole = [wholes[Math.max(before, 0)], wholes[before + 1]];
      expect(whole, `cut at ${at}`).toContainEqual(found);
      const isSaid = items.some(({ kind }) => kind === 'broken' || kind === 'rejected');
      if (!lineEnds.includes(at) && JSON.stringify(found) === JSON.stringify(wholes[Math.max(before, 0)])) {
        expect(isSaid, `cut at ${at}`).toBe(true);
      }
    }
  });

  it('bounds a table that is huge in every way', async () => {
    const long = '甲'.repeat(30_000);
    const longRows = [headers.map(() => long), headers.map((_, i) => (i === 0 ? '9' : long))];
    const wide = toCsv(headers, [rows[0] ?? [], Array(50_000).fill('x'), ...longRows]);
    const items = await read(adapter, wide, 1 << 16);
    expectSound(items, adapter);
    expect(valuesOf(items)).toHaveLength(1);
    const endless = await read(adapter, `${toCsv(headers, rows)}"${'x'.repeat(3 << 20)}`, 1 << 16);
    expect(endless.at(-1)).toMatchObject({ kind: 'broken' });
    expect(valuesOf(endless)).toEqual(valuesOf(await read(adapter, toCsv(headers, rows))));
  });
});
