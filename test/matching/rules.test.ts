import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ItemClues, matchItem } from '../../src/matching/rules.ts';
import {
  type MatchCandidate,
  matchRegister,
  normaliseName,
  type RegisterEntry,
} from '../../src/registry/register-rule.ts';

const candidate = (building: number, numbers: string[], ...names: string[]): MatchCandidate => ({
  building,
  numbers: new Set(numbers),
  names: new Set(names.map(normaliseName)),
});
const entry = (name: string | null, ...numbers: string[]): RegisterEntry => ({ name, numbers });

describe('match register', () => {
  it.each<[string, RegisterEntry, MatchCandidate[], ReturnType<typeof matchRegister>]>([
    ['no candidates', entry('甲', '9-1'), [], { reason: 'unmatched' }],
    ['one with the address', entry(null, '9-1'), [candidate(1, ['9-1']), candidate(2, ['9-2'])], { building: 1 }],
    ['one with the address and another name', entry('甲', '9-1'), [candidate(1, ['9-1'], '乙')], { building: 1 }],
    [
      'two with the address, one with the name',
      entry('甲', '9-1'),
      [candidate(1, ['9-1'], '乙'), candidate(2, ['9-1'], '甲')],
      { building: 2 },
    ],
    [
      'two with the address, neither with the name',
      entry('甲', '9-1'),
      [candidate(1, ['9-1'], '乙'), candidate(2, ['9-1'])],
      { reason: 'ambiguous' },
    ],
    [
      'two with the address and the name',
      entry('甲', '9-1'),
      [candidate(1, ['9-1'], '甲'), candidate(2, ['9-1'], '甲')],
      { reason: 'ambiguous' },
    ],
    [
      'two with the address, no name given',
      entry(null, '9-1'),
      [candidate(1, ['9-1']), candidate(2, ['9-1'])],
      { reason: 'ambiguous' },
    ],
    [
      'one with the address, another with the name',
      entry('甲', '9-1'),
      [candidate(1, ['9-1']), candidate(2, [], '甲')],
      { building: 1 },
    ],
    [
      'the name, no address known',
      entry('甲', '9-1'),
      [candidate(1, [], '甲'), candidate(2, [], '乙')],
      { building: 1 },
    ],
    ['the name, another address', entry('甲', '9-1'), [candidate(1, ['9-2'], '甲')], { reason: 'unmatched' }],
    ['the name twice', entry('甲', '9-1'), [candidate(1, [], '甲'), candidate(2, [], '甲')], { reason: 'ambiguous' }],
    [
      'the name twice, once at another address',
      entry('甲', '9-1'),
      [candidate(1, [], '甲'), candidate(2, ['9-9'], '甲')],
      { building: 1 },
    ],
    ['no number given, the name', entry('甲'), [candidate(1, ['9-1'], '甲'), candidate(2, ['9-1'])], { building: 1 }],
    [
      'no number given, the name twice',
      entry('甲'),
      [candidate(1, [], '甲'), candidate(2, ['1'], '甲')],
      { reason: 'ambiguous' },
    ],
    ['neither number nor name', entry(null), [candidate(1, [], '甲')], { reason: 'unmatched' }],
    [
      'a name of punctuation only',
      entry('・'),
      [candidate(1, [], ''), candidate(2, [], '・')],
      { reason: 'unmatched' },
    ],
    ['one of several addresses', entry('甲', '9-1', '9-2'), [candidate(1, ['9-2', '9-3'])], { building: 1 }],
    [
      'several addresses of two buildings',
      entry('甲', '9-1', '9-2'),
      [candidate(1, ['9-1']), candidate(2, ['9-2'])],
      { reason: 'ambiguous' },
    ],
    ['only part of the address', entry('甲', '9-1'), [candidate(1, ['9'], '乙')], { reason: 'unmatched' }],
    [
      'a working title',
      entry('（仮称）丸の内ビル', '9-1'),
      [candidate(1, ['9-1'], '丸の内ビル'), candidate(2, ['9-1'])],
      { building: 1 },
    ],
  ])('%s', (_, register, candidates, verdict) => {
    expect(matchRegister(register, candidates)).toEqual(verdict);
    expect(matchRegister(register, [...candidates].reverse())).toEqual(verdict);
  });
});

const clues = (some: Partial<ItemClues>): ItemClues => ({ tagged: [], named: [], around: [], names: [], ...some });
const around = (building: number, ...names: string[]) => ({ building, names });

describe('match item', () => {
  it.each<[string, Partial<ItemClues>, ReturnType<typeof matchItem>]>([
    ['no clues', {}, { reason: 'unmatched' }],
    ['one tagged', { tagged: [1] }, { building: 1 }],
    ['two tagged', { tagged: [1, 2] }, { reason: 'ambiguous' }],
    ['two tagged, one named', { tagged: [1, 2], named: [2] }, { building: 2 }],
    ['two tagged, both named', { tagged: [1, 2], named: [1, 2] }, { reason: 'ambiguous' }],
    ['one named', { named: [3] }, { building: 3 }],
    ['two named', { named: [3, 4] }, { reason: 'ambiguous' }],
    [
      'one tagged, another that contains it and has the name',
      { tagged: [1], around: [around(2, '甲')], names: ['甲'] },
      { building: 1 },
    ],
    [
      'one that contains it and has the name',
      { around: [around(2, '乙', '甲 ビル')], names: ['甲ビル'] },
      { building: 2 },
    ],
    ['one that contains it with another name', { around: [around(2, '乙')], names: ['甲'] }, { reason: 'unmatched' }],
    ['one that contains it without a name', { around: [around(2)], names: ['甲'] }, { reason: 'unmatched' }],
    ['neither has a name', { around: [around(2)] }, { reason: 'unmatched' }],
    [
      'two that contain it, one with the name',
      { around: [around(2, '甲'), around(3)], names: ['甲'] },
      { reason: 'ambiguous' },
    ],
    ['names of punctuation only', { around: [around(2, '・')], names: ['−'] }, { reason: 'unmatched' }],
    [
      'an alias in another width',
      { around: [around(2, 'ＴＯＷＥＲ ＯＮＥ')], names: ['甲', 'Tower One'] },
      { building: 2 },
    ],
  ])('%s', (_, some, verdict) => {
    expect(matchItem(clues(some))).toEqual(verdict);
  });
});

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
  ])('%s equals %s', (a, b) => {
    expect(normaliseName(a)).toBe(normaliseName(b));
    expect(normaliseName(a)).not.toBe('');
  });

  it.each([
    ['第1ビル', '第2ビル'],
    ['東館', '西館'],
    ['ビル', 'ビール'],
    ['タワー', 'タワ'],
  ])('%s differs from %s', (a, b) => {
    expect(normaliseName(a)).not.toBe(normaliseName(b));
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(normaliseName(normaliseName(name))).toBe(normaliseName(name));
      }),
    );
  });
});
