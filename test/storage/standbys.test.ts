import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStandbys, type StandbyReads } from '../../src/storage/standbys.ts';
import type { StandbyTiming } from '../../src/storage/watched-server.ts';
import { type Running, start } from '../support/command.ts';
import { AREAS, building, id } from '../support/records.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { assetUrl } from '../support/serving.ts';
import { startStandbyCluster } from '../support/standby-cluster.ts';
import { usualOrLong } from '../support/test-length.ts';

const BUILDINGS = 30;
const HUB = '/japan/tokyo/chiyoda-ku/marunouchi-1-chome';
const IDS = Array.from({ length: BUILDINGS }, (_, i) => id(i + 1));
const PATHS = IDS.flatMap((one, i) => [
  assetUrl(one),
  `${HUB}/${one}`,
  `/japan/api/v1/assets?q=${encodeURIComponent(`第${i + 1}`)}`,
  assetUrl(one, '/sources'),
  i % 2 === 0 ? HUB : '/japan/areas?q=ビル',
  i % 2 === 0 ? '/japan/suggest?q=第' : '/japan/tiles/14/14552/6451',
]);

const lines = (word: string) => [...AREAS, ...IDS.map((_, i) => building(i + 1, { nameEn: `${word} ${i + 1}` }))];

type Cluster = Awaited<ReturnType<typeof startStandbyCluster>>;

/** Writes to the primary, as a command would. */
async function write(url: string, dir: string, word: string): Promise<void> {
  const served = await openServedRegistry({ engine: 'postgres', url, dir });
  await served.ingest(lines(word));
  await served.close();
}

/** Waits until something is so, and fails long before the test would. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const patience = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > patience) throw new Error(`it did not become so: ${isSo}`);
    await sleep(20);
  }
}

/** The service of `tatemono serve` with the standbys of a cluster. */
async function serve({ primary, standbys, dir }: Cluster) {
  const env = {
    ...{ DATABASE_URL: primary.url, DATABASE_READ_URLS: standbys.map(({ url }) => url).join(',') },
    ...{ ARCHIVE_DIR: `${dir}/archive`, PORT: '0', LOG_LEVEL: 'warn' },
    // High enough never to be reached; the primary counts every request.
    ...{ RATE_LIMIT_API: '1000000', RATE_LIMIT_PAGE: '1000000' },
  };
  const running: Running = start({ cwd: dir, env }, 'serve');
  const [, origin] = await running.says(/tatemono serves (http:\/\/127\.0\.0\.1:\d+)\/japan/);
  const fresh = async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    return Number(/^tatemono_database_fresh_standbys (\d)$/m.exec(text)?.[1]);
  };
  return {
    origin: origin as string,
    untilFresh: (count: number) => until(async () => (await fresh()) === count),
    async close() {
      running.child.kill('SIGTERM');
      return (await running.ended).code;
    },
    /** If the test has failed. */
    end: () => void running.child.kill('SIGKILL'),
  };
}

const CONNECTIONS = 6;
const PAUSE_MS = 15;

/** Asks for all paths in turn, over several connections, until it is stopped. */
function startLoad(origin: string) {
  const failures: string[] = [];
  let [answered, slowest, isStopped] = [0, 0, false];
  const loops = Array.from({ length: CONNECTIONS }, async (_, lane) => {
    for (let i = lane; !isStopped; i += CONNECTIONS) {
      const path = PATHS[i % PATHS.length] as string;
      const startedAt = performance.now();
      try {
        const answer = await fetch(`${origin}${path}`);
        await answer.arrayBuffer();
        if (answer.status !== 200) failures.push(`${answer.status} ${path}`);
      } catch (error) {
        failures.push(`${(error as Error).message} ${path}`);
      }
      slowest = Math.max(slowest, performance.now() - startedAt);
      answered += 1;
      await sleep(PAUSE_MS);
    }
  });
  return {
    failures,
    /** Waits for so many more answers. */
    async more(count: number) {
      const enough = answered + count;
      await until(() => answered >= enough);
    },
    async stop() {
      isStopped = true;
      await Promise.all(loops);
      return { answered, slowest };
    },
  };
}

const ENOUGH = usualOrLong(60, 600);

describe('the standbys of a PostgreSQL server', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startStandbyCluster(2, (url, dir) => write(url, dir, 'Old'));
  });
  afterAll(() => cluster?.close());

  async function open(timing: Partial<StandbyTiming> = {}): Promise<StandbyReads & { changes: string[] }> {
    const changes: string[] = [];
    const urls = cluster.standbys.map(({ url }) => url);
    const reads = openStandbys(cluster.primary.url, urls, (line) => changes.push(line), timing);
    onTestFinished(() => reads.close());
    await until(() => reads.states().every(({ isFresh }) => isFresh));
    return { ...reads, changes };
  }

  const portOf = (url = '') => Number(new URL(url).port);
  const askPort = async (reads: StandbyReads) =>
    (await reads.snapshot(async (on) => on.all<{ port: number }>('select inet_server_port() as port', [])))[0]?.port;

  it('STB-01 are read in turn', async () => {
    const reads = await open();
    const ports: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) ports.push(await askPort(reads));
    const [first, second] = cluster.standbys.map(({ url }) => portOf(url));
    expect(ports.toSorted()).toEqual([first, first, first, second, second, second].toSorted());
  });

  it('STB-03 a read that a standby refuses for a reason of its own is repeated elsewhere, any other failure is not', async () => {
    const reads = await open();
    const attempts: boolean[] = [];
    const failOnStandby = (code: string) =>
      reads.snapshot(async (on) => {
        const [row] = await on.all<{ recovering: boolean }>('select pg_is_in_recovery() as recovering', []);
        attempts.push(row?.recovering as boolean);
        if (row?.recovering) await on.all(`do $$ begin raise exception using errcode = '${code}'; end $$`, []);
        return 'read';
      });
    for (const code of ['40001', '57P03']) {
      attempts.length = 0;
      expect(await failOnStandby(code)).toBe('read');
      expect(attempts).toEqual([true, true, false]);
      await until(() => reads.states().every(({ isFresh }) => isFresh));
    }
    attempts.length = 0;
    await expect(failOnStandby('22012')).rejects.toThrow();
    expect(attempts).toEqual([true]);
    const failing = reads.snapshot(async () => {
      attempts.push(true);
      throw new Error('not of the database');
    });
    await expect(failing).rejects.toThrow('not of the database');
    expect(attempts).toHaveLength(2);
  });

  it('STB-02 one that is too far behind is left out, and read again when it has caught up', async () => {
    const reads = await open({ maxLagMs: 300, lookEveryMs: 50 });
    const [stale, current] = cluster.standbys;
    await stale?.run('select pg_wal_replay_pause()');
    onTestFinished(async () => void (await stale?.run('select pg_wal_replay_resume()')));
    await until(
      async () => (await stale?.run<{ s: string }>('select pg_get_wal_replay_pause_state() as s'))?.[0]?.s === 'paused',
    );
    // Nothing is written, so it lacks nothing, however long it waits.
    await sleep(500);
    expect(reads.states()).toMatchObject([{ isFresh: true }, { isFresh: true }]);
    await write(cluster.primary.url, cluster.dir, 'New');
    await until(() => reads.states()[0]?.isFresh === false);
    const countNew = async () =>
      (await reads.db.selectFrom('building').select('id').where('name_en', 'like', 'New%').execute()).length;
    await until(async () => (await countNew()) === BUILDINGS);
    await until(() => reads.states()[1]?.isFresh === true);
    for (let i = 0; i < 4; i++) {
      expect(await askPort(reads)).toBe(portOf(current?.url));
      expect(await countNew()).toBe(BUILDINGS);
    }
    expect(reads.changes).toContain('standby 1 is left out: it is behind');
    await stale?.run('select pg_wal_replay_resume()');
    await until(() => reads.states().every(({ isFresh }) => isFresh));
  });

  it('STB-05 a snapshot may change its server until its first rows are read', async () => {
    const reads = await open();
    const [one, two] = [await reads.openSnapshot(), await reads.openSnapshot()];
    const select = 'select count(*) as count from page';
    expect(await one.reads.all(select, [])).toEqual([{ count: BUILDINGS }]);
    for (const { kill } of cluster.standbys) await kill();
    expect(await two.reads.all(select, [])).toEqual([{ count: BUILDINGS }]);
    await expect(Promise.resolve(one.reads.all(select, []))).rejects.toThrow();
    expect(await two.reads.all('select inet_server_port() as port', [])).toEqual([
      { port: portOf(cluster.primary.url) },
    ]);
    await Promise.allSettled([one.close(), two.close()]);
    for (const { start: startAgain } of cluster.standbys) await startAgain();
    await until(() => reads.states().every(({ isFresh }) => isFresh));
  });

  it('STB-04, STB-06 no read of the service fails while standbys are killed and frozen, and the primary is lost', async () => {
    const { primary, standbys } = cluster;
    const [first, second] = standbys;
    const service = await serve(cluster);
    onTestFinished(() => service.end());
    await service.untilFresh(2);
    const readsOf = async (server = primary) => {
      const rows = await server.run<{ count: string }>(
        `select sum(seq_scan + idx_scan) as count from pg_stat_user_tables where relname in ('page', 'search_segment')`,
      );
      return Number(rows[0]?.count);
    };
    const load = startLoad(service.origin);
    // On a busy machine a standby may answer late and be left out for a moment, so one interval without that has to do.
    await until(async () => {
      const before = await Promise.all([primary, ...standbys].map(readsOf));
      await load.more(ENOUGH);
      await sleep(1_500);
      const after = await Promise.all([primary, ...standbys].map(readsOf));
      const [onPrimary = 0, onFirst = 0, onSecond = 0] = after.map((count, i) => count - (before[i] as number));
      return onPrimary === 0 && onFirst > 0 && onSecond > 0;
    });

    await first?.kill();
    await load.more(ENOUGH);
    await service.untilFresh(1);
    await first?.start();
    await service.untilFresh(2);
    await load.more(ENOUGH);

    const thaw = await second?.freeze();
    await service.untilFresh(1);
    await load.more(ENOUGH);
    thaw?.();
    await service.untilFresh(2);
    expect(load.failures).toEqual([]);

    await primary.kill();
    await load.more(ENOUGH);
    const ready = await fetch(`${service.origin}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      database: 'the primary does not answer: standbys are read',
    });
    await first?.run('select pg_promote()');
    await load.more(ENOUGH);
    await second?.kill();
    await load.more(ENOUGH);
    await service.untilFresh(1);
    expect(load.failures).toEqual([]);

    // A promoted standby no longer follows the primary when that returns.
    await primary.start();
    await service.untilFresh(0);
    await load.more(ENOUGH);
    await second?.start();
    await service.untilFresh(1);
    const { answered } = await load.stop();
    expect(load.failures).toEqual([]);
    expect(answered).toBeGreaterThan(7 * ENOUGH);
    expect(await service.close()).toBe(0);
  });
});
