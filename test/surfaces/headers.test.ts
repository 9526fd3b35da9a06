import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { raw } from '../../src/surfaces/pages/html.ts';
import { renderPage } from '../../src/surfaces/pages/layout.ts';
import type { ServerOptions } from '../../src/surfaces/server.ts';
import { PLAIN_SETTINGS } from '../support/page-settings.ts';
import { assetUrl, emptyRegistry, expectProblem, faultyRegistry, MARK, serverOn } from '../support/serving.ts';
import { exchange, listening } from '../support/wire.ts';

const ID = 'ASSET-JP-13-00000001';
const API_PATHS = [assetUrl(ID), assetUrl(MARK), assetUrl('%zz'), '/japan/api/v1', '/japan/api/v1/nothing'];
const PAGE_PATHS = ['/japan', '/japan/%zz', '/japan/nowhere', '/japan/areas', '/japan/about'];
const OTHER_PATHS = ['/healthz', '/readyz', '/metrics', '/', '/nothing', '/%zz'];

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
function open(options: Partial<ServerOptions> = {}, registry = emptyRegistry): FastifyInstance {
  const app = serverOn(registry, undefined, options);
  opened.push(app);
  return app;
}

describe('request IDs', () => {
  it('every response has its own, never the client’s', async () => {
    const app = open();
    const ids = new Set<unknown>();
    for (const url of [...API_PATHS, ...OTHER_PATHS]) {
      const headers = { 'x-request-id': MARK, 'request-id': MARK };
      const answer = await app.inject({ url, headers });
      expect(answer.headers['x-request-id'], url).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
      expect(JSON.stringify(answer.headers)).not.toContain(MARK);
      ids.add(answer.headers['x-request-id']);
    }
    expect(ids.size).toBe(API_PATHS.length + OTHER_PATHS.length);
  });

  it('two processes never issue the same ID', async () => {
    const ids = await Promise.all([open(), open()].map(async (app) => (await app.inject('/healthz')).headers));
    expect(ids[0]?.['x-request-id']).not.toBe(ids[1]?.['x-request-id']);
  });

  it('API-06 an internal error is logged in full with the request ID of its response', async () => {
    const lines: string[] = [];
    const app = open(
      { logLevel: 'info', logTo: { write: (line) => lines.push(line) } },
      faultyRegistry(new Error('SECRET', { cause: new Error('the disk') })),
    );
    const answer = await app.inject({ url: assetUrl(ID), headers: { 'x-request-id': MARK } });
    expect(answer.statusCode).toBe(500);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      level: 50,
      requestId: answer.headers['x-request-id'],
      err: { message: expect.stringContaining('SECRET'), stack: expect.stringMatching(/headers\.test\.ts.*the disk/s) },
    });
  });
});

describe('CORS and security', () => {
  const API = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, ETag, X-Request-Id',
    'cross-origin-resource-policy': 'cross-origin',
  };
  const EVERYWHERE = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': expect.stringMatching(/\S/),
  };

  const PAGE_POLICY =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  it('API responses may be read from any origin, including errors and rejections', async () => {
    const app = open({ rateLimit: { api: 1, page: 0, mcp: 0 } });
    const faulty = open({}, faultyRegistry(new Error('SECRET')));
    const answers = [
      ...(await Promise.all(API_PATHS.map((url) => open().inject({ url, headers: { origin: 'https://a.example' } })))),
      await open().inject({ method: 'POST', url: assetUrl(ID) }),
      await app.inject(assetUrl(ID)),
      await app.inject(assetUrl(ID)),
      await faulty.inject(assetUrl(ID)),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 400, 400, 404, 404, 405, 404, 429, 500]);
    for (const { headers } of answers) expect(headers).toMatchObject({ ...API, ...EVERYWHERE });
  });

  it('OPTIONS gives 405 like any other method', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    const answer = await open().inject({ method: 'OPTIONS', url: assetUrl(ID), headers });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'GET, HEAD', ...API });
  });

  it('a page may load only resources of this service', async () => {
    for (const url of PAGE_PATHS) {
      const { headers } = await open().inject(url);
      expect(headers, url).toMatchObject({ ...EVERYWHERE, 'content-security-policy': PAGE_POLICY });
      expect(headers, url).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('with a base map it may also load the tiles of that map, and no others', async () => {
    const baseMap = { url: 'https://maps.example:8443/xyz/{z}/{x}/{y}.png', attribution: '<b>地図</b>' };
    const { headers } = await open({ baseMap }).inject('/japan/about');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("img-src 'self' data: blob: https://maps.example:8443;");
    expect(policy).toContain("connect-src 'self' https://maps.example:8443;");
    expect(policy.match(/https?:/g)).toHaveLength(2);
    const page = { title: 'x', description: 'x', hasMap: true, main: raw('') };
    const meta = `<meta name="base-map" content="${baseMap.url}" data-attribution="&lt;b&gt;地図&lt;/b&gt;">`;
    expect(renderPage(page, { ...PLAIN_SETTINGS, baseMap })).toContain(meta);
    expect(renderPage(page, PLAIN_SETTINGS)).not.toContain('base-map');
  });

  it('other responses have security headers and no CORS headers', async () => {
    for (const url of OTHER_PATHS) {
      const { headers } = await open().inject(url);
      expect(headers, url).toMatchObject(EVERYWHERE);
      expect(headers, url).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it.each([
    [undefined, undefined],
    ['http://registry.example', undefined],
    ['https://registry.example', 'max-age=31536000'],
  ])('only a service with an https origin sends HSTS: %s', async (baseUrl, expected) => {
    for (const url of [assetUrl(ID), '/japan', '/healthz']) {
      expect((await open({ baseUrl }).inject(url)).headers['strict-transport-security']).toBe(expected);
    }
  });

  it('refusals of malformed requests have them too', async () => {
    await listening(serverOn(emptyRegistry, undefined, { baseUrl: 'https://registry.example' }), async (port) => {
      for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`]) {
        const answer = await exchange(port, bytes);
        expectProblem(answer, [400, 431]);
        expect(answer.headers).toMatchObject({
          ...API,
          ...EVERYWHERE,
          'strict-transport-security': 'max-age=31536000',
          'x-request-id': expect.stringMatching(/^[0-9a-f]{12}-/),
          connection: 'close',
        });
      }
    });
  });
});
