import { expect, it } from 'vitest';
import { buildSorts } from '../../../../src/registry/search/format/segments.ts';
import { SegmentCache } from '../../../../src/registry/search/read/index-reads.ts';
import type { Reads } from '../../../../src/storage/storage.ts';

const entry = (offset: number, building: number) => ({
  ...{ offset, building, prefecture: '13', ward: '13101', area: '131010001001', uses: 0, fields: 0, text: '\n\n' },
  ...{
    footprint: null,
    height: building,
    floors: null,
    built: null,
    flags: 0,
    words: null,
    postcode: null,
    site: null,
  },
});

/** A segment at one moment; `onRead` runs in the middle of a read. */
function readsOf(buildings: readonly number[], onRead: () => Promise<unknown> = async () => {}): Reads {
  const sorts = buildSorts(buildings.map((building, offset) => entry(offset, building)));
  const all = async (_: string, [, sort]: unknown[]) => {
    await onRead();
    return sorts.filter((row) => row.sort === sort);
  };
  return { all } as unknown as Reads;
}

it('a reader of an older snapshot gets it, even if a newer one is read at the same time', async () => {
  const cache = new SegmentCache();
  const segment = { id: 1, first: 1, size: 2, dead: 0, stamp: 1 };
  const newer = { ...segment, stamp: 2 };
  const buildingsOf = async (reads: Reads, asked: typeof segment) => [
    ...((await cache.orders(reads, [asked], 'height')).get(1)?.buildingOf ?? []),
  ];
  const readMeanwhile: number[][] = [];
  const older = readsOf([5, 7], async () => readMeanwhile.push(await buildingsOf(readsOf([8, 9]), newer)));
  expect(await buildingsOf(older, segment)).toEqual([5, 7]);
  expect(readMeanwhile).toEqual([
    [8, 9],
    [8, 9],
  ]);
  expect(await buildingsOf(readsOf([8, 9]), newer)).toEqual([8, 9]);
});
