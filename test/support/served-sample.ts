import type { FastifyInstance } from 'fastify';
import { loadSampleIfEmpty } from '../../src/pipeline/load-sample.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { fillOnce, openContext, type TestDatabase } from './engines.ts';
import { serverOn } from './serving.ts';

export interface ServedSample {
  app: FastifyInstance;
  origin: string;
  close(): Promise<void>;
}

/** The bundled sample as `tatemono serve` shows it to whoever starts it first. */
export async function openServedSample(database: TestDatabase): Promise<ServedSample> {
  await fillOnce('sample', database, async () => {
    const loading = await openContext(database);
    await loadSampleIfEmpty(loading);
    await loading.storage.close();
  });
  const context = await openContext(database);
  const app = serverOn(openRegistry(context.storage), undefined, { reit: openReit(context.storage) });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    origin,
    async close() {
      await app.close();
      await context.storage.close();
    },
  };
}
