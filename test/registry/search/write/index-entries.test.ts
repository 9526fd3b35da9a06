import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Segment, segmentEnd } from '../../../../src/registry/search/format/segments.ts';
import {
  chooseMerge,
  ENTRIES_PER_NEW_SEGMENT,
  SEGMENT_SIZES,
} from '../../../../src/registry/search/write/index-entries.ts';

const segment = fc.record({
  size: fc.integer({ min: 1, max: SEGMENT_SIZES.most }),
  gone: fc.double({ min: 0, max: 1, noNaN: true }),
  gap: fc.nat(100),
});
const segments = fc.array(segment, { maxLength: 40, size: 'max' }).map((list) => {
  let first = 1;
  return list.map(({ size, gone, gap }, i): Segment => {
    const made = { id: i + 1, first: first + gap, size, dead: Math.floor(size * gone), stamp: i };
    first = segmentEnd(made);
    return made;
  });
});
const live = (list: readonly Segment[]) => list.reduce((sum, { size, dead }) => sum + size - dead, 0);

it('neighbouring segments are merged only if they fit into one, until no more can be merged', () => {
  fc.assert(
    fc.property(segments, (given) => {
      let list = given;
      for (let rounds = 0; ; rounds++) {
        expect(rounds).toBeLessThanOrEqual(given.length);
        const some = chooseMerge(list, SEGMENT_SIZES);
        if (some === undefined) break;
        const at = list.indexOf(some[0] as Segment);
        expect(list.slice(at, at + some.length)).toEqual(some);
        if (some.length === 1) expect(live(some)).toBe(0);
        expect(live(some)).toBeLessThanOrEqual(SEGMENT_SIZES.most);
        const first = (some[0] as Segment).first;
        const span = segmentEnd(some.at(-1) as Segment) - first;
        const size = span <= SEGMENT_SIZES.most ? span : live(some);
        const merged = some.length === 1 ? [] : [{ id: 100 + rounds, first, size, dead: size - live(some), stamp: 0 }];
        list = [...list.slice(0, at), ...merged, ...list.slice(at + some.length)];
      }
      const small = list.filter(({ size }) => size < SEGMENT_SIZES.grades[0]);
      const run = list.slice(list.findLastIndex(({ size }) => size >= SEGMENT_SIZES.grades[1]) + 1);
      expect(run.length).toBeLessThan(SEGMENT_SIZES.fanIn);
      expect(small.every((each) => live([each]) > 0)).toBe(true);
    }),
  );
});

it('a million entries, added in many transactions, end in few segments', () => {
  let list: Segment[] = [];
  for (let id = 1; id <= 31; id++) {
    list.push({ id, first: 1 + (id - 1) * ENTRIES_PER_NEW_SEGMENT, size: ENTRIES_PER_NEW_SEGMENT, dead: 0, stamp: 0 });
    for (let some = chooseMerge(list, SEGMENT_SIZES); some !== undefined; some = chooseMerge(list, SEGMENT_SIZES)) {
      const { first } = some[0] as Segment;
      const merged = { id: 1_000 + id, first, size: segmentEnd(some.at(-1) as Segment) - first, dead: 0, stamp: 0 };
      list = list.filter((each) => !some?.includes(each)).concat(merged);
    }
  }
  expect(list.reduce((sum, { size }) => sum + size, 0)).toBe(31 * ENTRIES_PER_NEW_SEGMENT);
  expect(list.length).toBeLessThanOrEqual(31);
});
