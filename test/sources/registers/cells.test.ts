import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressText,
  buildingName,
  isBlankCell,
  isLater,
  parseArea,
  parseDate,
  parseFiscalYear,
  parseFloorCount,
  parseStoreys,
  parseUnitCount,
  tenureOf,
  tokyoAddress,
} from '../../../src/sources/registers/cells.ts';

const NOW = '2026-08-01T00:00:00Z';

describe('cells', () => {
  it('have many marks for no value', () => {
    for (const cell of ['', '－', '-', '―', '—', 'ー', '…', '不明', '未定', '　', '＊'])
      expect(isBlankCell(cell)).toBe(true);
    for (const cell of ['0', 'なし', 'a']) expect(isBlankCell(cell)).toBe(false);
  });

  it('have numbers with separators, units and full-width digits', () => {
    expect(['2643.02', '２，６４３．０２㎡', '12,284.36 m2', '1000平方メートル'].map(parseArea)).toEqual([
      2643.02, 2643.02, 12284.36, 1000,
    ]);
    expect(['約2600', '-5', '1e3', '800坪', '1,2', '0x10', ''].map(parseArea)).toEqual(Array(7).fill(undefined));
    expect(['120', '１２０戸', '120室'].map(parseUnitCount)).toEqual([120, 120, undefined]);
  });

  it('have only dates of real buildings', () => {
    expect(parseDate('令和8年6月')).toEqual({ year: 2026, month: 6, day: undefined });
    // 46198 is a day number of a spreadsheet; as a year and month it would be 4619-08.
    for (const cell of ['46198', '1066-10-14', '2201-01', '未詳', '9'.repeat(1_000)])
      expect(parseDate(cell)).toBeUndefined();
    expect(['2008', '2008年度', '平成20年度', 'H20', '２００８年'].map((cell) => parseFiscalYear(cell))).toEqual(
      Array(5).fill(2008),
    );
    expect(parseFiscalYear('2008-04')).toBeUndefined();
  });

  it('show whether a date is in the future, as far as it is stated', () => {
    const later = (text: string) => isLater(parseDate(text) ?? { year: 0, month: 0, day: 0 }, NOW);
    expect(['2026-08-02', '2026-09', '2027'].map(later)).toEqual([true, true, true]);
    expect(['2026-08-01', '2026-08', '2026', '2025-12-31'].map(later)).toEqual([false, false, false, false]);
  });

  it('name a building without the marks of a working title', () => {
    expect(buildingName('(仮称)甲乙３丁目プロジェクト')).toBe('甲乙３丁目プロジェクト');
    expect(buildingName('（仮称）甲乙四丁目プロジェクト新築工事')).toBe('甲乙四丁目プロジェクト');
    expect(buildingName('甲乙大学（本郷）学生寮（仮称）新営工事')).toBe('甲乙大学（本郷）学生寮');
    expect(buildingName('仮称　甲乙ビル')).toBe('甲乙ビル');
    expect(buildingName('甲乙　タワー\u202eⅡ')).toBe('甲乙 タワーⅡ');
    for (const cell of ['（仮称）', '－', '', '（仮称）新築工事', '(仮称)山田太郎様邸新築工事'])
      expect(buildingName(cell)).toBeUndefined();
  });

  it('have an address of Tokyo, whatever it leaves out', () => {
    expect(tokyoAddress('府中市甲町一丁目15番27')).toBe('東京都府中市甲町一丁目15番27');
    expect(tokyoAddress('東京都港区乙4丁目', '港区')).toBe('東京都港区乙4丁目');
    expect(tokyoAddress('芝浦四丁目4-11', '港区')).toBe('東京都港区芝浦四丁目4-11');
    expect(tokyoAddress('市谷本村町1', '新宿区')).toBe('東京都新宿区市谷本村町1');
    expect(tokyoAddress('西多摩郡瑞穂町1', '瑞穂町')).toBe('東京都西多摩郡瑞穂町1');
    expect(tokyoAddress('北区甲1丁目4番2　他　　（地名地番）')).toBe('東京都北区甲1丁目4番2 他');
    expect([tokyoAddress('－'), addressText('（地名地番）')]).toEqual([undefined, undefined]);
    expect(addressText('大阪府大阪市北区1')).toBe('大阪府大阪市北区1');
  });

  it('state the tenure of flats', () => {
    expect(tenureOf(['賃貸住宅', ''])).toBe('rental');
    expect(tenureOf(['分譲住宅'])).toBe('sale');
    expect(tenureOf(['分譲賃貸混在'])).toBe('mixed');
    expect(tenureOf(['分譲住宅', '賃貸住宅'])).toBe('mixed');
    expect(tenureOf(['', '事務所等'])).toBeUndefined();
    expect(tenureOf(['constructor'])).toBeUndefined();
  });
});

describe('parseStoreys', () => {
  it.each([
    ['地上25階、地下2階、SRC造、RC造、S造', 25, 2, 'SRC造、RC造、S造'],
    ['地上9階、地下0階、木造、RC造', 9, 0, '木造、RC造'],
    ['ＲＣ造　地上１３階', 13, undefined, 'RC造'],
    ['鉄筋コンクリート造地下1階付15階建', 15, 1, '鉄筋コンクリート造'],
    ['鉄骨造十五階建', 15, undefined, '鉄骨造'],
    ['RC造一部S造、地上3階地下なし塔屋1階', 3, 0, 'RC造一部S造'],
    ['木造平家建', 1, undefined, '木造'],
    ['RC・SRC', undefined, undefined, 'RC造、SRC造'],
    ['S造 B2F/14F', 14, 2, 'S造'],
    ['その他', undefined, undefined, undefined],
    ['', undefined, undefined, undefined],
  ])('%s', (text, floorsAbove, floorsBelow, structure) => {
    expect(parseStoreys(text)).toEqual({ floorsAbove, floorsBelow, structure });
  });

  it('reads back any generated text', () => {
    const kinds = fc.uniqueArray(fc.constantFrom('SRC造', 'RC造', 'S造', 'CFT造', '木造'), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 0, max: 9 }), kinds, (above, below, structure) => {
        const text = [`地上${above}階`, `地下${below}階`, ...structure].join('、');
        const expected = { floorsAbove: above, floorsBelow: below, structure: structure.join('、') };
        expect(parseStoreys(text)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void [parseStoreys(text), parseFloorCount(text)]));
  });
});

describe('parseFloorCount', () => {
  it('reads one number of floors', () => {
    const texts = ['8', '８階', '地上8階', '8F', '八', '地下2階', 'B2', 'なし', '8階建て', '約8', '-1', '8.5', ''];
    expect(texts.map(parseFloorCount)).toEqual([8, 8, 8, 8, 8, 2, 2, 0, 8, ...Array(4).fill(undefined)]);
  });
});
