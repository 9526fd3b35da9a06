import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { PHONE_OPTIONS } from '../../test/support/browser.ts';
import { startBrowser } from '../../test/support/browser-server.ts';
import { atMost, type Benchmark, type Context, type Figure, type Outcome } from '../harness/benchmark.ts';
import { startRegistry, withProcess } from '../processes.ts';
import { withScratch } from '../scratch.ts';

const SLOWER = 4;
const LONG_TASK_MS = 50;
const WAIT_FOR_GRAPHICS = 'CommandBufferProxyImpl::WaitForGetOffset';
/** Chromium tears the empty tab down a second after it was left, which is not the work of the page. */
const SETTLED_MS = 2_000;
const PAGES = {
  home: '/japan',
  list: '/japan/areas',
  ward: '/japan/tokyo/chiyoda-ku',
  building: '/japan/id/ASSET-JP-13-00000006',
} as const;

export const map: Benchmark = {
  name: 'map',
  title: 'Maps on a phone',
  measures:
    'How long a map blocks the main thread of a phone (390 px wide, a processor slowed down four times, the sample) from the ' +
    'moment it comes into view until it is drawn with its names: the part of each task beyond 50 ms by processor time, beside ' +
    'the time that passed, which includes waiting for WebGL in software on the same cores.',
  targets: { sqlite: Object.fromEntries(Object.keys(PAGES).map((name) => [name, atMost(200)])) },
  hasFixedSize: true,
  run: (context) => withScratch('map', (folder) => measurePages(context, folder)),
};

interface Blocked {
  processor: number;
  passed: number;
  /** The part of `passed` in which the main thread waited for WebGL. */
  graphics: number;
}

async function measurePages({ rounds, say }: Context, folder: string): Promise<Outcome> {
  const env = {
    ...process.env,
    ...{ DATABASE_URL: `file:${join(folder, 'registry.db')}`, ARCHIVE_DIR: join(folder, 'archive'), LOG_LEVEL: 'warn' },
    ...{ HOST: '127.0.0.1', PORT: '0', BASE_URL: '', RATE_LIMIT_PAGE: '0' },
  };
  return withProcess(startRegistry(env), async ({ origin }) => {
    const { address, stop } = await startBrowser();
    try {
      const browser = await chromium.connect(address);
      const figures: Figure[] = [];
      for (const [name, path] of Object.entries(PAGES)) {
        // The first round fills the caches of the service.
        await measure(browser, origin, path);
        const blocked: Blocked[] = [];
        for (let round = 1; round <= rounds; round++) blocked.push(await measure(browser, origin, path));
        const list = (key: keyof Blocked) => blocked.map((round) => round[key]);
        say(
          `${name}: of the time passed, waiting for WebGL: ${list('graphics')
            .map((x) => x.toFixed(0))
            .join(', ')} ms`,
        );
        figures.push({
          ...{ name, unit: 'ms', values: list('processor') },
          beside: { name: 'time passed', values: list('passed') },
        });
      }
      await browser.close();
      return { figures };
    } finally {
      await stop();
    }
  });
}

/** Through the protocol alone: scripts that Playwright adds to a page would count as well. */
async function measure(browser: Browser, origin: string, path: string): Promise<Blocked> {
  const context = await browser.newContext({ baseURL: origin, ...PHONE_OPTIONS });
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
