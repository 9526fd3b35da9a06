import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMeetings, HOLDS, LIES_IN, type Meeting, type Placed } from '../../src/matching/find-meetings.ts';
import {
  type Geometry,
  measure,
  meshCodeOf,
  meshTilesOf,
  type Point,
  roundGeometry,
} from '../../src/vocabulary/geometry.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { at, box, countCells, multi, polygon, ring } from './grid.ts';

/** The four tiles around the corner. */
const TILES = [at(-1, -1), at(1, -1), at(-1, 1), at(1, 1)].map(meshCodeOf);
const [SOUTH_WEST, SOUTH_EAST, , NORTH_EAST] = TILES as [string, string, string, string];

const placed = (id: number, source: Source, geometry: Geometry, pinned = false): Placed => ({
  id,
  source,
  pinned,
  geometry,
});
const point = (x: number, y: number): Point => ({ type: 'Point', coordinates: at(x, y) });

const tilesOf = ({ geometry }: Placed) =>
  geometry.type === 'Point' ? [meshCodeOf(geometry.coordinates)] : meshTilesOf(measure(geometry).bbox);

/** Each tile is told of what touches it. */
function meetEverywhere(records: readonly Placed[]): Meeting[] {
  const tiles = new Set(records.flatMap(tilesOf));
  return [...tiles].flatMap((tile) =>
    findMeetings(
      tile,
      records.filter((record) => tilesOf(record).includes(tile)),
    ),
  );
}
const pairsOf = (meetings: readonly Meeting[]) => meetings.map(({ record, other }) => `${record}-${other}`).sort();
const pairs = (...records: Placed[]) => pairsOf(meetEverywhere(records));

describe('find meetings', () => {
  it('of two footprints that share half of the smaller', () => {
    const wide = placed(1, 'osm', polygon(box(10, 10, 50, 28)));
    expect(pairs(wide, placed(2, 'plateau', polygon(box(40, 10, 60, 28))))).toEqual(['1-2', '2-1']);
    expect(pairs(wide, placed(2, 'plateau', polygon(box(41, 10, 61, 28))))).toEqual([]);
    expect(pairs(wide, placed(2, 'plateau', polygon(box(50, 10, 60, 28))))).toEqual([]);
  });

  it('of one inside the other only where it covers a fifth of it', () => {
    const factory = placed(1, 'osm', polygon(box(10, 10, 50, 50)));
    expect(pairs(factory, placed(2, 'plateau', polygon(box(12, 12, 31, 31))))).toEqual(['1-2', '2-1']);
    expect(pairs(factory, placed(2, 'plateau', polygon(box(12, 12, 29, 29))))).toEqual([]);
    expect(pairs(factory, placed(2, 'plateau', polygon(box(20, 20, 22, 22))))).toEqual([]);
  });

  it('exactly half is enough, wherever in Japan and whatever the size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_240_000_000, max: 1_450_000_000 }),
        fc.integer({ min: 240_000_000, max: 455_000_000 }),
        fc.integer({ min: 200, max: 20_000 }),
        fc.integer({ min: 200, max: 20_000 }),
        fc.integer({ min: 0, max: 20_000 }),
        (x, y, half, height, any) => {
          // Low enough that both share a fifth of what they cover.
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

  it('never of two footprints of one source, nor of two that name their buildings', () => {
    const shape = polygon(box(10, 10, 20, 20));
    expect(pairs(placed(1, 'osm', shape), placed(2, 'osm', shape))).toEqual([]);
    expect(pairs(placed(1, 'plateau', shape), placed(2, 'plateau', shape))).toEqual([]);
    expect(pairs(placed(1, 'osm', shape, true), placed(2, 'plateau', shape, true))).toEqual([]);
    expect(pairs(placed(1, 'osm', shape, true), placed(2, 'plateau', shape))).toEqual(['1-2', '2-1']);
  });

  it('only of footprints that can be a building', () => {
    const shape = polygon(box(10, 10, 20, 20));
    for (const source of ['wikidata', 'abr', 'estat', 'nominatim', 'jreit'] as const) {
      expect(pairs(placed(1, 'osm', shape), placed(2, source, shape))).toEqual([]);
      expect(pairs(placed(1, 'osm', shape), placed(2, source, point(15, 15)))).toEqual(['1-2', '2-1']);
    }
  });

  it('of shapes whose polygons lie over each other, by the ground they cover', () => {
    const twice = multi([box(10, 10, 20, 20)], [box(10, 10, 20, 20)]);
    const beside = placed(1, 'osm', polygon(box(19, 10, 30, 20)));
    expect(pairs(beside, placed(2, 'plateau', twice))).toEqual([]);
    expect(pairs(placed(1, 'osm', polygon(box(10, 10, 20, 20))), placed(2, 'plateau', twice))).toEqual(['1-2', '2-1']);
  });

  it('of a concave footprint by its ground, not by its box', () => {
    const notch = placed(1, 'osm', polygon(ring([0, 0], [40, 0], [40, 4], [4, 4], [4, 40], [0, 40])));
    expect(pairs(notch, placed(2, 'plateau', polygon(box(5, 5, 35, 35))))).toEqual([]);
    expect(pairs(notch, placed(2, 'plateau', polygon(box(0, 0, 4, 30))))).toEqual(['1-2', '2-1']);
  });

  it('of a point in a footprint, told from both sides', () => {
    const meetings = findMeetings(NORTH_EAST, [
      placed(1, 'plateau', polygon(box(10, 10, 40, 40), box(20, 20, 30, 30))),
      placed(2, 'wikidata', point(15, 15)),
      placed(3, 'wikidata', point(25, 25)),
      placed(4, 'osm', point(15, 16)),
      placed(5, 'plateau', point(15, 17)),
      placed(6, 'wikidata', point(16, 16), true),
      placed(7, 'nominatim', point(41, 15)),
    ]);
    expect(meetings).toHaveLength(4);
    for (const lying of [2, 4]) {
      expect(meetings).toContainEqual({ record: lying, other: 1, overlap: LIES_IN });
      expect(meetings).toContainEqual({ record: 1, other: lying, overlap: HOLDS });
    }
  });

  it('once, of what meets in several tiles', () => {
    const cross = [placed(1, 'osm', polygon(box(-10, -10, 10, 10))), placed(2, 'plateau', polygon(box(-9, -9, 9, 9)))];
    expect(TILES.flatMap((tile) => findMeetings(tile, cross))).toHaveLength(2);
    expect(findMeetings(SOUTH_WEST, cross)).toHaveLength(2);
    const edge = [
      placed(1, 'osm', polygon(box(-10, -20, 10, -10))),
      placed(2, 'plateau', polygon(box(0, -20, 9, -10))),
    ];
    expect(findMeetings(SOUTH_WEST, edge)).toEqual([]);
    expect(findMeetings(SOUTH_EAST, edge)).toHaveLength(2);
  });

  it('also where shapes only touch the line between tiles', () => {
    expect(
      pairs(placed(1, 'osm', polygon(box(-10, 1, 0, 11))), placed(2, 'plateau', polygon(box(-8, 1, 0, 11)))),
    ).toEqual(['1-2', '2-1']);
    expect(
      pairs(placed(1, 'osm', polygon(box(0, 0, 10, 10))), placed(2, 'plateau', polygon(box(-2, -2, 10, 10)))),
    ).toEqual(['1-2', '2-1']);
  });

  it('of any records is what comparing each with each gives, whatever their order', () => {
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
        const shuffled = [...records].sort((a, b) => rank(a.id) - rank(b.id));
        expect(pairs(...shuffled)).toEqual(meetNaively(records));
      }),
      { numRuns: 300 },
    );
  });
});

function meetNaively(records: readonly Placed[]): string[] {
  const found: string[] = [];
  for (const a of records) {
    for (const b of records) {
      if (a.source === b.source || (a.pinned && b.pinned)) continue;
      const [one, two] = [a.geometry, b.geometry];
      const isFootprint = ({ source, geometry }: Placed) => geometry.type !== 'Point' && source !== 'wikidata';
      if (one.type !== 'Point' && two.type !== 'Point') {
        if (!isFootprint(a) || !isFootprint(b)) continue;
        const [shared, first, second] = [countCells(one, two), countCells(one), countCells(two)];
        const isHalf = shared > 0 && shared * 2 >= Math.min(first, second);
        if (isHalf && shared * 5 >= first + second - shared) found.push(`${a.id}-${b.id}`);
      } else if (isFootprint(a) || isFootprint(b)) {
        const [lying, holder] = one.type === 'Point' ? [a, b] : [b, a];
        if (!lying.pinned && holds(holder.geometry, lying.geometry as Point)) found.push(`${a.id}-${b.id}`);
      }
    }
  }
  return found.sort();
}

/** Of a rectangle: its western and southern edges are its own. */
function holds(geometry: Geometry, { coordinates: [lon, lat] }: Point): boolean {
  if (geometry.type !== 'Polygon') return false;
  const { bbox } = measure(geometry);
  return lon >= bbox[0] && lon < bbox[2] && lat >= bbox[1] && lat < bbox[3];
}
