import { Agent } from 'node:http';
import type { SearchEnvelope } from '../../src/vocabulary/api-shapes.ts';
import { cityKeys, shuffle } from '../city-plan.ts';
import { comparePeers, type Truth } from '../compare-peers.ts';
import { latencyFigures } from '../figures.ts';
import { chance } from '../generate-records.ts';
import { atMost, type Benchmark, type Context, type Outcome, ratioAtMost, type Targets } from '../harness/benchmark.ts';
import { PEERS } from '../peers/list.ts';
import { startRegistry, watchMemory, withProcess } from '../processes.ts';
import { findExactly, readCorpus, WORD_QUERIES } from '../search-corpus.ts';
import { type MixedQuery, QUERIES, QUERY_CLASSES } from '../search-queries.ts';
import { timedGet } from '../timed-get.ts';

const PAGE_SIZE = 20;
const AHEAD: Targets = Object.fromEntries(PEERS.map(({ name }) => [`words, p95, beside ${name}`, ratioAtMost(1)]));

export const search: Benchmark = {
  name: 'search',
  title: 'Search',
  measures:
    'How long `GET /japan/api/v1/assets` takes for 200 fixed queries in seventeen classes, one at a time over one connection, ' +
    'to the last byte of the 20 full records; and those with words in one process in turn with other search engines, on the same values.',
  targets: {
    sqlite: { p50: atMost(5), p95: atMost(5), worst: atMost(25), 'memory of the service': atMost(500), ...AHEAD },
    postgres: { p50: atMost(20), p95: atMost(15), worst: atMost(240), 'memory of the service': atMost(500), ...AHEAD },
  },
  growth: ['p50', 'p95', 'worst'],
  run,
};

interface Measured {
  query: MixedQuery;
  answer: SearchEnvelope | undefined;
  /** One per round. */
  times: number[];
}

async function run(context: Context): Promise<Outcome> {
  const { env } = await context.city();
  const { truth, measured, memory } = await withProcess(startRegistry(env), async (registry) => {
    const memory = watchMemory(registry);
    const measured = await runRounds(context, registry.origin);
    const most = memory();
    context.say('reading all values over the API');
    const documents = await readCorpus(registry.origin, cityKeys(context.buildings));
    const found = WORD_QUERIES.map((query) => findExactly(documents, query));
    return { truth: { documents, found }, measured, memory: most };
  });
  checkAnswers(measured, truth);
  const rounds = (some: readonly Measured[]) =>
    Array.from({ length: context.rounds }, (_, round) => some.map(({ times }) => times[round] as number));
  const words = { name: 'words', rounds: rounds(measured.filter(({ query: { query } }) => query.q !== undefined)) };
  const { figures, table } = await comparePeers(context, truth, String(env.DATABASE_URL), words);
  return {
    figures: [
      ...latencyFigures({ name: '', rounds: rounds(measured) }, ['p50', 'p95', 'worst']),
      { name: 'memory of the service', unit: 'MB', values: [memory] },
      ...figures,
    ],
    tables: [table, ofClasses(measured)],
  };
}

/** The first round warms up; every later round must give the same results. */
async function runRounds({ rounds, say }: Context, origin: string): Promise<Measured[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const measured: Measured[] = QUERIES.map((query) => ({ query, answer: undefined, times: [] }));
  const random = chance(21);
  for (let round = 0; round <= rounds; round++) {
    for (const entry of shuffle([...measured], random)) {
      const { status, milliseconds, body } = await timedGet(agent, `${origin}${entry.query.path}`);
      if (status !== 200) throw new Error(`${entry.query.path} was answered with ${status}`);
      const answer = JSON.parse(body.toString()) as SearchEnvelope;
      if (round > 0) entry.times.push(milliseconds);
      entry.answer ??= answer;
      if (answer.total !== entry.answer.total) throw new Error(`${entry.query.path} changed its total`);
    }
    say(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  agent.destroy();
  return measured;
}

/** Every answer to words must be exact: the total and the IDs of its page. */
function checkAnswers(measured: readonly Measured[], { documents, found }: Truth): void {
  for (const [i, { path, query }] of WORD_QUERIES.entries()) {
    const answer = measured.find((each) => each.query.path === path)?.answer;
    const all = found[i] as readonly number[];
    const first = PAGE_SIZE * ((query.page ?? 1) - 1);
    const expected = all.slice(first, first + PAGE_SIZE).map((place) => documents[place]?.id);
    const given = answer?.items.map((item) => (item as { id: string }).id);
    if (answer?.total !== Math.min(all.length, 1_000) || given?.join() !== expected.join()) {
      throw new Error(`${decodeURIComponent(path)} is not exact: ${answer?.total}, expected ${all.length}`);
    }
  }
}

function ofClasses(measured: readonly Measured[]): NonNullable<Outcome['tables']>[number] {
  const rows = Object.keys(QUERY_CLASSES).map((name) => {
    const some = measured.filter(({ query }) => query.class === name);
    const [p50, p95, worst] = latencyFigures({ name, rounds: [some.flatMap(({ times }) => times)] }, [
      'p50',
      'p95',
      'worst',
    ]);
    const slowest = some.reduce((a, b) => (Math.max(...a.times) >= Math.max(...b.times) ? a : b));
    const shown = Object.values(slowest.query.query).join(' | ');
    const ms = (figure: typeof p50) => `${figure?.values[0]?.toFixed(1)} ms`;
    return [name, ms(p50), ms(p95), ms(worst), shown === '' ? 'no parameter' : `\`${shown.replaceAll('`', '')}\``];
  });
  return { title: 'By class of query', columns: ['class', 'p50', 'p95', 'worst', 'slowest'], rows };
}
