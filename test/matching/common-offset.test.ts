import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonOffset, type Offset, offsetBetween } from '../../src/matching/common-offset.ts';
import { outlineOf } from '../../src/matching/overlap.ts';
import { box, polygon } from './grid.ts';

const LAT = 35.675;
/** So many decimetres east and north. */
const by = (x: number, y: number): Offset => ({ x: Math.round(x * 11.05), y: Math.round(y * 9.01) });
const among = (...votes: [number, number][]) =>
  commonOffset(
    votes.map((vote) => by(...vote)),
    LAT,
  );

describe('the common offset of a neighbourhood', () => {
  it('MAT-01 is what four or more agree on to a metre or so', () => {
    const agreed = among([30, 20], [34, 18], [27, 25], [33, 21]);
    expect(agreed).toEqual(by(31, 21));
    expect(among([30, 20], [34, 18], [27, 25])).toBeUndefined();
    expect(among([30, 20], [34, 18], [27, 25], [33, 60])).toBeUndefined();
  });

  it('does not hear those who say something else, as long as they do not agree', () => {
    expect(among([30, 20], [34, 18], [27, 25], [33, 21], [-50, 0], [0, 60])).toEqual(by(31, 21));
    expect(among([30, 20], [34, 18], [27, 25], [33, 21], [-50, 0], [-52, 3], [-48, 2])).toBeUndefined();
  });

  it('is undecided in a row of equal houses, where the neighbour fits as well', () => {
    const row = [0, 1, 2, 3, 4, 5].flatMap((): [number, number][] => [
      [40, 0],
      [-20, 0],
    ]);
    expect(among(...row)).toBeUndefined();
  });

  it('is nothing where it is less than people draw carefully', () => {
    expect(among([5, 5], [3, -2], [0, 4], [6, 1])).toEqual({ x: 0, y: 0 });
  });

  it('does not hang on the order of the votes, and is among those who agree', () => {
    const votes = fc.array(fc.tuple(fc.integer({ min: -55, max: 55 }), fc.integer({ min: -55, max: 55 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(votes, fc.func(fc.nat()), (some, rank) => {
        const shuffled = some.map((vote, i) => ({ vote, at: rank(i) })).sort((a, b) => a.at - b.at);
        const offset = among(...some);
        expect(among(...shuffled.map(({ vote }) => vote))).toEqual(offset);
        if (offset === undefined || (offset.x === 0 && offset.y === 0)) return;
        const near = some
          .map((vote) => by(...vote))
          .filter((one) => Math.abs(one.x - offset.x) < 450 && Math.abs(one.y - offset.y) < 370);
        expect(near.length).toBeGreaterThanOrEqual(4);
      }),
    );
  });

  it('finds what a neighbourhood was moved by, whatever strangers stand in it', () => {
    const metres = fc.integer({ min: -5, max: 5 });
    fc.assert(
      fc.property(metres, metres, fc.integer({ min: 6, max: 40 }), fc.nat(2), (x, y, houses, strangers) => {
        fc.pre(Math.hypot(x, y) > 1.5);
        const votes: [number, number][] = Array.from({ length: houses }, (_, i) => [x * 10 + (i % 5) - 2, y * 10]);
        const noise: [number, number][] = [
          [-x * 10, y * 10 + 30],
          [70, -70],
        ];
        const found = among(...votes, ...noise.slice(0, strangers)) as Offset;
        expect(Math.hypot(found.x / 110.5 - x, found.y / 90.1 - y)).toBeLessThan(0.5);
      }),
    );
  });
});

describe('the offset between two footprints', () => {
  const outline = (...sides: [number, number, number, number]) => outlineOf(polygon(box(...sides)));

  it('is told by those of about one size alone', () => {
    const house = outline(10, 10, 20, 22);
    expect(offsetBetween(outline(14, 7, 24, 19), house)).toEqual({ x: -400, y: 300 });
    expect(offsetBetween(outline(14, 7, 25, 19), house)).toEqual({ x: -450, y: 300 });
    expect(offsetBetween(outline(14, 7, 27, 19), house)).toBeUndefined();
    expect(offsetBetween(outline(14, 7, 22, 17), house)).toBeUndefined();
  });

  it('is no more than 8 m', () => {
    const house = outline(10, 10, 20, 22);
    expect(offsetBetween(outline(18, 10, 28, 22), house)).toBeDefined();
    expect(offsetBetween(outline(19, 10, 29, 22), house)).toBeUndefined();
  });
});
