import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Position } from '../../../src/vocabulary/geometry.ts';
import { onBothEngines } from '../../support/engines.ts';
import { fromTiles, type ReadFeature, readTile, tilesBetween, tileUrl, toTiles } from '../../support/map-tiles.ts';
import { AREAS, MARUNOUCHI, square } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';

const WARD_HALF = 0.03;
const TOWN_HALF = 0.003;
const JAPAN: Position[] = [
  [122, 24],
  [154, 46],
];

onBothEngines('map tiles of areas', (fresh) => {
  let served: ServedRegistry;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    const [prefecture, ward, town, other] = AREAS;
    await served.ingest([
      prefecture as object,
      { ...ward, boundary: square(MARUNOUCHI, WARD_HALF) },
      { ...town, boundary: square(MARUNOUCHI, TOWN_HALF) },
      other as object,
    ] as typeof AREAS);
  });
  afterAll(() => served.close());

  async function tile(z: number, x: number, y: number): Promise<Record<string, ReadFeature[]>> {
    const response = await served.app.inject({ url: tileUrl({ z, x, y }).replace('tiles/', 'tiles/areas/') });
    expect(response.statusCode).toBe(200);
    return response.rawPayload.length === 0 ? {} : readTile(response.rawPayload, { z, x, y });
  }
  const tileAt = (z: number) => {
    const [x, y] = toTiles(MARUNOUCHI, z).map(Math.floor) as Position;
    return tile(z, x, y);
  };

  it('UI-80 prefectures have an outline and one label each, at low zooms', async () => {
    for (const z of [0, 4, 6]) {
      const names: unknown[] = [];
      for (const { x, y } of tilesBetween(
        z,
        JAPAN.map((corner) => toTiles(corner, z)),
        0,
      )) {
        const { labels = [], land = [], lines = [] } = await tile(z, x, y);
        names.push(...labels.map(({ properties }) => `${properties.name} ${properties.nameEn}`));
        if (land.length > 0) expect(lines.some(({ properties }) => properties.kind === 'coast')).toBe(true);
      }
      expect(names).toHaveLength(47);
      expect(new Set(names)).toContain('東京都 Tokyo');
    }
    expect(Object.keys(await tileAt(11)).sort()).toEqual(['boundaries', 'labels']);
  });

  it('UI-81 wards are drawn from zoom 8 and machi-aza from zoom 12, where the registry has their boundaries', async () => {
    const levels = async (z: number) => [
      ...new Set((await tileAt(z)).boundaries?.map(({ properties }) => properties.level)),
    ];
    expect(await levels(7)).toEqual([]);
    expect(await levels(8)).toEqual(['ward']);
    expect(await levels(11)).toEqual(['ward']);
    expect(await levels(12)).toEqual(['ward', 'machiAza']);
    const { boundaries = [] } = await tileAt(14);
    expect(boundaries.map(({ properties }) => properties)).toEqual([
      { level: 'ward', name: '千代田区', nameEn: 'Chiyoda-ku' },
      { level: 'machiAza', name: '丸の内1丁目', nameEn: 'Marunouchi 1-chome' },
    ]);
  });

  it('UI-82 each area is labelled on one tile only', async () => {
    for (const z of [9, 13, 14]) {
      const corners = [-0.05, 0.05].map((d) => toTiles([MARUNOUCHI[0] + d, MARUNOUCHI[1] + d], z));
      const names: unknown[] = [];
      for (const { x, y } of tilesBetween(z, corners, 1)) {
        names.push(...((await tile(z, x, y)).labels ?? []).map(({ properties }) => properties.name));
      }
      expect(names.filter((name) => name === '千代田区')).toHaveLength(1);
      expect(names.filter((name) => name === '丸の内1丁目')).toHaveLength(z < 13 ? 0 : 1);
    }
  });

  it('a tile at sea is empty, and one that does not exist is refused', async () => {
    const [x, y] = toTiles(fromTiles([200, 100], 8), 8).map(Math.floor) as Position;
    expect(await tile(8, x, y)).toEqual({});
    expect((await served.get('/japan/tiles/areas/17/0/0')).status).toBe(404);
  });
});
