import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prefersMarkdown } from '../../../src/surfaces/http/negotiation.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { onBothEngines, onSqlite } from '../../support/engines.ts';
import { growthOf } from '../../support/growth.ts';
import { attributeOf, readHtml, select, textOf } from '../../support/html-tree.ts';
import { markdownLinks, markdownWords } from '../../support/markdown-tree.ts';
import { expectPageConventions } from '../../support/page-answers.ts';
import { HUB_PATHS, HUBS, openPageTown, TOWN, TOWN_LIVE, townPath } from '../../support/page-town.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { variedRegistry } from '../../support/varied-registry.ts';

const MARKDOWN: readonly string[] = [
  'text/markdown',
  'TEXT/Markdown',
  'text/markdown; charset=utf-8',
  'text/markdown;variant=GFM',
  'text/markdown, text/html',
  'text/markdown, */*',
  'text/markdown, text/*',
  '*/*, text/markdown',
  'text/html;q=0.8, text/markdown',
  'text/html;q=0.8,text/markdown;q=0.9,*/*;q=0.1',
  'text/markdown;q=0.2',
  'text/markdown;q=1.0, text/html;q=0.999',
  'text/html;q=0, text/markdown;q=0.001',
  'text/html;q=0, */*',
  'application/json, text/markdown;q=0.5',
  ' text/markdown ; q=0.5 ,text/html;q=0.4',
  'text/markdown;Q=0.9, text/html;q=0.8',
  'text/markdown,,,',
  'garbage, text/markdown',
  'text/html;q=broken, text/markdown',
];

const HTML: readonly string[] = [
  '',
  '*/*',
  'text/*',
  'text/html',
  'text/html, text/markdown',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/markdown;q=0.5, text/html',
  'text/markdown;q=0.5, */*;q=0.8',
  'text/markdown;q=0, */*',
  'text/markdown;q=0',
  'text/markdown;q=0.0, text/html;q=0.1',
  'text/markdown;q=broken',
  'text/markdown;q=2',
  'text/markdown;q=-1',
  'text/markdownx',
  'xtext/markdown',
  'text / markdown',
  'markdown',
  'application/markdown',
  'text/plain',
  'application/json',
  ';;;',
  ',,,',
  '*',
  'text/html;level=1;q=0.9, text/markdown;q=0.8',
];

describe('the preferred form of a client', () => {
  it.each(MARKDOWN)('MD-01 Markdown: %s', (accept) => expect(prefersMarkdown(accept)).toBe(true));
  it.each(HTML)('MD-01 HTML: %s', (accept) => expect(prefersMarkdown(accept)).toBe(false));

  it('MD-01 never throws', () => {
    const piece = fc.constantFrom(
      'text/markdown',
      'text/html',
      '*/*',
      'text/*',
      ';q=',
      '0.5',
      '1',
      '0',
      ',',
      ' ',
      '"',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 }), (parts) => {
        expect(typeof prefersMarkdown(parts.join(''))).toBe('boolean');
      }),
    );
  });

  it('takes at most linear time in the length of the header', async () => {
    const decide = (size: number) => prefersMarkdown('text/markdown;q=0.1,'.repeat(size));
    expect(await growthOf(decide, 500, 5_000)).toBeLessThan(40);
  });
});

/** Every part of a page that shows data. */
const VALUES = [
  ...['h1', 'p.also', '.id code', '.figure', '.facts q', '.facts th.name', '.evidence .chip', '.statements th'],
  ...['.evidence time', '.near a', '.venues .name', '.record h3 a', '.timeline time', '.quote', '.unknown'],
  ...['.card h3', '.card .place', '.coverage .number', '.inside li a', '.lead time', '.lead code', '.crumbs .ja'],
];

/** Pages drop control characters, Markdown replaces them with a space. */
const solid = (text: string) => text.replace(/\s+/g, '');

function expectAllIn(htmls: readonly string[], markdown: string): void {
  const words = solid(markdownWords(markdown));
  for (const html of htmls) {
    const main = select(readHtml(html), 'main')[0];
    if (main === undefined) throw new Error('the page has no main element');
    for (const selector of VALUES) {
      for (const element of select(main, selector)) {
        // The twin writes days as 2026-01-31.
        const day = element.tagName === 'time' ? element : select(element, 'time')[0];
        const value = day === undefined ? textOf(element) : (attributeOf(day, 'datetime') ?? '').slice(0, 10);
        // Area links contain both names, separated by a space.
        const parts = selector === 'h1' || selector === '.inside li a' ? value.split(/ (?=[^ -~])/, 2) : [value];
        for (const part of parts) expect(words, `${selector}: ${part}`).toContain(solid(part));
      }
    }
    for (const flag of select(main, '.facts .flag').map(textOf)) expect(words).toContain(solid(flag));
  }
}

onBothEngines('the Markdown of a page', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const recordOf = async (id: string) =>
    JSON.parse((await town.get(`/japan/api/v1/assets/${id}`)).body) as BuildingPage;
  const textOfUrl = async (url: string, headers = {}) => {
    const { status, body } = await town.get(url, headers);
    expect([url, status]).toEqual([url, 200]);
    return body;
  };

  it.each([...HUB_PATHS, townPath(TOWN.everything), `${HUBS.ward}/marunouchi-2-chome/${TOWN.bare}`])(
    'MD-01 MD-03 %s has the same body by suffix and by Accept',
    async (path) => {
      for (const query of ['', '?q=%E5%A1%94&type=office&page=2', '?tab=sources']) {
        const twin = await town.get(`${path}.md${query}`);
        expect([twin.status, twin.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
        for (const accept of MARKDOWN.slice(0, 6)) {
          const { status, headers, body } = await town.get(`${path}${query}`, { accept });
          expect([status, headers['content-type'], body]).toEqual([200, 'text/markdown; charset=utf-8', twin.body]);
          expect([headers.etag, headers.vary]).toEqual([
            twin.headers.etag,
            'Accept, Accept-Encoding, Accept-Language, Cookie, Host',
          ]);
        }
        for (const accept of HTML.slice(0, 6)) {
          const { headers } = await town.get(`${path}${query}`, { accept });
          expect([headers['content-type'], headers.vary]).toEqual([
            'text/html; charset=utf-8',
            'Accept, Accept-Encoding, Accept-Language, Cookie, Host',
          ]);
        }
        for (const accept of ['text/html', '*/*', '', 'application/json']) {
          expect((await town.get(`${path}.md${query}`, { accept })).body).toBe(twin.body);
        }
      }
    },
  );

  it.each([...HUB_PATHS, townPath(TOWN.everything)])(
    'MD-03 %s.md has its own ETag, and allows only GET and HEAD',
    async (path) => {
      const { headers } = await expectPageConventions(town, `${path}.md`);
      const negotiated = await expectPageConventions(town, path, { accept: 'text/markdown' });
      expect([headers.link, negotiated.headers.link]).toEqual(
        Array(2).fill(`<http://localhost${path}>; rel="canonical"`),
      );
      expect(headers.etag).not.toBe((await town.get(path)).headers.etag);
      const known = await town.get(path, { accept: 'text/html', 'if-none-match': String(headers.etag) });
      expect(known.status).toBe(200);
    },
  );

  it('MD-03 negotiated responses vary by Accept, including errors and 304', async () => {
    const path = townPath(TOWN.everything);
    for (const url of [path, `${path}.md`, HUBS.ward, '/japan/nowhere', townPath(TOWN.unknown), '/japan/%']) {
      for (const accept of ['text/markdown', 'text/html', '*/*']) {
        const { headers } = await town.get(url, { accept });
        expect([url, String(headers.vary).split(', ')]).toEqual([url, expect.arrayContaining(['Accept'])]);
        const again = await town.get(url, { accept, 'if-none-match': '*' });
        expect([url, String(again.headers.vary).split(', ')]).toEqual([url, expect.arrayContaining(['Accept'])]);
      }
    }
  });

  it('MD-01 the twin has the content of all tabs, whatever tab is requested', async () => {
    const path = townPath(TOWN.everything);
    for (const tab of ['venues', 'sources', 'history', 'reit', 'x']) {
      expect(await textOfUrl(`${path}.md?tab=${tab}`)).toBe(await textOfUrl(`${path}.md`));
    }
  });

  it('MD-01 REC-13 the twin has everything that the tabs of a building show', async () => {
    for (const id of TOWN_LIVE.slice(0, 12)) {
      const { path } = await recordOf(id);
      const tabs = ['', '?tab=venues', '?tab=sources', '?tab=history', '?tab=reit'];
      const pages = await Promise.all(tabs.map((tab) => textOfUrl(`${path}${tab}`)));
      expectAllIn(pages, await textOfUrl(`${path}.md`));
    }
  });

  it('MD-01 REC-13 the twin has every value of the record with its evidence and conflict', async () => {
    for (const id of [TOWN.everything, TOWN.inheriting, TOWN.planned, TOWN.bare]) {
      const { path, fields, sources, location } = await recordOf(id);
      const markdown = await textOfUrl(`${path}.md`);
      const words = markdownWords(markdown).replaceAll(',', '');
      for (const [name, field] of Object.entries(fields)) {
        if (field === undefined) continue;
        const { value, conflict, provenance, estimated, inheritedFrom } = field;
        const isRounded = estimated && inheritedFrom === undefined;
        if (name !== 'tenure')
          expect(words).toContain(isRounded ? `about ${Number(Number(value).toPrecision(2))}` : String(value));
        if (name !== 'tenure' && conflict !== null) {
          expect(words).toMatch(
            new RegExp(`(differs[^:]*|also): ¥?${String(conflict.value).replace(/[()]/g, '\\$&')}`),
          );
        }
        expect(words).toContain(provenance.retrievedAt.slice(0, 10));
        if (provenance.source !== 'dnk') expect(markdownLinks(markdown)).toContain(provenance.sourceUrl);
      }
      for (const { sourceUrl, sourceRecordId } of sources) {
        expect(markdownLinks(markdown)).toContain(sourceUrl);
        expect(words).toContain(sourceRecordId);
      }
      if (location.lat !== null) expect(words).toContain(String(location.lat));
    }
  });

  it('MD-01 the twin marks estimated, inherited and planned values', async () => {
    const inherited = markdownWords(await textOfUrl(`${townPath(TOWN.inheriting)}.md`));
    expect(inherited).toContain('from Otsu City (complex)');
    expect(inherited).toContain('Estimated: footprint × floors');
    expect(markdownWords(await textOfUrl(`${townPath(TOWN.planned)}.md`))).toContain('Planned');
  });

  it('MD-01 the twin has everything that a hub page shows', async () => {
    for (const path of [...HUB_PATHS, '/japan/osaka']) {
      for (const query of ['', '?page=2', '?q=%E5%A1%94&sort=height&heightMin=20', '?type=agriculture']) {
        expectAllIn([await textOfUrl(`${path}${query}`)], await textOfUrl(`${path}.md${query}`));
      }
    }
  });

  it('MD-01 the twin of a filtered hub lists its filters and links its other pages', async () => {
    const markdown = await textOfUrl(
      `${HUBS.prefecture}.md?type=office,residential&has=noConflict&sort=name&heightMin=3`,
    );
    for (const text of [
      'Office',
      'Residential',
      'No conflicts, not even slight',
      'Height from 3 m',
      'sorted by: name',
    ]) {
      expect(markdownWords(markdown)).toContain(text);
    }
    const [next = ''] = markdownLinks(markdown).filter((link) => link.includes('page=2'));
    const { pathname, search } = new URL(next);
    const second = await textOfUrl(`${pathname}${search}`);
    expect(markdownWords(second)).toContain('Page 2 of 2');
    const filtered = markdownLinks(second).filter((link) => link.includes('has=noConflict'));
    expect(filtered.map((link) => new URL(link).pathname)).toEqual([
      `${HUBS.prefecture}.md`,
      '/japan/areas.csv',
      '/japan/areas.geojson',
    ]);
  });

  it('PAG-08 PAG-14 links to canonical paths that exist', async () => {
    const seen = new Set<string>();
    for (const path of [...HUB_PATHS, townPath(TOWN.everything)]) {
      for (const link of markdownLinks(await textOfUrl(`${path}.md`))) {
        expect(link).toMatch(/^https?:\/\//);
        if (link.startsWith('http://localhost/')) seen.add(link.slice('http://localhost'.length));
      }
    }
    expect(seen.size).toBeGreaterThan(20);
    for (const link of seen) {
      expect(link).not.toMatch(/\/(\?|$)/);
      const { status } = await town.get(link);
      const expected = link.startsWith('/japan/id/') ? 301 : link === '/japan/mcp' ? 405 : 200;
      expect([link, status]).toEqual([link, expected]);
    }
  });

  it('pages without a twin are HTML for every client', async () => {
    for (const url of ['/japan', '/japan/areas', '/japan/about']) {
      const { status, headers } = await town.get(url, { accept: 'text/markdown' });
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect((await town.get(`${url}.md`)).status).toBe(404);
    }
  });
});

onSqlite('the Markdown of a varied registry', (fresh) => {
  it('MD-01 MD-04 has the same names as the page', async () => {
    const served = await openServedRegistry(await fresh());
    const { ids, stages } = variedRegistry(5);
    await stages[0]?.run(served);
    for (const { page } of (await served.readAll(ids)).filter((_, i) => i % 12 === 0)) {
      expectAllIn([(await served.get(page.path)).body], (await served.get(`${page.path}.md`)).body);
    }
    for (const path of ['/japan/tokyo', '/japan/osaka/chuo-ku', '/japan/tokyo/chuo-ku/honcho']) {
      expectAllIn([(await served.get(path)).body], (await served.get(`${path}.md`)).body);
    }
    await served.close();
  });
});
