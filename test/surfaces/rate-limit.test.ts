import { Agent } from 'node:http';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { BUILDING_EXAMPLE } from '../../src/surfaces/api/examples.ts';
import { networkOf } from '../../src/surfaces/http/client-identifier.ts';
import { secondsToNext, WINDOW_MS, windowOf } from '../../src/surfaces/http/rate-limiter.ts';
import type { LimitedSurface, RateStore } from '../../src/surfaces/http/rate-store.ts';
import { memoryRateStore } from '../../src/surfaces/http/rate-store.ts';
import { surfaceOf } from '../../src/surfaces/http/surface.ts';
import type { ServerOptions } from '../../src/surfaces/server.ts';
import {
  answerOf,
  assetUrl,
  emptyRegistry,
  expectProblem,
  faultyRegistry,
  MARK,
  serverOn,
} from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const ID = 'ASSET-JP-13-00000001';
const API = assetUrl(ID);
const PAGE = '/japan/tokyo';
const MCP = '/japan/mcp';
const MINUTE = Date.UTC(2026, 0, 1, 12, 0, 0);
const LIMITS = { api: 3, page: 2, mcp: 1 };

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/** A server whose clock the test sets. */
function limited(options: Partial<ServerOptions> = {}, registry = emptyRegistry) {
  const clock = { now: MINUTE };
  const app = serverOn(registry, undefined, { rateLimit: LIMITS, now: () => clock.now, ...options });
  opened.push(app);
  const get = async (url: string, more: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
    answerOf(await app.inject({ url, ...more }));
  return { app, clock, get };
}

describe('the surface of a path', () => {
  it.each([
    ['/japan/api/v1', 'api'],
    ['/japan/api/v1/', 'api'],
    ['/japan/api/v1?q=1', 'api'],
    ['/japan/api/v1#a', 'api'],
    ['/japan/api/v1/assets', 'api'],
    ['/japan/%61pi/v1/assets', 'api'],
    ['/%6a%61%70%61%6E/api/%761/%zz', 'api'],
    ['http://registry.example/japan/api/v1/assets', 'api'],
    ['/japan/api/v10', 'page'],
    ['/japan/api/v2/assets', 'page'],
    ['/japan/api%2Fv1/assets', 'page'],
    ['/japan', 'page'],
    ['/japan?q=/japan/api/v1/', 'page'],
    ['/japan/', 'page'],
    ['/japan/tokyo/%zz', 'page'],
    ['/japan/mcp', 'mcp'],
    ['/japan/mcp/server-card', 'mcp'],
    ['/japan/mcpx', 'page'],
    ['/japanese', 'other'],
    ['/healthz', 'other'],
    ['/', 'other'],
    ['*', 'other'],
    ['', 'other'],
  ])('%s is %s', (target, surface) => {
    expect(surfaceOf(target)).toBe(surface);
  });
});

describe('windows', () => {
  const times = fc.nat({ max: 4e12 });

  it('RATE-01 windows are aligned to the clock and last sixty seconds', () => {
    expect(windowOf(MINUTE) - windowOf(MINUTE - 1)).toBe(1);
    expect(windowOf(MINUTE + 59_999)).toBe(windowOf(MINUTE));
    expect([MINUTE, MINUTE + 1, MINUTE + 59_000, MINUTE + 59_001, MINUTE + 59_999].map(secondsToNext)).toEqual([
      60, 60, 1, 1, 1,
    ]);
    fc.assert(
      fc.property(times, (now) => {
        const seconds = secondsToNext(now);
        expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
        expect(windowOf(now) * WINDOW_MS).toBeLessThanOrEqual(now);
        // A client that waits for retry-after is in the next window, and waits at most one second too long.
        expect(windowOf(now + seconds * 1000)).toBe(windowOf(now) + 1);
        expect(windowOf(now + (seconds - 1) * 1000)).toBe(windowOf(now));
      }),
    );
  });
});

describe('counting in memory', () => {
  const surfaces = fc.constantFrom<LimitedSurface>('api', 'page', 'mcp');
  const requests = fc.array(fc.tuple(surfaces, fc.constantFrom('a', 'b', 'c', 'd'), fc.nat({ max: 2 })), {
    maxLength: 200,
  });
  const inOrder = requests.map((list) => list.toSorted((a, b) => a[2] - b[2]));

  it('RATE-01 each surface, client and window has its own count, whatever the order of requests', () => {
    fc.assert(
      fc.property(inOrder, (list) => {
        const store = memoryRateStore();
        const counts = new Map<string, number>();
        for (const [surface, client, window] of list) {
          const key = `${surface} ${client} ${window}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
          expect(store.add(surface, client, window)).toBe(counts.get(key));
        }
      }),
    );
  });

  it('RATE-01 no client gets more than the limit, even with more clients than are counted separately', () => {
    fc.assert(
      fc.property(inOrder, fc.nat({ max: 3 }), fc.integer({ min: 1, max: 4 }), (list, maxClients, cells) => {
        const store = memoryRateStore(maxClients, cells);
        const counts = new Map<string, number>();
        for (const [surface, client, window] of list) {
          const key = `${surface} ${client} ${window}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
          expect(store.add(surface, client, window)).toBeGreaterThanOrEqual(counts.get(key) as number);
        }
      }),
    );
  });

  it('memory is bounded whatever the number of clients', () => {
    const store = memoryRateStore(1_000, 64);
    for (let i = 0; i < 200_000; i++) store.add('api', `client ${i}`, 1);
    expect(store.add('api', 'client 0', 1)).toBe(2);
    // 199,000 clients in 64 cells.
    expect(store.add('api', 'one more', 1)).toBeGreaterThan(1_000);
    expect(store.add('page', 'one more', 1)).toBe(1);
    expect(store.add('api', 'one more', 2)).toBe(1);
  });
});

describe('the API', () => {
  it('API-07 RATE-01 counts down, and starts again with the next window', async () => {
    const { clock, get } = limited();
    clock.now = MINUTE + 59_000;
    const answers = [await get(API), await get(API), await get(API)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0']);
    for (const { headers } of answers) expect(headers['x-ratelimit-limit']).toBe('3');
    expect((await get(API)).status).toBe(429);
    clock.now = MINUTE + 60_000;
    expect(await get(API)).toMatchObject({ status: 404, headers: { 'x-ratelimit-remaining': '2' } });
  });

  it('RATE-02 over the limit: a problem with the surface, the limit and the seconds', async () => {
    const { clock, get } = limited({ rateLimit: { api: 120, page: 600, mcp: 120 } });
    for (let i = 0; i < 120; i++) expect((await get(API)).status).toBe(404);
    for (const [passed, seconds] of [
      [0, 60],
      [17_500, 43],
      [59_999, 1],
    ] as const) {
      clock.now = MINUTE + passed;
      const answer = await get(`${API}?${MARK}`);
      expectProblem(answer, 429);
      expect(answer.headers).toMatchObject({
        'retry-after': String(seconds),
        'x-ratelimit-limit': '120',
        'x-ratelimit-remaining': '0',
      });
      expect(JSON.parse(answer.body).detail).toBe(
        `the api surface allows 120 requests per minute; retry in ${seconds} seconds`,
      );
    }
  });

  it('API-07 every response has the rate headers, including errors', async () => {
    const etag = '"tag"';
    const body = Buffer.from(JSON.stringify(BUILDING_EXAMPLE));
    const registry = {
      ...faultyRegistry(new Error('SECRET')),
      getPage: async (id: string) =>
        id === ID
          ? ({ ok: true, value: { etag, body } } as const)
          : ({ ok: false, failure: { kind: 'movedBuilding', survivor: 1_300_000_001 } } as const),
    };
    const { app } = limited({ rateLimit: { ...LIMITS, api: 1_000 } }, registry);
    const REQUESTS: [status: number, method: string, url: string, headers?: Record<string, string>][] = [
      [200, 'GET', API],
      [304, 'GET', API, { 'if-none-match': etag }],
      [301, 'GET', assetUrl('ASSET-JP-13-00000002')],
      [400, 'GET', assetUrl('%zz')],
      [400, 'GET', '/japan/%61pi/v1/%zz'],
      [400, 'GET', assetUrl('a'.repeat(3_000))],
      [404, 'GET', '/japan/api/v1'],
      [404, 'GET', '/japan/api/v1/nothing?x'],
      [404, 'POST', '/japan/api/v1/nothing'],
      [405, 'POST', API],
      [405, 'OPTIONS', API],
      [417, 'GET', API, { expect: MARK }],
      [431, 'GET', API, Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`x-${i}`, '1']))],
      [500, 'GET', assetUrl(ID, '/sources')],
    ];
    let remaining = 1_000;
    for (const [status, method, url, headers = {}] of REQUESTS) {
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
      for (const each of methods) {
        const answer = await app.inject({ method: each as 'GET', url, headers });
        remaining -= 1;
        expect(answer.statusCode, `${each} ${url}`).toBe(status);
        expect(answer.headers, `${each} ${url}`).toMatchObject({
          'x-ratelimit-limit': '1000',
          'x-ratelimit-remaining': String(remaining),
        });
      }
    }
  });

  it('RATE-02 over the limit every request is refused, including HEAD and undecodable paths', async () => {
    const { app, get } = limited();
    for (let i = 0; i < 3; i++) await get(API);
    for (const url of [API, assetUrl('%zz'), '/japan/api/v1', `/japan/api/v1/${MARK}`]) {
      expectProblem(await get(url), 429);
      const head = await app.inject({ method: 'HEAD', url });
      expect(head).toMatchObject({ statusCode: 429, headers: { 'retry-after': '60' } });
    }
    expectProblem(answerOf(await app.inject({ method: 'POST', url: API })), 429);
  });

  it('a limit of 0 disables the limit and its headers', async () => {
    const { get } = limited({ rateLimit: { api: 0, page: 0, mcp: 0 } });
    for (let i = 0; i < 10; i++) {
      for (const url of [API, PAGE, MCP]) {
        const { status, headers } = await get(url);
        expect(status).toBe(url === MCP ? 405 : 404);
        expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
      }
    }
  });
});

describe('the other surfaces', () => {
  it('RATE-03 pages over the limit: Markdown with the limit and the seconds, and no rate headers', async () => {
    const { clock, get } = limited({ rateLimit: { api: 120, page: 600, mcp: 120 } });
    clock.now = MINUTE + 18_000;
    for (let i = 0; i < 600; i++) {
      const { status, headers } = await get(PAGE);
      if (status !== 404 || 'x-ratelimit-limit' in headers) expect.fail(`request ${i}: ${status}`);
    }
    const { status, headers, body } = await get(PAGE);
    expect(status).toBe(429);
    expect(headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8', 'retry-after': '42' });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    expect(body).toBe(
      '# 429 Too Many Requests\n\nThe page surface allows 600 requests per minute; retry in 42 seconds.\n',
    );
  });

  it('RATE-04 MCP over the limit: a JSON-RPC error, and no rate headers', async () => {
    const { get } = limited();
    await get(MCP);
    const { status, headers, body } = await get(MCP);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('60');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: 'the mcp surface allows 1 requests per minute; retry in 60 seconds' },
    });
  });

  it('RATE-01 each surface has its own budget', async () => {
    const { get } = limited();
    for (let i = 0; i < 5; i++) await get(PAGE);
    for (let i = 0; i < 5; i++) await get(MCP);
    expect((await get(API)).headers['x-ratelimit-remaining']).toBe('2');
    for (let i = 0; i < 5; i++) await get(API);
    expect([(await get(API)).status, (await get(PAGE)).status, (await get(MCP)).status]).toEqual([429, 429, 429]);
  });

  it('health checks have no limit', async () => {
    const { get } = limited();
    for (let i = 0; i < 20; i++) {
      for (const url of ['/healthz', '/readyz', '/metrics']) {
        const { status, headers } = await get(url);
        expect(status).toBe(200);
        expect(headers).not.toHaveProperty('x-ratelimit-limit');
      }
    }
  });
});

describe('clients', () => {
  const remainingOf = async (
    get: ReturnType<typeof limited>['get'],
    remoteAddress: string,
    headers: Record<string, string> = {},
  ) => Number((await get(API, { remoteAddress, headers })).headers['x-ratelimit-remaining']);

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('the network of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('RATE-05 each client has a budget: an IPv4 address, an IPv6 network', async () => {
    const { get } = limited({ rateLimit: { ...LIMITS, api: 10 } });
    expect(await remainingOf(get, '192.0.2.1')).toBe(9);
    expect(await remainingOf(get, '192.0.2.2')).toBe(9);
    expect(await remainingOf(get, '::ffff:192.0.2.1')).toBe(8);
    expect(await remainingOf(get, '2001:db8::1')).toBe(9);
    expect(await remainingOf(get, '2001:db8::2')).toBe(8);
    expect(await remainingOf(get, '2001:db8:0:1::1')).toBe(9);
  });

  it('RATE-05 a forwarded address counts only if the proxy is trusted', async () => {
    const forwarded = (address: string) => ({ 'x-forwarded-for': address });
    const alone = limited({ rateLimit: { ...LIMITS, api: 10 } });
    expect(await remainingOf(alone.get, '10.0.0.1', forwarded('192.0.2.1'))).toBe(9);
    expect(await remainingOf(alone.get, '10.0.0.1', forwarded('192.0.2.2'))).toBe(8);

    const behind = limited({ rateLimit: { ...LIMITS, api: 10 }, trustProxy: '10.0.0.0/8' });
    expect(await remainingOf(behind.get, '10.0.0.1', forwarded('192.0.2.1'))).toBe(9);
    expect(await remainingOf(behind.get, '10.0.0.2', forwarded('192.0.2.1'))).toBe(8);
    expect(await remainingOf(behind.get, '10.0.0.1', forwarded('192.0.2.2'))).toBe(9);
    // Addresses written by the client come before the one that the proxy added.
    expect(await remainingOf(behind.get, '10.0.0.1', forwarded('198.51.100.9, 192.0.2.1'))).toBe(7);
    expect(await remainingOf(behind.get, '203.0.113.1', forwarded('192.0.2.1'))).toBe(9);
    const bad = await behind.get(assetUrl('%zz'), { remoteAddress: '10.0.0.1', headers: forwarded('192.0.2.1') });
    expect(bad).toMatchObject({ status: 400, headers: { 'x-ratelimit-remaining': '6' } });
  });

  it('RATE-05 clients are counted by a keyed hash, never by address', async () => {
    const seen: string[] = [];
    const keep = (key: string): RateStore => ({
      key: Buffer.from(key),
      add(_surface, client) {
        seen.push(client);
        return 1;
      },
    });
    for (const key of ['one', 'two']) {
      const { get } = limited({ rateStore: keep(key) });
      for (const remoteAddress of ['192.0.2.1', '192.0.2.1', '2001:db8::1']) await get(API, { remoteAddress });
    }
    expect(seen[0]).toBe(seen[1]);
    expect(new Set(seen).size).toBe(4);
    for (const client of seen) expect(client).toMatch(/^[\w-]{22}$/);
  });

  it('RATE-01 no client gets more than the limit, and none uses up the budget of another', async () => {
    const requests = fc.array(
      fc.tuple(fc.constantFrom('192.0.2.1', '192.0.2.2'), fc.constantFrom(API, PAGE), fc.nat({ max: 40_000 })),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(requests, async (list) => {
        const { app, clock, get } = limited();
        const allowed = new Map<string, number>();
        for (const [remoteAddress, url, passes] of list) {
          clock.now += passes;
          const key = `${remoteAddress} ${url} ${windowOf(clock.now)}`;
          const before = allowed.get(key) ?? 0;
          const { status } = await get(url, { remoteAddress });
          expect(status).toBe(before < (url === API ? LIMITS.api : LIMITS.page) ? 404 : 429);
          if (status !== 429) allowed.set(key, before + 1);
        }
        await app.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a rejection over a real connection', () => {
  it.each([
    ['without a body', 'GET', undefined],
    ['with a body', 'POST', Buffer.alloc(300_000, 'x')],
  ])('RATE-06 is a complete response and keeps the connection open: %s', async (_, method, body) => {
    const { app, clock } = limited();
    opened.pop();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let connections = 0;
    app.server.on('connection', () => {
      connections += 1;
    });
    await listening(app, async (port) => {
      for (const url of [API, PAGE, MCP]) {
        for (let i = 0; i < 4; i++) await ask(port, { path: url, method, agent }, body);
        const answer = await ask(port, { path: url, method, agent }, body);
        expect(answer).toMatchObject({ status: 429, headers: { connection: 'keep-alive' } });
        expect(answer.body).not.toBe('');
      }
      clock.now += WINDOW_MS;
      expect((await ask(port, { path: API, agent })).status).toBe(404);
      expect(connections).toBe(1);
      agent.destroy();
    });
  });

  it('RATE-06 each of many concurrent requests is answered, and at most the limit is allowed', async () => {
    const { app } = limited();
    opened.pop();
    await listening(app, async (port) => {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await ask(port, { path: API })).status),
      );
      expect(statuses.filter((status) => status === 404)).toHaveLength(3);
      expect(statuses.filter((status) => status === 429)).toHaveLength(17);
    });
  });
});

describe('a store that fails', () => {
  const failing: [string, RateStore['add']][] = [
    [
      'at once',
      () => {
        throw new Error('SECRET');
      },
    ],
    [
      'later',
      async () => {
        throw new Error('SECRET');
      },
    ],
    ['never answering', () => new Promise(() => {})],
  ];

  it.each(failing)('allows requests and logs a warning once per window: %s', async (_, add) => {
    const lines: string[] = [];
    const { clock, get } = limited({
      rateStore: { key: Buffer.alloc(32), add },
      logLevel: 'error',
      logTo: { write: (line) => lines.push(line) },
    });
    for (let i = 0; i < 2; i++) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => get(API)));
      for (const answer of answers) {
        expectProblem(answer, 404);
        expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '3' });
      }
      clock.now += WINDOW_MS;
    }
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 50, err: { type: 'Error' } });
  });
});

describe('behind a proxy', () => {
  const budgetOf = async (trustProxy: ServerOptions['trustProxy'], forwarded: string[]) => {
    const { get } = limited({ trustProxy });
    const left = [];
    for (const value of forwarded) {
      left.push((await get(API, { headers: { 'x-forwarded-for': value } })).headers['x-ratelimit-remaining']);
    }
    return left;
  };

  it('RATE-05 an address with any port is one client; a value that is not an address counts as the proxy', async () => {
    const [first, ...others] = await budgetOf(true, ['1.1.1.1', '1.1.1.1:5555', '1.1.1.1:80']);
    expect(others).toEqual([String(Number(first) - 1), String(Number(first) - 2)]);
    const six = await budgetOf(true, ['2001:db8:1:2::7', '[2001:db8:1:2::8]:443', '[2001:db8:1:2::9]']);
    expect(six).toEqual([first, others[0], others[1]]);
    expect(await budgetOf(true, ['nonsense', 'other nonsense', 'unknown'])).toEqual(six);
  });

  it('RATE-05 with a number of proxies, only that many are trusted', async () => {
    const [first] = await budgetOf(1, ['9.9.9.9']);
    const spoofed = await budgetOf(1, ['6.6.6.6, 1.1.1.1', '7.7.7.7, 1.1.1.1', '8.8.8.8, 1.1.1.1']);
    expect(spoofed).toEqual([first, String(Number(first) - 1), String(Number(first) - 2)]);
  });
});
