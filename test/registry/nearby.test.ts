import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings } from '../../src/pipeline/identity-commands.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { AREA, AREAS, id, type Json, record, square, writeRecords } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';

/** On the corner of four tiles (the mesh lines run at multiples of 1/80 and 1/120 of a degree). */
const CORNER = { lon: 139.7625, lat: 35.675 };
const DEGREES_PER_METRE = { lon: 1 / 90_500, lat: 1 / 110_950 };

/** A building some metres east and north of the corner. */
const at = (number: number, east: number, north: number, more: Json = {}) =>
  record(
    'osm',
    `way/${number}`,
    { nameJa: `第${number}ビル`, assetTypes: 'office' },
    {
      building: id(number),
      area: AREA,
      geometry: square(
        [CORNER.lon + east * DEGREES_PER_METRE.lon, CORNER.lat + north * DEGREES_PER_METRE.lat],
        0.00002,
      ),
      ...more,
    },
  );
const later = (month: number) => ({ retrievedAt: `2026-0${month}-01T00:00:00Z`, rawPayloadRef: `sha256:0${month}` });

onBothEngines('nearby', (fresh) => {
  const inRegistry = async (work: (ingest: (...lines: Json[]) => Promise<void>, context: Context) => Promise<void>) => {
    const database = await fresh();
    const context = await openContext(database);
    const ingest = async (...lines: Json[]) =>
      void (await ingestFiles(context, 'records', [writeRecords(database.dir, lines)]));
    try {
      await ingest(...AREAS);
      await work(ingest, context);
    } finally {
      await context.storage.close();
    }
  };
  const idsAround = async ({ storage }: Context, number: number) =>
    (await pageOf(storage, id(number)))?.nearby.map((entry) => Number(entry.id.slice(-8)));

  it('lists up to eight buildings within 500 m, nearest first, ties by ID, across tile edges', () =>
    inRegistry(async (ingest, context) => {
      await ingest(
        at(1, -10, -10),
        ...[2, 3, 4, 5, 6, 7, 8].map((n) => at(n, 10 * n, 10)),
        at(9, -10, -200),
        at(10, -10, 180),
        at(11, 600, 0),
        at(12, 10, 10, { sourceRecordId: 'way/twin' }),
      );
      expect(await idsAround(context, 1)).toEqual([12, 2, 3, 4, 5, 6, 7, 8]);
      expect(await idsAround(context, 11)).toEqual([]);
      const first = (await pageOf(context.storage, id(1)))?.nearby[0];
      expect(first).toMatchObject({ nameJa: '第12ビル', nameEn: null, category: 'office' });
      expect(first?.distanceM).toBeGreaterThan(27);
      expect(first?.distanceM).toBeLessThan(30);
    }));

  it('orders equal distances by ID, including at the eighth place', () =>
    inRegistry(async (ingest, context) => {
      await ingest(
        at(1, 0, 0),
        ...Array.from({ length: 12 }, (_, i) => at(30 - i, 100, 0, { sourceRecordId: `way/same${i}` })),
      );
      expect(await idsAround(context, 1)).toEqual([19, 20, 21, 22, 23, 24, 25, 26]);
    }));

  it('is updated when a neighbour is added, renamed, moved or merged', () =>
    inRegistry(async (ingest, context) => {
      const nameOf = async (number: number) => (await pageOf(context.storage, id(number)))?.nearby[0]?.nameJa;
      await ingest(at(1, -20, -20), at(2, 20, 20));
      expect(await idsAround(context, 1)).toEqual([2]);
      await ingest(at(3, 20, -20));
      expect(await idsAround(context, 1)).toEqual([3, 2]);
      await ingest({ ...at(3, 20, -20, later(2)), observations: [{ field: 'nameJa', value: '新館' }] });
      expect(await nameOf(1)).toBe('新館');
      await ingest(at(3, 400, 400, later(3)));
      expect(await idsAround(context, 1)).toEqual([2]);
      expect(await idsAround(context, 2)).toEqual([1]);
      await mergeBuildings(context, id(2), id(3), null);
      expect(await idsAround(context, 1)).toEqual([]);
    }));
});
