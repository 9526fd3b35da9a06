import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { describeFault } from '../../src/reit/publication/bundle.ts';
import { canonicalJson, sha256 } from '../../src/reit/publication/canonical-json.ts';
import { attributionsOf, compose } from '../../src/reit/publication/compose.ts';
import { DocumentSchema } from '../../src/reit/publication/document.ts';
import { METRICS } from '../../src/vocabulary/reit-metrics.ts';
import { SOURCES } from '../../src/vocabulary/sources.ts';
import { growthOf } from '../support/growth.ts';
import {
  amount,
  anchorMap,
  anchors,
  BUILDING,
  bundleOf,
  bundleWith,
  days,
  documentOf,
  draftOf,
  exampleBundle,
  fieldOf,
  revision,
} from './support.ts';

const schema = Compile(DocumentSchema);

function wideBundle(periods: number, metrics: readonly string[], sources: number) {
  const base = exampleBundle();
  const list = Array.from({ length: periods }, (_, i) => ({
    id: `p${i}`,
    ordinal: i,
    labelJa: `第${i}期`,
    startDate: `${1990 + i}-01-01`,
    endDate: `${1990 + i}-06-30`,
    days: (1990 + i) % 4 === 0 ? 182 : 181,
  }));
  const stated = (metric: string) =>
    metric.endsWith('Date')
      ? { state: 'recorded', date: '2025-03-28', precision: 'day' }
      : metric === 'operatingDays'
        ? days('181')
        : amount('1234567');
  const said = Object.fromEntries(
    list.flatMap(({ id }) => metrics.map((metric) => [`/h1/${id}/${metric}`, stated(metric)])),
  );
  const revisions = Array.from({ length: sources }, (_, i) => revision(`r${i + 1}`, said));
  return { ...base, periods: list, sourceRevisions: revisions };
}

describe('a composed document', () => {
  it('REIT-04 the ID of the example has not changed since the first version', () => {
    expect(draftOf(exampleBundle()).id).toBe('rp_817fd9def11230198a5685d16afc51dfdf0585f1d81a656c79bf083decf72226');
  });

  it('REIT-02 has every part and matches its schema', () => {
    const document = documentOf(exampleBundle());
    expect(schema.Errors(document)).toEqual([]);
    expect(Object.keys(document)).toEqual([
      ...['schemaVersion', 'issuer', 'metrics', 'sourceRevisions', 'revisionHeads', 'holdings', 'periods'],
      ...[
        'buildingMatches',
        'transactions',
        'ownership',
        'financialChecks',
        'fieldCitations',
        'attributions',
        'agreement',
      ],
    ]);
    expect(document).toMatchObject({
      issuer: { id: 'reit-a' },
      metrics: METRICS,
      revisionHeads: [{ lineageId: 'l1', revisionId: 'r1' }],
      buildingMatches: [{ holdingId: 'h1', buildingId: BUILDING, reviewId: 'm1', reviewedAt: '2026-01-06T00:00:00Z' }],
      transactions: [{ id: 't1', price: { state: 'notDisclosed', reasonCode: 'counterpartyConsent' } }],
      ownership: [{ id: 'o1', trustee: '見本信託銀行' }],
    });
    expect(document.sourceRevisions[0]?.fields).toEqual({
      '/h1/p21/noi': amount('57000000', { scale: 6, decimals: -6, rounding: 'truncate' }),
    });
    expect(document.fieldCitations).toEqual([
      { revisionId: 'r1', path: '/h1/p21/noi', citations: [{ sourceUrl: 'https://e.example/r1', locator: '表3' }] },
    ]);
    expect(fieldOf(document, 'noi').value).toEqual({ state: 'recorded', amount: '57000000', unit: 'JPY' });
  });

  it('REIT-04 its ID is the hash of its canonical bytes, which do not contain the time of composing', () => {
    const { id, document, canonical } = draftOf(exampleBundle());
    expect(id).toBe(`rp_${sha256(canonicalJson(document))}`);
    expect(canonical).toBe(canonicalJson(document));
    expect(canonicalJson(JSON.parse(canonical))).toBe(canonical);
    expect(canonical).not.toContain('computedAt');
    expect(draftOf(exampleBundle()).id).toBe(id);
  });

  it('REIT-04 another value, citation or anchor gives another ID', () => {
    const ids = [
      exampleBundle(),
      exampleBundle({ sourceRevisions: [revision('r1', { noi: amount('58') }, { lineageId: 'l1' })] }),
      exampleBundle({ transactions: [] }),
    ].map((bundle) => draftOf(bundle).id);
    const moved = draftOf(exampleBundle(), anchorMap(anchors({ floorsAbove: 9 }))).id;
    expect(new Set([...ids, moved]).size).toBe(4);
  });

  it('REIT-04 the order of entries in the bundle does not matter', () => {
    const base = wideBundle(3, ['noi', 'capex', 'rentalRevenue', 'rentalExpenses', 'depreciation'], 3);
    const [holding, match, transaction, owner] = [
      base.holdings[0],
      base.matches[0],
      base.transactions[0],
      base.ownership[0],
    ];
    const twice = {
      path: '/h1/p0/noi',
      value: amount('1234567.0'),
      citations: [
        { sourceUrl: 'https://e.example/a', locator: '1' },
        { sourceUrl: 'https://e.example/a', locator: '0' },
      ],
    };
    const bundle = {
      ...base,
      holdings: [holding, { ...holding, id: 'h2' }],
      matches: [
        {
          ...match,
          evidence: [
            { kind: 'name', result: 'equal' },
            { kind: 'address', result: 'equal' },
          ],
        },
        { ...match, holdingId: 'h2' },
      ],
      transactions: [
        transaction,
        {
          ...transaction,
          id: 't2',
          evidence: [
            { revisionId: 'r2', locator: '1' },
            { revisionId: 'r1', locator: '2' },
          ],
        },
      ],
      ownership: [owner, { ...owner, id: 'o2', holdingId: 'h2' }],
      sourceRevisions: base.sourceRevisions.map((r, i) =>
        i === 0 ? { ...r, fields: [...(r.fields as object[]), twice] } : r,
      ),
    };
    const { id, canonical } = draftOf(bundle);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (stream) => {
        const next = (): number => stream.next().value ?? 0;
        const mixed = draftOf(shuffled(bundle, next));
        expect(mixed.id).toBe(id);
        expect(mixed.canonical).toBe(canonical);
      }),
      { endOnFailure: true, numRuns: 50 },
    );
  });

  it('REIT-04 the order of the inputs of a derived value does not matter', () => {
    const derived = (...inputRevisionIds: string[]) => {
      const value = { state: 'derived', amount: '5', unit: 'JPY', formulaVersion: 'x/1', inputRevisionIds };
      return draftOf(bundleWith([revision('r1', { noi: value }), revision('r2', {})])).id;
    };
    expect(derived('r1', 'r2')).toBe(derived('r2', 'r1'));
  });

  it('REIT-09 an unknown building, or one that is no longer live, is refused', () => {
    const faultsOf = (found: Parameters<typeof compose>[1]) => {
      const draft = compose(bundleOf(exampleBundle()), found);
      return draft.ok ? [] : draft.failure.map(describeFault);
    };
    expect(faultsOf(new Map())).toEqual([expect.stringContaining('/matches/0/buildingId: no published building')]);
    expect(faultsOf(anchorMap(anchors({ lifecycle: 'merged' })))).toEqual([expect.stringContaining('is merged')]);
    expect(faultsOf(anchorMap(anchors({ lifecycle: 'retired' })))).toEqual([expect.stringContaining('is retired')]);
  });

  it('AGR-09 there is a group for every metric, holding and period', () => {
    const base = exampleBundle();
    const [holding, match] = [base.holdings[0], base.matches[0]];
    const document = documentOf({
      ...base,
      holdings: [{ ...holding, id: 'h2' }, holding],
      matches: [match, { ...match, holdingId: 'h2' }],
      periods: [
        ...base.periods,
        { ...base.periods[0], id: 'p20', startDate: '2024-10-01', endDate: '2025-03-31', days: 182 },
      ],
    });
    const groups = document.agreement?.groups ?? [];
    expect(groups.map(({ holdingId, periodId }) => `${holdingId} ${periodId}`)).toEqual([
      'h1 p20',
      'h1 p21',
      'h2 p20',
      'h2 p21',
    ]);
    for (const { fields } of groups) expect(fields.map(({ path }) => path)).toEqual([...METRICS]);
    expect(document.financialChecks).toHaveLength(4);
  });

  it('REIT-02 two REITs that hold half each have two documents, and nothing is summed', () => {
    const other = documentOf(exampleBundle({ issuer: { id: 'reit-b', nameJa: '別投資法人', edinetCode: 'E99998' } }));
    const own = documentOf(exampleBundle());
    expect(fieldOf(own, 'noi').value).toEqual(fieldOf(other, 'noi').value);
    expect(canonicalJson(own)).not.toBe(canonicalJson(other));
  });

  it('REIT-02 attributes every source as its adapter does', () => {
    const all = attributionsOf(SOURCES);
    expect(all.map(({ source }) => source)).toEqual([...SOURCES].sort());
    for (const { text } of all) expect(text).toMatch(/\S/);
  });

  it('REIT-02 the time per period does not grow with the number of periods', async () => {
    const metrics = [
      ...METRICS.filter((metric) => !/Derived|Yield|Gain|expenseRatio/.test(metric)),
      'noiDerived',
      'expenseRatio',
    ];
    expect(metrics).toHaveLength(20);
    const bundles = new Map([5, 40].map((periods) => [periods, bundleOf(wideBundle(periods, metrics, 3))]));
    const found = anchorMap(anchors());
    const composeThese = (periods: number) => compose(bundles.get(periods) as ReturnType<typeof bundleOf>, found);
    expect(await growthOf(composeThese, 5, 40)).toBeLessThan(32);
  });
});

/** Shuffles every list and the keys of every object, except lists inside a measure. */
function shuffled(value: unknown, next: () => number): unknown {
  const mix = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => [next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  if (Array.isArray(value)) return mix(value.map((item) => shuffled(item, next)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    mix<[string, unknown]>(Object.entries(value)).map(([key, member]) => [key, shuffled(member, next)]),
  );
}
