import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupDuplicates, pairFootprints } from '../../src/matching/pair-footprints.ts';
import type { Overlap } from '../../src/matching/queries.ts';

const keyOf = (id: number) => `key:${String(id).padStart(3, '0')}`;
const both = (record: number, other: number, overlap: number): Overlap[] => [
  { record, other, overlap },
  { record: other, other: record, overlap },
];
const pair = (...meetings: Overlap[][]) =>
  [...pairFootprints(meetings.flat(), keyOf)].map(([a, b]) => `${a}-${b}`).sort();

describe('pair footprints', () => {
  it('pairs nothing where nothing meets', () => {
    expect(pair()).toEqual([]);
  });

  it('pairs two that meet', () => {
    expect(pair(both(1, 2, 10))).toEqual(['1-2', '2-1']);
  });

  it('of three gives the one in the middle to whom it shares most with', () => {
    expect(pair(both(1, 2, 10), both(2, 3, 11))).toEqual(['2-3', '3-2']);
    expect(pair(both(1, 2, 11), both(2, 3, 10))).toEqual(['1-2', '2-1']);
  });

  it('leaves one alone whose best has a better one, also where a worse one would have it', () => {
    // 2 wants 3, 3 wants 4: 2 and 1 are each no best of the other.
    expect(pair(both(1, 2, 1), both(2, 3, 2), both(3, 4, 3))).toEqual(['3-4', '4-3']);
  });

  it('lets the key decide between equals', () => {
    expect(pair(both(2, 3, 5), both(1, 3, 5))).toEqual(['1-3', '3-1']);
    // A square of four equals: 1 and 2 are each other's first.
    expect(pair(both(1, 2, 5), both(3, 4, 5), both(1, 4, 5), both(3, 2, 5))).toEqual(['1-2', '2-1']);
  });

  it('is a pairing, both ways, in which nobody has a better one, whatever the order', () => {
    const anyMeeting = fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 1, max: 4 }));
    const anyTown = fc.uniqueArray(anyMeeting, { maxLength: 14, selector: ([a, b]) => `${a} ${b}` });
    fc.assert(
      fc.property(anyTown, fc.func(fc.nat()), (town, rank) => {
        const meetings = town.flatMap(([osm, plateau, overlap]) => both(osm, 100 + plateau, overlap));
        const bestOf = (id: number) =>
          meetings
            .filter(({ record }) => record === id)
            .sort((a, b) => b.overlap - a.overlap || (keyOf(a.other) < keyOf(b.other) ? -1 : 1))[0]?.other;
        const expected = new Map<number, number>();
        for (const { record } of meetings) {
          const best = bestOf(record);
          if (best !== undefined && bestOf(best) === record) expected.set(record, best);
        }
        const shuffled = [...meetings].sort((a, b) => rank(a.record, a.other) - rank(b.record, b.other));
        expect(new Map([...pairFootprints(shuffled, keyOf)].sort())).toEqual(new Map([...expected].sort()));
      }),
    );
  });

  it('MAT-02 counts the drawings of one source as one', () => {
    const drawings = groupDuplicates([...both(1, 2, 50), ...both(2, 3, 50)], keyOf);
    expect([1, 2, 3].map((id) => drawings.get(id))).toEqual([1, 1, 1]);
    const pairs = (...meetings: Overlap[][]) =>
      [...pairFootprints(meetings.flat(), keyOf, drawings)].map(([a, b]) => `${a}-${b}`).sort();
    expect(pairs(both(1, 7, 10), both(3, 7, 20))).toEqual(['3-7', '7-3']);
    // 8 would have 1 as its own, but the building that 1 and 3 draw goes with 7.
    expect(pairs(both(1, 8, 10), both(3, 7, 20))).toEqual(['3-7', '7-3']);
    expect(pairs(both(3, 8, 20), both(1, 7, 20))).toEqual(['1-7', '7-1']);
  });
});
