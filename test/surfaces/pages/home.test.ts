import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../../support/engines.ts';
import {
  attributeOf,
  canonicalOf,
  linksOf,
  listedIds,
  readHtml,
  select,
  selectOne,
  targetOf,
  textOf,
} from '../../support/html-tree.ts';
import { HUBS, openPageTown, TOWN, TOWN_LIVE } from '../../support/page-town.ts';
import { byRecency, openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';

onBothEngines('the home page', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const read = async (url: string) => {
    const { status, headers, body } = await town.get(url);
    expect([url, status, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8']);
    return readHtml(body);
  };
  const latest = async (prefix = '') => {
    const all = await town.readAll(TOWN_LIVE);
    return all
      .map(({ page }) => page)
      .filter(({ path }) => path.startsWith(prefix))
      .sort(byRecency)
      .map(({ id }) => id);
  };

  it('PAG-01 shows the number of buildings, the recently updated ones and the prefectures', async () => {
    const page = await read('/japan');
    const all = await latest();
    expect(textOf(selectOne(page, '.hero .lead'))).toContain(`${all.length} buildings,`);
    expect(listedIds(page)).toEqual(all.slice(0, 6));
    expect(select(page, 'nav.inside li').map(textOf)).toEqual(['Tokyo 東京都 51', '大阪府 1']);
  });

  it.each([
    ['prefecture=tokyo', '東京都', HUBS.prefecture],
    ['prefecture=tokyo&ward=chiyoda-ku', '千代田区', HUBS.ward],
    ['ward=chiyoda-ku&machiAza=marunouchi-1-chome&prefecture=tokyo', '丸の内1丁目', HUBS.machiAza],
    ['prefecture=osaka', '大阪府', '/japan/osaka'],
  ])('PAG-01 %s filters in place', async (query, name, path) => {
    const page = await read(`/japan?${query}`);
    const there = await latest(path);
    expect(textOf(selectOne(page, '#browse-title'))).toContain(name);
    expect(listedIds(page)).toEqual(there.slice(0, 6));
    expect(linksOf(selectOne(page, '#browse'))).toContain(path);
    expect(textOf(selectOne(page, '.hero .lead'))).toContain(`${TOWN_LIVE.length} buildings,`);
    const all = linksOf(page, 'section a').map(targetOf);
    const list = all.find(({ pathname, search }) => pathname === '/japan/areas' && search !== '');
    const requested = Object.fromEntries(list?.searchParams ?? []);
    expect(requested).toEqual(Object.fromEntries(new URLSearchParams(query)));
  });

  it('PAG-01 every area link filters the page by that area, with the right count', async () => {
    for (const url of ['/japan', '/japan?prefecture=tokyo', '/japan?prefecture=tokyo&ward=chiyoda-ku']) {
      const page = await read(url);
      const rows = select(page, 'nav.inside li');
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const [link = ''] = linksOf(row);
        const { pathname, search, hash } = targetOf(link);
        expect([pathname, hash]).toEqual(['/japan', '#browse']);
        const inside = await read(`${pathname}${search}`);
        const count = Number(textOf(selectOne(row, '.amount')));
        const text = select(inside, '#browse p').map(textOf).join();
        expect(text).toContain(count === 1 ? '1 building ' : `${count} buildings `);
      }
    }
  });

  it.each([
    'prefecture=nowhere',
    'prefecture=TOKYO',
    'prefecture=%00',
    'prefecture=tokyo%2Fchiyoda-ku',
    'prefecture=../tokyo',
  ])('PAG-01 %s is ignored with a notice', async (query) => {
    const [page, plain] = [await read(`/japan?${query}`), await read('/japan')];
    expect(listedIds(page)).toEqual(listedIds(plain));
    expect(textOf(selectOne(page, '[role=status]'))).toBe('Area not found');
  });

  it.each(['ward=nowhere', 'machiAza=nowhere', 'prefecture=osaka&machiAza=nowhere'])(
    'PAG-01 %s never shows an empty page',
    async (query) => {
      const page = await read(`/japan?${query}`);
      expect(listedIds(page).length).toBeGreaterThan(0);
      expect(select(page, '[role=status]').map(textOf)).toEqual(['Area not found']);
    },
  );

  it('PAG-06 the search box and the quick filters search all of Japan, whatever area the page shows', async () => {
    for (const url of ['/japan', '/japan?prefecture=tokyo&ward=chiyoda-ku&q=x&page=3']) {
      const page = await read(url);
      const form = selectOne(page, 'form[role=search]');
      expect([attributeOf(form, 'action'), attributeOf(form, 'method')]).toEqual(['/japan/areas', 'get']);
      expect(select(form, 'input').map((input) => attributeOf(input, 'name'))).toEqual(['q']);
      const quick = linksOf(page, '.quick a').map(targetOf);
      expect(quick.length).toBeGreaterThan(3);
      for (const { pathname, searchParams } of quick) {
        expect(pathname).toBe('/japan/areas');
        expect([...searchParams.keys()].length).toBeGreaterThan(0);
        for (const level of ['prefecture', 'ward', 'machiAza']) expect(searchParams.has(level)).toBe(false);
      }
    }
  });

  it('PAG-06 the list supports every quick filter', async () => {
    for (const link of linksOf(await read('/japan'), '.quick a')) {
      const list = await read(link);
      const { searchParams } = targetOf(link);
      const active = select(list, '.active li').length;
      const filters = [...searchParams.keys()].filter((name) => name !== 'sort');
      expect([link, active]).toEqual([link, filters.length]);
      if (searchParams.has('sort')) {
        const chosen = selectOne(list, 'option[selected]');
        expect(attributeOf(chosen, 'value')).toBe(searchParams.get('sort'));
      }
    }
  });

  it('PAG-14 has the same canonical URL with any query', async () => {
    for (const url of ['/japan', '/japan?prefecture=tokyo', '/japan?x=y']) {
      expect(canonicalOf(await read(url))).toBe('http://localhost/japan');
    }
  });

  it('an empty registry has a home page', async () => {
    const empty = await openServedRegistry(await fresh());
    const { status, body } = await empty.get('/japan');
    expect(status).toBe(200);
    const page = readHtml(body);
    expect(textOf(selectOne(page, '.hero .lead'))).toContain('0 buildings,');
    expect(textOf(selectOne(page, 'main'))).toContain('No buildings published yet');
    expect((await empty.get('/japan/areas')).status).toBe(200);
    await empty.close();
  });

  it('omits buildings that are merged, retired or without a location', async () => {
    const { body } = await town.get('/japan?prefecture=tokyo');
    for (const gone of [...TOWN.chain.slice(0, 2), TOWN.retiredInto.from, TOWN.retired, TOWN.unplaced]) {
      expect(body).not.toContain(gone);
    }
  });
});
