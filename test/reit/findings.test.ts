import { describe, expect, it } from 'vitest';
import { describeFinding, findingsIn, hasPrivateLocation, isPublicUrl } from '../../src/reit/publication/findings.ts';
import { isDateMetric, METRICS, UNITS, type Unit, unitOfMetric } from '../../src/vocabulary/reit-metrics.ts';
import { agreeing, amount, bundleWith, documentOf, draftOf, exampleBundle, revision } from './support.ts';

const linesOf = (bundle: unknown) => draftOf(bundle).findings.map(describeFinding);

describe('blocking findings', () => {
  it('REIT-11 the example has none', () => {
    expect(linesOf(exampleBundle())).toEqual([]);
  });

  it('REIT-11 a conflict, named by its path', () => {
    expect(linesOf(agreeing(amount('5'), amount('6')))).toEqual(['conflict /h1/p21/noi']);
  });

  it('REIT-11 values of different precision, which conflict', () => {
    const rough = amount('12345000000', { scale: 6, decimals: -6, rounding: 'truncate' });
    const fine = amount('12345678000', { scale: 3, decimals: -3, rounding: 'truncate' });
    expect(linesOf(agreeing(rough, fine))).toEqual(['conflict /h1/p21/noi']);
  });

  it('REIT-11 an unresolved field, or price', () => {
    const doubtful = { state: 'unresolved', reasonCode: 'noUnit' };
    expect(linesOf(agreeing(doubtful, amount('5')))).toEqual(['unresolved /h1/p21/noi']);
    const transactions = exampleBundle().transactions.map((transaction) => ({ ...transaction, price: doubtful }));
    expect(linesOf(exampleBundle({ transactions }))).toEqual(['unresolved /transactions/t1/price']);
  });

  it('REIT-11 what only a superseded revision left unresolved does not block', () => {
    const bundle = bundleWith([
      revision('r1', { noi: { state: 'unresolved', reasonCode: 'noUnit' } }, { lineageId: 'l1' }),
      revision('r2', { noi: amount('5') }, { lineageId: 'l1', supersedes: 'r1' }),
    ]);
    expect(linesOf(bundle)).toEqual([]);
  });

  it('REIT-11 a failed blocking check', () => {
    const said = { rentalRevenue: '100', rentalExpenses: '60', depreciation: '20', noi: '61' };
    const fields = Object.fromEntries(Object.entries(said).map(([metric, text]) => [metric, amount(text)]));
    expect(linesOf(bundleWith([revision('r1', fields)]))).toEqual(['failedCheck /h1/p21/noi-identity']);
  });

  it('REIT-11 a dangling citation', () => {
    const uncited = (value: unknown) => revision('r1', {}, { fields: [{ path: '/h1/p21/noi', value, citations: [] }] });
    expect(linesOf(bundleWith([uncited(amount('5'))]))).toEqual(['danglingCitation /fieldCitations/r1/h1/p21/noi']);
    expect(linesOf(bundleWith([uncited(null)]))).toEqual([]);
    const evidence = [{ revisionId: 'r9', locator: '表5' }];
    const { transactions, ownership } = exampleBundle();
    expect(linesOf(exampleBundle({ transactions: transactions.map((t) => ({ ...t, evidence })) }))).toEqual([
      'danglingCitation /transactions/t1/evidence',
    ]);
    expect(linesOf(exampleBundle({ ownership: ownership.map((o) => ({ ...o, evidence: [] })) }))).toEqual([
      'danglingCitation /ownership/o1/evidence',
    ]);
    const derived = { state: 'derived', amount: '5', unit: 'JPY', formulaVersion: 'x/1', inputRevisionIds: ['r9'] };
    expect(linesOf(agreeing(derived))).toEqual(['danglingCitation /fieldCitations/r1/h1/p21/noi']);
  });

  it('REIT-03 a word that looks like an address is harmless, a path in an archive is not', () => {
    for (const text of ['=HYPERLINK("http://x","y")', '=HYPERLINK("http://evil")', 'see http://evil.example/a']) {
      expect(hasPrivateLocation(text), text).toBe(false);
    }
    for (const text of [
      'http://localhost/x',
      'http://intranet/x',
      'http://u:p@x/',
      'http://x/?token=1',
      'http://10.0.0.1/',
    ]) {
      expect(hasPrivateLocation(text), text).toBe(true);
    }
    for (const text of ['data/archive/aa/bb', './data/archive/x', '表3 data/archive/x']) {
      expect(hasPrivateLocation(text), text).toBe(true);
    }
  });

  it('REIT-03 a private location in any text', () => {
    const field = (citation: object) =>
      bundleWith([
        revision('r1', {}, { fields: [{ path: '/h1/p21/noi', value: amount('5'), citations: [citation] }] }),
      ]);
    expect(linesOf(field({ sourceUrl: 'file:///srv/raw/S1.html', locator: '表3' }))).toEqual([
      'privateLocation /fieldCitations/r1/h1/p21/noi/0/sourceUrl',
    ]);
    expect(linesOf(field({ sourceUrl: 'https://e.example/S1', locator: '/srv/raw/S1.html#3' }))).toEqual([
      'privateLocation /fieldCitations/r1/h1/p21/noi/0/locator',
    ]);
    expect(linesOf(bundleWith([revision('r1', { noi: amount('5') }, { sourceUrl: 's3://bucket/S1.zip' })]))).toEqual([
      'privateLocation /sourceRevisions/r1/sourceUrl',
    ]);
    const { holdings, transactions } = exampleBundle();
    expect(linesOf(exampleBundle({ holdings: holdings.map((h) => ({ ...h, nameJa: 'C:\\raw\\S1' })) }))).toEqual([
      'privateLocation /holdings/h1/nameJa',
    ]);
    expect(
      linesOf(exampleBundle({ transactions: transactions.map((t) => ({ ...t, counterparty: 'http://10.0.0.5/x' })) })),
    ).toEqual(['privateLocation /transactions/t1/counterparty']);
  });

  it('REIT-11 all findings are listed in a fixed order, each with advice', () => {
    const bundle = bundleWith([
      revision('r1', { noi: amount('5'), capex: amount('1') }, { sourceUrl: 'ftp://e.example/x' }),
      revision('r2', { noi: amount('6'), capex: { state: 'unresolved', reasonCode: 'x' }, bookValue: amount('1') }),
      revision('r3', { bookValue: amount('2') }),
    ]);
    expect(linesOf(bundle)).toEqual([
      'conflict /h1/p21/bookValue',
      'conflict /h1/p21/noi',
      'unresolved /h1/p21/capex',
      'privateLocation /sourceRevisions/r1/sourceUrl',
    ]);
    for (const { remedy } of draftOf(bundle).findings) expect(remedy).toMatch(/: /);
  });

  it('REIT-02 a document without agreement has no findings', () => {
    const { agreement, ...older } = documentOf(agreeing(amount('5'), amount('6')));
    expect(findingsIn(older)).toEqual([]);
  });
});

describe('an implausible figure', () => {
  const stating = (metric: string, value: unknown) => bundleWith([revision('r1', { [metric]: value })]);
  const measured = (text: string, unit: Unit) => amount(text, { unit });

  it.each(METRICS.filter((metric) => !isDateMetric(metric)))(
    'REIT-11 %s blocks in every unit but its own, in which it is clean',
    (metric) => {
      const clean = UNITS.filter((unit) => linesOf(stating(metric, measured('1', unit))).length === 0);
      expect(clean).toEqual([unitOfMetric(metric)]);
      expect(linesOf(stating(metric, amount('0', { state: 'zero', unit: metric === 'noi' ? 'm2' : 'JPY' })))).toEqual(
        metric !== 'noi' && unitOfMetric(metric) === 'JPY' ? [] : [`implausible /h1/p21/${metric}`],
      );
    },
  );

  it('REIT-11 below zero blocks, except for amounts of a period, which may be losses or corrections', () => {
    const signed = METRICS.filter((metric) => {
      if (isDateMetric(metric)) return false;
      return linesOf(stating(metric, measured('-0.5', unitOfMetric(metric) as Unit))).length === 0;
    });
    expect(signed).toEqual([
      ...['afterDepreciationYield', 'capex', 'depreciation', 'expenseRatio', 'noi', 'noiDerived'],
      ...['noiYieldAcquisition', 'noiYieldAppraisal', 'rentalExpenses', 'rentalRevenue'],
      ...['unrealizedGain', 'unrealizedGainRatio'],
    ]);
  });

  it.each([
    ['occupancyRate', 'ratio', '1', '1.0001'],
    ['directCapRate', 'ratio', '1.00', '3.3'],
    ['operatingDays', 'day', '183', '184'],
    ['operatingDays', 'day', '0', '-1'],
    ['noiYieldAcquisition', 'ratio', '1.5', undefined],
  ] as const)('REIT-11 %s in %s may be %s and not %s', (metric, unit, plausible, beyond) => {
    expect(linesOf(stating(metric, measured(plausible, unit)))).toEqual([]);
    if (beyond !== undefined) {
      expect(linesOf(stating(metric, measured(beyond, unit)))).toEqual([`implausible /h1/p21/${metric}`]);
    }
  });

  it.each([
    ['JPY', '-1'],
    ['m2', '1'],
  ] as const)('REIT-11 a price in %s of %s', (unit, text) => {
    const transactions = exampleBundle().transactions.map((t) => ({ ...t, price: measured(text, unit) }));
    expect(linesOf(exampleBundle({ transactions }))).toEqual(['implausible /transactions/t1/price']);
  });

  it.each([
    [{ endDate: '2025-03-31' }, 'endDate'],
    [{ days: 182 }, 'days'],
    [{ days: 365 }, 'days'],
  ])('REIT-11 a period with %j', (change, key) => {
    const periods = exampleBundle().periods.map((period) => ({ ...period, ...change }));
    expect(linesOf(exampleBundle({ periods }))).toEqual([`implausible /periods/p21/${key}`]);
  });

  it('REIT-11 a share above one of an interest, an ownership row or a transaction', () => {
    const over = { numerator: 3, denominator: 2 };
    const { holdings, ownership, transactions } = exampleBundle();
    const bundle = exampleBundle({
      holdings: holdings.map((h) => ({ ...h, interest: { ...h.interest, share: over } })),
      ownership: ownership.map((row) => ({ ...row, share: over })),
      transactions: transactions.map((t) => ({ ...t, type: 'disposal', shareDelta: { ...over, numerator: -3 } })),
    });
    expect(linesOf(bundle)).toEqual([
      'implausible /holdings/h1/interest/share',
      'implausible /ownership/o1/share',
      'implausible /transactions/t1/shareDelta',
    ]);
  });

  const owning = (...rows: [from: string, to: string | null, numerator: number, denominator: number][]) => {
    const [row] = exampleBundle().ownership;
    const ownership = rows.map(([from, to, numerator, denominator], i) => {
      return { ...row, id: `o${i + 1}`, from, to, share: { numerator, denominator } };
    });
    return linesOf(exampleBundle({ ownership }));
  };

  it('REIT-11 overlapping rows of ownership that exceed the whole', () => {
    const [first, second] = ['2024-01-01', '2024-07-01'];
    expect(owning([first, null, 2, 3], [second, null, 1, 2])).toEqual(['implausible /ownership/o2']);
    expect(owning([first, '2024-07-02', 1, 1], [second, null, 1, 1])).toEqual(['implausible /ownership/o2']);
    expect(owning([first, null, 1, 2], [first, null, 2, 3])).toEqual([
      'implausible /ownership/o1',
      'implausible /ownership/o2',
    ]);
    expect(owning([first, first, 1, 2], [first, null, 2, 3])).toHaveLength(2);
    // Together exactly the whole, or one starting on the day that the other ends.
    expect(owning([first, null, 1, 3], [second, null, 1, 3], [second, null, 1, 3])).toEqual([]);
    expect(owning([first, second, 1, 1], [second, null, 1, 1])).toEqual([]);
    expect(owning([first, '2024-06-30', 1, 1], [second, null, 1, 1])).toEqual([]);
  });

  it('REIT-11 rows of two holdings are never added up', () => {
    const { holdings, matches, ownership } = exampleBundle();
    const two = exampleBundle({
      holdings: [...holdings, { ...holdings[0], id: 'h2' }],
      matches: [...matches, { ...matches[0], holdingId: 'h2' }],
      ownership: ['h1', 'h2'].map((holdingId, i) => {
        return { ...ownership[0], id: `o${i}`, holdingId, share: { numerator: 1, denominator: 1 } };
      }),
    });
    expect(linesOf(two)).toEqual([]);
  });

  it('REIT-11 a corrected figure does not block, and each finding has advice', () => {
    const wrong = revision('r1', { occupancyRate: measured('98.5', 'ratio') }, { lineageId: 'l1' });
    const right = revision('r2', { occupancyRate: measured('0.985', 'ratio') }, { lineageId: 'l1', supersedes: 'r1' });
    expect(linesOf(bundleWith([wrong, right]))).toEqual([]);
    expect(draftOf(bundleWith([wrong])).findings[0]?.remedy).toContain('scale');
  });
});

describe('a public address', () => {
  it.each([
    'https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?S100ABCD',
    'http://www.example.co.jp/ir/library.html#p3',
    'https://e.example/S1',
    'https://xn--wgv71a119e.jp/館?x=1',
    'https://8.8.8.8/x',
  ])('REIT-03 %s is public', (url) => {
    expect(isPublicUrl(url)).toBe(true);
  });

  it.each([
    ...['', 'S1', '/S1', '//e.example/S1', 'file:///S1', 'ftp://e.example/S1', 's3://b/k', 'javascript:alert(1)'],
    ...['data:text/html,x', 'https://', 'http://localhost/x', 'http://LOCALHOST:8080/x', 'http://db.internal/x'],
    ...['http://nas.local/x', 'http://fileserver/x', 'http://127.0.0.1/x', 'http://0x7f.1/x', 'http://2130706433/x'],
    ...['http://10.1.2.3/x', 'http://192.168.0.1/x', 'http://172.20.0.1/x', 'http://169.254.169.254/latest'],
    ...['http://[::1]/x', 'http://[fd00::1]/x', 'http://[::ffff:10.0.0.1]/x', 'https://user:pass@e.example/S1'],
    ...['https://b.s3.example.com/S1?X-Amz-Signature=abc', 'https://api.e.example/S1?type=1&Subscription-Key=abc'],
    ...['http://localhost./x', ' https://e.example/S1'],
  ])('REIT-03 %j is not public', (url) => {
    expect(isPublicUrl(url)).toBe(false);
  });

  it.each([
    '表3',
    '第4【経理の状況】 1 (2)',
    'p. 12/34',
    '/html/body/table[3]/tr[2]',
    'profile: 3',
    '=HYPERLINK("x")',
    'a\nb',
    'https://e.example/S1#3',
    '3:00/4:00',
    '1/2',
  ])('REIT-03 the locator %j contains no private location', (text) => {
    expect(hasPrivateLocation(text)).toBe(false);
  });

  it.each([
    'file:/x',
    'see file:///x',
    'S3://b/k',
    '/home/me/x.html',
    'raw=/var/lib/x',
    '~/x.zip',
    'C:\\x',
    'D:/x',
    '\\\\nas\\raw\\x',
    'http://localhost/x',
    'gs://b/k',
  ])('REIT-03 the text %j contains a private location', (text) => {
    expect(hasPrivateLocation(text)).toBe(true);
  });
});
