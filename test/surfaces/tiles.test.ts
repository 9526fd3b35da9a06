import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import type { Position, Ring } from '../../src/vocabulary/geometry.ts';
import type { MapTile } from '../../src/vocabulary/map-tile.ts';
import { onBothEngines } from '../support/engines.ts';
import { fromTiles, readTile, TILE_TYPE, tilesBetween, tilesWith, tileUrl, toTiles } from '../support/map-tiles.ts';
import { AREA, AREAS, building, id, type Json, MARUNOUCHI, record, square } from '../support/records.ts';
import { openServedRegistry, type Published, type ServedRegistry } from '../support/served-registry.ts';
import {
  answerOf,
  emptyRegistry,
  expectNothingInside,
  expectRefusal,
  faultyRegistry,
  lastingHeaders,
  serverOn,
} from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...rings: Ring[]): Json => ({ type: 'Polygon', coordinates: rings });

/** The corner of four mesh cells, and the corner of four tiles at zoom 14. */
const MESH_CORNER: Position = [100 + 3181 / 80, 4281 / 120];
const TILE_CORNER = fromTiles(toTiles(MARUNOUCHI, 14).map(Math.round) as Position, 14);
const [LON, LAT] = MARUNOUCHI;
const HOSTILE = [
  '__proto__',
  '","geometry":null,"footprint":1,"x":"\\',
  '<script>&amp;',
  '\\"geometry":[],"footprint":{',
];

const far = (number: number, geometry: Json, fields: Json = {}) =>
  record('plateau', `b${number}`, fields, { building: id(number), geometry });

const { area: _, ...unplaced } = building(8);
const LINES: Json[] = [
  ...AREAS,
  building(1, { nameEn: 'One', heightM: 31.5, floorsAbove: 9, assetTypes: ['office', 'retail'] }),
  building(
    2,
    {},
    {
      geometry: polygon(
        box(LON, LAT, LON + 0.001, LAT + 0.001),
        box(LON + 0.0002, LAT + 0.0002, LON + 0.0007, LAT + 0.0008),
      ),
    },
  ),
  building(
    3,
    {},
    {
      geometry: {
        type: 'MultiPolygon',
        coordinates: [
          [box(LON, LAT + 0.002, LON + 0.0003, LAT + 0.0023)],
          [box(LON + 0.03, LAT, LON + 0.0302, LAT + 0.0002)],
        ],
      },
    },
  ),
  building(
    31,
    {},
    {
      geometry: {
        type: 'MultiPolygon',
        coordinates: [0, 0.0003].map((by) => square([LON + by, LAT - 0.002]).coordinates),
      },
    },
  ),
  building(4, {}, { geometry: square(MESH_CORNER, 0.0002) }),
  building(5, {}, { geometry: square(TILE_CORNER, 0.0002) }),
  building(6, {}, { geometry: { type: 'Point', coordinates: [LON + 0.002, LAT + 0.001] } }),
  building(7, {}, { geometry: undefined }),
  unplaced,
  // So long that its ends are two cells from its centre.
  building(9, {}, { geometry: polygon(box(LON - 0.016, LAT - 0.0041, LON + 0.016, LAT - 0.004)) }),
  // The footprint of 10 comes from 11, which was merged into 10 through 12.
  ...[10, 11, 12].map((number) => building(number)),
  far(11, polygon(box(LON - 0.02, LAT + 0.004, LON + 0.02, LAT + 0.0041))),
  ...[13, 14].map((number) => building(number)),
  ...HOSTILE.map((name, i) => building(20 + i, { nameJa: name })),
  record(
    'osm',
    'way/30',
    { nameEn: `${'🏢'.repeat(99)}ab` },
    { building: id(30), area: AREA, geometry: square([LON, LAT + 0.003]) },
  ),
];
const IDS = Array.from({ length: 40 }, (_, i) => id(i));

async function tileOf(served: ServedRegistry, tile: MapTile) {
  const { statusCode, headers, rawPayload } = await served.app.inject({ url: tileUrl(tile) });
  expect([statusCode, headers['content-type']]).toEqual([200, TILE_TYPE]);
  return readTile(rawPayload, tile);
}

/** The tiles of a zoom that contain each building, in the whole area around. */
async function findEverywhere(served: ServedRegistry, z: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const corners = [fromTiles(toTiles([LON - 0.03, LAT - 0.02], z), z), [LON + 0.04, LAT + 0.02] as Position];
  for (const tile of tilesBetween(
    z,
    corners.map((corner) => toTiles(corner, z)),
    0.5,
  )) {
    const layers = await tileOf(served, tile);
    const names = Object.keys(layers);
    expect(names.length === 0 || names.join() === 'buildings').toBe(true);
    for (const { properties } of layers.buildings ?? []) {
      const tiles = found[String(properties.id)] ?? [];
      found[String(properties.id)] = tiles;
      expect(tiles).not.toContain(tileUrl(tile));
      tiles.push(tileUrl(tile));
    }
  }
  for (const tiles of Object.values(found)) tiles.sort();
  return found;
}

function expectedEverywhere(pages: readonly BuildingPage[], z: number): Record<string, string[]> {
  const entries = pages.map((page): [string, string[]] => [page.id, tilesWith(page, z)]);
  return Object.fromEntries(entries.filter(([, tiles]) => tiles.length > 0));
}

onBothEngines('map tiles', (fresh) => {
  let served: ServedRegistry;
  const pages = async () => (await served.readAll(IDS)).map(({ page }) => page);
  const compareAll = async () => {
    const published = await pages();
    for (const z of [14, 15, 16]) expect(await findEverywhere(served, z)).toEqual(expectedEverywhere(published, z));
  };
  /** The feature of a building in the tile of its own location, or in another tile. */
  const find = async (number: number, z: number, place?: Position) => {
    const [page] = await served.readAll([id(number)]);
    const { lat, lon } = (page as Published).page.location;
    const [x, y] = toTiles(place ?? [lon as number, lat as number], z).map(Math.floor) as Position;
    return (await tileOf(served, { z, x, y })).buildings?.find(({ properties }) => properties.id === id(number));
  };
  const later = (number: number, geometry: Json) =>
    building(number, {}, { geometry, retrievedAt: '2026-01-05T00:00:00Z', rawPayloadRef: `sha256:${number}` });

  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest(LINES);
    await mergeBuildings(served.context, id(11), id(12), null);
    await mergeBuildings(served.context, id(12), id(10), null);
    await retireBuilding(served.context, id(13), undefined, null);
    await retireBuilding(served.context, id(14), id(1), null);
  });
  afterAll(() => served.close());

  it('contain every published building in every tile that it touches, and nothing else', async () => {
    const published = await pages();
    const placed = Object.keys(expectedEverywhere(published, 14));
    expect(placed).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 20, 21, 22, 23, 30, 31].map((number) => id(number)));
    expect(tilesWith(published.find((page) => page.id === id(5)) as BuildingPage, 14)).toHaveLength(4);
    await compareAll();
  });

  it('have the name, use and height of a building', async () => {
    expect(await find(1, 16)).toMatchObject({
      id: 1_300_000_001,
      properties: { id: id(1), name: '第1ビル', category: 'office', height: 31.5, floors: 9 },
    });
    const other = await find(2, 16);
    expect(other?.properties).toEqual({ id: id(2), name: '第2ビル', category: 'unspecified' });
  });

  it('contain any name unchanged up to a maximum length', async () => {
    for (const [i, name] of HOSTILE.entries()) expect((await find(20 + i, 14))?.properties.name).toBe(name);
    expect((await find(30, 14))?.properties.name).toBe(`${'🏢'.repeat(99)}a`);
  });

  it('contain footprints to within one unit, including holes and parts', async () => {
    for (const page of await pages()) {
      if (page.geometry?.type !== 'Polygon') continue;
      const { coordinates } = page.geometry;
      for (const z of [14, 15, 16]) {
        const corners = (coordinates[0] as Ring).map((place) => toTiles(place, z));
        const [x, y] = (corners[0] as Position).map(Math.floor) as Position;
        if (corners.some((corner) => Math.floor(corner[0]) !== x || Math.floor(corner[1]) !== y)) continue;
        const shown = (await tileOf(served, { z, x, y })).buildings?.find(
          ({ properties }) => properties.id === page.id,
        );
        expect(shown?.rings).toHaveLength(coordinates.length);
        const units = coordinates.map((ring) => ring.map((place) => toTiles(place as Position, z)));
        for (const [i, ring] of units.entries()) {
          for (const [px, py] of ring) {
            const near = shown?.rings[i]?.some(
              ([sx, sy]) => Math.abs(sx - (px - x) * 4096) <= 0.51 && Math.abs(sy - (py - y) * 4096) <= 0.51,
            );
            expect(near, `${page.id} at ${z}`).toBe(true);
          }
        }
      }
    }
    const holed = await find(2, 14);
    expect(holed?.geojson.geometry).toMatchObject({
      type: 'Polygon',
      coordinates: [expect.anything(), expect.anything()],
    });
    for (const part of [LON + 0.0001, LON + 0.0301]) {
      expect((await find(3, 16, [part, part > LON + 0.01 ? LAT : LAT + 0.0021]))?.geojson.geometry.type).toBe(
        'Polygon',
      );
    }
    expect((await find(31, 16))?.geojson.geometry.type).toBe('MultiPolygon');
    expect((await find(6, 14))?.geojson.geometry.type).toBe('Point');
  });

  it('are empty where there are no buildings', async () => {
    for (const tile of [
      { z: 16, x: 0, y: 0 },
      { z: 16, x: 65_535, y: 65_535 },
      { z: 14, x: 14_000, y: 6_000 },
      { z: 5, x: 3, y: 3 },
    ]) {
      const { statusCode, headers, rawPayload } = await served.app.inject({ url: tileUrl(tile) });
      expect([statusCode, headers['content-type'], rawPayload.length]).toEqual([200, TILE_TYPE, 0]);
    }
  });

  it('have a strong ETag, and HEAD has the headers of GET', async () => {
    const [x, y] = toTiles(MARUNOUCHI, 14).map(Math.floor) as Position;
    const url = tileUrl({ z: 14, x, y });
    const { headers } = await served.get(url);
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(await served.get(url, { 'if-none-match': String(headers.etag) })).toMatchObject({ status: 304, body: '' });
    expect((await served.get(url, { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
    await listening(serverOn(openRegistry(served.context.storage)), async (port) => {
      for (const path of [url, '/japan/tiles/4/0/0', '/japan/tiles/17/0/0']) {
        const got = await ask(port, { path });
        const head = await ask(port, { path, method: 'HEAD' });
        expect([head.status, head.body]).toEqual([got.status, '']);
        expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
      }
    });
  });

  it('follow a changed footprint, a merge, an undone merge and a retirement at once', async () => {
    const [x, y] = toTiles(MARUNOUCHI, 14).map(Math.floor) as Position;
    const tag = async () => (await served.get(tileUrl({ z: 14, x, y }))).headers.etag;
    const before = await tag();
    expect(await tag()).toBe(before);
    await served.ingest([later(1, square([LON - 0.001, LAT], 0.0003)), later(4, square([LON, LAT - 0.001]))]);
    expect(await tag()).not.toBe(before);
    await compareAll();
    await mergeBuildings(served.context, id(4), id(1), null);
    await compareAll();
    await unmergeBuilding(served.context, id(12), null);
    await retireBuilding(served.context, id(5), id(1), null);
    await compareAll();
  });
});

describe('the paths of tiles', () => {
  const app = serverOn(emptyRegistry);
  afterAll(() => app.close());

  it.each([
    ...['1/2/3', '1/2/0', '1/0/2', '0/0/1', '17/0/0', '99/0/0', '-1/0/0', '1/-1/0', '1/0/-1', '1e1/0/0', '4/1e0/0'],
    ...['01/0/0', '4/01/0', '4/0/00', '+4/0/0', '4.0/0/0', '4/0/0.0', '4/0/0.mvt', '%00/0/0', '4/%00/0', '4/0/%00'],
    ...['4/0/0%00', '4/0/%20', '0x4/0/0', '４/0/0', `4/0/${'9'.repeat(400)}`, `${'9'.repeat(400)}/0/0`, 'z/x/y', '4/0'],
    ...['4', '4/0/0/0', '4//0', '/0/0', '{z}/{x}/{y}', '16/65536/0', '16/0/65536', 'Infinity/0/0'],
  ])('are invalid: %s', async (path) => {
    const answer = answerOf(await app.inject({ url: `/japan/tiles/${encodeURI(decodeURI(path))}` }));
    expectRefusal(answer, 404);
  });

  it.each(['0/0/0', '1/1/1', '13/7276/3225', '16/65535/65535', '4/%30/0', '4/0/0?x=%zz'])(
    'are valid: %s',
    async (path) => {
      expect((await app.inject({ url: `/japan/tiles/${path}` })).statusCode).toBe(200);
    },
  );

  it('allow only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const) {
      const answer = answerOf(await app.inject({ url: '/japan/tiles/4/0/0', method }));
      expectRefusal(answer, 405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
  });

  it('API-06 an internal error shows no details', async () => {
    const faulty = serverOn(faultyRegistry(new Error('SECRET in node_modules')));
    const answer = answerOf(await faulty.inject({ url: '/japan/tiles/14/14552/6451' }));
    expectRefusal(answer, 500);
    expectNothingInside(answer);
    for (const name of ['etag', 'cache-control']) expect(answer.headers).not.toHaveProperty(name);
    await faulty.close();
  });

  it('count against the page limit', async () => {
    const limited = serverOn(emptyRegistry, undefined, { rateLimit: { api: 0, page: 1, mcp: 0 } });
    expect((await limited.inject({ url: '/japan/tiles/4/0/0' })).statusCode).toBe(200);
    expect((await limited.inject({ url: '/japan/tiles/4/0/0' })).statusCode).toBe(429);
    await limited.close();
  });
});
