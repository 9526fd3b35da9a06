import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupDuplicates, pairFootprints } from '../../src/matching/pair-footprints.ts';
import type { Overlap } from '../../src/matching/queries.ts';

const keyOf = (id: number) => `key:${String(id).padStart(3, '0')}`;
const both = (record: number, other: number, overlap: number): Overlap[] => [
  { record, other, overlap },
  { record: other, other: record, overlap },
];
const pair = (...overlaps: Overlap[][]) =>
  [...pairFootprints(overlaps.flat(), keyOf)].map(([a, b]) => `${a}-${b}`).sort();

describe('pair footprints', () => {
  it('pairs nothing without overlaps', () => {
    expect(pair()).toEqual([]);
  });

  it('pairs two that overlap', () => {
    expect(pair(both(1, 2, 10))).toEqual(['1-2', '2-1']);
  });

  it('pairs the middle one of three with the one it overlaps most', () => {
    expect(pair(both(1, 2, 10), both(2, 3, 11))).toEqual(['2-3', '3-2']);
    expect(pair(both(1, 2, 11), both(2, 3, 10))).toEqual(['1-2', '2-1']);
  });

  it('leaves a footprint unpaired if its best match prefers another, even if a third one prefers it', () => {
    // 2 prefers 3, and 3 prefers 4, so neither 1 nor 2 has a mutual best match.
    expect(pair(both(1, 2, 1), both(2, 3, 2), both(3, 4, 3))).toEqual(['3-4', '4-3']);
  });

  it('breaks ties by key', () => {
    expect(pair(both(2, 3, 5), both(1, 3, 5))).toEqual(['1-3', '3-1']);
    // Four equal overlaps in a cycle: 1 and 2 are each other's first by key.
    expect(pair(both(1, 2, 5), both(3, 4, 5), both(1, 4, 5), both(3, 2, 5))).toEqual(['1-2', '2-1']);
  });

  it('pairs exactly the mutual best matches, in any order', () => {
    const anyOverlap = fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 1, max: 4 }));
    const anyTown = fc.uniqueArray(anyOverlap, { maxLength: 14, selector: ([a, b]) => `${a} ${b}` });
    fc.assert(
      fc.property(anyTown, fc.func(fc.nat()), (town, rank) => {
        const overlaps = town.flatMap(([osm, plateau, overlap]) => both(osm, 100 + plateau, overlap));
        const bestOf = (id: number) =>
          overlaps
            .filter(({ record }) => record === id)
            .sort((a, b) => b.overlap - a.overlap || (keyOf(a.other) < keyOf(b.other) ? -1 : 1))[0]?.other;
        const expected = new Map<number, number>();
        for (const { record } of overlaps) {
          const best = bestOf(record);
          if (best !== undefined && bestOf(best) === record) expected.set(record, best);
        }
        const shuffled = [...overlaps].sort((a, b) => rank(a.record, a.other) - rank(b.record, b.other));
        expect(new Map([...pairFootprints(shuffled, keyOf)].sort())).toEqual(new Map([...expected].sort()));
      }),
    );
  });

  it('MAT-02 counts the drawings of a building in one source as one', () => {
    const drawings = groupDuplicates([...both(1, 2, 50), ...both(2, 3, 50)], keyOf);
    expect([1, 2, 3].map((id) => drawings.get(id))).toEqual([1, 1, 1]);
    const pairs = (...overlaps: Overlap[][]) =>
      [...pairFootprints(overlaps.flat(), keyOf, drawings)].map(([a, b]) => `${a}-${b}`).sort();
    expect(pairs(both(1, 7, 10), both(3, 7, 20))).toEqual(['3-7', '7-3']);
    // 8 overlaps 1, but the building drawn as 1 and 3 is paired with 7.
    expect(pairs(both(1, 8, 10), both(3, 7, 20))).toEqual(['3-7', '7-3']);
    expect(pairs(both(3, 8, 20), both(1, 7, 20))).toEqual(['1-7', '7-1']);
  });
});
