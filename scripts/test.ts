/** `npm test`: types, lint and format, then every test. Arguments are passed to vitest. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const binOf = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);

const steps: [name: string, script: string, args: string[]][] = [
  ['types', binOf('typescript', 'bin/tsc'), ['--noEmit']],
  ['types of the client', binOf('typescript', 'bin/tsc'), ['--noEmit', '--project', 'src/surfaces/pages/client']],
  ['lint', binOf('@biomejs/biome', 'bin/biome'), ['ci', '--error-on-warnings', '.']],
  ['tests', binOf('vitest', 'vitest.mjs'), ['run', ...process.argv.slice(2)]],
];

for (const [name, script, args] of steps) {
  const started = performance.now();
  const { status, signal } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`${name}: failed${signal === null ? '' : ` by ${signal}`} after ${seconds} s`);
    process.exit(1);
  }
  console.log(`${name}: passed in ${seconds} s`);
}
