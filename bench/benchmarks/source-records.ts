import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { latencyFigures } from '../figures.ts';
import { chance } from '../generate-records.ts';
import { atMost, type Benchmark, type Context, type Outcome } from '../harness/benchmark.ts';
import { BARE } from '../load.ts';
import { startRegistry, startReplay, withProcess } from '../processes.ts';
import { timedGet } from '../timed-get.ts';

const REQUESTS = 2_000;
const WARM_UP = 500;

export const sourceRecords: Benchmark = {
  name: 'source-records',
  title: 'Look up a source record',
  measures:
    'How long `GET /japan/api/v1/source-records` takes by random source records, and by IDs that were never read, one ' +
    'request at a time, beside bare node:http, which sends the bytes of the former.',
  // REF-05
  targets: { sqlite: { 'known IDs, p95': atMost(2), 'unknown IDs, p95': atMost(2) } },
  run,
};

async function run(context: Context): Promise<Outcome> {
  const { env, file } = await context.city();
  const keys = readKeys(file, REQUESTS);
  const pathOf = (source: string, id: string) => `/japan/api/v1/source-records?${new URLSearchParams({ source, id })}`;
  const known = keys.map((key) => pathOf(key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)));
  const unknown = keys.map((_, i) => pathOf('plateau', `${i}00000012345`.slice(0, 13)));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const time = async (origin: string, path: string, status: number) => {
    const answer = await timedGet(agent, `${origin}${path}`);
    if (answer.status !== status) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.milliseconds;
  };
  return withProcess(startRegistry(env), (registry) =>
    withProcess(startReplay('bare-server.ts', registry, known), async (bare) => {
      const measure = async (count: number) => {
        const times = { bare: [] as number[], known: [] as number[], unknown: [] as number[] };
        for (const [i, path] of known.slice(0, count).entries()) {
          times.bare.push(await time(bare.origin, path, 200));
          times.known.push(await time(registry.origin, path, 200));
          times.unknown.push(await time(registry.origin, unknown[i] as string, 404));
        }
        return times;
      };
      await measure(WARM_UP);
      const rounds: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 1; round <= context.rounds; round++) rounds.push(await measure(REQUESTS));
      agent.destroy();
      const beside = { name: BARE, rounds: rounds.map((round) => round.bare) };
      return {
        figures: [
          ...latencyFigures({ name: 'known IDs', rounds: rounds.map((round) => round.known) }, ['p50', 'p95'], beside),
          ...latencyFigures(
            { name: 'unknown IDs', rounds: rounds.map((round) => round.unknown) },
            ['p50', 'p95'],
            beside,
          ),
        ],
      };
    }),
  );
}

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
