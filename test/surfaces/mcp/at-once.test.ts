import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Registry } from '../../../src/registry/registry.ts';
import { BUILDING_EXAMPLE } from '../../../src/surfaces/api/examples.ts';
import { WINDOW_MS } from '../../../src/surfaces/http/rate-limiter.ts';
import { MCP_ROOT } from '../../../src/surfaces/http/surface.ts';
import { MCP_LIMITS } from '../../../src/surfaces/mcp/limits.ts';
import { type SessionStore, Sessions } from '../../../src/surfaces/mcp/sessions.ts';
import { VERSIONS } from '../../../src/surfaces/mcp/versions.ts';
import { ok } from '../../../src/vocabulary/result.ts';
import {
  callOf,
  endSession,
  expectRpcError,
  expectUnlimited,
  gauge,
  head,
  initialize,
  initializeMessage,
  LAST_CHUNK,
  message,
  PING,
  POST_HEADERS,
  post,
  RawClient,
  rpc,
  soon,
  wholePost,
  withRawClient,
} from '../../support/mcp.ts';
import { id } from '../../support/records.ts';
import { type Answer, emptyRegistry, uncheckedServerOn } from '../../support/serving.ts';
import { usualOrLong } from '../../support/test-length.ts';
import { ask, listening } from '../../support/wire.ts';

const MAX_REQUESTS = 32;

/** A registry that has every building and returns each only after the test opens it. */
function gatedRegistry() {
  const requested: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gateOf = (asset: string) => {
    const gate = gates.get(asset) ?? Promise.withResolvers<void>();
    gates.set(asset, gate);
    return gate;
  };
  const registry: Registry = {
    ...emptyRegistry,
    getPage: async (asset) => {
      requested.push(asset);
      await gateOf(asset).promise;
      const body = Buffer.from(JSON.stringify({ ...BUILDING_EXAMPLE, id: asset }));
      return { ok: true, value: { etag: `"${asset}"`, body } };
    },
  };
  return { registry, requested, open: (asset: string) => gateOf(asset).resolve() };
}

const idIn = ({ status, body }: Answer) => [status, JSON.parse(body).id, JSON.parse(body).result.structuredContent.id];

const expectFull = (answer: Answer) => {
  expectRpcError(answer, 503, -32_000, /32 requests at once; retry in 1 second/);
  expect(answer.headers['retry-after']).toBe('1');
};

describe('concurrent requests', () => {
  /** Runs `work` while the maximum number of requests is open, each with half a body sent. */
  async function holding(
    port: number,
    headers: Readonly<Record<string, string>>,
    work: (held: RawClient[]) => Promise<void>,
  ): Promise<void> {
    const held = Array.from({ length: MAX_REQUESTS }, () => new RawClient(port));
    try {
      for (const client of held)
        await client.send(head({ ...headers, 'content-length': PING.length }) + PING.slice(0, 20));
      await soon(() => gauge(port, 'requests_under_way')).toBe(MAX_REQUESTS);
      await work(held);
    } finally {
      for (const client of held) client.destroy();
    }
    await soon(() => gauge(port, 'requests_under_way')).toBe(0);
  }

  it('MCP-07 the 33rd gets 503, whatever it requests, and changes nothing', async () => {
    await listening(uncheckedServerOn(emptyRegistry), async (port) => {
      const session = await initialize(port);
      await holding(port, session.headers, async () => {
        expectFull(await post(port, PING, session.headers));
        expectFull(await post(port, initializeMessage()));
        expectFull(await endSession(port, session));
        expectFull(await post(port, 'x'.repeat(1 << 20), session.headers));
        expectFull(await post(port, '', { 'content-type': 'text/plain' }));
        expect(await gauge(port, 'sessions')).toBe(1);
        // These do not count as protocol requests.
        expectRpcError(await ask(port, { path: MCP_ROOT }), 405, -32_600);
        expect((await ask(port, { path: MCP_ROOT, method: 'OPTIONS' })).status).toBe(204);
        expect((await ask(port, { path: `${MCP_ROOT}/server-card` })).status).toBe(200);
      });
      expect(await rpc(port, session, 'ping')).toEqual({});
    });
  });

  it('MCP-07 a refused connection stays usable and is served when a slot is free', async () => {
    await listening(uncheckedServerOn(emptyRegistry), async (port) => {
      const { headers } = await initialize(port);
      await holding(port, headers, async (held) => {
        await withRawClient(port, async (client) => {
          await client.send(wholePost(PING, headers));
          expectFull(await client.next());
          const [first, second, third] = held as [RawClient, RawClient, RawClient];
          await first.send(PING.slice(20));
          expect((await first.next()).status).toBe(200);
          await client.send(wholePost(PING, headers));
          expect((await client.next()).status).toBe(200);
          // A closed or reset socket frees its slot.
          for (const [i, leave] of [() => second.socket.destroy(), () => third.socket.resetAndDestroy()].entries()) {
            await first.send(head({ ...headers, 'content-length': PING.length }));
            await soon(() => gauge(port, 'requests_under_way')).toBe(MAX_REQUESTS - i);
            leave();
            await soon(() => gauge(port, 'requests_under_way')).toBe(MAX_REQUESTS - 1 - i);
            await client.send(wholePost(PING, headers));
            expect((await client.next()).status).toBe(200);
            await first.send(PING);
            expect((await first.next()).status).toBe(200);
          }
        });
      });
    });
  });

  it('MCP-07 a request counts until it is answered', async () => {
    const { registry, requested, open } = gatedRegistry();
    await listening(uncheckedServerOn(registry), async (port) => {
      const { headers } = await initialize(port);
      const calls = Array.from({ length: MAX_REQUESTS }, (_, i) =>
        post(port, callOf('get_asset', { id: id(i) }), headers),
      );
      await soon(() => requested.length).toBe(MAX_REQUESTS);
      expectFull(await post(port, PING, headers));
      open(id(0));
      expect(idIn((await calls[0]) as Answer)).toEqual([200, 1, id(0)]);
      expect((await post(port, PING, headers)).status).toBe(200);
      for (let i = 1; i < MAX_REQUESTS; i++) open(id(i));
      for (const [i, call] of calls.entries()) expect(idIn(await call)).toEqual([200, 1, id(i)]);
    });
  });

  it('MCP-07 PIP-01 pipelined requests have one slot after the other, and free it when the connection breaks', async () => {
    const { registry, requested, open } = gatedRegistry();
    await listening(uncheckedServerOn(registry), async (port) => {
      const { headers } = await initialize(port);
      const calls = Array.from({ length: MAX_REQUESTS + 1 }, (_, i) =>
        wholePost(callOf('get_asset', { id: id(i) }, i), headers),
      );
      await withRawClient(port, async (client) => {
        await client.send(calls.join(''));
        await soon(() => requested.length).toBe(1);
        expect((await post(port, PING, headers)).status).toBe(200);
        expect([requested.length, await gauge(port, 'requests_under_way')]).toEqual([1, 1]);
        for (const i of calls.keys()) open(id(i));
        for (const i of calls.keys()) expect(idIn(await client.next())).toEqual([200, i, id(i)]);
      });
      await withRawClient(port, async (client) => {
        const call = wholePost(callOf('get_asset', { id: id(100) }), headers);
        await client.send(call.repeat(MAX_REQUESTS));
        await soon(() => gauge(port, 'requests_under_way')).toBe(1);
        client.destroy();
        await soon(() => gauge(port, 'requests_under_way')).toBe(0);
        open(id(100));
      });
      expect((await post(port, PING, headers)).status).toBe(200);
      // Those that waited for the broken connection were not begun.
      expect(requested).toHaveLength(calls.length + 1);
    });
  });

  it('MCP-07 hundreds of aborted requests leave every slot free', async () => {
    const app = uncheckedServerOn(emptyRegistry, undefined, { mcpLimits: { sessions: 10_000 } });
    await listening(app, async (port) => {
      const { headers } = await initialize(port);
      const bytes = [
        head({ ...headers, 'content-length': PING.length }),
        head({ ...headers, 'content-length': PING.length }) + PING.slice(0, 9),
        head({ ...headers, 'transfer-encoding': 'chunked' }),
        `${head({ ...headers, 'transfer-encoding': 'chunked' })}zz\r\n`,
        head({ ...headers, 'content-length': 100_000 }),
        wholePost(PING, headers).repeat(5),
        wholePost(initializeMessage(), POST_HEADERS),
        head({ ...headers, 'content-length': 10 }, 'DELETE'),
      ];
      for (let round = 0; round < usualOrLong(25, 100); round++) {
        const clients = Array.from({ length: 20 }, () => new RawClient(port));
        await Promise.all(clients.map((client, i) => client.send(bytes[(round + i) % bytes.length] as string)));
        for (const [i, { socket }] of clients.entries()) i % 2 === 0 ? socket.destroy() : socket.resetAndDestroy();
      }
      await soon(() => gauge(port, 'requests_under_way')).toBe(0);
      const again = await initialize(port);
      expect(await Promise.all(Array.from({ length: MAX_REQUESTS }, () => rpc(port, again, 'ping')))).toHaveLength(
        MAX_REQUESTS,
      );
    });
  });
});

describe('over the rate limit', () => {
  const MINUTE = Date.UTC(2026, 0, 1, 12, 0, 0);
  const LIMIT = 120;
  const BODY = Buffer.alloc(60_000, ' ');

  /** A server at its limit, with a clock stopped seven seconds before the next window. */
  function limited(work: (port: number, clock: { now: number }) => Promise<void>): Promise<void> {
    const clock = { now: MINUTE + WINDOW_MS - 7_000 };
    const options = { rateLimit: { api: 120, page: 600, mcp: LIMIT }, now: () => clock.now };
    return listening(uncheckedServerOn(emptyRegistry, undefined, options), async (port) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const session = await initialize(port, VERSIONS[0], { agent });
      for (let i = 1; i < LIMIT; i++) {
        const answer = await post(port, PING, session.headers, { agent });
        expect(answer.status).toBe(200);
        expectUnlimited(answer);
      }
      agent.destroy();
      await work(port, clock);
    });
  }

  const expectOver = (answer: Answer) => {
    expectRpcError(answer, 429, -32_000, /^the mcp surface allows 120 requests per minute; retry in 7 seconds$/);
    expect(answer.headers['retry-after']).toBe('7');
  };

  it('RATE-04 every request gets 429, whatever it is', async () => {
    await limited(async (port) => {
      expectOver(await post(port, PING));
      expectOver(await post(port, initializeMessage()));
      expectOver(await post(port, '{'));
      expectOver(await post(port, 'x'.repeat(1 << 20)));
      for (const method of ['GET', 'DELETE', 'PUT', 'PROPFIND']) {
        expectOver(await ask(port, { path: MCP_ROOT, method }));
      }
      // Preflights are exempt: a browser would hide the 429 of the request itself.
      expect((await ask(port, { path: MCP_ROOT, method: 'OPTIONS' })).status).toBe(204);
    });
  });

  it.each([
    ['with a length', { 'content-length': BODY.length }, BODY],
    ['in chunks', { 'transfer-encoding': 'chunked' }, `${BODY.length.toString(16)}\r\n${BODY}\r\n${LAST_CHUNK}`],
  ])('RATE-06 a client that is still sending its body gets the 429 and no reset: %s', async (_, framing, bytes) => {
    await limited(async (port, clock) => {
      const half = bytes.length / 2;
      for (let i = 0; i < 10; i++) {
        await withRawClient(port, async (client) => {
          await client.send(head({ ...POST_HEADERS, ...framing }));
          await client.send(bytes.slice(0, half));
          expectOver(await client.next());
          await client.send(bytes.slice(half));
          await client.send(wholePost(PING, POST_HEADERS));
          expectOver(await client.next());
        });
        await withRawClient(port, async (client) => {
          await client.send(head({ ...POST_HEADERS, ...framing, connection: 'close' }));
          await client.send(bytes.slice(0, half));
          expectOver(await client.next());
          await client.send(bytes.slice(half));
          await client.ended();
        });
      }
      await withRawClient(port, async (client) => {
        await client.send(head({ ...POST_HEADERS, ...framing }));
        await client.send(bytes.slice(0, half));
        expectOver(await client.next());
        clock.now += 7_000;
        await client.send(bytes.slice(half));
        await client.send(wholePost(initializeMessage(), POST_HEADERS));
        expect((await client.next()).status).toBe(200);
      });
    });
  });

  it.each([true, false])(
    'RATE-06 a node:http client that is still sending gets it too, keepAlive %s',
    async (keepAlive) => {
      await limited(async (port) => {
        const agent = new Agent({ keepAlive, maxSockets: 1 });
        for (let i = 0; i < usualOrLong(5, 20); i++)
          expectOver(await post(port, Buffer.alloc(5 << 20, ' '), {}, { agent }));
        agent.destroy();
      });
    },
  );
});

describe('calls in flight', () => {
  it('MCP-01 two calls with the same id, in one session or two, get their own responses', async () => {
    const { registry, requested, open } = gatedRegistry();
    await listening(uncheckedServerOn(registry), async (port) => {
      const [one, two] = [await initialize(port), await initialize(port)];
      const calls = [one, one, two].map(({ headers }, i) => post(port, callOf('get_asset', { id: id(i) }, 7), headers));
      await soon(() => requested.length).toBe(3);
      // Answered in reverse order.
      for (const i of [2, 1, 0]) {
        open(id(i));
        const answer = await (calls[i] as Promise<Answer>);
        expect(idIn(answer)).toEqual([200, 7, id(i)]);
        expect(answer.headers['mcp-session-id']).toBe((i === 2 ? two : one).id);
      }
    });
  });

  it('MCP-01 two calls with the same id in a batch are both answered', async () => {
    const { registry, open } = gatedRegistry();
    await listening(uncheckedServerOn(registry), async (port) => {
      const { headers } = await initialize(port, VERSIONS[2]);
      for (const i of [0, 1]) open(id(i));
      const { status, body } = await post(
        port,
        `[${[0, 1].map((i) => callOf('get_asset', { id: id(i) }, 7)).join()}]`,
        headers,
      );
      expect(status).toBe(200);
      const answers = JSON.parse(body) as { id: number; result: { structuredContent: { id: string } } }[];
      expect(answers.map((answer) => [answer.id, answer.result.structuredContent.id])).toEqual([
        [7, id(0)],
        [7, id(1)],
      ]);
    });
  });

  it('MCP-01 a cancelled call is still answered, and calls of other clients are not affected', async () => {
    const { registry, requested, open } = gatedRegistry();
    await listening(uncheckedServerOn(registry), async (port) => {
      const [one, two] = [await initialize(port), await initialize(port)];
      const calls = [one, two].map(({ headers }, i) => post(port, callOf('get_asset', { id: id(i) }, 1), headers));
      await soon(() => requested.length).toBe(2);
      for (const requestId of [0, 1, 2, 3, '1']) {
        const params = { requestId, reason: 'no longer wanted' };
        const cancellation = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
        expect(await post(port, cancellation, one.headers)).toMatchObject({ status: 202, body: '' });
      }
      for (const i of [0, 1]) open(id(i));
      for (const [i, call] of calls.entries()) expect(idIn(await call)).toEqual([200, 1, id(i)]);
    });
  });

  it('MCP-05 a request is answered even if its session ends meanwhile', async () => {
    const { registry, requested, open } = gatedRegistry();
    await listening(uncheckedServerOn(registry), async (port) => {
      const session = await initialize(port);
      const call = post(port, callOf('get_asset', { id: id(1) }), session.headers);
      await soon(() => requested.length).toBe(1);
      expect((await endSession(port, session)).status).toBe(204);
      open(id(1));
      expect(idIn(await call)).toEqual([200, 1, id(1)]);
      expectRpcError(await post(port, PING, session.headers), 404, -32_001);
    });
  });

  it('MCP-06 a session is closed if its client left before receiving it', async () => {
    const opening = Promise.withResolvers<void>();
    const sessions = new Sessions(MCP_LIMITS, Date.now);
    const slow: SessionStore = {
      get count() {
        return sessions.count;
      },
      async open(...args) {
        const session = sessions.open(...args);
        await opening.promise;
        return session;
      },
      agree: (...args) => sessions.agree(...args),
      find: (id) => sessions.find(id),
      close: (session) => sessions.close(session),
    };
    await listening(uncheckedServerOn(emptyRegistry, undefined, { sessions: slow }), async (port) => {
      await withRawClient(port, async (client) => {
        await client.send(wholePost(initializeMessage(), POST_HEADERS));
        await soon(() => gauge(port, 'sessions')).toBe(1);
      });
      await soon(() => gauge(port, 'requests_under_way')).toBe(0);
      opening.resolve();
      await soon(() => gauge(port, 'sessions')).toBe(0);
    });
  });
});

describe('a client that does not read its response', () => {
  const search = async () => {
    const envelope = { items: [], page: 1, total: 0, totalCapped: false, padding: ' '.repeat(8 << 20) };
    return { etag: '"long"', body: Buffer.from(JSON.stringify(envelope)) };
  };

  it.each([1, 5])('MCP-07 soon loses the slots of its requests: %i', async (count) => {
    const app = uncheckedServerOn({ ...emptyRegistry, search }, undefined, { mcpLimits: { stallMs: 300 } });
    await listening(app, async (port) => {
      const { headers } = await initialize(port);
      await withRawClient(port, async (client) => {
        client.socket.pause();
        await client.send(wholePost(callOf('search_assets', {}), headers).repeat(count));
        await soon(() => gauge(port, 'requests_under_way')).toBeGreaterThan(0);
        await soon(() => gauge(port, 'requests_under_way')).toBe(0);
      });
    });
  });

  it('MCP-07 gets the whole response if it resumes reading in time', async () => {
    const app = uncheckedServerOn({ ...emptyRegistry, search }, undefined, { mcpLimits: { stallMs: 6_000 } });
    await listening(app, async (port) => {
      const { headers } = await initialize(port);
      await withRawClient(port, async (client) => {
        client.socket.pause();
        await client.send(wholePost(callOf('search_assets', {}), headers));
        await sleep(200);
        client.socket.resume();
        expect((await client.next()).body.length).toBeGreaterThan(8 << 20);
        await sleep(3_500);
        await client.send(wholePost(PING, headers));
        expect((await client.next()).status).toBe(200);
      });
    });
  });
});

describe('a portfolio that is being streamed', () => {
  const MIB = 1 << 20;
  const CALL = callOf('get_owner_portfolio', { name: 'x' });

  /** An endless portfolio that counts what happens to it. */
  function endlessPortfolio(found: Promise<void> = Promise.resolve()) {
    const seen = { requested: 0, opened: 0, released: 0, pulled: 0, ended: 0 };
    async function* body() {
      seen.opened += 1;
      try {
        yield Buffer.from('{"owner":"x","items":[]');
        for (;;) {
          seen.pulled += 1;
          yield Buffer.alloc(MIB, ' ');
        }
      } finally {
        seen.ended += 1;
      }
    }
    const registry: Registry = {
      ...emptyRegistry,
      getPortfolio: async () => {
        seen.requested += 1;
        await found;
        const release = () => {
          seen.released += 1;
        };
        return ok({ etag: '"x"', body: body(), release });
      },
    };
    return { registry, seen };
  }

  it.each([
    ['alone', CALL, VERSIONS[0], {}],
    ['compressed', CALL, VERSIONS[0], { 'accept-encoding': 'gzip' }],
    ['in a batch', `[${PING},${CALL},${CALL}]`, VERSIONS[2], {}],
  ])('OWN-01 is released when its client disconnects while reading: %s', async (_, body, version, more) => {
    const { registry, seen } = endlessPortfolio();
    await listening(uncheckedServerOn(registry), async (port) => {
      const { headers } = await initialize(port, version);
      await withRawClient(port, async (client) => {
        await client.send(wholePost(body, { ...headers, ...more }));
        await new Promise((resolve) => client.socket.once('data', resolve));
        await soon(() => seen.pulled).toBeGreaterThan(1);
        expect([seen.released, await gauge(port, 'requests_under_way')]).toEqual([0, 1]);
      });
      await soon(() => [seen.released, seen.ended]).toEqual([1, 1]);
      await soon(() => gauge(port, 'requests_under_way')).toBe(0);
      expect(seen.requested).toBe(1);
    });
  });

  it('OWN-01 is released when its client disconnects without reading', async () => {
    const { registry, seen } = endlessPortfolio();
    await listening(uncheckedServerOn(registry), async (port) => {
      const { headers } = await initialize(port);
      await withRawClient(port, async (client) => {
        client.socket.pause();
        await client.send(wholePost(CALL, headers));
        await soon(() => seen.pulled).toBeGreaterThan(1);
      });
      await soon(() => [seen.released, seen.ended]).toEqual([1, 1]);
      expect(seen.pulled).toBeLessThan(64);
    });
  });

  it.each([
    ['alone', CALL, VERSIONS[0]],
    ['in a batch', `[${CALL}]`, VERSIONS[2]],
  ])('OWN-01 is released if its client disconnected before it was found: %s', async (_, body, version) => {
    const { promise: found, resolve: find } = Promise.withResolvers<void>();
    const { registry, seen } = endlessPortfolio(found);
    await listening(uncheckedServerOn(registry), async (port) => {
      const { headers } = await initialize(port, version);
      await withRawClient(port, async (client) => {
        await client.send(wholePost(body, headers));
        await soon(() => seen.requested).toBe(1);
      });
      await soon(() => gauge(port, 'requests_under_way')).toBe(0);
      find();
      await soon(() => [seen.released, seen.ended - seen.opened]).toEqual([1, 0]);
      expect(seen.pulled).toBeLessThan(64);
    });
  });

  it('OWN-01 is released when it was sent completely', async () => {
    let released = 0;
    const release = () => {
      released += 1;
    };
    async function* body() {
      yield Buffer.from('{"owner":"x",');
      await sleep(10);
      yield Buffer.from('"items":[]}');
    }
    const registry = { ...emptyRegistry, getPortfolio: async () => ok({ etag: '"x"', body: body(), release }) };
    await listening(uncheckedServerOn(registry), async (port) => {
      const session = await initialize(port, VERSIONS[2]);
      const result = await rpc(port, session, 'tools/call', { name: 'get_owner_portfolio', arguments: { name: 'x' } });
      expect(result.structuredContent).toEqual({ owner: 'x', items: [] });
      await soon(() => released).toBe(1);
      const batch = await post(port, `[${CALL},${message('ping', {}, 2)},${CALL}]`, session.headers);
      expect(JSON.parse(batch.body).map((answer: { id: number }) => answer.id)).toEqual([1, 2, 1]);
      await soon(() => released).toBe(3);
      await withRawClient(port, async (client) => {
        const old = head({ ...session.headers, 'content-length': CALL.length }, 'POST', 'HTTP/1.0');
        await client.send(old + CALL);
        const answer = await client.next();
        expect(answer.headers).not.toHaveProperty('transfer-encoding');
        expect(JSON.parse(answer.body).result.structuredContent).toEqual({ owner: 'x', items: [] });
      });
      await soon(() => released).toBe(4);
    });
  });
});
