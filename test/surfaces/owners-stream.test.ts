import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../src/registry/registry.ts';
import { ok } from '../../src/vocabulary/result.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREA, AREAS, id, record } from '../support/records.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { answerOf, emptyRegistry, expectProblem, uncheckedServerOn } from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const PATH = '/japan/api/v1/owners/x/assets';
const MIB = 1 << 20;

/** A portfolio that records how far it was read. */
function portfolioOf(chunks: number, chunk: Buffer, failAfter = Number.POSITIVE_INFINITY) {
  const seen = { opened: 0, released: 0, pulled: 0, ended: false };
  async function* body() {
    try {
      for (let i = 0; i < chunks; i++) {
        if (i >= failAfter) throw new Error('SECRET');
        seen.pulled += 1;
        yield chunk;
      }
    } finally {
      seen.ended = true;
    }
  }
  const registry: Registry = {
    ...emptyRegistry,
    getPortfolio: async () => {
      seen.opened += 1;
      const release = () => {
        seen.released += 1;
      };
      return ok({ etag: '"portfolio"', body: body(), release });
    },
  };
  return { registry, seen };
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !condition(); waited += 10) {
    if (waited > 30_000) throw new Error(`not within 30 s: ${what}`);
    await sleep(10);
  }
}

/** Waits until a number has not changed for a while. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1, still = 0; still < 20; ) {
    const now = read();
    still = now === last ? still + 1 : 0;
    last = now;
    await sleep(15);
  }
  return read();
}

async function withClient(port: number, work: (socket: Socket) => Promise<void>, method = 'GET'): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${method} ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  try {
    await work(socket);
  } finally {
    socket.destroy();
  }
}

describe('a portfolio that is being streamed', () => {
  it('OWN-01 is read at the pace of the client', async () => {
    const { registry, seen } = portfolioOf(512, Buffer.alloc(MIB, ' '));
    await listening(uncheckedServerOn(registry), (port) =>
      withClient(port, async (socket) => {
        socket.pause();
        await until(() => seen.pulled > 0, 'the first chunk');
        const held = await settled(() => seen.pulled);
        expect(held).toBeLessThan(64);
        socket.resume();
        await until(() => seen.pulled > held + 20, 'more chunks');
      }),
    );
  });

  it('OWN-01 is read no further when a waiting client disconnects', async () => {
    const { registry, seen } = portfolioOf(512, Buffer.alloc(MIB, ' '));
    await listening(uncheckedServerOn(registry), async (port) => {
      await withClient(port, async (socket) => {
        socket.pause();
        await until(() => seen.pulled > 0, 'the first chunk');
        await settled(() => seen.pulled);
      });
      await until(() => seen.ended, 'the end of the iteration');
      expect(seen.pulled).toBeLessThan(64);
    });
  });

  it('OWN-01 is read no further when a reading client disconnects', async () => {
    const { registry, seen } = portfolioOf(100_000, Buffer.alloc(MIB, ' '));
    await listening(uncheckedServerOn(registry), async (port) => {
      await withClient(port, async (socket) => {
        await new Promise((resolve) => socket.once('data', resolve));
      });
      await until(() => seen.ended, 'the end of the iteration');
      expect(seen.pulled).toBeLessThan(10_000);
      expect((await ask(port, { path: '/healthz' })).status).toBe(200);
    });
  });

  it('OWN-01 arrives complete', async () => {
    const { registry, seen } = portfolioOf(300, Buffer.alloc(10_000, 'a'));
    await listening(uncheckedServerOn(registry), async (port) => {
      const { status, body } = await ask(port, { path: PATH });
      expect([status, body.length, seen.ended]).toEqual([200, 3_000_000, true]);
      expect(body).toMatch(/^a+$/);
    });
  });

  it('API-01 is not read for HEAD or a 304', async () => {
    const { registry, seen } = portfolioOf(100_000, Buffer.alloc(MIB, ' '));
    await listening(uncheckedServerOn(registry), async (port) => {
      const head = await ask(port, { path: PATH, method: 'HEAD' });
      expect([head.status, head.headers.etag, head.body]).toEqual([200, '"portfolio"', '']);
      const known = await ask(port, { path: PATH, headers: { 'if-none-match': '"portfolio"' } });
      expect([known.status, known.body]).toEqual([304, '']);
      expect(seen.opened).toBe(2);
      expect(await settled(() => seen.pulled)).toBeLessThan(64);
    });
  });

  it('API-06 an error before the first byte gives a 500 without details', async () => {
    const { registry } = portfolioOf(3, Buffer.from('x'), 0);
    const app = uncheckedServerOn(registry);
    expectProblem(answerOf(await app.inject({ url: PATH })), 500);
    await app.close();
    await listening(uncheckedServerOn(registry), async (port) => expectProblem(await ask(port, { path: PATH }), 500));
  });

  it('API-06 a later error aborts the response without details', async () => {
    const { registry } = portfolioOf(300, Buffer.alloc(10_000, 'a'), 200);
    await listening(uncheckedServerOn(registry), async (port) => {
      await expect(ask(port, { path: PATH })).rejects.toThrow(/aborted|reset|hang up/);
      let text = '';
      await withClient(port, async (socket) => {
        socket.on('data', (data) => {
          text += data;
        });
        await new Promise((resolve) => socket.once('close', resolve));
      });
      expect(text).not.toMatch(/SECRET|0\r\n\r\n$/);
      expect((await ask(port, { path: '/healthz' })).status).toBe(200);
    });
  });
});

it('the resources of a portfolio are released once, however it ends', async () => {
  const { registry, seen } = portfolioOf(3, Buffer.from('x'));
  const faulty = portfolioOf(3, Buffer.from('x'), 0);
  await listening(uncheckedServerOn(registry), async (port) => {
    await ask(port, { path: PATH });
    await ask(port, { path: PATH, method: 'HEAD' });
    await ask(port, { path: PATH, headers: { 'if-none-match': '"portfolio"' } });
    await until(() => seen.released === 3, 'all three released');
    expect(seen.opened).toBe(3);
  });
  await listening(uncheckedServerOn(faulty.registry), async (port) => {
    expect((await ask(port, { path: PATH })).status).toBe(500);
    await until(() => faulty.seen.released === 1, 'released after a fault');
  });
});

it('the resources of a response are also released if the client disconnected before it was ready', async () => {
  let [requested, released] = [0, 0];
  let answer = () => {};
  const release = () => {
    released += 1;
  };
  const found = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const body = Buffer.from('{}');
  const registry: Registry = {
    ...emptyRegistry,
    search: async () => {
      requested += 1;
      await found;
      return { etag: '"a"', body, release };
    },
    getPortfolio: async () => {
      requested += 1;
      await found;
      return ok({ etag: '"a"', body: Readable.from([body]), release });
    },
  };
  await listening(uncheckedServerOn(registry), async (port) => {
    const sockets = [PATH, '/japan/api/v1/assets'].map((path) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return socket;
    });
    await until(() => requested === 2, 'both requested');
    for (const socket of sockets) socket.destroy();
    await sleep(100);
    answer();
    await until(() => released === 2, 'both released');
  });
});

onBothEngines('a portfolio that changes while it is streamed', (fresh) => {
  it('OWN-01 is sent as it was at the time of the request', async () => {
    const served = await openServedRegistry(await fresh());
    const numbers = Array.from({ length: 120 }, (_, i) => i + 1);
    const lines = numbers.flatMap((number) => [
      record('osm', `way/${number}`, { nameJa: `第${number}ビル` }, { building: id(number), area: AREA }),
      record('jreit', `j${number}`, { ownerPublic: 'x' }, { building: id(number) }),
    ]);
    await served.ingest([...AREAS, ...lines]);
    const real = openRegistry(served.context.storage);
    let between = async () => {};
    const registry: Registry = {
      ...real,
      getPortfolio: async (name) => {
        const found = await real.getPortfolio(name);
        if (!found.ok) return found;
        return ok({ ...found.value, body: pausing(found.value.body, () => between()) });
      },
    };
    await listening(uncheckedServerOn(registry), async (port) => {
      const whole = await ask(port, { path: PATH });
      expect(JSON.parse(whole.body).items).toHaveLength(120);
      let changed = false;
      between = async () => {
        if (changed) return;
        changed = true;
        await served.ingest([record('wikidata', 'Q120', { nameEn: 'Changed' }, { building: id(120) })]);
      };
      const during = await ask(port, { path: PATH });
      expect(changed).toBe(true);
      expect(during).toMatchObject({ status: 200, headers: { etag: whole.headers.etag }, body: whole.body });
      const after = await ask(port, { path: PATH });
      expect(after.headers.etag).not.toBe(whole.headers.etag);
      expect(
        JSON.parse(after.body)
          .items.map((item: { id: string }) => item.id)
          .slice(0, 2),
      ).toEqual([id(120), id(1)]);
    });
    await served.close();
  });

  it('OWN-01 portfolios beyond the limit wait for a free slot', async () => {
    const served = await openServedRegistry(await fresh());
    await served.ingest([...AREAS, record('osm', 'way/1', { nameJa: '館' }, { building: id(1), area: AREA })]);
    await served.ingest([record('jreit', 'j1', { ownerPublic: 'x' }, { building: id(1) })]);
    await listening(uncheckedServerOn(openRegistry(served.context.storage)), async (port) => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => ask(port, { path: PATH })));
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        expect(JSON.parse(body).items).toHaveLength(1);
      }
    });
    await served.close();
  });
});

async function* pausing(body: AsyncIterable<Uint8Array>, pause: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk;
    await pause();
  }
}
