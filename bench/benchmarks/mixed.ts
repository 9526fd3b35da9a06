import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AssetKey, formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { cityKeys } from '../city-plan.ts';
import { latencyFigures } from '../figures.ts';
import { chance } from '../generate-records.ts';
import { atMost, type Benchmark, type Context, type Outcome } from '../harness/benchmark.ts';
import { CONNECTIONS } from '../load.ts';
import { scriptPath, startRegistry, watchMemory, withProcess } from '../processes.ts';
import type { SearchLoad } from '../search-load.ts';
import { timedGet } from '../timed-get.ts';

const GETS_PER_SECOND = 200;
/** Time until the searches reach full load. */
const LEAD_SECONDS = 2;
const TARGETS = { 'GET beside searches, p99': atMost(25), 'memory of the service': atMost(500) };

export const mixed: Benchmark = {
  name: 'mixed',
  title: 'Reads beside searches',
  measures:
    '200 reads of random IDs per second while 16 connections search as fast as they are answered, beside the same reads ' +
    'without searches; each is timed from the moment it was due, so that a stall counts for every request that it delays.',
  targets: { sqlite: TARGETS, postgres: TARGETS },
  run,
};

async function run(context: Context): Promise<Outcome> {
  const { env } = await context.city();
  const keys = cityKeys(context.buildings);
  return withProcess(startRegistry(env), async (registry) => {
    const memory = watchMemory(registry);
    const { origin } = registry;
    await getAtFixedRate(origin, keys, 2);
    const [alone, beside, searches]: [number[][], number[][], number[]] = [[], [], []];
    for (let round = 1; round <= context.rounds; round++) {
      alone.push(await getAtFixedRate(origin, keys, context.seconds));
      const [{ requestsPerSecond }, times] = await Promise.all([
        search(origin, LEAD_SECONDS + context.seconds + 1),
        sleep(LEAD_SECONDS * 1000).then(() => getAtFixedRate(origin, keys, context.seconds)),
      ]);
      beside.push(times);
      searches.push(requestsPerSecond);
      context.say(`round ${round}: beside ${requestsPerSecond.toFixed(0)} searches per second`);
    }
    const without = { name: 'without searches', rounds: alone };
    return {
      figures: [
        ...latencyFigures({ name: 'GET beside searches', rounds: beside }, ['p50', 'p99'], without),
        { name: 'searches', unit: '/s', values: searches },
        { name: 'memory of the service', unit: 'MB', values: [memory()] },
      ],
    };
  });
}

/** Opens as many connections as needed, so that no request waits for another response. */
async function getAtFixedRate(origin: string, keys: readonly AssetKey[], duration: number): Promise<number[]> {
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
  const args = [scriptPath('search-load.ts'), origin, String(duration), String(CONNECTIONS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the searches ended with ${code}`);
  return JSON.parse(output) as SearchLoad;
}
