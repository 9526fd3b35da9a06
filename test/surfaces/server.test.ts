import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import {
  answerOf,
  assetUrl,
  emptyRegistry,
  expectNothingInside,
  expectProblem,
  faultyRegistry,
  MARK,
  serverOn,
} from '../support/serving.ts';
import { exchange, listening, readAnswer } from '../support/wire.ts';

const ID = 'ASSET-JP-13-00000001';

describe('an internal error', () => {
  const secret = () =>
    Object.assign(new Error(`SECRET at /srv/${MARK}/registry.db`), { detail: 'SECRET', query: MARK });
  const FAULTS: [string, unknown][] = [
    ['an error', secret()],
    ['an error with a code', Object.assign(secret(), { code: 'ERR_SQLITE_ERROR', errcode: 5 })],
    ['an error that claims to be the client’s', Object.assign(secret(), { statusCode: 404 })],
    ['an error with a status', Object.assign(secret(), { status: 400 })],
    ['an error with an odd status', Object.assign(secret(), { statusCode: 999 })],
    ['a string', `SECRET ${MARK}`],
    ['an object', { statusCode: 418, message: `SECRET ${MARK}` }],
    ['null', null],
    ['undefined', undefined],
  ];

  it.each(FAULTS)('API-06 gives a 500 without details whatever is thrown: %s', async (_, fault) => {
    const app = serverOn(faultyRegistry(fault));
    for (const url of [assetUrl(ID), assetUrl(ID, '/sources'), `${API_ROOT}/assets?q=${MARK}`]) {
      const answer = answerOf(await app.inject({ url }));
      expectProblem(answer, 500);
      expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(500);
    }
    await app.close();
  });

  it('API-06 the next request is answered', async () => {
    let calls = 0;
    const app = serverOn({
      ...emptyRegistry,
      getPage: async (id) => {
        calls += 1;
        if (calls === 1) throw new Error('SECRET');
        return emptyRegistry.getPage(id);
      },
    });
    expectProblem(answerOf(await app.inject({ url: assetUrl(ID) })), 500);
    expectProblem(answerOf(await app.inject({ url: assetUrl(ID) })), 404);
    await app.close();
  });
});

describe('readiness', () => {
  it('is reported as false while the database is not ready, and the service stays alive', async () => {
    let ready = false;
    const app = serverOn(emptyRegistry, async () => ready);
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
    ready = true;
    expect((await app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
    await app.close();
  });

  it('reports an unfinished restore', async () => {
    const app = serverOn(emptyRegistry, async () => true, { hasUnfinishedRestore: async () => true });
    const answer = await app.inject({ url: '/readyz' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ready', restore: expect.stringContaining('not finished') });
    await app.close();
  });

  it('shows no internals if the database does not respond', async () => {
    const app = serverOn(emptyRegistry, async () => {
      throw new Error(`SECRET ${MARK}`);
    });
    const answer = answerOf(await app.inject({ url: '/readyz' }));
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expectNothingInside(answer);
    await app.close();
  });
});

describe('malformed requests', () => {
  const line = (target: string, method = 'GET') => `${method} ${target} HTTP/1.1\r\n`;
  const host = 'Host: registry.example\r\n';
  const close = 'Connection: close\r\n\r\n';
  const REQUESTS: [string, string, number[]][] = [
    [
      'an ID longer than the header limit',
      `${line(assetUrl(`${MARK}${'a'.repeat(20_000)}`))}${host}${close}`,
      [400, 414, 431],
    ],
    [
      'a header longer than the limit',
      `${line(assetUrl(ID))}${host}X-A: ${'a'.repeat(20_000)}\r\n${close}`,
      [400, 431],
    ],
    ['a method that HTTP has not', `${line(assetUrl(ID), 'ZZINPUTZZ')}${host}${close}`, [405]],
    ['a method in small letters', `${line(assetUrl(ID), 'get')}${host}${close}`, [405]],
    ['an unknown method on no endpoint', `${line('/japan/api/v1/nothing', 'BREW')}${host}${close}`, [404]],
    ['a tunnel', `${line(assetUrl(ID), 'CONNECT')}${host}\r\n`, [405]],
    ['two Hosts', `${line(assetUrl(ID))}${host}${host}${close}`, [400]],
    ['a path with a space', `${line(assetUrl(`${MARK} ${MARK}`))}${host}${close}`, [400]],
    ['a path with bytes that need an escape', `${line(assetUrl(`${MARK}\xe5\xbb\xba`))}${host}${close}`, [400]],
    ['a control character in the path', `${line(assetUrl(`${MARK}\x1b`))}${host}${close}`, [400]],
    ['no Host', `${line(assetUrl(ID))}${close}`, [400]],
    ['an expectation nobody knows', `${line(assetUrl(ID))}${host}Expect: ${MARK}\r\n${close}`, [417]],
  ];

  it.each(REQUESTS)('API-04 get the common error shape: %s', async (_, bytes, statuses) => {
    await listening(serverOn(emptyRegistry), async (port) => {
      expectProblem(await exchange(port, bytes), statuses);
    });
  });

  it.each(['BREW', 'CONNECT'])('API-02 API-07 %s is refused with Allow and counted', async (method) => {
    const app = serverOn(emptyRegistry, undefined, { rateLimit: { api: 5, page: 0, mcp: 0 } });
    await listening(app, async (port) => {
      const answer = await exchange(port, `${line(assetUrl(ID), method)}${host}\r\n`);
      expect(answer.headers).toMatchObject({
        allow: 'GET, HEAD',
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '4',
      });
    });
  });

  it('API-04 a request answered before it was complete gets no second response', async () => {
    const app = serverOn(emptyRegistry, undefined, { timeouts: { request: 300, headers: 200, check: 50 } });
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.write(`POST ${assetUrl(ID)} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc`);
      await new Promise((resolve) => socket.once('close', resolve));
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      expect(text).toMatch(/^HTTP\/1\.1 405/);
    });
  });

  it.each([
    ['an absolute target', `${line(`http://registry.example${assetUrl(MARK)}`)}${host}${close}`, 400],
    ['HTTP/1.0', `GET ${assetUrl(MARK)} HTTP/1.0\r\n\r\n`, 400],
    ['a wish to upgrade', `${line(assetUrl(MARK))}${host}Upgrade: h2c\r\nConnection: upgrade\r\n\r\n`, 400],
    ['a version nobody has', `${line(assetUrl(ID))}${host}Accept-Version: 9.x\r\n${close}`, 404],
  ])('API-04 are answered normally if HTTP allows them: %s', async (_, bytes, status) => {
    await listening(serverOn(emptyRegistry), async (port) => {
      expectProblem(await exchange(port, bytes), status);
    });
  });
});

describe('stopping', () => {
  const REQUEST = `GET ${assetUrl(ID)} HTTP/1.1\r\nHost: registry.example\r\n\r\n`;

  it('API-04 open requests are answered first; late ones get an ApiProblem or no response', async () => {
    let arrived = () => {};
    let release = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const app = serverOn({
      ...emptyRegistry,
      getPage: async (id) => {
        arrived();
        await gate;
        return emptyRegistry.getPage(id);
      },
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    // The server may also close the connection of a late request.
    socket.on('error', () => {});
    const hungUp = new Promise((resolve) => socket.on('close', resolve));
    socket.write(REQUEST);
    await underWay;
    const closed = app.close();
    socket.write(REQUEST);
    await sleep(50);
    release();
    await closed;
    socket.end();
    await hungUp;
    const [first, late] = text.split(/(?=HTTP\/1\.1 )/).map(readAnswer);
    expectProblem(first ?? { status: 0, headers: {}, body: '' }, 404);
    if (late !== undefined) expectProblem(late, [404, 503]);
  });
});
