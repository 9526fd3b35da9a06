/**
 * node bin/run.js bench/pages.ts [buildings] [seconds]
 *
 * Requests a second of building pages held against a bare node:http server that sends the same bytes; how long lists and
 * hubs by random filters and orders take, and suggestions for every beginning of the words of bench/search-queries.ts, one
 * request at a time over one connection; and how large building pages are. Without a number, the million of bench/search.ts
 * where it was kept, else 100,000.
 */
import { Agent } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';
import { STATIC_PATHS } from '../src/surfaces/pages/static-files.ts';
import { type AssetKey, formatAssetId } from '../src/vocabulary/asset-id.ts';
import { megabytes, ms, summarise, verdict } from './figures.ts';
import { chance } from './generate-records.ts';
import { load } from './load.ts';
import { listPaths, suggestPaths } from './page-queries.ts';
import { type Started, start, startRegistry, watchMemory } from './processes.ts';
import { openSubject } from './subject.ts';
import { takeTurns } from './take-turns.ts';
import { timedGet } from './timed-get.ts';

const CONNECTIONS = 16;
const PAGES = 4_000;
/** Enough for every round of first visits. */
const FIRST_VISITS = 24_000;
const FIRST_SECONDS = 2;
const HOT_PAGES = 400;
const LISTS = 600;
const TARGET_PERCENT = 20;
const TARGET_LIST_MS = 40;
const TARGET_SUGGEST_MS = 15;
const TARGET_HTML = 60_000;
const TARGET_SCRIPT = 15_000;

const seconds = Number(process.argv[3] ?? 6);
const subject = await openSubject(process.argv[2] === undefined ? undefined : Number(process.argv[2]));
console.log(`${subject.keys.length} buildings`);
const registry = await startRegistry(subject.env);
const memory = watchMemory(registry);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  await time('lists and hubs', listPaths(LISTS, await findHubs()), TARGET_LIST_MS);
  await time('suggestions', suggestPaths(), TARGET_SUGGEST_MS);
  const paths = await findPages(PAGES, 5);
  await measureSizes(paths);
  await compare(paths, await findPages(FIRST_VISITS, 6));
  console.log(`memory of the service: ${megabytes(memory.most())}`);
} finally {
  agent.destroy();
  memory.end();
  await registry.stop();
}
subject.discard();

async function ask(path: string): Promise<{ milliseconds: number; body: Buffer }> {
  const { status, milliseconds, body } = await timedGet(agent, `${registry.origin}${path}`);
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  return { milliseconds, body };
}

/** Every prefecture, and a ward and a machi-aza of the largest. */
async function findHubs(): Promise<string[]> {
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

async function time(name: string, paths: readonly string[], target: number): Promise<void> {
  for (const path of paths.slice(0, 50)) await ask(path);
  const times: [number, string][] = [];
  for (const path of paths) times.push([(await ask(path)).milliseconds, path]);
  const { p50, p95, p99, worst } = summarise(times.map(([milliseconds]) => milliseconds));
  console.log(`${name}: ${paths.length}, p50 ${ms(p50)}  p95 ${ms(p95)}  p99 ${ms(p99)}  worst ${ms(worst)} ms`);
  const slowest = times.toSorted(([a], [b]) => b - a).slice(0, 5);
  for (const [milliseconds, path] of slowest) console.log(`  ${ms(milliseconds)} ms  ${decodeURIComponent(path)}`);
  console.log(verdict(`${name}, p95`, `${p95.toFixed(1)} ms`, `at most ${target} ms`, p95 <= target));
}

async function findPages(count: number, seed: number): Promise<string[]> {
  const random = chance(seed);
  const paths: string[] = [];
  while (paths.length < count) {
    const key = subject.keys[Math.floor(random() * subject.keys.length)] as AssetKey;
    const { body } = await ask(`/japan/api/v1/assets/${formatAssetId(key)}`);
    paths.push((JSON.parse(body.toString()) as { path: string }).path);
  }
  return paths;
}

async function measureSizes(paths: readonly string[]): Promise<void> {
  let largest = 0;
  for (const path of paths) largest = Math.max(largest, (await ask(path)).body.length);
  console.log(verdict('largest page', `${(largest / 1e3).toFixed(1)} KB`, 'under 60 KB', largest < TARGET_HTML));
  let script = 0;
  for (const path of [STATIC_PATHS.suggest, STATIC_PATHS.enhance, STATIC_PATHS.map]) {
    script += brotliCompressSync((await ask(path)).body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  }
  console.log(verdict('scripts, compressed', `${(script / 1e3).toFixed(1)} KB`, 'under 15 KB', script < TARGET_SCRIPT));
}

async function compare(paths: readonly string[], fresh: readonly string[]): Promise<void> {
  const all = [...paths, ...fresh];
  const bare = await start(['bench/bare-server.ts', registry.origin], subject.env, /listens on (http:\S+)/, all);
  try {
    const measure = (server: Started, some: readonly string[]) => () =>
      load(server, some, { connections: CONNECTIONS, seconds });
    const hot = paths.slice(0, HOT_PAGES);
    /** Pages that were never asked for, because the registry caches those that are asked for again. */
    const firstVisits = (server: Started) => {
      let next = 0;
      return () =>
        load(server, () => fresh[next++ % fresh.length] as string, {
          connections: CONNECTIONS,
          seconds: FIRST_SECONDS,
        });
    };
    await takeTurns('random pages, none of them cached', firstVisits(bare), firstVisits(registry), undefined);
    await takeTurns('random pages', measure(bare, paths), measure(registry, paths), TARGET_PERCENT);
    await takeTurns(`a hot set of ${HOT_PAGES}`, measure(bare, hot), measure(registry, hot), TARGET_PERCENT);
  } finally {
    await bare.stop();
  }
}
