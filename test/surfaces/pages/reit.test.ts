import { marked } from 'marked';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry } from '../../../src/registry/registry.ts';
import type { Reit } from '../../../src/reit/life/reit.ts';
import { exampleBundle, revision } from '../../reit/support.ts';
import { onBothEngines } from '../../support/engines.ts';
import { McpClient } from '../../support/mcp-inject.ts';
import { id } from '../../support/records.ts';
import { openReitPlace, permit, type ReitPlace } from '../../support/reit-place.ts';
import { serverOn } from '../../support/serving.ts';

const PATH = `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(1)}`;
const TAB = `${PATH}?tab=reit`;
const TWIN = `${PATH}.md`;

function parseErrorsIn(html: string): string[] {
  const errors: string[] = [];
  parse(html, { onParseError: ({ code }) => errors.push(code) });
  return errors;
}

/** A publication with a second holding, matched to another building. */
function wideBundle() {
  const example = exampleBundle();
  const [holding] = example.holdings;
  const [match] = example.matches;
  return {
    ...example,
    holdings: [...example.holdings, { ...holding, id: 'h2', nameJa: '別館' }],
    matches: [...example.matches, { ...match, holdingId: 'h2', buildingId: id(2), coverage: 'part' }],
    sourceRevisions: [
      ...example.sourceRevisions,
      revision('r9', { '/h2/p21/noi': { state: 'notDisclosed', reasonCode: 'tenantConsent' } }),
    ],
  };
}

onBothEngines('the REIT section of a page', (fresh) => {
  let place: ReitPlace;
  let publication: string;
  beforeAll(async () => {
    place = await openReitPlace(await fresh());
    ({ id: publication } = await place.compose(wideBundle()));
    await place.accept(publication);
  });
  afterAll(() => place.close());
  const bodyOf = async (path: string) => (await place.get(path)).body;

  it('REIT-15 shows interest, figures with citations, transactions and ownership, on the tab and in the twin', async () => {
    const [tab, twin] = [await bodyOf(TAB), await bodyOf(TWIN)];
    for (const text of [tab, twin]) {
      expect(text).toContain(publication);
      expect(text).toContain('a 1/2 quasi-co-ownership, not the whole building');
      expect(text).toContain('does not imply an independent audit');
      for (const part of [
        '見本投資法人',
        '見本館',
        '第21期',
        '見本信託銀行',
        '2025-03-28',
        '1/2',
        '表3',
        '表5',
        '表6',
      ]) {
        expect(text, part).toContain(part);
      }
    }
    expect(tab).toContain('<data value="57000000">¥57,000,000</data>');
    expect(twin).toContain('| `noi` NOI 賃貸NOI | 57000000 JPY (¥57,000,000) | recorded | singleSource |');
    expect(parseErrorsIn(tab)).toEqual([]);
  });

  it('every chart has a table, and every citation link has its target', async () => {
    const tab = await bodyOf(TAB);
    expect(tab.match(/<figure class="chart">/g)?.length).toBeGreaterThan(0);
    const charts = tab.split('<figure class="chart">').slice(1);
    for (const chart of charts) expect(chart).toMatch(/<table|ownership table below/);
    const ids = new Set([...tab.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const named = [...tab.matchAll(/href="#(c-[^"]+)"/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(ids).toContain(name);
  });

  it('REIT-15 states whether the whole building or a part is covered, as MCP does', async () => {
    const mcp = await McpClient.open(place.app);
    for (const [building, expected, not] of [
      [id(1), 'covers the whole building', 'covers a part'],
      [id(2), 'covers a part of the building', 'covers the whole'],
    ] as const) {
      const text = (await mcp.call('get_asset_reit', { id: building })).content[0]?.text ?? '';
      const [tab, twin] = await Promise.all([TAB, TWIN].map((path) => bodyOf(path.replace(id(1), building))));
      for (const each of [text, tab, twin]) {
        expect(each).toContain(expected);
        expect(each).not.toContain(not);
      }
    }
  });

  it('REIT-14 cites only holdings matched to this building', async () => {
    for (const path of [TAB, TWIN]) {
      expect(await bodyOf(path)).not.toMatch(/別館|e\.example\/r9/);
      expect(await bodyOf(path.replace(id(1), id(2)))).toMatch(/別館/);
      expect(await bodyOf(path.replace(id(1), id(2)))).not.toMatch(/見本館|表5/);
    }
  });

  it('REIT-05 is sent with no-store only if there is a publication', async () => {
    for (const path of [TAB, TWIN]) {
      const { headers } = await place.get(path);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('etag');
      expect(headers.vary).toBe('Accept, Accept-Encoding, Accept-Language, Cookie');
    }
    const none = PATH.replace(id(1), id(3));
    expect((await place.get(`${none}?tab=reit`)).headers['cache-control']).toBe('no-store');
    expect((await place.get(`${none}.md`)).headers.etag).toMatch(/^"/);
    expect((await place.get(PATH)).headers.etag).toMatch(/^"/);
    expect((await place.get(`${none}?tab=reit`)).body).toContain('No accepted REIT publications');
    expect((await place.get(`${none}.md`)).body).toContain('No accepted REIT publications');
  });

  it('MD-01 has the same body by suffix and by Accept', async () => {
    const { body } = await place.get(PATH, { accept: 'text/markdown' });
    expect(body).toBe(await bodyOf(TWIN));
  });

  it('REIT-04 REIT-10 page and Markdown check their own permission at every read', async () => {
    await permit(place, 'deny', 'page');
    expect(await place.served('page')).toEqual([]);
    expect(await place.served('markdown')).toEqual([publication]);
    await permit(place, 'deny', 'markdown');
    await permit(place, 'allow', 'page');
    expect(await place.served('page')).toEqual([publication]);
    expect(await place.served('markdown')).toEqual([]);
    await permit(place, 'allow', 'markdown');
  });

  it('UI-63 REIT-04 tab and twin link the forms in which the publication is served', async () => {
    const formsIn = async (url: string) =>
      [...(await bodyOf(url)).matchAll(/\/assets\/ASSET-JP-13-00000001\/(reit[.a-z]*)["')]/g)].map(([, form]) => form);
    for (const url of [TAB, TWIN]) expect(await formsIn(url)).toEqual(['reit', 'reit.csv', 'reit.jsonld']);
    await permit(place, 'deny', 'csv');
    for (const url of [TAB, TWIN]) expect(await formsIn(url)).toEqual(['reit', 'reit.jsonld']);
    await permit(place, 'allow', 'csv');
  });

  it('REIT-08 a failed read affects only the REIT section', async () => {
    const reit: Reit = {
      served: async () => {
        throw new Error('SECRET');
      },
      servedBuildings: async () => new Set(),
    };
    const app = serverOn(openRegistry(place.context.storage), undefined, { reit });
    try {
      for (const url of [TAB, TWIN]) {
        const { statusCode, headers, body } = await app.inject({ url });
        expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
        expect(body).toContain('REIT history is temporarily unavailable');
        expect(body).not.toMatch(/SECRET|No accepted REIT/);
        expect(body).toContain(id(1));
      }
      expect((await app.inject({ url: TWIN })).body).toContain('## Sources');
      expect((await app.inject({ url: PATH })).body).not.toContain('temporarily unavailable');
    } finally {
      await app.close();
    }
  });
});

describe('hostile text in a bundle', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>"\'`|[x](javascript:alert(1))\u202e*_# =1+1';

  onBothEngines('', (fresh) => {
    it('MD-04 stays text on the page and in the twin', async () => {
      const place = await openReitPlace(await fresh());
      try {
        const example = exampleBundle();
        const [holding] = example.holdings;
        const [period] = example.periods;
        const { id: publication } = await place.compose({
          ...example,
          issuer: { ...example.issuer, nameJa: HOSTILE },
          holdings: [{ ...holding, nameJa: HOSTILE, propertyCode: HOSTILE }],
          periods: [{ ...period, labelJa: HOSTILE }],
          ownership: example.ownership.map((row) => ({ ...row, trustee: HOSTILE, propertyManager: HOSTILE })),
          transactions: example.transactions.map((row) => ({ ...row, counterparty: HOSTILE })),
        });
        await place.accept(publication);
        const tab = (await place.get(TAB)).body;
        expect(parseErrorsIn(tab)).toEqual([]);
        expect(tab).not.toMatch(/<img|\u202e/);
        const rendered = await marked.parse((await place.get(TWIN)).body);
        expect(rendered).not.toMatch(/<img|javascript:alert\(1\)"|\u202e/);
        expect(rendered).toContain('&lt;img');
      } finally {
        await place.close();
      }
    });
  });
});
