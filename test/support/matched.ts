import { expect } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { formatAssetId } from '../../src/vocabulary/asset-id.ts';
import type { BuildingPage, Nearby } from '../../src/vocabulary/building-page.ts';
import type { Partition } from './any-town.ts';
import { geodesicM } from './geodesic.ts';
import { pageOf } from './registry-state.ts';

/** The building that each ID resolves to: itself, another or none. */
async function survivorsIn({ db }: Storage): Promise<Map<number, number | null>> {
  const rows = await db.selectFrom('building').select(['id', 'state', 'successor']).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const end = (id: number | null): number | null => {
    const row = byId.get(id ?? -1);
    return row === undefined
      ? null
      : row.state === 'live'
        ? row.id
        : row.state === 'merged'
          ? end(row.successor)
          : null;
  };
  return new Map(rows.map(({ id }) => [id, end(id)]));
}

/** The records of each live building. */
export async function buildingsIn(storage: Storage): Promise<Map<string, string[]>> {
  const survivors = await survivorsIn(storage);
  const rows = await storage.db.selectFrom('source_record').select(['key', 'building']).orderBy('key').execute();
  const found = new Map<string, string[]>();
  for (const { key, building } of rows) {
    const survivor = survivors.get(building ?? -1);
    if (survivor == null) continue;
    const id = formatAssetId(survivor);
    found.set(id, [...(found.get(id) ?? []), key]);
  }
  return found;
}

/** The ID of the building of a record. */
export async function buildingOf(storage: Storage, key: string): Promise<string | undefined> {
  return [...(await buildingsIn(storage))].find(([, keys]) => keys.includes(key))?.[0];
}

export async function partitionOf(storage: Storage): Promise<Partition> {
  const buildings = [...(await buildingsIn(storage)).values()].map((keys) => [...keys].sort());
  const left = await storage.db
    .selectFrom('source_record')
    .select(['key', 'reason', 'building'])
    .where((eb) => eb.or([eb('reason', 'is not', null), eb('building', 'is', null)]))
    .execute();
  return {
    buildings: buildings.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)),
    leftOut: left.map(({ key, reason }) => `${key} ${reason}`).sort(),
  };
}

export async function pagesOf(storage: Storage): Promise<BuildingPage[]> {
  const pages: BuildingPage[] = [];
  for (const id of (await buildingsIn(storage)).keys()) {
    const page = await pageOf(storage, id);
    if (page !== undefined) pages.push(page);
  }
  return pages;
}

/** The published records without IDs, versions, times and neighbours. */
export async function contentOf(storage: Storage): Promise<string[]> {
  const pages = await pagesOf(storage);
  const texts = pages.map(({ history: _, nearby: __, ...page }) =>
    JSON.stringify({ ...page, counters: { ...page.counters, versions: 0 } })
      .replaceAll(/ASSET-JP-\d\d-\d{8}/g, 'ASSET')
      .replaceAll(/"recordedAt":"[^"]*"/g, '"recordedAt":""'),
  );
  return texts.sort();
}

/** Checks that every record lists its nearest neighbours, up to eight within 500 m. */
export async function expectNearbyTrue(storage: Storage): Promise<void> {
  const pages = await pagesOf(storage);
  for (const page of pages) {
    const { lat, lon } = page.location;
    const near: Nearby[] = [];
    for (const other of lat === null || lon === null ? [] : pages) {
      const { lat: otherLat, lon: otherLon } = other.location;
      if (other === page || lat === null || lon === null || otherLat === null || otherLon === null) continue;
      const distanceM = Math.round(geodesicM({ lat, lon }, { lat: otherLat, lon: otherLon }) * 10) / 10;
      if (distanceM > 500 + MEASURE_M) continue;
      near.push({
        id: other.id,
        path: other.path,
        nameJa: textOf(other.fields.nameJa?.value),
        nameEn: textOf(other.fields.nameEn?.value),
        category: other.assetTypes[0]?.category ?? 'unspecified',
        distanceM,
      });
    }
    near.sort((a, b) => a.distanceM - b.distanceM || (a.id < b.id ? -1 : 1));
    expectAlike(page.nearby, near);
  }
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** The tolerance between two methods of measuring. */
const MEASURE_M = 0.2;

/**
 * Two neighbours at the same distance to a decimetre may be in either order, and one at a distance of 500 m may be
 * listed or not.
 */
function expectAlike(shown: readonly Nearby[], all: readonly Nearby[]): void {
  const expected = all.slice(0, 8);
  const last = expected.at(-1)?.distanceM ?? 0;
  const sure = expected.filter(({ distanceM }) => distanceM <= 500 - MEASURE_M);
  const distances = shown.map((entry) => entry.distanceM);
  expect(distances.length).toBeGreaterThanOrEqual(sure.length);
  expect(distances.length).toBeLessThanOrEqual(expected.length);
  expect(Math.max(0, ...distances)).toBeLessThanOrEqual(500);
  shown.forEach((entry, i) => {
    expect(Math.abs(entry.distanceM - (expected[i]?.distanceM ?? 0))).toBeLessThanOrEqual(MEASURE_M);
    const same = all.find(({ id }) => id === entry.id);
    expect(entry).toEqual({ ...same, distanceM: entry.distanceM });
    expect(same?.distanceM).toBeLessThanOrEqual(last + MEASURE_M);
    const before = shown[i - 1];
    if (before?.distanceM === entry.distanceM) expect(before.id < entry.id).toBe(true);
  });
}

/** Identity changes in order, with who made them. */
export async function eventsIn({ db }: Storage): Promise<string[]> {
  const rows = await db.selectFrom('identity_event').selectAll().orderBy('id').execute();
  return rows.map(
    ({ kind, building, into_building: into, actor }) =>
      `${actor}: ${kind} ${building % 1e8}${into === null ? '' : ` ${into % 1e8}`}`,
  );
}

/** The building that an ID resolves to: itself, another or none. */
export async function leadsTo(storage: Storage, from: string): Promise<string | undefined> {
  const found = await openRegistry(storage).getPage(from);
  if (found.ok) return from;
  return found.failure.kind === 'movedBuilding' ? formatAssetId(found.failure.survivor) : undefined;
}
