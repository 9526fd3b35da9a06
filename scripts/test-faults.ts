/** `npm run test:faults`: the scenarios of test/faults at length, one after the other. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = 'test/faults';
const scenarios = readdirSync(FOLDER).flatMap((name) => /^(.+)\.test\.ts$/.exec(name)?.[1] ?? []);
const ENGINES = ['sqlite', 'postgres'];

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true },
    engine: { type: 'string' },
    seed: { type: 'string' },
  },
});
const { scenario: wanted = scenarios, engine, seed = String(randomInt(2 ** 31)) } = values;
const unknown = wanted.filter((name) => !scenarios.includes(name));
if (unknown.length > 0 || (engine !== undefined && !ENGINES.includes(engine)) || !/^\d{1,10}$/.test(seed)) {
  console.error(
    `usage: npm run test:faults -- [--scenario ${scenarios.join('|')}] [--engine ${ENGINES.join('|')}] [--seed <n>]`,
  );
  process.exit(2);
}
console.log(`seed ${seed}; repeat with: npm run test:faults -- --seed ${seed}`);

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const files = wanted.map((name) => `${FOLDER}/${name}.test.ts`);
const only = engine === undefined ? [] : ['--testNamePattern', `\\[${engine}\\]`];
const flags = ['--no-file-parallelism', '--passWithNoTests', '--disableConsoleIntercept'];
const child = spawn(process.execPath, [vitest, 'run', ...files, ...flags, ...only], {
  stdio: 'inherit',
  env: { ...process.env, FAULTS_LONG: '1', FAULTS_SEED: seed },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
