import { METHODS } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import {
  answerOf,
  assetUrl,
  expectNothingInside,
  expectProblem,
  lastingHeaders,
  MARK,
  serverOn,
} from '../support/serving.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';
import { randomRuns } from '../support/test-length.ts';
import { ask, exchange, listening } from '../support/wire.ts';

const ROOT = '/japan/api/v1';
/** CONNECT requests a tunnel and has no path. */
const OTHER_METHODS = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method));

const BODIES: { name: string; headers?: Record<string, string>; payload?: string }[] = [
  { name: 'no body' },
  { name: 'broken JSON', headers: { 'content-type': 'application/json' }, payload: `{"${MARK}"` },
  { name: 'empty JSON', headers: { 'content-type': 'application/json' }, payload: '' },
  { name: 'an odd type', headers: { 'content-type': `application/x-${MARK}` }, payload: MARK },
  { name: 'no type at all', payload: MARK },
  { name: 'a type that is none', headers: { 'content-type': MARK }, payload: MARK },
  { name: 'multipart without a boundary', headers: { 'content-type': 'multipart/form-data' }, payload: MARK },
];

/** Valid paths that are not valid IDs. */
const MALFORMED = [
  MARK,
  'asset-jp-13-00000001',
  'ASSET-US-13-00000001',
  'ASSET-JP-1-00000001',
  'ASSET-JP-013-00000001',
  'ASSET-JP-13-0000001',
  'ASSET-JP-13-000000001',
  'ASSET-JP-13-0000000a',
  'ASSET-JP-13-00000001.json',
  'ASSET-JP-13-00000001%0A',
  'ASSET-JP-13-00000001%00',
  '%20ASSET-JP-13-00000001',
  'ASSET-JP-13-00000001%2Fsources',
  'ASSET-JP-13-00000001;v=1',
  encodeURIComponent('ASSET-JP-１３-00000001'),
  encodeURIComponent('ASSET-JP-13-٠٠٠٠٠٠٠١'),
  '..%2F..%2Fetc%2Fpasswd',
  "'%20or%201=1--",
  'a'.repeat(1_900),
];

const UNDECODABLE = ['%zz', '%', '%E0%A4%A', '%FF', '%C0%80', '%ED%A0%80', `${MARK}%`, 'ASSET-JP-13-0000000%g1'];

onBothEngines('API conventions', (fresh) => {
  let small: SmallRegistry;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
  });
  afterAll(() => small.close());
  const get = async (url: string, headers: Record<string, string> = {}) =>
    answerOf(await small.app.inject({ url, headers }));
  const send = async (method: string, url: string, more: Omit<(typeof BODIES)[number], 'name'> = {}) =>
    answerOf(await small.app.inject({ method: method as 'GET', url, ...more }));

  it.each<[string, string, number, string?]>([
    ['a record', assetUrl(SMALL.full), 200],
    ['its sources', assetUrl(SMALL.full, '/sources'), 200],
    ['a record the client has', assetUrl(SMALL.full), 304, 'If-None-Match: *\r\n'],
    ['a moved ID', assetUrl(SMALL.chain[0]), 301],
    ['an unknown ID', assetUrl(SMALL.unknown), 404],
    ['a malformed ID', assetUrl(MARK), 400],
    ['an escape that cannot be decoded', assetUrl('%zz'), 400],
    ['no endpoint', `${ROOT}/${MARK}`, 404],
    ['healthz', '/healthz', 200],
    ['readyz', '/readyz', 200],
  ])('API-01 HEAD has the headers of GET and no body: %s', async (_, url, status, headers = '') => {
    await listening(serverOn(openRegistry(small.context.storage)), async (port) => {
      const rest = `${url} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`;
      const got = await exchange(port, `GET ${rest}`);
      const head = await exchange(port, `HEAD ${rest}`);
      expect([got.status, head.status]).toEqual([status, status]);
      expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
      expect(head.body).toBe('');
    });
  });

  it('API-01 HEAD has the content length, ETag and content type of GET', async () => {
    for (const url of [assetUrl(SMALL.full), assetUrl(SMALL.full, '/sources')]) {
      const { headers, body } = await get(url);
      const head = await send('HEAD', url);
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(head.headers.etag).toBe(headers.etag);
      expect(head.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it.each(BODIES)('API-02 other methods are refused: $name', async ({ name: _, ...body }) => {
    const ids = [SMALL.full, SMALL.chain[0], SMALL.unknown, MARK];
    for (const method of OTHER_METHODS) {
      for (const url of ids.flatMap((id) => [assetUrl(id), assetUrl(id, '/sources')])) {
        const answer = await send(method, url, body);
        expectProblem(answer, 405);
        expect(answer.headers.allow, `${method} ${url}`).toBe('GET, HEAD');
      }
    }
  });

  it('API-02 other methods are refused for any path and query', async () => {
    const segments = [...UNDECODABLE, 'not-an-id', '%00', '%E5%BB%BA', MARK.repeat(500), '%20'];
    const paths = [
      '/assets/*',
      '/assets/*/sources',
      '/assets/*/reit',
      '/owners/*/assets',
      '/areas/*',
      '/areas/tokyo/*',
    ];
    for (const path of paths.flatMap((of) => segments.map((segment) => `${ROOT}${of.replace('*', segment)}`))) {
      for (const method of ['POST', 'OPTIONS', 'PROPFIND']) {
        const answer = await send(method, path);
        expectProblem(answer, 405);
        expect(answer.headers.allow, `${method} ${path}`).toBe('GET, HEAD');
      }
    }
    for (const query of ['page=0', 'page=%zz', '%zz', 'q=1&q=2']) {
      expectProblem(await send('POST', `${ROOT}/assets?${query}`), 405);
    }
    for (const segment of UNDECODABLE) {
      expectProblem(await send('POST', `${ROOT}/nothing/${segment}`), [400, 404]);
      const page = await send('POST', `/japan/tokyo/${segment}`);
      expect([page.status, page.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('API-02 an oversized body with another method gives 405', async () => {
    const payload = MARK.repeat(300_000);
    const answer = await send('POST', assetUrl(SMALL.full), {
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expectProblem(answer, 405);
  });

  it('API-03 an unknown path is not found', async () => {
    const paths = [
      `${ROOT}/`,
      `${ROOT}/${MARK}`,
      `${ROOT}/${MARK}/${MARK}?${MARK}=${MARK}`,
      `${ROOT}//assets/${SMALL.full}`,
      `${ROOT}/Assets/${SMALL.full}`,
      `${ROOT}/assets/${SMALL.full}/${MARK}`,
      `${ROOT}/assets/${SMALL.full}/Sources`,
      `${ROOT}/assets/${SMALL.full}/sources/${MARK}`,
      `${ROOT}/assets/${MARK}/${MARK}`,
      `${ROOT}/${encodeURIComponent(`${MARK}建物\n`)}`,
    ];
    for (const path of paths) expectProblem(await get(path), 404);
    for (const accept of ['text/html', 'text/markdown'])
      expectProblem(await send('GET', `${ROOT}/${MARK}`, { headers: { accept } }), 404);
    expectProblem(await get(`${ROOT}/${MARK}.md`), 404);
  });

  it.each([
    ['of a record', assetUrl(SMALL.full, '/')],
    ['of its sources', assetUrl(SMALL.full, '/sources/')],
    ['before a query', assetUrl(SMALL.full, '/?a=1')],
    ['of a merged ID', assetUrl(SMALL.chain[0], '/')],
    ['of the list', `${ROOT}/assets/`],
  ])('API-03 a trailing slash is not found: %s', async (_, url) => {
    expectProblem(await get(url), 404);
  });

  it.each(BODIES)('API-03 an unknown path is not found with any method: $name', async ({ name: _, ...body }) => {
    for (const method of OTHER_METHODS) {
      const answer = await send(method, `${ROOT}/${MARK}`, body);
      expect(answer.status, method).toBe(404);
      expectProblem(answer, 404);
    }
  });

  it('API-04 all errors have the same shape', async () => {
    for (const id of [...MALFORMED, ...UNDECODABLE, SMALL.unknown, SMALL.retired]) {
      for (const rest of ['', '/sources', `?${MARK}=${MARK}`, `/${MARK}`]) {
        expectProblem(await get(assetUrl(id, rest), { [MARK]: MARK, cookie: MARK, 'user-agent': MARK }), [400, 404]);
      }
    }
  });

  it('API-04 the detail names the invalid part', async () => {
    const detailOf = async (url: string) => (JSON.parse((await get(url)).body) as { detail: string }).detail;
    expect(await detailOf(assetUrl(MARK))).toMatch(/path parameters.*\bid\b/);
    expect(await detailOf(assetUrl('%zz'))).toMatch(/path/);
    expect(await detailOf(`${ROOT}/${MARK}`)).toMatch(/path/);
    expect(await detailOf(assetUrl(SMALL.unknown))).toMatch(/\bid\b/);
  });

  it('API-04 the detail names the ID, whatever its length', async () => {
    for (const length of [2_000, 2_001, 12_000]) {
      const answer = await get(assetUrl('a'.repeat(length)));
      expectProblem(answer, 400);
      expect(JSON.parse(answer.body).detail, `${length} characters`).toMatch(/path parameters.*\bid\b/);
    }
  });

  it('API-04 no ID causes an internal error or is echoed', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map((segment) => encodeURIComponent(segment));
    const unescaped = fc.string({ unit: fc.constantFrom(..."%25zZ09aFeE.~-_!$&'()*+,;=:@"), maxLength: 30 });
    const near = fc
      .stringMatching(/^(ASSET|asset)?-?(JP)?-\d{0,3}-\d{0,9}.?$/)
      .map((segment) => encodeURIComponent(segment));
    const segments = fc.oneof(text, unescaped, near);
    await fc.assert(
      fc.asyncProperty(segments, fc.constantFrom('', '/sources'), async (segment, rest) => {
        expectProblem(await get(assetUrl(`${MARK}${segment}`, rest)), 400);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('API-04 a well-formed ID is found, redirected or not found', async () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
    await fc.assert(
      fc.asyncProperty(digits(2), digits(8), fc.constantFrom('', '/sources'), async (prefecture, number, rest) => {
        const answer = await get(assetUrl(`ASSET-JP-${prefecture}-${number}`, rest));
        if (answer.status === 404) expectProblem(answer, 404);
        else expect([200, 301]).toContain(answer.status);
      }),
      { numRuns: randomRuns(100) },
    );
  });

  it('API-05 ID-02 a malformed ID is a bad request', async () => {
    for (const id of MALFORMED) {
      for (const rest of ['', '/sources']) expectProblem(await get(assetUrl(id, rest)), 400);
    }
  });

  it('API-05 a percent-escape that cannot be decoded is a bad request', async () => {
    for (const segment of UNDECODABLE) {
      for (const rest of ['', '/sources']) expectProblem(await get(assetUrl(segment, rest)), 400);
    }
  });

  it('API-05 a percent-encoded ID is decoded', async () => {
    const escaped = [...SMALL.full].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    expect((await get(assetUrl(escaped))).body).toBe((await get(assetUrl(SMALL.full))).body);
  });

  it('API-04 unencoded Japanese is refused with advice to encode it', async () => {
    await listening(serverOn(openRegistry(small.context.storage)), async (port) => {
      const bytes = Buffer.from(`GET ${ROOT}/assets?q=東京 HTTP/1.1\r\nHost: a\r\n\r\n`).toString('latin1');
      const answer = await exchange(port, bytes);
      expectProblem(answer, 400);
      expect(answer.body).toContain('percent-encoded');
    });
  });

  it('API-06 a lost database always gives an error without details', async () => {
    const context = await openContext(await fresh());
    const app = serverOn(openRegistry(context.storage), async () => {
      throw new Error(`SECRET ${MARK}`);
    });
    expectProblem(answerOf(await app.inject({ url: assetUrl(SMALL.full) })), 404);
    await context.storage.close();
    for (const url of [assetUrl(SMALL.full), assetUrl(SMALL.full, '/sources')]) {
      expectProblem(answerOf(await app.inject({ url })), [500, 503]);
    }
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
    const ready = answerOf(await app.inject({ url: '/readyz' }));
    expect(ready.status).toBeGreaterThanOrEqual(500);
    expectNothingInside(ready);
    await app.close();
  });

  it('healthz and readyz are outside the API', async () => {
    for (const url of ['/healthz', '/readyz']) {
      expect(await get(url)).toMatchObject({ status: 200, headers: { 'content-type': expect.stringMatching(/json/) } });
    }
  });

  it('API-01 API-02 API-05 hold over a real connection', async () => {
    const app = serverOn(openRegistry(small.context.storage));
    await listening(app, async (port) => {
      const path = assetUrl(SMALL.full);
      const got = await ask(port, { path });
      const head = await ask(port, { path, method: 'HEAD' });
      expect(got.status).toBe(200);
      expect(got.headers['content-length']).toBe(String(Buffer.byteLength(got.body)));
      expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
      expect(head.body).toBe('');
      for (const method of OTHER_METHODS) {
        const answer = await ask(port, { path, method });
        expectProblem(answer, 405);
        expect(answer.headers.allow).toBe('GET, HEAD');
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
        const headers = { 'transfer-encoding': 'chunked', 'content-type': MARK };
        expectProblem(await ask(port, { path, method, headers }, MARK), 405);
      }
      for (const segment of UNDECODABLE) expectProblem(await ask(port, { path: assetUrl(segment) }), 400);
    });
  });
});
