import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('../../src/workers/stop-signals.ts', import.meta.url).href;

/** A process that stops for so long when it is told to. */
async function startStopping(ms: number) {
  const script = `
    import { untilStopped } from '${MODULE}';
    const stopped = untilStopped();
    const running = setInterval(() => {}, 1_000);
    console.log('running');
    await stopped;
    console.log('stopping');
    setTimeout(() => clearInterval(running), ${ms});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const says = () => once(child.stdout, 'data').then(([text]) => String(text).trim());
  expect(await says()).toBe('running');
  return { child, ended, says };
}

describe('a process that is told to stop', () => {
  it('STP-04 takes a second signal soon after the first for the same', async () => {
    const { child, ended, says } = await startStopping(500);
    const said = says();
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await said).toBe('stopping');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('STP-04 ends at once by a later signal', async () => {
    const { child, ended, says } = await startStopping(60_000);
    const said = says();
    child.kill('SIGTERM');
    await said;
    await sleep(2_000);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });
});
