import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressWritings } from '../../../../src/registry/search/read/address-writings.ts';
import { abr } from '../../../../src/sources/abr/adapter.ts';
import { hasRealData, readAll, realFiles } from '../../../support/source-files.ts';
import { randomRuns } from '../../../support/test-length.ts';

describe('addressWritings', () => {
  it.each([
    ['丸の内1-9-2', '丸の内一丁目9番2号'],
    ['丸の内１－９－２', '丸の内一丁目9番2号'],
    ['丸の内1−9−2', '丸の内一丁目9番2号'],
    ['丸の内１丁目９番２号', '丸の内一丁目9番2号'],
    ['丸の内 1-9-2', '丸の内一丁目9番2号'],
    ['〒100-0005 丸の内1-9-2', '丸の内一丁目9番2号'],
    ['東京都千代田区丸の内1-9-2', '東京都千代田区丸の内一丁目9番2号'],
    ['四谷1-2-3', '四谷一丁目2番3号'],
    ['三番町5-1', '三番町五丁目1番'],
    ['丸の内一丁目9番2号', '丸の内1丁目9番2号'],
    ['梅田1丁目', '梅田一丁目'],
    ['本町12番地3', '本町12番3号'],
  ])('UI-43 %s is first written %s', (q, first) => {
    expect(addressWritings(q)[0]).toBe(first);
  });

  it('UI-43 also gives other writings, without prefecture and municipality, and the chome at last', () => {
    const writings = addressWritings('東京都千代田区丸の内1-9-2');
    expect(writings).toEqual(
      expect.arrayContaining(['丸の内一丁目9番2号', '千代田区丸の内一丁目9番2号', '丸の内1-9-2', '丸の内一丁目9番地2']),
    );
    expect(writings.at(-1)).toBe('丸の内1丁目');
    // A number without a chome may be one.
    expect(addressWritings('三番町5-1')).toEqual(expect.arrayContaining(['三番町五丁目1番', '三番町5番1号']));
  });

  it.each(['', '丸の内ビル', '123', '1-9-2', 'Tokyo Tower', '東京', `丸の内${'1'.repeat(200)}`, '株式会社'])(
    'UI-43 %s has no address',
    (q) => {
      expect(addressWritings(q)).toEqual([]);
    },
  );

  it('UI-43 never fails, and never gives back the query', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'丸の内町1２-−番号丁目一十 　地甲のa〒'), maxLength: 30 }),
        (q) => {
          const writings = addressWritings(q);
          expect(writings).not.toContain(q.trim());
          expect(writings.length).toBeLessThan(100);
        },
      ),
      { numRuns: randomRuns(500) },
    );
  });

  it.skipIf(!hasRealData)('UI-43 finds the real addresses of Bunkyo from their short forms', async () => {
    const files = realFiles('abr', (name) => abr.reads(name) && /131059-(sample|only)\.csv$/.test(name));
    const items = await readAll(abr, files);
    const addresses = items.flatMap((item) =>
      item.kind === 'record' ? [String(item.record.observations[0]?.value)] : [],
    );
    expect(addresses.length).toBeGreaterThan(1_000);
    const kanji = '〇一二三四五六七八九';
    let checked = 0;
    for (const address of addresses) {
      const [, stem, chome = '', block, number] =
        /^(.+?)([一二三四五六七八九])丁目(\d+)番(\d+)号$/u.exec(address) ?? [];
      if (stem === undefined) continue;
      expect(addressWritings(`${stem}${kanji.indexOf(chome)}-${block}-${number}`)[0]).toBe(address);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(900);
  });
});
