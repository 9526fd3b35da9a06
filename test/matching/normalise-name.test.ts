import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../src/matching/normalise-name.ts';

describe('normalise name', () => {
  it.each([
    ['丸の内ビルディング', '丸の内 ビルディング'],
    ['ＪＰタワー', 'jpタワー'],
    ['ﾏﾙﾋﾞﾙ', 'マルビル'],
    ['（仮称）大手町ビル', '大手町ビル'],
    ['(仮称)大手町ビル', '大手町ビル'],
    ['仮称 大手町ビル', '大手町ビル'],
    ['大手町ビル（仮称）', '大手町ビル'],
    ['ザ・タワー', 'ザタワー'],
    ['ザ･タワー', 'ザ・タワー'],
    ['A&Bビル', 'Ａ＆Ｂビル'],
    ['丸の内「本館」', '丸の内本館'],
    ['タワーⅡ', 'タワーII'],
    ['Tower-One', 'TOWER ONE'],
    ['か\u3099ーでん', 'がーでん'],
  ])('%s is %s', (a, b) => {
    expect(normaliseName(a)).toBe(normaliseName(b));
    expect(normaliseName(a)).not.toBe('');
  });

  it.each([
    ['第1ビル', '第2ビル'],
    ['東館', '西館'],
    ['ビル', 'ビール'],
    ['タワー', 'タワ'],
  ])('%s is not %s', (a, b) => {
    expect(normaliseName(a)).not.toBe(normaliseName(b));
  });

  it('done twice is done once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(normaliseName(normaliseName(name))).toBe(normaliseName(name));
      }),
    );
  });
});
