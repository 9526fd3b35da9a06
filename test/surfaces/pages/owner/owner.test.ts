import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerPath } from '../../../../src/surfaces/pages/owner/owner-path.ts';
import type { OwnerPortfolio } from '../../../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../../../support/engines.ts';
import {
  attributeOf,
  canonicalOf,
  linksOf,
  listedIds,
  readHtml,
  select,
  selectOne,
  textOf,
} from '../../../support/html-tree.ts';
import { markdownWords } from '../../../support/markdown-tree.ts';
import { expectPageConventions, expectStrictPolicy } from '../../../support/page-answers.ts';
import { AREA, AREAS, id, type Json, record, square } from '../../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../../support/served-registry.ts';

const MANY = 'Ｈｕｎｄｒｅｄｓ　K.K.';
const COUNT = 65;
const HOSTILE = [
  'A/B & "Sons"',
  '<script>alert(1)</script>',
  'two\nlines',
  '=cmd()',
  '..',
  '.',
  'x.csv',
  'report.md',
  'a.geojson',
  '50%',
  '?q=1#top',
  'ﾊﾝｶｸ',
];
const TOO_LONG = '長'.repeat(3_000);

function owned(number: number, ownerPublic: string, fields: Json = {}): Json[] {
  const of = { building: id(number) };
  const geometry = square([139.7 + number * 0.001, 35.68], 0.00005);
  return [
    record('osm', `way/${number}`, { nameJa: `第${number}ビル`, ...fields }, { ...of, area: AREA, geometry }),
    record('jreit', `j${number}`, { ownerPublic, ...(number % 2 === 0 && { gfaM2: 1_000.25 }) }, of),
  ];
}

const LINES: Json[] = [
  ...AREAS,
  ...Array.from({ length: COUNT }, (_, i) =>
    owned(i + 1, i % 2 === 0 ? MANY : 'hundreds k.k.', {
      ...(i % 3 === 0 && { floorsAbove: 3, footprintM2: 10 }),
      assetTypes: i % 5 === 0 ? ['office', 'retail'] : 'hotel',
    }),
  ).flat(),
  ...Array.from({ length: COUNT }, (_, i) =>
    record(
      'wikidata',
      `Q${i}`,
      { ...(i < 20 && { yearBuilt: 1990 + i }), ...(i === 21 && { yearBuilt: 2150 }) },
      { building: id(i + 1) },
    ),
  ),
  ...[...HOSTILE, TOO_LONG].flatMap((name, i) => owned(200 + i, name)),
];

onBothEngines('the page of an owner', (fresh) => {
  let served: ServedRegistry;
  let portfolio: OwnerPortfolio;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest(LINES);
    const { body } = await served.get(`/japan/api/v1/owners/${encodeURIComponent(MANY)}/assets`);
    portfolio = JSON.parse(body) as OwnerPortfolio;
  });
  afterAll(() => served.close());
  const path = ownerPath(MANY) as string;
  const read = async (url: string) => {
    const { status, body } = await served.get(url);
    expect([url, status]).toEqual([url, 200]);
    return readHtml(body);
  };

  it('UI-62 lists every building of the portfolio, paged, in the order of lists', async () => {
    expect(portfolio.items).toHaveLength(COUNT);
    const ids: string[] = [];
    for (let page = 1; page <= 4; page++) ids.push(...listedIds(await read(`${path}?page=${page}`)));
    expect(ids).toEqual(portfolio.items.map((item) => item.id));
    const tallest = await read(`${path}?sort=floors&type=office`);
    expect(listedIds(tallest).length).toBe(13);
  });

  it('UI-62 shows totals', async () => {
    const page = await read(path);
    const totals = textOf(selectOne(page, '.totals'));
    const areas = portfolio.items.flatMap(({ fields }) => fields.gfaM2 ?? []);
    const sum = areas.reduce((total, { value }) => total + Number(value), 0);
    const estimated = areas.filter((area) => area.estimated).length;
    expect(estimated).toBeGreaterThan(0);
    const total = selectOne(page, '.totals data');
    expect(attributeOf(total, 'title')).toBe(`${new Intl.NumberFormat('en').format(Math.round(sum * 100) / 100)} m²`);
    expect(textOf(total)).toMatch(/^about [\d,]+ m²$/);
    expect(totals).toContain(
      `sum of ${areas.length} of ${COUNT} buildings; ${estimated} of them estimated; 1 of them planned`,
    );
    expect(totals).toContain('1990 to 2009 known for 20 of 65 buildings, without 1 planned');
    expect(totals).toContain(`Buildings${COUNT} 1 of them planned`);
    expect(totals).toContain('Planned 1');
    expect(select(page, '.bars li').map(textOf)).toContain(`Office 13`);
  });

  it('UI-20, UI-22, UI-62 the twin rounds the total and tells planned buildings as the page does, in both languages', async () => {
    const rounded = textOf(selectOne(await read(path), '.totals data'));
    const { body } = await served.get(`${path}.md`);
    expect(body).toContain(`- Buildings: ${COUNT}, 1 of them planned\n`);
    expect(body).toContain(`- Gross floor area: ${rounded}, sum of`);
    expect(body).toContain('- Year built: 1990 to 2009, known for 20 of 65 buildings, without 1 planned\n');
    for (const form of ['', '.md']) {
      const japanese = (await served.get(`${path}${form}?lang=ja`)).body;
      expect(japanese).toContain('うち竣工予定1棟');
      expect(japanese).toContain('65棟のうち20棟で判明（竣工予定1棟を除く）');
      expect(japanese).toMatch(/の合計（うち推定\d+棟、竣工予定1棟）/);
    }
    const planned = (await served.get(`${path}.md?q=${encodeURIComponent('第22ビル')}`)).body;
    expect(planned).toContain('planned for 2150');
  });

  it('UI-62 any spelling of the name leads to it, with one canonical address', async () => {
    for (const name of ['HUNDREDS K.K.', 'hundreds   k.k.', MANY]) {
      const page = await read(`/japan/owners/${encodeURIComponent(name)}`);
      expect(canonicalOf(page)).toMatch(/\/japan\/owners\/[^?]+$/);
      expect(listedIds(page)).toHaveLength(20);
    }
  });

  it.each(HOSTILE)('UI-60, UI-62 %j is reachable, in every form', async (name) => {
    const own = ownerPath(name) as string;
    const page = await read(own);
    expect(textOf(selectOne(page, 'h1'))).toBe(`Buildings owned by ${name.replace(/\s+/g, ' ')}`);
    expect(listedIds(page)).toHaveLength(1);
    const csv = await served.get(`${own}.csv`);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(parse(csv.body, { bom: true })).toHaveLength(2);
    expect(String(csv.headers['content-disposition'])).toMatch(
      /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%~-]+$/,
    );
    expect(JSON.parse((await served.get(`${own}.geojson`)).body).features).toHaveLength(1);
    expect((await served.get(`${own}.md`)).headers['content-type']).toContain('text/markdown');
  });

  it('UI-62 its files have the buildings of its list', async () => {
    const rows = parse((await served.get(`${path}.csv?sort=name&type=office`)).body, { bom: true, columns: true }) as {
      id: string;
    }[];
    expect(rows.map((row) => row.id)).toEqual(listedIds(await read(`${path}?sort=name&type=office`)));
    const links = linksOf(await read(path), 'link[rel=alternate]');
    for (const form of ['csv', 'geojson', 'md'])
      expect(links.some((link) => link.endsWith(`${path}.${form}`))).toBe(true);
  });

  it('UI-62 has a Markdown twin', async () => {
    const { body } = await served.get(`${path}.md`);
    expect((await served.get(path, { accept: 'text/markdown' })).body).toBe(body);
    const words = markdownWords(body);
    expect(words).toContain('65 buildings');
    expect(words).toContain('Next page');
  });

  it('UI-62 an unknown owner, or one whose name is too long for a path, is not found', async () => {
    for (const name of ['nobody', TOO_LONG]) {
      for (const form of ['', '.md', '.csv', '.geojson']) {
        const { status } = await served.get(`/japan/owners/${encodeURIComponent(name)}${form}`);
        expect(status).toBe(404);
      }
    }
    expect((await served.get('/japan/owners')).status).toBe(404);
  });

  it('UI-62 is answered like every page', async () => {
    const { headers } = await expectPageConventions(served, path);
    expectStrictPolicy(headers);
    await expectPageConventions(served, `${path}.csv`);
  });
});
