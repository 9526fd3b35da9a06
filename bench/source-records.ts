/**
 * node bin/run.js bench/source-records.ts [buildings] [requests]
 *
 * How long GET /japan/api/v1/source-records takes, one request after the other over random records and
 * over IDs that were never read, held against a bare node:http server that sends the same bytes. The two
 * take turns so that a disturbance of the machine meets both. Without a number, the million of
 * bench/search.ts where it was kept, else 100,000.
 */
import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { ms, summarise, verdict } from './figures.ts';
import { chance } from './generate-records.ts';
import { start, startRegistry } from './processes.ts';
import { openSubject } from './subject.ts';
import { timedGet } from './timed-get.ts';

/** REF-05 */
const TARGET_MS = 2;
const WARM_UP = 500;

const asked = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const requests = Number(process.argv[3] ?? 5_000);
const subject = await openSubject(asked);
const known = readKeys(String(subject.env.DATABASE_URL).replace('file:', ''), requests + WARM_UP);
console.log(`${subject.keys.length} buildings, ${requests} requests of each kind`);

const pathOf = (source: string, id: string) => `/japan/api/v1/source-records?${new URLSearchParams({ source, id })}`;
const knownPaths = known.map((key) => pathOf(key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)));
const unknownPaths = known.map((_, i) => pathOf('plateau', `${i}00000012345`.slice(0, 13)));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const time = async (origin: string, path: string, status: number) => {
  const answer = await timedGet(agent, `${origin}${path}`);
  if (answer.status !== status) throw new Error(`${path} was answered with ${answer.status}`);
  return answer.milliseconds;
};

const registry = await startRegistry(subject.env);
try {
  const bare = await start(['bench/bare-server.ts', registry.origin], subject.env, /listens on (http:\S+)/, knownPaths);
  try {
    const times = { bare: [] as number[], known: [] as number[], unknown: [] as number[] };
    for (const [i, path] of knownPaths.entries()) {
      const round = [
        await time(bare.origin, path, 200),
        await time(registry.origin, path, 200),
        await time(registry.origin, unknownPaths[i] as string, 404),
      ] as const;
      if (i < WARM_UP) continue;
      times.bare.push(round[0]);
      times.known.push(round[1]);
      times.unknown.push(round[2]);
    }
    const [bareTimes, knownTimes, unknownTimes] = [times.bare, times.known, times.unknown].map(summarise) as [
      ReturnType<typeof summarise>,
      ReturnType<typeof summarise>,
      ReturnType<typeof summarise>,
    ];
    for (const [name, { p50, p95, p99, worst }] of Object.entries({
      'bare server': bareTimes,
      'records that were read': knownTimes,
      'IDs that were never read': unknownTimes,
    })) {
      console.log(`${name.padEnd(26)} p50 ${ms(p50)}  p95 ${ms(p95)}  p99 ${ms(p99)}  worst ${ms(worst)} ms`);
    }
    const slowest = Math.max(knownTimes.p95, unknownTimes.p95);
    console.log(verdict('look-up, p95', `${slowest.toFixed(2)} ms`, `at most ${TARGET_MS} ms`, slowest <= TARGET_MS));
    console.log(`look-up / bare, p50: ${(knownTimes.p50 / bareTimes.p50).toFixed(2)}`);
  } finally {
    await bare.stop();
  }
} finally {
  await registry.stop();
  agent.destroy();
}
subject.discard();

/** Random keys of source records. */
function readKeys(file: string, count: number): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const { last } = database.prepare('select max(id) as last from source_record').get() as { last: number };
  const find = database.prepare('select key from source_record where id >= ? order by id limit 1');
  const random = chance(7);
  const keys = Array.from({ length: count }, () => (find.get(1 + Math.floor(random() * last)) as { key: string }).key);
  database.close();
  return keys;
}
