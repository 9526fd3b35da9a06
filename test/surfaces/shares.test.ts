import { AsyncResource } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Registry } from '../../src/registry/registry.ts';
import { startSearchThreads } from '../../src/registry/search/read/search-threads.ts';
import { RECONCILE_ROOT } from '../../src/surfaces/http/surface.ts';
import { MCP_LIMITS } from '../../src/surfaces/mcp/limits.ts';
import { Sessions } from '../../src/surfaces/mcp/sessions.ts';
import { VERSIONS } from '../../src/surfaces/mcp/versions.ts';
import type { ServerOptions } from '../../src/surfaces/server.ts';
import { workFor } from '../../src/vocabulary/asking-client.ts';
import { ok } from '../../src/vocabulary/result.ts';
import { onSqlite } from '../support/engines.ts';
import {
  callOf,
  expectRpcError,
  gauge,
  head,
  initializeMessage,
  PING,
  POST_HEADERS,
  post,
  RawClient,
  soon,
  wholePost,
} from '../support/mcp.ts';
import { AREAS, building, id } from '../support/records.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { assetUrl, emptyRegistry, uncheckedServerOn } from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const [A, B] = ['192.0.2.1', '192.0.2.2'].map((address) => ({ 'x-forwarded-for': address })) as [
  { 'x-forwarded-for': string },
  { 'x-forwarded-for': string },
];

const serve = (registry: Registry, work: (port: number) => Promise<void>, options: Partial<ServerOptions> = {}) =>
  listening(uncheckedServerOn(registry, undefined, { trustProxy: true, ...options }), work);

/** A registry that answers no request for a record before it is opened. */
function closedRegistry() {
  const gate = Promise.withResolvers<void>();
  const seen = { requested: 0 };
  const getPage: Registry['getPage'] = async () => {
    seen.requested += 1;
    await gate.promise;
    return { ok: false, failure: { kind: 'unknownBuilding' } };
  };
  return { registry: { ...emptyRegistry, getPage }, seen, open: gate.resolve };
}

async function using<T>(clients: RawClient[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const client of clients) client.destroy();
  }
}

describe('a client with many requests', () => {
  it('SHR-02 is worked for at 64 of them at once, and others do not wait for the rest', async () => {
    const { registry, seen, open } = closedRegistry();
    await serve(registry, async (port) => {
      const get = (headers: object) => ask(port, { path: assetUrl(id(1)), headers: { ...headers } });
      const many = Array.from({ length: 100 }, () => get(A));
      await soon(() => seen.requested).toBe(64);
      const other = get(B);
      await soon(() => seen.requested).toBe(65);
      open();
      const statuses = (await Promise.all([...many, other])).map(({ status }) => status);
      expect([statuses.length, new Set(statuses)]).toEqual([101, new Set([404])]);
    });
  });

  it('SHR-02 those whose client has gone are not begun', async () => {
    const { registry, seen, open } = closedRegistry();
    await serve(registry, async (port) => {
      const many = Array.from({ length: 64 }, () => ask(port, { path: assetUrl(id(1)), headers: A }));
      await soon(() => seen.requested).toBe(64);
      const leaving = new RawClient(port);
      await leaving.send(
        `GET ${assetUrl(id(1))} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${A['x-forwarded-for']}\r\n\r\n`,
      );
      await sleep(50);
      leaving.destroy();
      await sleep(50);
      open();
      await Promise.all(many);
      expect((await ask(port, { path: assetUrl(id(1)), headers: A })).status).toBe(404);
      expect(seen.requested).toBe(65);
    });
  });
});

describe('the places for MCP requests', () => {
  const PLACES = MCP_LIMITS.requestsAtOnce;

  it('SHR-04 that are held by unfinished bodies of one client do not keep others out', async () => {
    await serve(emptyRegistry, async (port) => {
      const held = Array.from({ length: PLACES }, () => new RawClient(port));
      await using(held, async () => {
        const half = head({ ...POST_HEADERS, ...A, 'content-length': initializeMessage().length });
        for (const client of held) await client.send(half + initializeMessage().slice(0, 20));
        await soon(() => gauge(port, 'requests_under_way')).toBe(PLACES);
        // The same client gets no more.
        expectRpcError(
          await post(port, initializeMessage(), A),
          503,
          -32_000,
          /32 requests at once; retry in 1 second/,
        );
        for (let i = 0; i < 10; i++) expect((await post(port, initializeMessage(), B)).status).toBe(200);
        // Those that lost their places are answered when they have arrived.
        for (const client of held) await client.send(initializeMessage().slice(20));
        for (const client of held) expect((await client.next()).status).toBe(200);
      });
    });
  });

  it('SHR-01 go to a client that waits before those of the client that holds them', async () => {
    const { registry, seen, open } = closedRegistry();
    await serve(registry, async (port) => {
      const call = callOf('get_asset', { id: id(1) });
      const session = (await post(port, initializeMessage(), A)).headers['mcp-session-id'] as string;
      const of = { 'mcp-session-id': session, 'mcp-protocol-version': VERSIONS[0] };
      const many = Array.from({ length: PLACES }, () => post(port, call, { ...of, ...A }));
      await soon(() => seen.requested).toBe(PLACES);
      const other = post(port, PING, { ...of, ...B });
      await sleep(50);
      open();
      expect((await other).status).toBe(200);
      for (const { status } of await Promise.all(many)) expect(status).toBe(200);
    });
  });

  it('SHR-04 that are held by answers that one client reads slowly are lost to others', async () => {
    async function* endless() {
      yield Buffer.from('{"owner":"x","items":[]');
      for (;;) yield Buffer.alloc(1 << 20, ' ');
    }
    const getPortfolio: Registry['getPortfolio'] = async () => ok({ etag: '"x"', body: endless(), release() {} });
    await serve({ ...emptyRegistry, getPortfolio }, async (port) => {
      const session = (await post(port, initializeMessage(), A)).headers['mcp-session-id'] as string;
      const of = { ...POST_HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': VERSIONS[0] };
      const held = Array.from({ length: PLACES }, () => new RawClient(port));
      await using(held, async () => {
        for (const client of held) {
          client.socket.pause();
          await client.send(wholePost(callOf('get_owner_portfolio', { name: 'x' }), { ...of, ...A }));
        }
        await soon(() => gauge(port, 'requests_under_way')).toBe(PLACES);
        await soon(async () => (await post(port, PING, { ...of, ...B })).status).toBe(200);
      });
    });
  });

  it('SHR-05 sessions of one client do not keep others out either', () => {
    let now = 0;
    const sessions = new Sessions({ sessions: 8, sessionMs: 1_000 }, () => now);
    const open = (client: string) => {
      now += 1;
      return sessions.open(VERSIONS[0], client);
    };
    const ofA = Array.from({ length: 8 }, () => open('a'));
    expect(open('a')).toBeUndefined();
    const ofB = [open('b'), open('b')];
    // It has a quarter now.
    expect(open('b')).toBeUndefined();
    const found = [...ofA, ...ofB].map((session) => session !== undefined && sessions.find(session.id) !== undefined);
    expect(found).toEqual([false, false, true, true, true, true, true, true, true, true]);
    expect(sessions.count).toBe(8);
    expect(open('c')).toBeDefined();
  });
});

it('SHR-04 unfinished batches of one client do not keep others from reconciling', async () => {
  await serve(emptyRegistry, async (port) => {
    const form = `queries=${encodeURIComponent(JSON.stringify({ q0: { query: 'x' } }))}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const held = Array.from({ length: 8 }, () => new RawClient(port));
    await using(held, async () => {
      for (const client of held) {
        const lines = Object.entries({ ...type, ...A, 'content-length': form.length }).map(
          ([k, v]) => `${k}: ${v}\r\n`,
        );
        await client.send(`POST ${RECONCILE_ROOT} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n${form.slice(0, 5)}`);
      }
      const send = (client: object) =>
        ask(port, { method: 'POST', path: RECONCILE_ROOT, headers: { ...type, ...client } }, form);
      await soon(async () => (await send(A)).status).toBe(503);
      expect((await send(B)).status).toBe(200);
      for (const client of held) await client.send(form.slice(5));
      for (const client of held) expect((await client.next()).status).toBe(200);
    });
  });
});

onSqlite('the search threads', (fresh) => {
  it('SHR-03 answer another client before the many searches of one', async () => {
    const database = await fresh();
    const served = await openServedRegistry(database);
    await served.ingest([...AREAS, ...Array.from({ length: 50 }, (_, i) => building(i + 1))]);
    await served.close();
    const threads = startSearchThreads(database.url);
    const order: string[] = [];
    const search = (client: string) =>
      new AsyncResource('client').runInAsyncScope(async () => {
        workFor({ client });
        const { release } = await threads.search({ q: 'ビル', page: 1 });
        release?.();
        order.push(client);
      });
    try {
      await search('warm');
      await Promise.all([...Array.from({ length: 60 }, () => search('a')), search('b')]);
      expect(order.indexOf('b')).toBeLessThan(20);
    } finally {
      await threads.close();
    }
  });
});
