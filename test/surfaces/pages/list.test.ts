import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
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
import { anyList, type ListParameters, listQuery, naiveList } from '../../support/naive-list.ts';
import { HUBS, openPageTown, TOWN, TOWN_LIVE } from '../../support/page-town.ts';
import { Random } from '../../support/random.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';

const LIST = '/japan/areas';
const FULL =
  'q=%E5%A1%94&type=office,retail&floorsMin=1&floorsMax=9&heightMin=10&heightMax=60&has=noConflict&sort=height';

onBothEngines('the list of buildings', (fresh) => {
  let town: ServedRegistry;
  let records: BuildingPage[];
  let plain: [string, string] | undefined;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    records = (await town.readAll(TOWN_LIVE)).map(({ page }) => page);
  });
  afterAll(() => town.close());
  const bodyOf = async (url: string) => {
    const { status, headers, body } = await town.get(url);
    expect([url, status, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8']);
    return body;
  };
  const read = async (url: string) => readHtml(await bodyOf(url));
  const totalOf = (page: ReturnType<typeof readHtml>) =>
    Number(/^[\d,]+/.exec(textOf(selectOne(page, '.total')))?.[0].replaceAll(',', ''));

  async function expectList(url: string, parameters: ListParameters) {
    const page = await read(url);
    const expected = naiveList(records, parameters);
    expect([url, listedIds(page), totalOf(page)]).toEqual([url, expected.ids, expected.total]);
    return page;
  }

  it('PAG-02 lists every building, twenty per page, recently updated first', async () => {
    for (const page of [1, 2, 3]) await expectList(`${LIST}?page=${page}`, { page });
    expect(totalOf(await read(LIST))).toBe(TOWN_LIVE.length);
  });

  it.each<[string, ListParameters]>([
    ['q=塔', { q: '塔' }],
    ['q=甲+ビル', { q: '甲 ビル' }],
    ['type=hotel', { types: ['hotel'] }],
    ['page=3', { page: 3 }],
    ['floorsMin=9', { floors: [9] }],
    ['floorsMax=1', { floors: [undefined, 1] }],
    ['floorsMin=4&floorsMax=5', { floors: [4, 5] }],
    ['heightMin=50.25', { height: [50.25] }],
    ['heightMax=10', { height: [undefined, 10] }],
    ['builtMin=1999&builtMax=2002', { built: [1999, 2002] }],
    ['builtMax=1900', { built: [undefined, 1900] }],
    ['has=owner', { has: ['owner'] }],
    ['has=yearBuilt', { has: ['yearBuilt'] }],
    ['has=noConflict', { has: ['noConflict'] }],
    ['has=venues', { has: ['venues'] }],
    ['has=owner,yearBuilt,noConflict', { has: ['owner', 'yearBuilt', 'noConflict'] }],
    ['sort=footprint', { sort: 'footprint' }],
    ['sort=height', { sort: 'height' }],
    ['sort=floors', { sort: 'floors' }],
    ['sort=built', { sort: 'built' }],
    ['sort=name', { sort: 'name' }],
    ['prefecture=osaka', { prefecture: 'osaka' }],
    ['prefecture=tokyo&ward=chiyoda-ku', { prefecture: 'tokyo', ward: 'chiyoda-ku' }],
    [
      'prefecture=tokyo&ward=chiyoda-ku&machiAza=marunouchi-2-chome',
      { prefecture: 'tokyo', ward: 'chiyoda-ku', machiAza: 'marunouchi-2-chome' },
    ],
    ['ward=kita-ku', { ward: 'kita-ku' }],
    ['machiAza=umeda', { machiAza: 'umeda' }],
  ])('PAG-02 PAG-07 %s', async (query, parameters) => {
    const page = await expectList(`${LIST}?${encodeURI(query)}`, parameters);
    expect(listedIds(page).length).toBeGreaterThan(0);
  });

  it('PAG-02 PAG-04 PAG-07 any combination of parameters, with the count of each use', async () => {
    const random = new Random(7);
    for (let i = 0; i < 40; i++) {
      const parameters = anyList(random);
      const page = await expectList(`${LIST}?${listQuery(parameters)}`, parameters);
      const { byType } = naiveList(records, parameters);
      const shown = select(page, 'input[name=type]').map((input) => {
        const row = select(page, '.checks li').find((item) => select(item, 'input').includes(input));
        return [attributeOf(input, 'value'), Number(row && textOf(selectOne(row, '.amount')))] as const;
      });
      const selected = parameters.types ?? [];
      const expected = new Map([...selected.map((type) => [type, 0] as const), ...byType]);
      expect(Object.fromEntries(shown), listQuery(parameters)).toEqual(Object.fromEntries(expected));
      const checked = select(page, 'input[name=type][checked]').map((input) => attributeOf(input, 'value'));
      expect(checked.sort()).toEqual([...selected].sort());
    }
  });

  it.each([
    ['type=office,hotel', 'type=office&type=hotel'],
    ['type=office,hotel', 'type=hotel,,office,'],
    ['type=office,hotel', 'type=%20office%20,hotel&type=office'],
    ['has=owner,yearBuilt', 'has=owner&has=yearBuilt'],
    ['has=owner,yearBuilt', 'has=yearBuilt,owner&has=owner'],
    ['type=office,retail&has=noConflict,yearBuilt', 'has=noConflict&type=retail&has=yearBuilt&type=office'],
  ])('PAG-03 %s and %s give the same page', async (comma, repeated) => {
    for (const path of [LIST, ...Object.values(HUBS)]) {
      expect(await bodyOf(`${path}?${repeated}`)).toBe(await bodyOf(`${path}?${comma}`));
    }
  });

  it.each([
    ['apartments', 'residential'],
    ['共同住宅', 'residential'],
    ['ＯＦＦＩＣＥ', 'office'],
    ['事務所', 'office'],
    ['building=hotel', 'hotel'],
    ['shop', 'retail'],
  ])('PAG-04 the alias %s is %s', async (alias, category) => {
    const page = await bodyOf(`${LIST}?type=${encodeURIComponent(alias)}`);
    expect(page).toBe(await bodyOf(`${LIST}?type=${category}`));
    const tree = readHtml(page);
    const checked = select(tree, 'input[name=type][checked]').map((input) => attributeOf(input, 'value'));
    expect(checked).toEqual([category]);
    expect(totalOf(tree)).toBeGreaterThan(0);
  });

  it('PAG-04 a building with two uses counts under each, whatever types are selected', async () => {
    for (const query of ['q=梅田塔', 'q=梅田塔&type=hotel', 'q=梅田塔&type=retail,hotel']) {
      const page = await read(`${LIST}?${encodeURI(query)}`);
      expect(listedIds(page)).toEqual([TOWN.osaka]);
      const counts = select(page, 'fieldset .checks li')
        .map(textOf)
        .filter((row) => /\d$/.test(row));
      expect(counts).toEqual(['Retail 商業 1', 'Hotel 宿泊 1']);
    }
  });

  it('PAG-04 a word without a category finds the buildings that recorded it, and stays active', async () => {
    const recorded = records.filter(({ assetTypes }) => assetTypes.some(({ value }) => value === 'pagoda-like'));
    expect(recorded).toHaveLength(1);
    const page = await read(`${LIST}?type=Ｐagoda-like&sort=name`);
    expect(listedIds(page)).toEqual(recorded.map(({ id }) => id));
    expect(attributeOf(selectOne(page, 'input[name=type][checked]'), 'value')).toBe('pagoda-like');
    expect(select(page, '.active li').map(textOf)).toEqual(['Remove filter: Use “pagoda-like”×']);
    expect(linksOf(page, '.active a')).toEqual([`${LIST}?sort=name`]);
    const both = await read(`${LIST}?type=pagoda-like,hotel`);
    expect(totalOf(both)).toBe(1 + naiveList(records, { types: ['hotel'] }).total);
    for (const type of ['nosuchuse', 'constructor', 'tower', 'unknown']) {
      const none = await read(`${LIST}?type=${type}`);
      expect([type, listedIds(none), totalOf(none)]).toEqual([type, [], 0]);
      expect(attributeOf(selectOne(none, 'input[name=type][checked]'), 'value')).toBe(type);
    }
  });

  it('PAG-04 a selected type stays active with no matches', async () => {
    const page = await read(`${LIST}?type=agriculture&sort=name`);
    expect([listedIds(page), totalOf(page)]).toEqual([[], 0]);
    const checked = selectOne(page, 'input[name=type][checked]');
    expect(attributeOf(checked, 'value')).toBe('agriculture');
    expect(select(page, '.active li').map(textOf)).toEqual(['Remove filter: Agriculture×']);
    expect(linksOf(page, '.active a')).toEqual([`${LIST}?sort=name`]);
    const further = await read(`${LIST}?type=agriculture&prefecture=osaka`);
    expect(attributeOf(selectOne(further, 'input[name=type][checked]'), 'value')).toBe('agriculture');
  });

  it.each([
    ['', []],
    ['prefecture=tokyo', ['prefecture']],
    ['prefecture=tokyo&ward=chiyoda-ku', ['prefecture', 'ward']],
  ])('PAG-05 every link to another area keeps the filters and restarts at page 1: %s', async (place, levels) => {
    const parameters = new URLSearchParams(FULL);
    const page = await read(`${LIST}?${FULL}&page=2&${place}`);
    const [inside, crumbs] = [linksOf(page, 'nav.inside li a'), linksOf(page, 'nav.crumbs a')];
    expect(inside.length).toBeGreaterThan(0);
    expect(crumbs.length).toBe(levels.length + 1);
    for (const link of [...inside, ...crumbs]) {
      const { pathname, searchParams } = targetOf(link);
      expect(pathname).toBe(LIST);
      for (const level of ['prefecture', 'ward', 'machiAza']) searchParams.delete(level);
      expect(Object.fromEntries(searchParams)).toEqual(Object.fromEntries(parameters));
    }
    const deeper = ['prefecture', 'ward', 'machiAza'].slice(0, levels.length + 1);
    for (const link of inside) {
      const { searchParams } = targetOf(link);
      expect([...searchParams.keys()].filter((name) => /prefecture|ward|machiAza/.test(name))).toEqual(deeper);
    }
    const form = selectOne(page, 'form[data-filters]');
    const hidden = select(form, 'input[type=hidden]').map((input) => [
      attributeOf(input, 'name'),
      attributeOf(input, 'value'),
    ]);
    expect(Object.fromEntries(hidden)).toEqual(Object.fromEntries(new URLSearchParams(place)));
    expect(select(form, '[name=page]')).toEqual([]);
  });

  it('PAG-05 also from a list without results', async () => {
    const page = await read(`${LIST}?q=甲ビル&type=office&heightMin=3&prefecture=osaka&sort=name`);
    const wide = linksOf(page, '.empty a').find((link) => !link.includes('prefecture'));
    expect(Object.fromEntries(targetOf(wide ?? '').searchParams)).toEqual({
      q: '甲ビル',
      type: 'office',
      heightMin: '3',
      sort: 'name',
    });
  });

  it('every active filter is shown in the form and can be removed alone', async () => {
    const page = await read(`${LIST}?${FULL}&prefecture=tokyo`);
    const fieldOf = (name: string) => attributeOf(selectOne(page, `form[data-filters] [name=${name}]`), 'value');
    expect([fieldOf('q'), fieldOf('floorsMin'), fieldOf('heightMax'), fieldOf('builtMin')]).toEqual([
      '塔',
      '1',
      '60',
      '',
    ]);
    expect(select(page, 'input[name=has][checked]').map((input) => attributeOf(input, 'value'))).toEqual([
      'noConflict',
    ]);
    expect(attributeOf(selectOne(page, 'option[selected]'), 'value')).toBe('height');
    const texts = select(page, '.active li').map(textOf);
    expect(texts.map((text) => text.replace(/^Remove filter: |×$/g, ''))).toEqual([
      '“塔”',
      'Office',
      'Retail',
      'Floors 1 to 9',
      'Height 10 to 60 m',
      'No conflicts, not even slight',
    ]);
    const all = new URLSearchParams(`${FULL}&prefecture=tokyo`).size;
    for (const link of linksOf(page, '.active a')) {
      const { searchParams } = targetOf(link);
      expect(searchParams.get('prefecture')).toBe('tokyo');
      expect(all - searchParams.size).toBeLessThanOrEqual(2);
      expect(searchParams.toString()).not.toBe(new URLSearchParams(`${FULL}&prefecture=tokyo`).toString());
    }
  });

  it('paging keeps the filters and visits every building once', async () => {
    const seen: string[] = [];
    let url: string | undefined = `${LIST}?sort=name&has=noConflict`;
    while (url !== undefined) {
      const page: ReturnType<typeof readHtml> = await read(url);
      seen.push(...listedIds(page));
      expect(linksOf(page, 'nav.pages a').every((link) => link.includes('has=noConflict&sort=name'))).toBe(true);
      expect(linksOf(page, 'nav.pages [aria-current=page]')).toHaveLength(1);
      url = linksOf(page, 'a[rel=next]')[0];
    }
    const { total } = naiveList(records, { has: ['noConflict'] });
    expect([seen.length, new Set(seen).size]).toEqual([total, total]);
  });

  it.each(['page=99', 'page=50', 'page=999999999', 'page=99999999999999999999', `page=${'9'.repeat(400)}`])(
    '%s shows the last page, with a link to the first',
    async (query) => {
      const [page, last] = [await read(`${LIST}?${query}`), await read(`${LIST}?page=3`)];
      expect(listedIds(page)).toEqual(listedIds(last));
      expect(linksOf(page, 'nav.pages a')).toContain(LIST);
    },
  );

  it.each([
    ...['page=', 'sort=', 'has=', 'type=', 'heightMax=', 'postcode=', 'q=', 'q=%20%E3%80%80', 'type=,,,'],
    ...['x=y', '&&&', '=', '%', 'type=%00', 'prefecture=', 'ward=', 'type=%ED%A0%80'],
  ])('ignores %s', async (query) => {
    plain ??= [await bodyOf(LIST), await bodyOf(`${HUBS.prefecture}?type=office&has=noConflict`)];
    expect(await bodyOf(`${LIST}?${query}`)).toBe(plain[0]);
    expect(await bodyOf(`${HUBS.prefecture}?type=office&${query}&has=noConflict`)).toBe(plain[1]);
  });

  it.each(['prefecture=nowhere', 'prefecture=tokyo&ward=nowhere', 'ward=nowhere', 'prefecture=%3Cb%3E'])(
    'PAG-10 %s never shows an empty page',
    async (query) => {
      const page = await read(`${LIST}?${query}`);
      expect(listedIds(page)).toHaveLength(20);
      expect(select(page, '.notice').map(textOf).join()).toContain('Area not found');
    },
  );

  it('a ward without a prefecture is named in the heading', async () => {
    const page = await read(`${LIST}?ward=kita-ku`);
    expect(textOf(selectOne(page, 'h1'))).toBe('Buildings in kita-ku');
  });

  it('takes full-width digits, and explains a range whose minimum exceeds its maximum', async () => {
    await expectList(`${LIST}?heightMin=${encodeURIComponent('５０')}`, { height: [50] });
    const page = await expectList(`${LIST}?heightMin=50&heightMax=10`, { height: [50, 10] });
    expect(select(page, '.notice').map(textOf)).toEqual(['Height: minimum exceeds maximum, so no building matches.']);
  });

  it.each([
    ...['0', '-1', 'abc', '1.5', '1e3', '+1', '00'].map((page) => [`page=${page}`, 'page number is not a positive']),
    ['page=99', 'There is no such page. The last one, page 3, is shown.'],
    ['q=%E6%A2%85%E7%94%B0%E5%A1%94&page=2', 'There is no such page. Page 1 is shown.'],
    ...['random', 'HEIGHT', '__proto__'].map((sort) => [`sort=${sort}`, 'sort order is unknown']),
    ...['everything', 'OWNER', '%00', 'owner,x'].map((has) => [`has=${has}`, 'unknown value of “has”']),
    ['floorsMin=many', 'Floors: the minimum is not a usable number'],
    ['floorsMin=-5', 'Floors: the minimum is not a usable number'],
    ['builtMax=-0.5', 'Year built: the maximum is not a usable number'],
    ['builtMax=--1', 'Year built: the maximum is not a usable number'],
    ...['1e9', 'Infinity', 'NaN', '9'.repeat(20)].map((value) => [
      `heightMin=${value}`,
      'Height: the minimum is not a usable number',
    ]),
    ['type=nosuchuse', 'Unknown use “nosuchuse”: no building records it.'],
    ['type=office,nosuchuse', 'Unknown use “nosuchuse”'],
    ['postcode=12', 'postcode must have seven digits'],
    [`type=${Array.from({ length: 40 }, (_, i) => `word${i}`).join(',')}`, 'Only the first 32 unknown uses'],
  ])('UI-50 %s is told on the page, and on a hub and its Markdown twin', async (query, text) => {
    const page = await read(`${LIST}?${query}`);
    expect(select(page, '.notice').map(textOf).join('\n')).toContain(text);
    const hub = `${text.includes('page 3') ? 'page=999' : query}`;
    const told = text.includes('page 3') ? 'There is no such page.' : text;
    expect(
      select(await read(`${HUBS.prefecture}?${hub}`), '.notice')
        .map(textOf)
        .join('\n'),
    ).toContain(told);
    const twin = (await town.get(`${HUBS.prefecture}.md?${hub}`)).body.replaceAll('\\', '');
    expect(twin).toContain(told);
    const japanese = await town.get(`${LIST}?${query}&lang=ja`);
    const notices = select(readHtml(japanese.body), '.notice').map(textOf);
    expect(notices.length).toBeGreaterThan(0);
    for (const notice of notices) expect(notice).toMatch(/[ぁ-ん]/);
  });

  it('UI-49 a long search text is shown in part, except in its field', async () => {
    const q = '長'.repeat(3_000);
    const page = await read(`${LIST}?q=${encodeURIComponent(q)}`);
    const shown = `${'長'.repeat(59)}…`;
    expect(textOf(selectOne(page, 'title'))).toBe(`${shown} in Japan · Tatemono`);
    expect(textOf(selectOne(page, 'h1'))).toBe(`${shown} in Japan`);
    expect(textOf(selectOne(page, '.active'))).toContain(`“${shown}”`);
    expect(attributeOf(selectOne(page, '#filter-q'), 'value')).toBe(q);
  });

  it('UI-50 an unknown use beside a known one does not say that nothing is found', async () => {
    const page = await read(`${LIST}?type=hotel,nosuchuse&lang=ja`);
    expect(select(page, '.notice').map(textOf)).toEqual(['用途「nosuchuse」が登録された建物はありません。']);
    expect(totalOf(page)).toBeGreaterThan(0);
  });

  it('UI-50 a correct request has no notice', async () => {
    for (const query of ['', FULL, 'type=pagoda-like', 'type=agriculture', 'page=3', 'postcode=100-0006']) {
      expect([query, select(await read(`${LIST}?${query}`), '.notice').map(textOf)]).toEqual([query, []]);
    }
  });

  it('UI-44 a postcode restricts the list, and can be removed', async () => {
    const page = await read(`${LIST}?postcode=${encodeURIComponent('〒１００－０００６')}&sort=name`);
    expect(listedIds(page)).toEqual(
      records.filter(({ fields }) => fields.postcode?.value === '100-0006').map(({ id }) => id),
    );
    expect(listedIds(page)).toHaveLength(1);
    expect(linksOf(page, '.active a')).toEqual([`${LIST}?sort=name`]);
    expect(attributeOf(selectOne(page, 'form[data-filters] [name=postcode]'), 'value')).toBe('100-0006');
  });

  it.each([
    ['', 'Buildings in Japan', '日本の建物'],
    [
      'q=丸の内&type=office&heightMin=200&prefecture=tokyo',
      '丸の内 · offices · 200 m or taller in Tokyo',
      '丸の内・事務所・高さ200 m以上：東京都の建物',
    ],
    [
      'builtMax=1929&has=reit',
      'Completion in 1929 or earlier · with REIT history in Japan',
      '1929年以前の竣工・REIT開示履歴あり：日本の建物',
    ],
    [
      'type=pagoda-like&floorsMin=2&floorsMax=9',
      '“pagoda-like” · 2 to 9 floors in Japan',
      '「pagoda-like」・2〜9階：日本の建物',
    ],
    ['builtMin=2028', 'Completion in 2028 or later in Japan', '2028年以降の竣工：日本の建物'],
    ['type=hotel', 'Hotels in Japan', '宿泊：日本の建物'],
    ['q=tower&type=office&type=hotel', 'tower · offices or hotels in Japan', 'tower・事務所または宿泊：日本の建物'],
    [
      'has=noConflict&floorsMax=1',
      'Up to 1 floor · without any conflicts in Japan',
      '1階以下・軽微な相違もなし：日本の建物',
    ],
  ])('UI-49 titles name the search: %s', async (query, english, japanese) => {
    for (const [lang, title] of [
      ['en', english],
      ['ja', japanese],
    ] as const) {
      const page = await read(`${LIST}?${encodeURI(query)}&lang=${lang}`);
      expect(textOf(selectOne(page, 'h1'))).toBe(title);
      expect(textOf(selectOne(page, 'title'))).toBe(`${title} · Tatemono`);
    }
    const hub = await read(`${HUBS.ward}?q=%E5%A1%94&type=office`);
    expect(textOf(selectOne(hub, 'h1'))).toBe('塔 · offices in Chiyoda-ku');
    expect(textOf(selectOne(hub, 'title'))).toBe('塔 · offices in Chiyoda-ku · Tatemono');
  });

  it('UI-49 the titles of further pages have their number', async () => {
    const titleOf = async (url: string) => textOf(selectOne(await read(url), 'title'));
    expect(await titleOf(`${LIST}?page=2`)).toBe('Buildings in Japan · page 2 · Tatemono');
    expect(await titleOf(`${LIST}?page=2&lang=ja`)).toBe('日本の建物 · 2ページ目 · Tatemono');
    expect(await titleOf(`${HUBS.prefecture}?page=2`)).toBe('Buildings in Tokyo 東京都 · page 2 · Tatemono');
    expect(textOf(selectOne(await read(`${LIST}?page=2`), 'h1'))).toBe('Buildings in Japan');
  });

  it('UI-43 UI-44 UI-45 a search without results explains itself, and every link it offers has the announced buildings', async () => {
    const queries = [
      '丸の内1-1-1',
      '100-0005',
      '丁投資法人',
      '甲ビル 第00塔',
      '塔 zzz',
      '大阪市北区梅田1番1',
      '所有者0',
      'zzz',
    ];
    let offered = 0;
    for (const q of queries) {
      for (const path of [LIST, HUBS.ward]) {
        const page = await read(`${path}?q=${encodeURIComponent(q)}&has=noConflict`);
        if (totalOf(page) > 0) continue;
        expect(textOf(selectOne(page, '.empty'))).toContain('Search is literal');
        for (const lead of select(page, '.leads li')) {
          const [link = ''] = linksOf(lead);
          const count = Number(/^[\d,]+/.exec(textOf(selectOne(lead, '.amount')))?.[0].replaceAll(',', ''));
          expect([q, link, count]).toEqual([q, link, expect.any(Number)]);
          if (link.startsWith('/japan/owners/')) continue;
          expect([q, link, totalOf(await read(link))]).toEqual([q, link, count]);
          offered += 1;
        }
      }
    }
    expect(offered).toBeGreaterThan(12);
  });

  it('UI-45 the link to a search without one filter says so', async () => {
    for (const [lang, text] of [
      ['en', 'Search without “zzzz”'],
      ['ja', '「zzzz」を外して検索'],
    ]) {
      expect(select(await read(`${LIST}?q=zzzz&lang=${lang}`), '.leads a').map(textOf)).toEqual([text]);
    }
  });

  it('UI-45 the name of an owner leads to the portfolio', async () => {
    const page = await read(`${LIST}?q=${encodeURIComponent('丁投資法人')}`);
    expect(linksOf(page, '.leads a')).toContain(`/japan/owners/${encodeURIComponent('丁投資法人')}`);
  });

  it('UI-41 the ID of a merged building leads to its survivor', async () => {
    const page = await read(`${LIST}?q=${TOWN.chain[0]}`);
    expect(textOf(selectOne(page, '.former .notice'))).toBe(`${TOWN.chain[0]} was merged into ${TOWN.chain[2]}.`);
    expect(linksOf(page, '.former .card h3 a')[0]).toContain(TOWN.chain[2]);
    const japanese = await read(`${LIST}?q=${TOWN.chain[0]}&lang=ja`);
    expect(textOf(selectOne(japanese, '.former .notice'))).toContain('に統合されました');
    const nothingFound = (shown: typeof page) => ['.total', '.empty'].map((each) => select(shown, each).length);
    expect([nothingFound(page), nothingFound(japanese)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(nothingFound(await read(`${LIST}?q=${TOWN.retired}`))).toEqual([1, 1]);
  });

  it('UI-42 a search text that names areas links them, wards of cities also by their own name', async () => {
    const page = await read(`${LIST}?q=${encodeURIComponent('北区')}`);
    expect(linksOf(page, '.named a')).toEqual(['/japan/osaka/kita-ku']);
    const chiyoda = await read(`${LIST}?q=${encodeURIComponent('千代田区')}`);
    expect(textOf(selectOne(chiyoda, '.named li'))).toMatch(/^Chiyoda-ku 千代田区 Tokyo \d+$/);
    const japanese = await read(`${LIST}?q=${encodeURIComponent('千代田区')}&lang=ja`);
    expect(textOf(selectOne(japanese, '.named li'))).toMatch(/^千代田区 東京都 \d+$/);
    expect(select(await read(`${LIST}?q=zzz`), '.named')).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ...['Chiyoda-ku', 'chiyoda', 'CHIYODA KU', 'Ｃｈｉｙｏｄａ'].map((q): [string, string[]] => [q, [HUBS.ward]]),
    ...['Tokyo', 'Tōkyō', 'tokyo-to', 'Tokyo Prefecture'].map((q): [string, string[]] => [q, [HUBS.prefecture]]),
    ['marunouchi', [HUBS.machiAza, `${HUBS.ward}/marunouchi-2-chome`]],
    ['Marunouchi 2', [`${HUBS.ward}/marunouchi-2-chome`]],
    ['osaka-fu', ['/japan/osaka']],
    ['Kita', ['/japan/osaka/kita-ku']],
    ...['chiyo', 'maru', 'ku', 'Chiyoda-ku Building', '1-chome'].map((q): [string, string[]] => [q, []]),
  ])('UI-42 the English name or slug of an area links it, in any case: %s', async (q, paths) => {
    for (const lang of ['en', 'ja']) {
      const page = await read(`${LIST}?q=${encodeURIComponent(q)}&lang=${lang}`);
      expect(linksOf(page, '.named a')).toEqual(paths.map((path) => `${path}?lang=${lang}`));
    }
  });

  it('UI-20 a completion in the future is planned, never built', async () => {
    const card = async (id: string, lang: string) =>
      textOf(selectOne(await read(`${LIST}?q=${id}&lang=${lang}`), '.card'));
    expect(await card(TOWN.planned, 'en')).toContain('planned for 2028');
    expect(await card(TOWN.planned, 'en')).not.toContain('built');
    expect(await card(TOWN.planned, 'ja')).toContain('2028年竣工予定');
    expect(await card(TOWN.inheriting, 'en')).toContain('built 1999 (complex)');
    expect(await card(TOWN.inheriting, 'en')).not.toContain('about');
    expect(await card(TOWN.inheriting, 'ja')).toContain('1999年築（複合施設の値）');
    const twin = (await town.get(`${HUBS.machiAza}.md?q=${TOWN.planned}`)).body;
    expect(twin).toContain('planned for 2028');
  });

  it('PAG-07 SEA-02 SEA-04 matches text as the API does', async () => {
    for (const q of [
      '塔',
      '甲ビル',
      'KŌ',
      'ko building',
      '１',
      '丸の内',
      'ASSET-JP-27',
      '%',
      '_',
      '\\',
      'ｺｳ',
      '甲 ichi',
      'ichi',
    ]) {
      const { total } = JSON.parse((await town.get(`/japan/api/v1/assets?q=${encodeURIComponent(q)}`)).body);
      const page = await expectList(`${LIST}?q=${encodeURIComponent(q)}`, { q });
      expect(totalOf(page)).toBe(total);
    }
  });

  it('PAG-14 names its canonical URL', async () => {
    for (const url of [LIST, `${LIST}?${FULL}&page=2`, `${LIST}?prefecture=tokyo`]) {
      expect(canonicalOf(await read(url))).toBe('http://localhost/japan/areas');
    }
  });

  it('shows the name, address, uses, figures and conflicts of each building', async () => {
    const page = await read(`${LIST}?q=${TOWN.everything}`);
    const card = textOf(selectOne(page, '.card'));
    for (const text of [
      '甲ビルディング',
      'Ko Building',
      '東京都千代田区丸の内１丁目１',
      'Office',
      'Retail',
      '50.25 m',
    ]) {
      expect(card).toContain(text);
    }
    expect(card).toContain('11 floors');
    expect(card).toContain('conflicts');
  });
});
