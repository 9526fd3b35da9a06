import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { SummaryItemSchema } from '../../src/vocabulary/building-summary.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREAS, building, id, MARUNOUCHI, record, square } from '../support/records.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';

const API = '/japan/api/v1';
interface Page<T> {
  items: T[];
  page: number;
  total: number;
  totalCapped: boolean;
  view?: string;
}
type Item = Record<string, unknown> & { id: string };

const [lon, lat] = MARUNOUCHI;
const SHAPE = Object.keys(SummaryItemSchema.properties).filter((name) => name !== 'distanceM');

onBothEngines('searches beyond the contract', (fresh) => {
  let small: SmallRegistry;
  const read = async (path: string, headers = {}) => small.app.inject({ url: `${API}${path}`, headers });
  const search = async <T = Item>(query: string): Promise<Page<T>> => {
    const { statusCode, body } = await read(`/assets?${query}`);
    expect([query, statusCode]).toEqual([query, 200]);
    return JSON.parse(body) as Page<T>;
  };
  const idsOf = async (query: string) => (await search(query)).items.map((item) => item.id);
  const statusOf = async (path: string) => (await read(path)).statusCode;

  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    const at = (east: number, half: number) => ({ geometry: square([lon + east, lat], half) });
    const point = { type: 'Point', coordinates: [lon + 0.01, lat + 0.001] };
    await small.ingest([
      ...AREAS,
      building(60, { nameJa: '高層', heightM: 250, floorsAbove: 52, assetTypes: 'office' }, at(0.01, 0.0002)),
      building(61, { nameJa: '中層', heightM: 40, floorsAbove: 10, assetTypes: 'hotel' }, at(0.012, 0.0001)),
      building(62, { nameJa: '点だけ', assetTypes: 'office' }, { geometry: point }),
      record('plateau', 'b60', { heightM: 252 }, { building: id(60) }),
      record('wikidata', 'Q60', { yearBuilt: 2012, ownerPublic: '所有者甲' }, { building: id(60) }),
      record('wikidata', 'Q61', { yearBuilt: 1968 }, { building: id(61) }),
      record('wikidata', 'Q62', { yearBuilt: 1968 }, { building: id(62) }),
    ]);
  });
  afterAll(() => small.close());

  it('FIT-01 a search with the defaults of every new parameter has the bytes of one without', async () => {
    const plain = await read('/assets?prefecture=tokyo');
    const same = await read('/assets?prefecture=tokyo&view=full&sort=recorded');
    expect(same.body).toBe(plain.body);
    expect(same.headers.etag).toBe(plain.headers.etag);
    expect(Object.keys(JSON.parse(plain.body))).toEqual(['items', 'page', 'total', 'totalCapped']);
    expect((await search('view=full&heightMin=1')).view).toBeUndefined();
  });

  it('FIT-01 FIT-02 FIT-03 FIT-04 FIT-05 FIT-06 a malformed parameter is 400 and is not repeated', async () => {
    const wrong = [
      ...['view=', 'view=short', 'view=full&view=full', 'floorsMin=', 'floorsMin=-1', 'heightMax=1e3', 'builtMin=x'],
      ...[
        'heightMin=1&heightMin=1',
        'heightMin=%2B5',
        'heightMin=.5',
        'heightMin=5.',
        'has=',
        'has=owner,',
        'has=walls',
      ],
      ...['has=owner&has=reit', 'sort=', 'sort=Height', 'sort=distance', 'near=', 'near=35', 'near=35,139,1'],
      ...['near=139.76,35.68', 'near=35,181', 'near=a,b', 'near=NaN,139', 'near=35.6,139.7&radius=5000.1'],
      ...[
        'near=35.6,139.7&radius=-1',
        'near=35.6,139.7&radius=',
        'radius=100',
        'bbox=',
        'bbox=1,2,3',
        'bbox=1,2,3,4,5',
      ],
      ...['bbox=140,35,139,36', 'bbox=139,36,140,35', 'bbox=139,35,181,36', 'bbox=139,35,140,91', 'bbox=a,b,c,d'],
    ];
    for (const query of wrong) {
      const { statusCode, body, headers } = await read(`/assets?${query}`);
      expect([query, statusCode, headers['content-type']]).toEqual([
        query,
        400,
        'application/problem+json; charset=utf-8',
      ]);
      expect(JSON.parse(body).detail).toMatch(/^query parameters: \w+ /);
      expect(body).not.toContain('walls');
    }
    for (const path of [`/assets/${SMALL.full}?view=x`, `/owners/x/assets?view=`])
      expect(await statusOf(path)).toBe(400);
  });

  it('FIT-02 ranges include both ends; min over max finds nothing', async () => {
    expect(await idsOf('heightMin=252&heightMax=252')).toEqual([id(60)]);
    expect((await idsOf('builtMax=1968')).toSorted()).toEqual([id(61), id(62)]);
    expect(await idsOf('builtMin=1960&builtMax=1970&type=hotel')).toEqual([id(61)]);
    expect(await idsOf('floorsMin=52.0')).toEqual([id(60)]);
    expect(await search('heightMin=3&heightMax=2')).toEqual({ items: [], page: 1, total: 0, totalCapped: false });
  });

  it('FIT-03 has requires everything that it names', async () => {
    for (const has of ['owner,yearBuilt', 'owner,%20yearBuilt', '%20owner%20,yearBuilt']) {
      expect(await idsOf(`has=${has}&type=office`)).toEqual([id(60)]);
    }
    expect(await idsOf('has=noConflict&q=高層')).toEqual([]);
    expect(await idsOf('has=reit')).toEqual([]);
    expect((await idsOf('has=venues')).includes(SMALL.full)).toBe(true);
  });

  it('FIT-04 sorts figures descending, names ascending, missing values last, ties by ID', async () => {
    const all = await search<BuildingPage>('sort=height');
    const heights = all.items.map(({ fields }) => fields.heightM?.value as number | undefined);
    const known = heights.filter((height) => height !== undefined);
    expect(heights.slice(0, known.length)).toEqual(known.toSorted((a, b) => b - a));
    const rest = all.items.slice(known.length).map((item) => item.id);
    expect(rest).toEqual(rest.toSorted());
    expect(all.total).toBe((await search('')).total);
  });

  it('FIT-05 near measures to the footprint, orders by distance, and keeps q, type and ranges', async () => {
    const here = `near=${lat},${lon + 0.01}`;
    const page = await search<Item & { distanceM: number }>(`${here}&radius=300&view=summary&sort=distance`);
    expect(page.items.map((item) => item.id)).toEqual([id(60), id(62), id(61)]);
    const [inside, point, other] = page.items.map(({ distanceM }) => distanceM) as [number, number, number];
    expect(inside).toBe(0);
    expect(point).toBeCloseTo(111, 0);
    // 0.0019 degrees of longitude.
    expect(other).toBeCloseTo(172, 0);
    expect(page.total).toBe(3);
    expect(await idsOf(`${here}&radius=172.5&sort=name`)).toHaveLength(3);
    expect(await idsOf(`${here}&radius=150`)).toHaveLength(2);
    expect(await idsOf(`${here}&type=hotel`)).toEqual([id(61)]);
    expect(await idsOf(`${here}&q=中層`)).toEqual([id(61)]);
    expect(await idsOf(`${here}&heightMin=100`)).toEqual([id(60)]);
    expect(await idsOf(`${here}&radius=0`)).toEqual([id(60)]);
    expect(await idsOf('near=-90,0')).toEqual([]);
    const full = await search<BuildingPage>(`${here}&radius=300`);
    expect(full.items.every((item) => 'geometry' in item && !('distanceM' in item))).toBe(true);
  });

  it('FIT-06 bbox meets the box of the footprint, edges included', async () => {
    const east = `${lon + 0.0098}`;
    expect(await idsOf(`bbox=${lon + 0.005},${lat},${east},${lat}`)).toEqual([id(60)]);
    expect(await idsOf(`bbox=${lon + 0.005},${lat},${lon + 0.00979},${lat}`)).toEqual([]);
    expect(await idsOf(`bbox=${lon + 0.01},${lat + 0.001},${lon + 0.01},${lat + 0.001}`)).toEqual([id(62)]);
  });

  it('FIT-08 a summary has the names, the figures and what disagrees', async () => {
    const page = await search('q=高層&view=summary');
    expect(page).toMatchObject({ page: 1, total: 1, totalCapped: false, view: 'summary' });
    const [item] = page.items as [Item];
    expect(Object.keys(item)).toEqual(SHAPE);
    expect(item).toMatchObject({ id: id(60), nameJa: '高層', nameEn: null, categories: ['office'], hasReit: false });
    expect(item).toMatchObject({ conflictsFlagged: 1 });
    const { figures } = item as Item & { figures: Record<string, unknown> };
    expect(Object.keys(figures)).toEqual(['heightM', 'floorsAbove', 'yearBuilt', 'ownerPublic']);
    expect(figures.heightM).toMatchObject({
      unit: 'm',
      estimated: false,
      conflict: { value: expect.any(Number), source: expect.any(String) },
    });
    expect(Object.keys(figures.heightM as object)).toEqual([
      'value',
      'unit',
      'source',
      'confidence',
      'estimated',
      'conflict',
    ]);
    expect(figures.yearBuilt).toMatchObject({ value: 2012, unit: null, source: 'wikidata', conflict: null });
  });

  it('FIT-10 the summary of one building has every field, as text where it can be', async () => {
    const page = JSON.parse((await read(`/assets/${SMALL.full}`)).body) as BuildingPage;
    const { body, headers } = await read(`/assets/${SMALL.full}?view=summary`);
    const summary = JSON.parse(body);
    expect(Object.keys(summary)).toEqual([
      ...['id', 'path', 'nameJa', 'nameEn', 'addressJa', 'categories', 'lat', 'lon'],
      ...['fields', 'aliases', 'sources', 'attribution'],
    ]);
    expect(Object.keys(summary.fields)).toEqual(Object.keys(page.fields));
    expect(Object.keys(summary.fields.heightM)).toEqual([
      'value',
      'unit',
      'source',
      'retrievedAt',
      'confidence',
      'estimated',
      'conflict',
    ]);
    expect(summary.aliases).toEqual(page.aliases.map(({ value }) => value));
    expect(summary.attribution).toEqual(page.attribution);
    expect(summary.sources).toEqual(page.sources.map(({ fields: _, ...cited }) => cited));
    const again = await read(`/assets/${SMALL.full}?view=summary`, { 'if-none-match': headers.etag });
    expect(again.statusCode).toBe(304);
    const moved = await read(`/assets/${SMALL.chain[0]}?view=summary`);
    expect([moved.statusCode, moved.headers.location]).toEqual([301, `${API}/assets/${SMALL.chain[2]}?view=summary`]);
    expect(await statusOf(`/assets/${SMALL.unknown}?view=summary`)).toBe(404);
  });

  it('FIT-11 the portfolio of an owner can be read as summaries', async () => {
    const path = `/owners/${encodeURIComponent('所有者甲')}/assets`;
    const { body, headers } = await read(`${path}?view=summary`);
    const { owner, items, view } = JSON.parse(body);
    expect([owner, view, items.length]).toEqual(['所有者甲', 'summary', 1]);
    expect(Object.keys(items[0])).toEqual(SHAPE);
    expect(headers.etag).not.toBe((await read(path)).headers.etag);
    expect(JSON.parse((await read(`/owners/nobody/assets?view=summary`)).body)).toEqual({
      owner: 'nobody',
      items: [],
      view: 'summary',
    });
    expect((await read(`${path}?view=summary`, { 'if-none-match': headers.etag })).statusCode).toBe(304);
  });

  it('FIT-12 without q the total is exact, and with q it is capped as ever', async () => {
    const page = await search('heightMin=0&page=51');
    expect(page).toMatchObject({ items: [], page: 51, totalCapped: false });
    expect(page.total).toBe((await search('heightMin=0')).total);
    const head = await small.app.inject({ method: 'HEAD', url: `${API}/assets?view=summary` });
    expect(head.statusCode).toBe(200);
    expect(head.headers.etag).toBe((await read('/assets?view=summary')).headers.etag);
  });
});
