import { describe, expect, it } from 'vitest';
import { describeFinding, findingsIn } from '../../src/reit/findings.ts';
import { hasPrivateLocation, isPublicUrl } from '../../src/reit/private-location.ts';
import { agreeing, amount, bundleWith, documentOf, draftOf, exampleBundle, revision } from './support.ts';

const linesOf = (bundle: unknown) => draftOf(bundle).findings.map(describeFinding);

describe('what blocks a draft', () => {
  it('REIT-11 nothing in the example', () => {
    expect(linesOf(exampleBundle())).toEqual([]);
  });

  it('REIT-11 a conflict, named by its path', () => {
    expect(linesOf(agreeing(amount('5'), amount('6')))).toEqual(['conflict /h1/p21/noi']);
  });

  it('REIT-11 overlapping precisions, which conflict', () => {
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

  it('REIT-11 a citation that leads nowhere', () => {
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

  it('REIT-03 a word that looks like an address gives nothing away, and a place in an archive does', () => {
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

  it('REIT-03 a private location, wherever a text may stand', () => {
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

  it('REIT-11 all of it is told, in one order, each with what to do', () => {
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

  it('REIT-02 a document without agreement has nothing in it to dispute', () => {
    const { agreement, ...older } = documentOf(agreeing(amount('5'), amount('6')));
    expect(findingsIn(older)).toEqual([]);
  });
});

describe('a public address', () => {
  it.each([
    'https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?S100ABCD',
    'http://www.example.co.jp/ir/library.html#p3',
    'https://e.example/S1',
    'https://xn--wgv71a119e.jp/館?x=1',
    'https://8.8.8.8/x',
  ])('REIT-03 %s is one', (url) => {
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
  ])('REIT-03 %j is none', (url) => {
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
  ])('REIT-03 the locator %j gives nothing away', (text) => {
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
  ])('REIT-03 the text %j gives a place away', (text) => {
    expect(hasPrivateLocation(text)).toBe(true);
  });
});
