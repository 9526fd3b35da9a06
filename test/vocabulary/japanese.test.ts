import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  kanjiNumbersToDigits,
  parseJapaneseDate,
  parseKanjiNumber,
  plainNumerals,
  toDay,
  toKanjiNumber,
  toMonth,
} from '../../src/vocabulary/japanese.ts';

describe('numbers in kanji', () => {
  it('are read in either notation', () => {
    expect(['一', '十', '十二', '二十三', '二三', '百五', '千二百三十四', '二〇'].map(parseKanjiNumber)).toEqual([
      1, 10, 12, 23, 23, 105, 1234, 20,
    ]);
    expect(parseKanjiNumber('')).toBeUndefined();
    expect(parseKanjiNumber('丁')).toBeUndefined();
    expect(parseKanjiNumber('十二十二')).toBeUndefined();
    expect(plainNumerals('弐拾参')).toBe('二十三');
    expect(kanjiNumbersToDigits('丸の内一丁目十二番')).toBe('丸の内1丁目12番');
  });

  it('are parsed back to the same number', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 9999 }), (n) => parseKanjiNumber(toKanjiNumber(n)) === n));
  });
});

describe('dates', () => {
  it.each([
    ['平成19年12月3日', '2007-12-03'],
    ['昭和三十九年十月十日', '1964-10-10'],
    ['令和元年5月1日', '2019-05-01'],
    ['Ｈ１９．１２．３', '2007-12-03'],
    ['2007/12/3', '2007-12-03'],
    ['2026-06-25', '2026-06-25'],
  ])('%s is %s', (text, day) => {
    expect(toDay(parseJapaneseDate(text) ?? { year: 0, month: undefined, day: undefined })).toBe(day);
  });

  it('leave missing parts undefined', () => {
    expect(parseJapaneseDate('2007年')).toEqual({ year: 2007, month: undefined, day: undefined });
    const month = parseJapaneseDate('平成20年3月');
    expect(month && toMonth(month)).toBe('2008-03');
    expect(month && toDay(month)).toBeUndefined();
  });

  it('are refused if they do not exist', () => {
    for (const text of ['2007年13月', '平成19年2月30日', '未定', '－', ''])
      expect(parseJapaneseDate(text)).toBeUndefined();
  });
});
