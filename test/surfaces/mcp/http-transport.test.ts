import { METHODS } from 'node:http';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../../src/surfaces/server.ts';
import { INITIALIZE, MCP_HEADERS, McpClient } from '../../support/mcp-inject.ts';
import { emptyRegistry, MARK, uncheckedServerOn } from '../../support/serving.ts';
import { ask, exchange, listening } from '../../support/wire.ts';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const [NEWEST, OLDEST] = ['2025-11-25', '2024-11-05'];
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});
function open(options: Partial<ServerOptions> = {}): FastifyInstance {
  const app = uncheckedServerOn(emptyRegistry, undefined, options);
  opened.push(app);
  return app;
}
const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

/** Every refusal is a JSON-RPC error that does not echo the input. */
function expectRefusal(answer: LightMyRequestResponse, status: number, code: number): string {
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  expect(answer.body).not.toContain(MARK);
  const body = answer.json() as { error: { message: string } };
  expect(body).toEqual({ jsonrpc: '2.0', id: null, error: { code, message: expect.stringMatching(/^[a-z].*[^.]$/) } });
  return body.error.message;
}

describe('initialize', () => {
  it.each(VERSIONS)(
    'MCP-01 MCP-02 negotiates %s and returns the session ID and the version',
    async (protocolVersion) => {
      const answer = await new McpClient(open()).post({
        ...INITIALIZE,
        params: { ...INITIALIZE.params, protocolVersion },
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['mcp-session-id']).toMatch(/^[!-~]{32,}$/);
      expect(answer.headers['mcp-protocol-version']).toBe(protocolVersion);
      expect(answer.json()).toMatchObject({
        jsonrpc: '2.0',
        id: 0,
        result: {
          protocolVersion,
          capabilities: { tools: { listChanged: false } },
          serverInfo: { name: 'tatemono' },
          instructions: expect.stringContaining('search_assets'),
        },
      });
    },
  );

  it.each(['2026-07-28', '2024-10-07', '1999-01-01', ''])(
    'MCP-02 offers the newest version to a client that requests %j',
    async (protocolVersion) => {
      const answer = await new McpClient(open()).post({
        ...INITIALIZE,
        params: { ...INITIALIZE.params, protocolVersion },
      });
      expect(answer.json()).toMatchObject({ result: { protocolVersion: NEWEST } });
      expect(answer.headers['mcp-protocol-version']).toBe(NEWEST);
    },
  );

  it('MCP-04 with a session ID, known or not, is refused', async () => {
    const client = await McpClient.open(open());
    expectRefusal(await client.post(INITIALIZE), 400, -32600);
    expectRefusal(await client.post(INITIALIZE, { ...MCP_HEADERS, 'mcp-session-id': MARK }), 400, -32600);
    expect((await client.post(LIST)).statusCode).toBe(200);
  });

  it('MCP-06 a failed initialize does not count as a session', async () => {
    const app = open({ mcpLimits: { sessions: 1 } });
    const client = new McpClient(app);
    for (const params of [undefined, {}, { protocolVersion: 1 }, { protocolVersion: MARK }]) {
      const answer = await client.post({ ...INITIALIZE, params });
      expect(answer.json()).toMatchObject({ id: 0, error: { code: -32602 } });
      expect(answer.body).not.toContain(MARK);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
    }
    expect((await client.post(INITIALIZE)).statusCode).toBe(200);
    const full = await client.post(INITIALIZE);
    expectRefusal(full, 503, -32000);
    expect(full.headers['retry-after']).toBe('30');
  });

  it('is refused in a batch', async () => {
    expectRefusal(await new McpClient(open()).post([INITIALIZE]), 400, -32600);
    expectRefusal(await new McpClient(open()).post([INITIALIZE, LIST]), 400, -32600);
  });
});

describe('the session', () => {
  it('MCP-05 is required and must exist', async () => {
    const client = await McpClient.open(open());
    const nameless = without(client.headers, 'mcp-session-id');
    expectRefusal(await client.post(LIST, nameless), 400, -32600);
    expectRefusal(await client.delete(nameless), 400, -32600);
    for (const name of [MARK, '', 'a'.repeat(5_000)]) {
      const strange = { ...client.headers, 'mcp-session-id': name };
      expectRefusal(await client.post(LIST, strange), 404, -32001);
      expectRefusal(await client.delete(strange), 404, -32001);
    }
  });

  it('MCP-05 ends by DELETE without a body, and is unknown afterwards', async () => {
    const client = await McpClient.open(open());
    const answer = await client.delete();
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expectRefusal(await client.post(LIST), 404, -32001);
    expectRefusal(await client.delete(), 404, -32001);
  });

  it('MCP-05 ends after 15 minutes, in use or not', async () => {
    let now = 1_000_000;
    const app = open({ now: () => now });
    const [used, idle] = [await McpClient.open(app), await McpClient.open(app)];
    for (let minute = 0; minute < 15; minute++) {
      expect((await used.post(LIST)).statusCode).toBe(200);
      now += 60_000;
    }
    expectRefusal(await used.post(LIST), 404, -32001);
    expectRefusal(await idle.post(LIST), 404, -32001);
    now -= 1;
    expect((await idle.post(LIST)).statusCode).toBe(200);
  });

  it.each(VERSIONS)('MCP-03 in a %s session a request without a version is refused or tolerated', async (version) => {
    const client = await McpClient.open(open(), version);
    const silent = without(client.headers, 'mcp-protocol-version');
    const mustSay = version > '2025-06';
    for (const message of [
      LIST,
      { ...LIST, method: 'tools/call', params: { name: MARK } },
      { ...LIST, id: undefined },
    ]) {
      const answer = await client.post(message, silent);
      if (mustSay) expectRefusal(answer, 400, -32600);
      else expect(answer.statusCode).toBe(message.id === undefined ? 202 : 200);
    }
    const ended = await client.delete(silent);
    if (mustSay) expectRefusal(ended, 400, -32600);
    else expect(ended.statusCode).toBe(204);
  });

  it('MCP-03 POST accepts any of the four versions, DELETE only the negotiated one', async () => {
    const client = await McpClient.open(open(), '2025-06-18');
    for (const version of VERSIONS) {
      const answer = await client.post(LIST, { ...client.headers, 'mcp-protocol-version': version });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['mcp-protocol-version']).toBe('2025-06-18');
    }
    for (const version of [MARK, '', '2024-10-07', '2026-07-28', `${NEWEST}, ${NEWEST}`]) {
      const strange = { ...client.headers, 'mcp-protocol-version': version };
      expectRefusal(await client.post(LIST, strange), 400, -32600);
      expectRefusal(await client.delete(strange), 400, -32600);
    }
    expectRefusal(await client.delete({ ...client.headers, 'mcp-protocol-version': NEWEST }), 400, -32600);
    expect((await client.delete()).statusCode).toBe(204);
  });
});

describe('a request', () => {
  it('MCP-10 must accept JSON and event streams', async () => {
    const client = await McpClient.open(open());
    for (const accept of [
      ...['application/json', 'text/event-stream', '*/*', '', 'text/html', 'application/*, text/*'],
      ...['application/json, text/event-stream;q=0', 'application/jsonx, text/event-stream', MARK],
    ]) {
      expectRefusal(await client.post(LIST, { ...client.headers, accept }), 406, -32600);
    }
    expectRefusal(await client.post(LIST, without(client.headers, 'accept')), 406, -32600);
    for (const accept of [
      'text/event-stream,application/json;q=0.5',
      'Application/JSON ; q=1 , TEXT/event-stream, */*',
    ]) {
      expect((await client.post(LIST, { ...client.headers, accept })).statusCode).toBe(200);
    }
  });

  it('MCP-10 must be uncompressed JSON', async () => {
    const client = await McpClient.open(open());
    for (const type of [
      'text/plain',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      MARK,
    ]) {
      expectRefusal(await client.post(LIST, { ...client.headers, 'content-type': type }), 415, -32600);
    }
    expectRefusal(await client.post(LIST, without(client.headers, 'content-type')), 415, -32600);
    expectRefusal(await client.post(LIST, { ...client.headers, 'content-encoding': 'gzip' }), 415, -32600);
    const parametered = {
      ...client.headers,
      'content-type': 'Application/JSON; charset=utf-8',
      'content-encoding': 'identity',
    };
    expect((await client.post(LIST, parametered)).statusCode).toBe(200);
  });

  it('MCP-10 with another HTTP method is refused, whether known to Node or not', async () => {
    await listening(open(), async (port) => {
      for (const method of METHODS.filter((name) => !['POST', 'DELETE', 'OPTIONS', 'CONNECT'].includes(name))) {
        const { status, headers, body } = await ask(port, { method, path: '/japan/mcp' });
        expect(status, method).toBe(405);
        expect(headers.allow).toBe('POST, DELETE');
        if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ id: null, error: { code: -32600 } });
      }
      const unknown = await exchange(port, 'BREW /japan/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(unknown).toMatchObject({ status: 405, headers: { allow: 'POST, DELETE' } });
      expect(JSON.parse(unknown.body)).toMatchObject({ id: null, error: { code: -32600 } });
    });
  });

  it('MCP-01 without an id, or a response, is accepted with an empty 202', async () => {
    const client = await McpClient.open(open());
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { jsonrpc: '2.0', method: MARK, params: { a: 1 } },
      { jsonrpc: '2.0', id: 5, result: {} },
      { jsonrpc: '2.0', id: 5, error: { code: 1, message: MARK } },
    ]) {
      const answer = await client.post(message);
      expect(answer.statusCode).toBe(202);
      expect(answer.body).toBe('');
    }
  });

  it('MCP-01 with an unknown JSON-RPC method gets a JSON-RPC error', async () => {
    const client = await McpClient.open(open());
    for (const method of [MARK, 'resources/list', 'prompts/list', 'logging/setLevel', 'server/discover', '__proto__']) {
      const answer = await client.post({ jsonrpc: '2.0', id: 'x', method, params: {} });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ id: 'x', error: { code: -32601 } });
      expect(answer.body).not.toContain(MARK);
    }
    expect((await client.post({ jsonrpc: '2.0', id: 9, method: 'ping' })).json()).toEqual({
      jsonrpc: '2.0',
      id: 9,
      result: {},
    });
  });

  it('MCP-01 in a batch is answered in order under older versions and refused under newer ones', async () => {
    const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const version of VERSIONS) {
      const client = await McpClient.open(open(), version);
      const answer = await client.post([
        ping('a'),
        notification,
        ping('a'),
        { ...LIST, id: 7 },
        { ...ping(2), method: MARK },
      ]);
      if (version > '2025-06') {
        expectRefusal(answer, 400, -32600);
        expectRefusal(await client.post([notification]), 400, -32600);
        continue;
      }
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject([
        { id: 'a', result: {} },
        { id: 'a', result: {} },
        { id: 7, result: { tools: [{}, {}, {}, {}, {}] } },
        { id: 2, error: { code: -32601 } },
      ]);
      expect(answer.json()).toHaveLength(4);
      expect((await client.post([notification, notification])).statusCode).toBe(202);
      expect((await client.post(Array.from({ length: 50 }, (_, i) => ping(i)))).json()).toHaveLength(50);
      expectRefusal(await client.post(Array.from({ length: 51 }, (_, i) => ping(i))), 400, -32600);
      expectRefusal(await client.post([]), 400, -32600);
    }
  });

  it('MCP-07 is answered however many came before', async () => {
    const client = await McpClient.open(open());
    for (let i = 0; i < 100; i++) expect((await client.post(LIST)).statusCode).toBe(200);
  });
});

describe('allowed hosts and origins', () => {
  const local = { host: 'localhost:3000', origin: 'http://localhost:5173' };
  const statusFor = async (options: Partial<ServerOptions>, headers: Record<string, string>) => {
    let status = 0;
    await listening(open(options), async (port) => {
      const body = JSON.stringify(INITIALIZE);
      status = (await ask(port, { method: 'POST', path: '/japan/mcp', headers: { ...MCP_HEADERS, ...headers } }, body))
        .status;
      const preflight = await ask(port, { method: 'OPTIONS', path: '/japan/mcp', headers });
      expect(preflight.status).toBe(status === 200 ? 204 : status);
      expect((await ask(port, { path: '/japan/mcp/server-card', headers })).status).toBe(status);
    });
    return status;
  };

  it('on loopback without a public origin: any name of this machine', async () => {
    for (const host of ['localhost', 'localhost:80', '127.0.0.1:3000', '127.3.2.1', '[::1]:3000', 'a.localhost']) {
      expect(await statusFor({}, { host }), host).toBe(200);
    }
    expect(await statusFor({}, local)).toBe(200);
    expect(await statusFor({}, { host: 'localhost', origin: 'http://[::1]:8080' })).toBe(200);
  });

  it('on loopback without a public origin: only loopback', async () => {
    const hosts = ['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1'];
    for (const host of [
      ...hosts,
      'localhost@evil.example',
      'evil.example#localhost',
      'localhost:x',
      '0.0.0.0',
      'evil@127.0.0.1',
      'localhost/',
    ]) {
      expect(await statusFor({}, { host }), host).toBe(403);
    }
    await listening(open(), async (port) => {
      const nameless = 'GET /japan/mcp/server-card HTTP/1.1\r\nHost:\r\n\r\n';
      expect((await exchange(port, nameless)).status).toBe(403);
    });
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://', MARK]) {
      expect(await statusFor({}, { host: 'localhost', origin }), origin).toBe(403);
    }
  });

  it('with a public origin: its host, from any origin', async () => {
    const baseUrl = 'https://registry.example';
    for (const host of ['registry.example', 'registry.example:443', 'REGISTRY.example']) {
      expect(await statusFor({ baseUrl }, { host, origin: 'https://elsewhere.example' }), host).toBe(200);
    }
    for (const host of ['localhost', 'other.example', 'registry.example:8443', 'registry.example.evil.example']) {
      expect(await statusFor({ baseUrl }, { host }), host).toBe(403);
    }
    const local = { baseUrl: 'http://localhost:3000' };
    expect(await statusFor(local, { host: 'localhost:3000', origin: 'http://localhost:5173' })).toBe(200);
    expect(await statusFor(local, { host: 'localhost:3000', origin: 'https://elsewhere.example' })).toBe(403);
    const behind = { host: '127.0.0.1:3000', 'x-forwarded-host': 'registry.example' };
    expect(await statusFor({ baseUrl }, behind)).toBe(403);
    expect(await statusFor({ baseUrl, trustProxy: true }, behind)).toBe(200);
  });

  it('a page of another origin may send requests and read responses', async () => {
    const answer = await new McpClient(open()).send({ method: 'OPTIONS', headers: local });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, DELETE',
      'access-control-allow-headers': expect.stringMatching(
        /Content-Type.*Accept.*Mcp-Session-Id.*Mcp-Protocol-Version/,
      ),
      'access-control-expose-headers': expect.stringMatching(/Mcp-Session-Id.*Mcp-Protocol-Version.*Retry-After/),
    });
  });
});

describe('other paths', () => {
  it('MCP-14 the server card states the URL, the transport and that no key is needed', async () => {
    const expected = {
      name: 'tatemono',
      description: expect.stringMatching(/Japan/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      transport: 'streamable-http',
      authentication: { required: false },
    };
    const card = async (options: Partial<ServerOptions>, headers: Record<string, string>) =>
      (await open(options).inject({ url: '/japan/mcp/server-card', headers })).json();
    expect(await card({}, { host: 'localhost:3000' })).toEqual({
      ...expected,
      url: 'http://localhost:3000/japan/mcp',
    });
    const baseUrl = 'https://registry.example';
    expect(await card({ baseUrl }, { host: 'registry.example' })).toEqual({ ...expected, url: `${baseUrl}/japan/mcp` });
  });

  it('MCP-14 the server card allows only GET and HEAD', async () => {
    const app = open();
    expect((await app.inject({ method: 'HEAD', url: '/japan/mcp/server-card' })).statusCode).toBe(200);
    const answer = await app.inject({ method: 'POST', url: '/japan/mcp/server-card' });
    expect(answer.headers.allow).toBe('GET, HEAD');
    expectRefusal(answer, 405, -32600);
  });

  it('MCP-15 no well-known path requests credentials or serves another card', async () => {
    const app = open();
    for (const path of [
      ...['oauth-protected-resource', 'oauth-protected-resource/japan/mcp', 'oauth-authorization-server'],
      ...['mcp.json', 'mcp/server-card.json', 'openid-configuration'],
    ]) {
      expect((await app.inject(`/.well-known/${path}`)).statusCode, path).toBe(404);
    }
    expect((await app.inject({ method: 'POST', url: '/japan/mcp' })).headers).not.toHaveProperty('www-authenticate');
  });

  it('an unknown path below the MCP root gives a JSON-RPC error too', async () => {
    const app = open();
    for (const path of ['/japan/mcp/', '/japan/mcp/nothing', '/japan/mcp/%zz']) {
      const answer = await app.inject({ method: 'POST', url: path, headers: MCP_HEADERS });
      expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
      expect([400, 404]).toContain(answer.statusCode);
    }
  });
});

it('RATE-04 MCP has its own limit and sends no rate headers', async () => {
  let now = 90_000;
  const app = open({ rateLimit: { api: 1, page: 1, mcp: 120 }, now: () => now });
  const client = await McpClient.open(app);
  for (let i = 1; i < 120; i++) {
    const answer = await client.post(LIST);
    if (answer.statusCode !== 200 || 'x-ratelimit-limit' in answer.headers) expect.fail(`request ${i}`);
  }
  const over = await client.post(LIST);
  expect(expectRefusal(over, 429, -32000)).toBe('the mcp surface allows 120 requests per minute; retry in 30 seconds');
  expect(over.headers['retry-after']).toBe('30');
  now = 120_000;
  expect((await client.post(LIST)).statusCode).toBe(200);
  expect((await McpClient.open(app, OLDEST)).headers['mcp-protocol-version']).toBe(OLDEST);
});
