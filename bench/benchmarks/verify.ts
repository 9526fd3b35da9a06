import { join } from 'node:path';
import { startPostgres } from '../../test/support/postgres-cluster.ts';
import { toMegabytes } from '../figures.ts';
import { generateCity } from '../generate-city.ts';
import { atMost, type Benchmark, type Context, type Outcome, ratioAtMost } from '../harness/benchmark.ts';
import { runTatemono } from '../processes.ts';
import { withScratch } from '../scratch.ts';

const targets = { verify: ratioAtMost(1), 'peak memory': atMost(350) };

export const verify: Benchmark = {
  name: 'verify',
  title: 'Verification',
  measures:
    'A `tatemono verify` of the generated city, which derives everything that is published again and compares it, beside the ' +
    'ingest of the same city; memory.',
  targets: { sqlite: targets, postgres: targets },
  growth: ['verify per building', 'peak memory'],
  run: (context) => withScratch('verify', (folder) => measure(context, folder)),
};

async function measure(context: Context, folder: string): Promise<Outcome> {
  const records = join(folder, 'records.ndjson');
  await generateCity(records, context.buildings);
  if (context.engine === 'sqlite') return onDatabase(context, folder, records, `file:${join(folder, 'registry.db')}`);
  const { url, stop } = await startPostgres(join(folder, 'postgres'));
  try {
    return await onDatabase(context, folder, records, url);
  } finally {
    await stop();
  }
}

async function onDatabase(context: Context, folder: string, records: string, url: string): Promise<Outcome> {
  const env = { ...process.env, DATABASE_URL: url, ARCHIVE_DIR: join(folder, 'archive'), LOG_LEVEL: 'warn' };
  const ingest = await runTatemono(['ingest', 'records', records], env);
  const rounds: Awaited<ReturnType<typeof runTatemono>>[] = [];
  for (let round = 1; round <= context.rounds; round++) {
    const run = await runTatemono(['verify'], env);
    rounds.push(run);
    context.say(`round ${round}: verify ${run.seconds.toFixed(1)} s, ingest before it ${ingest.seconds.toFixed(1)} s`);
  }
  const seconds = rounds.map((run) => run.seconds);
  return {
    figures: [
      {
        ...{ name: 'verify', unit: 's', values: seconds },
        beside: { name: 'first ingest', values: seconds.map(() => ingest.seconds) },
      },
      { name: 'verify per building', unit: 'ms', values: seconds.map((each) => (each * 1000) / context.buildings) },
      { name: 'peak memory', unit: 'MB', values: rounds.map(({ peak }) => toMegabytes(peak)) },
    ],
  };
}
