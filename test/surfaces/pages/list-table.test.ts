import { afterAll, beforeAll, expect, it } from 'vitest';
import { onSqlite } from '../../support/engines.ts';
import {
  attributeOf,
  linksOf,
  listedIds,
  readHtml,
  select,
  selectOne,
  targetOf,
  textOf,
} from '../../support/html-tree.ts';
import { HUBS, openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';

type Page = ReturnType<typeof readHtml>;

onSqlite('a list as a table, as files and for a comparison', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const read = async (url: string) => {
    const { status, body } = await town.get(url);
    expect([url, status]).toEqual([url, 200]);
    return readHtml(body);
  };
  const tableIds = (page: Page) =>
    linksOf(page, '.listing tbody th a').map((path) => path.slice(path.lastIndexOf('/') + 1));
  const headings = (page: Page) => select(page, '.listing thead th').map(textOf);

  it.each(['/japan/areas', HUBS.ward, '/japan/owners/%E4%B8%81%E6%8A%95%E8%B3%87%E6%B3%95%E4%BA%BA'])(
    'UI-65 %s has the same buildings as cards and as a table',
    async (path) => {
      for (const query of ['', '?sort=height', '?page=2', '?q=塔&sort=name']) {
        const cards = await read(`${path}${query}`);
        const table = await read(`${path}${query}${query === '' ? '?' : '&'}view=table`);
        expect(tableIds(table)).toEqual(listedIds(cards));
        expect(select(table, '.cards')).toEqual([]);
      }
    },
  );

  it('UI-65 shows the chosen columns; every cell keeps the label of its column', async () => {
    const page = await read('/japan/areas?view=table&columns=id,heightM&columns=architect,nonsense');
    expect(headings(page)).toEqual(['Compare', 'Name', 'ID', 'Height', 'Architect']);
    for (const row of select(page, '.listing tbody tr')) {
      expect(select(row, 'td .label').map(textOf)).toEqual(['ID', 'Height', 'Architect']);
    }
    const unknown = await read('/japan/areas?view=table&columns=nonsense');
    expect(headings(unknown).length).toBe(10);
  });

  it('UI-65 a row has the English name beside the Japanese one, as a card has', async () => {
    const cards = await read('/japan/areas');
    const shown = select(cards, '.card .also').map(textOf);
    expect(shown.length).toBeGreaterThan(0);
    expect(select(await read('/japan/areas?view=table'), '.listing th .also').map(textOf)).toEqual(shown);
    expect(select(await read('/japan/areas?view=table&columns=nameEn'), '.listing th .also')).toEqual([]);
  });

  it('UI-21 the conflicts of a table count slight ones too, and its heading says so', async () => {
    expect(headings(await read('/japan/areas?view=table'))).toContain('Conflicts, also slight');
    expect(headings(await read('/japan/areas?view=table&lang=ja'))).toContain('相違（全件）');
  });

  it('UI-65 view and columns stay in the links of paging, filters and location, and in the forms', async () => {
    const page = await read('/japan/areas?view=table&columns=id,heightM&sort=height');
    const kept = (link: string) => {
      const { searchParams } = targetOf(link);
      return [searchParams.get('view'), searchParams.get('columns')];
    };
    for (const link of [
      ...linksOf(page, '.pages a'),
      ...linksOf(page, '.listing thead a'),
      ...linksOf(page, '.areas a'),
    ]) {
      expect([link, ...kept(link)]).toEqual([link, 'table', 'id,heightM']);
    }
    const hidden = select(page, '.columns-choice input[type=hidden]').map((input) => [
      attributeOf(input, 'name'),
      attributeOf(input, 'value'),
    ]);
    expect(hidden).toEqual([
      ['sort', 'height'],
      ['view', 'table'],
    ]);
    const filters = select(page, 'form.filters input[type=hidden]').map((input) => attributeOf(input, 'name'));
    expect(filters).toEqual(expect.arrayContaining(['view', 'columns']));
  });

  it('UI-65 the headings of sortable columns are links to the orders of the list', async () => {
    const page = await read('/japan/areas?view=table&sort=height&page=2');
    const links = linksOf(page, '.listing thead a').map((link) => targetOf(link).searchParams);
    expect(links.map((parameters) => [parameters.get('sort'), parameters.get('page')])).toEqual([
      ['name', null],
      ['height', null],
      ['floors', null],
      ['built', null],
    ]);
    const sorted = select(page, '.listing thead th[aria-sort]');
    expect(sorted.map((heading) => [textOf(heading), attributeOf(heading, 'aria-sort')])).toEqual([
      ['Height', 'descending'],
    ]);
  });

  it.each(['/japan/areas?q=塔&sort=height', `${HUBS.machiAza}?type=office`, HUBS.prefecture])(
    'UI-61 %s links its files, which have its buildings',
    async (url) => {
      const page = await read(url);
      const links = linksOf(page, '.downloads a');
      expect(links.map((link) => targetOf(link).pathname)).toEqual(['/japan/areas.csv', '/japan/areas.geojson']);
      expect(linksOf(page, 'link[rel=alternate]').filter((link) => /\/areas\.(csv|geojson)/.test(link))).toHaveLength(
        2,
      );
      const { features, numberMatched } = JSON.parse((await town.get(links[1] as string)).body);
      const first = features.slice(0, 20).map(({ id }: { id: string }) => id);
      expect(first).toEqual(listedIds(page));
      expect(textOf(selectOne(page, '.total'))).toContain(String(numberMatched));
    },
  );

  it('UI-68 without scripts, ticked buildings are compared by one form', async () => {
    for (const view of ['', '?view=table']) {
      const page = await read(`/japan/areas${view}`);
      const form = selectOne(page, '#compare-form');
      const boxes = select(page, 'input[form=compare-form]');
      expect([attributeOf(form, 'action'), attributeOf(form, 'method'), boxes.length]).toEqual([
        '/japan/compare',
        'get',
        20,
      ]);
      const query = boxes.slice(0, 2).map((box) => `${attributeOf(box, 'name')}=${attributeOf(box, 'value')}`);
      const compared = await read(`${attributeOf(form, 'action')}?${query.join('&')}`);
      expect(select(compared, '.compare thead code').map(textOf)).toEqual(
        boxes.slice(0, 2).map((box) => attributeOf(box, 'value')),
      );
    }
  });

  it('UI-60, UI-68 without scripts, a building leads to its owner, its files and a comparison', async () => {
    const building = await read(townPath(TOWN.everything));
    const [owner] = linksOf(building, 'a').filter((link) => link.startsWith('/japan/owners/'));
    const page = await read(owner as string);
    expect(listedIds(page)).toEqual([TOWN.everything]);
    const [csv] = linksOf(page, '.downloads a');
    expect((await town.get(csv as string)).body).toContain(TOWN.everything);
    const [compare] = linksOf(building, '.compare-link');
    const comparison = await read(compare as string);
    const hidden = select(comparison, '.choose input[type=hidden]').map((input) => attributeOf(input, 'value'));
    expect(hidden).toEqual([TOWN.everything]);
  });
});
