import { describe, expect, it } from 'vitest';
import { type Candidate, type Entry, matchRegister } from '../../src/matching/match-register.ts';
import { normaliseName } from '../../src/matching/normalise-name.ts';

const candidate = (building: number, numbers: string[], ...names: string[]): Candidate => ({
  building,
  numbers: new Set(numbers),
  names: new Set(names.map(normaliseName)),
});
const entry = (name: string | null, ...numbers: string[]): Entry => ({ name, numbers });

describe('match register', () => {
  it.each<[string, Entry, Candidate[], ReturnType<typeof matchRegister>]>([
    ['no building', entry('甲', '9-1'), [], { reason: 'unmatched' }],
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
      'one of two that have the address; the name is elsewhere',
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
    ['a name of nothing', entry('・'), [candidate(1, [], ''), candidate(2, [], '・')], { reason: 'unmatched' }],
    ['one of several addresses', entry('甲', '9-1', '9-2'), [candidate(1, ['9-2', '9-3'])], { building: 1 }],
    [
      'several addresses of two buildings',
      entry('甲', '9-1', '9-2'),
      [candidate(1, ['9-1']), candidate(2, ['9-2'])],
      { reason: 'ambiguous' },
    ],
    ['part of an address is no address', entry('甲', '9-1'), [candidate(1, ['9'], '乙')], { reason: 'unmatched' }],
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
