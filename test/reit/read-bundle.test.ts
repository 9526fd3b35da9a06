import { describe, expect, it } from 'vitest';
import { describeFault } from '../../src/reit/publication/bundle.ts';
import { parseBundle } from '../../src/reit/publication/read-bundle.ts';
import { amount, bundleOf, exampleBundle, faultsIn, revision } from './support.ts';

type Json = Record<string, unknown>;
const at = (value: unknown, path: string): Json =>
  path
    .split('/')
    .slice(1)
    .reduce<Json>((part, key) => part[key] as Json, value as Json);

/** The example with one value changed. */
function changed(path: string, value: unknown): unknown {
  const bundle = structuredClone(exampleBundle());
  const cut = path.lastIndexOf('/');
  at(bundle, path.slice(0, cut))[path.slice(cut + 1)] = value;
  return bundle;
}
function without(path: string): unknown {
  const bundle = structuredClone(exampleBundle());
  const cut = path.lastIndexOf('/');
  delete at(bundle, path.slice(0, cut))[path.slice(cut + 1)];
  return bundle;
}

/** The path of every value in the example. */
function placesIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [...(path === '' ? [] : [path]), ...Object.entries(value).flatMap(([k, v]) => placesIn(v, `${path}/${k}`))];
}
const PLACES = placesIn(exampleBundle());
const isKey = (path: string) => !/\/\d+$/.test(path);
const NULLABLE =
  /\/(heldTo|supersedes|bundleId|counterparty|to|propertyManager|trustee|share|shareDelta|contractDate|deliveryDate|value)$/;

describe('a bundle', () => {
  it('REIT-02 in the form of the documented example is read', () => {
    expect(faultsIn(exampleBundle())).toEqual([]);
    expect(parseBundle(JSON.stringify(exampleBundle()))).toMatchObject({ ok: true });
  });

  it.each(PLACES.filter((path) => isKey(path) && !path.endsWith('/reasonCode')))(
    'REIT-02 without %s it is refused with the path',
    (path) => {
      expect(faultsIn(without(path))).toEqual([expect.stringContaining(`${path}: `)]);
    },
  );

  it.each(PLACES.filter((path) => isKey(path) && !/\/share\/|\/shareDelta\//.test(path)))(
    'REIT-02 with another key beside %s it is refused',
    (path) => {
      const beside = path.replace(/[^/]+$/, 'rawFile');
      expect(faultsIn(changed(beside, 'x'))).toEqual([expect.stringContaining(`${beside}: unknown key`)]);
    },
  );

  it.each(PLACES)('REIT-02 with a wrong type at %s it is refused', (path) => {
    const place = at(exampleBundle(), path);
    for (const wrong of [true, 1.5, typeof place === 'string' || place === null ? 5 : 'x']) {
      const faults = faultsIn(changed(path, wrong));
      expect(faults[0], String(wrong)).toContain(path);
      expect(faults.join()).toContain('; ');
    }
    if (!NULLABLE.test(path)) expect(faultsIn(changed(path, null))).toEqual([expect.stringContaining(path)]);
  });

  it.each(PLACES.filter((path) => isKey(path) && NULLABLE.test(path)))('REIT-02 %s may be null', (path) => {
    expect(faultsIn(changed(path, null))).toEqual([]);
  });

  it.each([['null'], ['[]'], ['5'], ['"x"'], ['{}'], [''], ['{"issuer":'], ['\ufeff{}x']])(
    'REIT-02 %j is not a bundle',
    (text) => {
      expect(parseBundle(text).ok).toBe(false);
    },
  );

  it('REIT-02 a duplicate key in one object is refused', () => {
    const text = JSON.stringify(exampleBundle()).replace('"ordinal":21', '"ordinal":21,"ordinal":22');
    const read = parseBundle(text);
    expect(read.ok ? [] : read.failure.map(describeFault)).toEqual([
      expect.stringContaining('"ordinal" appears twice'),
    ]);
  });

  const VALUE = '/sourceRevisions/0/fields/0/value';
  it.each([
    ['a number', { ...amount('5'), amount: 5 }, '/amount'],
    ['an exponent', amount('1e9'), '/amount'],
    ['a separator', amount('1,000'), '/amount'],
    ['a plus sign', amount('+5'), '/amount'],
    ['a leading zero', amount('05'), '/amount'],
    ['full-width digits', amount('５'), '/amount'],
    ['no digits', amount(''), '/amount'],
    ['too many digits', amount('9'.repeat(121)), '/amount'],
    ['zero that is not', amount('5', { state: 'zero' }), '/state'],
    ['an unknown unit', { ...amount('5'), unit: 'USD' }, '/unit'],
    ['an unknown rounding', { ...amount('5'), rounding: 'floor' }, '/rounding'],
    ['a fractional scale', { ...amount('5'), scale: 0.5 }, '/scale'],
    ['a scale without bounds', { ...amount('5'), scale: 1e9 }, '/scale'],
    ['decimals without bounds', { ...amount('5'), decimals: -1e9 }, '/decimals'],
    ['no decimals', { state: 'recorded', amount: '5', unit: 'JPY', scale: 0, rounding: 'exact' }, '/decimals'],
    ['an unknown state', { state: 'estimated' }, '/state'],
    ['no state', { amount: '5' }, '/state'],
    ['a reason in prose', { state: 'notDisclosed', reasonCode: 'テナントの同意が得られないため' }, '/reasonCode'],
    ['an unresolved without reason', { state: 'unresolved' }, '/reasonCode'],
    ['a reason for an amount', { ...amount('5'), reasonCode: 'bundled' }, '/reasonCode'],
    [
      'a derived value without inputs',
      { state: 'derived', amount: '5', unit: 'JPY', formulaVersion: 'noi/1', inputRevisionIds: [] },
      '/inputRevisionIds',
    ],
    [
      'a derived value without a formula',
      { state: 'derived', amount: '5', unit: 'JPY', inputRevisionIds: ['r1'] },
      '/formulaVersion',
    ],
    [
      'a derived value with precision',
      { state: 'derived', amount: '5', unit: 'JPY', formulaVersion: 'noi/1', inputRevisionIds: ['r1'], scale: 0 },
      '/scale',
    ],
    ['a date', { state: 'recorded', date: '2025-03-28', precision: 'day' }, '/date'],
    ['a bare number', 5, ''],
    ['a bare string', '5', ''],
    ['a list', [amount('5')], ''],
    ['a printed number', { printed: 5, unit: 'JPY', scale: 0, decimals: 0, rounding: 'exact' }, '/printed'],
    ['a printed cell without unit', { printed: '5', scale: 0, decimals: 0, rounding: 'exact' }, '/unit'],
    [
      'a printed cell with a state',
      { printed: '5', state: 'recorded', unit: 'JPY', scale: 0, decimals: 0, rounding: 'exact' },
      '/state',
    ],
  ])('REIT-12 an amount with %s is refused', (_, value, where) => {
    expect(faultsIn(changed(VALUE, value))).toEqual([expect.stringMatching(`^${VALUE}${where}: `)]);
  });

  it('REIT-12 a value may be a measure of any state, null, or a cell as printed', () => {
    const printed = { printed: '△1,234', unit: 'JPY', scale: 6, decimals: -6, rounding: 'truncate' };
    const derived = { state: 'derived', amount: '5', unit: 'JPY', formulaVersion: 'noi/1', inputRevisionIds: ['r1'] };
    for (const value of [
      null,
      derived,
      amount('-0'),
      { state: 'notRecorded' },
      { state: 'unresolved', reasonCode: 'noUnit' },
    ]) {
      expect(bundleOf(changed(VALUE, value)).sourceRevisions[0]?.fields[0]?.value).toEqual(value);
    }
    expect(bundleOf(changed(VALUE, printed)).sourceRevisions[0]?.fields[0]?.value).toEqual({
      ...amount('-1234000000', { scale: 6, decimals: -6, rounding: 'truncate' }),
    });
    expect(bundleOf(changed(VALUE, { ...printed, printed: ' ' })).sourceRevisions[0]?.fields[0]?.value).toEqual({
      state: 'unresolved',
      reasonCode: 'emptyCell',
    });
    expect(faultsIn(changed('/transactions/0/price', printed))).toHaveLength(1);
  });

  it('REIT-12 a date metric takes a calendar date of its precision', () => {
    const dated = (value: unknown) =>
      faultsIn(exampleBundle({ sourceRevisions: [revision('r1', { acquisitionDate: value }, { lineageId: 'l1' })] }));
    const date = (date: string, precision = 'day') => ({ state: 'recorded', date, precision });
    for (const good of [
      date('2024-02-29'),
      date('2025-03', 'month'),
      date('2025-03-01', 'month'),
      date('2025', 'year'),
    ]) {
      expect(dated(good)).toEqual([]);
    }
    for (const bad of [
      date('2025-02-29'),
      date('2025-03'),
      date('2025-13', 'month'),
      date('2025-3-1'),
      date('x'),
      amount('5'),
    ]) {
      expect(dated(bad)).toHaveLength(1);
    }
    expect(dated({ state: 'notDisclosed' })).toEqual([]);
  });
});

describe('references in a bundle', () => {
  const two = (
    list: 'holdings' | 'periods' | 'sourceRevisions' | 'matches' | 'transactions' | 'ownership',
    change = {},
  ) => {
    const bundle = exampleBundle();
    return { ...bundle, [list]: [...bundle[list], { ...bundle[list][0], ...change }] };
  };

  it.each(['holdings', 'periods', 'sourceRevisions', 'transactions', 'ownership'] as const)(
    'REIT-02 the same ID twice in %s is refused',
    (list) => {
      expect(faultsIn(two(list))).toContainEqual(expect.stringContaining(`/${list}/1/id: is used twice`));
    },
  );

  it.each([
    ['/transactions/0/holdingId', 'h9'],
    ['/ownership/0/holdingId', 'h9'],
    ['/matches/0/holdingId', 'h9'],
    ['/sourceRevisions/0/supersedes', 'r9'],
    ['/sourceRevisions/0/supersedes', 'r1'],
    ['/sourceRevisions/0/fields/0/path', '/h9/p21/noi'],
    ['/sourceRevisions/0/fields/0/path', '/h1/p99/noi'],
    ['/sourceRevisions/0/fields/0/path', '/h1/p21/profit'],
    ['/sourceRevisions/0/fields/0/path', '/h1/p21/constructor'],
    ['/sourceRevisions/0/fields/0/path', '/h1/p21'],
    ['/sourceRevisions/0/fields/0/path', 'h1/p21/noi'],
    ['/sourceRevisions/0/fields/0/path', '/h1/p21/noi/'],
    ['/sourceRevisions/0/fields/0/path', ''],
    ['/sourceRevisions/0/id', 'dnk:1'],
    ['/sourceRevisions/0/source', 'newspaper'],
    ['/sourceRevisions/0/extractionMethod', 'guess'],
    ['/sourceRevisions/0/publishedAt', '2025-12-20'],
    ['/sourceRevisions/0/retrievedAt', '2025-02-30T00:00:00Z'],
    ['/matches/0/reviewedAt', 'yesterday'],
    ['/matches/0/buildingId', 'ASSET-JP-13-1'],
    ['/matches/0/buildingId', 'BLDG-JP-13-00000001'],
    ['/periods/0/startDate', '2025-04-31'],
    ['/periods/0/endDate', '2025-9-30'],
    ['/periods/0/days', 0],
    ['/holdings/0/heldFrom', '2025-02-30'],
    ['/holdings/0/heldTo', '2025-03-27'],
    ['/holdings/0/id', 'h/1'],
    ['/holdings/0/id', 'h 1'],
    ['/holdings/0/id', ''],
    ['/holdings/0/nameJa', ''],
    ['/holdings/0/nameJa', '  '],
    ['/holdings/0/nameJa', 'a\u0000b'],
    ['/holdings/0/nameJa', '\ud800'],
    ['/holdings/0/interest/share', { numerator: 0, denominator: 2 }],
    ['/holdings/0/interest/share', { numerator: -1, denominator: 2 }],
    ['/holdings/0/interest/share', { numerator: 1, denominator: 0 }],
    ['/holdings/0/interest/share', { numerator: -1, denominator: -2 }],
    ['/holdings/0/interest/type', 'lease'],
    ['/holdings/0/interest/tenure', 'half'],
    ['/holdings/0/amountBasis', 'both'],
    ['/ownership/0/share', { numerator: 1, denominator: 0 }],
    ['/ownership/0/to', '2025-03-27'],
    ['/ownership/0/from', '2025-00-01'],
    ['/transactions/0/shareDelta', { numerator: -1, denominator: 2 }],
    ['/transactions/0/contractDate', '20250320'],
    ['/issuer/id', ''],
    ['/matches', []],
    ['/holdings', []],
    ['/periods', []],
    ['/sourceRevisions', []],
  ])('REIT-02 at %s %j is refused', (path, value) => {
    const faults = faultsIn(changed(path, value));
    const where = path === '/matches' ? '/holdings/0' : path.replace(/\/(id|matches)$/, '');
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join('\n')).toContain(where);
  });

  it('REIT-02 a share may be negative only if it is disposed of', () => {
    const sold = {
      ...exampleBundle().transactions[0],
      type: 'disposal',
      shareDelta: { numerator: -1, denominator: 2 },
    };
    expect(faultsIn(exampleBundle({ transactions: [sold] }))).toEqual([]);
  });

  it('REIT-02 overlapping periods are refused, and adjacent ones are not', () => {
    const next = { id: 'p22', ordinal: 22, startDate: '2025-10-01', endDate: '2026-03-31', days: 182 };
    expect(faultsIn(two('periods', next))).toEqual([]);
    const early = { ...next, startDate: '2025-09-30', days: 183 };
    expect(faultsIn(two('periods', early))).toEqual([expect.stringContaining('/periods/1/startDate: lies inside')]);
  });

  it('REIT-09 a holding is matched to exactly one building', () => {
    expect(faultsIn(two('matches', { buildingId: 'ASSET-JP-13-00000002' }))).toEqual([
      expect.stringContaining('/matches/1/holdingId: is the second match'),
    ]);
    expect(faultsIn(two('holdings', { id: 'h2' }))).toEqual([
      expect.stringContaining('/holdings/1: has no match to a building'),
    ]);
  });

  it('AGR-09 a lineage is one chain with one head', () => {
    const chain = (...links: [id: string, lineageId: string, supersedes: string | null][]) =>
      faultsIn(
        exampleBundle({
          sourceRevisions: links.map(([id, lineageId, supersedes]) => revision(id, {}, { lineageId, supersedes })),
        }),
      );
    expect(chain(['r1', 'a', null], ['r2', 'a', 'r1'], ['r3', 'a', 'r2'])).toEqual([]);
    expect(chain(['r1', 'a', null], ['r2', 'a', null])).toEqual([expect.stringContaining('has several heads')]);
    expect(chain(['r1', 'a', null], ['r2', 'a', 'r1'], ['r3', 'a', 'r1'])).toEqual([
      expect.stringContaining('has several heads'),
    ]);
    expect(chain(['r1', 'a', null], ['r2', 'b', 'r1'])).toEqual([expect.stringContaining('another lineage')]);
    expect(chain(['r1', 'a', 'r2'], ['r2', 'a', 'r1'])).toEqual([expect.stringContaining('in a circle')]);
    expect(chain(['r0', 'a', null], ['r1', 'a', 'r2'], ['r2', 'a', 'r1'])).toHaveLength(2);
  });

  it('REIT-02 instants are normalised to UTC', () => {
    const bundle = bundleOf(changed('/sourceRevisions/0/publishedAt', '2025-12-20T09:00:00+09:00'));
    expect(bundle.sourceRevisions[0]?.publishedAt).toBe('2025-12-20T00:00:00Z');
  });

  it('REIT-03 a refusal does not repeat a hostile value, and escapes a hostile key', () => {
    const hostile = '\u001b[31m\u202eevil\n';
    for (const path of PLACES) {
      for (const fault of faultsIn(changed(path, hostile))) expect(fault).not.toContain('evil');
    }
    const [fault] = faultsIn(changed(`/issuer/${hostile}`, 1));
    expect(fault).toContain('\\u{1b}[31m\\u{202e}evil\\u{a}');
    expect(fault).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('REIT-02 a deeply nested value is refused without an error', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const text = JSON.stringify(exampleBundle()).replace('"value":{', `"value":{"x":${deep},`);
    expect(parseBundle(text)).toMatchObject({ ok: false, failure: [{ path: '/sourceRevisions/0/fields/0/value/x' }] });
  });

  it('REIT-02 the name of a prototype property is refused like any unknown key', () => {
    const text = JSON.stringify(exampleBundle()).replace('{"issuer"', '{"__proto__":{"x":1},"issuer"');
    expect(parseBundle(text).ok).toBe(false);
  });
});
