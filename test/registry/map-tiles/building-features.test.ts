import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../../src/registry/registry.ts';
import { startSearchThreads } from '../../../src/registry/search/read/search-threads.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import type { Position } from '../../../src/vocabulary/geometry.ts';
import type { MapTile } from '../../../src/vocabulary/map-tile.ts';
import { onBothEngines, type TestDatabase } from '../../support/engines.ts';
import { fromTiles, readTile, tilesBetween, tilesWith, tileUrl, toTiles } from '../../support/map-tiles.ts';
import { Random } from '../../support/random.ts';
import { AREAS, building, id, type Json, square } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';

const COUNT = 250;
const IDS = Array.from({ length: COUNT }, (_, i) => id(i));
/** The centre of a tile of zoom 14 in Tokyo. */
const MIDDLE: Position = fromTiles([14_552.5, 6_451.5], 14);

onBothEngines('random squares on the map', (fresh) => {
  const random = new Random(11);
  let database: TestDatabase;
  let served: ServedRegistry;
  let revision = 0;
  const anywhere = (): Json => {
    const [lon, lat] = MIDDLE.map((at) => at + (random.next() - 0.5) * 0.03) as Position;
    // Most are houses, some are larger than a mesh cell.
    return square([lon, lat], 0.00001 + random.next() ** 8 * 0.01);
  };
  const moved = (number: number): Json => {
    const rawPayloadRef = `sha256:m${++revision}`;
    return building(number, {}, { geometry: anywhere(), rawPayloadRef, retrievedAt: '2026-02-01T00:00:00Z' });
  };
  beforeAll(async () => {
    database = await fresh();
    served = await openServedRegistry(database);
    await served.ingest([
      ...AREAS,
      ...IDS.map((_, i) => building(i, { nameJa: `名${'前'.repeat(i % 99)}` }, { geometry: anywhere() })),
    ]);
  });
  afterAll(() => served.close());

  const tilesAt = (z: number) => tilesBetween(z, [toTiles(MIDDLE, z)], 1.5 * 2 ** (z - 14));

  async function compareAll(registry: Registry): Promise<void> {
    const pages: BuildingPage[] = (await served.readAll(IDS)).map(({ page }) => page);
    expect(pages).toHaveLength(COUNT);
    for (const z of [14, 15, 16]) {
      const expected = new Map(tilesAt(z).map((tile) => [tileUrl(tile), new Set<string>()]));
      for (const page of pages) for (const url of tilesWith(page, z)) expected.get(url)?.add(page.id);
      for (const tile of tilesAt(z)) {
        const { body, release } = await registry.getTile(tile);
        const shown = readTile(Uint8Array.from(body), tile).buildings ?? [];
        release?.();
        expect(shown.map(({ properties }) => properties.id)).toEqual([...(expected.get(tileUrl(tile)) ?? [])].sort());
      }
    }
  }

  it('are in exactly the tiles that they reach, before and after they move', async () => {
    const registry = openRegistry(served.context.storage);
    await compareAll(registry);
    await served.ingest(Array.from({ length: 60 }, (_, i) => moved(i * 4)));
    await compareAll(registry);
  });

  it('are drawn in a worker thread as in the serving thread', async () => {
    const threads = startSearchThreads(database.url);
    try {
      const [here, beside] = [openRegistry(served.context.storage), openRegistry(served.context.storage, threads)];
      const tiles: MapTile[] = [...tilesAt(14), ...tilesAt(15), { z: 3, x: 7, y: 3 }, { z: 0, x: 0, y: 0 }];
      // More at once than fit into shared memory, and each of them twice.
      const all = [...tiles, ...tiles, ...tiles];
      const answers = await Promise.all(
        all.map(async (tile) => {
          const { etag, body, release } = await beside.getTile(tile);
          const copy = { etag, body: Buffer.from(body) };
          release?.();
          return copy;
        }),
      );
      for (const [i, tile] of all.entries()) {
        const { etag, body } = await here.getTile(tile);
        expect(answers[i]).toEqual({ etag, body: Buffer.from(body) });
      }
    } finally {
      await threads.close();
    }
  });
});
