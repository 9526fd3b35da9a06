import type { FastifyInstance } from 'fastify';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { SuggestRow } from '../../src/registry/search/read/suggest.ts';
import { html } from '../../src/surfaces/pages/html.ts';
import { renderPage, searchBox } from '../../src/surfaces/pages/layout.ts';
import { readParameters } from '../../src/surfaces/pages/request-target.ts';

export const SEARCH_PAGE = '/japan/test/search';

const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'";

/** A page with two search boxes, the second of which holds what `q` says; with `home` it has no other. */
export function addSearchPage(app: FastifyInstance): void {
  app.get(SEARCH_PAGE, (request, reply) => {
    const parameters = readParameters(request);
    const value = parameters.get('q') ?? undefined;
    const main = html`<h1>Search</h1>${searchBox({ id: 'main-search', value, large: true })}<p>Elsewhere</p>`;
    const isHome = parameters.has('home');
    const page = renderPage(
      { title: 'Search', description: 'A page to search from', isHome, main },
      { origin: '', baseMap: undefined },
    );
    return reply.header('content-security-policy', STRICT).type('text/html; charset=utf-8').send(page);
  });
}

/** One search box of a page, as somebody sees it. */
export class SearchBoxOnPage {
  readonly page: Page;
  readonly input: Locator;
  readonly list: Locator;
  readonly options: Locator;
  readonly status: Locator;
  /** Every request for suggestions so far. */
  readonly asked: string[] = [];
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
      if (q !== undefined) this.asked.push(q);
    });
    page.on('requestfailed', (request) => {
      const q = suggestedFor(request);
      if (q !== undefined && request.failure()?.errorText === 'net::ERR_ABORTED') this.cancelled.push(q);
    });
  }

  /** Types as a person does, after what stands there already. */
  async type(text: string): Promise<void> {
    await this.input.focus();
    await this.page.keyboard.press('End');
    await this.page.keyboard.type(text);
  }

  async expectOpen(count: number): Promise<void> {
    await eventually(() => this.options.filter({ visible: true }).count()).toBe(count);
    expect(await this.input.getAttribute('aria-expanded')).toBe('true');
  }

  /** Now, and after all that was under way has come to its end. */
  async expectClosed(): Promise<void> {
    await eventually(() => this.list.isVisible()).toBe(false);
    await settle(this.page);
    expect(await this.list.isVisible()).toBe(false);
    expect(await this.input.getAttribute('aria-expanded')).toBe('false');
    expect(await this.input.getAttribute('aria-activedescendant')).toBeNull();
    expect(await this.options.filter({ visible: true }).count()).toBe(0);
  }

  /** The place of the option that is selected, which must be the one that a screen reader is told of. */
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

/** Some turns of the page's own work, after which an answer that has come has also been shown; they need no clock. */
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

/** A row that no registry knows. */
export const row = (label: string, more: Partial<SuggestRow> = {}): SuggestRow => ({
  kind: 'building',
  label,
  detail: '東京都',
  path: `/japan/tokyo/${encodeURIComponent(label)}`,
  ...more,
});

/** Keeps every request for suggestions waiting until it is answered by its query. */
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

/** Every page that a search could lead to says only that it is there. */
export async function stubLandings(page: Page): Promise<void> {
  const isLanding = ({ pathname }: URL) => pathname === '/japan/areas' || pathname.startsWith('/japan/tokyo');
  await page.context().route(isLanding, (route) => route.fulfill({ contentType: 'text/html', body: 'landed' }));
}
