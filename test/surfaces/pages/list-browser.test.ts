import { afterAll, beforeAll, expect, it } from 'vitest';
import { PHONE_OPTIONS, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { openPageTown, TOWN } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';

const tabs = useBrowser();

onSqlite('a list in a browser', (fresh) => {
  let town: ServedRegistry;
  let origin: string;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    origin = await town.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => town.close());

  const open = async (path: string, options = {}) => {
    const { page } = await tabs.open({ origin, ...options });
    await page.goto(path);
    return page;
  };
  type Page = Awaited<ReturnType<typeof open>>;
  const total = (page: Page) => page.locator('.total').textContent();
  const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 });
  const focusedField = (page: Page) =>
    page.evaluate(`(() => { const { name, value } = document.activeElement; return name + '=' + value; })()`);

  it('UI-53 ticking a box updates the list in place, keeps the focus, announces the result, and the back button works', async () => {
    const page = await open('/japan/areas?sort=name');
    await page.evaluate(`(window.same = true)`);
    const box = page.locator('input[name=type][value=hotel]');
    await box.focus();
    await page.keyboard.press('Space');
    await eventually(() => total(page)).toBe('2 buildings found');
    expect(await focusedField(page)).toBe('type=hotel');
    expect(new URL(page.url()).search).toBe('?sort=name&type=hotel');
    expect(await page.title()).toBe('Hotels in Japan · Tatemono');
    expect(await page.locator('main > p.sr[role=status]').textContent()).toBe('2 buildings found');
    expect(await page.locator('.cards > li').count()).toBe(2);
    // The links to other areas keep the new filter.
    expect(await page.locator('.inside li a').first().getAttribute('href')).toContain('type=hotel');
    await page.keyboard.press('Space');
    await eventually(() => total(page)).toBe('52 buildings');
    expect(await focusedField(page)).toBe('type=hotel');
    await page.goBack();
    await eventually(() => total(page)).toBe('2 buildings found');
    expect(await page.locator('input[name=type][value=hotel]').isChecked()).toBe(true);
    await page.goBack();
    await eventually(() => total(page)).toBe('52 buildings');
    expect(await page.locator('input[name=type][value=hotel]').isChecked()).toBe(false);
    expect(await page.evaluate('window.same')).toBe(true);
  });

  it('UI-53 arrow keys in a list of choices and in a number field neither leave the page nor lose the focus', async () => {
    const page = await open('/japan/areas');
    await page.evaluate(`(window.same = true)`);
    await page.locator('#filter-sort').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await eventually(async () => new URL(page.url()).search).toBe('?sort=height');
    expect(await focusedField(page)).toBe('sort=height');
    const least = page.locator('input[name=heightMin]');
    await least.focus();
    await page.keyboard.type('49');
    await page.keyboard.press('ArrowUp');
    await eventually(() => total(page)).toBe('7 buildings found');
    expect(await focusedField(page)).toBe('heightMin=50');
    await page.locator('#filter-q').focus();
    await page.keyboard.type('塔');
    await page.keyboard.press('Enter');
    await eventually(async () => new URL(page.url()).searchParams.get('q')).toBe('塔');
    expect(await focusedField(page)).toBe('q=塔');
    expect(await page.evaluate('window.same')).toBe(true);
  });

  it('UI-53 the Apply button works without JavaScript', async () => {
    const page = await open('/japan/areas', { javaScriptEnabled: false });
    await page.locator('#filter-q').fill('塔');
    await page.locator('#filter-sort').selectOption('height');
    await page.locator('input[name=type][value=office]').check();
    await page.locator('form[data-filters] button').click();
    expect(await page.locator('.total').textContent()).toMatch(/buildings found$/);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('q'), searchParams.get('type'), searchParams.get('sort')]).toEqual([
      '塔',
      'office',
      'height',
    ]);
    expect(await page.locator('form[data-filters] details').getAttribute('open')).toBe('');
  });

  it.each(['en', 'ja'])('UI-52 on a phone the results begin within the first screen: %s', async (lang) => {
    const owner = `/japan/owners/${encodeURIComponent('丁投資法人')}`;
    const long = '/japan/areas?q=%E5%A1%94&has=noConflict&heightMin=1&floorsMin=1&builtMax=2999';
    for (const path of [
      '/japan/areas',
      '/japan/areas?q=%E5%A1%94&has=noConflict',
      long,
      '/japan/tokyo/chiyoda-ku',
      owner,
    ]) {
      const page = await open(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, PHONE_OPTIONS);
      const top = await page
        .locator('.cards .card')
        .first()
        .evaluate((card) => card.getBoundingClientRect().top);
      expect([path, top < PHONE_OPTIONS.viewport.height - 60]).toEqual([path, true]);
      expect(await page.locator('form[data-filters] details').getAttribute('open')).toBe(null);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
  });

  it('UI-52 "More filters" stays as the reader left it, and open while one is in use', async () => {
    const page = await open('/japan/areas', PHONE_OPTIONS);
    const isOpen = () =>
      page.locator('form[data-filters] details').evaluate((details) => (details as never as { open: boolean }).open);
    expect(await isOpen()).toBe(false);
    await page.locator('form[data-filters] summary').click();
    await page.locator('input[name=has][value=owner]').check();
    await eventually(() => total(page)).toMatch(/found$/);
    expect(await isOpen()).toBe(true);
    await page.reload();
    expect(await isOpen()).toBe(true);
    await page.goto('/japan/tokyo');
    expect(await isOpen()).toBe(true);
    const other = await open('/japan/areas?has=owner', PHONE_OPTIONS);
    expect(await other.locator('form[data-filters] summary').textContent()).toContain('1 in use');
    const plain = await open('/japan/areas?has=owner', { ...PHONE_OPTIONS, javaScriptEnabled: false });
    expect(await plain.locator('form[data-filters] details').getAttribute('open')).toBe('');
  });

  it('UI-52 a list can be used with the keyboard alone, and every focus ring is whole', async () => {
    const page = await open('/japan/areas?q=%E5%A1%94&sort=name');
    const seen: string[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const where: string = await page.evaluate(`(() => {
        const e = document.activeElement;
        return [e.closest('form[data-filters]') ? 'form' : e.closest('.cards') ? 'cards' : e.closest('.active') ? 'active' : 'other', e.tagName, e.name ?? ''].join(' ');
      })()`);
      seen.push(where);
      // Neither the element that shows the ring nor any around it may cut it off.
      const cut: string = await page.evaluate(`(() => {
        const focused = document.activeElement;
        if (focused.closest('.card h3')) {
          const ring = getComputedStyle(focused, '::after');
          return ring.outlineStyle === 'solid' ? '' : 'card without ring';
        }
        const box = focused.getBoundingClientRect();
        for (let e = focused.parentElement; e; e = e.parentElement) {
          const style = getComputedStyle(e);
          if (getComputedStyle(focused).outlineOffset.startsWith('-')) continue;
          if (style.overflow === 'visible' || e === document.documentElement || e === document.body) continue;
          const around = e.getBoundingClientRect();
          if (box.top - 3 < around.top - 1 || box.left - 3 < around.left - 1) return e.className + ' cuts ' + focused.outerHTML.slice(0, 80);
        }
        return '';
      })()`);
      expect(cut).toBe('');
      if (where.startsWith('cards A')) break;
    }
    expect(seen).toEqual(expect.arrayContaining(['form INPUT q', 'form SELECT sort', 'form BUTTON ', 'active A ']));
    await page.keyboard.press('Enter');
    await page.waitForURL(/ASSET-JP/);
  });

  it('UI-41 Enter on the ID of a merged building leads to its survivor', async () => {
    const page = await open('/japan');
    await page.locator('#search').fill(TOWN.chain[0]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/areas/);
    await page.locator('.former .card a').click();
    await page.waitForURL(new RegExp(TOWN.chain[2]));
  });
});
