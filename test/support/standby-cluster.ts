import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, initialise, type PostgresProcess, preparePrograms, startServer } from './postgres-cluster.ts';

/** A PostgreSQL server that can be killed, started again and frozen. */
export interface TestServer {
  url: string;
  run<R extends pg.QueryResultRow>(statement: string): Promise<R[]>;
  start(): Promise<void>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Stops all its processes; the returned function lets them continue. */
  freeze(): Promise<() => void>;
}

const SETTINGS = [
  ...['wal_level=replica', 'max_wal_senders=5', 'wal_keep_size=64MB', 'max_connections=100'],
  // A checkpoint on the primary appears on the standbys at once, and a lost standby is noticed soon.
  ...['hot_standby_feedback=on', 'wal_receiver_status_interval=1s', 'wal_retrieve_retry_interval=200ms'],
];

/** A primary, which `fill` writes to first, and standbys that stream from it. */
export async function startStandbyCluster(
  count: number,
  fill: (url: string, dir: string) => Promise<void>,
): Promise<{ primary: TestServer; standbys: TestServer[]; dir: string; close: () => Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'tatemono-standbys-'));
  const dir = mkdtempSync(join(tmpdir(), 'tatemono-test-'));
  const programs = await preparePrograms(root);
  const servers: TestServer[] = [];

  const open = async (data: string): Promise<TestServer> => {
    const port = await freePort();
    let running: PostgresProcess | undefined;
    const start = async () => {
      running = await startServer(programs, data, port, SETTINGS);
    };
    await start();
    const { url } = running as unknown as PostgresProcess;
    const server: TestServer = {
      url,
      start,
      run: (statement) => runOn(url, async (client) => (await client.query(statement)).rows),
      async kill() {
        await running?.stop('SIGQUIT');
      },
      freeze: () => runOn(url, (client) => freeze(client, (running as PostgresProcess).pid)),
    };
    servers.push(server);
    return server;
  };

  const close = async () => {
    for (const server of servers.toReversed()) await server.kill();
    for (const folder of [root, dir]) rmSync(folder, { recursive: true, force: true });
  };

  try {
    const data = join(root, 'data');
    initialise(programs, data);
    const primary = await open(data);
    await fill(primary.url, dir);
    const standbys: TestServer[] = [];
    for (let i = 1; i <= count; i++) {
      const copy = join(root, `standby-${i}`);
      await backUpTo(primary.url, data, copy, programs.options);
      standbys.push(await open(copy));
    }
    return { primary, standbys, dir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function runOn<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await Promise.race([client.end(), new Promise((resolve) => setTimeout(resolve, 100))]);
  }
}

/** The main process first, so that it starts no others. */
async function freeze(client: pg.Client, pid: number): Promise<() => void> {
  process.kill(pid, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number; own: boolean }>(
    'select pid, pid = pg_backend_pid() as own from pg_stat_activity where pid is not null',
  );
  const pids = [pid, ...rows.filter(({ own }) => !own).map((row) => row.pid)];
  for (const one of pids) process.kill(one, 'SIGSTOP');
  return () => {
    for (const one of pids) process.kill(one, 'SIGCONT');
  };
}

/** A base backup while the server runs, without pg_basebackup. */
async function backUpTo(
  url: string,
  data: string,
  copy: string,
  { uid, gid }: { uid?: number; gid?: number },
): Promise<void> {
  await runOn(url, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    cpSync(data, copy, { recursive: true });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  chmodSync(copy, 0o700);
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(copy, name), { force: true });
  writeFileSync(join(copy, 'standby.signal'), '');
  const { port } = new URL(url);
  const conninfo = `host=127.0.0.1 port=${port} user=postgres`;
  appendFileSync(join(copy, 'postgresql.auto.conf'), `\nprimary_conninfo = '${conninfo}'\n`);
  if (uid === undefined || gid === undefined) return;
  for (const name of ['', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(copy, name), uid, gid);
  }
}
