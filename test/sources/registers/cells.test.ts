import { describe, expect, it } from 'vitest';
import {
  addressText,
  buildingName,
  isLater,
  parseArea,
  parseDate,
  parseFiscalYear,
  parseUnitCount,
  saysNothing,
  tenureOf,
  tokyoAddress,
} from '../../../src/sources/registers/cells.ts';

const NOW = '2026-08-01T00:00:00Z';

describe('cells', () => {
  it('say nothing in many ways', () => {
    for (const cell of ['', '－', '-', '―', '—', 'ー', '…', '不明', '未定', '　', '＊'])
      expect(saysNothing(cell)).toBe(true);
    for (const cell of ['0', 'なし', 'a']) expect(saysNothing(cell)).toBe(false);
  });

  it('hold numbers with separators, units and full-width digits', () => {
    expect(['2643.02', '２，６４３．０２㎡', '12,284.36 m2', '1000平方メートル'].map(parseArea)).toEqual([
      2643.02, 2643.02, 12284.36, 1000,
    ]);
    expect(['約2600', '-5', '1e3', '800坪', '1,2', '0x10', ''].map(parseArea)).toEqual(Array(7).fill(undefined));
    expect(['120', '１２０戸', '120室'].map(parseUnitCount)).toEqual([120, 120, undefined]);
  });

  it('hold dates of buildings only', () => {
    expect(parseDate('令和8年6月')).toEqual({ year: 2026, month: 6, day: undefined });
    // 46198 is a day as spreadsheets count them; as a year and a month it would be 4619-08.
    for (const cell of ['46198', '1066-10-14', '2201-01', '未詳', '9'.repeat(1_000)])
      expect(parseDate(cell)).toBeUndefined();
    expect(['2008', '2008年度', '平成20年度', 'H20', '２００８年'].map((cell) => parseFiscalYear(cell))).toEqual(
      Array(5).fill(2008),
    );
    expect(parseFiscalYear('2008-04')).toBeUndefined();
  });

  it('tell what is still to come as far as they are exact', () => {
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

  it('hold an address of Tokyo, whatever it leaves out', () => {
    expect(tokyoAddress('府中市甲町一丁目15番27')).toBe('東京都府中市甲町一丁目15番27');
    expect(tokyoAddress('東京都港区乙4丁目', '港区')).toBe('東京都港区乙4丁目');
    expect(tokyoAddress('芝浦四丁目4-11', '港区')).toBe('東京都港区芝浦四丁目4-11');
    expect(tokyoAddress('市谷本村町1', '新宿区')).toBe('東京都新宿区市谷本村町1');
    expect(tokyoAddress('西多摩郡瑞穂町1', '瑞穂町')).toBe('東京都西多摩郡瑞穂町1');
    expect(tokyoAddress('北区甲1丁目4番2　他　　（地名地番）')).toBe('東京都北区甲1丁目4番2 他');
    expect([tokyoAddress('－'), addressText('（地名地番）')]).toEqual([undefined, undefined]);
    expect(addressText('大阪府大阪市北区1')).toBe('大阪府大阪市北区1');
  });

  it('tell the tenure of flats', () => {
    expect(tenureOf(['賃貸住宅', ''])).toBe('rental');
    expect(tenureOf(['分譲住宅'])).toBe('sale');
    expect(tenureOf(['分譲賃貸混在'])).toBe('mixed');
    expect(tenureOf(['分譲住宅', '賃貸住宅'])).toBe('mixed');
    expect(tenureOf(['', '事務所等'])).toBeUndefined();
    expect(tenureOf(['constructor'])).toBeUndefined();
  });
});
