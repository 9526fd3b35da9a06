import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MapPoints } from '../../src/registry/map-points/map-points.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import type { Position } from '../../src/vocabulary/geometry.ts';
import { onBothEngines } from '../support/engines.ts';
import { anyList, type ListParameters, listQuery, naiveList } from '../support/naive-list.ts';
import { openPageTown, TOWN_LIVE } from '../support/page-town.ts';
import { Random } from '../support/random.ts';
import { AREA, AREAS, building, id, square } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';

const URL = '/japan/map-points';

async function points(registry: ServedRegistry, query: string): Promise<MapPoints> {
  const { status, headers, body } = await registry.get(`${URL}?${query}`);
  expect([query, status, headers['content-type']]).toEqual([query, 200, 'application/geo+json; charset=utf-8']);
  return JSON.parse(body) as MapPoints;
}

const countOf = ({ properties }: MapPoints['features'][0]) => ('count' in properties ? properties.count : 1);
const sum = ({ features }: MapPoints) => features.reduce((all, feature) => all + countOf(feature), 0);

onBothEngines('the points of a list for its map', (fresh) => {
  let town: ServedRegistry;
  let records: BuildingPage[];
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    records = (await town.readAll(TOWN_LIVE)).map(({ page }) => page);
  });
  afterAll(() => town.close());

  /** Every building of the list with a point, whatever page is asked for. */
  async function expectPoints(parameters: ListParameters) {
    const { page: _, ...all } = parameters;
    const found = await points(town, listQuery(parameters));
    const ids: string[] = [];
    const { total, pages } = naiveList(records, all);
    for (let page = 1; page <= pages; page++) ids.push(...naiveList(records, { ...all, page }).ids);
    const located = records.filter(({ id, location }) => ids.includes(id) && location.lat !== null);
    expect([found.total, found.located, sum(found)]).toEqual([total, located.length, located.length]);
    const listed = found.features.map(({ properties }) => ('id' in properties ? properties.id : ''));
    expect(listed.sort()).toEqual(located.map(({ id }) => id).sort());
    for (const { geometry, properties } of found.features) {
      const { location, fields } = located.find(({ id }) => 'id' in properties && id === properties.id) as BuildingPage;
      const [lon, lat] = geometry.coordinates;
      expect([Math.abs(lon - Number(location.lon)), Math.abs(lat - Number(location.lat))].every((d) => d < 1e-6)).toBe(
        true,
      );
      expect(properties).toMatchObject({ ...(fields.nameJa && { name: fields.nameJa.value }) });
    }
    if (located.length === 0) expect(found.bbox).toBeNull();
  }

  it('UI-84 has all buildings of the list with a point, for any filters', async () => {
    await expectPoints({});
    const random = new Random(84);
    for (let i = 0; i < 60; i++) await expectPoints(anyList(random));
  });

  it('UI-84 has the buildings of an owner', async () => {
    const owner = String(
      records.find(({ fields, location }) => fields.ownerPublic && location.lat)?.fields.ownerPublic?.value,
    );
    const owned = records.filter(
      ({ fields, location }) => fields.ownerPublic?.value === owner && location.lat !== null,
    );
    const found = await points(town, `owner=${encodeURIComponent(owner)}`);
    expect([found.located, sum(found)]).toEqual([owned.length, owned.length]);
    expect(owned.length).toBeGreaterThan(0);
  });

  it('UI-84 ignores sort and page', async () => {
    const plain = await town.get(`${URL}?type=office`);
    const other = await town.get(`${URL}?type=office&sort=height&page=3`);
    expect(other.body).toBe(plain.body);
    expect((await town.get(`${URL}?type=office`, { 'if-none-match': String(plain.headers.etag) })).status).toBe(304);
  });

  it('UI-84 an invalid box is ignored, an empty one has nothing', async () => {
    const all = await points(town, '');
    for (const box of ['', 'a,b,c,d', '1,2,3', '1,2,3,4,5', '139,35,140', 'NaN,0,0,0'])
      expect(await points(town, `bbox=${encodeURIComponent(box)}`)).toEqual(all);
    expect(await points(town, 'bbox=0,0,1,1')).toEqual({ ...all, features: [] });
  });
});

const MANY = 1_500;
const WEST: Position = [139.7, 35.6];

onBothEngines('the points of a long list for its map', (fresh) => {
  let registry: ServedRegistry;
  const at = (i: number): Position => [WEST[0] + (i % 50) * 0.004, WEST[1] + Math.floor(i / 50) * 0.004];
  const place = (i: number) => building(i, { nameJa: `第${i}棟` }, { area: AREA, geometry: square(at(i)) });
  beforeAll(async () => {
    registry = await openServedRegistry(await fresh());
    await registry.ingest([...AREAS, ...Array.from({ length: MANY }, (_, i) => place(i))]);
  });
  afterAll(() => registry.close());

  it('UI-84 many buildings are counted by cells, exactly', async () => {
    const found = await points(registry, '');
    expect([found.total, found.located, sum(found)]).toEqual([MANY, MANY, MANY]);
    expect(found.features.length).toBeLessThanOrEqual(1_000);
    const [west, south, east, north] = found.bbox as [number, number, number, number];
    for (const { geometry } of found.features) {
      const [lon, lat] = geometry.coordinates;
      expect(lon >= west && lon <= east && lat >= south && lat <= north).toBe(true);
    }
  });

  it('UI-84 boxes that meet at their edges have each building once', async () => {
    const all = await points(registry, '');
    const parts = ['139,35,139.8,36', '139.8,35,140,36'].map((box) => points(registry, `bbox=${box}`));
    const [left, right] = (await Promise.all(parts)) as [MapPoints, MapPoints];
    expect(sum(left) + sum(right)).toBe(MANY);
    expect([left.located, left.bbox]).toEqual([all.located, all.bbox]);
    expect(left.features.some((feature) => 'id' in feature.properties)).toBe(true);
  });

  it('UI-84 a building that moved is counted where it is now', async () => {
    const moved: Position = [141, 38];
    await registry.ingest([
      { ...place(7), geometry: square(moved), retrievedAt: '2026-01-02T00:00:00Z', rawPayloadRef: 'sha256:bb' },
    ]);
    const found = await points(registry, 'bbox=140.9,37.9,141.1,38.1');
    expect(found.features.map(({ properties }) => properties)).toEqual([{ id: id(7), name: '第7棟' }]);
    expect([found.total, found.located, sum(await points(registry, ''))]).toEqual([MANY, MANY, MANY]);
  });
});
