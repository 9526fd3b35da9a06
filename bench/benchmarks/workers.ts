import { cpus } from 'node:os';
import { join } from 'node:path';
import { type AssetKey, formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { startPostgres } from '../../test/support/postgres-cluster.ts';
import { cityKeys } from '../city-plan.ts';
import { generateCity } from '../generate-city.ts';
import { chance } from '../generate-records.ts';
import { type Benchmark, type Context, type Figure, type Outcome, ratioAtLeast } from '../harness/benchmark.ts';
import { inTurn, load } from '../load.ts';
import { processorTimeOf, runTatemono, type Started, start, startRegistry, withProcess } from '../processes.ts';
import { withScratch } from '../scratch.ts';
import { takeTurns } from '../take-turns.ts';

const RANDOM_IDS = 4_000;
/** Each worker renders a page once and keeps it. */
const HOT_PAGES = 200;
/** Enough that the kernel gives both workers about as many. */
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;

export const workers: Benchmark = {
  name: 'workers',
  title: 'Serve with two workers',
  measures:
    'Requests per second over 64 connections with `WORKERS=2`, beside `WORKERS=1`: because the load generator runs on the same ' +
    'two processors, the requests are divided by the part of as many processors as there are workers that everything else left ' +
    'to the service.',
  targets: {
    sqlite: { 'building pages, hot': ratioAtLeast(1.7), 'records by random IDs': ratioAtLeast(1.7) },
    postgres: {},
  },
  run: async (context) => {
    const { env } = await context.city();
    const startWith = (count: number) => startRegistry({ ...env, WORKERS: String(count) });
    return withProcess(startWith(1), (one) => withProcess(startWith(2), (two) => measureServing(context, one, two)));
  },
};

async function measureServing(context: Context, one: Started, two: Started): Promise<Outcome> {
  const keys = cityKeys(context.buildings);
  const random = chance(7);
  const ids = Array.from({ length: RANDOM_IDS }, () =>
    formatAssetId(keys[Math.floor(random() * keys.length)] as AssetKey),
  );
  const records = ids.map((id) => `/japan/api/v1/assets/${id}`);
  const pages: string[] = [];
  for (const path of records.slice(0, HOT_PAGES)) {
    pages.push(((await (await fetch(`${one.origin}${path}`)).json()) as { path: string }).path);
  }
  const compare = async (name: string, paths: readonly string[]): Promise<Figure[]> => {
    for (const server of [one, two]) await load(server, WARM_UP_SECONDS, requestsOf(paths), CONNECTIONS);
    const rate = (server: Started, count: number) => () => rateOnFree(server, count, context.seconds, paths);
    return takeTurns(context, name, rate(two, 2), { 'one worker': rate(one, 1) });
  };
  return {
    figures: [...(await compare('building pages, hot', pages)), ...(await compare('records by random IDs', records))],
  };
}

function requestsOf(paths: readonly string[]) {
  const nextPath = inTurn(paths);
  return () => ({ path: nextPath() });
}

/** What the workers would have answered if nothing else had used the processors that they can use. */
async function rateOnFree(server: Started, count: number, seconds: number, paths: readonly string[]): Promise<number> {
  const serviceTime = () => processorTimeOf(server.child.pid as number);
  const before = { busy: busyTime(), service: serviceTime(), at: performance.now() };
  const rate = await load(server, seconds, requestsOf(paths), CONNECTIONS);
  const elapsed = (performance.now() - before.at) / 1000;
  const others = busyTime() - before.busy - (serviceTime() - before.service);
  const left = cpus().length - others / elapsed;
  return rate / Math.min(1, left / count);
}

/** Seconds that all processors were busy since the start of the machine. */
function busyTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}

export const work: Benchmark = {
  name: 'work',
  title: 'Ingest with workers',
  measures:
    'The first `tatemono ingest records` of the generated city with one and two `tatemono work` processes, beside the same ingest ' +
    'alone, which uses three threads, all on the processors that PostgreSQL uses too; and the processor time of the ' +
    'ingest itself, which is what more machines with workers cannot take from it.',
  targets: { postgres: {} },
  run: (context) => withScratch('work', (folder) => measureIngests(context, folder)),
};

type SharedIngest = Pick<Awaited<ReturnType<typeof runTatemono>>, 'seconds' | 'processorTime'>;

async function measureIngests(context: Context, folder: string): Promise<Outcome> {
  const records = join(folder, 'records.ndjson');
  await generateCity(records, context.buildings);
  const rounds: SharedIngest[][] = [];
  for (let round = 1; round <= context.rounds; round++) {
    const results: SharedIngest[] = [];
    for (const count of [0, 1, 2]) results.push(await ingestWith(count, folder, records));
    rounds.push(results);
    const shown = results.map(
      ({ seconds, processorTime: own }) => `${seconds.toFixed(1)} s (processor ${own.toFixed(1)} s)`,
    );
    context.say(`round ${round}: alone ${shown[0]}, with one worker ${shown[1]}, with two ${shown[2]}`);
  }
  const values = (count: number, key: keyof SharedIngest) => rounds.map((round) => (round[count] as SharedIngest)[key]);
  const figure = (name: string, count: number, key: keyof SharedIngest): Figure => {
    return { name, unit: 's', values: values(count, key), beside: { name: 'alone', values: values(0, key) } };
  };
  return {
    figures: [
      figure('with one worker', 1, 'seconds'),
      figure('with two workers', 2, 'seconds'),
      figure('processor time of the ingest, with one worker', 1, 'processorTime'),
      figure('processor time of the ingest, with two workers', 2, 'processorTime'),
    ],
  };
}

async function ingestWith(count: number, folder: string, records: string): Promise<SharedIngest> {
  return withScratch('work/run', async (run) => {
    const { url, stop } = await startPostgres(join(run, 'postgres'));
    const env = { ...process.env, DATABASE_URL: url, ARCHIVE_DIR: join(folder, 'archive'), LOG_LEVEL: 'warn' };
    const ready: Started[] = [];
    try {
      for (let i = 0; i < count; i++) {
        ready.push(await start(['--max-semi-space-size=8', 'bin/tatemono.js', 'work'], env, /tatemono (works) for/));
      }
      return await runTatemono(['ingest', 'records', records], env);
    } finally {
      await Promise.all(ready.map((worker) => worker.stop()));
      await stop();
    }
  });
}
