import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose result the colour scheme can change. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
/** The rules whose result the width can change, if the same elements are visible. */
export const WIDTH_RULES = [
  ...COLOUR_RULES,
  'avoid-inline-spacing',
  'css-orientation-lock',
  'meta-viewport',
  'scrollable-region-focusable',
] as const;

/** Loads axe with every page that is opened from now on: much faster than sending it to each. */
export const loadAxe = (page: Page): Promise<unknown> => page.addInitScript({ content: AXE });

/** Opens every fold, because axe does not check what is hidden. */
export const openFolds = (page: Page): Promise<unknown> =>
  page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");

interface Scope {
  /** A selector of the part to check; by default the whole page. */
  within?: string;
  /** The rules to check; by default all. */
  rules?: readonly string[] | undefined;
}

/** The rules of axe that a page breaks, each with the first elements that break it. */
export async function axeViolations(page: Page, { within, rules }: Scope = {}): Promise<unknown> {
  const context = within === undefined ? 'document' : JSON.stringify({ include: [within] });
  // Details of the rules that a page keeps, and selectors of elements, take longer than the checks themselves.
  const options = { resultTypes: ['violations'], selectors: false, ...(rules === undefined ? {} : { runOnly: rules }) };
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  return page.evaluate(
    `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]))`,
  );
}
