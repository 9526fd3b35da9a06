import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdSet } from '../../src/vocabulary/id-set.ts';

describe('a set of IDs', () => {
  it('has what was added, once, in ascending order', () => {
    const ids = fc.oneof(fc.nat({ max: 200_000 }), fc.constantFrom(65_535, 65_536, 131_071), fc.maxSafeNat());
    fc.assert(
      fc.property(fc.array(ids), fc.integer({ min: 1, max: 5 }), (added, size) => {
        const set = new IdSet();
        for (const id of added) set.add(id);
        const batches = [...set.batches(size)];
        expect(batches.flat()).toEqual([...new Set(added)].sort((a, b) => a - b));
        expect(batches.slice(0, -1).every((batch) => batch.length === size)).toBe(true);
        expect(set.isEmpty).toBe(added.length === 0);
        for (const id of added) expect([set.has(id), set.has(id + 1)]).toEqual([true, added.includes(id + 1)]);
      }),
    );
  });
});
