import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations, COLOUR_RULES, loadAxe, openFolds, WIDTH_RULES } from '../../support/axe.ts';
import { useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';

const tabs = useBrowser();
const PAGES = [
  `/japan/compare?id=${TOWN.everything}&id=${TOWN.inheriting}&id=${TOWN.planned}&id=${TOWN.retired}`,
  '/japan/compare',
  `/japan/owners/${encodeURIComponent('丁投資法人')}`,
  '/japan/areas?view=table&sort=height',
  townPath(TOWN.everything),
];

onSqlite('owner pages, tables and comparisons in a browser', (fresh) => {
  let town: ServedRegistry;
  let origin: string;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    origin = await town.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => town.close());

  it.each([
    [390, 'en', undefined],
    [390, 'ja', WIDTH_RULES],
    [1440, 'en', WIDTH_RULES],
    [1440, 'ja', undefined],
  ])('UI-62, UI-65, UI-67: pass axe and fit the width of %i px (%s)', async (width, lang, rules) => {
    const { page } = await tabs.open({ origin, viewport: { width, height: 900 }, bypassCSP: true });
    await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
    await loadAxe(page);
    for (const path of PAGES) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0]);
      await openFolds(page);
      expect([path, await axeViolations(page, { rules })]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([path, await axeViolations(page, { rules: COLOUR_RULES })]).toEqual([path, []]);
    }
  });

  it('UI-68: without scripts, ticked buildings are compared', async () => {
    const { page } = await tabs.open({ origin, javaScriptEnabled: false });
    await page.goto('/japan/areas?view=table&sort=height');
    const boxes = page.locator('.listing input[type=checkbox]');
    for (const at of [0, 2]) await boxes.nth(at).check();
    await page.locator('#compare-form button').click();
    expect(new URL(page.url()).pathname).toBe('/japan/compare');
    expect(await page.locator('.compare thead code').count()).toBe(2);
    await page.getByRole('link', { name: 'Only differences' }).click();
    expect(new URL(page.url()).searchParams.get('only')).toBe('differences');
  });

  it('UI-68: with scripts, a fifth box cannot be ticked, and the form says how many are', async () => {
    const { page } = await tabs.open({ origin });
    await page.goto('/japan/areas?lang=ja');
    const boxes = page.locator('.cards input[type=checkbox]');
    for (const at of [0, 1, 2, 3]) await boxes.nth(at).check();
    expect(await boxes.nth(4).isDisabled()).toBe(true);
    expect(await page.locator('#compare-form [role=status]').textContent()).toBe('4棟中4棟を選択中');
    await boxes.nth(0).uncheck();
    expect(await boxes.nth(4).isDisabled()).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/japan/areas');
  });

  it('UI-68: ticked buildings stay selected while the list changes, even those that it no longer has', async () => {
    const { page } = await tabs.open({ origin });
    await page.goto('/japan/areas?sort=name');
    const boxes = page.locator('.cards input[type=checkbox]');
    const ids = await Promise.all([0, 1].map((at) => boxes.nth(at).getAttribute('value')));
    for (const at of [0, 1]) await boxes.nth(at).check();
    const status = page.locator('#compare-form [role=status]');
    const search = async (q: string, found: RegExp) => {
      await page.locator('#filter-q').fill(q);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.total').textContent(), { timeout: 10_000 }).toMatch(found);
    };
    await search(ids[0] as string, /^1 building found/);
    expect(await boxes.nth(0).isChecked()).toBe(true);
    expect(await status.textContent()).toBe('2 of 4 selected');
    await search('nowhere-to-be-found', /^0 buildings/);
    await search('', /^52 buildings$/);
    expect([await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()]).toEqual([true, true]);
    await search(ids[1] as string, /^1 building found/);
    await page.locator('#compare-form button').click();
    expect(new URL(page.url()).searchParams.getAll('id').sort()).toEqual(ids.sort());
  });

  it.each(['en', 'ja'])(
    'UI-65: the default columns of a table fit a wide screen and a printed page: %s',
    async (lang) => {
      const { page } = await tabs.open({ origin, viewport: { width: 1440, height: 900 } });
      await page.goto(`/japan/areas?view=table&lang=${lang}`);
      // Both widths are rounded: a table that is a fraction of a pixel wider, with the fonts of some machines, differs by one.
      const overflow = (selector: string) =>
        page.evaluate<number>(
          `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${selector}'))`,
        );
      expect(await overflow('.scroll:has(.listing)')).toBeLessThanOrEqual(1);
      // A4 without its margins.
      await page.setViewportSize({ width: 688, height: 1_000 });
      await page.emulateMedia({ media: 'print' });
      expect(await overflow('html')).toBe(0);
    },
  );
});
