/**
 * node bin/run.js bench/get-asset.ts [buildings] [seconds]
 *
 * Requests a second of GET /japan/api/v1/assets/{id} over random IDs, held against a bare node:http
 * server that sends the same bytes for the same paths. Each server is a process of its own; the load
 * comes from this one, and the two take turns so that a disturbance of the machine meets both.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { formatAssetId } from '../src/vocabulary/asset-id.ts';
import { chance, generateRecords } from './generate-records.ts';

const count = Number(process.argv[2] ?? 100_000);
const seconds = Number(process.argv[3] ?? 6);
const ROUNDS = 4;
const CONNECTIONS = 16;
const out = fileURLToPath(new URL('out/get-asset', import.meta.url));
const env = {
  ...process.env,
  ...{ DATABASE_URL: `file:${join(out, 'registry.db')}`, ARCHIVE_DIR: join(out, 'archive'), LOG_LEVEL: 'warn' },
  ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_API: '0' },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await generateRecords(join(out, 'records.ndjson'), count);
const ingest = spawn('bin/tatemono.js', ['ingest', 'records', join(out, 'records.ndjson')], { env, stdio: 'inherit' });
const [code] = await once(ingest, 'exit');
if (code !== 0) throw new Error(`the ingest ended with ${code}`);

const random = chance(2);
const paths = Array.from({ length: 20_000 }, () => {
  const id = formatAssetId(1_300_000_001 + Math.floor(random() * count));
  return `/japan/api/v1/assets/${id}`;
});

const registry = await start(['--max-semi-space-size=8', 'bin/tatemono.js', 'serve'], /serves (http:\S+?)\/japan/);
const bare = await start(
  ['bench/bare-server.ts', registry.origin, String(paths.length)],
  /listens on (http:\S+)/,
  paths,
);
const results = { bare: [] as number[], registry: [] as number[] };
for (let round = 1; round <= ROUNDS; round++) {
  results.bare.push(await load(bare.origin));
  results.registry.push(await load(registry.origin));
  console.log(
    `round ${round}: bare ${results.bare.at(-1)?.toFixed(0)}/s, registry ${results.registry.at(-1)?.toFixed(0)}/s`,
  );
}
for (const { child } of [registry, bare]) child.kill('SIGTERM');
const best = (of: keyof typeof results) => Math.max(...results[of]);
console.log(
  `GET /assets/{id} / bare node:http  ${((100 * best('registry')) / best('bare')).toFixed(0)} %   (target: at least 45 %)`,
);
rmSync(out, { recursive: true, force: true });

async function start(
  args: string[],
  ready: RegExp,
  input?: string[],
): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.end(input?.join('\n') ?? '');
  let text = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk;
    const origin = ready.exec(text)?.[1];
    if (origin !== undefined) return { child, origin };
  }
  throw new Error(`${args.join(' ')} did not start`);
}

async function load(url: string): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, path: paths[next++ % paths.length] as string }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}
