import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Registry } from '../../src/registry/registry.ts';
import { RawClient, soon } from '../support/mcp.ts';
import { emptyRegistry, uncheckedServerOn } from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const SEARCH = '/japan/api/v1/assets';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: registry.example\r\n\r\n`;

/** A registry whose searches are counted, and answered when `mayAnswer` says so. */
function countedRegistry(body: Buffer, mayAnswer: Promise<void> = Promise.resolve()) {
  const seen = { searches: 0 };
  const search: Registry['search'] = async () => {
    seen.searches += 1;
    await mayAnswer;
    return { etag: `"${seen.searches}"`, body };
  };
  return { registry: { ...emptyRegistry, search }, seen };
}

const SHORT = Buffer.from('{"items":[],"page":1,"total":0,"totalCapped":false}');

describe('pipelined requests', () => {
  it('PIP-01 are answered in order, the next one when the one before is answered', async () => {
    const gate = Promise.withResolvers<void>();
    const { registry, seen } = countedRegistry(SHORT, gate.promise);
    await listening(uncheckedServerOn(registry), async (port) => {
      const client = new RawClient(port);
      await client.send(get(`${SEARCH}?q=a`) + get('/healthz') + get(`${SEARCH}?q=b`) + get('/japan/nothing/here'));
      await soon(() => seen.searches).toBe(1);
      await sleep(100);
      expect(seen.searches).toBe(1);
      gate.resolve();
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await client.next()).status);
      expect(statuses).toEqual([200, 200, 200, 404]);
      client.destroy();
    });
  });

  it('PIP-01 of a client that reads nothing are soon no longer begun, and others are answered', async () => {
    const { registry, seen } = countedRegistry(Buffer.alloc(1 << 20, ' '));
    await listening(uncheckedServerOn(registry), async (port) => {
      const sockets = Array.from({ length: 10 }, () => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        socket.pause();
        socket.write(get(SEARCH).repeat(200));
        return socket;
      });
      try {
        await soon(() => seen.searches).toBeGreaterThanOrEqual(10);
        let before = -1;
        while (seen.searches !== before) {
          before = seen.searches;
          await sleep(300);
        }
        // The buffers of the system take some megabytes of each connection.
        expect(seen.searches).toBeLessThan(10 * 100);
        expect((await ask(port, { path: SEARCH })).status).toBe(200);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });
  });

  it('PIP-02 of which more than 256 wait close the connection after those', async () => {
    const gate = Promise.withResolvers<void>();
    const { registry, seen } = countedRegistry(SHORT, gate.promise);
    await listening(uncheckedServerOn(registry), async (port) => {
      const client = new RawClient(port);
      await client.send(get(SEARCH).repeat(1_000));
      await soon(() => seen.searches).toBe(1);
      gate.resolve();
      for (let i = 0; i < 257; i++) {
        const { status, headers } = await client.next();
        expect([i, status, headers.connection]).toEqual([i, 200, i === 256 ? 'close' : 'keep-alive']);
      }
      await expect(client.next()).rejects.toThrow(/no complete response/);
      expect(seen.searches).toBe(257);
      client.destroy();
    });
  });
});
