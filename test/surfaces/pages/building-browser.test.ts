import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { AREA, AREAS, building, id, record } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { assetUrl } from '../../support/serving.ts';

const tabs = useBrowser();

onSqlite('a building page in a browser', (fresh) => {
  let served: ServedRegistry;
  let origin: string;
  let path: string;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest([...AREAS, building(1, { nameJa: '甲ビル', heightM: 238.5, floorsAbove: 54, floorsBelow: 6 })]);
    const measured = { building: id(1), area: AREA, retrievedAt: '2026-02-01T00:00:00Z' };
    await served.ingest([record('plateau', 'b1', { heightM: 240.25 }, measured)]);
    path = (JSON.parse((await served.get(assetUrl(id(1)))).body) as BuildingPage).path;
    origin = await served.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => served.close());

  it.each([
    ['en', 390],
    ['ja', 390],
    ['en', 360],
    ['en', 820],
    ['en', 1000],
    ['ja', 1440],
  ])('UI-94 the text of the drawings is at least 11 px high and not cut off: %s at %i px', async (lang, width) => {
    const { page } = await tabs.open({ origin, viewport: { width, height: 844 }, javaScriptEnabled: false });
    await page.goto(`${path}?lang=${lang}`);
    // The box of a text is about 3 px higher than its glyphs.
    const texts = (await page.evaluate(`[...document.querySelectorAll('.pictogram text, .outline text')].map((text) => {
      const [frame, box] = [text.ownerSVGElement.getBoundingClientRect(), text.getBoundingClientRect()];
      return {
        size: parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a,
        isCut: box.left < frame.left || box.right > frame.right || box.top < frame.top - 3 || box.bottom > frame.bottom,
      };
    })`)) as { size: number; isCut: boolean }[];
    expect(texts.length).toBeGreaterThan(5);
    expect(Math.min(...texts.map(({ size }) => size))).toBeGreaterThanOrEqual(11);
    expect(texts.filter(({ isCut }) => isCut)).toEqual([]);
  });

  it.each([
    ['history', 'en', ['Before', 'After']],
    ['history', 'ja', ['変更前', '変更後']],
    ['sources', 'en', ['Statement', 'Outcome']],
  ] as const)(
    'UI-98 on a phone the cells of the %s show the labels of their columns: %s',
    async (tab, lang, labels) => {
      const { page } = await tabs.open({ origin, viewport: { width: 390, height: 844 } });
      await page.goto(`${path}?tab=${tab}&lang=${lang}`);
      const shown = (await page.evaluate(`[...document.querySelectorAll('article tbody td')].map((cell) =>
      getComputedStyle(cell, '::before').content)`)) as string[];
      expect([...new Set(shown)]).toEqual(labels.map((label) => `"${label}"`));
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    },
  );
});
