/**
 * node bin/run.js bench/mixed.ts [buildings] [seconds] [--postgres] [--keep]
 *
 * Times GET /japan/api/v1/assets/{id} during heavy search load: 16 connections run the mix of
 * bench/search-queries.ts from another process, and 200 requests per second for random IDs are timed from
 * the moment each was due, so that a stall counts for every request that it delays.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatAssetId } from '../src/vocabulary/asset-id.ts';
import { cityKeys } from './city-plan.ts';
import { type DataSet, type Engine, openCity } from './data-set.ts';
import { megabytes, ms, summarise, verdict } from './figures.ts';
import { chance } from './generate-records.ts';
import { startRegistry, watchMemory } from './processes.ts';
import type { SearchLoad } from './search-load.ts';
import { timedGet } from './timed-get.ts';

const CONNECTIONS = 16;
const GETS_PER_SECOND = 200;
/** Time until the searches reach full load. */
const LEAD_SECONDS = 2;
const TARGET_P99 = 25;
const TARGET_MEMORY = 500e6;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'boolean' }, keep: { type: 'boolean' } },
});
const buildings = Number(positionals[0] ?? 1_000_000);
const seconds = Number(positionals[1] ?? 20);
const engine: Engine = options.postgres ? 'postgres' : 'sqlite';

const keys = cityKeys(buildings);
const data = await openCity(engine, buildings, options.keep ?? false);
await measure(data).finally(data.close);
data.discard();

async function measure({ env }: DataSet): Promise<void> {
  const registry = await startRegistry(env);
  const memory = watchMemory(registry);
  try {
    console.log(`\n${buildings} buildings on ${engine}, ${GETS_PER_SECOND} GETs a second for ${seconds} s`);
    await getAtFixedRate(registry.origin, 2);
    report('alone', await getAtFixedRate(registry.origin, seconds));
    const [{ requestsPerSecond, p50, p99 }, beside] = await Promise.all([
      search(registry.origin, LEAD_SECONDS + seconds + 1),
      sleep(LEAD_SECONDS * 1000).then(() => getAtFixedRate(registry.origin, seconds)),
    ]);
    report('beside searches', beside);
    console.log(
      `searches, ${CONNECTIONS} connections: ${requestsPerSecond.toFixed(0)} a second, p50 ${p50} ms, p99 ${p99} ms`,
    );
    const getP99 = summarise(beside).p99;
    const most = memory.most();
    console.log(
      verdict('p99 of GET beside searches', `${getP99.toFixed(2)} ms`, `under ${TARGET_P99} ms`, getP99 < TARGET_P99),
    );
    console.log(
      verdict('memory of the service', megabytes(most), `at most ${megabytes(TARGET_MEMORY)}`, most <= TARGET_MEMORY),
    );
  } finally {
    memory.end();
    await registry.stop();
  }
}

function report(name: string, times: readonly number[]): void {
  const { p50, p95, p99, worst } = summarise(times);
  console.log(
    `GET ${name.padEnd(16)} p50 ${ms(p50)}  p95 ${ms(p95)}  p99 ${ms(p99)}  worst ${ms(worst)} ms  (${times.length})`,
  );
}

/** Opens as many connections as needed, so that no request waits for another response. */
async function getAtFixedRate(origin: string, duration: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const random = chance(31);
  const answers: Promise<number>[] = [];
  const started = performance.now();
  for (let i = 0; i < duration * GETS_PER_SECOND; i++) {
    const due = started + (i * 1000) / GETS_PER_SECOND;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    const id = formatAssetId(keys[Math.floor(random() * keys.length)] as number);
    const answer = timedGet(agent, `${origin}/japan/api/v1/assets/${id}`, due).then(({ status, milliseconds }) => {
      if (status !== 200) throw new Error(`${id} was answered with ${status}`);
      return milliseconds;
    });
    // Failures are reported after all requests were sent.
    answer.catch(() => {});
    answers.push(answer);
  }
  const times = await Promise.all(answers);
  agent.destroy();
  return times;
}

async function search(origin: string, duration: number): Promise<SearchLoad> {
  const args = ['bench/search-load.ts', origin, String(duration), String(CONNECTIONS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the searches ended with ${code}`);
  return JSON.parse(output) as SearchLoad;
}
