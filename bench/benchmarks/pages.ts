import { Agent } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';
import { STATIC_PATHS } from '../../src/surfaces/pages/static-files.ts';
import { type AssetKey, formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { cityKeys } from '../city-plan.ts';
import { latencyFigures, toKilobytes } from '../figures.ts';
import { chance } from '../generate-records.ts';
import { atMost, type Benchmark, type Context, type Figure, type Outcome, ratioAtLeast } from '../harness/benchmark.ts';
import { BARE, inTurn, load, loadPaths } from '../load.ts';
import { listPaths, suggestPaths } from '../page-queries.ts';
import { type Started, startRegistry, startReplay, watchMemory, withProcess } from '../processes.ts';
import { takeTurns } from '../take-turns.ts';
import { timedGet } from '../timed-get.ts';

const PAGES = 4_000;
/** Enough for every round of first visits. */
const FIRST_VISITS = 24_000;
const FIRST_SECONDS = 2;
const HOT_PAGES = 400;
const LISTS = 600;
const WARM_UP = 50;
const TARGETS = {
  'lists and hubs, p95': atMost(15),
  'suggestions, p95': atMost(7),
  'building pages, first visits': ratioAtLeast(0.2),
  'building pages, in turn': ratioAtLeast(0.2),
  'building pages, hot': ratioAtLeast(0.2),
  'largest building page': atMost(60),
  'scripts without the map, compressed': atMost(15),
};

export const pages: Benchmark = {
  name: 'pages',
  title: 'Pages',
  measures:
    'Lists and hubs by random filters and orders, and suggestions for every beginning of the search words, one request at a ' +
    'time; building pages per second over 16 connections, beside bare node:http, which sends the same headers and bytes.',
  targets: { sqlite: TARGETS, postgres: TARGETS },
  growth: ['lists and hubs, p95', 'suggestions, p95', 'building pages, first visits'],
  run: async (context) => {
    const { env } = await context.city();
    return withProcess(startRegistry(env), (registry) => measure(context, registry));
  },
};

type Ask = (path: string, origin?: string) => Promise<{ milliseconds: number; body: Buffer }>;

async function measure(context: Context, registry: Started): Promise<Outcome> {
  const memory = watchMemory(registry);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask: Ask = async (path, origin = registry.origin) => {
    const { status, milliseconds, body } = await timedGet(agent, `${origin}${path}`);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    return { milliseconds, body };
  };
  const keys = cityKeys(context.buildings);
  const lists = listPaths(LISTS, await findHubs(ask));
  const suggestions = suggestPaths();
  const inTurnPaths = await findPages(ask, keys, Math.min(PAGES, keys.length), 5);
  const firstVisits = await findPages(ask, keys, Math.min(FIRST_VISITS, keys.length), 6);
  const sizes = await measureSizes(ask, inTurnPaths);
  return withProcess(startReplay('bare-server.ts', registry, [...lists, ...suggestions]), async (besideLists) => {
    const timed = [
      ...(await time(context, ask, besideLists, 'lists and hubs', lists)),
      ...(await time(context, ask, besideLists, 'suggestions', suggestions)),
    ];
    agent.destroy();
    const loaded = await compare(context, registry, inTurnPaths, firstVisits);
    return {
      figures: [...timed, ...loaded, ...sizes, { name: 'memory of the service', unit: 'MB', values: [memory()] }],
    };
  });
}

/** A prefecture, a ward and a machi-aza of every prefecture. */
async function findHubs(ask: Ask): Promise<string[]> {
  const hubs: string[] = [];
  for (let code = 1; code <= 47; code++) {
    const asked = `/japan/api/v1/assets?q=asset-jp-${String(code).padStart(2, '0')}-`;
    const [first] = (JSON.parse((await ask(asked)).body.toString()) as { items: { path: string }[] }).items;
    if (first === undefined) continue;
    const [, , prefecture, ward, machiAza] = first.path.split('/');
    hubs.push(`/japan/${prefecture}`, `/japan/${prefecture}/${ward}`, `/japan/${prefecture}/${ward}/${machiAza}`);
  }
  return hubs;
}

async function findPages(ask: Ask, keys: readonly AssetKey[], count: number, seed: number): Promise<string[]> {
  const random = chance(seed);
  const paths: string[] = [];
  while (paths.length < count) {
    const key = keys[Math.floor(random() * keys.length)] as AssetKey;
    const { body } = await ask(`/japan/api/v1/assets/${formatAssetId(key)}`);
    paths.push((JSON.parse(body.toString()) as { path: string }).path);
  }
  return paths;
}

async function time(
  context: Context,
  ask: Ask,
  bare: Started,
  name: string,
  paths: readonly string[],
): Promise<Figure[]> {
  for (const path of paths.slice(0, WARM_UP)) await ask(path);
  const [ours, theirs]: [number[][], number[][]] = [[], []];
  for (let round = 1; round <= context.rounds; round++) {
    const times: [number, string][] = [];
    const bareTimes: number[] = [];
    for (const path of paths) {
      bareTimes.push((await ask(path, bare.origin)).milliseconds);
      times.push([(await ask(path)).milliseconds, path]);
    }
    ours.push(times.map(([milliseconds]) => milliseconds));
    theirs.push(bareTimes);
    const [slowest] = times.toSorted(([a], [b]) => b - a);
    if (slowest !== undefined) {
      context.say(`${name}, round ${round}: slowest ${slowest[0].toFixed(1)} ms, ${decodeURIComponent(slowest[1])}`);
    }
  }
  return latencyFigures({ name, rounds: ours }, ['p50', 'p95', 'worst'], { name: BARE, rounds: theirs });
}

async function measureSizes(ask: Ask, paths: readonly string[]): Promise<Figure[]> {
  let largest = 0;
  for (const path of paths) largest = Math.max(largest, (await ask(path)).body.length);
  let scripts = 0;
  for (const path of [STATIC_PATHS.suggest, STATIC_PATHS.enhance, STATIC_PATHS.map]) {
    scripts += brotliCompressSync((await ask(path)).body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  }
  return [
    { name: 'largest building page', unit: 'KB', values: [toKilobytes(largest)] },
    { name: 'scripts without the map, compressed', unit: 'KB', values: [toKilobytes(scripts)] },
  ];
}

async function compare(
  context: Context,
  registry: Started,
  paths: readonly string[],
  fresh: readonly string[],
): Promise<Figure[]> {
  return withProcess(startReplay('bare-server.ts', registry, [...paths, ...fresh]), async (bare) => {
    const turns = (name: string, some: readonly string[]) =>
      takeTurns(context, name, () => loadPaths(registry, context.seconds, some), {
        [BARE]: () => loadPaths(bare, context.seconds, some),
      });
    // Goes on from round to round, because the registry caches pages that are requested again.
    const firstVisits = (server: Started) => {
      const nextPath = inTurn(fresh);
      return () => load(server, FIRST_SECONDS, () => ({ path: nextPath() }));
    };
    return [
      ...(await takeTurns(context, 'building pages, first visits', firstVisits(registry), {
        [BARE]: firstVisits(bare),
      })),
      ...(await turns('building pages, in turn', paths)),
      ...(await turns('building pages, hot', paths.slice(0, HOT_PAGES))),
    ];
  });
}
