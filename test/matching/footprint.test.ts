import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOverlapOf, overlapOf as overlapUnits, toShape, toSquareMetres } from '../../src/matching/footprint.ts';
import type { AreaGeometry, Ring } from '../../src/vocabulary/geometry.ts';
import { at, box, CORNER, countCells, multi, polygon, ring, STEP } from './grid.ts';

/** On a sphere of the mean radius: accurate to half a percent, and independent of the implementation. */
const CELL_M2 = (STEP * 111_195) ** 2 * Math.cos((CORNER[1] * Math.PI) / 180);

function overlapOf(a: AreaGeometry, b: AreaGeometry): number {
  const [shape, other] = [toShape(a), toShape(b)];
  return toSquareMetres(overlapUnits(shape, other), shape, other);
}

const areaOf = (geometry: AreaGeometry) => overlapOf(geometry, geometry);

function expectCells(m2: number, cells: number): void {
  expect(m2).toBeGreaterThanOrEqual(cells * CELL_M2 * 0.995 - 0.01);
  expect(m2).toBeLessThanOrEqual(cells * CELL_M2 * 1.005 + 0.01);
}

const L = polygon(ring([0, 0], [20, 0], [20, 10], [10, 10], [10, 20], [0, 20]));
const COURT = polygon(box(0, 0, 30, 30), box(10, 10, 20, 20));

describe('overlap', () => {
  it.each([
    ['apart', polygon(box(0, 0, 10, 10)), polygon(box(20, 0, 30, 10)), 0],
    ['touching along an edge', polygon(box(0, 0, 10, 10)), polygon(box(10, 0, 20, 10)), 0],
    ['touching at a corner', polygon(box(0, 0, 10, 10)), polygon(box(10, 10, 20, 20)), 0],
    ['the same', polygon(box(0, 0, 10, 10)), polygon(box(0, 0, 10, 10)), 100],
    ['one inside another', polygon(box(0, 0, 30, 30)), polygon(box(5, 5, 15, 15)), 100],
    ['one inside another along its edge', polygon(box(0, 0, 30, 30)), polygon(box(0, 0, 10, 30)), 300],
    ['crossing like a plus', polygon(box(0, 10, 30, 20)), polygon(box(10, 0, 20, 30)), 100],
    ['in the notch of an L', L, polygon(box(10, 10, 20, 20)), 0],
    ['across the notch of an L', L, polygon(box(5, 5, 15, 15)), 75],
    ['in a court', COURT, polygon(box(10, 10, 20, 20)), 0],
    ['larger than the court', COURT, polygon(box(5, 5, 25, 25)), 300],
    ['two with one court', COURT, COURT, 800],
    ['a wing of several', multi([box(0, 0, 10, 10)], [box(20, 0, 30, 10)]), polygon(box(18, 0, 25, 10)), 50],
    ['several and several', multi([box(0, 0, 10, 10)], [box(20, 0, 30, 10)]), multi([box(5, 0, 25, 10)]), 100],
    ['an island in a court', multi([box(0, 0, 30, 30), box(10, 10, 20, 20)], [box(13, 13, 17, 17)]), COURT, 800],
  ])('of two that are %s', (_, a, b, cells) => {
    expectCells(overlapOf(a, b), cells);
    expectCells(overlapOf(b, a), cells);
    expect(countCells(a, b)).toBe(cells);
  });

  it('does not depend on the direction or the first position of a ring', () => {
    const [outer, inner] = COURT.coordinates as [Ring, Ring];
    const turned = polygon([...outer].reverse(), inner);
    const further = polygon([...outer.slice(2, -1), ...outer.slice(0, 3)], [...inner].reverse());
    for (const shape of [turned, further]) {
      expect(areaOf(shape)).toBe(areaOf(COURT));
      expect(overlapOf(shape, L)).toBe(overlapOf(COURT, L));
    }
  });

  it('of a ring that crosses itself is the area inside', () => {
    const bowTie = polygon(ring([0, 0], [30, 30], [30, 0], [0, 20]));
    expect(areaOf(bowTie)).toBeGreaterThan(0);
    expect(overlapOf(bowTie, polygon(box(11, 20, 30, 40)))).toBeGreaterThan(0);
    // The open wedge between the lobes is outside.
    expect(overlapOf(bowTie, polygon(box(11, 0, 13, 2)))).toBe(0);
  });

  it('counts an area that two polygons of one shape share once', () => {
    const twice = multi([box(0, 0, 10, 10)], [box(0, 0, 10, 10)]);
    expectCells(areaOf(twice), 100);
    expectCells(overlapOf(twice, polygon(box(0, 0, 10, 10))), 100);
    const lapping = multi([box(0, 0, 20, 10)], [box(10, 0, 30, 10)]);
    expectCells(areaOf(lapping), 300);
    expectCells(overlapOf(lapping, polygon(box(10, 0, 20, 10))), 100);
  });

  it('is symmetric, to the last digit', () => {
    fc.assert(
      fc.property(anyRectangle(), anyRectangle(), (a, b) => {
        expect(overlapOf(a, b)).toBe(overlapOf(b, a));
      }),
    );
  });

  it('equals the count of cells, for any shapes along the grid', () => {
    fc.assert(
      fc.property(anyShape(), anyShape(), (a, b) => {
        expectCells(areaOf(a), countCells(a));
        expectCells(overlapOf(a, b), countCells(a, b));
      }),
      { numRuns: 300 },
    );
  });

  it('never exceeds the overlap of the boxes, nor either area', () => {
    fc.assert(
      fc.property(anyShape(), anyShape(), (a, b) => {
        const [s, t] = [toShape(a), toShape(b)];
        const shared = overlapUnits(s, t);
        expect(shared).toBeLessThanOrEqual(boxOverlapOf(s, t) + 1);
        expect(shared).toBeLessThanOrEqual(Math.min(s.area, t.area));
      }),
    );
  });

  it('of slanted shapes is correct', () => {
    const triangle = polygon(ring([0, 0], [20, 0], [0, 20]));
    const other = polygon(ring([20, 20], [0, 20], [20, 0]));
    expect(overlapOf(triangle, other)).toBe(0);
    expectCells(overlapOf(triangle, polygon(box(0, 0, 10, 10))), 100);
    expectCells(overlapOf(triangle, polygon(box(0, 0, 20, 20))), 200);
    expect(at(0, 0)).toEqual(CORNER);
  });
});

function anyRectangle(): fc.Arbitrary<AreaGeometry> {
  return fc
    .tuple(fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 15 }))
    .map(([x, y, width, height]) => polygon(box(x, y, x + width, y + height)));
}

/** Right-angled polygons with courts, which may cross themselves and each other. */
function anyShape(): fc.Arbitrary<AreaGeometry> {
  const anyRing = fc
    .uniqueArray(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 2, maxLength: 4, selector: ([x]) => x })
    .map((turns) => {
      const next = (i: number) => turns[(i + 1) % turns.length]?.[1] ?? 0;
      return { turns, outer: ring(...turns.flatMap(([x, y], i) => [[x, y] as const, [x, next(i)] as const])) };
    });
  const anyPolygon = anyRing.chain(({ turns, outer }) => {
    const within = (values: number[]) => fc.integer({ min: Math.min(...values), max: Math.max(...values) });
    const x = within(turns.map(([value]) => value));
    const y = within(turns.map(([, value]) => value));
    const court = fc.tuple(x, y, x, y).map(([west, south, east, north]) => box(west, south, east, north));
    return fc.array(court, { maxLength: 2 }).map((courts) => [outer, ...courts]);
  });
  return fc
    .array(anyPolygon, { minLength: 1, maxLength: 3 })
    .map((polygons): AreaGeometry => multi(...polygons))
    .filter((shape) => countCells(shape) > 0);
}
