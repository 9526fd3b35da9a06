import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../src/surfaces/pages/catalogue/catalogue.ts';
import type { Language } from '../../../src/surfaces/pages/catalogue/language.ts';
import { axeViolations } from '../../support/axe.ts';
import { PHONE_OPTIONS, type TabOptions, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { eventually } from '../../support/search-page.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

const tabs = useBrowser();

onSqlite('maps in a browser', (fresh) => {
  let sample: ServedSample;
  let building: string;
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    building = JSON.parse((await sample.app.inject('/japan/api/v1/assets/ASSET-JP-13-00000006')).body).path;
  });
  afterAll(() => sample.close());

  async function openMap(path: string, options: Partial<TabOptions> = {}): Promise<Page> {
    const { page } = await tabs.open({ origin: sample.origin, viewport: { width: 1000, height: 800 }, ...options });
    await page.goto(path);
    await page.locator('.map').scrollIntoViewIfNeeded();
    await page.locator('.map[data-drawn] .map-panel').waitFor();
    return page;
  }
  const openPanel = (page: Page) => page.evaluate("document.querySelector('.map-panel').open = true");
  const legendOf = (page: Page) => page.locator('.map-panel li').allTextContents();

  it('UI-83 a legend explains the colours, and the keyboard changes them', async () => {
    const page = await openMap(building);
    const { words } = CATALOGUE.en.map;
    await openPanel(page);
    expect(await legendOf(page)).toEqual([words.thisBuilding, ...Object.values(words.uses), words.unknown]);
    await page.getByRole('radio', { name: words.schemes.use }).focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => legendOf(page)).toEqual([words.thisBuilding, ...words.years, words.unknown]);
    await page.keyboard.press('ArrowRight');
    await eventually(() => legendOf(page)).toEqual([words.thisBuilding, ...words.heights, words.unknown]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByRole('checkbox', { name: words.inThreeDimensions }).isChecked()).toBe(true);
    expect(page.url()).toBe(`${sample.origin}${building}`);
  });

  it.each<[Language, 'light' | 'dark']>([
    ['en', 'light'],
    ['en', 'dark'],
    ['ja', 'light'],
    ['ja', 'dark'],
  ])(
    'UI-83 UI-87 in %s and %s, Enter opens the building in the middle, and the popup can be closed',
    async (lang, colorScheme) => {
      const page = await openMap('/japan/areas?q=ASSET-JP-13-00000006', { locale: lang, colorScheme });
      const { words } = CATALOGUE[lang].map;
      const canvas = page.locator('.maplibregl-canvas');
      expect(await canvas.getAttribute('aria-label')).toBe(`${words.mapOfBuildings}. ${words.keys}`);
      await canvas.focus();
      await page.keyboard.press('Enter');
      const link = page.locator('.maplibregl-popup a');
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe('/japan/id/ASSET-JP-13-00000006');
      const close = page.getByRole('button', { name: words.controls['Popup.Close'] as string });
      const [colour, ground, width] = (await page.evaluate(`(() => {
      const button = document.querySelector('.maplibregl-popup-close-button');
      const { backgroundColor } = getComputedStyle(button.closest('.maplibregl-popup-content'));
      return [getComputedStyle(button).color, backgroundColor, button.getBoundingClientRect().width];
    })()`)) as [string, string, number];
      expect(contrast(colour, ground)).toBeGreaterThan(4.5);
      expect(width).toBeGreaterThanOrEqual(24);
      expect(await axeViolations(page, { within: '.map' })).toEqual([]);
      await close.press('Enter');
      expect(await page.locator('.maplibregl-popup').count()).toBe(0);
      await expectFocus(page, 'maplibregl-canvas');
    },
  );

  it('UI-84 the map of a list asks for all of its buildings, with its filters', async () => {
    const { page } = await tabs.open({ origin: sample.origin, viewport: { width: 1000, height: 800 } });
    const asked = page.waitForResponse((response) => response.url().includes('/japan/map-points'));
    await page.goto('/japan/tokyo?type=office&heightMin=100&sort=height&page=2');
    await page.locator('.map').scrollIntoViewIfNeeded();
    const response = await asked;
    expect(new URL(response.url()).search).toBe('?prefecture=tokyo&type=office&heightMin=100');
    const { total, located } = await response.json();
    expect(located).toBeGreaterThan(20);
    expect(await page.locator('.total').textContent()).toContain(String(total));
  });

  it('UI-83 a label follows the pointer', async () => {
    const page = await openMap('/japan/areas?q=ASSET-JP-13-00000006');
    const { x, y, width, height } = (await page.locator('.map').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + 20, y + height - 20);
    await eventually(async () => {
      // The map may not have drawn the building yet.
      await page.mouse.move(x + width / 2 + Math.random(), y + height / 2);
      return (await page.locator('.map-hover:visible').allTextContents()).join('');
    }).toContain('Roppongi Hills Mori Tower');
  });

  it('UI-86 print has the drawing and not the map', async () => {
    for (const path of [building, '/japan/areas']) {
      const page = await openMap(path);
      expect(await page.locator('.map > svg').isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.map > svg').isVisible()).toBe(true);
      expect(await page.locator('.map canvas').isVisible()).toBe(false);
    }
  });

  it('UI-85 a base map lies below the buildings', async () => {
    const baseMap = { url: 'http://127.0.0.1/base/{z}/{x}/{y}.png', attribution: '© Base' };
    const withBase = await openServedSample(await fresh(), { baseMap });
    try {
      const tab = await tabs.open({ origin: withBase.origin, viewport: { width: 1000, height: 800 } });
      const headers = { 'access-control-allow-origin': '*' };
      await tab.page.route('http://127.0.0.1/base/**', (route) =>
        route.fulfill({ body: RED_TILE, contentType: 'image/png', headers }),
      );
      await tab.page.goto(building);
      await tab.page.locator('.map').scrollIntoViewIfNeeded();
      await tab.page.locator('.map[data-drawn] .map-panel').waitFor();
      // The base map is red and fills the gaps between buildings; the building in the middle covers it.
      await eventually(async () => (await readPixels(tab.page)).red > 0.3).toBe(true);
      const { middle } = await readPixels(tab.page);
      expect(middle).not.toEqual([255, 0, 0]);
      expect(await tab.page.locator('.map').textContent()).toContain('© Base');
      for (const fault of tab.takeFaults()) expect(fault).toContain('http://127.0.0.1/base/');
    } finally {
      await withBase.close();
    }
  });

  it('UI-88 a map moves nothing on the page', async () => {
    for (const path of ['/japan', '/japan/areas', building]) {
      const { page } = await tabs.open({ origin: sample.origin, ...PHONE_OPTIONS });
      await page.addInitScript(`self.shifts = [];
        new PerformanceObserver((list) => self.shifts.push(...list.getEntries().filter((entry) => !entry.hadRecentInput).map((entry) => entry.value)))
          .observe({ type: 'layout-shift', buffered: true });`);
      await page.goto(path);
      await page.locator('.map').scrollIntoViewIfNeeded();
      await page.locator('.map[data-drawn] .map-panel').waitFor();
      expect([path, await page.evaluate('self.shifts')]).toEqual([path, []]);
    }
  });

  describe('the static drawing', () => {
    it('UI-80 UI-86 has the outlines of the prefectures where they are not too coarse', async () => {
      const drawingOf = async (path: string) =>
        /<svg class="dots.*?<\/svg>/s.exec((await sample.app.inject(path)).body)?.[0];
      expect(await drawingOf('/japan/areas')).toMatch(/<path class="land" d="M/);
      expect(await drawingOf('/japan/tokyo/chiyoda-ku')).not.toContain('class="land"');
      const located = (await sample.app.inject('/japan/map-points?type=hotel')).json().located;
      expect((await drawingOf('/japan/areas?type=hotel'))?.match(/<circle/g)).toHaveLength(located);
    });
  });
});

async function expectFocus(page: Page, className: string): Promise<void> {
  await eventually(() => page.evaluate('document.activeElement.className')).toContain(className);
}

/** WCAG's ratio of two colours given as rgb(…). */
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** One red pixel. */
const RED_TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** The share of red pixels in a picture of the map, and the pixel in the middle. The browser decodes the picture. */
async function readPixels(page: Page): Promise<{ red: number; middle: number[] }> {
  const shot = (await page.locator('.map').screenshot()).toString('base64');
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${shot}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let red = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 240 && data[i + 1] < 20 && data[i + 2] < 20) red += 1;
    const middle = 4 * (Math.floor(image.height / 2) * image.width + Math.floor(image.width / 2));
    return { red: red / (image.width * image.height), middle: [...data.slice(middle, middle + 3)] };
  })()`);
}
