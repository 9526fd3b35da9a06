import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../../src/registry/registry.ts';
import { meshCounts } from '../../../src/storage/migrations/0006-mesh-counts.ts';
import type { Position } from '../../../src/vocabulary/geometry.ts';
import { onBothEngines } from '../../support/engines.ts';
import { readTile, tilesBetween, tileUrl, toTiles } from '../../support/map-tiles.ts';
import { Random } from '../../support/random.ts';
import { AREA, AREAS, building, id, type Json, OTHER_AREA, square } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';

/** Around corners of the mesh, near and far from each other. */
const PLACES: readonly Position[] = [
  [139.7625, 35.675],
  [139.75, 35.6666667],
  [141, 43.3333333],
  [127.6875, 26.2],
  [123.0, 24.3333333],
];
const COUNT = 120;
const IDS = Array.from({ length: COUNT }, (_, i) => id(i));

onBothEngines('the density of buildings', (fresh) => {
  let served: ServedRegistry;
  const random = new Random(7);
  const anywhere = (): Json => {
    const [lon, lat] = random.pick(PLACES);
    return square([lon + (random.next() - 0.5) * 0.01, lat + (random.next() - 0.5) * 0.01], 0.00005);
  };
  let revision = 0;
  const move = (number: number, more: Json = {}): Json => {
    const rawPayloadRef = `sha256:m${++revision}`;
    const retrievedAt = `2026-02-01T00:00:${String(revision % 60).padStart(2, '0')}Z`;
    return building(number, {}, { geometry: anywhere(), rawPayloadRef, retrievedAt, ...more });
  };
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    const lines = Array.from({ length: COUNT }, (_, i) => {
      const { area, ...unplaced } = building(i, {}, { geometry: anywhere() });
      return i % 10 === 3 ? unplaced : { ...unplaced, area };
    });
    await served.ingest([...AREAS, ...lines]);
  });
  afterAll(() => served.close());

  /** Compares every zoom with the records, read one by one. */
  async function compareAll(): Promise<void> {
    const places: Position[] = [];
    for (const { page } of await served.readAll(IDS)) {
      const { lat, lon } = page.location;
      if (lat !== null && lon !== null) places.push([lon, lat]);
    }
    for (const [z, digits] of [...[0, 3, 7].map((z) => [z, 4]), ...[8, 10].map((z) => [z, 6]), [11, 8], [13, 8]]) {
      expect(await readCells(z as number), `zoom ${z}`).toEqual(countCells(places, digits as number));
    }
  }

  /** Every cell with its count and centre. */
  async function readCells(z: number): Promise<Record<string, string>> {
    const cells: Record<string, string> = {};
    const around = PLACES.flatMap((place) => tilesBetween(z, [toTiles(place, z)], z < 8 ? 0.5 : 1));
    const tiles = new Map(around.map((tile) => [tileUrl(tile), tile]));
    for (const [url, tile] of tiles) {
      const { density = [], ...others } = readTile((await served.app.inject({ url })).rawPayload, tile);
      expect(others).toEqual({});
      for (const { id, properties, geojson } of density) {
        const mesh = String(properties.mesh);
        expect([cells[mesh], id]).toEqual([undefined, Number(mesh)]);
        expect(geojson.geometry.type).toBe('Point');
        cells[mesh] = String(properties.count);
      }
    }
    return cells;
  }

  function countCells(places: readonly Position[], digits: number): Record<string, string> {
    const cells: Record<string, number> = {};
    for (const place of places) cells[meshOf(place, digits)] = (cells[meshOf(place, digits)] ?? 0) + 1;
    return Object.fromEntries(Object.entries(cells).map(([mesh, count]) => [mesh, String(count)]));
  }

  it('adds up to the published buildings, at every zoom and after every change', async () => {
    await compareAll();
    const published = await served.readAll(IDS);
    expect(published).toHaveLength(108);
    const sum = Object.values(await readCells(11)).reduce((total, count) => total + Number(count), 0);
    expect(sum).toBe(108);

    await served.ingest(Array.from({ length: 40 }, (_, i) => move(i * 3)));
    await compareAll();
    await mergeBuildings(served.context, id(1), id(2), null);
    await mergeBuildings(served.context, id(2), id(4), null);
    await retireBuilding(served.context, id(5), undefined, null);
    await retireBuilding(served.context, id(6), id(7), null);
    await compareAll();
    await unmergeBuilding(served.context, id(2), null);
    await served.ingest([move(13, { area: AREA }), move(23, { area: OTHER_AREA }), move(8, { area: OTHER_AREA })]);
    await compareAll();
  });

  it('is shown at the centre of the buildings in the cell', async () => {
    const cells = new Map<string, Position[]>();
    for (const { page } of await served.readAll(IDS)) {
      const { lat, lon, meshCode } = page.location;
      if (lat === null || lon === null) continue;
      cells.set(String(meshCode), [...(cells.get(String(meshCode)) ?? []), [lon, lat]]);
    }
    const [[mesh, places] = ['', []]] = [...cells].sort(([, a], [, b]) => b.length - a.length);
    const mean = [0, 1].map((axis) => places.reduce((sum, at) => sum + (at[axis] as number), 0) / places.length);
    const [x, y] = toTiles(mean as Position, 13).map(Math.floor) as Position;
    const { rawPayload } = await served.app.inject({ url: tileUrl({ z: 13, x, y }) });
    const found = readTile(rawPayload, { z: 13, x, y }).density?.find(({ properties }) => properties.mesh === mesh);
    const close = mean.map((degrees) => expect.closeTo(degrees, 4));
    expect(found?.geojson.geometry).toEqual({ type: 'Point', coordinates: close });
  });

  it('is counted when a database of an earlier version is opened', async () => {
    const { storage } = served.context;
    const read = async () =>
      storage.db.selectFrom('mesh_count').selectAll().where('count', '>', 0).orderBy('mesh').execute();
    const before = await read();
    await storage.transaction(async ({ db, engine }) => {
      await sql`drop table mesh_count`.execute(db);
      await meshCounts.up(db, engine);
    });
    expect(await read()).toEqual(before);
    expect(before.every((row) => Number.isSafeInteger(row.lat_sum))).toBe(true);
    const { body } = await openRegistry(storage).getTile({ z: 0, x: 0, y: 0 });
    expect(body.length).toBeGreaterThan(0);
  });
});

/** JIS X 0410 as the standard states it, in degrees. */
function meshOf([lon, lat]: Position, digits: number): string {
  const [y, x] = [Math.floor(lat * 1.5 + 1e-9), Math.floor(lon - 100 + 1e-9)];
  const [u, v] = [lat * 1.5 - y, lon - 100 - x].map((rest) => Math.floor(rest * 80 + 1e-7)) as [number, number];
  const digit = (value: number) => [Math.floor(value / 10), value % 10];
  const [[u1, u2], [v1, v2]] = [digit(u), digit(v)];
  return `${y}${x}${u1}${v1}${u2}${v2}`.slice(0, digits);
}
