import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
/**
 * node bin/run.js bench/reit.ts [seconds]
 *
 * Composing a publication of 40 periods × 20 metrics × 3 sources, and requests a second of its GET …/reit, held against a
 * bare node:http server that sends the same headers and bytes. The servers take turns, as in bench/get-asset.ts.
 */
import autocannon from 'autocannon';
import { readAnchors } from '../src/reit/life/matched-buildings.ts';
import { compose } from '../src/reit/publication/compose.ts';
import { parseBundle } from '../src/reit/publication/read-bundle.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { ms, summarise, verdict } from './figures.ts';
import { generateBundle } from './generate-bundle.ts';
import { generateRecords } from './generate-records.ts';
import { runTatemono, type Started, start, startRegistry } from './processes.ts';
import { takeTurns } from './take-turns.ts';

const CONNECTIONS = 16;
const TARGET_GET = 15;
const TARGET_COMPOSE_MS = 200;
const ROUNDS = 20;
const BUILDING = 'ASSET-JP-13-00000001';

const seconds = Number(process.argv[2] ?? 6);
const out = fileURLToPath(new URL('out/reit', import.meta.url));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const url = `file:${join(out, 'registry.db')}`;
const env = {
  ...process.env,
  ...{ DATABASE_URL: url, ARCHIVE_DIR: join(out, 'archive'), LOG_LEVEL: 'warn' },
  ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_API: '0' },
};
await generateRecords(join(out, 'records.ndjson'), 1_000);
await runTatemono(['ingest', 'records', join(out, 'records.ndjson')], env);

const text = JSON.stringify(generateBundle(BUILDING, { periods: 40, sources: 3 }));
const id = await measureCompose();
const file = join(out, 'bundle.json');
writeFileSync(file, text);
await runTatemono(['reit', 'compose', file], env);
const permit = ['--surface', 'all', '--basis', 'a benchmark', '--by', 'carol'];
for (const source of ['edinet', 'jreit', 'mankan']) {
  await runTatemono(['reit', 'permit', 'allow', '--source', source, ...permit], env);
}
for (const review of ['data', 'match']) {
  await runTatemono(['reit', 'review', review, id, '--pass', '--by', 'alice', '--note', 'a benchmark'], env);
}
await runTatemono(['reit', 'activate', id, '--by', 'bob'], env);

const paths = [`/japan/api/v1/assets/${BUILDING}/reit`];
const registry = await startRegistry(env);
try {
  const bare = await start(['bench/bare-server.ts', registry.origin], env, /listens on (http:\S+)/, paths);
  try {
    await takeTurns(
      'GET …/reit',
      () => load(bare),
      () => load(registry),
      TARGET_GET,
    );
  } finally {
    await bare.stop();
  }
} finally {
  await registry.stop();
}
rmSync(out, { recursive: true, force: true });

/** Composes the document from the text of the bundle; returns its ID. */
async function measureCompose(): Promise<string> {
  const storage = openStorage(url, () => {});
  const anchors = await storage.snapshot((reads) => readAnchors(reads, [BUILDING]));
  await storage.close();
  const times: number[] = [];
  let composed = { id: '', bytes: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const bundle = parseBundle(text);
    const draft = bundle.ok ? compose(bundle.value, anchors) : bundle;
    if (!draft.ok) throw new Error(JSON.stringify(draft.failure.slice(0, 3)));
    if (draft.value.findings.length > 0) throw new Error('the bundle has findings');
    times.push(performance.now() - started);
    composed = { id: draft.value.id, bytes: Buffer.byteLength(draft.value.canonical) };
  }
  const { p50, worst } = summarise(times);
  console.log(`a bundle of ${kilobytes(Buffer.byteLength(text))}, a document of ${kilobytes(composed.bytes)}`);
  console.log(`composing, the first or worst of ${ROUNDS}: ${ms(worst).trim()} ms`);
  const measured = `${ms(p50).trim()} ms`;
  console.log(verdict('composing, half of them', measured, `under ${TARGET_COMPOSE_MS} ms`, p50 < TARGET_COMPOSE_MS));
  return composed.id;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1e3).toFixed(0)} KB`;
}

async function load({ origin }: Started): Promise<number> {
  const result = await autocannon({ url: `${origin}${paths[0]}`, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}
