import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PORTFOLIO_LIMITS } from '../../src/registry/portfolios.ts';
import { openRegistry, type Registry, type RegistryLimits } from '../../src/registry/registry.ts';
import { ok } from '../../src/vocabulary/result.ts';
import { onBothEngines } from '../support/engines.ts';
import { initialize, rpc } from '../support/mcp.ts';
import { AREA, AREAS, id, record } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { assetUrl, expectProblem, expectRefusal, uncheckedServerOn } from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const LARGE = '/japan/api/v1/owners/large/assets';
const SMALL = '/japan/api/v1/owners/small/assets';
const SITEMAP = '/japan/sitemap-buildings-26000.xml';
const PLACES = 4;
const FOREVER = 600_000;
const limitsWith = (stallMs: number): RegistryLimits => ({
  portfolios: { atOnce: PLACES, waiting: 8, waitMs: 100, stallMs },
  paths: { atOnce: PLACES, waiting: 8, waitMs: 100, stallMs },
});

/** Repeats `more` until the reader disconnects, so that system buffers cannot take all of it. */
async function* withoutEnd<T>(body: AsyncIterable<T>, more: T): AsyncGenerator<T> {
  yield* body;
  for (;;) yield more;
}

/** A registry whose long responses never end while `isEndless`; counts the requests that got a slot and those that did not. */
function endlessly(real: Registry) {
  const seen = { isEndless: true, opened: 0, released: 0, refused: 0 };
  const hold = (release: () => void) => {
    seen.opened += 1;
    return () => {
      seen.released += 1;
      release();
    };
  };
  const { buildings } = real.paths;
  const registry: Registry = {
    ...real,
    async getPortfolio(name, options) {
      const found = await real.getPortfolio(name, options);
      if (!found.ok) seen.refused += 1;
      if (!found.ok || name !== 'large' || options?.isEnough !== undefined || !seen.isEndless) return found;
      const body = withoutEnd(found.value.body, Buffer.alloc(1 << 20, ' '));
      return ok({ ...found.value, body, release: hold(found.value.release) });
    },
    paths: {
      ...real.paths,
      buildings: {
        ...buildings,
        async read(most, number) {
          const found = await buildings.read(most, number);
          if (!found.ok) seen.refused += 1;
          if (!found.ok || found.value === undefined || !seen.isEndless) return found;
          const more = Array.from({ length: 10_000 }, () => ({ path: '/', recordedAt: '' }));
          const paths = withoutEnd(found.value.paths, more);
          return ok({ ...found.value, paths, release: hold(found.value.release) });
        },
      },
    },
  };
  return { registry, seen };
}

type Seen = ReturnType<typeof endlessly>['seen'];

onBothEngines('stalled readers', (fresh) => {
  let served: ServedRegistry;
  let sockets: Socket[] = [];
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    const owned = Array.from({ length: 60 }, (_, i) => [
      record('osm', `way/${i}`, { nameJa: `第${i}ビル` }, { building: id(i + 1), area: AREA }),
      record('jreit', `j${i}`, { ownerPublic: i < 51 ? 'large' : 'small' }, { building: id(i + 1) }),
    ]);
    await served.ingest([...AREAS, ...owned.flat()]);
  });
  afterAll(() => served.close());

  const stall = (port: number, path: string, count: number) => {
    for (let i = 0; i < count; i++) {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }
  };
  const soon = (read: () => unknown) => expect.poll(read, { timeout: 30_000, interval: 20 });
  const serve = async (stall: number, work: (port: number, seen: Seen) => Promise<void>) => {
    const { registry, seen } = endlessly(openRegistry(served.context.storage, undefined, limitsWith(stall)));
    await listening(uncheckedServerOn(registry, undefined, { timeouts: { stall: FOREVER } }), async (port) => {
      try {
        await work(port, seen);
      } finally {
        for (const socket of sockets) socket.destroy();
        sockets = [];
      }
    });
  };

  it('OWN-01 do not block others: large portfolios are refused, everything else is answered', async () => {
    await serve(FOREVER, async (port, seen) => {
      const { etag } = (await ask(port, { path: LARGE, method: 'HEAD' })).headers;
      stall(port, LARGE, 100);
      await soon(() => [seen.opened, seen.refused]).toEqual([PLACES, 100 - PLACES]);

      // No slot becomes free from here on: the following responses did not wait for one.
      const small = await ask(port, { path: SMALL });
      expect([small.status, JSON.parse(small.body).items.length]).toEqual([200, 9]);
      expect((await ask(port, { path: '/japan/api/v1/owners/nobody/assets' })).status).toBe(200);
      const head = await ask(port, { path: LARGE, method: 'HEAD' });
      expect([head.status, head.headers.etag, head.body]).toEqual([200, etag, '']);
      expect((await ask(port, { path: LARGE, headers: { 'if-none-match': String(etag) } })).status).toBe(304);
      for (const path of [assetUrl(id(1)), '/japan/api/v1/assets', '/japan/areas', SITEMAP.replace('26000', '0')]) {
        expect((await ask(port, { path })).status, path).toBe(path.endsWith('0.xml') ? 404 : 200);
      }
      const refused = await ask(port, { path: LARGE });
      expectProblem(refused, 503);
      expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/) });

      const session = await initialize(port);
      const call = (name: string) =>
        rpc(port, session, 'tools/call', { name: 'get_owner_portfolio', arguments: { name } });
      expect(await call('large')).toEqual({
        content: [{ type: 'text', text: expect.stringMatching(/^unavailable: .*\d+ seconds/) }],
        isError: true,
      });
      expect((await call('small')).structuredContent).toMatchObject({ owner: 'small' });
      expect([seen.opened, seen.released]).toEqual([PLACES, 0]);
    });
  });

  it('OWN-01 keep their slot while no other client waits for it, however long they pause', async () => {
    await serve(1, async (port, seen) => {
      stall(port, LARGE, PLACES - 1);
      await soon(() => seen.opened).toBe(PLACES - 1);
      seen.isEndless = false;
      expect((await ask(port, { path: LARGE })).status).toBe(200);
      expect(seen.released).toBe(0);
    });
  });

  it('OWN-01 lose their slot to others after a time without progress', async () => {
    await serve(200, async (port, seen) => {
      stall(port, LARGE, 100);
      await soon(() => seen.refused + seen.opened).toBe(100);
      seen.isEndless = false;
      await soon(async () => (await ask(port, { path: LARGE })).status).toBe(200);
      expect(seen.released).toBeGreaterThan(0);
    });
  });

  it('PAG-08 of sitemaps do not block others either, and lose their slot', async () => {
    await serve(1_000, async (port, seen) => {
      stall(port, SITEMAP, 50);
      await soon(() => seen.refused).toBeGreaterThan(0);
      const refused = await ask(port, { path: SITEMAP });
      if (refused.status !== 200) {
        expectRefusal(refused, 503);
        expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/) });
      }
      expect((await ask(port, { path: '/japan/sitemap.xml' })).status).toBe(200);
      await soon(() => seen.refused + seen.opened).toBeGreaterThanOrEqual(50);
      seen.isEndless = false;
      await soon(async () => (await ask(port, { path: SITEMAP })).status).toBe(200);
    });
  });
});

it('OWN-01 no request waits longer for a slot than a client waits for a response', () => {
  expect(PORTFOLIO_LIMITS.waitMs).toBeLessThan(2_000);
});
