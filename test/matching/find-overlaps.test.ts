import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTAINS, findOverlaps, IS_INSIDE } from '../../src/matching/find-overlaps.ts';
import type { ShapedRecord } from '../../src/matching/footprint.ts';
import { groupDuplicates } from '../../src/matching/pair-footprints.ts';
import type { Overlap } from '../../src/matching/queries.ts';
import { type Geometry, measure, type Point, roundGeometry } from '../../src/vocabulary/geometry.ts';
import { meshCodeOf, meshTilesOf } from '../../src/vocabulary/mesh.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { at, box, countCells, multi, polygon, ring, STEP } from './grid.ts';

/** The four tiles around the corner. */
const TILES = [at(-1, -1), at(1, -1), at(-1, 1), at(1, 1)].map(meshCodeOf);
const [SOUTH_WEST, SOUTH_EAST, , NORTH_EAST] = TILES as [string, string, string, string];

const placed = (id: number, source: Source, geometry: Geometry, pinned = false): ShapedRecord => ({
  id,
  source,
  pinned,
  geometry,
});
const point = (x: number, y: number): Point => ({ type: 'Point', coordinates: at(x, y) });

const tilesOf = ({ geometry }: ShapedRecord) =>
  geometry.type === 'Point' ? [meshCodeOf(geometry.coordinates)] : meshTilesOf(measure(geometry).bbox);

/** The overlaps that each tile finds among the records that touch it. */
function overlapsInAllTiles(records: readonly ShapedRecord[]): Overlap[] {
  const tiles = new Set(records.flatMap(tilesOf));
  return [...tiles].flatMap((tile) =>
    findOverlaps(
      tile,
      records.filter((record) => tilesOf(record).includes(tile)),
    ),
  );
}
const pairsOf = (overlaps: readonly Overlap[]) => overlaps.map(({ record, other }) => `${record}-${other}`).sort();
const pairs = (...records: ShapedRecord[]) => pairsOf(overlapsInAllTiles(records));

describe('findOverlaps finds overlaps', () => {
  it('of two footprints that share half of the smaller', () => {
    const wide = placed(1, 'osm', polygon(box(10, 10, 50, 28)));
    expect(pairs(wide, placed(2, 'plateau', polygon(box(40, 10, 60, 28))))).toEqual(['1-2', '2-1']);
    expect(pairs(wide, placed(2, 'plateau', polygon(box(41, 10, 61, 28))))).toEqual([]);
    expect(pairs(wide, placed(2, 'plateau', polygon(box(50, 10, 60, 28))))).toEqual([]);
  });

  it('of one inside another only if it covers a fifth of it', () => {
    const factory = placed(1, 'osm', polygon(box(10, 10, 50, 50)));
    expect(pairs(factory, placed(2, 'plateau', polygon(box(12, 12, 31, 31))))).toEqual(['1-2', '2-1']);
    expect(pairs(factory, placed(2, 'plateau', polygon(box(12, 12, 29, 29))))).toEqual([]);
    expect(pairs(factory, placed(2, 'plateau', polygon(box(20, 20, 22, 22))))).toEqual([]);
  });

  it('of exactly half, anywhere in Japan and of any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_240_000_000, max: 1_450_000_000 }),
        fc.integer({ min: 240_000_000, max: 455_000_000 }),
        fc.integer({ min: 200, max: 20_000 }),
        fc.integer({ min: 200, max: 20_000 }),
        fc.integer({ min: 0, max: 20_000 }),
        (x, y, half, height, any) => {
          // Low enough that they share a fifth of their union.
          const more = any % Math.floor(height / 4);
          const rect = (w: number, s: number, e: number, n: number) =>
            roundGeometry(
              polygon([
                [w / 1e7, s / 1e7],
                [e / 1e7, s / 1e7],
                [e / 1e7, n / 1e7],
                [w / 1e7, n / 1e7],
                [w / 1e7, s / 1e7],
              ]),
            );
          const small = placed(1, 'osm', rect(x, y, x + 2 * half, y + height));
          const large = placed(2, 'plateau', rect(x + half, y, x + half * 4, y + height + more));
          expect(pairs(small, large)).toEqual(['1-2', '2-1']);
          const less = placed(2, 'plateau', rect(x + half + 10, y, x + half * 4, y + height + more));
          expect(pairs(small, less)).toEqual([]);
        },
      ),
    );
  });

  it('never of two that name their buildings, nor of one that does with another record of its source', () => {
    const shape = polygon(box(10, 10, 20, 20));
    expect(pairs(placed(1, 'osm', shape, true), placed(2, 'osm', shape))).toEqual([]);
    expect(pairs(placed(1, 'plateau', shape, true), placed(2, 'plateau', shape, true))).toEqual([]);
    expect(pairs(placed(1, 'osm', shape, true), placed(2, 'plateau', shape, true))).toEqual([]);
    expect(pairs(placed(1, 'osm', shape, true), placed(2, 'plateau', shape))).toEqual(['1-2', '2-1']);
  });

  it('within one source as drawings of one building, if they share half of their union', () => {
    const first = placed(1, 'plateau', polygon(box(10, 10, 40, 20)));
    const overlaps = overlapsInAllTiles([first, placed(2, 'plateau', polygon(box(20, 10, 50, 20)))]);
    expect(overlaps.map(({ record, other }) => [record, other])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(overlaps.every(({ overlap }) => overlap > 0)).toBe(true);
  });

  it('of very many drawings of one building without listing every pair', () => {
    const many = Array.from({ length: 2_000 }, (_, id) => placed(id, 'osm', polygon(box(10, 10, 40, 20))));
    const overlaps = findOverlaps(NORTH_EAST, many);
    expect(overlaps).toHaveLength(2 * 1_999);
    expect(groupDuplicates(overlaps, (id) => String(id).padStart(4, '0')).get(1_999)).toBe(0);
  });

  it('within one source as part and whole, if they share only half of the smaller', () => {
    const whole = placed(1, 'osm', polygon(box(10, 10, 40, 20)));
    const part = placed(2, 'osm', polygon(box(10, 10, 24, 20)));
    const expected = [
      { record: 2, other: 1, overlap: IS_INSIDE },
      { record: 1, other: 2, overlap: CONTAINS },
    ];
    expect(overlapsInAllTiles([whole, part])).toEqual(expected);
    expect(overlapsInAllTiles([part, whole])).toEqual(expected);
    // If both have the same size, the later key is the part.
    expect(overlapsInAllTiles([whole, placed(2, 'osm', polygon(box(21, 10, 51, 20)))])).toEqual(expected);
    expect(pairs(whole, placed(2, 'osm', polygon(box(33, 10, 48, 20))))).toEqual([]);
  });

  it('of footprints that overlap only after the common offset of their neighbourhood is applied', () => {
    const houses = [
      [10, 10, 9, 8],
      [30, 12, 8, 9],
      [52, 9, 7, 10],
      [75, 14, 9, 9],
      [98, 10, 12, 8],
    ] as const;
    const draw = (source: Source, first: number, count: number, by: readonly [number, number]) =>
      houses
        .slice(0, count)
        .map(([x, y, w, h], i) =>
          placed(first + i, source, polygon(box(x + by[0], y + by[1], x + by[0] + w, y + by[1] + h))),
        );
    const pairCount = (count: number, by: readonly [number, number]) =>
      pairs(...draw('osm', 1, count, by), ...draw('plateau', 11, count, [0, 0])).length / 2;
    expect(pairCount(5, [4, 4])).toBe(5);
    expect(pairCount(4, [-5, 3])).toBe(4);
    // Three are too few to decide, and 8 m are too far.
    expect(pairCount(3, [5, 4])).toBe(0);
    expect(pairCount(5, [8, 6])).toBe(0);
  });

  it('only of footprints that can be a building', () => {
    const shape = polygon(box(10, 10, 20, 20));
    for (const source of ['wikidata', 'abr', 'estat', 'nominatim', 'jreit'] as const) {
      expect(pairs(placed(1, 'osm', shape), placed(2, source, shape))).toEqual([]);
      expect(pairs(placed(1, 'osm', shape), placed(2, source, point(15, 15)))).toEqual(['1-2', '2-1']);
    }
  });

  it('of shapes with overlapping polygons by the area they cover', () => {
    const twice = multi([box(10, 10, 20, 20)], [box(10, 10, 20, 20)]);
    const beside = placed(1, 'osm', polygon(box(19, 10, 30, 20)));
    expect(pairs(beside, placed(2, 'plateau', twice))).toEqual([]);
    expect(pairs(placed(1, 'osm', polygon(box(10, 10, 20, 20))), placed(2, 'plateau', twice))).toEqual(['1-2', '2-1']);
  });

  it('of a concave footprint by its area, not by its bounding box', () => {
    const notch = placed(1, 'osm', polygon(ring([0, 0], [40, 0], [40, 4], [4, 4], [4, 40], [0, 40])));
    expect(pairs(notch, placed(2, 'plateau', polygon(box(5, 5, 35, 35))))).toEqual([]);
    expect(pairs(notch, placed(2, 'plateau', polygon(box(0, 0, 4, 30))))).toEqual(['1-2', '2-1']);
  });

  it('of a point in a footprint, in both directions', () => {
    const overlaps = findOverlaps(NORTH_EAST, [
      placed(1, 'plateau', polygon(box(10, 10, 40, 40), box(20, 20, 30, 30))),
      placed(2, 'wikidata', point(15, 15)),
      placed(3, 'wikidata', point(25, 25)),
      placed(4, 'osm', point(15, 16)),
      placed(5, 'plateau', point(15, 17)),
      placed(6, 'wikidata', point(16, 16), true),
      placed(7, 'nominatim', point(41, 15)),
    ]);
    expect(overlaps).toHaveLength(4);
    for (const inside of [2, 4]) {
      expect(overlaps).toContainEqual({ record: inside, other: 1, overlap: IS_INSIDE });
      expect(overlaps).toContainEqual({ record: 1, other: inside, overlap: CONTAINS });
    }
  });

  it('in the tile of the centre of the reference, otherwise in the first that both touch', () => {
    const [osm, plateau] = [
      placed(1, 'osm', polygon(box(-20, 10, 5, 20))),
      placed(2, 'plateau', polygon(box(-8, 10, 10, 20))),
    ];
    expect(TILES.map((tile) => findOverlaps(tile, [osm, plateau]).length)).toEqual([0, 0, 0, 2]);
    const west = placed(1, 'osm', polygon(box(-20, 10, -1, 20)));
    const wide = placed(2, 'plateau', polygon(box(-20, 10, 30, 20)));
    expect(TILES.map((tile) => findOverlaps(tile, [west, wide]).length)).toEqual([0, 0, 2, 0]);
  });

  it('once, if shapes overlap in several tiles', () => {
    const cross = [placed(1, 'osm', polygon(box(-10, -10, 10, 10))), placed(2, 'plateau', polygon(box(-9, -9, 9, 9)))];
    expect(TILES.flatMap((tile) => findOverlaps(tile, cross))).toHaveLength(2);
    expect(findOverlaps(NORTH_EAST, cross)).toHaveLength(2);
    const edge = [
      placed(1, 'osm', polygon(box(-10, -20, 10, -10))),
      placed(2, 'plateau', polygon(box(0, -20, 9, -10))),
    ];
    expect(findOverlaps(SOUTH_WEST, edge)).toEqual([]);
    expect(findOverlaps(SOUTH_EAST, edge)).toHaveLength(2);
  });

  it('if shapes only touch the edge of a tile', () => {
    expect(
      pairs(placed(1, 'osm', polygon(box(-10, 1, 0, 11))), placed(2, 'plateau', polygon(box(-8, 1, 0, 11)))),
    ).toEqual(['1-2', '2-1']);
    expect(
      pairs(placed(1, 'osm', polygon(box(0, 0, 10, 10))), placed(2, 'plateau', polygon(box(-2, -2, 10, 10)))),
    ).toEqual(['1-2', '2-1']);
  });

  it('in any order of records, as a comparison of every pair gives them', () => {
    const anyRecord = fc
      .tuple(
        fc.constantFrom<Source>('osm', 'plateau', 'wikidata'),
        fc.integer({ min: -15, max: 10 }),
        fc.integer({ min: -15, max: 10 }),
        fc.nat(12),
        fc.nat(12),
        fc.boolean(),
      )
      .map(([source, x, y, width, height, pinned]) => ({
        source,
        pinned,
        geometry: width * height === 0 ? point(x, y) : polygon(box(x, y, x + width, y + height)),
      }));
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 12 }), fc.func(fc.nat()), (some, rank) => {
        const records = some.map((record, id) => ({ ...record, id }));
        fc.pre(!mayHaveOffset(records));
        const shuffled = [...records].sort((a, b) => rank(a.id) - rank(b.id));
        expect(connected(pairs(...shuffled), records)).toEqual(connected(overlapsOfEveryPair(records), records));
      }),
      { numRuns: 300 },
    );
  });
});

/** Whether enough pairs have the same size to determine an offset between the sources. */
function mayHaveOffset(records: readonly ShapedRecord[]): boolean {
  const boxes = (source: Source) =>
    records.flatMap((record) =>
      record.source === source && record.geometry.type !== 'Point' ? [measure(record.geometry).bbox] : [],
    );
  const steps = (a: number, b: number) => Math.abs(a - b) / STEP;
  const pairs = boxes('osm').flatMap((a) =>
    boxes('plateau').filter((b) => steps(a[2] - a[0], b[2] - b[0]) < 3 && steps(a[3] - a[1], b[3] - b[1]) < 3),
  );
  return pairs.length >= 4;
}

/** Pairs of different sources as they are; pairs within one source as the groups they connect. */
function connected(
  found: readonly string[],
  records: readonly ShapedRecord[],
): { between: string[]; within: number[][] } {
  const ends = (pair: string) => pair.split('-').map(Number) as [number, number];
  const isWithin = (pair: string) => new Set(ends(pair).map((id) => records[id]?.source)).size === 1;
  const groups = records.map(({ id }) => [id]);
  for (const pair of found.filter(isWithin)) {
    const [one, two] = ends(pair).map((id) => groups.findIndex((group) => group.includes(id))) as [number, number];
    if (one !== two) groups.push([...(groups[one] as number[]), ...(groups[two] as number[])].sort((a, b) => a - b));
    if (one !== two) for (const gone of [one, two].sort((a, b) => b - a)) groups.splice(gone, 1);
  }
  return { between: found.filter((pair) => !isWithin(pair)), within: groups.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)) };
}

function overlapsOfEveryPair(records: readonly ShapedRecord[]): string[] {
  const found: string[] = [];
  for (const a of records) {
    for (const b of records) {
      if (a === b || (a.pinned && b.pinned)) continue;
      const [one, two] = [a.geometry, b.geometry];
      const isFootprint = ({ source, geometry }: ShapedRecord) => geometry.type !== 'Point' && source !== 'wikidata';
      if (one.type !== 'Point' && two.type !== 'Point') {
        if (!isFootprint(a) || !isFootprint(b)) continue;
        const [shared, first, second] = [countCells(one, two), countCells(one), countCells(two)];
        const isHalf = shared > 0 && shared * 2 >= Math.min(first, second);
        if (a.source === b.source) {
          if (isHalf && !a.pinned && !b.pinned) found.push(`${a.id}-${b.id}`);
        } else if (isHalf && shared * 5 >= first + second - shared) found.push(`${a.id}-${b.id}`);
      } else if (a.source !== b.source && (isFootprint(a) || isFootprint(b))) {
        const [inner, container] = one.type === 'Point' ? [a, b] : [b, a];
        if (!inner.pinned && contains(container.geometry, inner.geometry as Point)) found.push(`${a.id}-${b.id}`);
      }
    }
  }
  return found.sort();
}

/** For rectangles: the western and southern edges are inside. */
function contains(geometry: Geometry, { coordinates: [lon, lat] }: Point): boolean {
  if (geometry.type !== 'Polygon') return false;
  const { bbox } = measure(geometry);
  return lon >= bbox[0] && lon < bbox[2] && lat >= bbox[1] && lat < bbox[3];
}
