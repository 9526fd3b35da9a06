import { describe, expect, it } from 'vitest';
import { type ItemClues, matchItem } from '../../src/matching/match-item.ts';

const clues = (some: Partial<ItemClues>): ItemClues => ({ tagged: [], named: [], around: [], names: [], ...some });
const around = (building: number, ...names: string[]) => ({ building, names });

describe('match item', () => {
  it.each<[string, Partial<ItemClues>, ReturnType<typeof matchItem>]>([
    ['nothing', {}, { reason: 'unmatched' }],
    ['one tagged', { tagged: [1] }, { building: 1 }],
    ['two tagged', { tagged: [1, 2] }, { reason: 'ambiguous' }],
    ['two tagged, one named', { tagged: [1, 2], named: [2] }, { building: 2 }],
    ['two tagged, both named', { tagged: [1, 2], named: [1, 2] }, { reason: 'ambiguous' }],
    ['one named', { named: [3] }, { building: 3 }],
    ['two named', { named: [3, 4] }, { reason: 'ambiguous' }],
    [
      'one tagged, another around with the name',
      { tagged: [1], around: [around(2, '甲')], names: ['甲'] },
      { building: 1 },
    ],
    ['one around with the name', { around: [around(2, '乙', '甲 ビル')], names: ['甲ビル'] }, { building: 2 }],
    ['one around with another name', { around: [around(2, '乙')], names: ['甲'] }, { reason: 'unmatched' }],
    ['one around without a name', { around: [around(2)], names: ['甲'] }, { reason: 'unmatched' }],
    ['neither has a name', { around: [around(2)] }, { reason: 'unmatched' }],
    ['two around, one with the name', { around: [around(2, '甲'), around(3)], names: ['甲'] }, { reason: 'ambiguous' }],
    ['names of nothing', { around: [around(2, '・')], names: ['−'] }, { reason: 'unmatched' }],
    [
      'an alias in another width',
      { around: [around(2, 'ＴＯＷＥＲ ＯＮＥ')], names: ['甲', 'Tower One'] },
      { building: 2 },
    ],
  ])('%s', (_, some, verdict) => {
    expect(matchItem(clues(some))).toEqual(verdict);
  });
});
