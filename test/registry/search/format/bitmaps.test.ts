import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBitmap, decodePositions, encodeBitmaps } from '../../../../src/registry/search/format/bitmap-bytes.ts';
import {
  type Bitmap,
  countDocs,
  descending,
  exclude,
  fullBitmap,
  hasDoc,
  intersect,
  unite,
  withDoc,
} from '../../../../src/registry/search/format/bitmaps.ts';
import {
  MAX_POSITION,
  UNKNOWN_POSITION,
  undeterminedStarts,
  withGramAt,
} from '../../../../src/registry/search/format/gram-starts.ts';

const SIZE = 300;
const offsets = fc
  .uniqueArray(fc.nat(SIZE - 1), { maxLength: SIZE, size: 'max' })
  .map((list) => list.sort((a, b) => a - b));
/** A set as a list or, encoded and decoded, in the shorter of the two forms. */
const docs = fc.tuple(offsets, fc.boolean()).map(([list, isEncoded]): Bitmap => {
  const plain = Uint16Array.from(list);
  return isEncoded ? (decodeBitmap(encodeBitmaps([{ name: 0, docs: plain }], SIZE), 0) as Bitmap) : plain;
});
const setOf = (set: Bitmap) => new Set(descending(set));
const ascending = (set: Iterable<number>) => [...set].sort((a, b) => a - b);

it('bitmaps behave like sets, in either form', () => {
  fc.assert(
    fc.property(docs, docs, fc.nat(SIZE - 1), (a, b, doc) => {
      const [x, y] = [setOf(a), setOf(b)];
      expect(countDocs(a)).toBe(x.size);
      expect([...descending(a)]).toEqual(ascending(x).reverse());
      expect(setOf(intersect(a, b))).toEqual(x.intersection(y));
      expect(setOf(unite(a, b, SIZE))).toEqual(x.union(y));
      expect(setOf(exclude(a, b))).toEqual(x.difference(y));
      expect(hasDoc(a, doc)).toBe(x.has(doc));
      expect(setOf(withDoc(a, doc, true, SIZE))).toEqual(new Set([...x, doc]));
      expect(setOf(withDoc(a, doc, false, SIZE))).toEqual(x.difference(new Set([doc])));
    }),
  );
});

it('a full bitmap contains every entry of a segment of any size', () => {
  for (const size of [1, 31, 32, 33, 64, 1_000, 65_535, 65_536]) expect(countDocs(fullBitmap(size))).toBe(size);
});

it('several named bitmaps are stored together, sparse or dense, with positions, at any byte offset', () => {
  const placed = offsets.chain((list) =>
    fc.record({
      list: fc.constant(list),
      positions: fc.option(fc.uint8Array({ minLength: list.length, maxLength: list.length }), { nil: undefined }),
    }),
  );
  fc.assert(
    fc.property(fc.array(placed, { minLength: 1, maxLength: 5 }), fc.nat(3), (sets, shift) => {
      const named = sets.map(({ list, positions }, name) => {
        const docs = Uint16Array.from(list);
        return positions === undefined ? { name, docs } : { name, docs, positions };
      });
      const bytes = encodeBitmaps(named, SIZE);
      const moved = new Uint8Array(bytes.length + shift).subarray(shift);
      moved.set(bytes);
      for (const [name, { list, positions }] of sets.entries()) {
        const read = decodePositions(moved, name);
        expect(ascending(setOf(read?.docs as Bitmap))).toEqual(list);
        expect([...(read?.positions ?? [])]).toEqual([...(positions ?? [])]);
      }
      expect(decodePositions(moved, 7)).toBeUndefined();
    }),
  );
});

it('a text is found at consecutive grams; where a gram repeats, the position is undetermined', () => {
  const position = fc.oneof(
    { weight: 5, arbitrary: fc.nat(4) },
    fc.constant(UNKNOWN_POSITION),
    fc.constant(MAX_POSITION),
  );
  const gram = fc.dictionary(fc.nat(SIZE - 1).map(String), position, { maxKeys: SIZE, size: 'max' });
  fc.assert(
    fc.property(docs, fc.array(gram, { minLength: 1, maxLength: 3 }), (from, grams) => {
      let found = undeterminedStarts(from);
      const expected = new Map([...setOf(from)].map((doc) => [doc, undefined as number | undefined]));
      for (const [offset, positions] of grams.entries()) {
        const list = ascending(Object.keys(positions).map(Number));
        const bytes = encodeBitmaps(
          [
            {
              name: 1,
              docs: Uint16Array.from(list),
              positions: Uint8Array.from(list.map((doc) => positions[doc] as number)),
            },
          ],
          SIZE,
        );
        found = withGramAt(found, decodePositions(bytes, 1) as never, offset);
        for (const [doc, start] of expected) {
          const at = positions[doc];
          const next = start === UNKNOWN_POSITION || at === UNKNOWN_POSITION ? UNKNOWN_POSITION : (at ?? -1) - offset;
          if (at === undefined || next < 0 || (next !== UNKNOWN_POSITION && start !== undefined && start !== next)) {
            expected.delete(doc);
          } else expected.set(doc, next);
        }
      }
      const starts = [...found.docs].map((doc, i) => [doc, found.starts[i]]);
      expect(starts).toEqual([...expected].sort(([a], [b]) => a - b));
    }),
  );
});
