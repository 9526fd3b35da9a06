import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';

const tabs = useBrowser();

onSqlite('copy buttons', (fresh) => {
  let town: ServedRegistry;
  let origin: string;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    origin = await town.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => town.close());

  const open = async (lang: string) => {
    const tab = await tabs.open({ origin, permissions: ['clipboard-read', 'clipboard-write'] });
    await tab.page.goto(`${townPath(TOWN.everything)}?lang=${lang}`);
    return tab.page;
  };
  const copied = (page: Awaited<ReturnType<typeof open>>) => page.evaluate('navigator.clipboard.readText()');

  it.each([
    [
      'en',
      'Copy Gross floor area with its source',
      /^Gross floor area 12,345\.67 m² — source: J-REIT disclosure, retrieved 1 January 2026; Tatemono ASSET-JP-13-00000001, version \d+, http:\/\/[^/]+\/japan\/id\/ASSET-JP-13-00000001$/,
      'Copied',
    ],
    [
      'ja',
      '延床面積を出典付きでコピー',
      /^延床面積 12,345\.67 m² — 出典：J-REIT開示資料（2026年1月1日取得）、Tatemono ASSET-JP-13-00000001 第\d+版、http:/,
      'コピーしました',
    ],
  ])('UI-70 copy a value with its citation by keyboard, and say so (%s)', async (lang, label, expected, said) => {
    const page = await open(lang);
    const button = page.getByRole('button', { name: label });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => copied(page)).toMatch(expected);
    expect(await button.textContent()).toBe(said);
    expect(await page.locator('.cite [role=status]').textContent()).toBe(said);
    expect(await page.evaluate('getComputedStyle(document.activeElement).opacity')).toBe('1');
  });

  it('UI-70 copy the citation, the ID and the link to the JSON', async () => {
    const page = await open('en');
    const texts: string[] = [];
    for (const name of ['Copy the citation', 'Copy the ID']) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => copied(page)).not.toBe(texts.at(-1));
      texts.push(String(await copied(page)));
    }
    expect(texts[0]).toMatch(/^“甲ビルディング”, ASSET-JP-13-00000001, version \d+ \(.*\)\. Tatemono, .* http:/);
    expect(texts[1]).toBe(TOWN.everything);
    const json = page.locator('.cite dd', { hasText: '/japan/api/v1/assets/ASSET-JP-13-00000001' }).first();
    await json.getByRole('button').click();
    await expect.poll(() => copied(page)).toBe(`${origin}/japan/api/v1/assets/${TOWN.everything}`);
  });

  it('UI-70 without permission the text is selected instead', async () => {
    const { page } = await tabs.open({ origin, permissions: [] });
    await page.goto(townPath(TOWN.everything));
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))");
    await page.getByRole('button', { name: 'Copy the ID', exact: true }).click();
    await expect.poll(() => page.evaluate('String(getSelection())')).toBe(TOWN.everything);
  });
});
