import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FigureFrame, readFigure } from '../../src/reit/publication/read-figure.ts';
import { canonicalDecimal, shiftDecimal } from '../../src/vocabulary/exact-number.ts';

const yen: FigureFrame = { unit: 'JPY', scale: 0, decimals: 0, rounding: 'truncate' };
const millions: FigureFrame = { unit: 'JPY', scale: 6, decimals: -6, rounding: 'truncate' };
const percent: FigureFrame = { unit: 'ratio', scale: -2, decimals: 3, rounding: 'halfUp' };

describe('a figure as printed', () => {
  it.each([
    ['△1,234', '-1234'],
    ['▲1,234', '-1234'],
    ['－1,234', '-1234'],
    ['−1,234', '-1234'],
    ['-1,234', '-1234'],
    ['△ 1,234', '-1234'],
    ['１，２３４', '1234'],
    ['１，２３４．５０', '1234.50'],
    [' 1,234 ', '1234'],
    ['　1,234　', '1234'],
    ['98.50', '98.50'],
    ['12345', '12345'],
    ['9,007,199,254,740,993', '9007199254740993'],
    ['1,000,000,000,000,000,000,000', '1000000000000000000000'],
  ])('REIT-12 %j is %s', (printed, amount) => {
    expect(readFigure(printed, yen)).toEqual({ state: 'recorded', amount, ...yen });
  });

  it.each([
    '①1,234',
    '1,234①',
    '1,234²',
    '1,234（注1）',
    '1,234(注1)',
    '1,234 ※1',
    '1,234※12',
    '※1 1,234',
    '1,234（注）',
    '1,234*',
    '1,234 ＊１',
    '1,234（※2）',
    '注1)1,234',
    '1,234⁽¹⁾',
    '1,234（注1、2）',
    '❶1,234',
    '㊿1,234',
    '⑴1,234',
  ])('AGR-08 the footnote mark in %j is not read as a digit', (printed) => {
    expect(readFigure(printed, yen)).toEqual({ state: 'recorded', amount: '1234', ...yen });
  });

  it.each(['0', '△0', '▲0', '-0', '−0', '－０', '0.00', '△0.0'])('AGR-01 %j is zero without a sign', (printed) => {
    const read = readFigure(printed, yen);
    expect(read).toMatchObject({ state: 'zero', unit: 'JPY' });
    expect('amount' in read && canonicalDecimal(read.amount)).toBe('0');
    expect('amount' in read && read.amount.startsWith('-')).toBe(false);
  });

  it.each([
    ['－', 'dashWithoutLegend'],
    ['-', 'dashWithoutLegend'],
    ['―', 'dashWithoutLegend'],
    ['ー', 'dashWithoutLegend'],
    ['－（注1）', 'dashWithoutLegend'],
    ['(3,334)', 'bracketed'],
    ['（3,334）', 'bracketed'],
    ['12,340 98.5', 'severalNumbers'],
    ['－ 1,234', 'noNumber'],
    ['1,2345', 'badGrouping'],
    ['12,34', 'badGrouping'],
    [',234', 'badGrouping'],
    ['1,,234', 'badGrouping'],
    ['1.2E9', 'exponent'],
    ['1.2e9', 'exponent'],
    ['', 'emptyCell'],
    ['　', 'emptyCell'],
    ['※1', 'emptyCell'],
    ['①', 'emptyCell'],
    ['1①234', 'severalNumbers'],
    ['12※1 ,234', 'severalNumbers'],
    ['※1234', 'noNumber'],
    ['※11,234', 'noNumber'],
    ['△△5', 'noNumber'],
    ['△-5', 'noNumber'],
    ['△', 'noNumber'],
    ['+5', 'noNumber'],
    ['0123', 'noNumber'],
    ['1.234.5', 'noNumber'],
    ['.5', 'noNumber'],
    ['5.', 'noNumber'],
    ['½', 'noNumber'],
    ['Ⅳ', 'noNumber'],
    ['五', 'noNumber'],
    ['約5', 'noNumber'],
    ['10⁻³', 'noNumber'],
    ['1\u200b234', 'noNumber'],
    ['٣', 'noNumber'],
    ['=1+1', 'noNumber'],
    ['12,340千円', 'otherUnit'],
    ['5坪', 'otherUnit'],
    ['9'.repeat(201), 'tooLong'],
  ])('AGR-07 %j is unresolved, not a number or missing: %s', (printed, reasonCode) => {
    expect(readFigure(printed, millions)).toEqual({ state: 'unresolved', reasonCode });
  });

  it('REIT-12 is scaled to base units, with its precision beside it', () => {
    expect(readFigure('57', millions)).toEqual({ state: 'recorded', amount: '57000000', ...millions });
    expect(readFigure('57百万円', millions)).toEqual({ state: 'recorded', amount: '57000000', ...millions });
    expect(readFigure('98.5', percent)).toEqual({ state: 'recorded', amount: '0.985', ...percent });
    expect(readFigure('98.5％', percent)).toEqual({ state: 'recorded', amount: '0.985', ...percent });
    const area = { unit: 'm2', scale: 0, decimals: 2, rounding: 'truncate' } as const;
    expect(readFigure('1,234.50㎡', area)).toMatchObject({ amount: '1234.50' });
    expect(readFigure('1,234.50平方メートル', area)).toMatchObject({ amount: '1234.50' });
    expect(readFigure('1,234.50m²', area)).toMatchObject({ amount: '1234.50' });
  });

  it('AGR-06 非開示 is an assertion, and a dash means what its legend says', () => {
    expect(readFigure('非開示（注2）', yen)).toEqual({ state: 'notDisclosed', reasonCode: 'unstated' });
    expect(readFigure('該当なし', yen)).toEqual({ state: 'notApplicable' });
    expect(readFigure('－', yen, { dash: 'notApplicable' })).toEqual({ state: 'notApplicable' });
    expect(readFigure('－', yen, { dash: 'zero' })).toEqual({ state: 'zero', amount: '0', ...yen });
  });

  it('REIT-12 every number printed with separators and a triangle is read back exactly', () => {
    const printedNumber = fc.tuple(
      fc.boolean(),
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
      fc.integer({ min: -3, max: 9 }),
    );
    fc.assert(
      fc.property(printedNumber, ([negative, value, scale]) => {
        const printed = `${negative ? '△' : ''}${String(value).replace(/\B(?=(\d{3})+$)/g, ',')}`;
        const wide = printed.replace(/[\d,]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
        const frame = { ...yen, scale };
        const amount = `${negative ? '-' : ''}${shiftDecimal(String(value), scale)}`;
        expect(readFigure(printed, frame)).toEqual({ state: 'recorded', amount, ...frame });
        expect(readFigure(wide, frame)).toEqual(readFigure(printed, frame));
      }),
      { endOnFailure: true },
    );
  });

  it('AGR-07 any text is read without an error, and an amount is always an exact decimal', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'0123456789,.△▲－-（）()※注①² 　%円E') }),
    );
    fc.assert(
      fc.property(cell, (printed) => {
        const read = readFigure(printed, millions);
        if ('amount' in read) expect(read.amount).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
      }),
      { endOnFailure: true, numRuns: 500 },
    );
  });
});
