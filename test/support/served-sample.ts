import type { FastifyInstance } from 'fastify';
import { silent } from '../../src/pipeline/context.ts';
import { loadSampleIfEmpty } from '../../src/pipeline/load-sample.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import type { ServerOptions } from '../../src/surfaces/server.ts';
import { fillOnce, openContext, type TestDatabase } from './engines.ts';
import { serverOn } from './serving.ts';

export interface ServedSample {
  app: FastifyInstance;
  origin: string;
  close(): Promise<void>;
}

/** What loading the sample said. */
interface SampleLoad {
  loaded: boolean;
  /** Each step. */
  steps: string[];
  /** What was rejected, passed over or broken. */
  problems: string[];
}

/** Loads the sample into an empty registry. */
export async function fillSample(database: TestDatabase): Promise<SampleLoad> {
  const [steps, problems]: [string[], string[]] = [[], []];
  const say = (...words: unknown[]) => void problems.push(words.join(' '));
  const report = { ...silent, rejected: say, noted: say, broken: say };
  const context = await openContext(database, { report });
  const loaded = await loadSampleIfEmpty(context, (step) => steps.push(step));
  await context.storage.close();
  return { loaded, steps, problems };
}

/** The bundled sample, as `tatemono serve` loads it on first start. */
export async function openServedSample(
  database: TestDatabase,
  options: Partial<ServerOptions> = {},
): Promise<ServedSample> {
  await fillOnce('sample', database, fillSample);
  const context = await openContext(database);
  const app = serverOn(openRegistry(context.storage), undefined, { reit: openReit(context.storage), ...options });
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
