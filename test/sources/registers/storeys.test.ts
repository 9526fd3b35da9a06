import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFloorCount, parseStoreys } from '../../../src/sources/registers/storeys.ts';

describe('parseStoreys', () => {
  it.each([
    ['地上25階、地下2階、SRC造、RC造、S造', 25, 2, 'SRC造、RC造、S造'],
    ['地上9階、地下0階、木造、RC造', 9, 0, '木造、RC造'],
    ['ＲＣ造　地上１３階', 13, undefined, 'RC造'],
    ['鉄筋コンクリート造地下1階付15階建', 15, 1, '鉄筋コンクリート造'],
    ['鉄骨造十五階建', 15, undefined, '鉄骨造'],
    ['RC造一部S造、地上3階地下なし塔屋1階', 3, 0, 'RC造一部S造'],
    ['木造平家建', 1, undefined, '木造'],
    ['RC・SRC', undefined, undefined, 'RC造、SRC造'],
    ['S造 B2F/14F', 14, 2, 'S造'],
    ['その他', undefined, undefined, undefined],
    ['', undefined, undefined, undefined],
  ])('%s', (text, floorsAbove, floorsBelow, structure) => {
    expect(parseStoreys(text)).toEqual({ floorsAbove, floorsBelow, structure });
  });

  it('reads back what it could have been made of', () => {
    const kinds = fc.uniqueArray(fc.constantFrom('SRC造', 'RC造', 'S造', 'CFT造', '木造'), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 0, max: 9 }), kinds, (above, below, structure) => {
        const text = [`地上${above}階`, `地下${below}階`, ...structure].join('、');
        const expected = { floorsAbove: above, floorsBelow: below, structure: structure.join('、') };
        expect(parseStoreys(text)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void [parseStoreys(text), parseFloorCount(text)]));
  });
});

describe('parseFloorCount', () => {
  it('reads one number of floors', () => {
    const texts = ['8', '８階', '地上8階', '8F', '八', '地下2階', 'B2', 'なし', '8階建て', '約8', '-1', '8.5', ''];
    expect(texts.map(parseFloorCount)).toEqual([8, 8, 8, 8, 8, 2, 2, 0, 8, ...Array(4).fill(undefined)]);
  });
});
