import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FIELD_NAMES,
  FIELDS,
  type Field,
  faultInText,
  faultInValue,
  isField,
  MAX_TEXT_LENGTH,
  SCALAR_FIELDS,
} from '../../src/vocabulary/fields.ts';

const TEXT = { good: ['丸の内ビル', 'a', ' x '], bad: ['', '  ', 'a\0b', '\ud800'] };
const DATE = { good: ['2026-01-31', '2024-02-29'], bad: ['2026-02-30', '2026-01', '2026-1-1', '2026-01-31T00:00:00Z'] };
const AREA = { good: [0, 0.01, 1234.5, 100_000_000], bad: [-0.01, 100_000_000.1, 1e300] };
const FLOOR_AREA = { good: [0, 0.01, 200_000_000, 40_000_000_000], bad: [-0.01, 40_000_000_000.1, 1e300] };
const YEN = { good: [0, 1, 9_007_199_254_740_991], bad: [-1, 0.5, 9_007_199_254_740_992] };
const COUNT = { good: [0, 1, 1_000_000], bad: [-1, 1.5, 1_000_001] };

type Row = [field: Field, type: 'string' | 'number', unit: string | null, values: { good: unknown[]; bad: unknown[] }];

/** Contract 2.7 and decisions.md, 'Types and units'. */
const TABLE: Row[] = [
  ['nameJa', 'string', null, TEXT],
  ['nameEn', 'string', null, TEXT],
  ['aliases', 'string', null, TEXT],
  ['addressJa', 'string', null, TEXT],
  [
    'postcode',
    'string',
    null,
    { good: ['100-0005'], bad: ['1000005', '〒100-0005', '100-000', '１００-0005', '100-0005\n'] },
  ],
  ['assetTypes', 'string', null, TEXT],
  ['footprintM2', 'number', 'm2', AREA],
  ['gfaM2', 'number', 'm2', FLOOR_AREA],
  [
    'completionMonth',
    'string',
    null,
    { good: ['2026-12'], bad: ['2026-13', '2026-00', '2026', '2026-12-01', '2026-1'] },
  ],
  ['structure', 'string', null, TEXT],
  ['landAreaM2', 'number', 'm2', AREA],
  ['leasableAreaM2', 'number', 'm2', AREA],
  ['acquisitionPriceJpy', 'number', 'JPY', YEN],
  ['acquisitionDate', 'string', null, DATE],
  ['appraisalValueJpy', 'number', 'JPY', YEN],
  ['appraisalDate', 'string', null, DATE],
  ['bookValueJpy', 'number', 'JPY', YEN],
  ['occupancyRate', 'number', '%', { good: [0, 97.5, 100], bad: [-0.1, 100.1] }],
  ['unitCount', 'number', null, COUNT],
  ['roomCount', 'number', null, COUNT],
  ['floorsAbove', 'number', null, { good: [0, 1, 62, 300], bad: [-1, 2.5, 301, 9999, -9999] }],
  ['floorsBelow', 'number', null, { good: [0, 6, 100], bad: [-1, 0.5, 101, 9999, -9999] }],
  ['heightM', 'number', 'm', { good: [0, 0.5, 634, 2_000], bad: [-1, 2_000.1, -9999, 9999] }],
  ['yearBuilt', 'number', null, { good: [607, 1914, 2030], bad: [1, 499, 2_201, 9999, 1914.5] }],
  ['ownerPublic', 'string', null, TEXT],
  ['architect', 'string', null, TEXT],
  ['developer', 'string', null, TEXT],
  ['tenure', 'string', null, { good: ['sale', 'rental', 'mixed'], bad: ['Sale', 'lease', 'sale ', ''] }],
  ['managementPlanCertifiedOn', 'string', null, DATE],
];

const NOT_NUMBERS = ['1', '', true, null, undefined, [], [1], {}, Number.NaN, Number.POSITIVE_INFINITY, -Infinity];
const NOT_STRINGS = [1, 0, true, null, undefined, [], ['a'], {}, { value: 'a' }];

describe('fields', () => {
  it('CON-16 are the 29 of the contract, in its order', () => {
    expect(FIELD_NAMES).toEqual(TABLE.map(([field]) => field));
    expect(FIELD_NAMES).toHaveLength(29);
  });

  it('REC-02 aliases and assetTypes are repeated, every other field is a scalar', () => {
    expect(FIELD_NAMES.filter((field) => FIELDS[field].repeated)).toEqual(['aliases', 'assetTypes']);
    expect(SCALAR_FIELDS).toEqual(FIELD_NAMES.filter((field) => field !== 'aliases' && field !== 'assetTypes'));
  });

  it.each(TABLE)('REC-12 %s is a %s in unit %j', (field, type, unit, { good, bad }) => {
    expect(FIELDS[field].unit).toBe(unit);
    for (const value of good) {
      expect(typeof value).toBe(type);
      expect(faultInValue(field, value), String(value)).toBeUndefined();
    }
    for (const value of bad) expect(faultInValue(field, value), JSON.stringify(value)).toContain(field);
  });

  it.each(TABLE)('REC-12 %s accepts only a %s', (field, type) => {
    for (const value of type === 'number' ? NOT_NUMBERS : NOT_STRINGS) {
      expect(faultInValue(field, value), `${typeof value} ${String(value)}`).toContain(field);
    }
  });

  it.each(['appraisalDates', 'name', 'NAMEJA', '', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    '%j is not a field',
    (name) => {
      expect(isField(name)).toBe(false);
    },
  );

  it('every field of the contract is a field', () => {
    for (const [field] of TABLE) expect(isField(field)).toBe(true);
  });

  it('an error never quotes the value', () => {
    const value = fc.string({ minLength: 12, unit: fc.constantFrom('q', 'z', '\u001b', '値') });
    const fieldOf = fc.constantFrom(...TABLE.filter(([, type]) => type === 'number').map(([field]) => field));
    const pattern = fc.constantFrom<Field>('postcode', 'completionMonth', 'appraisalDate', 'tenure');
    fc.assert(
      fc.property(value, fc.oneof(fieldOf, pattern), (text, field) => {
        const fault = faultInValue(field, text);
        expect(fault).toBeDefined();
        expect(fault).not.toContain(text);
      }),
    );
  });
});

describe('text', () => {
  it.each([
    ['a\0b', 'NUL'],
    ['\0', 'NUL'],
    ['a\ud83d', 'surrogate'],
    ['\ude00b', 'surrogate'],
    ['\ude00\ud83d', 'surrogate'],
    ['', 'empty'],
    [' \t\n\u3000\u00a0', 'empty'],
    ['あ'.repeat(MAX_TEXT_LENGTH + 1), 'longer'],
  ])('%j is rejected', (text, reason) => {
    expect(faultInText(text)).toContain(reason);
  });

  it.each(['a', '😀', ' a ', '丸の内', 'a\nb', '\u200f', '\ufffd', 'あ'.repeat(MAX_TEXT_LENGTH)])(
    '%j is accepted',
    (text) => {
      expect(faultInText(text)).toBeUndefined();
    },
  );

  it('may have the length that the caller allows', () => {
    expect(faultInText('abc', 3)).toBeUndefined();
    expect(faultInText('abcd', 3)).toBe('is longer than 3 characters');
  });

  it('that is accepted can be encoded as UTF-8', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        if (faultInText(text) === undefined) expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
        else expect(text.trim() === '' || text.includes('\0') || !text.isWellFormed()).toBe(true);
      }),
    );
  });
});
