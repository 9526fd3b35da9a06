import type { Context } from './pipeline/context.ts';
import { loadSampleIfEmpty } from './pipeline/load-sample.ts';
import { openRegistry } from './registry/registry.ts';
import { migrationState } from './storage/migrate.ts';
import { buildServer } from './surfaces/server.ts';
import type { Terminal } from './terminal.ts';

/** Serves until the process is told to stop; requests under way are answered first. */
export async function serve(context: Context, { config, out }: Terminal): Promise<number> {
  const { storage } = context;
  if (await loadSampleIfEmpty(context)) out.write('the database was empty: the bundled sample has been loaded\n');
  const app = buildServer({
    registry: openRegistry(storage),
    isReady: async () => (await migrationState(storage)).pending.length === 0,
    logLevel: config.logLevel,
    trustProxy: config.trustProxy,
    baseUrl: config.baseUrl,
  });
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const origin = await app.listen({ host: config.host, port: config.port });
  out.write(`tatemono serves ${origin}/japan\n`);
  await stopped;
  await app.close();
  return 0;
}
