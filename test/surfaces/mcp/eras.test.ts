import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { MCP_ROOT } from '../../../src/surfaces/http/surface.ts';
import { type Running, runHere, start } from '../../support/command.ts';
import { callOf, expectRpcError, gauge, initialize, message, padded, post, rpc } from '../../support/mcp.ts';
import { AREAS, building, id } from '../../support/records.ts';
import { emptyRegistry, expectNothingInside, MARK, uncheckedServerOn } from '../../support/serving.ts';
import { ask, listening } from '../../support/wire.ts';

const VERSION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The headers that a message of the newer protocol needs. */
const headersOf = (method: string, name?: string) => ({
  'mcp-protocol-version': VERSION,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

const modern = (method: string, params: object = {}, meta: object = ENVELOPE) =>
  message(method, { ...params, _meta: meta }, 'one');

const onEmpty = (
  work: (port: number) => Promise<void>,
  options: Parameters<typeof uncheckedServerOn>[2] = {},
): Promise<void> => listening(uncheckedServerOn(emptyRegistry, undefined, options), work);

describe('a request with an envelope', () => {
  it('ERA-01 is answered without initialize and without a session', async () => {
    await onEmpty(async (port) => {
      const discovered = await post(port, modern('server/discover'), headersOf('server/discover'));
      expect(discovered.status).toBe(200);
      expect(discovered.headers).not.toHaveProperty('mcp-session-id');
      expect(JSON.parse(discovered.body)).toMatchObject({
        jsonrpc: '2.0',
        id: 'one',
        result: {
          resultType: 'complete',
          supportedVersions: [VERSION],
          capabilities: { tools: { listChanged: false } },
          instructions: expect.stringContaining('search_assets'),
          ttlMs: expect.any(Number),
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tatemono' } },
        },
      });
      const args = { prefecture: 'nowhere' };
      const called = await post(
        port,
        modern('tools/call', { name: 'get_area', arguments: args }),
        headersOf('tools/call', 'get_area'),
      );
      expect(called.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(JSON.parse(called.body)).toMatchObject({
        id: 'one',
        result: { content: [{ text: expect.stringMatching(/^not_found/) }], isError: true, resultType: 'complete' },
      });
      expect(await gauge(port, 'sessions')).toBe(0);
    });
  });

  it('ERA-02 is told apart by its envelope, or by its version without a session', async () => {
    await onEmpty(async (port) => {
      const session = await initialize(port);
      const list = message('tools/list', {}, 'one');
      const codeOf = async (...args: Parameters<typeof post>) => {
        const { status, body } = await post(...args);
        return [status, JSON.parse(body).error?.code];
      };
      const version = { 'mcp-protocol-version': VERSION };
      // The SDK's code for an incomplete envelope, and ours for a version that sessions do not have.
      expect(await codeOf(port, list, headersOf('tools/list'))).toEqual([400, -32_602]);
      expect(await codeOf(port, list, { ...session.headers, ...version })).toEqual([400, -32_600]);
      expect(await codeOf(port, list, session.headers)).toEqual([200, undefined]);
      expect(await codeOf(port, modern('tools/list'), session.headers)).toEqual([400, -32_020]);
      expect(await codeOf(port, modern('tools/list'), { ...session.headers, ...headersOf('tools/list') })).toEqual([
        200,
        undefined,
      ]);
      // A version that neither protocol has.
      const future = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
      const named = { ...headersOf('tools/list'), 'mcp-protocol-version': '2099-01-01' };
      expect(await codeOf(port, modern('tools/list', {}, future), named)).toEqual([400, -32_022]);
      expect(await codeOf(port, list, { 'mcp-protocol-version': '2099-01-01' })).toEqual([400, -32_600]);
      // There are no batches and no removed methods in the newer protocol.
      expect(await codeOf(port, `[${modern('tools/list')}]`, headersOf('tools/list'))).toEqual([400, -32_600]);
      expect(await codeOf(port, modern('ping'), headersOf('ping'))).toEqual([404, -32_601]);
      expect(
        (await post(port, modern('subscriptions/listen', { notifications: {} }), headersOf('subscriptions/listen')))
          .headers['content-type'],
      ).toBe('text/event-stream');
    });
  });

  it('ERA-06 an error repeats nothing of the message and its headers, except the ID and a version made of digits', async () => {
    await onEmpty(async (port) => {
      const errorOf = async (...args: Parameters<typeof post>) => {
        const answer = await post(...args);
        expectNothingInside(answer);
        return JSON.parse(answer.body).error;
      };
      const version = 'io.modelcontextprotocol/protocolVersion';
      const headers = headersOf('tools/list');
      const wrong = async (name: string) =>
        (await errorOf(port, modern('tools/list'), { ...headers, [name]: MARK })).code;
      expect(await wrong('mcp-protocol-version')).toBe(-32_020);
      expect(await wrong('mcp-method')).toBe(-32_020);
      const named = { ...headers, 'mcp-protocol-version': MARK };
      expect((await errorOf(port, modern('tools/list', {}, { ...ENVELOPE, [version]: MARK }), named)).data).toEqual({
        supported: [VERSION],
      });
      const dated = { ...headers, 'mcp-protocol-version': '2099-01-01' };
      expect(await errorOf(port, modern('tools/list', {}, { ...ENVELOPE, [version]: '2099-01-01' }), dated)).toEqual({
        code: -32_022,
        message: 'unsupported protocol version',
        data: { supported: [VERSION], requested: '2099-01-01' },
      });
      expect((await errorOf(port, modern(MARK), headersOf(MARK))).code).toBe(-32_601);
      expect((await errorOf(port, modern('tools/list', { [MARK]: MARK, cursor: 5 }), headers)).code).toBe(-32_602);
    });
  });

  it('ERA-03 only clients of the newer protocol see get_area', async () => {
    await onEmpty(async (port) => {
      const namesIn = (tools: { name: string }[]) => tools.map(({ name }) => name);
      const session = await initialize(port);
      const five = namesIn((await rpc(port, session, 'tools/list')).tools);
      expect(five).toHaveLength(5);
      const unknown = await post(port, callOf('get_area', { prefecture: 'tokyo' }), session.headers);
      expect(JSON.parse(unknown.body)).toMatchObject({ error: { code: -32_602 } });
      const { body } = await post(port, modern('tools/list'), headersOf('tools/list'));
      expect(namesIn(JSON.parse(body).result.tools)).toEqual([...five, 'get_area']);
    });
  });

  it('ERA-02 has the limits and the origin checks of the other protocol', async () => {
    const refused = { rateLimit: { api: 0, page: 0, mcp: 2 }, mcpLimits: { requestsAtOnce: 1 } };
    await onEmpty(async (port) => {
      const list = modern('tools/list');
      const foreign = { ...headersOf('tools/list'), host: 'attacker.example' };
      expectRpcError(await post(port, padded(list, 65_537), headersOf('tools/list')), 413, -32_600);
      expectRpcError(await post(port, list, foreign), 403, -32_000);
      const late = await post(port, list, headersOf('tools/list'));
      expectRpcError(late, 429, -32_000, /120|2 requests per minute/);
      expect(late.headers).toHaveProperty('retry-after');
    }, refused);
  });
});

const CARD = '/japan/mcp/server-card';
const CARD_TYPE = 'application/mcp-server-card+json';

describe('the server card', () => {
  it('ERA-04 has the form of its specification for clients that ask for it', async () => {
    await onEmpty(async (port) => {
      const card = await ask(port, { path: CARD, headers: { accept: CARD_TYPE } });
      expect(card).toMatchObject({
        status: 200,
        headers: {
          'content-type': CARD_TYPE,
          vary: 'Accept, Accept-Encoding, Host',
          'access-control-allow-origin': '*',
          etag: expect.any(String),
        },
      });
      const { name, title, description, version, remotes, $schema } = JSON.parse(card.body);
      expect($schema).toBe('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json');
      expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      for (const text of [title, description]) expect(text.length).toBeLessThanOrEqual(100);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(remotes).toEqual([
        {
          type: 'streamable-http',
          url: `http://127.0.0.1:${port}${MCP_ROOT}`,
          supportedProtocolVersions: [VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
        },
      ]);
      for (const accept of ['application/json', '*/*', `${CARD_TYPE};q=0`]) {
        const plain = await ask(port, { path: CARD, headers: { accept } });
        expect(plain.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          vary: 'Accept, Accept-Encoding, Host',
        });
        expect(JSON.parse(plain.body)).toMatchObject({ transport: 'streamable-http' });
      }
    });
    const named = uncheckedServerOn(emptyRegistry, undefined, { baseUrl: 'https://registry.example.jp' });
    const answer = await named.inject({ url: CARD, headers: { accept: CARD_TYPE, host: 'registry.example.jp' } });
    expect(answer.json()).toMatchObject({ name: 'jp.example.registry/tatemono' });
  });

  it('ERA-05 is listed in the catalogue of the domain', async () => {
    await onEmpty(async (port) => {
      const { headers, body } = await ask(port, { path: '/.well-known/ai-catalog.json' });
      expect(headers['content-type']).toBe('application/ai-catalog+json');
      expect(JSON.parse(body)).toEqual({
        specVersion: '1.0',
        entries: [
          { identifier: 'urn:air:127.0.0.1:mcp:tatemono', type: CARD_TYPE, url: `http://127.0.0.1:${port}${CARD}` },
        ],
      });
    });
  });
});

/** Sends each request to the next server, and to the one after that if it does not answer. */
function roundRobin(ports: readonly number[]): HttpServer {
  let turns = 0;
  return createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const { method, url, headers } = incoming;
    const first = turns++;
    const send = (attempt: number) => {
      const port = ports[(first + attempt) % ports.length];
      const failed = () => (attempt + 1 < ports.length ? send(attempt + 1) : outgoing.writeHead(502).end());
      const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (response) => {
        buffer(response).then(
          (bytes) => outgoing.writeHead(response.statusCode ?? 502, response.headers).end(bytes),
          failed,
        );
      });
      sent.once('error', failed).end(body);
    };
    send(0);
  });
}

describe('two processes behind a proxy', () => {
  it('ERA-01 answer every call of a client while one of them is killed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'tatemono-eras-'));
    const [cwd, file] = [join(dir, 'cwd'), join(dir, 'lines.ndjson')];
    mkdirSync(cwd);
    writeFileSync(file, [...AREAS, building(1)].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const env = { DATABASE_URL: `file:${join(dir, 'registry.db')}`, ARCHIVE_DIR: join(dir, 'archive') };
    await runHere(env, 'ingest', 'records', file);
    const settings = { ...env, HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_MCP: '0', LOG_LEVEL: 'error' };
    const processes: Running[] = [1, 2].map(() => start({ cwd, env: settings }, 'serve'));
    let proxy: HttpServer | undefined;
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: VERSION } } });
    try {
      const ports = await Promise.all(
        processes.map(async ({ says }) => Number((await says(/serves http:\S+:(\d+)\/japan\n/))[1])),
      );
      proxy = roundRobin(ports).listen(0, '127.0.0.1');
      await new Promise((resolve) => proxy?.once('listening', resolve));
      const { port } = proxy.address() as AddressInfo;
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}${MCP_ROOT}`)));
      const ids: string[] = [];
      const callMany = async (count: number) => {
        for (let i = 0; i < count; i++) {
          const { structuredContent } = await client.callTool({ name: 'get_asset', arguments: { id: id(1) } });
          ids.push((structuredContent as { id: string }).id);
        }
      };
      await callMany(10);
      const lanes = [1, 2, 3, 4].map(() => callMany(25));
      processes[0]?.child.kill('SIGKILL');
      await Promise.all(lanes);
      await callMany(10);
      expect(ids).toEqual(Array.from({ length: 120 }, () => id(1)));
    } finally {
      await client.close();
      proxy?.close();
      for (const { child } of processes) child.kill('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
