import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { SOURCE_FACTS } from '../../src/vocabulary/source-facts.ts';
import { SOURCES } from '../../src/vocabulary/sources.ts';
import { onBothEngines, onSqlite } from '../support/engines.ts';
import { McpClient } from '../support/mcp-inject.ts';
import { id, record } from '../support/records.ts';
import { openServedSample, type ServedSample } from '../support/served-sample.ts';
import { assetUrl, serverOn } from '../support/serving.ts';
import { LIVE, openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';

/** The sources of everything that a record publishes, in the order of the list of sources. */
function winnersOf({ fields, assetTypes, aliases, venues, footprint }: BuildingPage): string[] {
  const published = [...Object.values(fields), ...assetTypes, ...aliases, ...venues, footprint];
  const sources = new Set(published.flatMap((each) => each?.provenance.source ?? []));
  return SOURCES.filter((source) => sources.has(source));
}

function expectAttributed(page: BuildingPage): void {
  expect(page.attribution.map(({ source }) => source)).toEqual(winnersOf(page));
  for (const { source, ...facts } of page.attribution) {
    const { nameEn: name, licence, licenceUrl, attribution: credit } = SOURCE_FACTS[source];
    expect(facts).toEqual({ name, licence, licenceUrl, credit });
  }
}

onBothEngines('attribution', (fresh) => {
  let small: SmallRegistry;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    await small.ingest([record('wikidata', 'Q6', { ownerPublic: '甲社' }, { building: id(1) })]);
  });
  afterAll(() => small.close());
  const pageOf = async (asset: string) => (await small.app.inject(assetUrl(asset))).json<BuildingPage>();

  it('ATT-01 a record, an item of a search, a portfolio and the tools have the same attribution', async () => {
    const page = await pageOf(SMALL.full);
    expect(page.attribution.map(({ source }) => source)).toEqual(['osm', 'plateau', 'wikidata', 'dnk']);
    for (const asset of LIVE) expectAttributed(await pageOf(asset));
    const client = await McpClient.open(small.app);
    const found = [
      (await small.app.inject(`${API_ROOT}/assets?q=${SMALL.full}`)).json(),
      (await small.app.inject(`${API_ROOT}/owners/${encodeURIComponent('甲社')}/assets`)).json(),
      (await client.call('search_assets', { q: SMALL.full })).structuredContent,
      (await client.call('get_owner_portfolio', { name: '甲社' })).structuredContent,
      { items: [(await client.call('get_asset', { id: SMALL.full })).structuredContent] },
    ] as { items: BuildingPage[] }[];
    for (const { items } of found) expect(items.map(({ attribution }) => attribution)).toEqual([page.attribution]);
    const [content] = (await client.call('get_asset', { id: SMALL.full })).content;
    for (const { credit, licenceUrl } of page.attribution) {
      expect(content?.text).toContain(credit);
      expect(content?.text).toContain(licenceUrl);
    }
  });

  it('ATT-03 a record that was published before its sources were stored has the same bytes and tag', async () => {
    const before = await small.app.inject(assetUrl(SMALL.full));
    const { storage } = small.context;
    await storage.transaction(async ({ db }) => {
      const stored = await db.selectFrom('page').select('credits').execute();
      for (const { credits } of stored) expect(credits).toBeTypeOf('number');
      await db.updateTable('page').set({ credits: null }).execute();
    });
    const app = serverOn(openRegistry(storage));
    const after = await app.inject(assetUrl(SMALL.full));
    await app.close();
    expect(after.body).toBe(before.body);
    expect(after.headers.etag).toBe(before.headers.etag);
  });
});

onSqlite('the attribution of the sample', (fresh) => {
  let sample: ServedSample;
  let pages: BuildingPage[];
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    pages = [];
    for (let page = 1; ; page++) {
      const { items } = (await sample.app.inject(`${API_ROOT}/assets?page=${page}`)).json<{ items: BuildingPage[] }>();
      if (items.length === 0) return;
      pages.push(...items);
    }
  });
  afterAll(() => sample.close());

  it('ATT-02 every published value resolves to a licence', () => {
    expect(pages.length).toBeGreaterThan(100);
    for (const page of pages) expectAttributed(page);
    const used = new Set(pages.flatMap(({ attribution }) => attribution.map(({ source }) => source)));
    for (const source of ['osm', 'plateau', 'abr', 'wikidata', 'edinet', 'jreit', 'dnk'] as const) {
      expect(used).toContain(source);
    }
  });

  it('ATT-04 the page, its Markdown, About and llms.txt show the same credits and licences', async () => {
    const of = pages.find(({ attribution }) => attribution.some(({ source }) => source === 'jreit')) as BuildingPage;
    const text = async (path: string) => (await sample.app.inject(path)).body;
    const [page, markdown, japanese, about, llms] = await Promise.all([
      text(of.path),
      text(`${of.path}.md`),
      text(`${of.path}.md?lang=ja`),
      text('/japan/about'),
      text('/llms.txt'),
    ]);
    for (const { source, credit, licence, licenceUrl } of of.attribution) {
      for (const shown of [page, about]) expect(shown).toContain(`href="${licenceUrl}"`);
      for (const shown of [markdown, japanese]) expect(shown).toContain(licenceUrl);
      expect(llms).toContain(`\`${source}\`: ${credit}. ${licence}\n`);
    }
    expect(page).toContain('© OpenStreetMap contributors');
    expect(markdown).toContain('### Attribution');
    expect(markdown).toContain('Proprietary');
    expect(japanese).toContain('### 出典表示');
    for (const source of SOURCES) expect(about).toContain(`id="source-${source}"`);
  });
});
