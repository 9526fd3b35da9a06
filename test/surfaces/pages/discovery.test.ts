import { inflateSync } from 'node:zlib';
import { marked } from 'marked';
import { SaxesParser } from 'saxes';
import { afterAll, describe, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../../src/registry/registry.ts';
import type { ServerOptions } from '../../../src/surfaces/server.ts';
import { onBothEngines } from '../../support/engines.ts';
import {
  answerOf,
  emptyRegistry,
  expectProblem,
  faultyRegistry,
  lastingHeaders,
  serverOn,
} from '../../support/serving.ts';
import { openSmallRegistry } from '../../support/small-registry.ts';
import { ask, exchange, listening } from '../../support/wire.ts';

const ORIGIN = 'https://registry.example';
const FILES = ['/robots.txt', '/llms.txt', '/favicon.svg', '/favicon.ico'];
const NAMING = ['/robots.txt', '/llms.txt', '/japan/sitemap.xml', '/japan/sitemap-pages.xml', '/japan/mcp/server-card'];
const open = (registry: Registry = emptyRegistry, options: Partial<ServerOptions> = {}) =>
  serverOn(registry, undefined, { baseUrl: ORIGIN, ...options });
const app = open();
afterAll(() => app.close());

describe('paths outside /japan', () => {
  it('have an ETag, allow only GET and HEAD, and count against no limit', async () => {
    await listening(open(emptyRegistry, { rateLimit: { api: 1, page: 1, mcp: 1 } }), async (port) => {
      for (const path of FILES) {
        const got = await ask(port, { path });
        expect([path, got.status]).toEqual([path, 200]);
        const head = await ask(port, { path, method: 'HEAD' });
        expect([head.status, head.body]).toEqual([200, '']);
        expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
        const again = await ask(port, { path, headers: { 'if-none-match': String(got.headers.etag) } });
        expect([again.status, again.body]).toEqual([304, '']);
        expectProblem(await ask(port, { path, method: 'POST' }), 405);
      }
    });
  });

  it('/ redirects to /japan', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ url: '/?a=b', method });
      expect([statusCode, headers.location]).toEqual([302, '/japan']);
    }
    expectProblem(answerOf(await app.inject({ url: '/', method: 'POST' })), 405);
  });

  it('robots.txt allows pages and names the sitemap', async () => {
    const { body, headers } = await app.inject({ url: '/robots.txt' });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = body
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.at(0)).toBe('User-agent: *');
    expect(lines.at(-1)).toBe(`Sitemap: ${ORIGIN}/japan/sitemap.xml`);
    const refused = lines
      .filter((line) => line.startsWith('Disallow: '))
      .map((line) => line.slice('Disallow: '.length));
    expect(refused).toEqual(['/japan/suggest', '/japan/tiles', '/japan/language']);
    for (const page of [
      '/japan',
      '/japan/areas',
      '/japan/tokyo',
      '/japan/api',
      '/llms.txt',
      '/japan/sitemap.xml',
      '/japan/mcp/server-card',
    ]) {
      expect(
        refused.some((path) => page.startsWith(path)),
        page,
      ).toBe(false);
    }
  });
});

describe('the icons', () => {
  it('the SVG is well-formed and loads nothing', async () => {
    const { body, headers } = await app.inject({ url: '/favicon.svg' });
    expect(headers['content-type']).toBe('image/svg+xml');
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(body).close();
    expect(body).not.toMatch(/href|script|style|url\(/);
    expect(body.length).toBeLessThan(1_000);
  });

  it('the ICO holds one image of 32 pixels with rounded corners', async () => {
    const { rawPayload: ico, headers } = await app.inject({ url: '/favicon.ico' });
    expect(headers['content-type']).toBe('image/x-icon');
    expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4), ico[6], ico[7]]).toEqual([0, 1, 1, 32, 32]);
    expect(ico.readUInt32LE(14) + ico.readUInt32LE(18)).toBe(ico.length);
    const png = ico.subarray(ico.readUInt32LE(18));
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const at = png.indexOf('IDAT');
    const pixels = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    expect(pixels.length).toBe(32 * (1 + 32 * 4));
    const opacity = (x: number, y: number) => pixels[y * 129 + 1 + x * 4 + 3];
    expect([opacity(0, 0), opacity(31, 31), opacity(16, 16), opacity(16, 0)]).toEqual([0, 0, 255, 255]);
  });
});

function linksIn(markdown: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link') links.push(String(token.href));
  });
  return links;
}

onBothEngines('llms.txt', (fresh) => {
  it('MD-05 describes the service and links the API, the MCP server and the hubs', async () => {
    const small = await openSmallRegistry(await fresh());
    const served = open(openRegistry(small.context.storage), { rateLimit: { api: 120, page: 600, mcp: 0 } });
    const { body, headers } = await served.inject({ url: '/llms.txt' });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const tokens = marked.lexer(body);
    expect(tokens.filter(({ type }) => type !== 'space').slice(0, 2)).toMatchObject([
      { type: 'heading', depth: 1 },
      { type: 'blockquote' },
    ]);
    const links = linksIn(body);
    for (const path of [
      '/japan/api/v1/openapi.json',
      '/japan/api',
      '/japan/mcp/server-card',
      '/japan/tokyo',
      '/japan/areas',
      '/japan/sitemap.xml',
    ]) {
      expect(links).toContain(`${ORIGIN}${path}`);
    }
    for (const link of links) expect(link.startsWith(`${ORIGIN}/`)).toBe(true);
    expect(body).toContain(`\`${ORIGIN}/japan/mcp\``);
    expect(body).toContain('[Tokyo 東京都]');
    for (const part of ['3 buildings', 'ASSET-JP-NN-NNNNNNNN', 'text/markdown', '.md', 'ODbL', 'CC BY 4.0'])
      expect(body).toContain(part);
    expect(body).toContain('600 requests to pages, 120 requests to the API, unlimited requests to the MCP server');
    const api = links.filter(
      (link) => link.startsWith(`${ORIGIN}/japan/api`) || link.includes('/japan/mcp/') || link.includes('sitemap'),
    );
    for (const link of api)
      expect(
        (await served.inject({ url: link.slice(ORIGIN.length), headers: { host: 'registry.example' } })).statusCode,
        link,
      ).toBe(200);
    await served.close();
    await small.close();
  });
});

describe('llms.txt of an empty registry', () => {
  it('MD-05 states that there are no buildings', async () => {
    const { body } = await app.inject({ url: '/llms.txt' });
    expect(body).toContain('0 buildings');
    expect(body).toContain('No buildings published yet.');
    expect(body).not.toMatch(/null|undefined|NaN/);
  });

  it('MD-05 queries the registry at most every ten seconds, and again after an error', async () => {
    let [calls, clock] = [0, 0];
    const getCountry = async () => {
      calls += 1;
      if (calls === 1) throw new Error('SECRET');
      return emptyRegistry.getCountry();
    };
    const counted = open({ ...emptyRegistry, getCountry }, { now: () => clock });
    expectProblem(answerOf(await counted.inject({ url: '/llms.txt' })), 500);
    for (let i = 0; i < 5; i++) expect((await counted.inject({ url: '/llms.txt' })).statusCode).toBe(200);
    expect(calls).toBe(2);
    clock = 10_000;
    await Promise.all(Array.from({ length: 5 }, () => counted.inject({ url: '/llms.txt' })));
    expect(calls).toBe(3);
    await counted.close();
  });

  it('MD-05 MD-04 a name cannot break out of its link', async () => {
    const child = {
      slug: 'x',
      nameJa: '](https://evil.example) <script>\n# a',
      nameEn: null,
      path: '/japan/x',
      buildingCount: 1,
    };
    const getCountry = async () => ({ ...(await emptyRegistry.getCountry()), children: [child] });
    const hostile = open({ ...emptyRegistry, getCountry });
    const { body } = await hostile.inject({ url: '/llms.txt' });
    expect(linksIn(body)).toContain(`${ORIGIN}/japan/x`);
    for (const link of linksIn(body)) expect(link.startsWith(`${ORIGIN}/`)).toBe(true);
    expect(body).not.toMatch(/^# a/m);
    await hostile.close();
  });
});

describe('the origin of absolute links', () => {
  const HOSTILE = [
    ...[
      'evil.example/path',
      'evil.example?a',
      'evil.example#a',
      'a b',
      '<script>',
      'a"b',
      "a'b",
      'a&b',
      'a\\b',
      'a@b',
      '@',
      '../..',
    ],
    ...[
      'a:b',
      'a:99999999',
      '[::1',
      '::1',
      ':80',
      'http://evil.example',
      'javascript:alert(1)',
      '%0d%0a',
      'é.example',
      '](',
    ],
  ];

  it('is the configured public origin, whatever the request headers', async () => {
    for (const host of ['other.example', ...HOSTILE]) {
      for (const url of NAMING.filter((path) => !path.includes('/mcp/'))) {
        const { body } = await app.inject({ url, headers: { host, 'x-forwarded-host': host } });
        expect(body).toContain(ORIGIN);
        expect(body).not.toContain('other.example');
      }
    }
  });

  it('is the Host of the request if none is configured', async () => {
    const bare = serverOn(emptyRegistry);
    for (const host of ['a.example', 'a.example:8080', 'localhost:3000', '[::1]:3000', '192.0.2.1']) {
      for (const url of NAMING)
        expect((await bare.inject({ url, headers: { host } })).body).toContain(`http://${host}/japan`);
    }
    await bare.close();
  });

  it('is never an invalid host', async () => {
    await listening(serverOn(emptyRegistry), async (port) => {
      for (const host of HOSTILE.filter((name) => !/[^\0-\x7f]/.test(name))) {
        for (const path of NAMING.filter((name) => !name.includes('/mcp/'))) {
          const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
          if (answer.status === 400) continue;
          expect([path, host, answer.status]).toEqual([path, host, 200]);
          expect(answer.body).toContain(`http://127.0.0.1:${port}/japan`);
        }
      }
      const nameless = await exchange(port, 'GET /robots.txt HTTP/1.0\r\n\r\n');
      expect(nameless.body).toContain(`http://127.0.0.1:${port}/japan/sitemap.xml`);
    });
  });

  it('is http or https, whatever a trusted proxy states', async () => {
    const behind = serverOn(emptyRegistry, undefined, { trustProxy: true });
    const get = async (proto: string) => {
      const headers = { host: 'a.example', 'x-forwarded-proto': proto };
      return Promise.all(NAMING.map(async (url) => (await behind.inject({ url, headers })).body));
    };
    for (const body of await get('https')) expect(body).toContain('https://a.example/japan');
    for (const proto of ['javascript', 'https://evil.example/?', 'data', '']) {
      for (const body of await get(proto)) {
        expect(body).toContain('http://a.example/japan');
        expect(body).not.toMatch(/evil|javascript:|null\//);
      }
    }
    await behind.close();
  });

  it('API-06 a failure shows no details', async () => {
    const faulty = open(faultyRegistry(new Error('SECRET')));
    expectProblem(answerOf(await faulty.inject({ url: '/llms.txt' })), 500);
    await faulty.close();
  });
});
