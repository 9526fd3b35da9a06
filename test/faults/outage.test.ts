import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MCP_ROOT } from '../../src/surfaces/http/surface.ts';
import { onPostgres, type TestDatabase } from '../support/engines.ts';
import { expectProblem } from '../support/serving.ts';
import { startStandbyCluster, type TestServer } from '../support/standby-cluster.ts';
import { begin, complete } from './commands.ts';
import { isLong, shortOrLong, tell, timeout } from './length.ts';
import { callTool, isToolAnswer, type Seen, startLoad, startService, unexpected, until } from './service.ts';
import { differences, stateOf } from './state.ts';
import { writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const GONE_MS = shortOrLong(3_000, 30_000);
const BEFORE_MS = shortOrLong(500, 5_000);
/** A request that was waiting when the database went away, and the retries of its client, end within this time. */
const BOUND_MS = 15_000;

/** What a client may get while there is no database: what needs none, or 503 with the time to wait. */
function faultsOf(seen: readonly Seen[]): string[] {
  return seen.flatMap(({ path, status, headers, body, took }) => {
    const where = `${path} ${status} after ${Math.round(took)} ms: ${body.slice(0, 200)}`;
    if (took > BOUND_MS) return [`too late: ${where}`];
    if (status === 200) return [];
    if (status !== 503) return [where];
    return /^[1-9]\d*$/.test(String(headers['retry-after'])) ? [] : [`no Retry-After: ${where}`];
  });
}

onPostgres('a database that is gone for a while', () => {
  const withServer = async (work: (database: TestDatabase, server: TestServer) => Promise<void>) => {
    const cluster = await startStandbyCluster(0, async () => {});
    try {
      const database: TestDatabase = { engine: 'postgres', url: cluster.primary.url, dir: cluster.dir };
      await complete(database, ['ingest', 'records', writeTown(database.dir, 60)]);
      await work(database, cluster.primary);
    } finally {
      await cluster.close();
    }
  };

  it.runIf(isLong).each(['stopped', 'frozen'] as const)(
    'FLT-04 %s: requests are refused with 503 and Retry-After, readiness says so, and all returns without a restart',
    {
      timeout,
    },
    (how) =>
      withServer(async (database, server) => {
        const before = await stateOf(database);
        const service = await startService(database);
        let thaw: (() => void) | undefined;
        try {
          const load = await startLoad(service);
          await sleep(BEFORE_MS);
          const goneAt = performance.now();
          thaw = how === 'frozen' ? await server.freeze() : undefined;
          if (how === 'stopped') await server.kill();
          await until(async () => !(await service.isReady()));
          const noticed = performance.now() - goneAt;
          const ready = await service.get('/readyz');
          expect(ready.status).toBe(503);
          expectProblem(await service.get('/japan/api/v1/assets/ASSET-JP-13-00000002'), 503);
          await sleep(Math.max(0, GONE_MS - (performance.now() - goneAt)));
          const backAt = performance.now();
          if (thaw === undefined) await server.start();
          else thaw();
          await until(service.isReady);
          const recovered = performance.now();
          await sleep(BEFORE_MS);
          await load.stop();

          expect(faultsOf(load.seen)).toEqual([]);
          const later = load.since(recovered + BEFORE_MS / 2);
          expect(unexpected(later, 200)).toEqual([]);
          expect(later.length).toBeGreaterThan(0);
          const tools = load.since(goneAt).filter(({ path }) => path === MCP_ROOT);
          expect(tools.filter((one) => !isToolAnswer(one)).length).toBeGreaterThan(0);
          expect(isToolAnswer(await callTool(service.port, load.session))).toBe(true);
          const refused = load.seen.filter(({ status }) => status === 503);
          expect(refused.length).toBeGreaterThan(0);
          const slowest = Math.round(Math.max(...load.seen.map(({ took }) => took)));
          tell(
            `${how} for ${GONE_MS / 1000} s: ${load.seen.length} requests, ${refused.length} refused, slowest ${slowest} ms, ` +
              `not ready after ${Math.round(noticed)} ms, ready again after ${Math.round(recovered - backAt)} ms`,
          );
          expect(await service.stop()).toMatchObject({ code: 0 });
        } finally {
          // A frozen server could not be ended.
          thaw?.();
          service.end();
        }
        expect(differences(await stateOf(database), before)).toEqual([]);
        await expectClean(database);
      }),
  );

  it(
    'FLT-04 an ingest that loses the database says so in one line, and is completed by running it again',
    {
      timeout,
    },
    () =>
      withServer(async (database, server) => {
        const file = writeTown(database.dir, 300, 1);
        const running = begin(database, ['ingest', 'records', file]);
        await until(async () => (await server.run<{ n: number }>('select count(*)::int as n from ingest'))[0]?.n === 2);
        await server.kill();
        const { code, stderr } = await running.ended;
        expect(code).toBe(1);
        expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^tatemono: .*\S$/);
        expect(stderr).not.toMatch(/\n\s+at /);
        await server.start();
        await complete(database, ['ingest', 'records', file]);
        await expectClean(database);
      }),
  );
});
