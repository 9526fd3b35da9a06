import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenIn, normaliseAlias, normaliseSearchText, printable, withoutHidden } from '../../src/vocabulary/text.ts';

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
  ])('SEA-04 %s and %s stay different', (a, b) => {
    expect(normaliseSearchText(a)).not.toBe(normaliseSearchText(b));
  });

  it('SEA-02 normalisation is idempotent', () => {
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
  ])('CON-07 %j and %j are equal', (a, b) => {
    expect(normaliseAlias(a)).toBe(normaliseAlias(b));
  });

  it.each([
    ['Tokyo Tower', 'TokyoTower'],
    ['東京タワー', '東京たわー'],
    ['Tower', 'Towér'],
  ])('CON-07 %j and %j are different', (a, b) => {
    expect(normaliseAlias(a)).not.toBe(normaliseAlias(b));
  });

  it('CON-07 normalisation is idempotent', () => {
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

  it('is cut to the given length', () => {
    expect(printable('abcdef', 3)).toBe('abc…');
    expect(printable('abc', 3)).toBe('abc');
    expect(printable('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(printable('a😀', 2)).toBe('a\ufffd…');
  });

  it('contains nothing that could move a cursor, reverse a line or break UTF-8', () => {
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

describe('hidden characters', () => {
  it.each([
    ['a\u202eb\u202c', 'ab', 'U+202E, U+202C'],
    ['\u200e\u200f\u061c\u2066\u2069x', 'x', 'U+200E, U+200F, U+061C, U+2066, U+2069'],
    ['見\u200b本\u2060館\ufeff', '見本館', 'U+200B, U+2060, U+FEFF'],
    ['a\u00adb\u034fc\u3164', 'abc', 'U+00AD, U+034F, U+3164'],
    ['a\0b\u001bc\u007fd\u009be', 'abcde', 'U+0000, U+001B, U+007F, U+009B'],
    ['a\ud800b', 'ab', 'U+FFFD'],
    ['a\uffffb\ufdd0c\u{10ffff}', 'abc', 'U+FFFF, U+FDD0, U+10FFFF'],
    ['a\u0378b', 'ab', 'U+0378'],
    ['旗\u{1f3f4}\u{e0067}\u{e007f}', '旗\u{1f3f4}', 'U+E0067, U+E007F'],
    // A variation selector belongs to one kanji, and a joiner joins two emoji.
    ['\u{e0100}葛\u{e0100}\u{e0101}', '葛\u{e0100}', 'U+E0100, U+E0101'],
    ['a\ufe0fb\u200dc', 'abc', 'U+FE0F, U+200D'],
  ])('%j is %j', (text, cleaned, hidden) => {
    expect(withoutHidden(text)).toBe(cleaned);
    expect(hiddenIn(text)).toBe(hidden);
  });

  it.each([
    ['葛\u{e0100}飾区', '辻\ufe00村', '神\ufe01', '𠮷野家', '\u{2ebf0}\u{323b0}', '髙島屋', 'ｶﾞ'],
    ['❤\ufe0f', '1\ufe0f\u20e3', '👩\u200d💻', '👩🏽\u200d🚀', '❤\ufe0f\u200d🔥'],
    ['क्\u200dष', 'می\u200cخواهم', '\ue000'],
    ['ビル\u3000別館', 'a  b', '\u00a0', 'Café', 'Ｔｏｋｙｏ①㈱'],
  ])('%j and others are unchanged', (...texts) => {
    for (const text of texts) expect([text, withoutHidden(text), hiddenIn(text)]).toEqual([text, text, undefined]);
  });

  it('a line break or tab, with the white space around it, becomes one space and is not hidden', () => {
    expect(withoutHidden('甲 \r\n\t 乙\u2028丙\u0085\n')).toBe('甲 乙 丙');
    expect(hiddenIn('甲 \r\n\t 乙\u2028丙\u0085\n')).toBeUndefined();
  });

  it('are all removed from any text, in one pass', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = withoutHidden(text);
        expect(withoutHidden(cleaned)).toBe(cleaned);
        expect(hiddenIn(cleaned)).toBeUndefined();
        expect(cleaned).not.toMatch(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
        expect(hiddenIn(text) ?? '').toMatch(/^(U\+[0-9A-F]{4,6}(, | and others)?)*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
