import { expect, it } from 'vitest';
import { Footprint } from '../../src/matching/footprint.ts';
import { offsetsIn } from '../../src/matching/neighbourhood.ts';
import type { Measures } from '../../src/vocabulary/geometry.ts';
import { meshCodeOf } from '../../src/vocabulary/mesh.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { at, box, polygon } from './grid.ts';

const TILE = meshCodeOf(at(1, 1));
const meets = (a: Measures['bbox'], b: Measures['bbox']) =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** Houses of different sizes in a row from so many steps east of the corner, the one source beside the other. */
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

/** By how many steps osm is to be moved onto each footprint of plateau. */
function offsetsOf(footprints: readonly Footprint[]): (number | undefined)[] {
  const offsetOf = offsetsIn(TILE, footprints, (asked) => footprints.filter(({ box: own }) => meets(own, asked)));
  return footprints
    .filter(({ isReference }) => isReference)
    .map((one) => offsetOf(one)?.x)
    .map((x) => x && x / 100);
}

it('MAT-01 an offset is that of the 250 m around, also where the rest of the tile has another', () => {
  expect(offsetsOf([...street(10, 4, 5), ...street(400, 5, -4)])).toEqual([-5, -5, -5, -5, 4, 4, 4, 4, 4]);
});

it('where few stand around, it is that of the 500 m, then of the tile', () => {
  expect(offsetsOf([...street(10, 4, 5), ...street(400, 1, 5)])).toEqual([-5, -5, -5, -5, -5]);
  expect(offsetsOf([...street(10, 2, 5), ...street(400, 2, 5)])).toEqual([-5, -5, -5, -5]);
  expect(offsetsOf([...street(10, 2, 5), ...street(800, 2, 5)])).toEqual([-5, -5, -5, -5]);
  expect(offsetsOf([...street(10, 2, 5), ...street(800, 2, -5)])).toEqual(Array(4).fill(undefined));
});

it('where those around agree that there is none, what the tile says is nothing to them', () => {
  expect(offsetsOf([...street(10, 4, 0), ...street(400, 5, 5), ...street(800, 5, 5)]).slice(0, 4)).toEqual(
    Array(4).fill(undefined),
  );
});
