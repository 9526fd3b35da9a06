import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockExpander } from '../../../src/storage/compact/block-expander.ts';
import { KINDS } from '../../../src/storage/compact/block-format.ts';
import { compact, expand, expandText } from '../../../src/storage/compact/compact.ts';
import { LzBlocks } from '../../../src/storage/compact/lz-block.ts';

const FOLDER = new URL('../../../src/storage/compact/', import.meta.url);

describe('compact text', () => {
  it.each([
    ['dictionary-1.txt', '1c7a82d50483f5d9cd1ba6000bf698ba4c7a7c9248d2cf0014d74b28387d6a2b'],
    ['codes-1.txt', 'dcc647a9c022083e5b7c964c2b0375d6922c58e3488a9cf12096d5f315d98880'],
  ])('%s never changes, because stored texts depend on it', (name, sha256) => {
    expect(
      createHash('sha256')
        .update(readFileSync(new URL(name, FOLDER)))
        .digest('hex'),
    ).toBe(sha256);
  });

  it('any text comes back as it was', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.json(),
      fc
        .array(fc.constantFrom('"provenance":{"source":"osm"', '東京都', '0', 'x'), { maxLength: 500 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(expandText(compact(text))).toBe(text);
        expect(expand(compact(Buffer.from(text))).equals(Buffer.from(text))).toBe(true);
      }),
    );
  });

  it.each([0, 1, 3, 4, 14, 15, 18, 19, 269, 270, 273, 274, 65_536, 400_000])(
    'a run of %i equal bytes, and as many that never repeat, come back',
    (length) => {
      const run = 'a'.repeat(length);
      expect(expandText(compact(run))).toBe(run);
      const noise = Buffer.from(Array.from({ length }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 13) & 0xff));
      expect(expand(compact(noise)).equals(noise)).toBe(true);
    },
  );

  it('text as earlier versions stored it is read as it is', () => {
    const json = '{"value":"丸の内ビルディング"}';
    expect(expandText(json)).toBe(json);
    expect(expandText(Buffer.from(json))).toBe(json);
    expect(expand(Buffer.from(json)).toString()).toBe(json);
    expect(expand(json).toString()).toBe(json);
  });

  it('earlier results stay as they were', () => {
    const [first, second] = [compact('first text, first text'), compact('second text, second text')];
    const expanded = expand(first);
    expand(second);
    expect(expanded.toString()).toBe('first text, first text');
  });

  it('a typical record takes less than a third of its bytes', () => {
    const provenance = {
      ...{ source: 'osm', sourceRecordId: 'way/123456789', sourceUrl: 'https://www.openstreetmap.org/way/123456789' },
      ...{ retrievedAt: '2026-09-04T00:00:00Z', extractionMethod: 'osm-tag', confidence: 0.8 },
    };
    const field = (value: unknown, unit: string | null) => ({
      ...{ value, unit, tier: 'free', provenance, conflict: null, estimated: false },
    });
    const fields = { nameJa: field('若葉ビル', null), heightM: field(31.2, 'm'), yearBuilt: field(1987, null) };
    const text = JSON.stringify({ id: 'ASSET-JP-13-00001234', fields });
    expect(compact(text).length * 3).toBeLessThan(Buffer.byteLength(text));
  });

  it('damaged bytes never come back as text', () => {
    const stored = compact('{"value":"丸の内ビルディング","unit":null,"tier":"free"}');
    for (let length = 1; length < stored.length; length++) {
      expect(() => expandText(stored.subarray(0, length))).toThrow('damaged');
    }
  });

  it('a long text is compressed against the dictionary to its end, and against itself as far as a reference reaches', () => {
    const words = Buffer.from('the quick brown fox jumps over the lazy dog. ');
    const lengths = new Uint8Array(KINDS * 256).fill(8);
    const expander = new BlockExpander(words, lengths);
    const own = Buffer.from('Only this text says so');
    const text = Buffer.concat([own, Buffer.alloc(70_000, 1), words, own]);
    const blocks = new LzBlocks(words, lengths);
    const block = new Uint8Array(LzBlocks.longest(text.length));
    const end = blocks.write(blocks.read(text), block, 0);
    expander.expand(block.subarray(0, end), 0, text.length);
    expect(Buffer.from(expander.take()).equals(text)).toBe(true);
  });
});
