import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemblePolygons, interiorPoint, joinRings } from '../../../src/sources/osm/assemble-polygons.ts';
import { NodeList, NodeTable } from '../../../src/sources/osm/node-table.ts';
import { contains, type Position, type Ring } from '../../../src/vocabulary/geometry.ts';
import { growthOf } from '../../support/growth.ts';

const ring = (x: number, y: number, size: number): Ring => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];

describe('joinRings', () => {
  it('joins the pieces of a ring, however cut, reversed and shuffled', () => {
    const corners = Array.from({ length: 12 }, (_, i): Position => [Math.cos(i / 2), Math.sin(i / 2)]);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.nat(),
        (cuts, turns, shift) => {
          const at = cuts.toSorted((a, b) => a - b);
          const pieces = at.map((from, i) => {
            const to = at[i + 1] ?? (at[0] as number) + 12;
            const piece = Array.from({ length: to - from + 1 }, (_, k) => corners[(from + k) % 12] as Position);
            return turns[i] ? piece.toReversed() : piece;
          });
          const rings = joinRings([...pieces.slice(shift % pieces.length), ...pieces.slice(0, shift % pieces.length)]);
          expect(rings).toHaveLength(1);
          expect(rings?.[0]).toHaveLength(13);
          expect(rings?.[0]?.[0]).toEqual(rings?.[0]?.at(-1));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps rings separate that touch where ways end', () => {
    const [a, b, c, d, e] = [
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 1],
      [2, 2],
    ] as Position[];
    const lines = [[a, b, c], [c, e, d, c].slice(0, 3), [d, c], [c, a]] as Position[][];
    expect(
      joinRings(lines)
        ?.map((r) => r.length)
        .sort(),
    ).toEqual([4, 4]);
  });

  it('returns undefined if an end remains', () => {
    expect(
      joinRings([
        [
          [0, 0],
          [1, 0],
        ],
        [
          [1, 0],
          [1, 1],
        ],
      ]),
    ).toBeUndefined();
    expect(joinRings([])).toEqual([]);
  });
});

describe('assemblePolygons', () => {
  it('puts an island in a hole, and its own hole in the island', () => {
    const shape = assemblePolygons([ring(0, 0, 10), ring(3, 3, 4)], [ring(2, 2, 6), ring(4, 4, 1)]);
    expect(shape).toEqual({
      geometry: {
        type: 'MultiPolygon',
        coordinates: [
          [ring(0, 0, 10), ring(2, 2, 6)],
          [ring(3, 3, 4), ring(4, 4, 1)],
        ],
      },
      strayHoles: 0,
    });
  });

  it('takes time in proportion to the number of rings, and refuses too many positions', async () => {
    const outers = Array.from({ length: 10_000 }, (_, i) => ring(130 + i * 2e-4, 35, 1e-4));
    const inners = outers.map((_, i) => ring(130 + i * 2e-4 + 2.5e-5, 35 + 2.5e-5, 5e-5));
    const assemble = (size: number) => assemblePolygons(outers.slice(0, size), inners.slice(0, size));
    expect(await growthOf(assemble, 1_000, 10_000)).toBeLessThan(50);
    const shape = assemblePolygons(outers, inners);
    expect('strayHoles' in shape && shape.strayHoles).toBe(0);
    expect(assemblePolygons([...outers, ...outers, ...outers, ...outers, ...outers], [])).toEqual({
      fault: expect.stringMatching(/more than/),
    });
  });
});

it('finds a point inside, even of an L and around a hole', () => {
  const ell: Ring = [
    [0, 0],
    [9, 0],
    [9, 1],
    [1, 1],
    [1, 9],
    [0, 9],
    [0, 0],
  ];
  for (const coordinates of [[ell], [ring(0, 0, 10), ring(1, 1, 8)]]) {
    const shape = { type: 'Polygon' as const, coordinates };
    expect(contains(shape, interiorPoint(shape) as Position)).toBe(true);
  }
  expect(
    interiorPoint({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 0],
          [0, 0],
        ],
      ],
    }),
  ).toBeUndefined();
});

describe('NodeTable', () => {
  it('finds nodes added in any order, with the last position of each', () => {
    const node = fc.record({ id: fc.integer({ min: -50, max: 50 }), lon: fc.integer({ min: 0, max: 99 }) });
    fc.assert(
      fc.property(fc.array(node, { maxLength: 80 }), (nodes) => {
        const list = new NodeList();
        const expected = new Map<number, number>();
        for (const { id, lon } of nodes) {
          list.add(id, lon, 1);
          expected.set(id, lon);
        }
        const table = NodeTable.of(list);
        expect(table.size).toBe(expected.size);
        for (let id = -51; id <= 51; id++) expect(table.positionOf(id)?.[0]).toBe(expected.get(id));
      }),
      { numRuns: 100 },
    );
  });

  it('knows which nodes are wanted, and skips those without a position', () => {
    const table = NodeTable.wanting(Float64Array.of(7, 3, 7, 1e10));
    expect([table.wantsAny(4, 6), table.wantsAny(1, 3), table.wantsAny(8, 1e11), table.wantsAny(2e10, 3e10)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([3, 4, 7, 1e10, 3, Number.NaN].map((id) => table.wants(id))).toEqual([true, false, true, true, true, false]);
    table.place(7, 1_390_000_000, 350_000_000);
    table.place(3, 2_000_000_000, 0);
    expect(table.positionOf(7)).toEqual([139, 35]);
    expect(table.positionOf(3)).toBeUndefined();
    expect(table.positionOf(8)).toBeUndefined();
  });
});
