import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PHONE_OPTIONS, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { eventually } from '../../support/search-page.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';
import { usualOrLong } from '../../support/test-length.ts';

const tabs = useBrowser();
const BUILDING = '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000054';

const PAGES = [
  '/japan',
  '/japan/areas',
  '/japan/areas?q=zzz',
  '/japan/areas?view=table',
  '/japan/tokyo',
  BUILDING,
  ...['venues', 'sources', 'history', 'reit'].map((tab) => `${BUILDING}?tab=${tab}`),
  '/japan/compare?id=ASSET-JP-13-00000054&id=ASSET-JP-13-00000006',
  '/japan/about',
  '/japan/api',
];

/** Records every layout shift that the user did not cause. */
const WATCH = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const nodes = sources.map(({ node }) => node?.nodeName + '.' + (node?.className ?? ''));
    if (!hadRecentInput) shifts.push([value, ...nodes]);
  }
}).observe({ type: 'layout-shift', buffered: true });`;

onSqlite('the layout of the pages on a phone', (fresh) => {
  let sample: ServedSample;
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
  });
  afterAll(() => sample.close());

  it.each(PAGES)('UI-11 %s does not shift while it loads and is scrolled', async (url) => {
    // One language for each page, both with LONG_TESTS=1.
    const first = PAGES.indexOf(url) % 2 === 0 ? 'en' : 'ja';
    for (const locale of usualOrLong(1, 2) === 1 ? [first] : ['en', 'ja']) {
      const { page } = await tabs.open({ origin: sample.origin, ...PHONE_OPTIONS, locale });
      await page.addInitScript(WATCH);
      await page.goto(url, { waitUntil: 'networkidle' });
      const map = page.locator('.map').first();
      if ((await map.count()) > 0) await map.scrollIntoViewIfNeeded();
      await page.evaluate(
        'new Promise((done) => { let y = 0; const step = () => { scrollTo(0, (y += 600)); y < document.body.scrollHeight ? requestAnimationFrame(step) : setTimeout(done, 100); }; step(); })',
      );
      await page.waitForLoadState('networkidle');
      expect([url, locale, await shiftsOf(page)]).toEqual([url, locale, []]);
    }
  });

  it('a shift would be seen', async () => {
    const { page } = await tabs.open({ origin: sample.origin, ...PHONE_OPTIONS });
    await page.addInitScript(WATCH);
    await page.goto('/japan/about', { waitUntil: 'networkidle' });
    await eventually(async () => {
      await page.evaluate(
        "{ const space = document.createElement('div'); space.style.height = '100px'; document.querySelector('main').prepend(space); }",
      );
      return (await shiftsOf(page)).length;
    }).toBeGreaterThan(0);
  });
});

/** A screenshot makes Chromium draw a frame, and so report the shifts before it, even on a busy machine. */
async function shiftsOf(page: Page): Promise<unknown[]> {
  await page.screenshot();
  return (await page.evaluate('shifts')) as unknown[];
}
