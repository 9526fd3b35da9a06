import { describe, expect, it } from 'vitest';
import {
  type Interval,
  intersectIntervals,
  intervalOf,
  intervalsOverlap,
} from '../../src/reit/publication/financial-checks.ts';
import type { AmountMeasure, Measure } from '../../src/reit/publication/measure.ts';
import { DERIVED_METRICS } from '../../src/vocabulary/reit-metrics.ts';
import { amount, bundleWith, days, documentOf, fieldOf, revision, type Said, statusOf } from './support.ts';

const millions = (text: string, changes: Partial<AmountMeasure> = {}) =>
  amount(`${text}000000`, { scale: 6, decimals: -6, rounding: 'truncate', ...changes });
const of = (said: Said, changes: Record<string, unknown> = {}) =>
  documentOf(bundleWith([revision('r1', said)], changes));
const derivedValue = (document: ReturnType<typeof documentOf>, metric: string) => {
  const { value } = fieldOf(document, metric);
  return value === null || !('amount' in value) ? null : value.amount;
};

/** A full period: revenue 100, expenses 60, of which depreciation 20. */
const FULL: Said = {
  rentalRevenue: amount('100'),
  rentalExpenses: amount('60'),
  depreciation: amount('20'),
  noi: amount('60'),
  operatingDays: days('183'),
  acquisitionPrice: amount('2000'),
  appraisalValue: amount('2400'),
  bookValue: amount('1900'),
};

describe('intervals', () => {
  const show = ({ low, high }: Interval) => {
    const number = ({ at }: Interval['low']) => Number(at.n) / Number(at.d);
    return `${low.open ? '(' : '['}${number(low)}, ${number(high)}${high.open ? ')' : ']'}`;
  };

  it.each([
    ['5', 0, 'truncate', '[5, 6)'],
    ['-5', 0, 'truncate', '(-6, -5]'],
    ['0', 0, 'truncate', '(-1, 1)'],
    ['5', 0, 'halfUp', '[4.5, 5.5]'],
    ['-5', 0, 'halfUp', '[-5.5, -4.5]'],
    ['5', 0, 'unknown', '(4, 6)'],
    ['5', 0, 'ceil', '(4, 5]'],
    ['-5', 0, 'ceil', '(-6, -4)'],
    ['5', 0, 'exact', '[5, 5]'],
    ['57000000', -6, 'truncate', '[57000000, 58000000)'],
    ['0.985', 3, 'halfUp', '[0.9845, 0.9855]'],
  ] as const)('AGR-08 %s to %i decimals by %s lies in %s', (text, decimals, rounding, shown) => {
    expect(show(intervalOf(amount(text, { decimals, rounding })))).toBe(shown);
  });

  it('AGR-08 overlap if they share a value, not if they only touch at an open end', () => {
    const five = intervalOf(amount('5', { rounding: 'truncate' }));
    expect(intervalsOverlap(five, intervalOf(amount('6', { rounding: 'exact' })))).toBe(false);
    expect(intervalsOverlap(five, intervalOf(amount('5', { rounding: 'exact' })))).toBe(true);
    expect(intervalsOverlap(five, intervalOf(amount('6', { rounding: 'unknown' })))).toBe(true);
    expect(
      intervalsOverlap(
        intervalOf(amount('5', { rounding: 'halfUp' })),
        intervalOf(amount('6', { rounding: 'halfUp' })),
      ),
    ).toBe(true);
  });
});

describe('intervals of one value', () => {
  it('AGR-08 apply at once: an end that one of them excludes is excluded', () => {
    const [truncated, open] = [amount('5', { rounding: 'truncate' }), amount('5', { rounding: 'unknown' })];
    for (const pair of [
      [truncated, open],
      [open, truncated],
    ] as const) {
      const { low, high } = intersectIntervals([intervalOf(pair[0]), intervalOf(pair[1])]);
      expect([low.open, high.open]).toEqual([false, true]);
    }
    const rounded = intervalOf(amount('5', { rounding: 'halfUp', decimals: 0 }));
    const cut = { low: { ...rounded.low, open: true }, high: rounded.high };
    for (const pair of [
      [rounded, cut],
      [cut, rounded],
    ] as const) {
      expect(intersectIntervals([...pair]).low.open).toBe(true);
    }
  });
});

describe('noi-identity/1', () => {
  const outcome = (said: Said) => of(said).financialChecks[0];

  it.each([
    ['652', '594', '57'],
    ['705', '703', '1'],
  ])('REIT-11 %s − %s shown as %s passes, since the figures are truncated', (revenue, expenses, noi) => {
    const zero = amount('0', { state: 'zero', scale: 6, decimals: -6, rounding: 'exact' });
    expect(
      outcome({
        rentalRevenue: millions(revenue),
        rentalExpenses: millions(expenses),
        depreciation: zero,
        noi: millions(noi),
      }),
    ).toMatchObject({ id: '/h1/p21/noi-identity', kind: 'noi-identity', version: 1, blocking: true, outcome: 'pass' });
  });

  it('REIT-11 fails and blocks if no rounding explains the difference', () => {
    const check = outcome({ ...FULL, noi: amount('61') });
    expect(check).toMatchObject({ outcome: 'fail', blocking: true, expected: '60', actual: '61' });
    expect(check?.inputs.map(({ path }) => path)).toEqual([
      '/h1/p21/depreciation',
      '/h1/p21/noi',
      '/h1/p21/rentalExpenses',
      '/h1/p21/rentalRevenue',
    ]);
  });

  it.each(['rentalRevenue', 'rentalExpenses', 'depreciation', 'noi'])(
    'REIT-11 without %s recorded it is not evaluable',
    (metric) => {
      const not = { outcome: 'notEvaluable', expected: null, actual: null, inputs: [] };
      for (const value of [null, { state: 'notDisclosed' }, { state: 'unresolved', reasonCode: 'x' }]) {
        expect(outcome({ ...FULL, [metric]: value })).toMatchObject(not);
      }
      expect(outcome({ ...FULL, [metric]: amount('5', { unit: 'm2' }) })).toMatchObject(not);
      const conflicting = bundleWith([revision('r1', FULL), revision('r2', { [metric]: amount('7') })]);
      expect(documentOf(conflicting).financialChecks[0]).toMatchObject(not);
    },
  );

  it('REIT-11 uses the most precise of the sources that agree', () => {
    const rough = { rounding: 'unknown', decimals: -2 } as const;
    const said = { ...FULL, noi: amount('61', rough) };
    expect(of(said).financialChecks[0]?.outcome).toBe('pass');
    const both = documentOf(bundleWith([revision('r1', said), revision('r2', { noi: amount('61') })]));
    expect(both.financialChecks[0]?.outcome).toBe('fail');
    expect(both.financialChecks[0]?.inputs).toHaveLength(5);
  });
});

describe('formulas', () => {
  it('REIT-13 each computes its metric from its inputs, under its version', () => {
    const document = of(FULL);
    const inputRevisionIds = ['r1'];
    const ratio = (text: string, formulaVersion: string) => ({
      state: 'derived',
      amount: text,
      unit: 'ratio',
      formulaVersion,
      inputRevisionIds,
    });
    const money = (text: string, formulaVersion: string) => ({
      state: 'derived',
      amount: text,
      unit: 'JPY',
      formulaVersion,
      inputRevisionIds,
    });
    const values = DERIVED_METRICS.map((metric) => [metric, statusOf(document, metric)]);
    expect(Object.fromEntries(values)).toEqual({
      noiDerived: { status: 'singleSource', value: money('60', 'noi/1') },
      // 60 × 365 ÷ 183 ÷ 2000
      noiYieldAcquisition: { status: 'singleSource', value: ratio('0.059836', 'noi-yield-acquisition/1') },
      noiYieldAppraisal: { status: 'singleSource', value: ratio('0.049863', 'noi-yield-appraisal/1') },
      afterDepreciationYield: { status: 'singleSource', value: ratio('0.039891', 'after-depreciation-yield/1') },
      unrealizedGain: { status: 'singleSource', value: money('500', 'unrealized-gain/1') },
      unrealizedGainRatio: { status: 'singleSource', value: ratio('0.263158', 'unrealized-gain-ratio/1') },
      expenseRatio: { status: 'singleSource', value: ratio('0.4', 'expense-ratio/1') },
    });
  });

  it('REIT-13 results are in a computed dnk revision that resolves and cites what its inputs cite', () => {
    const document = documentOf(
      bundleWith([
        revision('r1', { appraisalValue: amount('24') }),
        revision(
          'r2',
          { appraisalValue: amount('24'), bookValue: amount('19') },
          { source: 'jreit', publishedAt: '2025-12-21T00:00:00Z', retrievedAt: '2026-01-07T00:00:00Z' },
        ),
        revision('r3', { bookValue: null }),
      ]),
    );
    const computed = document.sourceRevisions.find(({ source }) => source === 'dnk');
    expect(computed).toMatchObject({
      id: expect.stringMatching(/^dnk:[0-9a-f]{16}$/),
      extractionMethod: 'computed',
      sourceUrl: 'https://e.example/r2',
      publishedAt: '2025-12-21T00:00:00Z',
      retrievedAt: '2026-01-07T00:00:00Z',
      supersedes: null,
    });
    expect(Object.keys(computed?.fields ?? {})).toEqual(['/h1/p21/unrealizedGain', '/h1/p21/unrealizedGainRatio']);
    expect(fieldOf(document, 'unrealizedGain')).toMatchObject({
      value: { amount: '5', inputRevisionIds: ['r1', 'r2'] },
      observations: [{ revisionId: computed?.id, path: '/h1/p21/unrealizedGain' }],
    });
    expect(document.revisionHeads).toContainEqual({ lineageId: 'dnk:formulas', revisionId: computed?.id });
    const cited = document.fieldCitations.find(
      (c) => c.revisionId === computed?.id && c.path.endsWith('/unrealizedGain'),
    );
    expect(cited?.citations.map(({ sourceUrl }) => sourceUrl)).toEqual([
      'https://e.example/r1',
      'https://e.example/r2',
    ]);
    expect(document.attributions.map(({ source }) => source)).toEqual(['dnk', 'edinet', 'jreit']);
  });

  it('REIT-13 nothing is computed without inputs', () => {
    const document = of({ noi: amount('5') });
    expect(document.sourceRevisions.map(({ source }) => source)).toEqual(['edinet']);
    for (const metric of DERIVED_METRICS)
      expect(statusOf(document, metric)).toEqual({ status: 'missing', value: null });
  });

  it('REIT-13 152 operating days annualise by 152; 0 days give no yield', () => {
    // 60 × 365 ÷ 152 ÷ 2000
    expect(derivedValue(of({ ...FULL, operatingDays: days('152') }), 'noiYieldAcquisition')).toBe('0.072039');
    for (const none of ['0', '-1']) {
      const document = of({ ...FULL, operatingDays: days(none) });
      expect(derivedValue(document, 'noiYieldAcquisition')).toBeNull();
      expect(derivedValue(document, 'afterDepreciationYield')).toBeNull();
      expect(derivedValue(document, 'noiDerived')).toBe('60');
    }
  });

  it.each(['acquisitionPrice', 'bookValue', 'rentalRevenue', 'appraisalValue'])(
    'REIT-13 a divisor of zero or less emits nothing: %s',
    (metric) => {
      const over = {
        acquisitionPrice: 'noiYieldAcquisition',
        bookValue: 'unrealizedGainRatio',
        rentalRevenue: 'expenseRatio',
        appraisalValue: 'noiYieldAppraisal',
      }[metric] as string;
      expect(derivedValue(of({ ...FULL, [metric]: amount('0') }), over)).toBeNull();
      expect(derivedValue(of({ ...FULL, [metric]: amount('-5') }), over)).toBeNull();
      expect(derivedValue(of(FULL), over)).not.toBeNull();
    },
  );

  it('REIT-13 NOI in a yield is the recorded one, else the derived one; a disputed NOI gives no yield', () => {
    const yieldOf = (noi: unknown) => derivedValue(of({ ...FULL, noi }), 'noiYieldAcquisition');
    expect(yieldOf(amount('30'))).toBe('0.029918');
    expect(yieldOf(null)).toBe('0.059836');
    expect(yieldOf({ state: 'notDisclosed' })).toBe('0.059836');
    expect(yieldOf({ state: 'unresolved', reasonCode: 'x' })).toBeNull();
    const conflict = documentOf(bundleWith([revision('r1', FULL), revision('r2', { noi: amount('61') })]));
    expect(derivedValue(conflict, 'noiYieldAcquisition')).toBeNull();
    expect(derivedValue(conflict, 'noiDerived')).toBe('60');
    expect(of({ ...FULL, noi: null }).sourceRevisions[0]?.fields['/h1/p21/noiYieldAcquisition']).toMatchObject({
      inputRevisionIds: ['r1'],
    });
  });

  it('REIT-13 an input that is conflicting, undisclosed, derived or in another unit is not used', () => {
    const inputs: Measure[] = [
      { state: 'notDisclosed' },
      { state: 'unresolved', reasonCode: 'x' },
      { state: 'derived', amount: '1900', unit: 'JPY', formulaVersion: 'x/1', inputRevisionIds: ['r1'] },
      amount('1900', { unit: 'm2' }),
    ];
    for (const bookValue of inputs) expect(derivedValue(of({ ...FULL, bookValue }), 'unrealizedGain')).toBeNull();
    const conflict = bundleWith([revision('r1', FULL), revision('r2', { bookValue: amount('1') })]);
    expect(derivedValue(documentOf(conflict), 'unrealizedGain')).toBeNull();
  });

  it('REIT-13 zero is a valid input', () => {
    expect(derivedValue(of({ ...FULL, noi: amount('0', { state: 'zero' }) }), 'noiYieldAcquisition')).toBe('0');
  });

  it('REIT-12 money is exact beyond floating-point precision', () => {
    const said = { appraisalValue: amount('1000000000000000000000.5'), bookValue: amount('0.25') };
    expect(derivedValue(of(said), 'unrealizedGain')).toBe('1000000000000000000000.25');
  });
});

describe('a share that changes', () => {
  const row = (id: string, from: string, to: string | null, numerator: number) => ({
    id,
    holdingId: 'h1',
    from,
    to,
    share: { numerator, denominator: 4 },
    trustee: null,
    propertyManager: null,
    evidence: [{ revisionId: 'r1', locator: '表6' }],
  });
  const derivesWith = (...ownership: object[]) => derivedValue(of(FULL, { ownership }), 'noiDerived') !== null;

  it('REIT-13 inside a period prevents derived values in it', () => {
    expect(derivesWith(row('o1', '2025-03-28', '2025-06-30', 3), row('o2', '2025-07-01', null, 4))).toBe(false);
    expect(derivesWith(row('o1', '2025-03-28', '2025-07-01', 3), row('o2', '2025-07-01', null, 4))).toBe(false);
    expect(derivesWith(row('o1', '2025-03-28', null, 3), row('o2', '2025-07-01', null, 1))).toBe(false);
    expect(derivesWith(row('o1', '2025-03-28', '2025-07-31', 3))).toBe(false);
  });

  it('REIT-13 at its edge, outside it, or not at all has no effect', () => {
    expect(derivesWith()).toBe(true);
    expect(derivesWith(row('o1', '2025-03-28', null, 3))).toBe(true);
    expect(derivesWith(row('o1', '2025-03-28', '2025-04-01', 3), row('o2', '2025-04-01', null, 4))).toBe(true);
    expect(derivesWith(row('o1', '2025-03-28', '2025-09-30', 3), row('o2', '2025-10-01', null, 4))).toBe(true);
    expect(derivesWith(row('o1', '2025-03-28', '2025-06-30', 3), row('o2', '2025-07-01', null, 3))).toBe(true);
  });

  it('REIT-13 the first acquisition does not count: operatingDays covers it', () => {
    expect(derivesWith(row('o1', '2025-05-02', null, 3))).toBe(true);
    expect(derivesWith(row('o1', '2025-05-02', null, 3), row('o2', '2025-05-02', null, 1))).toBe(true);
  });

  it('REIT-13 of another holding has no effect', () => {
    const other = { ...row('o2', '2025-07-01', null, 1), holdingId: 'h2' };
    const base = bundleWith([revision('r1', FULL)]);
    const [holding, match] = [base.holdings[0], base.matches[0]];
    const document = documentOf({
      ...base,
      holdings: [holding, { ...holding, id: 'h2' }],
      matches: [match, { ...match, holdingId: 'h2' }],
      ownership: [row('o1', '2025-03-28', null, 3), { ...other, from: '2025-01-01' }, other].map((r, i) => ({
        ...r,
        id: `o${i}`,
      })),
    });
    expect(derivedValue(document, 'noiDerived')).toBe('60');
  });
});
