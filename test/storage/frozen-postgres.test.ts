import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, start } from '../support/command.ts';
import { callOf, initialize, message, post } from '../support/mcp.ts';
import {
  freePort,
  initialise,
  type PostgresProcess,
  preparePrograms,
  startServer,
} from '../support/postgres-cluster.ts';
import { AREAS, building, id } from '../support/records.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { assetUrl, expectProblem, expectRefusal } from '../support/serving.ts';
import { ask } from '../support/wire.ts';

const API = [assetUrl(id(1)), assetUrl(id(1), '/sources'), '/japan/api/v1/assets?q=ビル', '/japan/api/v1/areas/tokyo'];
const PAGES = ['/japan/areas', `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(2)}`, '/japan/suggest?q=ビル'];
const STATUS = { timeout: 60_000, interval: 100 };

describe('a service whose PostgreSQL hangs', () => {
  const root = mkdtempSync(join(tmpdir(), 'tatemono-frozen-'));
  let server: PostgresProcess;
  let running: Running;
  let port: number;
  beforeAll(async () => {
    const programs = await preparePrograms(root);
    initialise(programs, join(root, 'data'));
    server = await startServer(programs, join(root, 'data'), await freePort(), []);
    const served = await openServedRegistry({ engine: 'postgres', url: server.url, dir: root });
    await served.ingest([...AREAS, ...Array.from({ length: 5 }, (_, i) => building(i + 1))]);
    await served.close();
    const env = { DATABASE_URL: server.url, ARCHIVE_DIR: join(root, 'archive'), PORT: '0', LOG_LEVEL: 'fatal' };
    running = start({ cwd: root, env }, 'serve');
    const [, said] = await running.says(/tatemono serves http:\/\/127\.0\.0\.1:(\d+)\/japan/);
    port = Number(said);
  });
  afterAll(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await server?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const get = (path: string) => ask(port, { path: encodeURI(path) });
  const statusOf = async (path: string) => (await get(path)).status;

  /** Stops every process of the server, and returns how to let them go on. */
  async function freeze(): Promise<() => void> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    );
    await client.end();
    const pids = [server.pid, ...rows.map(({ pid }) => pid)];
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) {
        try {
          process.kill(pid, name);
        } catch (error) {
          // A connection may have ended.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
    };
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }

  it('DLY-01 DLY-02 answers 503 after a bound, then at once, and serves again without a restart', async () => {
    const session = await initialize(port);
    const call = () => post(port, callOf('search_assets', { q: 'ビル' }), session.headers);
    for (const path of [...API, ...PAGES]) expect([path, await statusOf(path)]).toEqual([path, 200]);
    expect((await call()).status).toBe(200);

    const thaw = await freeze();
    try {
      const begun = performance.now();
      const first = await Promise.all([...API.map(get), call()]);
      for (const refused of first.slice(0, -1)) expectProblem(refused, 503);
      for (const { status, headers } of first) expect([status, headers['retry-after']]).toEqual([503, '5']);
      const waited = performance.now() - begun;
      // By now every thread knows that the server is silent, or soon will.
      for (const path of [...API, ...PAGES]) await expect.poll(() => statusOf(path), STATUS).toBe(503);
      const again = performance.now();
      for (let i = 0; i < 3; i++) for (const path of API) expectProblem(await get(path), 503);
      for (const path of PAGES.slice(0, 2)) expectRefusal(await get(path), 503);
      const { status, headers, body } = await call();
      expect([status, headers['retry-after'], JSON.parse(body).error.code]).toEqual([503, '5', -32_000]);
      expect(await statusOf('/readyz')).toBe(503);
      expect(await statusOf('/healthz')).toBe(200);
      // Waiting for the bound each time would take many times as long.
      expect(performance.now() - again).toBeLessThan(10 * waited);
    } finally {
      thaw();
    }
    await expect.poll(() => statusOf('/readyz'), STATUS).toBe(200);
    for (const path of [...API, ...PAGES]) await expect.poll(() => statusOf(path), STATUS).toBe(200);
    // The session was kept.
    await expect.poll(async () => (await call()).status, STATUS).toBe(200);
    expect((await post(port, message('ping'), session.headers)).status).toBe(200);
  });
});
