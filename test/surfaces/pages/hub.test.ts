import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AreaSummary } from '../../../src/vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { FIELD_NAMES } from '../../../src/vocabulary/fields.ts';
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
import { anyList, listQuery, naiveList } from '../../support/naive-list.ts';
import { expectPageConventions, expectStrictPolicy } from '../../support/page-answers.ts';
import { HUB_PATHS, HUBS, openPageTown, TOWN, TOWN_LIVE } from '../../support/page-town.ts';
import { Random } from '../../support/random.ts';
import { OTHER_AREA } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { VARIED_AREAS, variedRegistry } from '../../support/varied-registry.ts';

const FILTERS = 'q=%E5%A1%94&type=office,retail&heightMin=10&has=noConflict&sort=height';
const ALL_HUBS = [...HUB_PATHS, '/japan/osaka', '/japan/osaka/kita-ku', '/japan/osaka/kita-ku/umeda'];

onBothEngines('the page of an area', (fresh) => {
  let town: ServedRegistry;
  let records: BuildingPage[];
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    records = (await town.readAll(TOWN_LIVE)).map(({ page }) => page);
  });
  afterAll(() => town.close());
  const read = async (url: string) => {
    const { status, body } = await town.get(url);
    expect([url, status]).toEqual([url, 200]);
    return readHtml(body);
  };
  const summaryOf = async (path: string) => {
    const { body } = await town.get(path.replace('/japan', '/japan/api/v1/areas'));
    return JSON.parse(body) as AreaSummary;
  };

  it.each(ALL_HUBS)('PAG-08 %s shows the summary that the API returns', async (path) => {
    const [page, { area, buildingCount, children, coverage, latestRecordedAt }] = [
      await read(path),
      await summaryOf(path),
    ];
    expect(textOf(selectOne(page, 'h1'))).toBe(area.nameEn === null ? area.nameJa : `${area.nameEn} ${area.nameJa}`);
    const lead = textOf(selectOne(page, '.lead'));
    expect(lead).toContain(buildingCount === 1 ? '1 building ·' : `${buildingCount} buildings ·`);
    expect(lead).toContain(area.code);
    expect(attributeOf(selectOne(page, '.lead time'), 'datetime')).toBe(latestRecordedAt);
    const inside = select(page, 'nav.inside li').map((row) => [linksOf(row)[0], textOf(selectOne(row, '.amount'))]);
    expect(inside).toEqual(children.map((child) => [child.path, String(child.buildingCount)]));
    const counts = select(page, '.coverage li').map((row) => Number(textOf(selectOne(row, '.number'))));
    expect(counts).toEqual(FIELD_NAMES.map((field) => Number(coverage[field])).sort((a, b) => b - a));
  });

  it('PAG-08 PAG-02 takes the same parameters as the list', async () => {
    const random = new Random(3);
    for (let i = 0; i < 25; i++) {
      const { prefecture: _p, ward: _w, machiAza: _m, ...query } = anyList(random);
      const path = random.pick(ALL_HUBS);
      const [, , prefecture = '', ward, machiAza] = path.split('/');
      const place = { prefecture, ...(ward && { ward }), ...(machiAza && { machiAza }) };
      const page = await read(`${path}?${listQuery(query)}`);
      const { ids, total } = naiveList(records, { ...query, ...place });
      expect([listQuery(query), listedIds(page)]).toEqual([listQuery(query), ids]);
      expect(textOf(selectOne(page, '.total'))).toMatch(new RegExp(`^${total} `));
    }
  });

  it.each(HUB_PATHS)('PAG-05 %s: every link to another area keeps the filters and restarts at page 1', async (path) => {
    const page = await read(`${path}?${FILTERS}&page=2`);
    const places = [...linksOf(page, 'nav.inside li a'), ...linksOf(page, 'nav.crumbs a').slice(1)];
    const wide = linksOf(page, '.lead a');
    expect(wide.map((link) => targetOf(link).pathname)).toEqual(['/japan/areas']);
    for (const link of [...places, ...wide]) {
      expect(Object.fromEntries(targetOf(link).searchParams)).toEqual(Object.fromEntries(new URLSearchParams(FILTERS)));
    }
    expect(attributeOf(selectOne(page, 'form[data-filters]'), 'action')).toBe(path);
  });

  it.each(HUB_PATHS)('PAG-08 PAG-14 %s is canonical, and its breadcrumbs link the hubs', async (path) => {
    for (const url of [path, `${path}?${FILTERS}&page=2`]) {
      const page = await read(url);
      expect(canonicalOf(page)).toBe(`http://localhost${path}`);
      const crumbs = linksOf(page, 'nav.crumbs a').map((link) => targetOf(link).pathname);
      const parts = path.split('/');
      expect(crumbs).toEqual(parts.slice(1).map((_, i) => parts.slice(0, i + 2).join('/')));
      const twins = select(page, 'link[rel=alternate][type]').map((link) => attributeOf(link, 'href'));
      expect(twins.slice(0, 2)).toEqual([
        `http://localhost${path}.md`,
        `http://localhost${path.replace('/japan', '/japan/api/v1/areas')}`,
      ]);
    }
  });

  it('PAG-05 an area link of a hub shows the filtered buildings', async () => {
    const page = await read(`${HUBS.ward}?type=office`);
    for (const link of linksOf(page, 'nav.inside li a')) {
      const inside = await read(link);
      expect(select(inside, '.active li').map(textOf)).toEqual(['Remove filter: Office×']);
      const { total } = naiveList(records, { types: ['office'], machiAza: link.split(/[/?]/)[4] as string });
      expect(textOf(selectOne(inside, '.total'))).toMatch(new RegExp(`^${total} `));
    }
  });

  it.each(HUB_PATHS)('%s has an ETag, and allows only GET and HEAD', async (path) => {
    for (const url of [path, `${path}?${FILTERS}`]) {
      const { headers } = await expectPageConventions(town, url);
      expectStrictPolicy(headers);
      expect(headers.vary).toBe('Accept, Accept-Encoding, Accept-Language, Cookie, Host');
    }
  });

  it('ID-04 a search for the ID of a merged or retired building names the building that replaced it', async () => {
    const survivor = records.find(({ id }) => id === TOWN.chain[2]) as BuildingPage;
    const first = records.find(({ id }) => id === TOWN.retiredInto.into) as BuildingPage;
    const wide = TOWN.chain[0].replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    const notices: [string, string, string][] = [
      [TOWN.chain[0], `${TOWN.chain[0]} was merged into ${survivor.id}.`, survivor.path],
      [wide.toLowerCase(), `${TOWN.chain[0]} was merged into ${survivor.id}.`, survivor.path],
      [TOWN.retiredInto.from, `${TOWN.retiredInto.from} was retired in favour of ${first.id}.`, first.path],
      [TOWN.retired, `${TOWN.retired} was retired and has no successor.`, `/japan/id/${TOWN.retired}`],
    ];
    for (const [q, text, path] of notices) {
      for (const list of ['/japan/areas', HUBS.prefecture, HUBS.machiAza]) {
        const page = await read(`${list}?q=${encodeURIComponent(q)}`);
        const notice = selectOne(page, '.notice');
        expect([textOf(notice), linksOf(notice)]).toEqual([text, [path]]);
      }
      const { body } = await town.get(`${HUBS.prefecture}.md?q=${encodeURIComponent(q)}`);
      const linkedId = q === TOWN.retired ? /^(\S+)/ : /(?<= )(\S+)(?=\.$)/;
      const linked = text.replace(linkedId, `[$1](<http://localhost${path}>)`);
      expect(body.split('\n')).toContain(linked);
    }
    for (const q of [TOWN.everything, TOWN.unknown, TOWN.unplaced, `${TOWN.chain[0]} x`, 'ASSET']) {
      expect(select(await read(`${HUBS.prefecture}?q=${encodeURIComponent(q)}`), '.notice')).toEqual([]);
    }
  });

  it('a hub without matching buildings suggests other searches and is not a 404', async () => {
    // Areas inside have none either.
    for (const path of ['/japan/areas', HUBS.prefecture]) {
      expect(select(await read(`${path}?q=nowhere-to-be-found`), 'nav.inside')).toEqual([]);
    }
    const page = await read(`${HUBS.machiAza}?q=梅田塔&type=hotel`);
    expect(listedIds(page)).toEqual([]);
    const links = linksOf(page, '.empty a');
    // Without its use it is not here either, so only these two find something.
    expect(links).toEqual([`/japan/areas?q=${encodeURIComponent('梅田塔')}&type=hotel`, `${HUBS.machiAza}?type=hotel`]);
  });

  it('PAG-10 an area without published buildings has no page', async () => {
    const served = await openServedRegistry(await fresh());
    const [first] = variedRegistry(1).stages;
    expect(first?.name).toBe('a first run');
    await served.ingest(VARIED_AREAS);
    for (const path of ['/japan/tokyo', '/japan/tokyo/empty-ku', '/japan/tokyo/chuo-ku/empty']) {
      for (const rest of ['', '.md', '?q=x']) expect((await served.get(`${path}${rest}`)).status).toBe(404);
    }
    await served.close();
  });

  it('an area is still served under its former slug, with its new canonical URL', async () => {
    const served = await openPageTown(await fresh());
    const area = { kind: 'area', level: 'machiAza', parent: '13101', nameJa: '丸の内二丁目', nameEn: null };
    await served.ingest([{ ...area, code: OTHER_AREA, slug: 'marunouchi-ni' }]);
    const [old, now] = [`${HUBS.ward}/marunouchi-2-chome`, `${HUBS.ward}/marunouchi-ni`];
    const { status, body } = await served.get(old);
    expect(status).toBe(200);
    expect(canonicalOf(readHtml(body))).toBe(`http://localhost${now}`);
    expect(listedIds(readHtml(body))).toEqual(listedIds(readHtml((await served.get(now)).body)));
    await served.close();
  });
});
