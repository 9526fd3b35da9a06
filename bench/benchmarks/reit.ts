import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAnchors } from '../../src/reit/life/matched-buildings.ts';
import { compose } from '../../src/reit/publication/compose.ts';
import { parseBundle } from '../../src/reit/publication/read-bundle.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { latencyFigures } from '../figures.ts';
import { generateBundle } from '../generate-bundle.ts';
import { generateRecords } from '../generate-records.ts';
import { atMost, type Benchmark, type Context, type Outcome, ratioAtLeast } from '../harness/benchmark.ts';
import { BARE, loadPaths } from '../load.ts';
import { runTatemono, startRegistry, startReplay, withProcess } from '../processes.ts';
import { withScratch } from '../scratch.ts';
import { takeTurns } from '../take-turns.ts';

const BUILDINGS = 1_000;
const COMPOSED_PER_ROUND = 7;
const BUILDING = 'ASSET-JP-13-00000001';

export const reit: Benchmark = {
  name: 'reit',
  title: 'REIT publications',
  measures:
    'Composing a publication of 40 periods × 20 metrics × 3 sources, and requests per second of its `GET …/reit` over 16 ' +
    'connections, beside bare node:http, which sends the same headers and bytes.',
  targets: { sqlite: { 'composing, p50': atMost(200), 'GET …/reit': ratioAtLeast(0.15) } },
  hasFixedSize: true,
  run: (context) => withScratch('reit', (folder) => measure(context, folder)),
};

async function measure(context: Context, folder: string): Promise<Outcome> {
  const env = {
    ...process.env,
    ...{ DATABASE_URL: `file:${join(folder, 'registry.db')}`, ARCHIVE_DIR: join(folder, 'archive'), LOG_LEVEL: 'warn' },
    ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_API: '0' },
  };
  const records = join(folder, 'records.ndjson');
  await generateRecords(records, BUILDINGS);
  await runTatemono(['ingest', 'records', records], env);
  const text = JSON.stringify(generateBundle(BUILDING, { periods: 40, sources: 3 }));
  const { id, rounds } = await timeComposing(text, env.DATABASE_URL, context.rounds);
  const file = join(folder, 'bundle.json');
  writeFileSync(file, text);
  await publish(id, file, env);
  const paths = [`/japan/api/v1/assets/${BUILDING}/reit`];
  const reads = await withProcess(startRegistry(env), (registry) =>
    withProcess(startReplay('bare-server.ts', registry, paths), (bare) =>
      takeTurns(context, 'GET …/reit', () => loadPaths(registry, context.seconds, paths), {
        [BARE]: () => loadPaths(bare, context.seconds, paths),
      }),
    ),
  );
  return { figures: [...latencyFigures({ name: 'composing', rounds }, ['p50', 'worst']), ...reads] };
}

async function publish(id: string, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  await runTatemono(['reit', 'compose', file], env);
  const permit = ['--surface', 'all', '--basis', 'a benchmark', '--by', 'carol'];
  for (const source of ['edinet', 'jreit', 'mankan']) {
    await runTatemono(['reit', 'permit', 'allow', '--source', source, ...permit], env);
  }
  for (const review of ['data', 'match']) {
    await runTatemono(['reit', 'review', review, id, '--pass', '--by', 'alice', '--note', 'a benchmark'], env);
  }
  await runTatemono(['reit', 'activate', id, '--by', 'bob'], env);
}

/** From the text of the bundle to the document; the first round warms up. */
async function timeComposing(
  text: string,
  url: string,
  count: number,
): Promise<{ id: string; rounds: readonly number[][] }> {
  const storage = openStorage(url, () => {});
  const anchors = await storage.snapshot((reads) => readAnchors(reads, [BUILDING]));
  await storage.close();
  let id = '';
  const composeOnce = () => {
    const started = performance.now();
    const bundle = parseBundle(text);
    const draft = bundle.ok ? compose(bundle.value, anchors) : bundle;
    if (!draft.ok) throw new Error(JSON.stringify(draft.failure.slice(0, 3)));
    if (draft.value.findings.length > 0) throw new Error(JSON.stringify(draft.value.findings.slice(0, 3)));
    id = draft.value.id;
    return performance.now() - started;
  };
  const rounds = Array.from({ length: count + 1 }, () => Array.from({ length: COMPOSED_PER_ROUND }, composeOnce));
  return { id, rounds: rounds.slice(1) };
}
