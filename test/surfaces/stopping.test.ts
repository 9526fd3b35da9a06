import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { Registry } from '../../src/registry/registry.ts';
import type { StopTiming } from '../../src/surfaces/http/stopping.ts';
import { RawClient, soon } from '../support/mcp.ts';
import { emptyRegistry, uncheckedServerOn } from '../support/serving.ts';
import { ask } from '../support/wire.ts';

const SEARCH = '/japan/api/v1/assets';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: registry.example\r\n\r\n`;
const PAGE = '/japan/about';
const LONG = 60_000;

const opened: FastifyInstance[] = [];
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const app of opened.splice(0)) await app.close();
});

/** A service whose searches are answered when `mayAnswer` says so. */
async function serve(stop: Partial<StopTiming>, mayAnswer: Promise<void> = Promise.resolve()) {
  const search: Registry['search'] = async () => {
    seen.searches += 1;
    await mayAnswer;
    return { etag: '"1"', body: Buffer.from('{"items":[],"page":1,"total":0,"totalCapped":false}') };
  };
  const seen = { searches: 0 };
  const app = uncheckedServerOn({ ...emptyRegistry, search }, undefined, { stop });
  opened.push(app);
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const connect = () => {
    const client = new RawClient(port);
    clients.push(client);
    return client;
  };
  return { app, port, seen, connect };
}

const connectionOf = ({ status, headers }: { status: number; headers: Readonly<Record<string, unknown>> }) => [
  status,
  headers.connection,
];

describe('a service that stops', () => {
  it('STP-01 answers what is under way and what arrives on open connections, and asks to close them', async () => {
    const gate = Promise.withResolvers<void>();
    const { app, seen, connect } = await serve({ quietMs: 300 }, gate.promise);
    const [busy, idle] = [connect(), connect()];
    await idle.send(get(PAGE));
    expect(connectionOf(await idle.next())).toEqual([200, 'keep-alive']);
    await busy.send(get(SEARCH));
    await soon(() => seen.searches).toBe(1);
    const stopped = app.stopping.stop();
    await idle.send(get(PAGE));
    expect(connectionOf(await idle.next())).toEqual([200, 'close']);
    gate.resolve();
    expect(connectionOf(await busy.next())).toEqual([200, 'close']);
    await stopped;
    await idle.ended();
    await busy.ended();
  });

  it('STP-01 answers all pipelined requests that have arrived, and closes after the last', async () => {
    const gate = Promise.withResolvers<void>();
    const { app, seen, connect } = await serve({ quietMs: 300 }, gate.promise);
    const [before, after] = [connect(), connect()];
    await before.send(get(SEARCH) + get(PAGE) + get('/healthz'));
    await soon(() => seen.searches).toBe(1);
    const stopped = app.stopping.stop();
    await after.send(get(SEARCH) + get(PAGE));
    await soon(() => seen.searches).toBe(2);
    gate.resolve();
    for (const kept of ['keep-alive', 'keep-alive', 'close'])
      expect(connectionOf(await before.next())).toEqual([200, kept]);
    for (const kept of ['keep-alive', 'close']) expect(connectionOf(await after.next())).toEqual([200, kept]);
    await stopped;
  });

  it('STP-01 STP-03 is not ready, and tells a balancer that watches it before it refuses connections', async () => {
    const { app, port } = await serve({ quietMs: 1, tellings: 3, acceptMs: LONG });
    expect((await ask(port, { path: '/readyz' })).status).toBe(200);
    let isStopped = false;
    const stopped = app.stopping.stop().then(() => {
      isStopped = true;
    });
    for (let i = 0; i < 3; i++) {
      await sleep(100);
      expect(isStopped).toBe(false);
      const { status, body } = await ask(port, { path: '/readyz' });
      expect([status, JSON.parse(body)]).toEqual([503, { status: 'stopping' }]);
    }
    await stopped;
    await expect(ask(port, { path: '/readyz' })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('STP-02 accepts connections while it is asked, and not for ever', async () => {
    const { app, port } = await serve({ quietMs: 1_400, acceptMs: 1_500 });
    await ask(port, { path: PAGE });
    let isStopped = false;
    const begun = performance.now();
    const stopped = app.stopping.stop().then(() => {
      isStopped = true;
    });
    // A client that is told to close its connections opens new ones.
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    while (!isStopped) {
      const answer = await ask(port, { path: PAGE, agent }).catch((error: NodeJS.ErrnoException) => error);
      if ('code' in answer) break;
      expect(connectionOf(answer as never)).toEqual([200, 'close']);
      answered += 1;
      await sleep(20);
    }
    await stopped;
    agent.destroy();
    expect(answered).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_500);
  });

  it('STP-02 ends idle connections without resetting them, also those that have sent nothing', async () => {
    const { app, connect } = await serve({ quietMs: 100, lingerMs: 200 });
    const [used, silent] = [connect(), connect()];
    await used.send(get(PAGE));
    await used.next();
    await app.stopping.stop();
    // An error would be thrown.
    await used.ended();
    await silent.ended();
  });

  it('STP-02 does not wait for ever for a client that does not read', async () => {
    const { app, seen, connect } = await serve({ quietMs: 1, finishMs: 200 }, new Promise(() => {}));
    await connect().send(get(SEARCH));
    await soon(() => seen.searches).toBe(1);
    await app.stopping.stop();
  });
});
