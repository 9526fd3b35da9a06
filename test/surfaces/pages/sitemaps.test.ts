import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry, type PublishedPath, type Registry } from '../../../src/registry/registry.ts';
import type { ServerOptions } from '../../../src/surfaces/server.ts';
import { ok } from '../../../src/vocabulary/result.ts';
import { isCalendarDate, parseInstant } from '../../../src/vocabulary/time.ts';
import { onBothEngines } from '../../support/engines.ts';
import { areasOf, naiveSummary } from '../../support/naive-areas.ts';
import { openServedRegistry, recordedAt } from '../../support/served-registry.ts';
import {
  answerOf,
  emptyRegistry,
  expectRefusal,
  faultyRegistry,
  lastingHeaders,
  serverOn,
} from '../../support/serving.ts';
import { openSmallRegistry, SMALL } from '../../support/small-registry.ts';
import { variedRegistry } from '../../support/varied-registry.ts';
import { ask, listening } from '../../support/wire.ts';

const ORIGIN = 'https://registry.example';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const FIXED = ['/japan', '/japan/areas', '/japan/about', '/japan/api'];
const API_PAGE = /^\/japan\/api\/(schemas\/)?\w+$/;

interface Listed {
  loc: string;
  lastmod: string | undefined;
}

/** Reads a sitemap or a sitemap index with a strict parser. */
function readXml(text: string): { root: string; entries: Listed[] } {
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  const entries: Listed[] = [];
  let root = '';
  // Without expect, which is slow for the hundreds of thousands of elements of a full sitemap.
  const refuse = (what: string) => {
    throw new Error(`${what} in ${[...open, ''].join(' > ')}`);
  };
  parser.on('opentag', ({ local, uri }) => {
    if (uri !== NAMESPACE) refuse(`the namespace ${uri}`);
    if (open.length === 0) root = local;
    if (open.length === 1) {
      if (local !== (root === 'urlset' ? 'url' : 'sitemap')) refuse(`the element ${local}`);
      entries.push({ loc: '', lastmod: undefined });
    }
    if (open.length === 2 && local !== 'loc' && local !== 'lastmod') refuse(`the element ${local}`);
    open.push(local);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (text) => {
    const entry = entries.at(-1);
    if (open.length < 3 || entry === undefined) {
      if (text.trim() !== '') refuse(`the text ${text}`);
    } else if (open[2] === 'loc') entry.loc += text;
    else entry.lastmod = (entry.lastmod ?? '') + text;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return { root, entries };
}

async function read(app: FastifyInstance, url: string): Promise<{ root: string; entries: Listed[] }> {
  const answer = await app.inject({ url });
  expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
    url,
    200,
    'application/xml; charset=utf-8',
  ]);
  return readXml(answer.body);
}

/** The URLs of every sitemap in the index, by sitemap. */
async function readAllSitemaps(app: FastifyInstance): Promise<Map<string, Listed[]>> {
  const index = await read(app, '/japan/sitemap.xml');
  expect(index.root).toBe('sitemapindex');
  const found = new Map<string, Listed[]>();
  for (const { loc, lastmod } of index.entries) {
    expect(loc.startsWith(`${ORIGIN}/japan/sitemap-`)).toBe(true);
    const { root, entries } = await read(app, loc.slice(ORIGIN.length));
    expect(root).toBe('urlset');
    expect(entries.length).toBeGreaterThan(0);
    expect(lastmod).toBe(
      entries
        .map((entry) => entry.lastmod ?? '')
        .sort()
        .at(-1) || undefined,
    );
    found.set(loc, entries);
  }
  expect(found.size).toBe(index.entries.length);
  return found;
}

const serve = (registry: Registry, options: Partial<ServerOptions> = {}) =>
  serverOn(registry, undefined, { baseUrl: ORIGIN, ...options });
const byPath = (a: PublishedPath, b: PublishedPath) => (a.path < b.path ? -1 : 1);

onBothEngines('sitemaps', (fresh) => {
  it('PAG-08 PAG-14 every hub and published building is in exactly one, with its time, and nothing else', async () => {
    const served = await openServedRegistry(await fresh());
    const { ids, stages } = variedRegistry(11);
    const registry = openRegistry(served.context.storage);
    for (const { run } of stages) await run(served);
    const pages = (await served.readAll(ids)).map(({ page }) => page);
    const expected = [
      ...areasOf(pages).map(({ level, code }) => {
        const summary = naiveSummary(pages, level, code);
        return { path: summary?.area.path as string, recordedAt: summary?.latestRecordedAt as string };
      }),
      ...pages.map((page) => ({ path: page.path, recordedAt: recordedAt(page) })),
    ];
    for (const urlsPerSitemap of [29, undefined]) {
      const app = serve(registry, urlsPerSitemap === undefined ? {} : { urlsPerSitemap });
      const sitemaps = await readAllSitemaps(app);
      await app.close();
      const [fixed, ...others] = sitemaps.values();
      const fixedPaths = fixed?.map(({ loc }) => loc.slice(ORIGIN.length)) ?? [];
      expect(fixedPaths.filter((path) => !API_PAGE.test(path))).toEqual(FIXED);
      expect(fixedPaths).toEqual(expect.arrayContaining(['/japan/api/searchAssets', '/japan/api/schemas/Fields']));
      for (const entries of others) expect(entries.length).toBeLessThanOrEqual(urlsPerSitemap ?? 50_000);
      const listed = others
        .flat()
        .map(({ loc, lastmod }) => ({ path: loc.slice(ORIGIN.length), recordedAt: lastmod as string }));
      expect(listed.toSorted(byPath)).toEqual(expected.toSorted(byPath));
      for (const { lastmod } of others.flat()) {
        expect(lastmod !== undefined && parseInstant(lastmod) === lastmod && isCalendarDate(lastmod.slice(0, 10))).toBe(
          true,
        );
      }
    }
    await served.close();
  });

  describe('of a small registry', () => {
    let small: Awaited<ReturnType<typeof openSmallRegistry>>;
    let registry: Registry;
    let app: FastifyInstance;
    beforeAll(async () => {
      small = await openSmallRegistry(await fresh());
      registry = openRegistry(small.context.storage);
      app = serve(registry);
    });
    afterAll(async () => {
      await app.close();
      await small.close();
    });

    it('PAG-08 buildings that are merged, retired or without a location are in none', async () => {
      const text = JSON.stringify([...(await readAllSitemaps(app)).values()]);
      for (const id of [...SMALL.chain.slice(0, 2), SMALL.retired, SMALL.unplaced, SMALL.retiredInto.from]) {
        expect(text).not.toContain(id);
      }
      expect(text).toContain(`${ORIGIN}/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${SMALL.chain[2]}`);
    });

    it('a sitemap is named after the IDs in it, and an unknown one is not found', async () => {
      expect((await read(app, '/japan/sitemap-buildings-26000.xml')).entries).toHaveLength(3);
      const names = [
        'buildings-25999',
        'buildings-26001',
        'buildings-0',
        'buildings-026000',
        'buildings-',
        'buildings--1',
      ];
      const odd = [
        'buildings-26000x',
        'buildings-9999999999',
        'buildings-99999999999999999999',
        'areas-1',
        'areas-00',
        'areas',
        'hubs-0',
      ];
      for (const name of [...names, ...odd, 'constructor-0', 'areas-%30%00', 'buildings-1e3', '']) {
        expectRefusal(answerOf(await app.inject({ url: `/japan/sitemap-${name}.xml` })), 404);
      }
      expectRefusal(answerOf(await app.inject({ url: '/japan/sitemap-areas-%zz.xml' })), 400);
    });

    it('HEAD has the headers of GET, other methods are refused, and a known ETag gives 304', async () => {
      await listening(serve(registry), async (port) => {
        for (const path of [
          '/japan/sitemap.xml',
          '/japan/sitemap-pages.xml',
          '/japan/sitemap-areas-0.xml',
          '/japan/sitemap-buildings-26000.xml',
        ]) {
          const got = await ask(port, { path });
          const head = await ask(port, { path, method: 'HEAD' });
          expect([head.status, head.body]).toEqual([200, '']);
          const { 'content-length': _, ...headers } = lastingHeaders(got.headers);
          expect(lastingHeaders(head.headers)).toMatchObject(headers);
          const again = await ask(port, { path, headers: { 'if-none-match': String(got.headers.etag) } });
          expect([again.status, again.body]).toEqual([304, '']);
          const post = await ask(port, { path, method: 'POST' });
          expectRefusal(post, 405);
          expect(post.headers.allow).toBe('GET, HEAD');
        }
      });
    });

    it('is compressed for clients that accept it, with its own ETag', async () => {
      const url = '/japan/sitemap-buildings-26000.xml';
      const plain = await app.inject({ url });
      const zipped = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
      expect(zipped.headers.etag).not.toBe(plain.headers.etag);
    });

    it('uses the Host of the request if no origin is configured, with an ETag per host', async () => {
      const bare = serverOn(registry);
      const get = (host: string) => bare.inject({ url: '/japan/sitemap-buildings-26000.xml', headers: { host } });
      const [a, b] = [await get('a.example:8080'), await get('b.example')];
      expect(readXml(a.body).entries[0]?.loc).toMatch(/^http:\/\/a\.example:8080\/japan\/tokyo\//);
      expect(readXml(b.body).entries[0]?.loc).toMatch(/^http:\/\/b\.example\/japan\/tokyo\//);
      expect(a.headers.etag).not.toBe(b.headers.etag);
      await bare.close();
    });
  });

  it('an index is at most ten seconds old', async () => {
    const served = await openServedRegistry(await fresh());
    const { stages } = variedRegistry(2);
    let clock = 0;
    const app = serve(openRegistry(served.context.storage), { now: () => clock });
    const count = async () => (await read(app, '/japan/sitemap.xml')).entries.length;
    expect(await count()).toBe(1);
    await stages[0]?.run(served);
    expect(await count()).toBe(1);
    clock = 10_000;
    expect(await count()).toBe(6);
    await app.close();
    await served.close();
  });
});

describe('a sitemap that is being streamed', () => {
  const URL = '/japan/sitemap-buildings-0.xml';

  /** A long part that counts how far it was read. */
  function longPart(batches: number) {
    const seen = { read: 0, released: 0 };
    async function* paths() {
      for (let i = 0; i < batches; i++) {
        seen.read += 1;
        yield Array.from({ length: 1_000 }, (_, j) => ({
          path: `/japan/a/b/c/${i}-${j}`,
          recordedAt: '2026-01-01T00:00:00Z',
        }));
      }
    }
    const release = () => {
      seen.released += 1;
    };
    const buildings = { list: async () => [], read: async () => ok({ tag: 'tag', paths: paths(), release }) };
    return { seen, registry: { ...emptyRegistry, paths: { ...emptyRegistry.paths, buildings } } satisfies Registry };
  }

  it('is read at the pace of its client, and no further after the client disconnects', async () => {
    const { seen, registry } = longPart(100_000);
    await listening(serve(registry), async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET ${URL} HTTP/1.1\r\nHost: a\r\n\r\n`);
      for (let last = -1; seen.read === 0 || seen.read !== last; await sleep(100)) last = seen.read;
      expect(seen.read).toBeLessThan(200);
      socket.destroy();
      await expect.poll(() => seen.released, { timeout: 30_000 }).toBe(1);
    });
  });

  it('arrives complete and within 50 MB', async () => {
    const { registry } = longPart(50);
    await listening(serve(registry), async (port) => {
      const { status, body } = await ask(port, { path: URL });
      expect(status).toBe(200);
      expect(readXml(body).entries).toHaveLength(50_000);
      expect(Buffer.byteLength(body)).toBeLessThan(50_000_000);
    });
  });

  it('API-06 an error gives a 500 without details, and the index is read again after one', async () => {
    const faulty = serve(faultyRegistry(new Error('SECRET')));
    for (const url of ['/japan/sitemap.xml', URL]) expectRefusal(answerOf(await faulty.inject({ url })), 500);
    await faulty.close();
    let calls = 0;
    const list = async () => {
      calls += 1;
      if (calls === 1) throw new Error('SECRET');
      return [];
    };
    const recovering = serve({
      ...emptyRegistry,
      paths: { ...emptyRegistry.paths, hubs: { ...emptyRegistry.paths.hubs, list } },
    });
    expectRefusal(answerOf(await recovering.inject({ url: '/japan/sitemap.xml' })), 500);
    expect((await read(recovering, '/japan/sitemap.xml')).entries.map(({ loc }) => loc)).toEqual([
      `${ORIGIN}/japan/sitemap-pages.xml`,
    ]);
    await recovering.close();
  });
});
