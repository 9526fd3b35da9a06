import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extentOf, Footprint } from '../../src/matching/footprint.ts';
import { commonOffset, neighbourhoodOffsets, type Offset, offsetBetween } from '../../src/matching/offsets.ts';
import type { Measures } from '../../src/vocabulary/geometry.ts';
import { meshCodeOf } from '../../src/vocabulary/mesh.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { at, box, polygon } from './grid.ts';

const LAT = 35.675;
/** An offset in decimetres east and north. */
const by = (x: number, y: number): Offset => ({ x: Math.round(x * 11.05), y: Math.round(y * 9.01) });
const among = (...votes: [number, number][]) =>
  commonOffset(
    votes.map((vote) => by(...vote)),
    LAT,
  );

describe('the common offset of a neighbourhood', () => {
  it('MAT-01 is what at least four agree on within about a metre', () => {
    const agreed = among([30, 20], [34, 18], [27, 25], [33, 21]);
    expect(agreed).toEqual(by(31, 21));
    expect(among([30, 20], [34, 18], [27, 25])).toBeUndefined();
    expect(among([30, 20], [34, 18], [27, 25], [33, 60])).toBeUndefined();
  });

  it('ignores outliers as long as they do not agree with each other', () => {
    expect(among([30, 20], [34, 18], [27, 25], [33, 21], [-50, 0], [0, 60])).toEqual(by(31, 21));
    expect(among([30, 20], [34, 18], [27, 25], [33, 21], [-50, 0], [-52, 3], [-48, 2])).toBeUndefined();
  });

  it('is undecided in a row of equal houses, because the next house fits as well', () => {
    const row = [0, 1, 2, 3, 4, 5].flatMap((): [number, number][] => [
      [40, 0],
      [-20, 0],
    ]);
    expect(among(...row)).toBeUndefined();
  });

  it('is zero if it is within drawing precision', () => {
    expect(among([5, 5], [3, -2], [0, 4], [6, 1])).toEqual({ x: 0, y: 0 });
  });

  it('does not depend on the order of the votes, and is near at least four of them', () => {
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

  it('is found despite outliers', () => {
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
  const outline = (...sides: [number, number, number, number]) => extentOf(polygon(box(...sides)));

  it('is known only if both have about the same size', () => {
    const house = outline(10, 10, 20, 22);
    expect(offsetBetween(outline(14, 7, 24, 19), house)).toEqual({ x: -400, y: 300 });
    expect(offsetBetween(outline(14, 7, 25, 19), house)).toEqual({ x: -450, y: 300 });
    expect(offsetBetween(outline(14, 7, 27, 19), house)).toBeUndefined();
    expect(offsetBetween(outline(14, 7, 22, 17), house)).toBeUndefined();
  });

  it('is at most 8 m', () => {
    const house = outline(10, 10, 20, 22);
    expect(offsetBetween(outline(18, 10, 28, 22), house)).toBeDefined();
    expect(offsetBetween(outline(19, 10, 29, 22), house)).toBeUndefined();
  });
});

const TILE = meshCodeOf(at(1, 1));
const meets = (a: Measures['bbox'], b: Measures['bbox']) =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** A row of houses of different sizes, `east` steps from the corner, with osm drawn `beside` steps off plateau. */
function street(east: number, count: number, beside: number): Footprint[] {
  return Array.from({ length: count }, (_, i) => i).flatMap((i) => {
    const [west, width] = [east + i * 25, 8 + i];
    const draw = (source: Source, by: number) =>
      new Footprint({
        ...{ id: 0, source, pinned: false },
        geometry: polygon(box(west + by, 10, west + by + width, 20)),
      });
    return [draw('plateau', 0), draw('osm', beside)];
  });
}

/** How many steps osm has to be moved to match each footprint of plateau. */
function offsetsOf(footprints: readonly Footprint[]): (number | undefined)[] {
  const offsetOf = neighbourhoodOffsets(TILE, footprints, (asked) =>
    footprints.filter(({ box: own }) => meets(own, asked)),
  );
  return footprints
    .filter(({ isReference }) => isReference)
    .map((one) => offsetOf(one)?.x)
    .map((x) => x && x / 100);
}

it('MAT-01 an offset is that of the 250 m around, even if the rest of the tile has another', () => {
  expect(offsetsOf([...street(10, 4, 5), ...street(400, 5, -4)])).toEqual([-5, -5, -5, -5, 4, 4, 4, 4, 4]);
});

it('with few neighbours it is that of the 500 m around, then of the tile', () => {
  expect(offsetsOf([...street(10, 4, 5), ...street(400, 1, 5)])).toEqual([-5, -5, -5, -5, -5]);
  expect(offsetsOf([...street(10, 2, 5), ...street(400, 2, 5)])).toEqual([-5, -5, -5, -5]);
  expect(offsetsOf([...street(10, 2, 5), ...street(800, 2, 5)])).toEqual([-5, -5, -5, -5]);
  expect(offsetsOf([...street(10, 2, 5), ...street(800, 2, -5)])).toEqual(Array(4).fill(undefined));
});

it('neighbours that agree on no offset outrank the rest of the tile', () => {
  expect(offsetsOf([...street(10, 4, 0), ...street(400, 5, 5), ...street(800, 5, 5)]).slice(0, 4)).toEqual(
    Array(4).fill(undefined),
  );
});
