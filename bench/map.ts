/**
 * node bin/run.js bench/map.ts
 *
 * How long a map blocks the main thread of a phone: the sample in a real Chromium whose processor is slowed down four times,
 * 390 px wide. From the moment the map comes into view until it is drawn, the part of each long task beyond 50 ms counts.
 * The machine should do nothing else, because Chromium measures the time that passes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { PHONE_OPTIONS } from '../test/support/browser.ts';
import { startBrowser } from '../test/support/browser-server.ts';
import { verdict } from './figures.ts';
import { startRegistry } from './processes.ts';

const ROUNDS = 5;
const SLOWER = 4;
const TARGET_MS = 200;
const PAGES = ['/japan', '/japan/areas', '/japan/tokyo/chiyoda-ku', '/japan/id/ASSET-JP-13-00000006'];
const WATCH = `globalThis.blocked = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) blocked += Math.max(0, duration - 50);
}).observe({ type: 'longtask', buffered: true });`;

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
    const rounds: number[] = [];
    // The first round fills the caches of the service.
    for (let round = 0; round <= ROUNDS; round++) {
      const blocked = await measure(browser, path);
      if (round > 0) rounds.push(blocked);
    }
    const median = rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
    console.log(`${path}: ${rounds.map((value) => value.toFixed(0)).join(', ')} ms`);
    console.log(verdict(path, `${median.toFixed(0)} ms`, `at most ${TARGET_MS} ms`, median <= TARGET_MS));
  }
  await browser.close();
} finally {
  await stop();
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(browser: Browser, path: string): Promise<number> {
  const context = await browser.newContext({ baseURL: registry.origin, ...PHONE_OPTIONS });
  try {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    await page.goto(path, { waitUntil: 'networkidle' });
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.evaluate('blocked = 0');
    await page.locator('.map').first().scrollIntoViewIfNeeded();
    await page.locator('.map[data-drawn]').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(500);
    return Number(await page.evaluate('blocked'));
  } finally {
    await context.close();
  }
}
