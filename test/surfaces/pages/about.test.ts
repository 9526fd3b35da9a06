import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CATEGORY_LABELS,
  FIELD_GROUPS,
  FIELD_LABELS,
  SOURCE_NAMES,
} from '../../../src/surfaces/pages/catalogue/labels.ts';
import { CATEGORIES } from '../../../src/vocabulary/categories.ts';
import { gradeDisagreement } from '../../../src/vocabulary/disagreement.ts';
import { FIELD_NAMES } from '../../../src/vocabulary/fields.ts';
import { PRECEDENCE } from '../../../src/vocabulary/precedence.ts';
import { CONFIDENCE, SOURCES } from '../../../src/vocabulary/sources.ts';
import { onSqlite } from '../../support/engines.ts';
import {
  attributeOf,
  canonicalOf,
  elementsOf,
  linksOf,
  readHtml,
  select,
  selectOne,
  textOf,
} from '../../support/html-tree.ts';
import { expectPageConventions, expectStrictPolicy } from '../../support/page-answers.ts';
import { openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';
import { emptyRegistry, serverOn } from '../../support/serving.ts';

onSqlite('the page about the data', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const read = async (url: string) => readHtml((await town.get(url)).body);

  it('PAG-14 has a canonical URL and an ETag, and allows only GET and HEAD', async () => {
    const { headers } = await expectPageConventions(town, '/japan/about');
    expectStrictPolicy(headers);
    expect(canonicalOf(await read('/japan/about?x=y'))).toBe('http://localhost/japan/about');
  });

  it('CON-16 shows the source precedence of every field', async () => {
    const page = await read('/japan/about');
    for (const field of FIELD_NAMES) {
      const row = selectOne(page, `#field-${field}`);
      const order = select(row, '.order li').map(textOf);
      expect(order.slice(0, PRECEDENCE[field].length)).toEqual(
        PRECEDENCE[field].map((source) => SOURCE_NAMES[source].en),
      );
      expect(textOf(row)).toContain(FIELD_LABELS[field].en);
    }
  });

  it('UI-21 says that a percentage is in relation to the larger value, as it is', async () => {
    expect(gradeDisagreement('heightM', 100, 400)).toEqual({ kind: 'share', share: 0.75 });
    expect(gradeDisagreement('heightM', 400, 100)).toEqual({ kind: 'share', share: 0.75 });
    expect(textOf(await read('/japan/about'))).toContain('in relation to the larger of the two values');
    expect(textOf(await read('/japan/about?lang=ja'))).toContain('2つの値のうち大きいほうに対するものです');
  });

  it('REC-09 shows the confidence of every source and method', async () => {
    const page = await read('/japan/about');
    const text = textOf(selectOne(page, 'section[aria-labelledby=confidence]'));
    for (const source of SOURCES) {
      for (const [method, value] of Object.entries(CONFIDENCE[source])) expect(text).toContain(`${method}${value}`);
    }
  });

  it('UI-01 names the limits that are configured, in both languages', async () => {
    const app = serverOn(emptyRegistry, undefined, { rateLimit: { api: 7, page: 1234, mcp: 0 } });
    const agents = async (lang: string) =>
      textOf(selectOne(readHtml((await app.inject(`/japan/about?lang=${lang}`)).body), '[aria-labelledby=agents]'));
    expect(await agents('en')).toMatch(
      /; 7 requests per minute\..*; no request limit\..*; 1,234 requests per minute\./,
    );
    expect(await agents('ja')).toMatch(/毎分7回まで。.*回数の制限なし。.*毎分1,234回まで。/);
    await app.close();
  });

  it('every page has a title of its own, a description, one h1 and unique element IDs', async () => {
    const urls = [
      '/japan',
      '/japan/areas',
      '/japan/about',
      '/japan/tokyo',
      townPath(TOWN.everything),
      '/japan/nowhere',
    ];
    const titles = new Set<string>();
    for (const url of urls) {
      const page = await read(url);
      expect(attributeOf(selectOne(page, 'html'), 'lang')).toBe('en');
      expect(select(page, 'h1')).toHaveLength(1);
      expect(select(page, 'main')).toHaveLength(1);
      titles.add(textOf(selectOne(page, 'title')));
      expect(attributeOf(selectOne(page, 'meta[name=description]'), 'content')?.length).toBeGreaterThan(20);
      const ids = elementsOf(page).flatMap((element) => attributeOf(element, 'id') ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      const local = linksOf(page).filter((link) => link.startsWith('#'));
      for (const link of local) expect(ids).toContain(link.slice(1));
    }
    expect(titles.size).toBe(urls.length);
  });

  it('links from other pages to its sections work', async () => {
    const about = await read('/japan/about');
    const ids = elementsOf(about).flatMap((element) => attributeOf(element, 'id') ?? []);
    for (const url of ['/japan', townPath(TOWN.everything), `${townPath(TOWN.everything)}?tab=sources`]) {
      const links = linksOf(await read(url)).filter((link) => link.startsWith('/japan/about#'));
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(ids).toContain(link.split('#')[1]);
    }
  });

  it('every field, source and category has a unique label', () => {
    for (const labels of [FIELD_LABELS, CATEGORY_LABELS]) {
      const names = Object.values(labels).flatMap(({ en, ja }) => [en, ja]);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(Object.keys(CATEGORY_LABELS)).toEqual([...CATEGORIES]);
    expect(new Set(Object.values(SOURCE_NAMES).map(({ en }) => en)).size).toBe(SOURCES.length);
    const grouped = FIELD_GROUPS.flatMap(({ fields }) => fields);
    expect([...grouped, 'aliases', 'assetTypes'].sort()).toEqual([...FIELD_NAMES].sort());
  });
});
