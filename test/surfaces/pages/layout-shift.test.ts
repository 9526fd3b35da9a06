import { afterAll, beforeAll, expect, it } from 'vitest';
import { PHONE_OPTIONS, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

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
    for (const locale of ['en', 'ja']) {
      const { page } = await tabs.open({ origin: sample.origin, ...PHONE_OPTIONS, locale });
      await page.addInitScript(WATCH);
      await page.goto(url, { waitUntil: 'networkidle' });
      const map = page.locator('.map').first();
      if ((await map.count()) > 0) await map.scrollIntoViewIfNeeded();
      await page.evaluate(
        'new Promise((done) => { let y = 0; const step = () => { scrollTo(0, (y += 600)); y < document.body.scrollHeight ? requestAnimationFrame(step) : setTimeout(done, 100); }; step(); })',
      );
      await page.waitForLoadState('networkidle');
      expect([url, locale, await page.evaluate('shifts')]).toEqual([url, locale, []]);
    }
  });

  it('a shift would be seen', async () => {
    const { page } = await tabs.open({ origin: sample.origin, ...PHONE_OPTIONS });
    await page.addInitScript(WATCH);
    await page.goto('/japan/about', { waitUntil: 'networkidle' });
    await page.evaluate(
      "new Promise((done) => { const space = document.createElement('div'); space.style.height = '200px'; document.querySelector('main').prepend(space); requestAnimationFrame(done); })",
    );
    await page.waitForFunction('shifts.length > 0');
  });
});
