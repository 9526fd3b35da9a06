import { type AssetKey, formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { cityKeys } from '../city-plan.ts';
import { chance } from '../generate-records.ts';
import { type Benchmark, type Context, type Outcome, ratioAtLeast } from '../harness/benchmark.ts';
import { BARE, loadPaths } from '../load.ts';
import { type Started, startRegistry, startReplay, watchMemory, withProcess } from '../processes.ts';
import { takeTurns } from '../take-turns.ts';

const RANDOM_IDS = 20_000;
const HOT_IDS = 1_000;
const FASTIFY = 'Fastify with a static buffer';

export const get: Benchmark = {
  name: 'get',
  title: 'Read a record',
  measures:
    'Requests per second of `GET /japan/api/v1/assets/{id}` over 16 connections, by random IDs and by a hot set of 1,000, ' +
    'beside bare node:http and beside Fastify, which both send the same headers and bytes from memory.',
  targets: { sqlite: { 'random IDs': ratioAtLeast(0.6), 'hot IDs': ratioAtLeast(0.9) }, postgres: {} },
  growth: ['random IDs', 'hot IDs'],
  run,
};

async function run(context: Context): Promise<Outcome> {
  const { env } = await context.city();
  const keys = cityKeys(context.buildings);
  const random = chance(2);
  const draw = () => formatAssetId(keys[Math.floor(random() * keys.length)] as AssetKey);
  const paths = Array.from({ length: RANDOM_IDS }, () => `/japan/api/v1/assets/${draw()}`);
  return withProcess(startRegistry(env), (registry) =>
    withProcess(startReplay('bare-server.ts', registry, paths), (bare) =>
      withProcess(startReplay('fastify-server.ts', registry, paths), async (fastify) => {
        const memory = watchMemory(registry);
        const compare = (name: string, some: readonly string[]) => {
          const loadOf = (server: Started) => () => loadPaths(server, context.seconds, some);
          return takeTurns(context, name, loadOf(registry), { [BARE]: loadOf(bare), [FASTIFY]: loadOf(fastify) });
        };
        const figures = [
          ...(await compare('random IDs', paths)),
          ...(await compare('hot IDs', paths.slice(0, HOT_IDS))),
        ];
        return { figures: [...figures, { name: 'memory of the service', unit: 'MB', values: [memory()] }] };
      }),
    ),
  );
}
