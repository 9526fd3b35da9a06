import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STATIC_PATHS } from '../../../src/surfaces/pages/static-files.ts';
import { axeViolations } from '../../support/axe.ts';
import { PHONE_OPTIONS, type TabOptions, useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { AREAS, building, id } from '../../support/records.ts';
import {
  addSearchPage,
  eventually,
  holdSuggestions,
  isSuggest,
  row,
  SEARCH_PAGE,
  SearchBoxOnPage,
  settle,
  stubLandings,
} from '../../support/search-page.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';

const AREA_PATH = '/japan/tokyo/chiyoda-ku/marunouchi-1-chome';

const tabs = useBrowser();

onSqlite('suggestions in a browser', (fresh) => {
  let served: ServedRegistry;
  let origin: string;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    const buildings = [1, 2, 3, 4, 5, 6, 7].map((number) => building(number));
    await served.ingest([...AREAS, ...buildings, building(8, { nameJa: 'Park Tower', nameEn: 'Park Tower' })]);
    addSearchPage(served.app);
    origin = await served.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => served.close());

  async function open(options: Partial<TabOptions> = {}, prepare?: (page: Page) => Promise<unknown>, rest = '') {
    const tab = await tabs.open({ origin, ...options });
    await stubLandings(tab.page);
    await prepare?.(tab.page);
    const box = new SearchBoxOnPage(tab.page);
    await tab.page.goto(`${SEARCH_PAGE}${rest}`);
    return { ...tab, box, press: (key: string) => tab.page.keyboard.press(key) };
  }

  /** Opens the page with the suggestions for `ビル` shown. */
  async function openLoaded(options: Partial<TabOptions> = {}, rest = '') {
    const opened = await open(options, undefined, rest);
    await opened.box.type('ビル');
    await opened.box.expectOpen(5);
    return opened;
  }

  async function openHeld(prepare?: (page: Page) => Promise<unknown>) {
    let held: Awaited<ReturnType<typeof holdSuggestions>> | undefined;
    const opened = await open({}, async (page) => {
      held = await holdSuggestions(page);
      await prepare?.(page);
    });
    return { ...opened, held: held as NonNullable<typeof held> };
  }

  const landsAt = (page: Page, path: string) =>
    eventually(() => decodeURIComponent(page.url().slice(origin.length))).toBe(path);

  describe('rows', () => {
    it('SUG-01 shows at most five buildings and areas', async () => {
      const { box } = await openLoaded();
      expect(await box.options.locator('.label').allTextContents()).toEqual(
        [1, 2, 3, 4, 5].map((number) => `第${number}ビル`),
      );
      await box.input.fill('丸の内');
      await box.expectOpen(1);
      expect(await box.options.textContent()).toBe('丸の内1丁目 Marunouchi 1-chome Chiyoda-ku, Tokyo Area 8 buildings');
    });

    it('SUG-01 shows no more than five even if more are sent', async () => {
      const { box } = await open({}, (page) => {
        const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => row(label));
        return page.route(isSuggest, (route) => route.fulfill({ json: { query: 'x', rows } }));
      });
      await box.type('x');
      await box.expectOpen(5);
    });

    it('a row shows its kind, its name marked with its language, its address and the number of buildings', async () => {
      const rows = [
        row('東京都', { kind: 'area', detail: '', path: '/japan/tokyo', count: 1_234_567 }),
        row('一', { kind: 'area', count: 1 }),
        row('Park Tower', { detail: 'Tokyo' }),
      ];
      const { box } = await open({}, (page) =>
        page.route(isSuggest, (route) => route.fulfill({ json: { query: 'x', rows } })),
      );
      await box.type('x');
      await box.expectOpen(3);
      const texts = await box.options.allTextContents();
      expect(texts.map((text) => text.replace(/ +/g, ' '))).toEqual([
        '東京都 Area 1,234,567 buildings',
        '一 東京都 Area 1 building',
        'Park Tower Tokyo Building',
      ]);
      const languages = await box.options.evaluateAll((all) =>
        all.map((option) => [...option.querySelectorAll('span')].map(({ lang }) => lang)),
      );
      expect(languages).toEqual([
        ['ja', '', '', ''],
        ['ja', 'ja', '', ''],
        ['', '', ''],
      ]);
    });

    it('markup stays text, and rows with a path outside the service are dropped', async () => {
      const bad = [
        'javascript:alert(1)',
        '//evil.example/japan/',
        'https://evil.example/japan/',
        'japan/',
        '/japanese',
      ];
      const markup = '<img src="//evil.example" onerror="throw 1">';
      const rows = [
        ...bad.map((path) => row('bad', { path })),
        row(markup, { detail: markup, path: '/japan/tokyo/a"b' }),
      ];
      const { box, page } = await open({}, (opened) =>
        opened.route(isSuggest, (route) => route.fulfill({ json: { query: 'x', rows } })),
      );
      await box.type('x');
      await box.expectOpen(1);
      expect(await box.options.locator('.label').textContent()).toBe(markup);
      expect(await page.locator('img').count()).toBe(0);
    });

    it('the script is small', async () => {
      const script = await served.get(STATIC_PATHS.suggest);
      expect(script.status).toBe(200);
      expect(gzipSync(script.body).length).toBeLessThan(3_000);
    });
  });

  describe('the control', () => {
    it('is a combobox with complete ARIA states', async () => {
      const { box, page } = await open();
      const attribute = (name: string) => box.input.getAttribute(name);
      expect(await attribute('role')).toBe('combobox');
      expect(await attribute('aria-autocomplete')).toBe('list');
      expect(await attribute('aria-expanded')).toBe('false');
      expect(await attribute('aria-controls')).toBe(await box.list.getAttribute('id'));
      expect(await box.status.getAttribute('aria-live')).toBe('polite');
      expect(await box.status.textContent()).toBe('');
      await box.type('ビル');
      await box.expectOpen(5);
      expect(await page.getByRole('listbox', { name: 'Suggestions' }).count()).toBe(1);
      expect(await page.getByRole('option', { name: '第1ビル' }).count()).toBe(1);
      expect(await box.status.textContent()).toBe('5 suggestions');
      await box.input.fill('Park');
      await box.expectOpen(1);
      expect(await box.status.textContent()).toBe('1 suggestion');
      await box.input.fill('zzz');
      await eventually(() => box.status.textContent()).toBe('No suggestions');
      // UI-40: it is visible, but cannot be selected.
      expect(await box.list.isVisible()).toBe(true);
      expect(await box.options.allTextContents()).toEqual(['No suggestions']);
      expect(await box.options.getAttribute('aria-disabled')).toBe('true');
      for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End']) await page.keyboard.press(key);
      expect(await box.input.getAttribute('aria-activedescendant')).toBe(null);
      await page.keyboard.press('Escape');
      await eventually(() => box.status.textContent()).toBe('');
    });

    it('works beside another one on the same page', async () => {
      const { box, page } = await openLoaded();
      const other = new SearchBoxOnPage(page, 'top-search');
      await other.type('Park');
      await other.expectOpen(1);
      await box.expectClosed();
      await page.keyboard.press('ArrowDown');
      expect([await other.selected(), await box.selected()]).toEqual([0, -1]);
      const ids = await page.locator('[id]').evaluateAll((all) => all.map((element) => element.id));
      expect(new Set(ids).size).toBe(ids.length);
    });

    it.each(['light', 'dark'] as const)('passes axe in the %s theme', async (colorScheme) => {
      const { page, press } = await openLoaded({ colorScheme, bypassCSP: true }, '?home');
      await press('ArrowDown');
      expect(await axeViolations(page, { within: 'form.search' })).toEqual([]);
    });

    it('on a phone the list fills the page and its rows are large enough to touch', async () => {
      const { box, page } = await openLoaded(PHONE_OPTIONS);
      const [list, main] = [await box.list.boundingBox(), await page.locator('main').boundingBox()];
      expect(list?.width).toBeGreaterThan((main?.width ?? 0) * 0.85);
      expect((list?.x ?? -9) + (list?.width ?? 0)).toBeLessThanOrEqual(391);
      expect(list?.x).toBeGreaterThanOrEqual(-1);
      for (const target of [...(await box.options.all()), box.input, page.locator('main form.search button')]) {
        expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  });

  describe('dismissing', () => {
    it('SUG-04 clearing dismisses the list', async () => {
      const { box, press } = await openLoaded();
      await press('ControlOrMeta+a');
      await press('Backspace');
      await box.expectClosed();
      expect(await box.options.count()).toBe(0);
    });

    it('SUG-04 whitespace alone sends no request', async () => {
      const { box } = await openLoaded();
      await box.input.fill(' \u3000 ');
      await box.expectClosed();
      expect(box.requests).toEqual(['ビル']);
    });

    it('SUG-04 Escape dismisses the list and keeps what is typed', async () => {
      const { box, press } = await openLoaded();
      await press('ArrowDown');
      await press('Escape');
      await box.expectClosed();
      expect(await box.input.inputValue()).toBe('ビル');
    });

    it('SUG-04 moving the focus elsewhere dismisses the list', async () => {
      const { box, press } = await openLoaded();
      await press('Tab');
      await press('Tab');
      await box.expectClosed();
    });

    it('SUG-04 a click elsewhere dismisses the list', async () => {
      const { box, page } = await openLoaded();
      await page.locator('h1').click();
      await box.expectClosed();
    });

    const DISMISSALS: [string, (box: SearchBoxOnPage) => Promise<void>][] = [
      ['clearing', (box) => box.input.fill('')],
      ['Escape', (box) => box.page.keyboard.press('Escape')],
      ['leaving', (box) => box.input.blur()],
    ];

    it.each(DISMISSALS)(
      'SUG-04 %s cancels the request, and its late response does not open the list',
      async (_, dismiss) => {
        const { box, held } = await openHeld();
        await box.type('a');
        await held.arrival('a');
        await dismiss(box);
        await eventually(() => box.cancelled).toEqual(['a']);
        await held.answer('a', 'late');
        await box.expectClosed();
        expect(await box.options.count()).toBe(0);
      },
    );

    it.each(DISMISSALS)(
      'SUG-04 after %s a response that could not be cancelled does not open the list',
      async (_, dismiss) => {
        const { box, held, page } = await openHeld(neverCancel);
        await box.type('a');
        await held.arrival('a');
        await dismiss(box);
        const response = page.waitForResponse((answer) => isSuggest(new URL(answer.url())));
        await held.answer('a', 'late');
        await (await response).finished();
        await eventually(() => page.evaluate('window.answers')).toBe(1);
        await box.expectClosed();
        expect(await box.options.count()).toBe(0);
      },
    );

    it.each(DISMISSALS)('SUG-04 %s within the pause sends no request', async (_, dismiss) => {
      const { box, page } = await open({}, stopClock);
      await box.type('a');
      await dismiss(box);
      await page.clock.runFor(5_000);
      await box.expectClosed();
      expect(box.requests).toEqual([]);
    });

    it('SUG-04 a late response to an earlier query does not replace a later one', async () => {
      const { box, held, page } = await openHeld(neverCancel);
      await box.type('a');
      await held.arrival('a');
      await box.type('b');
      await held.arrival('ab');
      await held.answer('ab', 'of ab');
      await box.expectOpen(1);
      await held.answer('a', 'of a', 'late');
      await eventually(() => page.evaluate('window.answers')).toBe(2);
      await settle(page);
      expect(await box.options.locator('.label').allTextContents()).toEqual(['of ab']);
    });

    it('SUG-04 a new query cancels the previous request', async () => {
      const { box, held } = await openHeld();
      await box.type('a');
      await held.arrival('a');
      await box.type('b');
      await held.arrival('ab');
      expect(box.cancelled).toEqual(['a']);
    });
  });

  describe('requests', () => {
    it('SUG-05 one request is sent after a short pause in typing, for the whole text', async () => {
      const { box, page } = await open({}, stopClock);
      await box.type('第');
      await page.clock.runFor(100);
      await box.type('1');
      await page.clock.runFor(100);
      await box.type('ビ');
      expect(box.requests).toEqual([]);
      await page.clock.runFor(300);
      await box.expectOpen(1);
      expect(box.requests).toEqual(['第1ビ']);
    });

    it('SUG-05 loaded suggestions stay until the next response, but none is selected', async () => {
      const { box, page, press } = await open({}, stopClock);
      await box.type('ビ');
      await page.clock.runFor(300);
      await box.expectOpen(5);
      await press('ArrowDown');
      await box.type('ル');
      await box.expectOpen(5);
      expect(await box.selected()).toBe(-1);
    });

    it('SUG-05 a space after the query is not a new query', async () => {
      const { box, page } = await open({}, stopClock);
      await box.type('ビル');
      await page.clock.runFor(300);
      await box.expectOpen(5);
      await box.type(' ');
      await page.clock.runFor(300);
      await box.expectOpen(5);
      expect(box.requests).toEqual(['ビル']);
    });

    it.each([
      ['leaving', 'Tab'],
      ['Escape', 'Escape'],
    ])('SUG-05 focusing after %s reopens the loaded suggestions without a request', async (_, key) => {
      const { box, press } = await openLoaded();
      await press(key);
      await box.expectClosed();
      await box.input.blur();
      await box.input.focus();
      await box.expectOpen(5);
      expect(await box.selected()).toBe(-1);
      expect(box.requests).toEqual(['ビル']);
    });

    it('SUG-05 focusing an input with a query requests suggestions', async () => {
      const { box } = await open({}, undefined, '?q=Park');
      await box.expectClosed();
      expect(box.requests).toEqual([]);
      await box.input.focus();
      await box.expectOpen(1);
      expect(box.requests).toEqual(['Park']);
    });

    it('SUG-05 focusing repeats a cancelled request', async () => {
      const { box, held } = await openHeld();
      await box.type('a');
      await held.arrival('a');
      await box.input.blur();
      await eventually(() => box.cancelled).toEqual(['a']);
      await box.input.focus();
      await eventually(() => box.requests).toEqual(['a', 'a']);
      await held.answer('a', 'one');
      await box.expectOpen(1);
    });

    it('SUG-05 focusing an empty input sends no request', async () => {
      const { box, page } = await open({}, stopClock);
      await box.input.focus();
      await page.clock.runFor(1_000);
      await box.expectClosed();
      expect(box.requests).toEqual([]);
    });

    it('SUG-05 text typed before the script loaded is requested', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { page, context } = await tabs.open({ origin });
      const box = new SearchBoxOnPage(page);
      await context.route(`**${STATIC_PATHS.suggest}`, (route) => held.then(() => route.continue()));
      await page.goto(SEARCH_PAGE, { waitUntil: 'commit' });
      await box.input.focus();
      await page.keyboard.type('Park');
      expect(await box.input.getAttribute('role')).toBeNull();
      release();
      await box.expectOpen(1);
    });
  });

  describe('during IME composition', () => {
    async function openComposing(options: Partial<TabOptions> = {}) {
      const opened = await openLoaded(options);
      const cdp = await opened.context.newCDPSession(opened.page);
      return { ...opened, cdp, ime: (text: string) => compose(cdp, text), commit: (text: string) => commit(cdp, text) };
    }

    it('SUG-06 clears earlier suggestions and resumes when composition ends', async () => {
      const { box, ime, commit } = await openComposing();
      await ime('ｄ');
      await box.expectClosed();
      expect(await box.options.count()).toBe(0);
      await ime('だい');
      await box.expectClosed();
      expect(await box.input.inputValue()).toBe('ビルだい');
      expect(box.requests).toEqual(['ビル']);
      await commit(' 第');
      await box.expectOpen(5);
      expect(await box.input.inputValue()).toBe('ビル 第');
      expect(box.requests).toEqual(['ビル', 'ビル 第']);
    });

    it('SUG-06 sends no request', async () => {
      const { box, page, context } = await open({}, stopClock);
      const cdp = await context.newCDPSession(page);
      await box.input.focus();
      await compose(cdp, 'だい');
      await page.clock.runFor(5_000);
      await compose(cdp, '第');
      await page.clock.runFor(5_000);
      await box.expectClosed();
      expect(box.requests).toEqual([]);
      await commit(cdp, '第');
      expect(box.requests).toEqual([]);
      await page.clock.runFor(300);
      await box.expectOpen(5);
      expect(box.requests).toEqual(['第']);
    });

    it('SUG-06 a pending response does not open the list', async () => {
      const { box, held, page, context } = await openHeld();
      await box.type('a');
      await held.arrival('a');
      await compose(await context.newCDPSession(page), 'だ');
      await eventually(() => box.cancelled).toEqual(['a']);
      await held.answer('a', 'late');
      await box.expectClosed();
    });

    it('SUG-06 Enter neither opens an old option nor searches', async () => {
      const { box, page, press, ime, commit } = await openComposing();
      await press('ArrowDown');
      expect(await box.selected()).toBe(0);
      await ime('だい');
      await press('ArrowDown');
      await press('Enter');
      await settle(page);
      await box.expectClosed();
      expect(page.url()).toBe(`${origin}${SEARCH_PAGE}`);
      await commit(' 第1');
      await box.expectOpen(1);
      expect(await box.selected()).toBe(-1);
    });

    it('SUG-06 the Enter that ends composition does nothing, even if reported afterwards', async () => {
      const { box, page, cdp, ime, commit, press } = await openComposing();
      await ime('だい');
      await commit(' 第');
      await box.expectOpen(5);
      await press('ArrowDown');
      // As in Safari: the composition has ended, but the key event still belongs to the input method.
      const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, text: '\r' };
      await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...enter });
      await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
      await settle(page);
      expect(page.url()).toBe(`${origin}${SEARCH_PAGE}`);
      await box.expectOpen(5);
    });

    it('SUG-06 suggestions resume when composition is cancelled', async () => {
      const { box, ime } = await openComposing();
      await ime('だい');
      await box.expectClosed();
      await ime('');
      await box.expectOpen(5);
      expect(await box.input.inputValue()).toBe('ビル');
    });

    it('SUG-06 leaving the input during composition sends no request', async () => {
      const { box, ime, page } = await openComposing();
      await ime('だい');
      await box.input.blur();
      await page.locator('h1').click();
      await box.expectClosed();
      await settle(page);
      expect(box.requests).toEqual(['ビル']);
    });

    it('SUG-06 Latin letters composed by a phone count as typing, kana do not', async () => {
      const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/147.0 Mobile Safari/537.36';
      const { box, page, context, press } = await open({ ...PHONE_OPTIONS, userAgent });
      const cdp = await context.newCDPSession(page);
      await box.input.focus();
      await compose(cdp, 'Par');
      await box.expectOpen(1);
      await compose(cdp, 'ぱ');
      await box.expectClosed();
      expect(await box.options.count()).toBe(0);
      await press('Enter');
      await settle(page);
      expect(page.url()).toBe(`${origin}${SEARCH_PAGE}`);
      await compose(cdp, 'Park');
      await box.expectOpen(1);
      await press('ArrowDown');
      await press('Enter');
      await landsAt(page, `${AREA_PATH}/${id(8)}`);
    });
  });

  describe('selection', () => {
    it('SUG-07 arrows move the selection and wrap around', async () => {
      const { box, press } = await openLoaded();
      expect(await box.selected()).toBe(-1);
      const path: number[] = [];
      for (const key of [...'DDDDDDD', ...'UUU']) {
        await press(key === 'D' ? 'ArrowDown' : 'ArrowUp');
        path.push(await box.selected());
      }
      expect(path).toEqual([0, 1, 2, 3, 4, 0, 1, 0, 4, 3]);
      expect(await box.input.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    });

    it('SUG-07 the first ArrowUp selects the last option', async () => {
      const { box, press } = await openLoaded();
      await press('ArrowUp');
      expect(await box.selected()).toBe(4);
    });

    it('SUG-07 Home and End select the first and the last option', async () => {
      const { box, press } = await openLoaded();
      await press('End');
      expect(await box.selected()).toBe(4);
      await press('Home');
      expect(await box.selected()).toBe(0);
    });

    it('SUG-07 Home and End move the cursor if the list is closed or Shift is held', async () => {
      const { box, press } = await openLoaded();
      const caret = () =>
        box.input.evaluate((input) => {
          const { selectionStart, selectionEnd } = input as unknown as Record<string, number>;
          return [selectionStart, selectionEnd];
        });
      await press('Shift+Home');
      expect([await caret(), await box.selected()]).toEqual([[0, 2], -1]);
      await press('Escape');
      await press('End');
      expect(await caret()).toEqual([2, 2]);
      await press('Home');
      expect(await caret()).toEqual([0, 0]);
      await box.expectClosed();
    });

    it('SUG-07 Enter opens the selected building', async () => {
      const { page, press } = await openLoaded();
      await press('ArrowDown');
      await press('ArrowDown');
      await press('Enter');
      await landsAt(page, `${AREA_PATH}/${id(2)}`);
    });

    it('SUG-07 Enter opens the selected area', async () => {
      const { box, page, press } = await open();
      await box.type('丸の内');
      await box.expectOpen(1);
      await press('End');
      await press('Enter');
      await landsAt(page, AREA_PATH);
    });

    it('SUG-07 PAG-06 with none selected Enter searches all of Japan', async () => {
      const { box, page, press } = await open({}, undefined, '?prefecture=tokyo&ward=chiyoda-ku');
      await box.type('ビル 第&=+%');
      await eventually(() => box.status.textContent()).toBe('No suggestions');
      await press('Enter');
      await landsAt(page, '/japan/areas?q=ビル+第&=+%');
      expect(new URL(page.url()).search).toBe(`?${new URLSearchParams({ q: 'ビル 第&=+%' })}`);
    });

    it('SUG-07 Enter searches with the list open, before it opens and after it is dismissed', async () => {
      for (const way of ['open', 'at once', 'dismissed']) {
        const { box, page, press } = way === 'at once' ? await open() : await openLoaded();
        if (way === 'at once') await box.type('ビル');
        if (way === 'dismissed') await press('ArrowDown');
        if (way === 'dismissed') await press('Escape');
        await press('Enter');
        await landsAt(page, '/japan/areas?q=ビル');
      }
    });

    it('SUG-07 an arrow key reopens the list that Escape dismissed', async () => {
      const { box, press } = await openLoaded();
      await press('Escape');
      await box.expectClosed();
      await press('ArrowDown');
      await box.expectOpen(5);
      expect(await box.selected()).toBe(0);
      expect(box.requests).toEqual(['ビル']);
    });

    it('SUG-07 typing clears the selection, so that Enter searches', async () => {
      const { box, page, press } = await openLoaded();
      await press('ArrowDown');
      await page.keyboard.type('x');
      expect(await box.selected()).toBe(-1);
      await press('Enter');
      await landsAt(page, '/japan/areas?q=ビルx');
    });

    it.each(['Enter', 'ArrowDown Enter'])('%s closes the list before the page unloads', async (keys) => {
      const { page, press } = await openLoaded();
      await page.evaluate(`addEventListener('beforeunload', () => {
        sessionStorage.setItem('lists', document.querySelectorAll('[role=listbox]:not([hidden])').length);
      })`);
      for (const key of keys.split(' ')) await press(key);
      await page.getByText('landed').waitFor();
      expect(await page.evaluate("sessionStorage.getItem('lists')")).toBe('0');
    });

    it('the search button searches', async () => {
      const { page } = await openLoaded();
      await page.locator('main form.search button').click();
      await landsAt(page, '/japan/areas?q=ビル');
    });

    it('a click opens a row', async () => {
      const { box, page } = await openLoaded();
      await box.options.nth(2).click();
      await landsAt(page, `${AREA_PATH}/${id(3)}`);
    });

    it('pressing a row keeps the focus in the input', async () => {
      const { box, page } = await openLoaded();
      await box.options.nth(1).hover();
      await page.mouse.down();
      await box.expectOpen(5);
      expect(await box.input.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
      await page.mouse.up();
      await landsAt(page, `${AREA_PATH}/${id(2)}`);
    });

    it('a touch opens a row', async () => {
      const { box, page } = await openLoaded(PHONE_OPTIONS);
      await box.options.nth(1).tap();
      await landsAt(page, `${AREA_PATH}/${id(2)}`);
    });

    it('Control and a click open a row in a new tab', async () => {
      const { page, takeFaults } = await tabs.open({ origin });
      const box = new SearchBoxOnPage(page);
      await page.goto(SEARCH_PAGE);
      await box.type('ビル');
      await box.expectOpen(5);
      // Headless browsers differ in what they do with the new tab.
      const requested: unknown[] = [];
      served.app.server.on('request', ({ url }) => requested.push(url));
      await box.options.nth(1).click({ modifiers: ['ControlOrMeta'] });
      await eventually(() => requested).toContain(`${AREA_PATH}/${id(2)}`);
      expect(page.url()).toBe(`${origin}${SEARCH_PAGE}`);
      takeFaults();
    });

    it('after going back the list is closed', async () => {
      const { box, page, press } = await openLoaded();
      await press('ArrowDown');
      await press('Enter');
      await landsAt(page, `${AREA_PATH}/${id(1)}`);
      // The URL changes before the page does; going back in between fails in the browser.
      await page.waitForLoadState();
      await page.goBack();
      await box.expectClosed();
    });
  });

  describe('errors', () => {
    const rows = [row('a')];
    it.each<[string, Parameters<import('playwright-core').Route['fulfill']>[0] | 'offline']>([
      ['too many requests', { status: 429, json: { query: 'a', rows } }],
      ['a server error', { status: 500, json: { query: 'a', rows } }],
      ['no network', 'offline'],
      ['broken JSON', { status: 200, body: '{"query":"a","rows":[' }],
      ['HTML', { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }],
      ['no rows', { status: 200, json: { query: 'a' } }],
      ['invalid rows', { status: 200, json: { query: 'a', rows: [null, 1] } }],
      ['null', { status: 200, json: null }],
    ])('no list and no script error: %s', async (_, answer) => {
      const { box, page, press, takeFaults } = await openLoaded();
      let failed = 0;
      await page.route(isSuggest, async (route) => {
        await (answer === 'offline' ? route.abort('internetdisconnected') : route.fulfill(answer));
        failed += 1;
      });
      await box.input.fill('a');
      await eventually(() => failed).toBe(1);
      await box.expectClosed();
      expect(takeFaults().filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
      await page.unroute(isSuggest);
      await box.input.fill('Park');
      await box.expectOpen(1);
      await press('Enter');
      await landsAt(page, '/japan/areas?q=Park');
    });

    it('the box searches without scripts', async () => {
      const { box, page, press } = await open({ javaScriptEnabled: false });
      await box.input.fill('ビル');
      expect(await box.input.getAttribute('role')).toBeNull();
      await press('Enter');
      await landsAt(page, '/japan/areas?q=ビル');
    });
  });
});

/** Replaces fetch with one that ignores cancellation and counts its responses. */
const neverCancel = (page: Page) =>
  page.addInitScript(`{
    window.answers = 0;
    const { fetch } = window;
    window.fetch = async (url) => {
      const response = await fetch(url);
      const json = await response.json();
      setTimeout(() => { window.answers += 1; });
      return { ok: true, json: async () => json };
    };
  }`);

const stopClock = async (page: Page) => {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
};

/** Text that an input method shows before it is committed. */
const compose = (cdp: CDPSession, text: string) =>
  cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
const commit = (cdp: CDPSession, text: string) => cdp.send('Input.insertText', { text });
