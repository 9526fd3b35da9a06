/**
 * `npm run test:load -- [--minutes 30] [--buildings 20000] [--only everything,limits,hostile] [--postgres]`: mixed traffic of all
 * surfaces against a service in a process of its own, as fast as it is answered. Ends with 1 if an answer is wrong or missing,
 * or a target is missed.
 */
import { execFile, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { generateBundle } from '../../bench/generate-bundle.ts';
import { generateCity } from '../../bench/generate-city.ts';
import { writeLaterCity } from '../../bench/later-city.ts';
import { runTatemono, type Started, startRegistry } from '../../bench/processes.ts';
import { withScratch } from '../../bench/scratch.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { startPostgres } from '../support/postgres-cluster.ts';
import { KINDS } from './hostile.ts';
import { growthOf, Resources } from './measure.ts';
import { startProxy } from './proxy.ts';
import { ask, type Known, lookAround } from './questions.ts';
import { Traffic } from './traffic.ts';

const MOST_MEGABYTES = 400;
const OTHERS_P99_MS = 250;
/** Handles and memory may grow by this much a minute in the second half: more is a leak. */
const MOST_HANDLES_A_MINUTE = 1;
const MOST_MEGABYTES_A_MINUTE = 2;
/** Before, the caches are still being filled. */
const LONG_ENOUGH_SECONDS = 300;
const LANES = 16;
/** Those who suffer from hostile clients: 4 clients with about 10 requests a second each. */
const OTHERS = { lanes: 4, pauseMs: 100 };

const PARTS = { everything: 0.5, limits: 0.1, hostile: 0.4 } as const;
type Part = keyof typeof PARTS;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    buildings: { type: 'string', default: '20000' },
    only: { type: 'string', default: Object.keys(PARTS).join() },
    postgres: { type: 'boolean', default: false },
  },
});
const parts = values.only.split(',').filter((part): part is Part => part in PARTS);
const minutes = Number(values.minutes);
const buildings = Number(values.buildings);
if (parts.length === 0 || !(minutes > 0) || !(buildings >= 1_000)) {
  console.error(
    `usage: npm run test:load -- [--minutes <n>] [--buildings <at least 1000>] [--only ${Object.keys(PARTS).join()}] [--postgres]`,
  );
  process.exit(2);
}
const allShares = parts.reduce((sum, part) => sum + PARTS[part], 0);
const secondsOf = (part: Part) => (minutes * 60 * PARTS[part]) / allShares;

interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
}

let missed = 0;
function judge(isMet: boolean, text: string): void {
  if (!isMet) missed += 1;
  console.log(`${isMet ? 'met' : 'MISSED'}: ${text}`);
}

await withScratch('load', async (folder) => {
  const postgres = values.postgres ? await startPostgres(join(folder, 'postgres')) : undefined;
  const env = {
    ...process.env,
    ...{ DATABASE_URL: postgres?.url ?? `file:${join(folder, 'registry.db')}`, ARCHIVE_DIR: join(folder, 'archive') },
    ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', LOG_LEVEL: 'error', TRUST_PROXY: '' },
    ...{ RATE_LIMIT_API: '0', RATE_LIMIT_PAGE: '0', RATE_LIMIT_MCP: '0' },
  };
  const place = { folder, env };
  try {
    const reit = await fill(place);
    const known = await withService(env, ({ origin }) => lookAround(origin, reit));
    if (parts.includes('everything')) await underEverything(place, known);
    if (parts.includes('limits')) await underLimits(place, known);
    if (parts.includes('hostile')) await underHostileClients(place, known);
  } finally {
    await postgres?.stop();
  }
});
console.log(missed === 0 ? '\nall targets met' : `\n${missed} targets missed`);
process.exitCode = missed === 0 ? 0 : 1;

/** A generated city, and a building with a REIT publication, whose ID is returned. */
async function fill({ folder, env }: Place): Promise<string> {
  console.log(`a city of ${buildings} buildings`);
  const city = join(folder, 'city.ndjson');
  await generateCity(city, buildings);
  await runTatemono(['ingest', 'records', city], env);
  await writeLaterCity(city, join(folder, 'later.ndjson'));
  const building = await withService(env, async ({ origin }) => {
    const { items } = (await (await fetch(`${origin}${API_ROOT}/assets?view=summary`)).json()) as {
      items: { id: string }[];
    };
    return items[0]?.id ?? '';
  });
  const file = join(folder, 'bundle.json');
  writeFileSync(file, JSON.stringify(generateBundle(building, { periods: 40, sources: 3 })));
  const by = ['--by', 'alice', '--note', 'a load test'];
  const id = await composeBundle(file, env);
  for (const source of ['edinet', 'jreit', 'mankan']) {
    const permit = ['--surface', 'all', '--basis', 'a load test', '--by', 'carol'];
    await runTatemono(['reit', 'permit', 'allow', '--source', source, ...permit], env);
  }
  for (const review of ['data', 'match']) await runTatemono(['reit', 'review', review, id, '--pass', ...by], env);
  await runTatemono(['reit', 'activate', id, '--by', 'bob'], env);
  return building;
}

async function composeBundle(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)('bin/tatemono.js', ['reit', 'compose', file], { env });
  const [id = ''] = stdout.split('\n');
  return id;
}

async function withService<T>(env: NodeJS.ProcessEnv, use: (service: Started) => Promise<T>): Promise<T> {
  const service = await startRegistry(env);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

function portOf({ origin }: Started): number {
  return Number(new URL(origin).port);
}

function pidOf({ child }: Started): number {
  return child.pid as number;
}

/** LOD-01: all surfaces as fast as they answer, through a balancer, during an ingest, a backup and a restart. */
async function underEverything(place: Place, known: Known): Promise<void> {
  const seconds = secondsOf('everything');
  console.log(`\nall surfaces over ${LANES} connections, two services behind a balancer, ${seconds.toFixed(0)} s`);
  const services = [await startRegistry(place.env), await startRegistry(place.env)] as [Started, Started];
  try {
    await useBehindBalancer(place, services, known, seconds);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function useBehindBalancer(
  place: Place,
  services: [Started, Started],
  known: Known,
  seconds: number,
): Promise<void> {
  const proxy = await startProxy(services.map(portOf));
  const stays = new Resources(pidOf(services[1]));
  const traffic = new Traffic(ask(known, 1), { port: proxy.port, lanes: LANES });
  await Promise.all([sleep(seconds * 1_000), disturb(place, services, seconds)]);
  stays.stop();
  await traffic.stop();
  await proxy.close();
  console.log(traffic.describe());
  for (const failure of proxy.failures.slice(0, 10)) console.log(`  lost: ${failure}`);
  judge(traffic.faultCount === 0 && proxy.failures.length === 0, 'no wrong answer, no request lost');
  judgeResources(stays);
}

/** At a fifth of the time an ingest, in the middle a backup, later a restart of the first service on its port. */
async function disturb({ folder, env }: Place, services: [Started, Started], seconds: number): Promise<void> {
  const note = (text: string) => console.log(`  ${text}`);
  await sleep(seconds * 200);
  const ingest = await runTatemono(['ingest', 'records', join(folder, 'later.ndjson')], env);
  note(`ingested ${buildings} buildings in ${ingest.seconds.toFixed(1)} s`);
  await sleep(seconds * 100);
  const backup = join(folder, 'backup.db');
  const kept = await runTatemono(['backup', backup], env);
  rmSync(backup);
  note(`backed up in ${kept.seconds.toFixed(1)} s`);
  await sleep(seconds * 100);
  const [first] = services;
  const begun = performance.now();
  await first.stop();
  note(`SIGTERM: ended with ${first.child.exitCode} after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  if (first.child.exitCode !== 0) throw new Error('the service did not stop cleanly');
  services[0] = await startRegistry({ ...env, PORT: String(portOf(first)) });
  note('restarted');
}

/** LOD-02: the same against one service with its usual limits: 429 and nothing else. */
async function underLimits({ env }: Place, known: Known): Promise<void> {
  const seconds = secondsOf('limits');
  console.log(`\nall surfaces with the usual limits, ${seconds.toFixed(0)} s`);
  const { RATE_LIMIT_API: _api, RATE_LIMIT_PAGE: _page, RATE_LIMIT_MCP: _mcp, ...limited } = env;
  await withService(limited, async (service) => {
    const resources = new Resources(pidOf(service));
    const traffic = new Traffic(ask(known, 2), { port: portOf(service), lanes: LANES, isLimited: true });
    await sleep(seconds * 1_000);
    resources.stop();
    await traffic.stop();
    console.log(traffic.describe());
    judge(traffic.faultCount === 0 && traffic.refused > 0, 'requests beyond the limits get 429, all others an answer');
    judgeResources(resources);
  });
}

/** LOD-04: how others are answered while one address does its worst. */
async function underHostileClients({ env }: Place, known: Known): Promise<void> {
  const kinds = ['nothing', ...Object.keys(KINDS)];
  const seconds = secondsOf('hostile') / kinds.length;
  await withService(env, async (service) => {
    const resources = new Resources(pidOf(service));
    const largest = JSON.stringify(await findLargest(service, known));
    for (const kind of kinds) {
      console.log(
        `\n${OTHERS.lanes} clients while others ${kind === 'nothing' ? 'do nothing' : kind}, ${seconds.toFixed(0)} s`,
      );
      const script = [join(import.meta.dirname, 'hostile.ts'), kind, String(portOf(service)), largest];
      const child = spawn(process.execPath, script, { stdio: 'inherit' });
      await sleep(2_000);
      const traffic = new Traffic(ask(known, 3), { port: portOf(service), ...OTHERS });
      await sleep(seconds * 1_000);
      await traffic.stop();
      child.kill('SIGKILL');
      console.log(traffic.describe());
      judge(traffic.faultCount === 0, 'no wrong answer, no request lost');
      judge(traffic.all.percentile(0.99) < OTHERS_P99_MS, `p99 of the others under ${OTHERS_P99_MS} ms`);
      await sleep(2_000);
    }
    resources.stop();
    judgeResources(resources);
  });
}

/** The largest portfolio, search and tile of those that are known. */
async function findLargest({ origin }: Started, { owners, tiles }: Known): Promise<string[]> {
  const largestOf = async (paths: readonly string[]) => {
    let largest = { path: '', size: 0 };
    for (const path of paths) {
      const size = (await (await fetch(`${origin}${path}`)).arrayBuffer()).byteLength;
      if (size > largest.size) largest = { path, size };
    }
    console.log(`  ${largest.path}: ${(largest.size / 1_000).toFixed(0)} KB`);
    return largest.path;
  };
  return [
    await largestOf(owners.slice(0, 100).map((owner) => `${API_ROOT}/owners/${encodeURIComponent(owner)}/assets`)),
    await largestOf(['ビル', 'タワー', 'a'].map((q) => `${API_ROOT}/assets?q=${encodeURIComponent(q)}&page=50`)),
    await largestOf(tiles.slice(0, 200)),
  ];
}

/** LOD-03 */
function judgeResources(resources: Resources): void {
  console.log(resources.describe());
  judge(
    resources.mostMegabytes <= MOST_MEGABYTES,
    `at most ${MOST_MEGABYTES} MB: ${resources.mostMegabytes.toFixed(0)} MB`,
  );
  if (resources.seconds < LONG_ENOUGH_SECONDS) return;
  const { megabytes, handles } = growthOf(resources.samples);
  judge(megabytes <= MOST_MEGABYTES_A_MINUTE && handles <= MOST_HANDLES_A_MINUTE, 'memory and handles are flat');
}
