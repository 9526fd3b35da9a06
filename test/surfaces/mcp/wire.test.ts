import { Agent } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { MCP_ROOT } from '../../../src/surfaces/http/surface.ts';
import {
  chunk,
  expectRpcError,
  gauge,
  head,
  initialize,
  LAST_CHUNK,
  type McpSession,
  PING,
  POST_HEADERS,
  padded,
  post,
  RawClient,
  soon,
  wholePost,
  withRawClient,
} from '../../support/mcp.ts';
import { type Answer, emptyRegistry, MARK, uncheckedServerOn } from '../../support/serving.ts';
import { usualOrLong } from '../../support/test-length.ts';
import { listening } from '../../support/wire.ts';

const MAX_BODY = 65_536;
const MIB = 1 << 20;
const CHUNKED = { 'transfer-encoding': 'chunked' };

/** Runs `work` with a server, a session and a connection. */
function serving(
  work: (port: number, session: McpSession, client: RawClient) => Promise<void>,
  options: Parameters<typeof uncheckedServerOn>[2] = {},
): Promise<void> {
  return listening(uncheckedServerOn(emptyRegistry, undefined, options), async (port) => {
    const session = await initialize(port);
    await withRawClient(port, (client) => work(port, session, client));
  });
}

function expectPong(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
}

const expectTooLarge = (answer: Answer) => expectRpcError(answer, 413, -32_600, /65536 bytes/);

/** A body in chunks of one length. */
function inChunks(body: string, length: number): string {
  const parts = [];
  for (let at = 0; at < body.length; at += length) parts.push(chunk(body.slice(at, at + length)));
  return parts.join('') + LAST_CHUNK;
}

describe('an oversized body', () => {
  it('MCP-08 65,536 bytes are accepted, with a length and in chunks', async () => {
    await serving(async (_, { headers }, client) => {
      await client.send(wholePost(padded(PING, MAX_BODY), headers));
      expectPong(await client.next());
      for (const length of [1, 13, 4_096, MAX_BODY]) {
        await client.send(head({ ...headers, ...CHUNKED }));
        await client.send(inChunks(padded(PING, MAX_BODY), length));
        expectPong(await client.next());
      }
    });
  });

  it('MCP-08 the limit counts bytes, not characters', async () => {
    await serving(async (port, { headers }) => {
      const spoken = (count: number) =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { a: '建'.repeat(count) } } });
      expectPong(await post(port, padded(spoken(21_000), MAX_BODY), headers));
      expectTooLarge(await post(port, padded(spoken(21_000), MAX_BODY + 1), headers));
    });
  });

  it.each([1, 13, 4_096, MAX_BODY + 1])(
    'MCP-08 65,537 bytes in chunks of %i give 413, and the connection stays usable',
    async (length) => {
      await serving(async (_, { headers }, client) => {
        await client.send(head({ ...headers, ...CHUNKED }));
        await client.send(inChunks(padded(PING, MAX_BODY + 1), length));
        expectTooLarge(await client.next());
        await client.send(wholePost(PING, headers));
        expectPong(await client.next());
      });
    },
  );

  it('MCP-08 a content length of 65,537 gives 413 before any byte was sent, and the connection stays usable', async () => {
    await serving(async (_, { headers }, client) => {
      await client.send(head({ ...headers, 'content-length': MAX_BODY + 1 }));
      expectTooLarge(await client.next());
      await client.send(padded(PING, MAX_BODY + 1));
      await client.send(wholePost(PING, headers));
      expectPong(await client.next());
    });
  });

  it('MCP-08 a client that waits for 100 Continue also gets 413', async () => {
    await serving(async (_, { headers }, client) => {
      const waiting = { ...headers, expect: '100-continue' };
      await client.send(head({ ...waiting, 'content-length': MAX_BODY + 1 }));
      expectTooLarge(await client.next());
      await client.send(padded(PING, MAX_BODY + 1));
      await client.send(head({ ...waiting, 'content-length': PING.length }));
      await client.send(PING);
      expectPong(await client.next());
    });
  });

  it('MCP-08 an oversized body is refused whatever it contains, even without a session', async () => {
    await serving(async (port) => {
      expectTooLarge(await post(port, MARK.repeat(10_000)));
    });
  });
});

describe('a client that is sending five megabytes', () => {
  const TRIES = usualOrLong(5, 20);
  const body = Buffer.alloc(5 * MIB, ' ');
  const pieces = Array.from({ length: 80 }, (_, i) => body.subarray(i * MAX_BODY, (i + 1) * MAX_BODY));
  const framings: [string, Record<string, string | number>, (piece: Buffer) => (string | Buffer)[], string][] = [
    ['with a length', { 'content-length': body.length }, (piece) => [piece], ''],
    ['in chunks', CHUNKED, (piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n'], LAST_CHUNK],
  ];

  it.each(framings)(
    'MCP-08 gets its 413 each time, and the connection stays usable: %s',
    async (_, framing, frame, last) => {
      await serving(async (port, { headers }) => {
        for (let i = 0; i < TRIES; i++) {
          await withRawClient(port, async (client) => {
            await client.send(head({ ...headers, ...framing }));
            for (const piece of pieces) for (const bytes of frame(piece)) await client.send(bytes);
            await client.send(last);
            expectTooLarge(await client.next());
            await client.send(wholePost(PING, headers));
            expectPong(await client.next());
          });
        }
      });
    },
  );

  it.each(framings)(
    'MCP-08 gets its 413 each time, and then the connection closes as requested: %s',
    async (_, framing, frame, last) => {
      await serving(async (port, { headers }) => {
        for (let i = 0; i < TRIES; i++) {
          await withRawClient(port, async (client) => {
            await client.send(head({ ...headers, ...framing, connection: 'close' }));
            for (const piece of pieces) for (const bytes of frame(piece)) await client.send(bytes);
            await client.send(last);
            expectTooLarge(await client.next());
            await client.ended();
          });
        }
      });
    },
  );

  it.each([
    ['with a length, kept alive', true, {}],
    ['in chunks, kept alive', true, CHUNKED],
    ['with a length, closing', false, {}],
    ['in chunks, closing', false, CHUNKED],
  ])('MCP-08 gets its 413 each time by node:http: %s', async (_, keepAlive, framing) => {
    await serving(async (port, { headers }) => {
      const agent = new Agent({ keepAlive, maxSockets: 1 });
      try {
        for (let i = 0; i < TRIES; i++) {
          expectTooLarge(await post(port, body, { ...headers, ...framing } as Record<string, string>, { agent }));
          expectPong(await post(port, PING, headers, { agent }));
        }
      } finally {
        agent.destroy();
      }
    });
  });

  it('MCP-08 gets its 413 each time by fetch', async () => {
    await serving(async (port, { headers }) => {
      const url = `http://127.0.0.1:${port}${MCP_ROOT}`;
      for (let i = 0; i < TRIES; i++) {
        const refused = await fetch(url, { method: 'POST', headers, body });
        expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: -32_600 } }]);
        const next = await fetch(url, { method: 'POST', headers, body: PING });
        expect([next.status, await next.json()]).toMatchObject([200, { result: {} }]);
      }
    });
  });

  it('MCP-08 holds no slot while the rest is discarded', async () => {
    await serving(async (port, { headers }, client) => {
      await client.send(head({ ...headers, 'content-length': body.length }));
      expectTooLarge(await client.next());
      await client.send(body.subarray(0, MIB));
      expect(await gauge(port, 'requests_under_way')).toBe(0);
    });
  });
});

const SHORT = { mcpLimits: { bodyMs: 300 } };
const expectTooSlow = (answer: Answer, seconds: string) =>
  expectRpcError(answer, 408, -32_000, new RegExp(`not complete after ${seconds} seconds`));

/** Stops the server's timers except where the test advances them; sockets still work. */
async function withStoppedClock(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Waits until the server reads the bodies of `count` requests. */
async function untilReading(port: number, count: number): Promise<void> {
  await soon(() => gauge(port, 'requests_under_way')).toBe(count);
  await gauge(port, 'requests_under_way');
}

/** Sends single bytes until aborted, but never the last one. */
async function drip(client: RawClient, length: number, signal: AbortSignal): Promise<void> {
  for (let sent = 0; sent < length - 1 && !signal.aborted; sent++) {
    await client.send(' ');
    await nextTurn();
  }
}

const SLOW_BODIES: [
  string,
  (client: RawClient, headers: McpSession['headers'], signal: AbortSignal) => Promise<void>,
][] = [
  ['no byte of it', (client, headers) => client.send(head({ ...headers, 'content-length': PING.length }))],
  [
    'half of it',
    (client, headers) => client.send(head({ ...headers, 'content-length': PING.length }) + PING.slice(0, 20)),
  ],
  [
    'half of it in chunks',
    (client, headers) => client.send(head({ ...headers, ...CHUNKED }) + chunk(PING.slice(0, 20))),
  ],
  ['all but the last chunk', (client, headers) => client.send(head({ ...headers, ...CHUNKED }) + chunk(PING))],
  [
    'byte after byte',
    async (client, headers, signal) => {
      await client.send(head({ ...headers, 'content-length': 2_000 }));
      await drip(client, 2_000, signal);
    },
  ],
  [
    'no byte of it, with Connection: close',
    (client, headers) => client.send(head({ ...headers, connection: 'close', 'content-length': PING.length })),
  ],
];

describe('a slow body', () => {
  const servingSlowly = (...[work, options]: Parameters<typeof serving>) =>
    withStoppedClock(() => serving(work, options));

  it.each(SLOW_BODIES)('MCP-09 gives 408: %s', async (_, begin) => {
    await servingSlowly(async (port, { headers }, client) => {
      const stop = new AbortController();
      const sending = begin(client, headers, stop.signal);
      await untilReading(port, 1);
      vi.advanceTimersByTime(300);
      expectTooSlow(await client.next(), '0.3');
      expect(await gauge(port, 'requests_under_way')).toBe(0);
      stop.abort();
      await sending;
    }, SHORT);
  });

  it('MCP-09 that continues after the 408 leaves the connection usable', async () => {
    await servingSlowly(async (port, { headers }, client) => {
      await client.send(head({ ...headers, 'content-length': PING.length }) + PING.slice(0, 20));
      await untilReading(port, 1);
      vi.advanceTimersByTime(300);
      expectTooSlow(await client.next(), '0.3');
      await client.send(PING.slice(20));
      await client.send(wholePost(PING, headers));
      expectPong(await client.next());
    }, SHORT);
  });

  it('MCP-09 that continues after the 408 ends a connection with Connection: close', async () => {
    await servingSlowly(async (port, { headers }, client) => {
      await client.send(head({ ...headers, connection: 'close', 'content-length': PING.length }) + PING.slice(0, 20));
      await untilReading(port, 1);
      vi.advanceTimersByTime(300);
      expectTooSlow(await client.next(), '0.3');
      await client.send(PING.slice(20));
      await client.ended();
    }, SHORT);
  });

  it('MCP-09 that arrives in time is answered', async () => {
    await servingSlowly(async (port, { headers }, client) => {
      await client.send(head({ ...headers, 'content-length': PING.length }));
      for (const byte of PING) {
        await client.send(byte);
        await nextTurn();
      }
      expectPong(await client.next());
      await client.send(head({ ...headers, ...CHUNKED }));
      for (const byte of PING) await client.send(chunk(byte));
      await untilReading(port, 1);
      vi.advanceTimersByTime(9_999);
      await client.send(LAST_CHUNK);
      expectPong(await client.next());
    });
  });

  it('MCP-09 gives 408 after ten seconds, and ten seconds later the connection closes', async () => {
    await servingSlowly(async (port, { headers }) => {
      const stop = new AbortController();
      const clients = SLOW_BODIES.map(() => new RawClient(port));
      try {
        const sending = SLOW_BODIES.map(([, begin], i) => begin(clients[i] as RawClient, headers, stop.signal));
        await untilReading(port, SLOW_BODIES.length);
        vi.advanceTimersByTime(9_999);
        expect(await gauge(port, 'requests_under_way')).toBe(SLOW_BODIES.length);
        vi.advanceTimersByTime(1);
        for (const client of clients) expectTooSlow(await client.next(), '10');
        stop.abort();
        await Promise.all(sending);
        await gauge(port, 'requests_under_way');
        vi.advanceTimersByTime(9_999);
        await gauge(port, 'requests_under_way');
        expect(clients.map(({ socket }) => socket.readable)).toEqual(SLOW_BODIES.map(() => true));
        vi.advanceTimersByTime(1);
        for (const client of clients) await client.ended();
      } finally {
        for (const client of clients) client.destroy();
      }
    });
  });

  it('MCP-08 that is too large is discarded for a limited time, then the connection closes', async () => {
    await servingSlowly(async (port, { headers }, client) => {
      await client.send(head({ ...headers, ...CHUNKED }));
      const sendSome = async (count: number) => {
        for (let i = 0; i < count; i++) await client.send(chunk(' '.repeat(MAX_BODY)));
      };
      await sendSome(2);
      expectTooLarge(await client.next());
      vi.advanceTimersByTime(9_999);
      await sendSome(5);
      await gauge(port, 'requests_under_way');
      expect(client.socket.writable).toBe(true);
      vi.advanceTimersByTime(1);
      await expect(sendSome(1_000)).rejects.toThrow(/EPIPE|ECONNRESET|ended|destroyed/);
    });
  });
});

describe('connections', () => {
  it('MCP-01 pipelined requests are answered in order', async () => {
    await serving(async (_, { headers }, client) => {
      const remove = head({ ...headers }, 'DELETE');
      await client.send(
        [
          wholePost(PING, headers),
          wholePost('{', headers),
          wholePost(PING, headers),
          wholePost(PING, POST_HEADERS),
          remove,
          wholePost(PING, headers),
        ].join(''),
      );
      expectPong(await client.next());
      expectRpcError(await client.next(), 400, -32_700);
      expectPong(await client.next());
      expectRpcError(await client.next(), 400, -32_600);
      expect(await client.next()).toMatchObject({ status: 204, body: '' });
      expectRpcError(await client.next(), 404, -32_001);
    });
  });

  it('MCP-01 a request may arrive in any pieces', async () => {
    await serving(async (_, { headers }, client) => {
      client.socket.setNoDelay(true);
      for (const byte of wholePost(PING, headers)) await client.send(byte);
      expectPong(await client.next());
    });
  });

  it('MCP-07 a client that disconnects while sending a body frees its slot', async () => {
    await serving(async (port, { headers }) => {
      for (const framing of [{ 'content-length': PING.length }, CHUNKED]) {
        for (const leave of ['destroy', 'resetAndDestroy'] as const) {
          await withRawClient(port, async (client) => {
            await client.send(head({ ...headers, ...framing }));
            await soon(() => gauge(port, 'requests_under_way')).toBe(1);
            client.socket[leave]();
            await soon(() => gauge(port, 'requests_under_way')).toBe(0);
          });
        }
      }
    });
  });

  it('MCP-07 a client that half-closes before its body is complete frees its slot', async () => {
    await serving(async (port, { headers }, client) => {
      await client.send(head({ ...headers, 'content-length': PING.length }) + PING.slice(0, 20));
      await soon(() => gauge(port, 'requests_under_way')).toBe(1);
      client.socket.end();
      expect((await client.next()).status).toBe(400);
      await soon(() => gauge(port, 'requests_under_way')).toBe(0);
    });
  });

  it.each([
    ['ends before it is whole', { 'content-length': PING.length }, PING.slice(0, 20)],
    ['has a chunk without a length', CHUNKED, `${chunk(PING)}zz\r\n`],
  ])('MCP-01 a body that %s gives a JSON-RPC error', async (_, framing, bytes) => {
    await serving(async (_port, { headers }, client) => {
      await client.send(head({ ...headers, ...framing }) + bytes);
      client.socket.end();
      const answer = await client.next();
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    });
  });

  it('MCP-01 HTTP/1.0 is answered, and its connection closed or kept as requested', async () => {
    await serving(async (port, { headers }, client) => {
      const old = (more: Record<string, string>) =>
        head({ ...headers, ...more, 'content-length': PING.length }, 'POST', 'HTTP/1.0') + PING;
      await client.send(old({ connection: 'keep-alive' }));
      expectPong(await client.next());
      await client.send(old({}));
      expectPong(await client.next());
      await client.ended();
      await withRawClient(port, async (refused) => {
        await refused.send(head({ ...headers, 'content-length': MAX_BODY + 1 }, 'POST', 'HTTP/1.0'));
        expectTooLarge(await refused.next());
        await refused.send(padded(PING, MAX_BODY + 1));
        await refused.ended();
      });
      await withRawClient(port, async (bare) => {
        await bare.send(old({}).replace('host: localhost\r\n', ''));
        expectPong(await bare.next());
      });
    });
  });
});
