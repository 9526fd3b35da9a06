import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPostgresRateStore } from '../../src/storage/postgres-rate-store.ts';
import { onPostgres, openContext } from '../support/engines.ts';
import { answerOf, assetUrl, emptyRegistry, expectProblem, serverOn } from '../support/serving.ts';

const URL = assetUrl('ASSET-JP-13-00000001');
const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

onPostgres('the rate store', (fresh) => {
  const openTwo = async () => {
    const database = await fresh();
    const storages = [(await openContext(database)).storage, (await openContext(database)).storage] as const;
    const stores = await Promise.all(storages.map((storage) => openPostgresRateStore(storage)));
    const close = async () => {
      for (const storage of storages) await storage.close();
    };
    return { storages, stores: stores as [(typeof stores)[0], (typeof stores)[0]], close };
  };

  it('RATE-05 processes that start together share one key, and keep it', async () => {
    const { storages, stores, close } = await openTwo();
    const later = await openPostgresRateStore(storages[0]);
    expect(Buffer.from(stores[0].key)).toEqual(Buffer.from(stores[1].key));
    expect(Buffer.from(later.key)).toEqual(Buffer.from(stores[0].key));
    expect(later.key).toHaveLength(32);
    await close();
  });

  it('RATE-01 no count is lost or returned twice, however many processes and requests count at once', async () => {
    const { stores, close } = await openTwo();
    const counts = await Promise.all(
      Array.from({ length: 200 }, (_, i) => stores[i % 2 === 0 ? 0 : 1].add('api', 'a', 1)),
    );
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    await close();
  });

  it('RATE-01 each surface, client and window is counted separately', async () => {
    const { stores, close } = await openTwo();
    const requests = fc.array(
      fc.tuple(fc.nat({ max: 1 }), fc.constantFrom('api', 'page'), fc.constantFrom('a', 'b'), fc.nat({ max: 1 })),
      { maxLength: 30 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (list) => {
        run += 10;
        const expected = new Map<string, number>();
        for (const [process, surface, client, window] of list) {
          const key = `${surface} ${client} ${window}`;
          expected.set(key, (expected.get(key) ?? 0) + 1);
          // The windows of one run are never so far apart that the older one is deleted.
          const count = await stores[process as 0 | 1].add(surface, client, run + window);
          expect(count).toBe(expected.get(key));
        }
      }),
      { numRuns: 15 },
    );
    await close();
  });

  it('old windows are deleted', async () => {
    const { storages, stores, close } = await openTwo();
    for (const minute of [1, 2, 3, 10]) await stores[0].add('api', 'a', minute);
    const minutes = async () =>
      (await storages[1].db.selectFrom('rate_window').select('minute').execute()).map((row) => row.minute);
    await expect.poll(minutes, { timeout: 30_000 }).toEqual([10]);
    await close();
  });

  it('RATE-01 RATE-05 two servers on one database share the budget of a client', async () => {
    const { storages, stores, close } = await openTwo();
    const options = { rateLimit: { api: 5, page: 5, mcp: 5 }, now: () => NOW };
    const apps = stores.map((rateStore) => serverOn(emptyRegistry, undefined, { ...options, rateStore }));
    const ask = async (i: number, remoteAddress: string) =>
      answerOf(await (apps[i % 2] as (typeof apps)[0]).inject({ url: URL, remoteAddress }));
    const remaining = [];
    for (let i = 0; i < 5; i++) remaining.push((await ask(i, '192.0.2.1')).headers['x-ratelimit-remaining']);
    expect(remaining).toEqual(['4', '3', '2', '1', '0']);
    for (const i of [0, 1]) expectProblem(await ask(i, '192.0.2.1'), 429);
    const many = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(i, '192.0.2.2')));
    expect(many.filter(({ status }) => status !== 429)).toHaveLength(5);

    const rows = await storages[0].db.selectFrom('rate_window').selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2/);
    for (const app of apps) await app.close();
    await close();
  });

  it('requests are let through if the database cannot be reached', async () => {
    const { stores, close } = await openTwo();
    const lines: string[] = [];
    const app = serverOn(emptyRegistry, undefined, {
      rateLimit: { api: 1, page: 1, mcp: 1 },
      now: () => NOW,
      rateStore: stores[0],
      logLevel: 'error',
      logTo: { write: (line) => lines.push(line) },
    });
    expect((await app.inject(URL)).statusCode).toBe(404);
    expect((await app.inject(URL)).statusCode).toBe(429);
    await close();
    for (let i = 0; i < 3; i++) expect((await app.inject(URL)).statusCode).toBe(404);
    expect(lines).toHaveLength(1);
    await app.close();
  });
});
