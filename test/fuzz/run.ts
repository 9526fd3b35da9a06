/**
 * `npm run test:fuzz -- [--cases 1000000] [--seed 1] [--only http,mcp] [--from 0]`: changes inputs at random and looks for faults.
 * A case is determined by the seed and its number, so that one can be repeated: `--seed 1 --only http --from 4711 --cases 1`.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { TARGET_NAMES } from './target-names.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    from: { type: 'string', default: '0' },
    only: { type: 'string', default: Object.keys(TARGET_NAMES).join() },
  },
});
const names = values.only.split(',');
const sum = names.reduce((total, name) => total + (TARGET_NAMES[name] ?? 0), 0);
for (const name of names) {
  const share = names.length === 1 ? 1 : (TARGET_NAMES[name] ?? 0) / sum;
  const cases = Math.ceil(Number(values.cases) * share);
  console.log(`${name}: ${cases} cases from ${values.from} with seed ${values.seed}`);
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=384',
      new URL('./child.ts', import.meta.url).pathname,
      name,
      String(cases),
      values.seed,
      values.from,
    ],
    { stdio: 'inherit' },
  );
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) process.exitCode = 1;
}
