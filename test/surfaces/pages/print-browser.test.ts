import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

const tabs = useBrowser();

/** About the width of A4 without margins, at 96 px an inch. */
const PAPER = { width: 688, height: 1_000 };

onSqlite('pages on paper', (fresh) => {
  let sample: ServedSample;
  let building: string;
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    building = JSON.parse((await sample.app.inject('/japan/api/v1/assets/ASSET-JP-13-00000054')).body).path;
  });
  afterAll(() => sample.close());

  it.each(['en', 'ja'])(
    'UI-97 are light, without controls, with the drawn map and headings that stay with their text: %s',
    async (lang) => {
      const { page } = await tabs.open({ origin: sample.origin, viewport: PAPER, colorScheme: 'dark' });
      const hub = building.split('/').slice(0, 4).join('/');
      const kinds = [
        '/japan',
        '/japan/areas',
        hub,
        building,
        `${building}?tab=reit`,
        '/japan/compare?id=ASSET-JP-13-00000054&id=ASSET-JP-13-00000006&id=ASSET-JP-13-00000001&id=ASSET-JP-13-00000049',
        '/japan/about',
        '/japan/api/searchAssets',
      ];
      const [seen, expected]: [unknown[], unknown[]] = [[], []];
      for (const url of kinds) {
        await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=${lang}`);
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        const found = await page.evaluate(`({
        controls: [...document.querySelectorAll('button, input, select, summary, form, canvas, nav ul a, .compare-link')]
          .filter((element) => element.checkVisibility() && element.closest('.crumbs') === null)
          .map((element) => element.outerHTML.slice(0, 80)),
        looseHeadings: [...document.querySelectorAll('h1, h2, h3, h4, h5')]
          .filter((heading) => getComputedStyle(heading).breakAfter !== 'avoid').map((heading) => heading.textContent),
        background: getComputedStyle(document.body).backgroundColor,
        ink: getComputedStyle(document.body).color,
        hiddenMaps: [...document.querySelectorAll('.map')].filter((map) => {
          const drawing = map.querySelector('svg');
          return map.checkVisibility() && drawing !== null && !drawing.checkVisibility();
        }).length,
        overflow: document.documentElement.scrollWidth - innerWidth,
      })`);
        seen.push([url, found]);
        expected.push([
          url,
          {
            controls: [],
            looseHeadings: [],
            background: 'rgb(255, 255, 255)',
            ink: 'rgb(28, 32, 36)',
            hiddenMaps: 0,
            overflow: 0,
          },
        ]);
        await page.emulateMedia({ media: 'screen' });
      }
      expect(seen).toEqual(expected);
    },
  );
});
