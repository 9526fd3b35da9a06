import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abr } from '../../src/sources/abr/adapter.ts';
import { normaliseAreaName } from '../../src/vocabulary/area-names.ts';
import { hasRealData, readAll, realFiles } from '../support/source-files.ts';
import { unzipped } from '../support/unzipped.ts';

describe('normaliseAreaName', () => {
  it.each([
    ['白山1丁目', '白山一丁目', '白山１丁目', '白山壱丁目', '大字白山1丁目', '白山 一丁目', '白山　１丁目'],
    ['栄23丁目', '栄二十三丁目', '栄２３丁目', '榮弐拾三丁目'],
    ['霞ケ関3丁目', '霞が関三丁目', '霞ヶ関３丁目', '霞ガ関3丁目', '霞ヵ関3丁目'],
    ['丸の内', '丸ノ内', '丸之内'],
    ['四ツ谷', '四ッ谷', '四つ谷'],
    ['北1条西2丁目', '北一条西二丁目', '北１条西２丁目'],
    ['大野杉の内', '大字大野字杉之内', '大野杉ノ内', '字大野字杉の内'],
    ['宮崎', '宮﨑', '宮嵜'],
    ['沢島', '澤嶋', '澤嶌'],
    ['薮田', '藪田'],
    ['辻', '辻\u{e0100}'],
    ['ひばりケ丘1丁目', 'ひばりが丘一丁目', 'ひばりヶ丘１丁目'],
    ['飯岡新田4地割', '飯岡新田第四地割', '飯岡新田第4地割'],
    ['太田5の通り', '太田五の通り', '太田５の通り'],
    ['楠乃2丁目', '楠乃二丁目'],
    ['弥富町', '彌富町'],
  ])('normalises to %s: %s, %s, …', (key, ...names) => {
    for (const name of [key, ...names]) expect(normaliseAreaName(name)).toBe(key);
  });

  it.each([
    ['十文字', '十文'],
    ['一番町', '二番町'],
    ['四谷', '四ツ谷'],
    ['三田', '三田一丁目'],
    ['あがた', 'あけた'],
    ['大字', '字'],
    ['上ノ', '上の'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(normaliseAreaName(one)).not.toBe(normaliseAreaName(other));
  });

  it('never throws on any text', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'大字白山一二十１丁目条番ケがのノ之ツ澤壱文 辻') }),
    );
    fc.assert(
      fc.property(names, (name) => {
        const key = normaliseAreaName(name);
        expect(key.length).toBeLessThanOrEqual(name.normalize('NFKC').length * 4);
      }),
    );
  });

  it.skipIf(!hasRealData)(
    'distinguishes the 3,525 machi-aza of Wakayama within their wards, except for one pair',
    async () => {
      const [zip] = realFiles('abr', (name) => name.startsWith('mt_town_pref30'));
      const items = zip === undefined ? [] : await readAll(abr, await unzipped(zip));
      const areas = items.flatMap((item) =>
        item.kind === 'area' && item.area.level === 'machiAza' ? [item.area] : [],
      );
      expect(areas).toHaveLength(3_525);
      const byKey = Map.groupBy(areas, ({ parent, nameJa }) => `${parent} ${normaliseAreaName(nameJa)}`);
      const collisions = [...byKey.values()].filter((some) => some.length > 1);
      // Kainan has a 小原, and a 大字小原 in a former town: they differ only in 大字.
      expect(collisions.map((some) => some.map(({ code, nameJa }) => [code, nameJa]))).toEqual([
        [
          ['302020096000', '大字小原'],
          ['302020112000', '小原'],
        ],
      ]);
    },
  );
});
