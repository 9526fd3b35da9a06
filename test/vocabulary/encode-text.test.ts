import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/vocabulary/encode-text.ts';

describe('encodeText', () => {
  it('gives the bytes that Buffer.from gives, whatever the text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '\ud800', '建物\udfff'),
    );
    fc.assert(fc.property(texts, (text) => encodeText(text).equals(Buffer.from(text))));
  });

  it('encodes texts longer than its buffer, and keeps earlier results', () => {
    const long = '建物 building '.repeat(60_000);
    const first = encodeText('甲');
    expect(encodeText(long).equals(Buffer.from(long))).toBe(true);
    expect(first.toString()).toBe('甲');
  });
});
