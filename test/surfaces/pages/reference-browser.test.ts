import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations, COLOUR_RULES, loadAxe } from '../../support/axe.ts';
import { type TabOptions, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';
import { usualOrLong } from '../../support/test-length.ts';

const tabs = useBrowser();
const run = promisify(execFile);
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

onSqlite('the API reference in a browser', (fresh) => {
  let sample: ServedSample;
  let topics: string[];
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    const { body } = await sample.app.inject('/japan/api');
    topics = [...new Set(body.match(/(?<=href=")\/japan\/api\/(?!v1)[^"#]+/g))];
    expect(topics.length).toBeGreaterThan(50);
  });
  afterAll(() => sample.close());

  const open = async (url: string, options: Partial<TabOptions> = {}): Promise<Page> => {
    const { page } = await tabs.open({ origin: sample.origin, viewport: DESK, ...options });
    await page.goto(url);
    return page;
  };
  const status = (page: Page) => page.locator('[data-answer=status]').textContent();

  it.each([
    ['en', PHONE],
    ['ja', PHONE],
    ['en', DESK],
    ['ja', DESK],
  ] as const)('UI-90 every topic is shorter than 6,000 px and fits the width: %s %o', async (lang, viewport) => {
    const page = await open('/japan/api', { viewport });
    // Every fourth topic at the other sizes, all of them with LONG_TESTS=1.
    const step = viewport.width === 390 && lang === 'en' ? 1 : usualOrLong(4, 1);
    for (const url of topics.filter((_, i) => i % step === 0)) {
      await page.goto(`${url}?lang=${lang}`);
      const [height, overflow] = (await page.evaluate(
        '[document.documentElement.scrollHeight, document.documentElement.scrollWidth - innerWidth]',
      )) as [number, number];
      expect([url, overflow]).toEqual([url, 0]);
      expect([url, height < 6_000 ? 'short' : height]).toEqual([url, 'short']);
    }
  });

  it.each(['en', 'ja'])(
    'UI-90 topics and answers pass axe in both colour schemes: %s',
    async (lang) => {
      const { page } = await tabs.open({ origin: sample.origin, viewport: DESK, bypassCSP: true });
      await loadAxe(page);
      for (const topic of ['searchAssets', 'getAssetReit', 'schemas/Fields', 'schemas/ReitMeasure']) {
        await page.goto(`/japan/api/${topic}?lang=${lang}`);
        if (!topic.includes('/')) {
          await page.click('form[data-try] button');
          await page.locator('[data-answer=panel]').waitFor();
        }
        expect([topic, await axeViolations(page)]).toEqual([topic, []]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect([topic, await axeViolations(page, { rules: COLOUR_RULES })]).toEqual([topic, []]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
    },
    60_000,
  );

  it('UI-90 the try-it panel shows the answer in place: status, time, headers and the whole JSON', async () => {
    const page = await open('/japan/api/searchAssets');
    expect(await page.locator('[data-answer=panel]').isVisible()).toBe(false);
    await page.fill('#try-q', '東京駅');
    await page.click('form[data-try] button');
    await page.locator('[data-answer=panel]').waitFor();
    expect(await status(page)).toBe('200 OK');
    expect(await page.locator('[data-answer=time]').textContent()).toMatch(/^\d+$/);
    expect(await page.locator('[data-header=ETag]').textContent()).toMatch(/^"/);
    const body = await page.locator('[data-answer=body]').textContent();
    expect(body).toMatch(/^\{\n {2}"items": \[/);
    expect(await page.locator('[data-answer=url]').getAttribute('href')).toContain('/japan/api/v1/assets?q=');
    expect(page.url()).toBe(`${sample.origin}/japan/api/searchAssets`);
  });

  it('UI-90 a refused request and a long answer are shown, a lost connection is said', async () => {
    const tab = await tabs.open({ origin: sample.origin, viewport: DESK });
    const { page } = tab;
    await page.goto('/japan/api/searchAssets?lang=ja');
    await page.fill('#try-page', 'x');
    await page.click('form[data-try] button');
    await page.locator('[data-answer=panel]').waitFor();
    expect(await status(page)).toBe('400 Bad Request');
    expect(await page.locator('[data-answer=body]').textContent()).toContain('must be a positive integer');
    // Chromium reports a refused request as an error.
    expect(tab.takeFaults()).toHaveLength(1);

    await page.fill('#try-page', '');
    await page.fill('#try-q', '');
    await page.click('form[data-try] button');
    await page.locator('[data-answer=cut]').waitFor();
    expect((await page.locator('[data-answer=body]').textContent())?.length).toBeLessThanOrEqual(20_000);

    await page.route('**/v1/assets*', (route) => route.abort());
    await page.click('form[data-try] button');
    await page.locator('[data-answer=failed]').waitFor();
    expect(await page.locator('[data-answer=panel]').isVisible()).toBe(false);
    expect(await page.locator('[data-answer=failed]').textContent()).toContain('応答を受信できませんでした');
    tab.takeFaults();
  });

  it('UI-90 works by keyboard alone: from the navigation to a topic, its form and its answer', async () => {
    const page = await open('/japan/api', { viewport: PHONE });
    const focusOn = async (selector: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    await focusOn('.topics-closed > summary');
    await page.keyboard.press('Enter');
    await focusOn('.topics-closed a[href="/japan/api/getAsset"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/japan/api/getAsset');
    await focusOn('#try-id');
    await page.keyboard.press('Enter');
    await page.locator('[data-answer=panel]').waitFor();
    expect(await status(page)).toBe('200 OK');
    expect(await page.evaluate('document.activeElement.id')).toBe('try-id');
    await focusOn('[data-answer=panel] pre');
  });

  it('UI-90 works without JavaScript: the form opens the JSON', async () => {
    const page = await open('/japan/api/getAsset?lang=ja', { javaScriptEnabled: false });
    const id = await page.inputValue('#try-id');
    await page.click('form[data-try] button');
    expect(page.url()).toBe(`${sample.origin}/japan/api/v1/assets/${id}`);
    expect(await page.locator('body').textContent()).toContain(`"id":"${id}"`);
  });

  it('UI-93 the examples in curl, JavaScript and Python run and get what they ask for', async () => {
    const hasPython = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    const page = await open('/japan/api');
    const AsyncFunction = (async () => {}).constructor as new (
      ...args: string[]
    ) => (log: { log: (value: unknown) => void }) => Promise<void>;
    for (const url of topics.filter((topic) => !topic.includes('/schemas/'))) {
      await page.goto(url);
      const [curl = '', javaScript = '', python = ''] = await page.locator('.code-examples code').allTextContents();
      const command = /^curl --location '([^']+)'$/.exec(curl);
      const { stdout } = await run('curl', ['--silent', '--fail', '--location', command?.[1] ?? ''], {
        maxBuffer: 50_000_000,
      });
      const printed: unknown[] = [];
      await new AsyncFunction('console', javaScript)({ log: (value) => printed.push(value) });
      const [value] = printed;
      expect([url, typeof value === 'string' ? value : JSON.stringify(value)]).toEqual([
        url,
        typeof value === 'string' ? stdout : JSON.stringify(JSON.parse(stdout)),
      ]);
      if (hasPython) {
        const { stdout: output } = await run('python3', ['-c', python], { maxBuffer: 50_000_000 });
        expect([url, output.length > stdout.length / 2]).toEqual([url, true]);
      }
    }
  });
});
