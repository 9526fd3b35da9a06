import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry } from '../../../src/registry/registry.ts';
import { onBothEngines } from '../../support/engines.ts';
import { attributeOf, linksOf, readHtml, select, selectOne, textOf } from '../../support/html-tree.ts';
import { markdownLinks, markdownWords } from '../../support/markdown-tree.ts';
import { HUBS, openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';
import {
  type Answer,
  emptyRegistry,
  expectProblem,
  expectRefusal,
  faultyRegistry,
  lastingHeaders,
  MARK,
  serverOn,
} from '../../support/serving.ts';
import { ask, listening } from '../../support/wire.ts';

const M = MARK;
const UNKNOWN: readonly string[] = [
  '/japan/nowhere',
  '/japan/tokyo/nowhere',
  '/japan/tokyo/chiyoda-ku/nowhere',
  '/japan/Tokyo',
  '/japan/TOKYO/chiyoda-ku',
  '/japan/kita-ku',
  '/japan/osaka/chiyoda-ku',
  '/japan/tokyo/marunouchi-1-chome',
  '/japan/%E6%9D%B1%E4%BA%AC%E9%83%BD',
  '/japan/tokyo%2Fchiyoda-ku',
  '/japan/tokyo%00',
  '/japan/%00',
  '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/x',
  townPath(TOWN.unknown),
  townPath(TOWN.retired),
  townPath(TOWN.mergedIntoRetired),
  townPath(TOWN.unplaced),
  townPath('ASSET-JP-13-0000001'),
  townPath('ASSET-JP-13-000000001'),
  townPath('asset-jp-13-00000001'),
  townPath('ASSET-JP-1x-00000001'),
  townPath('%20ASSET-JP-13-00000001'),
  townPath('ASSET-JP-13-00000001%0A'),
  townPath('ASSET-JP-13-%EF%BC%90%EF%BC%90%EF%BC%90%EF%BC%90%EF%BC%90%EF%BC%90%EF%BC%90%EF%BC%91'),
  townPath('ASSET-JP-13-00000001/more'),
  `/japan/id/${TOWN.unknown}`,
  `/japan/id/${TOWN.retired}`,
  `/japan/id/${TOWN.mergedIntoRetired}`,
  `/japan/id/${TOWN.unplaced}`,
  '/japan/id/x',
  '/japan/id',
  '/japan/id/ASSET-JP-13-00000001/x',
  `/japan/${M}`,
  `/japan/tokyo/${M}`,
  `/japan/id/${M}`,
  `${HUBS.machiAza}/${M}`,
  '/japan/areas/x',
  '/japan/about/x',
  '/japan/assets/nothing.js',
  '/japan/a/b/c/d/e/f',
];

/** UI-26: these IDs leave a tombstone. */
const RETIRED = [TOWN.retired, TOWN.mergedIntoRetired];

/** MD-02: the recovery body. */
function expectRecovery(body: string): void {
  const [first = ''] = body.split('\n');
  expect(first).toBe('# 404 Not Found');
  const words = markdownWords(body);
  expect(words).toMatch(/IDs have the form ASSET-JP-/);
  const links = markdownLinks(body);
  expect(links).toContain('/japan/areas');
  expect(links).toContain('/llms.txt');
}

onBothEngines('a page that does not exist', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());

  it.each(UNKNOWN)('PAG-10 ID-02 ID-03 %s is a 404 page, not an empty list', async (path) => {
    for (const query of ['', `?q=${M}&tab=${M}`]) {
      const answer = await town.get(`${path}${query}`, { accept: 'text/html' });
      expectRefusal(answer, 404);
      const page = readHtml(answer.body);
      expect(textOf(selectOne(page, 'h1'))).toMatch(
        RETIRED.some((id) => path.endsWith(id)) ? / Retired$/ : /^Not Found$/,
      );
      expect(select(page, '.cards')).toEqual([]);
      expect(select(page, 'link[rel=canonical]')).toEqual([]);
      expect(attributeOf(selectOne(page, 'meta[name=robots]'), 'content')).toBe('noindex');
      expect(linksOf(page, 'main a')).toEqual(expect.arrayContaining(['/japan', '/japan/areas', '/llms.txt']));
      expect(textOf(selectOne(page, 'main'))).toContain('ASSET-JP-');
      expect(String(answer.headers['content-security-policy'])).toContain("script-src 'self'");
    }
  });

  it.each(UNKNOWN.filter((path) => !path.endsWith('.js')))('MD-02 %s for a Markdown client', async (path) => {
    for (const answer of [
      await town.get(path, { accept: 'text/markdown' }),
      await town.get(`${path}.md`),
      await town.get(`${path}.md?q=${M}`, { accept: 'text/html' }),
    ]) {
      expectRefusal(answer, 404);
      expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
      expectRecovery(answer.body);
    }
  });

  it('MD-02 states that the path names no record', async () => {
    for (const path of [townPath(TOWN.unknown), `/japan/id/${TOWN.retired}`, '/japan/id/x']) {
      expect(markdownWords((await town.get(`${path}.md`)).body)).toContain('The path names no record.');
    }
  });

  it('every link of a 404 page works', async () => {
    const { body } = await town.get('/japan/nowhere');
    const links = new Set([...linksOf(readHtml(body)), ...markdownLinks((await town.get('/japan/nowhere.md')).body)]);
    for (const link of links) {
      if (link.startsWith('/japan/language')) expect((await town.get(link)).status).toBe(303);
      else if (!link.startsWith('#'))
        expect([link, (await town.get(link.split('#', 1)[0] as string)).status]).toEqual([link, 200]);
    }
  });

  it.each([
    '/japan/%',
    '/japan/%zz',
    '/japan/tokyo/%E3%81',
    '/japan/%FF',
    '/japan/id/%C0%80',
    '/japan/tokyo/%ED%A0%80.md',
  ])('PAG-11 %s cannot be decoded: 400', async (path) => {
    const plain = await town.get(path);
    expectRefusal(plain, 400);
    if (path.endsWith('.md')) expect(plain.headers['content-type']).toBe('text/markdown; charset=utf-8');
    else readHtml(plain.body);
    const markdown = await town.get(path, { accept: 'text/markdown' });
    expectRefusal(markdown, 400);
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
  });

  it('MD-02 outside every surface, HTML and Markdown clients also get links', async () => {
    for (const path of ['/nothing', '/japanx', '/sitemap.xml']) {
      expectRefusal(await town.get(path, { accept: 'text/html,*/*;q=0.8' }), 404);
      expectProblem(await town.get(path, { accept: 'application/json' }), 404);
    }
    const { headers, body } = await town.get('/japan.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body).toContain('The path names no record.');
  });

  it('PAG-11 no query gives a 400', async () => {
    for (const query of ['%', '%zz', 'q=%FF', 'q=%E3%81&type=%', '%00=%00', '&&==&', 'q=%ED%A0%80', 'tab=%']) {
      for (const path of ['/japan', '/japan/areas', HUBS.ward, townPath(TOWN.everything), '/japan/about']) {
        expect([path, query, (await town.get(`${path}?${query}`)).status]).toEqual([path, query, 200]);
      }
    }
  });

  it('HEAD has the headers of GET and no body, on every kind of page', async () => {
    await listening(serverOn(openRegistry(town.context.storage)), async (port) => {
      const building = townPath(TOWN.everything);
      for (const path of [
        '/japan',
        '/japan/areas',
        '/japan/about',
        ...Object.values(HUBS),
        `${HUBS.ward}.md`,
        building,
        `${building}.md`,
        '/japan/nowhere',
        '/japan/nowhere.md',
        '/japan/id/x',
        `/japan/id/${TOWN.everything}`,
        '/japan/%',
      ]) {
        const [got, head] = [await ask(port, { path }), await ask(port, { path, method: 'HEAD' })];
        expect([path, head.status, head.body]).toEqual([path, got.status, '']);
        expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
      }
    });
  });
});

describe('a page that fails', () => {
  const PAGES = [
    '/japan',
    '/japan/areas',
    '/japan/tokyo',
    '/japan/tokyo/x',
    townPath(TOWN.everything),
    `/japan/id/${TOWN.everything}`,
  ];

  it.each(PAGES)('API-06 an internal error at %s gives a page without details', async (path) => {
    const app = serverOn(faultyRegistry(new Error(`SECRET ${MARK} at /node_modules/a.ts:1`)));
    const answerOf = async (url: string, accept: string): Promise<Answer> => {
      const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
      return { status: statusCode, headers, body };
    };
    const html = await answerOf(path, 'text/html');
    expectRefusal(html, 500);
    readHtml(html.body);
    expect([html.headers.etag, html.headers['cache-control']]).toEqual([undefined, undefined]);
    expectRefusal(await answerOf(path, 'text/markdown'), 500);
    await app.close();
  });

  it('RATE-03 over the limit every response is Markdown with the limit and the seconds', async () => {
    const app = serverOn(emptyRegistry, undefined, {
      rateLimit: { api: 1, page: 600, mcp: 1 },
      now: () => 1_000_000 * 60_000 + 17_000,
    });
    for (let i = 0; i < 600; i++) await app.inject('/japan/about');
    for (const url of [...PAGES, '/japan/about', '/japan/nowhere', '/japan/', '/japan/%', '/japan/suggest?q=a']) {
      for (const accept of ['text/html', 'text/markdown', '*/*']) {
        const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
        expect([url, statusCode, headers['content-type'], headers['retry-after']]).toEqual([
          url,
          429,
          'text/markdown; charset=utf-8',
          '43',
        ]);
        expect(body).toBe(
          '# 429 Too Many Requests\n\nThe page surface allows 600 requests per minute; retry in 43 seconds.\n',
        );
        expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
      }
    }
    await app.close();
  });
});
