/**
 * node bin/run.js bench/map.ts
 *
 * How long a map blocks the main thread of a phone: the sample in a real Chromium whose processor is slowed down four times,
 * 390 px wide. From the moment the map comes into view until it is drawn with its names, the part of each task beyond 50 ms
 * counts, by the processor time of the main thread. The time that passes is given too: it includes waiting for the process
 * that draws WebGL, here in software on the same cores, and for whatever else the machine does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { PHONE_OPTIONS } from '../test/support/browser.ts';
import { startBrowser } from '../test/support/browser-server.ts';
import { verdict } from './figures.ts';
import { startRegistry } from './processes.ts';

const ROUNDS = 5;
const SLOWER = 4;
const TARGET_MS = 200;
const LONG_TASK_MS = 50;
const WAIT_FOR_GRAPHICS = 'CommandBufferProxyImpl::WaitForGetOffset';
/** Chromium tears the empty tab down a second after it was left, which is not the work of the page. */
const SETTLED_MS = 2_000;
const PAGES = ['/japan', '/japan/areas', '/japan/tokyo/chiyoda-ku', '/japan/id/ASSET-JP-13-00000006'];

interface Blocked {
  processor: number;
  passed: number;
  /** The part of `passed` in which the main thread waited for WebGL. */
  graphics: number;
}

const folder = mkdtempSync(join(tmpdir(), 'tatemono-bench-map-'));
const registry = await startRegistry({
  ...process.env,
  ...{ DATABASE_URL: `file:${join(folder, 'registry.db')}`, ARCHIVE_DIR: join(folder, 'archive'), LOG_LEVEL: 'warn' },
  ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_PAGE: '0' },
});
const { address, stop } = await startBrowser();
try {
  const browser = await chromium.connect(address);
  for (const path of PAGES) {
    const rounds: Blocked[] = [];
    // The first round fills the caches of the service.
    for (let round = 0; round <= ROUNDS; round++) {
      const blocked = await measure(browser, path);
      if (round > 0) rounds.push(blocked);
    }
    const list = (key: keyof Blocked) => rounds.map((round) => round[key].toFixed(0)).join(', ');
    console.log(`${path}: processor ${list('processor')} ms; time passed ${list('passed')} ms`);
    console.log(`  of the time passed, waiting for WebGL: ${list('graphics')} ms`);
    const middle = median(rounds.map(({ processor }) => processor));
    console.log(verdict(path, `${middle.toFixed(0)} ms`, `at most ${TARGET_MS} ms`, middle <= TARGET_MS));
  }
  await browser.close();
} finally {
  await stop();
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** Through the protocol alone: scripts that Playwright adds to a page would count as well. */
async function measure(browser: Browser, path: string): Promise<Blocked> {
  const context = await browser.newContext({ baseURL: registry.origin, ...PHONE_OPTIONS });
  try {
    const page = await context.newPage();
    await page.goto(path, { waitUntil: 'networkidle' });
    await wait(SETTLED_MS);
    const session = await context.newCDPSession(page);
    const evaluate = async (expression: string) =>
      (await session.send('Runtime.evaluate', { expression })).result.value as unknown;
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const stopTrace = await startTrace(await browser.newBrowserCDPSession());
    await evaluate("document.querySelector('.map').scrollIntoView()");
    while (!(await evaluate("document.querySelector('.map[data-drawn] .map-panel') !== null"))) await wait(100);
    await wait(SETTLED_MS);
    return blockedIn(await stopTrace());
  } finally {
    await context.close();
  }
}

/** An event of a trace, with times in microseconds. */
interface TraceEvent {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

async function startTrace(session: CDPSession): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'gpu'] },
  });
  return async () => {
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await ended;
    await session.detach();
    return events;
  };
}

/** Of all pages together: the others do nothing. */
function blockedIn(events: readonly TraceEvent[]): Blocked {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const there = events.filter((event) => event.ph === 'X' && main.has(threadOf(event)));
  const blocked = { processor: 0, passed: 0, graphics: 0 };
  for (const task of there) {
    const { ts, dur = 0, tdur = 0 } = task;
    const passed = dur / 1_000 - LONG_TASK_MS;
    if (!task.name.endsWith('RunTask') || passed <= 0) continue;
    blocked.passed += passed;
    blocked.processor += Math.max(0, tdur / 1_000 - LONG_TASK_MS);
    const waits = there.filter(
      (event) =>
        event.name === WAIT_FOR_GRAPHICS && threadOf(event) === threadOf(task) && event.ts >= ts && event.ts < ts + dur,
    );
    blocked.graphics += Math.min(
      passed,
      waits.reduce((sum, event) => sum + (event.dur ?? 0) / 1_000, 0),
    );
  }
  return blocked;
}
