import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';

export interface TabOptions extends BrowserContextOptions {
  /** Origin of the server; requests to any other fail the test. */
  origin: string;
}

/** A page in its own browser context, closed when its test ends. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Returns the errors so far, for tests that expect some. Errors that are not taken fail the test. */
  takeFaults(): string[];
}

export interface Tabs {
  open(options: TabOptions): Promise<Tab>;
}

const PHONE = { width: 390, height: 844 };
export const PHONE_OPTIONS = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/** A real Chromium for the tests of a file. Console errors, script errors and requests to other origins fail them. */
export function useBrowser(): Tabs {
  let browser: Browser | undefined;
  let open: Tab[] = [];

  beforeAll(async () => {
    const response = await fetch(inject('browserUrl'));
    const address = await response.text();
    if (response.status === 404) return;
    if (!response.ok) throw new Error(`no browser could be started; set CHROMIUM_PATH: ${address}`);
    browser = await chromium.connect(address);
  });
  beforeEach(({ skip }) => skip(browser === undefined, 'this machine has no browser'));
  afterAll(() => browser?.close());

  afterEach(async () => {
    const tabs = open;
    open = [];
    const faults = tabs.flatMap((tab) => tab.takeFaults());
    for (const { context } of tabs) await context.close();
    expect(faults).toEqual([]);
  });

  return {
    async open({ origin, ...options }) {
      if (browser === undefined) throw new Error('no browser was started');
      const context = await browser.newContext({ baseURL: origin, locale: 'en', ...options });
      context.setDefaultTimeout(20_000);
      const faults: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => faults.push(`script: ${error.error().message}`));
      context.on('request', (request) => {
        const url = new URL(request.url());
        if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) faults.push(`elsewhere: ${url.href}`);
      });
      const tab = { context, page: await context.newPage(), takeFaults: () => faults.splice(0) };
      open.push(tab);
      return tab;
    },
  };
}
