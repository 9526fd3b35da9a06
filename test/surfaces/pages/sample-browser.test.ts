import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, COLOUR_RULES, loadAxe, openFolds, WIDTH_RULES } from '../../support/axe.ts';
import { type TabOptions, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { eventually } from '../../support/search-page.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

const tabs = useBrowser();

const WARD = '/japan/tokyo/chiyoda-ku';
const RETIRED = '/japan/id/ASSET-JP-13-00000018';
const WIDTHS = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const;
/** Without WebGL, pages show static drawings instead of maps. */
const NO_WEBGL = 'HTMLCanvasElement.prototype.getContext = () => null';

onSqlite('the pages of the sample in a browser', (fresh) => {
  let sample: ServedSample;
  let building: string;
  let machiAza: string;
  /** A building with an accepted REIT publication. */
  let withHistory: string;
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    building = JSON.parse((await sample.app.inject('/japan/api/v1/assets/ASSET-JP-13-00000006')).body).path;
    withHistory = JSON.parse((await sample.app.inject('/japan/api/v1/assets/ASSET-JP-13-00000054')).body).path;
    expect((await sample.app.inject(`${withHistory}?tab=reit`)).body).toContain('class="chart"');
    machiAza = building.slice(0, building.lastIndexOf('/'));
  });
  afterAll(() => sample.close());

  const open = async (options: Partial<TabOptions> = {}, prepare?: (page: Page) => Promise<unknown>) => {
    const tab = await tabs.open({ origin: sample.origin, viewport: WIDTHS.desk, ...options });
    await prepare?.(tab.page);
    return tab;
  };
  const withoutWebGl = (page: Page) => page.addInitScript(NO_WEBGL);
  const pathOf = (page: Page) => decodeURIComponent(page.url().slice(sample.origin.length));

  const pages = (): readonly string[] => [
    '/japan',
    `/japan?prefecture=tokyo&ward=${WARD.split('/')[3]}`,
    '/japan/areas?type=office,hotel&heightMin=50&has=yearBuilt&sort=height',
    '/japan/areas?q=zzz&heightMin=9&heightMax=1&prefecture=tokyo',
    '/japan/tokyo?page=2',
    WARD,
    machiAza,
    building,
    ...['venues', 'sources', 'history', 'reit'].map((tab) => `${building}?tab=${tab}`),
    `${withHistory}?tab=reit`,
    '/japan/about',
    '/japan/api',
    '/japan/areas?view=table',
    '/japan/compare?id=ASSET-JP-13-00000006&id=ASSET-JP-13-00000007',
    `/japan/owners/${encodeURIComponent('三菱地所')}`,
    '/japan/nowhere',
    RETIRED,
  ];

  it.each([
    ['phone', 'en', WIDTHS.phone],
    ['desk', 'en', WIDTHS.desk],
    ['tablet', 'ja', { width: 820, height: 1180 }],
  ] as const)(
    'UI-01 on a %s, in %s, every page passes axe and fits the width',
    async (name, locale, viewport) => {
      const tab = await open({ viewport, locale, bypassCSP: true, isMobile: name !== 'desk' }, withoutWebGl);
      const { page } = tab;
      await loadAxe(page);
      for (const url of pages()) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(url);
        expect([url, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([url, 0]);
        // With its folds open, a phone and a tablet show everything that a desk shows.
        if (name !== 'desk') await openFolds(page);
        const rules = name === 'desk' ? WIDTH_RULES : undefined;
        expect([url, await axeViolations(page, { rules })]).toEqual([url, []]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect([url, await axeViolations(page, { rules: COLOUR_RULES })]).toEqual([url, []]);
        // Chromium reports the expected 404 as an error.
        if (url === '/japan/nowhere' || url === RETIRED) expect(tab.takeFaults()).toHaveLength(1);
      }
    },
    180_000,
  );

  describe('without scripts', () => {
    it('PAG-02 the filters, the pages and the tabs work', async () => {
      const { page } = await open({ javaScriptEnabled: false });
      await page.goto('/japan');
      await page.locator('main form[role=search] input').fill('ビル');
      await page.locator('main form[role=search] button').click();
      expect(pathOf(page)).toBe('/japan/areas?q=ビル');
      await page.locator('form[data-filters] input[value=office]').check();
      await page.locator('form[data-filters] input[name=heightMin]').fill('30');
      await page.locator('form[data-filters] select').selectOption('height');
      await page.getByRole('button', { name: 'Apply filters' }).click();
      const params = new URL(page.url()).searchParams;
      expect([params.get('q'), params.get('type'), params.get('heightMin'), params.get('sort')]).toEqual([
        'ビル',
        'office',
        '30',
        'height',
      ]);
      expect(await page.locator('.cards li').count()).toBeGreaterThan(0);
      await page.goto('/japan/areas');
      await page.getByRole('link', { name: 'Next' }).click();
      expect(pathOf(page)).toBe('/japan/areas?page=2');
      await page.locator('.cards h3 a').first().click();
      for (const tab of ['Venues', 'Sources', 'History', 'REIT history']) {
        await page.locator('nav.tabs a', { hasText: new RegExp(`^${tab}`) }).click();
        expect(await page.locator('nav.tabs [aria-current=page]').textContent()).toContain(tab);
      }
      expect(await page.locator('h1').count()).toBe(1);
    });
  });

  describe('with scripts', () => {
    it('the filters are submitted on change, without empty fields', async () => {
      const { page } = await open({}, withoutWebGl);
      await page.goto('/japan/areas');
      await page.locator('form[data-filters] input[value=hotel]').check();
      await eventually(() => pathOf(page)).toBe('/japan/areas?type=hotel');
      await page.locator('form[data-filters] select').selectOption('built');
      await eventually(() => pathOf(page)).toBe('/japan/areas?sort=built&type=hotel');
      await page.locator('form[data-filters] input[name=floorsMin]').fill('5');
      await page.keyboard.press('Enter');
      await eventually(() => pathOf(page)).toBe('/japan/areas?sort=built&type=hotel&floorsMin=5');
      await page.goBack();
      await eventually(() => pathOf(page)).toBe('/japan/areas?sort=built&type=hotel');
      expect(await page.locator('form[data-filters] :disabled').count()).toBe(0);
    });

    it('on a phone the filters start closed and can be opened', async () => {
      const { page } = await open({ viewport: WIDTHS.phone, isMobile: true, hasTouch: true }, withoutWebGl);
      await page.goto(WARD);
      const box = page.locator('form[data-filters] input[name=type]').first();
      await eventually(() => box.isVisible()).toBe(false);
      await page.locator('form[data-filters] summary').click();
      expect(await box.isVisible()).toBe(true);
    });

    it('the citation can be copied', async () => {
      const { page, context } = await open({}, withoutWebGl);
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sample.origin });
      await page.goto(building);
      await page.getByRole('button', { name: 'Copy the citation' }).click();
      await page.getByText('Copied').first().waitFor();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(copied.trim()).toBe((await page.locator('.quote [data-copy]').textContent())?.trim());
      expect(copied).toContain('ASSET-JP-13-00000006');
    });

    it('a printed page fits the paper and omits navigation', async () => {
      const { page } = await open({ viewport: { width: 700, height: 990 } }, withoutWebGl);
      await page.emulateMedia({ media: 'print' });
      for (const url of [building, WARD, '/japan/about']) {
        await page.goto(url);
        expect(await page.locator('.top nav').isVisible()).toBe(false);
        expect(await page.locator('h1').isVisible()).toBe(true);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
    });

    it('the first scripts of a page are small and immutable', async () => {
      const { page } = await open({}, withoutWebGl);
      const loaded: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'script') loaded.push(new URL(request.url()).pathname);
      });
      await page.goto(building, { waitUntil: 'networkidle' });
      expect(loaded.length).toBeGreaterThan(1);
      let bytes = 0;
      for (const url of loaded) {
        const { headers, rawPayload } = await sample.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
        expect(headers['cache-control']).toContain('immutable');
        expect(gunzipSync(rawPayload).length).toBeGreaterThan(rawPayload.length);
        bytes += rawPayload.length;
      }
      expect(bytes).toBeLessThan(15_000);
    });
  });

  describe('maps', () => {
    const isLibrary = (url: string) => url.includes('/maplibre-gl');

    it('a map loads when it comes into view, and draws tiles', async () => {
      const { page } = await open({ viewport: { width: 1000, height: 300 } });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(building, { waitUntil: 'networkidle' });
      expect(requested.filter(isLibrary)).toEqual([]);
      expect(await page.locator('.map > svg').count()).toBe(1);
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.locator('.map[data-drawn]').waitFor();
      expect(requested.filter(isLibrary).length).toBeGreaterThan(0);
      expect(requested.some((url) => url.includes('/japan/tiles/'))).toBe(true);
      expect(await page.locator('.map > svg').isVisible()).toBe(false);
      expect(await page.locator('.map canvas').count()).toBe(1);
      expect(await axeViolations(page, { within: '.map' })).toEqual([]);
    });

    it.each(['/japan', '/japan/areas', WARD])('the map of %s is drawn', async (url) => {
      const { page } = await open();
      await page.goto(url);
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.locator('.map[data-drawn]').waitFor();
    });

    it('without WebGL the static drawing stays and no map file is loaded', async () => {
      const { page } = await open({}, withoutWebGl);
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(building);
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.waitForLoadState('networkidle');
      expect(requested.filter((url) => isLibrary(url) || url.includes('/tiles/'))).toEqual([]);
      expect(await page.locator('.map > svg').isVisible()).toBe(true);
    });

    it('if tiles fail, the static drawing stays', async () => {
      const tab = await open({}, (page) => page.route('**/japan/tiles/**', (route) => route.abort()));
      await tab.page.goto(building);
      const failed = tab.page.waitForEvent('requestfailed', {
        predicate: (request) => request.url().includes('/tiles/'),
      });
      await tab.page.locator('.map').scrollIntoViewIfNeeded();
      await failed;
      await tab.page.waitForLoadState('networkidle');
      expect(await tab.page.locator('.map > svg').isVisible()).toBe(true);
      expect(
        await tab.page.locator('.map > svg').evaluate((svg) => {
          const { left, top, width, height } = svg.getBoundingClientRect();
          return svg.contains(svg.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
        }),
      ).toBe(true);
      for (const fault of tab.takeFaults()) expect(fault).toContain('ERR_FAILED');
    });

    it('if the library fails, the static drawing stays', async () => {
      const tab = await open({}, (page) => page.route('**/maplibre-gl*', (route) => route.abort()));
      await tab.page.goto(building);
      await tab.page.locator('.map').scrollIntoViewIfNeeded();
      await eventually(() => tab.takeFaults().length).toBeGreaterThan(0);
      await tab.page.waitForLoadState('networkidle');
      expect(await tab.page.locator('.map > svg').isVisible()).toBe(true);
      tab.takeFaults();
    });
  });
});
