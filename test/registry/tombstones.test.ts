import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { describeTombstone } from '../../src/surfaces/http/describe-tombstone.ts';
import type { Tombstone } from '../../src/vocabulary/tombstone.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { AREA, AREAS, building, id, type Json, record, square, writeRecords } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';

const later = (month: number) => ({ retrievedAt: `2026-0${month}-01T00:00:00Z`, rawPayloadRef: `sha256:0${month}` });
const at = (number: number, east: number, values: Json = {}, more: Json = {}) =>
  building(number, values, { geometry: square([139.765 + east / 90_500, 35.681], 0.00002), area: AREA, ...more });

onBothEngines('tombstones', (fresh) => {
  const inRegistry = async (work: (context: Context, ingest: (...lines: Json[]) => Promise<void>) => Promise<void>) => {
    const database = await fresh();
    let seconds = 0;
    const now = () => new Date(Date.UTC(2026, 4, 1) + ++seconds * 1_000).toISOString();
    const context = await openContext(database, { now });
    const ingest = async (...lines: Json[]) =>
      void (await ingestFiles(context, 'records', [writeRecords(database.dir, lines)]));
    try {
      await ingest(...AREAS);
      await work(context, ingest);
    } finally {
      await context.storage.close();
    }
  };
  const tombstoneOf = async ({ storage }: Context, buildingId: string): Promise<Tombstone | undefined> => {
    const found = await openRegistry(storage).getPage(buildingId);
    return !found.ok && found.failure.kind === 'retiredBuilding' ? found.failure.tombstone : undefined;
  };

  it('UI-26 tells what a retired building was, when and why it was retired, and what is nearby', () =>
    inRegistry(async (context, ingest) => {
      const known = {
        nameJa: '甲ビル',
        nameEn: 'Kō',
        addressJa: '東京都千代田区丸の内一丁目1番',
        assetTypes: 'office',
      };
      await ingest(at(1, 0, known), at(2, 100, { nameJa: '隣' }), at(3, 700), at(4, 50));
      await ingest(at(1, 0, { ...known, heightM: 20 }, later(2)));
      const before = await pageOf(context.storage, id(1));
      await retireBuilding(context, id(1), undefined, 'demolished in 2024');
      const tombstone = await tombstoneOf(context, id(1));
      expect(tombstone).toMatchObject({
        id: id(1),
        reason: 'demolished in 2024',
        mergedInto: null,
        last: {
          version: before?.history[0]?.version,
          recordedAt: before?.history[0]?.recordedAt,
          firstRecordedAt: before?.history.at(-1)?.recordedAt,
          nameJa: '甲ビル',
          nameEn: 'Kō',
          addressJa: '東京都千代田区丸の内一丁目1番',
          categories: ['office'],
          areas: [before?.location.prefecture, before?.location.ward, before?.location.machiAza],
          point: { lat: before?.location.lat, lon: before?.location.lon },
        },
      });
      expect(tombstone?.retiredAt).toMatch(/^2026-05-01T/);
      const { nearby } = tombstone as Tombstone;
      expect(nearby.map((each) => each.id)).toEqual([id(4), id(2)]);
      expect(nearby).toEqual(before?.nearby);
      expect(describeTombstone(tombstone as Tombstone)).toBe(
        'no building has this id any more: it was retired on 2026-05-01 (demolished in 2024). It was 甲ビル, ' +
          '東京都千代田区丸の内一丁目1番, recorded from 2026-05-01; its last version is 2, of 2026-05-01. ' +
          `Nearby: ${id(4)}, ${id(2)}.`,
      );
    }));

  it('UI-26 an ID merged into a building that was retired later has a tombstone of its own', () =>
    inRegistry(async (context, ingest) => {
      await ingest(at(1, 0, { nameJa: '甲' }), at(2, 100, { nameJa: '乙' }));
      await mergeBuildings(context, id(1), id(2), 'one building');
      await retireBuilding(context, id(2), undefined, null);
      expect(await tombstoneOf(context, id(1))).toMatchObject({
        id: id(1),
        mergedInto: id(2),
        reason: null,
        last: { nameJa: '甲' },
      });
    }));

  it('UI-26 there is none with a survivor, for an unknown ID and for a building that waits for its place', () =>
    inRegistry(async (context, ingest) => {
      const { area: _, ...waiting } = record('osm', 'way/5', { nameJa: '待' }, { building: id(5) }) as Json & {
        area?: Json;
      };
      await ingest(at(1, 0), at(2, 100), at(3, 200), waiting);
      await retireBuilding(context, id(1), id(2), 'rebuilt');
      await mergeBuildings(context, id(3), id(2), null);
      for (const number of [1, 2, 3, 5, 99]) expect(await tombstoneOf(context, id(number))).toBeUndefined();
    }));

  it('UI-24 stored versions are read newest first, with every candidate', () =>
    inRegistry(async (context, ingest) => {
      await ingest(at(1, 0, { heightM: 10 }));
      await ingest(at(1, 0, { heightM: 20 }, later(2)));
      await ingest(record('wikidata', 'Q1', { heightM: 30 }, { building: id(1) }));
      const registry = openRegistry(context.storage);
      const versions = await registry.getVersions(id(1), 3, 2);
      expect(versions.map(({ version }) => version)).toEqual([3, 2]);
      expect(versions[0]?.canonical.fields.heightM).toMatchObject({ value: 30, alternatives: [{ value: 20 }] });
      expect(await registry.getVersions(id(1), 1, 10)).toMatchObject([{ version: 1 }]);
      expect(await registry.getVersions(id(9), 9, 10)).toEqual([]);
      expect(await registry.getVersions('nonsense', 9, 10)).toEqual([]);
    }));
});
