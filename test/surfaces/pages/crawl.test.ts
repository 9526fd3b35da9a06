import { afterAll, beforeAll, expect, it } from 'vitest';
import { onSqlite } from '../../support/engines.ts';
import { attributeOf, elementsOf, readHtml } from '../../support/html-tree.ts';
import { markdownLinks } from '../../support/markdown-tree.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

/** The maximum number of filtered lists that are followed. */
const MAX_QUERIES = 120;
const MAX_BYTES = 60_000;

interface Seen {
  status: number;
  links: string[];
  ids: Set<string>;
}

onSqlite('the links of the sample, from the home page on', (fresh) => {
  let sample: ServedSample;
  const seen = new Map<string, Seen>();
  const sizes = new Map<string, number>();
  const external = new Set<string>();

  async function visit(url: string): Promise<Seen> {
    const { statusCode, headers, body } = await sample.app.inject({ url, headers: { host: 'localhost' } });
    const type = String(headers['content-type']);
    const page: Seen = { status: statusCode, links: [], ids: new Set() };
    if (statusCode >= 301 && statusCode <= 303) page.links.push(String(headers.location));
    else if (type.startsWith('text/html')) {
      if (/\/ASSET-[^/]+$/.test(url) && !url.includes('lang=')) sizes.set(url, Buffer.byteLength(body));
      for (const element of elementsOf(readHtml(body))) {
        const link = attributeOf(element, 'href') ?? attributeOf(element, 'src') ?? attributeOf(element, 'action');
        if (link !== undefined) page.links.push(link);
        const id = attributeOf(element, 'id');
        if (id !== undefined) page.ids.add(id);
      }
    } else if (type.startsWith('text/markdown')) page.links.push(...markdownLinks(body));
    return page;
  }

  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    const queue = ['/japan'];
    let queries = 0;
    for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
      if (seen.has(url)) continue;
      // All tabs are followed, but only some filtered lists.
      if (url.includes('?') && !url.includes('tab=') && ++queries > MAX_QUERIES) continue;
      const page = await visit(url);
      seen.set(url, page);
      for (const link of page.links) {
        const target = new URL(link, `http://localhost${url}`);
        if (target.origin !== 'http://localhost') external.add(link);
        else queue.push(`${target.pathname}${target.search}`);
      }
    }
  }, 600_000);
  afterAll(() => sample.close());

  it('PAG-08 PAG-09 none is dead', () => {
    // Forms of the reference that are sent without the parameters they need.
    const refused = new Set(['405 /japan/mcp', '400 /japan/api/v1/source-records', '400 /japan/api/v1/match']);
    const dead = [...seen].filter(([url, { status }]) => status >= 400 && !refused.has(`${status} ${url}`));
    expect(dead.map(([url, { status }]) => `${status} ${url}`)).toEqual([]);
    expect([...seen.keys()].filter((url) => /\/ASSET-[^/]+\.md$/.test(url))).toHaveLength(123);
    // Five tabs each.
    expect(sizes.size).toBe(5 * 123);
  });

  it('their fragments exist', () => {
    const missing: string[] = [];
    for (const [url, { links }] of seen) {
      for (const link of links) {
        const { pathname, search, hash, origin } = new URL(link, `http://localhost${url}`);
        const target = seen.get(`${pathname}${search}`);
        if (origin !== 'http://localhost' || hash === '' || target === undefined) continue;
        if (!target.ids.has(decodeURIComponent(hash.slice(1)))) missing.push(`${url} -> ${link}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('PAG-14 none ends with a slash or redirects, and external ones are http(s)', () => {
    expect([...seen.keys()].filter((url) => /.\/(\?|$)/.test(url))).toEqual([]);
    expect([...external].filter((link) => !/^https?:\/\//.test(link))).toEqual([]);
    expect(
      [...seen].filter(([url, { status }]) => status === 308 || (status === 301 && !url.startsWith('/japan/id/'))),
    ).toEqual([]);
  });

  it('building pages are under 60 KB', () => {
    const heavy = [...sizes].filter(([, bytes]) => bytes >= MAX_BYTES);
    expect(heavy).toEqual([]);
  });

  it('PAG-08 they reach every hub and building of the sitemaps', async () => {
    const urls: string[] = [];
    const index = (await sample.app.inject({ url: '/japan/sitemap.xml', headers: { host: 'localhost' } })).body;
    for (const [, part = ''] of index.matchAll(/<loc>http:\/\/localhost([^<]+)/g)) {
      const { body } = await sample.app.inject({ url: part, headers: { host: 'localhost' } });
      urls.push(...[...body.matchAll(/<loc>http:\/\/localhost([^<]+)/g)].map(([, path = '']) => path));
    }
    expect(urls.length).toBeGreaterThan(123);
    expect(urls.filter((url) => !seen.has(url))).toEqual([]);
  });
});
