import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreeOn } from '../../src/reit/publication/agreement.ts';
import type { Measure } from '../../src/reit/publication/measure.ts';
import { agreeing, amount, bundleWith, documentOf, fieldOf, revision, statusOf } from './support.ts';

const derived = (text: string, formulaVersion = 'noi/1', inputRevisionIds = ['r1']) =>
  ({ state: 'derived', amount: text, unit: 'JPY', formulaVersion, inputRevisionIds }) as const;
const printed = (text: string, scale = 0) => ({
  printed: text,
  unit: 'JPY',
  scale,
  decimals: -scale,
  rounding: 'truncate',
});
const bare = (state: string) => ({ state }) as Measure;
const doubtful: Measure = { state: 'unresolved', reasonCode: 'noUnit' };
const recorded = (text: string) => ({ state: 'recorded', amount: text, unit: 'JPY' });
const ZERO = { state: 'zero', amount: '0', unit: 'JPY' };
const said = (...values: (Measure | null | object)[]) => statusOf(documentOf(agreeing(...values)));

describe('the truth table of agreement/1', () => {
  it('AGR-08 98.50 and 98.5 agree on 98.5', () => {
    expect(said(amount('98.50'), amount('98.5'))).toEqual({ status: 'agreed', value: recorded('98.5') });
  });

  it('AGR-01 12,340百万円 and 12,340,000千円 agree', () => {
    expect(said(printed('12,340', 6), printed('12,340,000', 3))).toEqual({
      status: 'agreed',
      value: recorded('12340000000'),
    });
  });

  it('AGR-08 12,345百万円 and 12,345,678千円 conflict, though their ranges overlap', () => {
    expect(said(printed('12,345', 6), printed('12,345,678', 3))).toEqual({ status: 'conflict', value: null });
  });

  it('AGR-02 null and notDisclosed: only one asserts', () => {
    expect(said(null, bare('notDisclosed'))).toEqual({ status: 'singleSource', value: { state: 'notDisclosed' } });
  });

  it.each([
    ['notDisclosed', '5'],
    ['notApplicable', '0'],
    ['outsideHoldingPeriod', '0'],
  ])('AGR-04 %s and %s conflict', (state, text) => {
    expect(said(bare(state), amount(text))).toEqual({ status: 'conflict', value: null });
  });

  it('AGR-05 5, 5 and unresolved are unresolved', () => {
    expect(said(amount('5'), amount('5'), doubtful)).toEqual({ status: 'unresolved', value: null });
    expect(said(amount('5'), amount('6'), doubtful)).toEqual({ status: 'unresolved', value: null });
  });

  it('AGR-04 5, 5 and 6 conflict: there is no majority', () => {
    expect(said(amount('5'), amount('5'), amount('6'))).toEqual({ status: 'conflict', value: null });
  });

  it('AGR-06 5, 5 and notRecorded agree', () => {
    expect(said(amount('5'), amount('5'), bare('notRecorded'))).toEqual({ status: 'agreed', value: recorded('5') });
  });

  it('AGR-06 only null and notRecorded abstain', () => {
    for (const value of [null, bare('notRecorded')]) {
      expect(said(value)).toEqual({ status: 'missing', value: null });
      expect(said(value, amount('5')).status).toBe('singleSource');
    }
    for (const state of ['notDisclosed', 'notApplicable', 'outsideHoldingPeriod']) {
      expect(said(bare(state))).toEqual({ status: 'singleSource', value: { state } });
      expect(said(bare(state), bare(state))).toEqual({ status: 'agreed', value: { state } });
      expect(said(bare(state), amount('5')).status).toBe('conflict');
    }
  });

  it('AGR-04 recorded 5 and derived 5 conflict, and derived 5 under two formulas', () => {
    expect(said(amount('5'), derived('5')).status).toBe('conflict');
    expect(said(derived('5', 'noi/1'), derived('5', 'noi/2')).status).toBe('conflict');
  });

  it('REIT-13 a derived consensus has the sorted union of the inputs', () => {
    const document = documentOf(
      bundleWith([
        revision('r1', { noi: derived('5', 'noi/1', ['r3', 'r2']) }),
        revision('r2', { noi: derived('5.0', 'noi/1', ['r1', 'r3']) }),
        revision('r3', {}),
      ]),
    );
    expect(statusOf(document)).toEqual({ status: 'agreed', value: derived('5', 'noi/1', ['r1', 'r2', 'r3']) });
  });

  it('AGR-01 0, −0 and △0 agree on zero', () => {
    expect(said(amount('0'), amount('-0'), printed('△0'))).toEqual({ status: 'agreed', value: ZERO });
    expect(said(amount('0.00', { state: 'zero' }), amount('0'))).toEqual({ status: 'agreed', value: ZERO });
  });

  it.each([
    ['△1,234', '-1234'],
    ['▲1,234', '-1234'],
    ['－1,234', '-1234'],
    ['１，２３４', '1234'],
  ])('AGR-01 %s is %s', (text, value) => {
    expect(said(printed(text))).toEqual({ status: 'singleSource', value: recorded(value) });
  });

  it.each(['－', '(3,334)', '12,340 98.5', '1,2345', '1.2E9'])('AGR-07 %j is unresolved', (text) => {
    expect(said(printed(text))).toEqual({ status: 'unresolved', value: null });
    expect(said(printed(text), amount('0')).status).toBe('unresolved');
  });

  it('AGR-03 a value that no source states is missing, for every metric, holding and period', () => {
    const document = documentOf(agreeing(amount('5')));
    expect(statusOf(document, 'capex')).toEqual({ status: 'missing', value: null });
    expect(fieldOf(document, 'capex').observations).toEqual([]);
    for (const { fields } of document.agreement?.groups ?? []) {
      expect(fields.map(({ path }) => path)).toEqual(document.metrics);
    }
  });

  it('AGR-04 the same amount in another unit conflicts', () => {
    expect(said(amount('5'), amount('5', { unit: 'm2' })).status).toBe('conflict');
  });

  it('AGR-08 a date known to the day and one to the month conflict', () => {
    const date = (date: string, precision: string) => ({ state: 'recorded', date, precision });
    const on = (...values: object[]) =>
      statusOf(
        documentOf(bundleWith(values.map((value, i) => revision(`r${i}`, { acquisitionDate: value })))),
        'acquisitionDate',
      );
    expect(on(date('2025-03-01', 'day'), date('2025-03-01', 'month')).status).toBe('conflict');
    expect(on(date('2025-03', 'month'), date('2025-03-01', 'month'))).toEqual({
      status: 'agreed',
      value: { state: 'recorded', date: '2025-03' },
    });
    expect(on(date('2025-03-28', 'day'))).toEqual({
      status: 'singleSource',
      value: { state: 'recorded', date: '2025-03-28' },
    });
  });

  it('REIT-12 amounts above 2^53 and 1e21 pass through unchanged', () => {
    for (const text of ['9007199254740993', '1000000000000000000001', '-123456789012345678901234567890.25']) {
      expect(said(amount(text), amount(text))).toEqual({ status: 'agreed', value: recorded(text) });
    }
  });
});

describe('one lineage', () => {
  const twice = (...values: unknown[]) => {
    const citations = (i: number) => [{ sourceUrl: 'https://e.example/r1', locator: `表${i}` }];
    const fields = values.map((value, i) => ({ path: '/h1/p21/noi', value, citations: citations(i) }));
    return documentOf(bundleWith([revision('r1', {}, { fields })]));
  };

  it('AGR-02 that repeats a value is not agreed, and cites every place', () => {
    const document = twice(amount('5'), amount('5.0', { decimals: 1 }));
    const field = fieldOf(document, 'noi');
    expect(field).toMatchObject({ status: 'singleSource', value: recorded('5') });
    expect(field.observations).toEqual([
      { revisionId: 'r1', path: '/h1/p21/noi', value: amount('5.0', { decimals: 1 }) },
    ]);
    expect(document.fieldCitations).toEqual([
      {
        revisionId: 'r1',
        path: '/h1/p21/noi',
        citations: [
          { sourceUrl: 'https://e.example/r1', locator: '表0' },
          { sourceUrl: 'https://e.example/r1', locator: '表1' },
        ],
      },
    ]);
  });

  it('AGR-05 that contradicts itself is unresolved', () => {
    expect(statusOf(twice(amount('5'), amount('6')))).toEqual({ status: 'unresolved', value: null });
    expect(statusOf(twice(amount('5'), bare('notDisclosed'))).status).toBe('unresolved');
    expect(statusOf(twice(amount('5'), doubtful)).status).toBe('unresolved');
  });

  it('AGR-06 that abstains in one place asserts in the other', () => {
    expect(statusOf(twice(null, amount('5')))).toEqual({ status: 'singleSource', value: recorded('5') });
    expect(statusOf(twice(bare('notRecorded'), null))).toEqual({ status: 'missing', value: null });
  });

  it('AGR-09 counts only by its head; a superseded revision stays in the document', () => {
    const document = documentOf(
      bundleWith([
        revision('r1', { noi: amount('5'), capex: amount('1') }, { lineageId: 'l1' }),
        revision('r2', { noi: amount('6') }, { lineageId: 'l1', supersedes: 'r1' }),
        revision('r3', { noi: amount('6') }),
      ]),
    );
    expect(statusOf(document)).toEqual({ status: 'agreed', value: recorded('6') });
    expect(statusOf(document, 'capex').status).toBe('missing');
    expect(document.revisionHeads).toEqual([
      { lineageId: 'l-r3', revisionId: 'r3' },
      { lineageId: 'l1', revisionId: 'r2' },
    ]);
    expect(document.sourceRevisions.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });

  it('AGR-09 every observation resolves to its revision and its citations, as it was stated', () => {
    const document = documentOf(agreeing(amount('98.50', { decimals: 2, rounding: 'halfUp' }), null));
    const { observations } = fieldOf(document, 'noi');
    expect(observations).toHaveLength(2);
    for (const { revisionId, path, value } of observations) {
      const found = document.sourceRevisions.find(({ id }) => id === revisionId);
      expect(found?.fields[path]).toEqual(value);
      expect(document.fieldCitations.some((c) => c.revisionId === revisionId && c.path === path)).toBe(true);
    }
    expect(observations[0]?.value).toEqual(amount('98.50', { decimals: 2, rounding: 'halfUp' }));
  });
});

describe('any sources', () => {
  const measure: fc.Arbitrary<Measure | null> = fc.oneof(
    fc.constantFrom('5', '5.0', '6', '0', '-0').map((text) => amount(text)),
    fc.constantFrom<Measure | null>(null, bare('notRecorded'), bare('notDisclosed'), bare('notApplicable'), doubtful),
    fc.constantFrom('noi/1', 'noi/2').map((version) => ({ ...derived('5', version), inputRevisionIds: ['r1'] })),
  );
  const measures = fc.array(measure, { maxLength: 6 });
  const run = { endOnFailure: true, numRuns: 1000 } as const;

  it('AGR-01 their order never matters', () => {
    const shuffled = measures.chain((values) =>
      fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
    );
    fc.assert(
      fc.property(shuffled, ([values, others]) => {
        expect(agreeOn(others)).toEqual(agreeOn(values));
      }),
      run,
    );
  });

  it('AGR-05 one unresolved always wins', () => {
    fc.assert(
      fc.property(measures, fc.nat({ max: 6 }), (values, at) => {
        expect(agreeOn(values.toSpliced(at, 0, doubtful))).toEqual({ status: 'unresolved', value: null });
      }),
      run,
    );
  });

  it('AGR-06 one more abstention changes nothing', () => {
    fc.assert(
      fc.property(measures, fc.constantFrom(null, bare('notRecorded')), (values, abstainer) => {
        expect(agreeOn([...values, abstainer])).toEqual(agreeOn(values));
      }),
      run,
    );
  });

  it('AGR-04 there is a value only if sources agree or a single one asserts', () => {
    fc.assert(
      fc.property(measures, (values) => {
        const { status, value } = agreeOn(values);
        expect(value !== null).toBe(status === 'agreed' || status === 'singleSource');
        expect(value === null || !('scale' in value)).toBe(true);
      }),
      run,
    );
  });
});
