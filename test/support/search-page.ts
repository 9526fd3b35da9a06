import type { FastifyInstance } from 'fastify';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { SuggestRow } from '../../src/registry/search/read/suggest.ts';
import { html } from '../../src/surfaces/pages/html.ts';
import { renderPage, searchBox } from '../../src/surfaces/pages/layout.ts';
import { readParameters } from '../../src/surfaces/pages/request-target.ts';
import { PLAIN_SETTINGS } from './page-settings.ts';

export const SEARCH_PAGE = '/japan/test/search';

const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'";

/** A page with two search boxes; `q` fills the second. With `home` it has only that one. */
export function addSearchPage(app: FastifyInstance): void {
  app.get(SEARCH_PAGE, (request, reply) => {
    const parameters = readParameters(request);
    const value = parameters.get('q') ?? undefined;
    const main = html`<h1>Search</h1>${searchBox(PLAIN_SETTINGS.t, { id: 'main-search', value, large: true })}<p>Elsewhere</p>`;
    const isHome = parameters.has('home');
    const page = renderPage({ title: 'Search', description: 'A page to search from', isHome, main }, PLAIN_SETTINGS);
    return reply.header('content-security-policy', STRICT).type('text/html; charset=utf-8').send(page);
  });
}

/** One search box of a page. */
export class SearchBoxOnPage {
  readonly page: Page;
  readonly input: Locator;
  readonly list: Locator;
  readonly options: Locator;
  readonly status: Locator;
  /** The queries of all suggestion requests so far. */
  readonly requests: string[] = [];
  readonly cancelled: string[] = [];

  constructor(page: Page, id = 'main-search') {
    this.page = page;
    this.input = page.locator(`#${id}`);
    const form = page.locator(`form:has(#${id})`);
    this.list = form.locator('[role=listbox]');
    this.options = form.locator('[role=option]');
    this.status = form.locator('[role=status]');
    page.on('request', (request) => {
      const q = suggestedFor(request);
      if (q !== undefined) this.requests.push(q);
    });
    page.on('requestfailed', (request) => {
      const q = suggestedFor(request);
      if (q !== undefined && request.failure()?.errorText === 'net::ERR_ABORTED') this.cancelled.push(q);
    });
  }

  /** Types at the end of the current text. */
  async type(text: string): Promise<void> {
    await this.input.focus();
    await this.page.keyboard.press('End');
    await this.page.keyboard.type(text);
  }

  async expectOpen(count: number): Promise<void> {
    await eventually(() => this.options.filter({ visible: true }).count()).toBe(count);
    expect(await this.input.getAttribute('aria-expanded')).toBe('true');
  }

  /** Checks now, and again after pending work has finished. */
  async expectClosed(): Promise<void> {
    await eventually(() => this.list.isVisible()).toBe(false);
    await settle(this.page);
    expect(await this.list.isVisible()).toBe(false);
    expect(await this.input.getAttribute('aria-expanded')).toBe('false');
    expect(await this.input.getAttribute('aria-activedescendant')).toBeNull();
    expect(await this.options.filter({ visible: true }).count()).toBe(0);
  }

  /** The index of the selected option, which must agree with aria-activedescendant. */
  async selected(): Promise<number> {
    const states = await this.options.evaluateAll((all) =>
      all.map((option) => [option.id, option.getAttribute('aria-selected')] as const),
    );
    const active = await this.input.getAttribute('aria-activedescendant');
    const chosen = states.filter(([, isSelected]) => isSelected === 'true').map(([id]) => id);
    expect(chosen).toEqual(active === null ? [] : [active]);
    return states.findIndex(([id]) => id === active);
  }
}

export const eventually = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 20_000, interval: 25 });

/** Waits some turns of the event loop, after which a received response has been shown; works with a stopped clock. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    let turns = 0;
    port1.onmessage = () => (++turns < 20 ? port2.postMessage(0) : done());
    port2.postMessage(0);
  })`);
}

function suggestedFor(request: Request): string | undefined {
  const url = new URL(request.url());
  return url.pathname === '/japan/suggest' ? (url.searchParams.get('q') ?? '') : undefined;
}

export const isSuggest = (url: URL) => url.pathname === '/japan/suggest';

/** A made-up suggestion. */
export const row = (label: string, more: Partial<SuggestRow> = {}): SuggestRow => ({
  kind: 'building',
  label,
  detail: '東京都',
  path: `/japan/tokyo/${encodeURIComponent(label)}`,
  ...more,
});

/** Holds every suggestion request until it is answered by its query. */
export async function holdSuggestions(page: Page) {
  const held = new Map<string, Route>();
  await page.route(isSuggest, (route) => {
    held.set(suggestedFor(route.request()) ?? '', route);
  });
  return {
    async arrival(q: string): Promise<void> {
      await eventually(() => held.has(q)).toBe(true);
    },
    async answer(q: string, ...labels: string[]): Promise<void> {
      await held.get(q)?.fulfill({ json: { query: q, rows: labels.map((label) => row(label)) } });
    },
  };
}

/** Replaces the pages that a search can open with a stub. */
export async function stubLandings(page: Page): Promise<void> {
  const isLanding = ({ pathname }: URL) => pathname === '/japan/areas' || pathname.startsWith('/japan/tokyo');
  await page.context().route(isLanding, (route) => route.fulfill({ contentType: 'text/html', body: 'landed' }));
}
