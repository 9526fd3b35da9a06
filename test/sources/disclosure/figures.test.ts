import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFigure, stripFootnoteMarks, toYen } from '../../../src/sources/disclosure/figures.ts';
import type { YenUnit } from '../../../src/vocabulary/printed-figure.ts';

function yen(text: string, unit: YenUnit): number | undefined {
  const figure = parseFigure(text);
  return figure.kind === 'number' ? toYen(figure.decimal, unit) : undefined;
}

function number(text: string): number | string {
  const figure = parseFigure(text);
  return figure.kind === 'number' ? Number(figure.decimal) : figure.kind;
}

describe('parseFigure', () => {
  it.each([
    ['1,234', 1234],
    ['１，２３４', 1234],
    ['1,234.5', 1234.5],
    ['１，２３４．５０', 1234.5],
    ['△1,234', -1234],
    ['▲1,234', -1234],
    ['-5', -5],
    ['－５', -5],
    ['(1,234)', 'bracketed'],
    ['（1,234）', 'bracketed'],
    ['(見本館)', 'unreadable'],
    ['(A-01)', 'unreadable'],
    ['2021. 1', 'unreadable'],
    ['12①', 12],
    ['①', 'none'],
    ['1234', 1234],
    [' 1,234 (注1)', 1234],
    ['1,234（注２、３）', 1234],
    ['98.5※1', 98.5],
    ['98.5 *1', 98.5],
    ['98.5％', 98.5],
    ['12,345.67㎡', 12345.67],
    ['100戸', 100],
    ['0', 0],
    ['－', 'none'],
    ['―', 'none'],
    ['', 'none'],
    ['非開示', 'none'],
    ['非開示（注1）', 'none'],
    ['（注3）', 'none'],
    ['1,23', 'unreadable'],
    ['1,2345', 'unreadable'],
    ['約100', 'unreadable'],
    ['(1,234', 'unreadable'],
    ['1,234)', 'unreadable'],
    ['1.2.3', 'unreadable'],
    ['1億2,345万円', 'unreadable'],
    ['9'.repeat(100), 'unreadable'],
  ])('reads %s', (text, value) => {
    expect(number(text)).toBe(value);
  });

  it('keeps the unit beside a number', () => {
    expect(parseFigure('1,234.5百万円')).toMatchObject({ kind: 'number', unit: '百万円' });
    expect(parseFigure('１，２３４千円（注1）')).toMatchObject({ kind: 'number', unit: '千円' });
    expect(parseFigure('100㎡')).toMatchObject({ kind: 'number', unit: 'm2' });
  });

  it('never throws for any cell', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[(（△▲\d,，.．)）円千百万注※*%㎡-]{0,30}$/u)),
        (text) => {
          const figure = parseFigure(text);
          if (figure.kind === 'number') for (const unit of ['円', '億円'] as const) toYen(figure.decimal, unit);
          stripFootnoteMarks(text);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('toYen', () => {
  it.each([
    ['1,234.5', '百万円', 1_234_500_000],
    ['815.55', '億円', 81_555_000_000],
    ['1,234', '千円', 1_234_000],
    ['0.1', '千円', 100],
    ['4.35', '百万円', 4_350_000],
    ['1', '円', 1],
    ['9007199254740991', '円', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', '円', undefined],
    ['90,071,993', '億円', undefined],
    ['0.5', '円', undefined],
    ['9007199254740990.5', '円', undefined],
    ['1.2345', '千円', undefined],
  ] as const)('%s %s', (text, unit, expected) => {
    expect(yen(text, unit)).toBe(expected);
  });

  it('is exact with separators and in any unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }), fc.boolean(), (amount, wide) => {
        const grouped = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
        const widen = (text: string) =>
          wide ? text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)) : text;
        const inMillions = `${grouped(String(amount / 1_000_000n))}.${String(amount % 1_000_000n).padStart(6, '0')}`;
        expect(yen(widen(grouped(String(amount))), '円')).toBe(Number(amount));
        expect(yen(widen(inMillions), '百万円')).toBe(Number(amount));
        expect(yen(`△${grouped(String(amount))}`, '円')).toBe(0 - Number(amount));
      }),
      { numRuns: 200 },
    );
  });
});
