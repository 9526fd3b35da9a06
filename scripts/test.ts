/** `npm test`: types, lint and format, and every test, at the same time. `--long` draws all random cases; other arguments go to vitest. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const require = createRequire(import.meta.url);
const binOf = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);
const tsc = binOf('typescript', 'bin/tsc');

/** Runs a script and returns a summary. The output of a check is shown only if it fails, that of the tests at once. */
async function run(name: string, stdio: 'pipe' | 'inherit', script: string, ...args: string[]): Promise<string> {
  const started = performance.now();
  const child = spawn(process.execPath, [script, ...args], { stdio: ['inherit', stdio, stdio] });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (code === 0) return `${name}: passed in ${seconds} s`;
  process.exitCode = 1;
  const failed = `${name}: failed${signal === null ? '' : ` by ${signal}`} after ${seconds} s`;
  console.error(`${(await printed).join('')}${failed}`);
  return failed;
}

const args = process.argv.slice(2);
if (args.includes('--long')) process.env.LONG_TESTS = '1';

const ends = await Promise.all([
  run('types', 'pipe', tsc, '--noEmit'),
  run('types of the client', 'pipe', tsc, '--noEmit', '--project', 'src/surfaces/pages/client'),
  run('lint', 'pipe', binOf('@biomejs/biome', 'bin/biome'), 'ci', '--error-on-warnings', '.'),
  run('tests', 'inherit', binOf('vitest', 'vitest.mjs'), 'run', ...args.filter((arg) => arg !== '--long')),
]);
console.log(ends.join('\n'));
