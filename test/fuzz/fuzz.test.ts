import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { Random } from '../support/random.ts';
import { usualOrLong } from '../support/test-length.ts';
import { mutate, mutateJson } from './mutate.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Other cases in every run; the output names the seed. */
const seed = String(Math.floor(Math.random() * 1_000_000));

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--max-old-space-size=384', CHILD, ...args], {
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output: (await output).join('') };
}

const findsNothing = (name: string, cases: number) => async () => {
  const { code, output } = await run(name, String(usualOrLong(cases, cases * 10)), seed, '0');
  expect(`exit code ${code}: ${output}`).toMatch(/^exit code 0: .* 0 faults/);
};

describe('random inputs cause no fault, hang, echo, uncaught error or unbounded memory', () => {
  it('FUZ-01 FUZ-06 requests', findsNothing('http', 2_000));
  it('FUZ-02 FUZ-06 MCP messages', findsNothing('mcp', 2_500));
  it('FUZ-03 FUZ-06 lines of records', findsNothing('lines', 15_000));
  it('FUZ-04 FUZ-06 bundles of REIT publications', findsNothing('bundles', 2_500));
  it('FUZ-05 FUZ-06 files of every source', findsNothing('sources', 3_000));
});

describe('the search for faults', () => {
  it.each([
    ['fault', /case \d+ of planted \(seed 1\): a planted fault/],
    ['slow', /case \d+ of planted \(seed 1\): took \d{4} ms of processor time/],
    ['uncaught', /uncaught error during cases? \d+.*nobody catches this/],
    ['rejection', /unhandled rejection during cases? \d+.*nobody awaits this/],
    ['memory', /memory \(seed 1\): \d{4} MB/],
  ])('FUZ-06 finds a planted %s', async (kind, message) => {
    const { code, output } = await run('planted', kind === 'slow' ? '20' : '150', '1', '0', kind);
    expect(output).toMatch(message);
    expect(code).toBe(1);
  });

  it('FUZ-06 a case is the same whenever it is run, and its seed is printed', async () => {
    const whole = await run('planted', '60', '7', '0', 'fault');
    const [, number = ''] = /case (\d+) of planted \(seed 7\)/.exec(whole.output) ?? [];
    const alone = await run('planted', '1', '7', number, 'fault');
    expect(alone.output).toContain(`case ${number} of planted (seed 7): a planted fault`);
  });

  it('FUZ-06 inputs are changed, in every way, and differ from one another', () => {
    const random = new Random(1);
    const content = Buffer.from('<osm><node id="1" lat="35.7" lon="139.7"/></osm>');
    const changed = Array.from({ length: 2_000 }, () => mutate(content, random, ['<tag/>']).toString('latin1'));
    expect(new Set(changed).size).toBeGreaterThan(1_200);
    expect(changed.filter((one) => one === content.toString('latin1')).length).toBeLessThan(200);
    expect(changed.some((one) => one.includes('<tag/>'))).toBe(true);
    const values = Array.from({ length: 500 }, () => mutateJson({ a: [1, { b: 'c' }], d: null }, random, ['e']));
    expect(new Set(values).size).toBeGreaterThan(250);
  });
});
