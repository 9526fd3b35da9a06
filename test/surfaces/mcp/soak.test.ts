import { Agent } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Registry } from '../../../src/registry/registry.ts';
import { BUILDING_EXAMPLE } from '../../../src/surfaces/api/examples.ts';
import {
  callOf,
  endSession,
  expectRpcError,
  gauge,
  initialize,
  initializeMessage,
  type McpSession,
  PING,
  post,
  rpc,
  sessionOf,
  soon,
} from '../../support/mcp.ts';
import { id } from '../../support/records.ts';
import { type Answer, emptyRegistry, uncheckedServerOn } from '../../support/serving.ts';
import { usualOrLong } from '../../support/test-length.ts';
import { listening } from '../../support/wire.ts';

const AT_ONCE = 8;

/** Runs `work` `count` times, a few at once. */
async function times(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use after garbage collection. */
async function heldMemory(): Promise<number> {
  for (let i = 0; i < 5; i++) {
    collect();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('MCP-05 thousands of short sessions leak nothing', async () => {
  const pages = new Map(
    Array.from({ length: 100 }, (_, i) => [
      id(i),
      { etag: `"${i}"`, body: Buffer.from(JSON.stringify({ ...BUILDING_EXAMPLE, id: id(i) })) },
    ]),
  );
  const registry: Registry = {
    ...emptyRegistry,
    getPage: async (asset) => {
      const value = pages.get(asset);
      return value === undefined ? { ok: false, failure: { kind: 'unknownBuilding' } } : { ok: true, value };
    },
  };
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const count = usualOrLong(2_000, 8_000);
  await listening(uncheckedServerOn(registry), async (port) => {
    const round = async (i: number) => {
      const session = await initialize(port, undefined, { agent });
      const assetId = id(i % 100);
      const { status, body } = await post(port, callOf('get_asset', { id: assetId }), session.headers, { agent });
      expect(status).toBe(200);
      expect(body).toContain(`"structuredContent":{"id":"${assetId}"`);
      expect((await endSession(port, session, { agent })).status).toBe(204);
    };
    await times(count / 4, round);
    const before = await heldMemory();
    await times(count, round);
    const grown = (await heldMemory()) - before;
    agent.destroy();
    // Any leak per session would be larger.
    expect(grown / count).toBeLessThan(256);
    await soon(() => gauge(port, 'requests_under_way')).toBe(0);
    expect(await gauge(port, 'sessions')).toBe(0);
  });
});

describe('256 sessions', () => {
  const START = Date.UTC(2026, 0, 1);
  const LIFETIME = 15 * 60_000;

  const expectFull = (answer: Answer) => {
    expectRpcError(answer, 503, -32_000, /allows 256 sessions; retry in 30 seconds/);
    expect(answer.headers['retry-after']).toBe('30');
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  };

  /** A server with the maximum number of sessions, whose clock the test sets. */
  function full(work: (port: number, sessions: McpSession[], clock: { now: number }) => Promise<void>): Promise<void> {
    const clock = { now: START };
    return listening(uncheckedServerOn(emptyRegistry, undefined, { now: () => clock.now }), async (port) => {
      const answers: Answer[] = [];
      await times(300, async () => void answers.push(await post(port, initializeMessage())));
      const [opened, refused] = [
        answers.filter(({ status }) => status === 200),
        answers.filter(({ status }) => status !== 200),
      ];
      expect([opened.length, refused.length]).toEqual([256, 44]);
      for (const answer of refused) expectFull(answer);
      const sessions = opened.map(({ headers }) => sessionOf(headers));
      expect(new Set(sessions.map((session) => session.id)).size).toBe(256);
      await work(port, sessions, clock);
    });
  }

  it('MCP-06 are the maximum; deleting one allows one more', async () => {
    await full(async (port, [first, second, ...others]) => {
      expect((await endSession(port, first as McpSession)).status).toBe(204);
      expectRpcError(await post(port, PING, first?.headers), 404, -32_001);
      expectRpcError(await endSession(port, first as McpSession), 404, -32_001);
      const next = await initialize(port);
      expectFull(await post(port, initializeMessage()));
      for (const session of [second as McpSession, ...others, next])
        expect(await rpc(port, session, 'ping')).toEqual({});
      expect(await gauge(port, 'sessions')).toBe(256);
    });
  });

  it('MCP-05 end after fifteen minutes, in use or not, and free their slots', async () => {
    await full(async (port, sessions, clock) => {
      clock.now = START + LIFETIME - 1;
      for (const session of sessions) expect(await rpc(port, session, 'ping')).toEqual({});
      expectFull(await post(port, initializeMessage()));
      clock.now = START + LIFETIME;
      for (const session of sessions) expectRpcError(await post(port, PING, session.headers), 404, -32_001);
      expectRpcError(await endSession(port, sessions[0] as McpSession), 404, -32_001);
      expect(await gauge(port, 'sessions')).toBe(0);
      await times(256, async () => void (await initialize(port)));
      expectFull(await post(port, initializeMessage()));
    });
  });

  it('MCP-05 each expire at their own time', async () => {
    const clock = { now: START };
    await listening(uncheckedServerOn(emptyRegistry, undefined, { now: () => clock.now }), async (port) => {
      const sessions: McpSession[] = [];
      for (let minute = 0; minute < 15; minute++) {
        clock.now = START + minute * 60_000;
        sessions.push(await initialize(port));
      }
      for (let minute = 15; minute < 30; minute++) {
        clock.now = START + minute * 60_000;
        expect(await gauge(port, 'sessions')).toBe(29 - minute);
        for (const [begun, session] of sessions.entries()) {
          expect((await post(port, PING, session.headers)).status).toBe(begun + 15 > minute ? 200 : 404);
        }
      }
    });
  });

  it('MCP-06 a session that could not be opened takes no slot', async () => {
    const app = uncheckedServerOn(emptyRegistry, undefined, { mcpLimits: { sessions: 1 } });
    await listening(app, async (port) => {
      for (let i = 0; i < 5; i++) {
        await post(port, initializeMessage().replace('protocolVersion', 'x'));
        await post(port, `[${initializeMessage()}]`);
        await post(port, initializeMessage(), { 'mcp-session-id': 'x' });
        await post(port, initializeMessage(), { 'mcp-protocol-version': '1999-01-01' });
      }
      expect(await gauge(port, 'sessions')).toBe(0);
      await initialize(port);
      expect((await post(port, initializeMessage())).status).toBe(503);
    });
  });
});
