import { afterAll, beforeAll, expect, it } from 'vitest';
import { retireBuilding } from '../../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../../src/registry/registry.ts';
import { openReit } from '../../../src/reit/life/reit.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { onBothEngines } from '../../support/engines.ts';
import { attributeOf, type Element, linksOf, readHtml, select, selectOne, textOf } from '../../support/html-tree.ts';
import { markdownLinks, markdownWords } from '../../support/markdown-tree.ts';
import { McpClient } from '../../support/mcp-inject.ts';
import { openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import { AREA, AREAS, building, id, type Json, record } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { answerOf, assetUrl, serverOn } from '../../support/serving.ts';

const later = (month: number) => ({ retrievedAt: `2026-0${month}-01T00:00:00Z`, rawPayloadRef: `sha256:0${month}` });
const of = (number: number) => ({ building: id(number) });

onBothEngines('what a building page claims', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const read = async (url: string) => readHtml((await town.get(url)).body);
  const headOf = (page: ReturnType<typeof readHtml>) => textOf(selectOne(page, '.building-head'));
  const descriptionOf = (page: ReturnType<typeof readHtml>) =>
    attributeOf(selectOne(page, 'meta[name=description]'), 'content');

  it('UI-20 a completion in the future is planned, until its month begins in Japan', async () => {
    let now = Date.UTC(2028, 3, 30, 14, 59);
    const app = serverOn(openRegistry(town.context.storage), undefined, {
      reit: openReit(town.context.storage),
      now: () => now,
    });
    const get = async (url: string) => answerOf(await app.inject({ url }));
    const path = townPath(TOWN.planned);
    // A page is cached from its second request on.
    for (let i = 0; i < 3; i++) {
      const page = readHtml((await get(path)).body);
      expect(headOf(page)).toContain('planned for 2028');
      expect(textOf(selectOne(page, '#yearBuilt th'))).toBe('Planned year of completion');
      expect(descriptionOf(page)).toContain('planned for 2028');
      expect(descriptionOf(page)).not.toContain('built');
    }
    expect(markdownWords((await get(`${path}.md`)).body)).toContain('Planned completion 2028-05');
    expect(headOf(readHtml((await get(`${path}?lang=ja`)).body))).toContain('2028年竣工予定');
    const before = await get(path);
    now += 60_000;
    const after = await get(path);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const page = readHtml(after.body);
    expect(headOf(page)).toContain('Year built2028');
    expect(textOf(selectOne(page, '#completionMonth .flag'))).toBe('Planned when the source was read');
    expect(descriptionOf(page)).toContain('built 2028');
    await app.close();
  });

  it('UI-20 the day does not change other pages', async () => {
    const days = [Date.UTC(2027, 0, 1), Date.UTC(2030, 0, 1)];
    const tags = await Promise.all(
      days.map(async (now) => {
        const options = { reit: openReit(town.context.storage), now: () => now };
        const app = serverOn(openRegistry(town.context.storage), undefined, options);
        const { headers } = await app.inject({ url: townPath(TOWN.everything) });
        await app.close();
        return headers.etag;
      }),
    );
    expect(tags[0]).toBe(tags[1]);
  });

  it('UI-22 an estimate is rounded, an inherited value is exact and names its complex', async () => {
    for (const [lang, about, complex] of [
      ['en', 'about 400 m²', 'from Otsu City (complex)'],
      ['ja', '約400 m²', '複合施設「乙シティ」の値'],
    ] as const) {
      const head = headOf(await read(`${townPath(TOWN.inheriting)}?lang=${lang}`));
      expect(head).toContain(about);
      expect(head).toContain(`1999 ${complex}`);
    }
  });

  it('UI-21 slight differences are mentioned, others are marked and counted', async () => {
    const page = await read(townPath(TOWN.everything));
    const record = JSON.parse((await town.get(assetUrl(TOWN.everything))).body) as BuildingPage;
    const { conflictsFlagged } = record.counters;
    const disputed = select(page, '.facts tr.conflict').map((row) => attributeOf(row, 'id'));
    const links = linksOf(page, '.notice a').map((link) => link.split('#')[1]);
    expect(links.sort()).toEqual([...disputed].sort());
    expect(textOf(selectOne(page, '.notice'))).toContain(`Sources disagree on ${disputed.length} fields: `);
    expect(disputed.length).toBeLessThan(conflictsFlagged);
    expect(textOf(selectOne(page, '#occupancyRate .also'))).toMatch(
      /^also: 98.7% \(J-REIT disclosure 1 January 2026\)$/,
    );
    expect(select(page, '#heightM .differs').map(textOf)).toEqual([
      '49 m differs by 2.5 % Wikidata 1 January 2026',
      '48.5 m differs by 3.5 % OpenStreetMap 1 January 2026',
    ]);
    expect(textOf(selectOne(page, '#yearBuilt .differs'))).toContain('2001 differs by 1 year');
    const japanese = await read(`${townPath(TOWN.everything)}?lang=ja`);
    expect(textOf(select(japanese, '#heightM .differs')[0] as Element)).toContain('相違あり（差2.5%）');
  });

  it('UI-25 every losing value has the link and the date of its record, on the page and in the twin', async () => {
    const page = await read(townPath(TOWN.everything));
    const losing = select(page, '#heightM .others .who');
    expect(losing.map((each) => linksOf(each))).toEqual([
      ['https://wikidata.example/Q1'],
      ['https://osm.example/way/1'],
    ]);
    const twin = (await town.get(`${townPath(TOWN.everything)}.md`)).body;
    expect(markdownWords(twin)).toContain('differs by 3.5 %: 48.5 m (OpenStreetMap way/1 2026-01-01)');
    expect(markdownLinks(twin)).toContain('https://wikidata.example/Q1');
  });

  it('UI-25 each source record says what it stated, when it was read, and what became of it', async () => {
    const page = await read(`${townPath(TOWN.everything)}?tab=sources`);
    const osm = select(page, 'section.record')[0] as Element;
    expect(textOf(selectOne(osm, 'p'))).toMatch(/^read 1 January 2026 · /);
    const rows = select(osm, 'tbody tr').map(textOf);
    expect(rows).toContain('Height 48.5 m differs by 3.5 %; published is 50.25 m (PLATEAU)');
    expect(rows).toContain('Uses Office (office) published');
    expect(rows).toContain('Outline 100.44 m² published');
    const estat = select(page, 'section.record').find((section) => textOf(section).startsWith('e-Stat')) as Element;
    expect(textOf(estat)).toContain('Nothing that is published');
  });

  it('UI-26 a retired building leaves a tombstone, as a page, as Markdown and as the detail of an error', async () => {
    const served = await openServedRegistry(await fresh());
    const known = {
      nameJa: '甲ビル',
      nameEn: 'Kō Building',
      addressJa: '東京都千代田区丸の内一丁目1番',
      yearBuilt: 1972,
    };
    await served.ingest([...AREAS, building(1, known), building(2, { nameJa: '隣のビル' })]);
    const { path } = JSON.parse((await served.get(assetUrl(id(1)))).body) as BuildingPage;
    await retireBuilding(served.context, id(1), undefined, 'demolished <b>in 2024</b>');
    for (const url of [path, `/japan/id/${id(1)}`]) {
      const answer = await served.get(url, { accept: 'text/html' });
      expect([answer.status, answer.headers.vary]).toEqual([
        404,
        'Accept, Accept-Encoding, Accept-Language, Cookie, Host',
      ]);
      const page = readHtml(answer.body);
      expect(textOf(selectOne(page, 'h1'))).toBe('甲ビル Retired');
      const text = textOf(selectOne(page, 'main'));
      for (const part of [
        '1 February 2026',
        'demolished <b>in 2024</b>',
        'Kō Building',
        '東京都千代田区丸の内一丁目1番',
        'version 1',
      ])
        expect(text).toContain(part);
      expect(linksOf(page, '.near a')).toEqual([path.replace(id(1), id(2))]);
      expect(attributeOf(selectOne(page, 'meta[name=robots]'), 'content')).toBe('noindex');
      expect(select(page, 'link[rel=canonical]')).toEqual([]);
      const japanese = textOf(selectOne(readHtml((await served.get(`${url}?lang=ja`)).body), 'main'));
      for (const part of ['廃止', '2026年2月1日', '隣のビル', '最終版第1版']) expect(japanese).toContain(part);
      expect(japanese).toContain('廃止されました。後継の');
      for (const twin of [await served.get(`${url}.md`), await served.get(url, { accept: 'text/markdown' })]) {
        expect([twin.status, twin.headers['content-type']]).toEqual([404, 'text/markdown; charset=utf-8']);
        const words = markdownWords(twin.body);
        for (const part of [
          '404 Not Found',
          'The path names no record.',
          '甲ビル (retired)',
          'Last version: version 1, 2026-02-01',
        ])
          expect(words).toContain(part);
        expect(markdownLinks(twin.body)).toEqual(expect.arrayContaining(['/japan/areas', '/llms.txt']));
      }
    }
    for (const rest of ['', '/sources', '/reit', '/reit.csv', '/reit.jsonld']) {
      const problem = await served.get(`${assetUrl(id(1))}${rest}`);
      expect(problem.status).toBe(404);
      expect(JSON.parse(problem.body)).toEqual({
        status: 404,
        title: 'Not Found',
        detail: expect.stringMatching(
          /^no building has this id any more: it was retired on 2026-02-01 \(demolished .*甲ビル/,
        ),
      });
    }
    const mcp = await McpClient.open(served.app);
    const [said, ofReit] = await Promise.all(
      ['get_asset', 'get_asset_reit'].map((tool) => mcp.call(tool, { id: id(1) })),
    );
    expect(JSON.stringify(said)).toContain('it was retired on 2026-02-01');
    expect(ofReit).toEqual(said);
    await served.close();
  });

  it('UI-20 a completion in the future has the planned label in the sources, the history and the twin', async () => {
    const now = () => Date.UTC(2028, 3, 1);
    const app = serverOn(openRegistry(town.context.storage), undefined, { reit: openReit(town.context.storage), now });
    const get = async (url: string) => answerOf(await app.inject({ url })).body;
    const path = townPath(TOWN.planned);
    for (const [lang, year, month, built] of [
      ['en', 'Planned year of completion', 'Planned completion', 'Year built'],
      ['ja', '竣工予定年', '竣工予定', '建築年'],
    ] as const) {
      const sources = readHtml(await get(`${path}?tab=sources&lang=${lang}`));
      const labels = select(sources, '.statements tbody th').map(textOf);
      expect(labels).toEqual(expect.arrayContaining([year, month]));
      const history = textOf(selectOne(readHtml(await get(`${path}?tab=history&lang=${lang}`)), '.timeline'));
      const twin = markdownWords(await get(`${path}.md?lang=${lang}`));
      for (const text of [history, twin]) expect(text).toContain(year);
      for (const text of [labels.join(' '), history, twin]) expect(text).not.toContain(built);
    }
    await app.close();
  });

  it('UI-49 the title of a tab names it', async () => {
    const titleOf = async (query: string) =>
      textOf(selectOne(await read(`${townPath(TOWN.everything)}${query}`), 'title'));
    const [overview, sources, history, japanese] = await Promise.all(
      ['', '?tab=sources', '?tab=history', '?tab=sources&lang=ja'].map(titleOf),
    );
    expect(sources).toBe(overview?.replace(' · Tatemono', ' · Sources · Tatemono'));
    expect(history).toBe(overview?.replace(' · Tatemono', ' · History · Tatemono'));
    expect(japanese).toContain(' · 出典 · Tatemono');
  });

  it('UI-07 marks names in the other language in the sources, the other names and the citation', async () => {
    const marked = async (url: string, selector: string) => {
      const found = select(await read(url), selector).map((each) => [attributeOf(each, 'lang'), textOf(each)]);
      return found.map((each) => each.join(' '));
    };
    const path = townPath(TOWN.everything);
    expect(await marked(path, '.cite .quote [lang]')).toEqual(['ja 甲ビルディング']);
    expect(await marked(`${path}?lang=ja`, '.cite .quote [lang]')).toEqual([]);
    const english = JSON.parse((await town.get(assetUrl(TOWN.onlyEnglish))).body) as BuildingPage;
    expect(await marked(`${english.path}?lang=ja`, '.cite .quote [lang]')).toEqual(['en English House']);
    expect(await marked(`${path}?lang=ja`, '#nameEn .figure [lang]')).toContain('en Kō Building');
    expect(await marked(`${path}?tab=sources`, 'td[data-label=Outcome] [lang]')).toContain('ja 丁投資法人');
    expect(await marked(`${path}?tab=sources&lang=ja`, 'td[data-label=採否] [lang]')).toEqual(['en Ko Building']);
    const statements = await marked(`${path}?tab=sources&lang=ja`, '.statements td [lang]');
    expect(statements).toEqual(expect.arrayContaining(['en Kō Building', 'en Ko Building']));
    expect(statements).toContain('en The First');
  });

  it('UI-07 marks the ID of a source record and the English name of a retired building', async () => {
    const served = await openServedRegistry(await fresh());
    const register = record('jreit', '丁投資法人/甲ビル', { structure: 'SRC造' }, of(1));
    await served.ingest([...AREAS, building(1, { nameJa: '甲ビル', nameEn: 'Kō Building' }), register]);
    const { path } = JSON.parse((await served.get(assetUrl(id(1)))).body) as BuildingPage;
    const marks = async (url: string, selector: string) =>
      select(readHtml((await served.get(url, { accept: 'text/html' })).body), selector).map(textOf);
    expect(await marks(`${path}?tab=sources`, '.record h3 [lang=ja]')).toEqual(['丁投資法人/甲ビル']);
    expect(await marks(`${path}?tab=sources&lang=ja`, '.record h3 [lang]')).toEqual([]);
    await retireBuilding(served.context, id(1), undefined, '解体');
    expect(await marks(`${path}?lang=ja`, '.remains [lang]')).toEqual(['Kō Building']);
    expect(await marks(path, '.remains [lang=ja]')).toEqual(['解体', '甲ビル']);
    await served.close();
  });
});

onBothEngines('the history of a building', (fresh) => {
  const withHistory = async (lines: Json[][], work: (served: ServedRegistry, path: string) => Promise<void>) => {
    const served = await openServedRegistry(await fresh());
    await served.ingest([...AREAS, ...(lines[0] ?? [])]);
    for (const next of lines.slice(1)) await served.ingest(next);
    const { path } = JSON.parse((await served.get(assetUrl(id(1)))).body) as BuildingPage;
    await work(served, path);
    await served.close();
  };

  it('UI-24 shows old and new values with their sources, apart from changes of evidence', () =>
    withHistory(
      [
        [building(1, { nameJa: '旧名', heightM: 30, aliases: ['Alpha'] }), building(2)],
        [record('plateau', 'b1', { heightM: 32, floorsAbove: 9 }, { ...of(1), area: AREA, ...later(2) })],
        [building(1, { nameJa: '新名', heightM: 30, aliases: ['Beta'] }, later(3))],
        [record('plateau', 'b1', { heightM: 32, floorsAbove: 9 }, { ...of(1), area: AREA, ...later(4) })],
      ],
      async (served, path) => {
        const page = readHtml((await served.get(`${path}?tab=history`)).body);
        const versions = select(page, '.timeline .version');
        expect(versions.map((version) => attributeOf(version, 'id'))).toEqual([
          'version-4',
          'version-3',
          'version-2',
          'version-1',
        ]);
        const [fourth, third, second, first] = versions as [Element, Element, Element, Element];
        expect(select(fourth, '.changes')).toEqual([]);
        expect(textOf(selectOne(fourth, 'details'))).toContain('PLATEAU was read again on 1 April 2026, no change');
        expect(select(third, '.changes tbody tr').map(textOf)).toEqual([
          'Japanese name 旧名 OpenStreetMap 1 January 2026 新名 OpenStreetMap 1 March 2026',
          'Other names Alpha Beta',
        ]);
        expect(textOf(selectOne(third, 'details'))).toMatch(/Evidence: .*Height/);
        expect(select(second, '.changes tbody tr').map(textOf)).toContain(
          'Height 30 m OpenStreetMap 1 January 2026 32 m PLATEAU 1 February 2026',
        );
        expect(select(second, '.changes tbody tr').map(textOf)).toContain(
          'Floors above ground none 9 PLATEAU 1 February 2026',
        );
        expect(textOf(first)).toContain('First published: Japanese name');
        const words = markdownWords((await served.get(`${path}.md`)).body);
        expect(words).toContain('Height 30 m (OpenStreetMap way/1) 32 m (PLATEAU b1)');
        const japanese = textOf(
          selectOne(readHtml((await served.get(`${path}?tab=history&lang=ja`)).body), '.timeline'),
        );
        for (const part of ['第4版', '値の変更', '根拠の変更', '2026年4月1日に再取得'])
          expect(japanese).toContain(part);
      },
    ));

  it('UI-24 shows ten versions a page and links to the others', () =>
    withHistory(
      Array.from({ length: 13 }, (_, i) => [
        building(
          1,
          { heightM: 10 + i },
          { retrievedAt: `2026-01-${String(i + 1).padStart(2, '0')}T00:00:00Z`, rawPayloadRef: `sha256:${i + 10}` },
        ),
      ]),
      async (served, path) => {
        const numbersOn = async (url: string) => {
          const page = readHtml((await served.get(url)).body);
          return {
            page,
            numbers: select(page, '.timeline .version').map((v) => Number(attributeOf(v, 'id')?.slice(8))),
          };
        };
        const newest = await numbersOn(`${path}?tab=history`);
        expect(newest.numbers).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
        expect(linksOf(newest.page, '.pager a')).toEqual([`${path}?tab=history&from=3`]);
        const oldest = await numbersOn(`${path}?tab=history&from=3`);
        expect(oldest.numbers).toEqual([3, 2, 1]);
        expect(linksOf(oldest.page, '.pager a')).toEqual([`${path}?tab=history`]);
        expect(textOf(select(oldest.page, '.version')[0] as Element)).toContain(
          '11 m OpenStreetMap 2 January 2026 12 m',
        );
        for (const odd of ['from=99', 'from=0', 'from=x', 'from=-1', 'from=1e9', 'from=']) {
          expect((await numbersOn(`${path}?tab=history&${odd}`)).numbers).toEqual(newest.numbers);
        }
        const twin = markdownWords((await served.get(`${path}.md`)).body);
        for (let version = 1; version <= 13; version++) expect(twin).toContain(`Version ${version}, `);
      },
    ));
});
