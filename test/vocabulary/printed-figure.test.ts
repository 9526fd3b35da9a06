import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readValue } from '../../src/reit/extract/read-statements.ts';
import { type FigureFrame, readFigure } from '../../src/reit/publication/read-figure.ts';
import { parseFigure } from '../../src/sources/disclosure/figures.ts';
import { canonicalDecimal } from '../../src/vocabulary/exact-number.ts';
import { isYenUnit, withoutGrouping, YEN_SCALES, YEN_UNIT } from '../../src/vocabulary/printed-figure.ts';

const yen: FigureFrame = { unit: 'JPY', scale: 0, decimals: 0, rounding: 'unknown' };

/** A cell as the readers of bundles, property tables and filings read it. */
function readAll(printed: string): (string | undefined)[] {
  const bundle = readFigure(printed, yen);
  const table = parseFigure(printed);
  const filing = readValue('capex', printed, { money: '円' }, { own: [], general: [] });
  const read = 'printed' in filing ? readFigure(filing.printed, yen) : filing;
  return [
    'amount' in bundle ? canonicalDecimal(bundle.amount) : undefined,
    table.kind === 'number' ? canonicalDecimal(table.decimal) : undefined,
    'amount' in read ? canonicalDecimal(read.amount) : undefined,
  ];
}

describe('every reader of printed figures', () => {
  it.each([
    ['△1,234', '-1234'],
    ['△ 1,234', '-1234'],
    ['▲1,234', '-1234'],
    ['－1,234', '-1234'],
    ['１，２３４円', '1234'],
    ['1,234.50', '1234.5'],
    ['1,234 ※1、2', '1234'],
    ['1,234①', '1234'],
    ['※1 1,234', '1234'],
    ['△0', '0'],
  ])('REIT-12 reads %j as %s', (printed, amount) => {
    expect(readAll(printed)).toEqual([amount, amount, amount]);
  });

  it.each([
    ...['(1,234)', '（1,234）', '△(1,234)', '(1,234円)', '12,340 98.5', '1 234', '－ 1,234', '1,2345', '1.2E9'],
    ...['※1234', '※1,234', '12※1 ,234', '1①234', '約100', '－', ''],
  ])('AGR-07 reads no number from %j', (printed) => {
    expect(readAll(printed)).toEqual([undefined, undefined, undefined]);
  });

  it('AGR-07 agrees with the others if it reads a number', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'012,.△－-（）()※注①² 　円', ',234', '1,234'), maxLength: 12 });
    fc.assert(
      fc.property(cell, (printed) => {
        const amounts = new Set(readAll(printed).filter((amount) => amount !== undefined));
        // Not every reader accepts every number: one with a leading zero is invalid in a bundle and an ordinal in a table.
        expect(amounts.size).toBeLessThan(2);
      }),
      { endOnFailure: true, numRuns: 500 },
    );
  });
});

describe('a number with separators', () => {
  it.each([
    ['1,234.5', '1234.5'],
    ['1234', '1234'],
    ['1,2345', undefined],
    ['1.2.3', undefined],
    ['-1', undefined],
  ])('%s is %s', (text, digits) => {
    expect(withoutGrouping(text)).toBe(digits);
  });
});

describe('yen scales', () => {
  it('REIT-12 the pattern matches each unit completely', () => {
    for (const unit of Object.keys(YEN_SCALES)) expect(new RegExp(YEN_UNIT, 'u').exec(`1${unit}`)?.[0]).toBe(unit);
    expect(isYenUnit('坪')).toBe(false);
    expect(isYenUnit('toString')).toBe(false);
  });
});
