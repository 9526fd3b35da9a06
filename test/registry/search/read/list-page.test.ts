import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../../../src/registry/registry.ts';
import { SORTS } from '../../../../src/registry/search/format/segments.ts';
import type { ListQuery } from '../../../../src/registry/search/read/list-query.ts';
import { startSearchThreads } from '../../../../src/registry/search/read/search-threads.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { building, id, record } from '../../../support/records.ts';
import { openSmallRegistry, type SmallRegistry } from '../../../support/small-registry.ts';

const ALL: ListQuery = { types: [], words: [], has: [], ranges: {}, page: 1 };

onBothEngines('a page of a list', (fresh) => {
  let small: SmallRegistry;
  let registry: Registry;
  let threads: ReturnType<typeof startSearchThreads>;
  beforeAll(async () => {
    const database = await fresh();
    small = await openSmallRegistry(database);
    const lines = Array.from({ length: 60 }, (_, i) => [
      building(100 + i, { nameJa: `第${i}塔`, heightM: i, floorsAbove: i % 7, assetTypes: i % 2 ? 'office' : 'hotel' }),
      ...(i < 10 ? [record('wikidata', `Q${100 + i}`, { ownerPublic: '甲' }, { building: id(100 + i) })] : []),
    ]);
    await small.ingest(lines.flat());
    registry = openRegistry(small.context.storage);
    threads = startSearchThreads(database.url);
  });
  afterAll(async () => {
    await threads.close();
    await small.close();
  });
  const idsOf = async (query: Partial<ListQuery>) =>
    (await registry.list({ ...ALL, ...query })).items.map((item) => item.id);

  it('PAG-02 has twenty complete records and the total', async () => {
    const list = await registry.list({ ...ALL, q: '塔' });
    expect(list).toMatchObject({ total: 60, page: 1, pages: 3 });
    expect(list.items).toHaveLength(20);
    const first = await small.app.inject(`/japan/api/v1/assets/${list.items[0]?.id}`);
    expect(list.items[0]).toEqual(first.json());
  });

  it('PAG-02 is filtered by inclusive ranges and by required fields', async () => {
    expect((await idsOf({ q: '塔', ranges: { height: { min: 10, max: 12 } } })).sort()).toEqual([
      id(110),
      id(111),
      id(112),
    ]);
    expect(await idsOf({ ranges: { built: { min: 2001, max: 2001 } } })).toEqual([id(1)]);
    expect((await registry.list({ ...ALL, has: ['owner'] })).total).toBe(10);
    expect(await idsOf({ has: ['venues', 'yearBuilt'] })).toEqual([id(1)]);
    expect(await idsOf({ has: ['venues', 'noConflict'] })).toEqual([]);
    expect(await idsOf({ prefecture: 'nowhere' })).toEqual([]);
  });

  it('PAG-04 counts a building under each of its uses, whatever types are requested', async () => {
    const { byType, total } = await registry.list({ ...ALL, types: ['retail'] });
    expect(total).toBe(1);
    expect(byType).toMatchObject({ retail: 1, hotel: 30, logistics: 0 });
    const both = await registry.list({ ...ALL, q: '塔', types: ['office', 'hotel'] });
    expect(both.total).toBe(60);
    expect((await registry.list({ ...ALL, types: ['logistics'] })).total).toBe(0);
  });

  it('PAG-02 sorts numbers descending and names ascending, unknown values last, then by ID', async () => {
    expect((await idsOf({ sort: 'height' })).slice(0, 4)).toEqual([id(159), id(158), id(157), id(156)]);
    expect((await idsOf({ q: '塔', sort: 'floors' })).slice(0, 3)).toEqual([id(106), id(113), id(120)]);
    expect((await idsOf({ q: '塔', sort: 'name' })).slice(0, 3)).toEqual([id(100), id(110), id(111)]);
    const last = await registry.list({ ...ALL, sort: 'height', page: 4 });
    expect(last.items.slice(-2).every(({ fields }) => fields.heightM === undefined)).toBe(true);
  });

  it('PAG-02 shows the last page for any later one', async () => {
    const last = await registry.list({ ...ALL, q: '塔', sort: 'name', page: 3 });
    expect(await registry.list({ ...ALL, q: '塔', sort: 'name', page: 999_999 })).toEqual(last);
    expect(await registry.list({ ...ALL, q: 'nothing', page: 7 })).toMatchObject({
      total: 0,
      page: 1,
      pages: 0,
      items: [],
    });
  });

  it('is the same from a worker thread', async () => {
    const threaded = openRegistry(small.context.storage, threads);
    for (const sort of [undefined, ...SORTS]) {
      const query = { ...ALL, q: '第', sort, ranges: { height: { max: 40 } }, page: 2 };
      expect(await threaded.list(query)).toEqual(await registry.list(query));
    }
  });
});
