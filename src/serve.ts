import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Terminal } from './cli/terminal.ts';
import type { Config } from './config.ts';
import { loadSampleIfEmpty } from './pipeline/load-sample.ts';
import { prepareServing } from './pipeline/prepare-serving.ts';
import { enterBuildingsIfMissing } from './pipeline/rebuild-search.ts';
import { openRegistry } from './registry/registry.ts';
import { startSearchThreads } from './registry/search/read/search-threads.ts';
import { hasIndex } from './registry/search/write/change-entries.ts';
import { openReit } from './reit/life/reit.ts';
import { migrationState } from './storage/migrate.ts';
import { openDatabaseReads } from './storage/open-storage.ts';
import { openRateWindows, type RateWindows } from './storage/postgres-rate-store.ts';
import { findRestoreRun } from './storage/restore-run.ts';
import { openStandbys, type StandbyReads } from './storage/standbys.ts';
import { currentConnection } from './surfaces/http/broken-requests.ts';
import { Metrics } from './surfaces/http/metrics.ts';
import type { RateStore } from './surfaces/http/rate-store.ts';
import { buildServer, type ServerOptions } from './surfaces/server.ts';
import { FailureError } from './vocabulary/failure.ts';
import { printable } from './vocabulary/text.ts';
import { superviseWorkers } from './workers/primary.ts';
import { untilStopped } from './workers/stop-signals.ts';
import { joinWorkers } from './workers/worker.ts';

/** Serves until SIGINT or SIGTERM, in one process or several; requests in progress are answered first. */
export async function serve(terminal: Terminal): Promise<void> {
  const { config, print, warn } = terminal;
  if (cluster.isWorker) {
    const metrics = new Metrics();
    const { reportOrigin, leave, ...shared } = await joinWorkers(() => metrics.read());
    return serveHere(config, { metrics, ...shared }, reportOrigin).finally(leave);
  }
  await prepareServing(config.databaseUrl, () => fill(terminal), warn);
  if (config.workers > 1) {
    await checkPort(config);
    return superviseWorkers(config.workers, { print, warn });
  }
  return serveHere(config, {}, (origin) => print(`tatemono serves ${origin}/japan`));
}

/** Migrates the database, loads the sample into an empty one and rebuilds a missing index. */
function fill({ print, withContext }: Terminal): Promise<void> {
  return withContext(async (context) => {
    if (await loadSampleIfEmpty(context, print)) print('the database was empty: the bundled sample has been loaded');
    await enterBuildingsIfMissing(context);
    return undefined;
  });
}

/** Serves in this process. RDO-01: no connection that a request can use is able to write. */
async function serveHere(
  config: Config,
  shared: Pick<ServerOptions, 'rateStore' | 'sessions' | 'metrics' | 'gatherMetrics'>,
  reportOrigin: (origin: string) => unknown,
): Promise<void> {
  const { databaseUrl, databaseReadUrls } = config;
  const { metrics = new Metrics() } = shared;
  let log: (line: string) => void = () => {};
  const logIdle = (error: Error) => log(`database: ${printable(error.message, 2_000)}`);
  const standbys =
    databaseReadUrls.length === 0 ? undefined : openStandbys(databaseUrl, databaseReadUrls, (line) => log(line));
  if (standbys !== undefined) reportStandbys(standbys, metrics);
  const reads = standbys ?? openDatabaseReads(databaseUrl, logIdle);
  const searchers = startSearchThreads(databaseUrl, databaseReadUrls);
  let windows: RateWindows | undefined;
  try {
    // Processes that share a database share the rate limits of their clients.
    if (reads.engine === 'postgres') windows = await openRateWindows(databaseUrl, logIdle);
    const app = buildServer({
      ...shared,
      metrics,
      registry: openRegistry(reads, searchers),
      reit: openReit(reads),
      isReady: async () => (await migrationState(reads)).pending.length === 0 && (await hasIndex(reads.db)),
      hasUnfinishedRestore: async () => (await findRestoreRun(reads.db))?.isFinished === false,
      hasPrimary: standbys?.hasPrimary,
      logLevel: config.logLevel,
      trustProxy: config.trustProxy,
      baseUrl: config.baseUrl,
      baseMap: config.baseMap,
      exportDir: config.exportDir,
      rateLimit: config.rateLimit,
      ...(windows !== undefined && { rateStore: countOnPrimary(windows, standbys) }),
    });
    log = (line) => app.log.warn(line);
    const isFirst = cluster.worker === undefined || cluster.worker.id === 1;
    if (reads.engine === 'postgres' && windows === undefined && isFirst) log(COUNTED_HERE);
    const stopped = untilStopped();
    const origin = await app
      .listen({ host: config.host, port: config.port })
      .catch((error) => explainListening(error, config));
    const stopSurviving = surviveErrors((error) => app.log.error({ err: error }, 'uncaught error'));
    try {
      await reportOrigin(origin);
      await stopped;
      await app.stopping.stop();
    } finally {
      stopSurviving();
    }
  } finally {
    await searchers.close();
    await windows?.close();
    await reads.close();
  }
}

const COUNTED_HERE =
  'rate limits are counted by this service alone: its role may not write to the tables rate_key and rate_window';

/** While the primary does not answer, requests are let through without waiting for it. */
function countOnPrimary({ key, add }: RateStore, standbys: StandbyReads | undefined): RateStore {
  return {
    key,
    async add(...request) {
      if (standbys?.hasPrimary() === false) throw new Error('the primary does not answer');
      return add(...request);
    },
  };
}

function reportStandbys({ states }: StandbyReads, metrics: Metrics): void {
  const count = () => states().filter(({ isFresh }) => isFresh).length;
  metrics.gauge('database_fresh_standbys', 'Standbys that are read.', count);
  metrics.gauge('database_standby_lag_seconds', 'By which a standby that answers is behind.', () =>
    states().flatMap(({ lagMs }, i) => (lagMs === undefined ? [] : [[`{standby="${i + 1}"}`, lagMs / 1_000]])),
  );
}

/** OPS-01 */
function explainListening(error: NodeJS.ErrnoException, { host, port }: Config): never {
  const reason = {
    EADDRINUSE: `port ${port} is in use; set PORT to another, or stop the process that uses it`,
    EACCES: `port ${port} needs the rights of an administrator; set PORT to 1024 or above, and let a proxy forward to it`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; correct HOST`,
    ENOTFOUND: `${host} is not a known host; correct HOST`,
    EAI_AGAIN: `${host} is not a known host; correct HOST`,
  }[error.code ?? ''];
  if (reason === undefined) throw error;
  throw new FailureError({ kind: 'refused', reason }, { cause: error });
}

/** Workers would each fail at a port that cannot be used. */
async function checkPort(config: Config): Promise<void> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen({ host: config.host, port: config.port });
  await listening.catch((error) => explainListening(error, config));
  server.close();
  await once(server, 'close');
}

/** Further errors within a second are not logged, so that a failing log does not feed itself. */
const LOGGED_PER_SECOND = 20;

/**
 * Keeps the service running after an uncaught error: logs it and closes the connection that caused it, because its client
 * would wait for ever. Returns the function that ends this. Errors before the service listens must end the process.
 */
function surviveErrors(log: (error: unknown) => void): () => void {
  let second = 0;
  let logged = 0;
  const survive = (error: unknown) => {
    currentConnection()?.destroy();
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, logged] = [now, 0];
    logged += 1;
    if (logged > LOGGED_PER_SECOND) return;
    try {
      log(error);
    } catch {
      // There is nowhere left to report to, and throwing here would end the process.
    }
  };
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  return () => void process.off('uncaughtException', survive).off('unhandledRejection', survive);
}
