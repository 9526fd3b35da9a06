import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ASSET_ID_PATTERN,
  ASSET_PREFIX,
  assetKey,
  formatAssetId,
  parseAssetId,
  prefectureOfAsset,
} from '../../src/vocabulary/asset-id.ts';

const prefecture = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'));
const number = fc.integer({ min: 0, max: 99_999_999 });
const key = fc.integer({ min: 0, max: 9_999_999_999 });

describe('asset ID', () => {
  it('ID-01 is the prefix, JP, two digits and eight digits', () => {
    expect(ASSET_PREFIX).toBe('ASSET');
    expect(parseAssetId('ASSET-JP-13-00000001')).toBe(1_300_000_001);
    expect(formatAssetId(1_300_000_001)).toBe('ASSET-JP-13-00000001');
  });

  it.each([
    ['00', 1],
    ['01', 100_000_001],
    ['47', 4_700_000_001],
    ['48', 4_800_000_001],
    ['99', 9_900_000_001],
  ])('ID-01 prefecture %s is well-formed, whether it exists or not', (code, expected) => {
    expect(parseAssetId(`ASSET-JP-${code}-00000001`)).toBe(expected);
  });

  it.each([
    ['', 'nothing'],
    ['13-00000001', 'no prefix'],
    ['BLDG-JP-13-00000001', 'another prefix'],
    ['asset-jp-13-00000001', 'lower case'],
    ['ASSET-US-13-00000001', 'another country'],
    ['ASSET-JP-1-00000001', 'one digit of prefecture'],
    ['ASSET-JP-113-00000001', 'three digits of prefecture'],
    ['ASSET-JP-13-0000001', 'seven digits'],
    ['ASSET-JP-13-000000001', 'nine digits'],
    ['ASSET-JP-13-0000000a', 'a letter'],
    ['ASSET-JP-13-+0000001', 'a sign'],
    ['ASSET-JP-１３-00000001', 'full-width digits'],
    ['ASSET-JP-١٣-00000001', 'Arabic digits'],
    ['ASSET–JP–13–00000001', 'dashes for hyphens'],
    ['ASSET-JP-1300000001', 'a hyphen missing'],
    [' ASSET-JP-13-00000001', 'a space before'],
    ['ASSET-JP-13-00000001 ', 'a space behind'],
    ['ASSET-JP-13-00000001\n', 'a newline behind'],
    ['x\nASSET-JP-13-00000001', 'a line before'],
    ['ASSET-JP-13-00000001.md', 'a suffix'],
    ['ASSET-JP-13-00000001ASSET-JP-13-00000001', 'two IDs'],
  ])('ID-01 %j is malformed: %s', (text) => {
    expect(parseAssetId(text)).toBeUndefined();
    expect(text).not.toMatch(new RegExp(ASSET_ID_PATTERN));
  });

  it('ID-01 keys and IDs correspond one to one', () => {
    fc.assert(
      fc.property(key, (k) => {
        const id = formatAssetId(k);
        expect(id).toMatch(/^ASSET-JP-[0-9]{2}-[0-9]{8}$/);
        expect(id).toMatch(new RegExp(ASSET_ID_PATTERN));
        expect(parseAssetId(id)).toBe(k);
      }),
    );
    fc.assert(
      fc.property(prefecture, number, (code, n) => {
        const id = `ASSET-JP-${code}-${String(n).padStart(8, '0')}`;
        expect(formatAssetId(parseAssetId(id) as number)).toBe(id);
      }),
    );
  });

  it('ID-01 the published pattern and the parser agree on damaged IDs', () => {
    const damaged = fc
      .tuple(key, fc.nat({ max: 20 }), fc.nat({ max: 2 }), fc.string({ maxLength: 2 }))
      .map(([k, at, cut, put]) => {
        const id = formatAssetId(k);
        return id.slice(0, at) + put + id.slice(at + cut);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(parseAssetId(text) !== undefined).toBe(new RegExp(ASSET_ID_PATTERN).test(text));
      }),
    );
  });

  it('is composed of, and splits into, a prefecture and a number', () => {
    fc.assert(
      fc.property(prefecture, number, (code, n) => {
        const k = assetKey(code, n);
        expect(formatAssetId(k)).toBe(`ASSET-JP-${code}-${String(n).padStart(8, '0')}`);
        expect(prefectureOfAsset(k)).toBe(code);
      }),
    );
  });
});
