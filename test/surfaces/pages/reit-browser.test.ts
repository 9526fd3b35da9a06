import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SourceMetric } from '../../../src/vocabulary/reit-metrics.ts';
import { exampleBundle, revision } from '../../reit/support.ts';
import { useBrowser } from '../../support/browser.ts';
import { onSqlite } from '../../support/engines.ts';
import { id } from '../../support/records.ts';
import { openReitPlace, type ReitPlace } from '../../support/reit-place.ts';

const tabs = useBrowser();
const TAB = `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(1)}?tab=reit`;
const PERIODS = 40;

const day = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);

/** The days of a half-year. */
const daysOf = (i: number) => (Date.UTC(2006, 9 + i * 6) - Date.UTC(2006, 3 + i * 6)) / 86_400_000;

/** A holding of twenty years: every metric in every half-year, each half-year from its own filing. */
function longBundle() {
  const example = exampleBundle();
  const [holding] = example.holdings;
  const said = (i: number): Record<SourceMetric, unknown> => ({
    acquisitionPrice: printed('9890000000', 'JPY'),
    acquisitionDate: { state: 'recorded', date: '2006-03-28', precision: 'day' },
    appraisalValue: printed(`${10_200_000_000 + i * 12_345_678}`, 'JPY'),
    appraisalDate: { state: 'recorded', date: day(2006, 9 + i * 6, 0), precision: 'day' },
    bookValue: printed(`${9_800_000_000 - i * 23_456_789}`, 'JPY'),
    leasableArea: printed('12345.67', 'm2'),
    leasedArea: printed('12345.67', 'm2'),
    occupancyRate: printed('1', 'ratio'),
    tenantCount: printed(String(10 + i), 'count'),
    rentalRevenue: printed(`${512_345_678 + i * 1_000}`, 'JPY'),
    rentalExpenses: printed('212345678', 'JPY'),
    depreciation: printed('50000000', 'JPY'),
    noi:
      i === 20 ? { state: 'notDisclosed', reasonCode: 'tenantConsent' } : printed(`${350_000_000 + i * 1_000}`, 'JPY'),
    operatingDays: printed(String(daysOf(i)), 'day'),
    capex: printed('1234567', 'JPY'),
    directCapRate: printed('0.034', 'ratio'),
    discountRate: printed('0.031', 'ratio'),
    terminalCapRate: printed('0.036', 'ratio'),
  });
  return {
    ...example,
    holdings: [{ ...holding, heldFrom: '2006-03-28' }],
    periods: Array.from({ length: PERIODS }, (_, i) => ({
      id: `p${i}`,
      ordinal: i + 1,
      labelJa: `第${i + 1}期`,
      startDate: day(2006, 3 + i * 6, 1),
      endDate: day(2006, 9 + i * 6, 0),
      days: daysOf(i),
    })),
    sourceRevisions: Array.from({ length: PERIODS }, (_, i) =>
      revision(
        `r${i}`,
        Object.fromEntries(Object.entries(said(i)).map(([metric, value]) => [`/h1/p${i}/${metric}`, value])),
      ),
    ),
    transactions: example.transactions.map((row) => ({ ...row, evidence: [{ revisionId: 'r1', locator: '表5' }] })),
    ownership: example.ownership.map((row) => ({ ...row, evidence: [{ revisionId: 'r1', locator: '表6' }] })),
  };
}

const printed = (amount: string, unit: string) => ({
  state: 'recorded',
  amount,
  unit,
  scale: 0,
  decimals: unit === 'JPY' ? 0 : 4,
  rounding: 'exact',
});

onSqlite('the REIT tab of forty periods in a browser', (fresh) => {
  let place: ReitPlace;
  let origin: string;
  beforeAll(async () => {
    place = await openReitPlace(await fresh());
    const { id: publication, findings } = await place.compose(longBundle());
    expect(findings).toEqual([]);
    await place.accept(publication);
    origin = await place.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => place.close());

  const open = async (lang: string, width: number): Promise<Page> => {
    const { page } = await tabs.open({ origin, viewport: { width, height: 844 } });
    await page.goto(`${TAB}&lang=${lang}`);
    return page;
  };

  it.each(['en', 'ja'])('UI-96 stays under 100 KB gzip: %s', async (lang) => {
    const { body } = await place.get(`${TAB}&lang=${lang}`);
    expect(body).toContain('第40期');
    expect(gzipSync(body).length).toBeLessThan(100_000);
  });

  it.each([
    ['en', 390],
    ['ja', 390],
    ['en', 820],
    ['ja', 1440],
  ])('UI-94 the text of charts is at least 11 px high: %s at %i px', async (lang, width) => {
    const page = await open(lang, width);
    const sizes = (await page.evaluate(`[...document.querySelectorAll('.chart text')].map((text) =>
      parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a || parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().b))`)) as number[];
    expect(sizes.length).toBeGreaterThan(20);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
  });

  it.each(['en', 'ja'])('UI-94 no label of an axis is cut off or covers another at 390 px: %s', async (lang) => {
    const page = await open(lang, 390);
    const faults = await page.evaluate(`[...document.querySelectorAll('.chart svg')].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      const boxes = (selector) => [...svg.querySelectorAll(selector)].map((text) => [text.textContent, text.getBoundingClientRect()]);
      const cut = boxes('text').filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
      const covered = ['.axis text', '.periods text', '.days'].flatMap((selector) => {
        const all = boxes(selector);
        return all.filter(([, a], i) => all.slice(i + 1).some(([, b]) =>
          a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom));
      });
      return [...cut, ...covered].map(([text]) => text);
    })`);
    expect(faults).toEqual([]);
  });

  it('UI-95 dates, yen and axes are in the form of the language', async () => {
    const english = (await place.get(`${TAB}&lang=en`)).body;
    expect(english).toMatch(/<text [^>]*>¥10 bn<\/text>/);
    expect(english).toContain('<data value="9890000000">¥9,890,000,000</data>');
    expect(english).toContain('<time datetime="2006-03-28">28 March 2006</time>');
    expect(english).toContain('a 1/2 quasi-co-ownership, not the whole building');
    const japanese = (await place.get(`${TAB}&lang=ja`)).body;
    expect(japanese).toMatch(/<text [^>]*>\d+億円<\/text>/);
    expect(japanese).toContain('<data value="9890000000">98億9,000万円</data>');
    expect(japanese).toContain('<time datetime="2006-03-28">2006年3月28日</time>');
    expect(japanese).toContain('信託受益権（準共有、持分1/2）で、建物全体ではありません');
    expect(japanese).toMatch(/です。金額は/);
    expect(japanese).toContain('aria-label="数値：');
    expect(japanese).not.toMatch(/Acquisition|Latest|single source|held from/);
  });

  it('UI-98 on a phone every cell shows the label of its column, and the names of metrics stay in view', async () => {
    const page = await open('ja', 390);
    const labels = await page.evaluate(`[...document.querySelectorAll('.stacked td')].map((cell) =>
      getComputedStyle(cell, '::before').content)`);
    expect(new Set(labels as string[])).toContain('"信託受託者"');
    expect(labels).not.toContain('none');
    await page.locator('.all > summary').click();
    const matrix = page.locator('.all .matrix');
    await matrix.evaluate((element) => element.scrollBy(2_000, 0));
    const left = await page.evaluate(`document.querySelector('.all .matrix tbody th').getBoundingClientRect().left
      - document.querySelector('.all .matrix').getBoundingClientRect().left`);
    expect(left).toBeLessThan(5);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});
