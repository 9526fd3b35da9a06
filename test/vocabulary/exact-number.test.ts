import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  canonicalDecimal,
  compareExact,
  divide,
  exact,
  formatExact,
  fromInteger,
  isDecimal,
  multiply,
  parseDecimal,
  roundToDecimals,
  shiftDecimal,
  subtract,
} from '../../src/vocabulary/exact-number.ts';

const decimal = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 12 }),
  )
  .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);
const run = { endOnFailure: true, numRuns: 500 } as const;

describe('exact numbers', () => {
  it.each(['', '+1', '01', '1.', '.5', '1e3', '1E3', '1,000', ' 1', '1 ', '--1', '0x1', 'Infinity', '１', '1_0'])(
    'REIT-12 %j is not a decimal',
    (text) => {
      expect(isDecimal(text)).toBe(false);
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  it.each([
    ['98.50', '98.5'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['100', '100'],
    ['100.0', '100'],
    ['9007199254740993', '9007199254740993'],
    ['1000000000000000000000.10', '1000000000000000000000.1'],
  ])('REIT-12 %s is %s in canonical form', (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical);
    expect(formatExact(exact(text))).toBe(canonical);
  });

  it('REIT-12 a decimal of any size, parsed and formatted, is in canonical form', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const written = formatExact(exact(text));
        expect(written).toBe(canonicalDecimal(text));
        expect(written).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(compareExact(exact(written), exact(text))).toBe(0);
      }),
      run,
    );
  });

  it('REIT-12 sums and products are exact', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const sum = add(exact(a), exact(b));
        expect(formatExact(subtract(sum, exact(b)))).toBe(canonicalDecimal(a));
        const product = multiply(exact(a), exact(b));
        if (canonicalDecimal(b) !== '0') expect(formatExact(divide(product, exact(b)))).toBe(canonicalDecimal(a));
      }),
      run,
    );
    expect(formatExact(add(exact('0.1'), exact('0.2')))).toBe('0.3');
  });

  it.each([
    ['1', '3', '0.333333'],
    ['2', '3', '0.666667'],
    ['-2', '3', '-0.666667'],
    ['1', '2000000', '0.000001'],
    ['-1', '2000000', '-0.000001'],
    ['1', '2000001', '0'],
    ['-1', '2000001', '0'],
    ['1', '-3', '-0.333333'],
    ['5', '10', '0.5'],
  ])('REIT-12 %s ÷ %s rounds once, half away from zero, to %s', (a, b, rounded) => {
    expect(roundToDecimals(divide(exact(a), exact(b)), 6)).toBe(rounded);
  });

  it('REIT-12 a third has no exact form, and division by zero is an error', () => {
    expect(() => formatExact(divide(fromInteger(1), fromInteger(3)))).toThrow(RangeError);
    expect(() => divide(fromInteger(1), fromInteger(0))).toThrow(RangeError);
  });

  it.each([
    ['98.50', -2, '0.9850'],
    ['57', 6, '57000000'],
    ['1.50', 6, '1500000'],
    ['1.5', 1, '15'],
    ['1.25', 1, '12.5'],
    ['0.05', 2, '5'],
    ['-3', -3, '-0.003'],
    ['0', -2, '0.00'],
  ])('REIT-12 %s × 10^%i is %s, without losing a digit', (text, power, shifted) => {
    expect(shiftDecimal(text, power)).toBe(shifted);
  });

  it('REIT-12 shifting back and forth gives the same number', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: -20, max: 20 }), (text, power) => {
        const shifted = shiftDecimal(text, power);
        expect(isDecimal(shifted)).toBe(true);
        expect(canonicalDecimal(shiftDecimal(shifted, -power))).toBe(canonicalDecimal(text));
      }),
      run,
    );
  });
});
