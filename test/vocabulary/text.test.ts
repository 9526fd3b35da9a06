import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseAlias, normaliseSearchText, printable } from '../../src/vocabulary/text.ts';

const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: anyUnit }));

describe('search text', () => {
  it.each([
    ['ＡＢＣ１２３', 'abc123'],
    ['ﾏﾙﾋﾞﾙ', 'マルビル'],
    ['㈱', '(株)'],
    ['①', '1'],
    ['ｶﾞ', 'ガ'],
    ['か\u3099', 'が'],
    ['Café', 'café'],
    ['CAFE\u0301', 'café'],
    ['ΑΣ', 'ας'],
    ['İ', 'i\u0307'],
    ['  Tokyo\u3000Tower\n', 'tokyo tower'],
    ['ひらカナ', 'ひらカナ'],
    ['%_\\', '%_\\'],
  ])('SEA-02 %j is %j', (text, expected) => {
    expect(normaliseSearchText(text)).toBe(expected);
  });

  it.each([
    ['ひら', 'ヒラ'],
    ['大手町', '大手町ビル'],
    ['tokyo', '東京'],
    ['ビル', 'ピル'],
  ])('SEA-04 %s and %s stay apart', (a, b) => {
    expect(normaliseSearchText(a)).not.toBe(normaliseSearchText(b));
  });

  it('SEA-02 normalised once is normalised for good', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normaliseSearchText(text);
        expect(normaliseSearchText(once)).toBe(once);
        expect(normaliseSearchText(`\u3000${text} `)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});

describe('alias', () => {
  it.each([
    ['Tokyo  Tower', 'ＴＯＫＹＯ\u3000ＴＯＷＥＲ'],
    [' 東京\tタワー ', '東京 ﾀﾜｰ'],
    ['a\n\nb', 'A B'],
    ['a\u00a0b', 'a b'],
  ])('CON-07 %j and %j are one', (a, b) => {
    expect(normaliseAlias(a)).toBe(normaliseAlias(b));
  });

  it.each([
    ['Tokyo Tower', 'TokyoTower'],
    ['東京タワー', '東京たわー'],
    ['Tower', 'Towér'],
  ])('CON-07 %j and %j are two', (a, b) => {
    expect(normaliseAlias(a)).not.toBe(normaliseAlias(b));
  });

  it('CON-07 normalised once is normalised for good', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normaliseAlias(text);
        expect(normaliseAlias(once)).toBe(once);
        expect(once).not.toMatch(/^\s|\s$|\s\s/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe('printable text', () => {
  it.each([
    ['plain 日本語 😀', 'plain 日本語 😀'],
    ['a\u001b[31mb', 'a\\u{1b}[31mb'],
    ['a\r\nb\tc\0', 'a\\u{d}\\u{a}b\\u{9}c\\u{0}'],
    ['\u007f\u0085\u009b', '\\u{7f}\\u{85}\\u{9b}'],
    ['\u202eabc\u202c', '\\u{202e}abc\\u{202c}'],
    ['\u2066\u2067\u2068\u2069', '\\u{2066}\\u{2067}\\u{2068}\\u{2069}'],
    ['\u200e\u200f\u061c', '\\u{200e}\\u{200f}\\u{61c}'],
    ['a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\ufffd'],
  ])('%j is shown as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('is cut to the length asked for', () => {
    expect(printable('abcdef', 3)).toBe('abc…');
    expect(printable('abc', 3)).toBe('abc');
    expect(printable('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(printable('a😀', 2)).toBe('a\ufffd…');
  });

  it('holds nothing that could move a cursor, turn a line or break UTF-8', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 20 }), (text, length) => {
        const shown = printable(text, length);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(printable(shown, 1_000)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });
});
