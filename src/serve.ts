import { surviveErrors } from './cli/last-resort.ts';
import type { Terminal } from './cli/terminal.ts';
import type { Context } from './pipeline/context.ts';
import { loadSampleIfEmpty } from './pipeline/load-sample.ts';
import { enterBuildingsIfMissing } from './pipeline/rebuild-search.ts';
import { openRegistry } from './registry/registry.ts';
import { hasIndex } from './registry/search/enter-all.ts';
import { startSearchThreads } from './registry/search/search-threads.ts';
import { openReit } from './reit/life/reit.ts';
import { migrationState } from './storage/migrate.ts';
import { openPostgresRateStore } from './storage/postgres-rate-store.ts';
import { findRestoreRun } from './storage/restore-run.ts';
import { memoryRateStore } from './surfaces/http/limits/memory-rate-store.ts';
import { buildServer } from './surfaces/server.ts';

/** Serves until the process is told to stop; requests under way are answered first. */
export async function serve(context: Context, { config, out }: Terminal): Promise<number> {
  const { storage } = context;
  const tell = (step: string) => void out.write(`${step}\n`);
  if (await loadSampleIfEmpty(context, tell)) tell('the database was empty: the bundled sample has been loaded');
  await enterBuildingsIfMissing(context);
  const searchers = startSearchThreads(context.databaseUrl);
  try {
    const app = buildServer({
      registry: openRegistry(storage, searchers),
      reit: openReit(storage),
      isReady: async () => (await migrationState(storage)).pending.length === 0 && (await hasIndex(storage.db)),
      hasUnfinishedRestore: async () => (await findRestoreRun(storage.db))?.isFinished === false,
      logLevel: config.logLevel,
      trustProxy: config.trustProxy,
      baseUrl: config.baseUrl,
      baseMap: config.baseMap,
      rateLimit: config.rateLimit,
      // Where several processes may share a database, they share the budgets of their clients.
      rateStore: storage.engine === 'postgres' ? await openPostgresRateStore(storage) : memoryRateStore(),
    });
    const stopped = new Promise<NodeJS.Signals>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
    });
    const origin = await app.listen({ host: config.host, port: config.port });
    const stopSurviving = surviveErrors((error) => app.log.error({ err: error }, 'an error that nothing caught'));
    try {
      out.write(`tatemono serves ${origin}/japan\n`);
      await stopped;
      await app.close();
    } finally {
      stopSurviving();
    }
    return 0;
  } finally {
    await searchers.close();
  }
}
