import pg from 'pg';
import { expect, it } from 'vitest';
import { onPostgres, type TestDatabase } from '../support/engines.ts';
import { expectProblem } from '../support/serving.ts';
import { startStandbyCluster } from '../support/standby-cluster.ts';
import { begin, complete } from './commands.ts';
import { isLong, shortOrLong, tell, timeout } from './length.ts';
import { callTool, isToolAnswer, startLoad, startService, unexpected, until } from './service.ts';
import { differences, stateOf } from './state.ts';
import { writeTown } from './story.ts';
import { expectClean } from './verified.ts';

/** Opens connections until the server has no more, and those that others give up. */
class Greedy {
  readonly #url: string;
  readonly #clients: pg.Client[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async takeAll(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: this.#url });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        expect((error as pg.DatabaseError).code).toBe('53300');
        return;
      }
      this.#clients.push(client);
    }
  }

  /** Ends the connections of everyone else. */
  async takeFromOthers(): Promise<void> {
    const [client] = this.#clients;
    await client?.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tatemono'");
    await this.takeAll();
  }

  async release(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
  }
}

onPostgres('a server without a free connection', () => {
  it.runIf(isLong)(
    'FLT-08 commands say so in one line, requests are refused with 503, and both work again afterwards',
    {
      timeout,
    },
    async () => {
      const cluster = await startStandbyCluster(0, async () => {});
      const database: TestDatabase = { engine: 'postgres', url: cluster.primary.url, dir: cluster.dir };
      const greedy = new Greedy(database.url);
      try {
        await complete(database, ['ingest', 'records', writeTown(database.dir, 60)]);
        const before = await stateOf(database);
        const service = await startService(database);
        try {
          const load = await startLoad(service);
          await greedy.takeAll();
          await until(async () => {
            await greedy.takeFromOthers();
            return !(await service.isReady());
          });
          const { code, stdout, stderr } = await begin(database, ['status']).ended;
          expect([code, stdout]).toEqual([1, '']);
          expect(stderr).toMatch(/^tatemono: the database server \S+ has no free connections[^\n]*\n$/);
          expectProblem(await service.get('/japan/api/v1/assets/ASSET-JP-13-00000002'), 503);
          await new Promise((resolve) => setTimeout(resolve, shortOrLong(500, 10_000)));
          await greedy.release();
          await until(service.isReady);
          const recovered = performance.now();
          await until(() => load.since(recovered).length > 20);
          await load.stop();
          expect(unexpected(load.seen, 200, 503)).toEqual([]);
          const refused = load.seen.filter(({ status }) => status === 503);
          for (const { headers } of refused) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
          expect(isToolAnswer(await callTool(service.port, load.session))).toBe(true);
          tell(`${load.seen.length} requests, ${refused.length} refused`);
          expect(await service.stop()).toMatchObject({ code: 0 });
        } finally {
          service.end();
        }
        expect(differences(await stateOf(database), before)).toEqual([]);
        await expectClean(database);
      } finally {
        await greedy.release();
        await cluster.close();
      }
    },
  );
});
