/**
 * node bin/run.js bench/search.ts [buildings] [--postgres] [--growth] [--keep]
 *
 * Times GET /japan/api/v1/assets for the fixed mix of bench/search-queries.ts, one request at a time
 * over one connection; on SQLite compared with a LIKE scan of the same values in the same run.
 * --growth also measures 10,000 buildings, --keep keeps the data set of this run for the next.
 */
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { type SearchEnvelope, TOTAL_CAP } from '../src/vocabulary/api-shapes.ts';
import { shuffle } from './city-plan.ts';
import { type DataSet, type Engine, openCity } from './data-set.ts';
import { megabytes, ms, type Summary, summarise, verdict } from './figures.ts';
import { chance } from './generate-records.ts';
import { openLikeScan } from './like-scan.ts';
import { startRegistry, watchMemory } from './processes.ts';
import { type MixedQuery, QUERIES, QUERY_CLASSES } from './search-queries.ts';
import { timedGet } from './timed-get.ts';

const ROUNDS = 5;
const SMALL = 10_000;
const SCAN_BUDGET_MS = 120_000;
const TARGETS = { p50: 5, p95: 15, worst: 60 };
const TARGET_RATIO = 100;
const TARGET_GROWTH = 4;
const TARGET_MEMORY = 500e6;
/** How much longer than SQLite a database behind a socket may take. */
const ALLOWANCE: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 4 };

interface Measured {
  query: MixedQuery;
  total: number;
  times: number[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'boolean' }, growth: { type: 'boolean' }, keep: { type: 'boolean' } },
});
const buildings = Number(positionals[0] ?? 1_000_000);
const engine: Engine = options.postgres ? 'postgres' : 'sqlite';

const small = options.growth ? await measure(SMALL) : undefined;
const full = await measure(buildings);
if (small !== undefined) {
  const growth = full.p95 / small.p95;
  console.log(
    verdict(
      `p95 of ${buildings} / of ${SMALL}`,
      growth.toFixed(1),
      `at most ${TARGET_GROWTH}`,
      growth <= TARGET_GROWTH,
    ),
  );
}

async function measure(count: number): Promise<Summary> {
  const data = await openCity(engine, count, options.keep ?? false);
  const summary = await measureOn(data, count).finally(data.close);
  data.discard();
  return summary;
}

async function measureOn(data: DataSet, count: number): Promise<Summary> {
  const registry = await startRegistry(data.env);
  const memory = watchMemory(registry);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    console.log(`\n${count} buildings on ${engine}, ${QUERIES.length} queries, ${ROUNDS - 1} measured rounds`);
    const measured = await runRounds(agent, registry.origin);
    const summary = report(measured);
    const most = memory.most();
    console.log(
      verdict('memory of the service', megabytes(most), `at most ${megabytes(TARGET_MEMORY)}`, most <= TARGET_MEMORY),
    );
    if (engine === 'sqlite') compareWithScan(data.file, measured);
    return summary;
  } finally {
    agent.destroy();
    memory.end();
    await registry.stop();
  }
}

/** The first round warms up; every later round must give the same results. */
async function runRounds(agent: Agent, origin: string): Promise<Measured[]> {
  const measured: Measured[] = QUERIES.map((query) => ({ query, total: Number.NaN, times: [] }));
  const random = chance(21);
  for (let round = 0; round < ROUNDS; round++) {
    const times: number[] = [];
    for (const entry of shuffle([...measured], random)) {
      const { status, milliseconds, body } = await timedGet(agent, `${origin}${entry.query.path}`);
      if (status !== 200) throw new Error(`${entry.query.path} was answered with ${status}`);
      times.push(milliseconds);
      const { total } = JSON.parse(body.toString()) as SearchEnvelope;
      if (round === 0) entry.total = total;
      else entry.times.push(milliseconds);
      if (total !== entry.total) throw new Error(`${entry.query.path} found ${entry.total}, then ${total}`);
    }
    const { p50, p95, worst } = summarise(times);
    const name = round === 0 ? 'warm-up' : `round ${round}`;
    console.log(`${name.padEnd(26)} p50 ${ms(p50)}  p95 ${ms(p95)}  worst ${ms(worst)} ms`);
  }
  return measured;
}

function report(measured: readonly Measured[]): Summary {
  console.log();
  for (const name of Object.keys(QUERY_CLASSES)) {
    const ofClass = measured.filter(({ query }) => query.class === name);
    const { p50, p95, worst } = summarise(ofClass.flatMap(({ times }) => times));
    const slowest = ofClass.reduce((a, b) => (Math.max(...a.times) >= Math.max(...b.times) ? a : b));
    const { q, ...filters } = slowest.query.query;
    const shown = [q, ...Object.values(filters)].filter((part) => part !== undefined).join(' | ');
    console.log(`${name.padEnd(26)} p50 ${ms(p50)}  p95 ${ms(p95)}  worst ${ms(worst)} ms   ${shown}`);
  }
  console.log();
  const summary = summarise(measured.flatMap(({ times }) => times));
  for (const key of ['p50', 'p95', 'worst'] as const) {
    const target = TARGETS[key] * ALLOWANCE[engine];
    console.log(verdict(key, `${summary[key].toFixed(2)} ms`, `at most ${target} ms`, summary[key] <= target));
  }
  return summary;
}

/** Requests the first page of every query of words alone, in a fixed order, until the time is up. */
function compareWithScan(file: string, measured: readonly Measured[]): void {
  const scan = openLikeScan(file);
  const wordsAlone = measured.filter(({ query: { query } }) => Object.keys(query).join() === 'q');
  const scanned: { ours: number[]; theirs: number }[] = [];
  const disagree: string[] = [];
  // Loads the table into memory.
  scan.run('zzzz');
  const started = performance.now();
  for (const { query, total, times } of shuffle(wordsAlone, chance(22))) {
    if (performance.now() - started > SCAN_BUDGET_MS) break;
    const q = query.query.q as string;
    const { count, milliseconds } = scan.run(q);
    scanned.push({ ours: times, theirs: milliseconds });
    if (!agrees(q, total, Math.min(count, TOTAL_CAP))) disagree.push(`${q} (${total}, scan ${count})`);
  }
  scan.close();
  const theirs = summarise(scanned.map((each) => each.theirs));
  const ours = summarise(scanned.flatMap((each) => each.ours));
  const ratio = theirs.p50 / ours.p50;
  console.log(
    `LIKE scan of ${scanned.length} of ${wordsAlone.length} queries: p50 ${ms(theirs.p50)}  worst ${ms(theirs.worst)} ms; ` +
      `the service for the same: p50 ${ms(ours.p50)} ms`,
  );
  console.log(
    verdict('LIKE scan / service, median', ratio.toFixed(1), `at least ${TARGET_RATIO}`, ratio >= TARGET_RATIO),
  );
  if (disagree.length > 0) console.log(`the scan counts otherwise: ${disagree.join('; ')}`);
}

/** The scan also matches terms from several values. */
function agrees(q: string, total: number, scanned: number): boolean {
  return /\s/u.test(q.trim()) ? total <= scanned : total === scanned;
}
