import { describe, expect, it } from 'vitest';
import type { RecordEvidence } from '../../src/vocabulary/evidence.ts';
import type { Field, FieldScalar } from '../../src/vocabulary/fields.ts';
import { CONTRACT_FIELDS, CONTRACT_ORDER, CONTRACT_SCALARS, CONTRACT_VALUES, isRepeated } from './contract-table.ts';
import {
  day,
  decide,
  GIVEN_SOURCES,
  type GivenSource,
  pageOf,
  record,
  says,
  statement,
  type Values,
} from './support.ts';

/** A field with a value; an appraisal date needs its amount. */
function valuesOf(field: Field, value: FieldScalar): Values {
  if (isRepeated(field)) return { [field]: [value] };
  return field === 'appraisalDate' ? { appraisalDate: value, appraisalValueJpy: 1 } : { [field]: value };
}

function published(field: Field, evidence: RecordEvidence[]) {
  const page = pageOf(evidence);
  if (field === 'aliases') return page.aliases;
  if (field === 'assetTypes') return page.assetTypes.filter((use) => use.provenance.source !== 'dnk');
  return page.fields[field] === undefined ? [] : [page.fields[field]];
}

const PAIRS = CONTRACT_FIELDS.flatMap((field) =>
  CONTRACT_ORDER[field].flatMap((earlier, i) =>
    CONTRACT_ORDER[field].slice(i + 1).map((later): [Field, GivenSource, GivenSource] => [field, earlier, later]),
  ),
);

describe('precedence between sources', () => {
  it('CON-16 has the 29 rows of the contract, each of known sources', () => {
    expect(CONTRACT_FIELDS).toHaveLength(29);
    for (const order of Object.values(CONTRACT_ORDER)) {
      expect(GIVEN_SOURCES).toEqual(expect.arrayContaining(order));
      expect(new Set(order).size).toBe(order.length);
    }
  });

  it.each(PAIRS)('CON-16 %s: %s wins over %s, whichever is newer', (field, earlier, later) => {
    const [mine, theirs] = CONTRACT_VALUES[field].values;
    for (const [at, otherAt] of [
      [1, 9],
      [9, 1],
      [5, 5],
    ] as const) {
      const evidence = [
        says(later, valuesOf(field, theirs), { at: otherAt }),
        says(earlier, valuesOf(field, mine), { at }),
      ];
      const entries = published(field, evidence);
      expect(entries).toMatchObject([{ value: mine, provenance: { source: earlier, retrievedAt: day(at) } }]);
      const conflict = isRepeated(field)
        ? {}
        : { conflict: { value: theirs, unit: CONTRACT_VALUES[field].unit, source: later } };
      expect(entries).toMatchObject([conflict]);
    }
  });

  it.each(CONTRACT_FIELDS)('CON-16 %s: only a listed source is published', (field) => {
    const [value] = CONTRACT_VALUES[field].values;
    const publishing = GIVEN_SOURCES.filter(
      (source) => published(field, [says(source, valuesOf(field, value))]).length,
    );
    expect(new Set(publishing)).toEqual(new Set(CONTRACT_ORDER[field]));
  });

  it.each(CONTRACT_FIELDS)(
    'CON-16 %s: a source that is not listed causes no conflict and does not change the winner',
    (field) => {
      const [value, other] = CONTRACT_VALUES[field].values;
      const winner = says(CONTRACT_ORDER[field][0] as GivenSource, valuesOf(field, value));
      for (const source of GIVEN_SOURCES.filter((known) => !CONTRACT_ORDER[field].includes(known))) {
        const evidence = [winner, says(source, valuesOf(field, other), { at: 9 })];
        expect(published(field, evidence)).toEqual(published(field, [winner]));
        expect(pageOf(evidence).counters.conflictsFlagged).toBe(0);
      }
    },
  );

  it('CON-05 decides regardless of age', () => {
    const evidence = [
      says('osm', { nameJa: '新しい名' }, { at: 300 }),
      says('jreit', { nameJa: '古い名' }, { at: 1 }),
      says('edinet', { nameJa: '届出の名' }, { at: 200 }),
    ];
    expect(decide('nameJa', evidence)).toMatchObject({ value: '古い名', provenance: { source: 'jreit' } });
  });
});

describe('within one source', () => {
  it('CON-05 the newest observation wins', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ nameJa: '一' }, { at: 2 })]),
      record('osm', 'way/3', [statement({ nameJa: '三' }, { at: 3 })]),
      record('osm', 'way/2', [statement({ nameJa: '二' }, { at: 1 })]),
    ];
    expect(decide('nameJa', evidence)).toMatchObject({
      value: '三',
      provenance: { sourceRecordId: 'way/3', retrievedAt: day(3) },
    });
  });

  it('CON-05 compares times as instants, not as text', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ nameJa: '後' }, { at: '2026-01-01T00:00:00.100Z' })]),
      record('osm', 'way/2', [statement({ nameJa: '先' }, { at: '2026-01-01T00:00:00Z' })]),
    ];
    expect(decide('nameJa', evidence).value).toBe('後');
  });
});

describe('a conflict', () => {
  it('REC-05 is null without losers, and if every loser agrees', () => {
    expect(decide('nameJa', [says('osm', { nameJa: '名' })]).conflict).toBeNull();
    const agreeing = [
      says('osm', { nameJa: '名' }),
      says('wikidata', { nameJa: '名' }),
      says('jreit', { nameJa: '名' }),
    ];
    expect(decide('nameJa', agreeing).conflict).toBeNull();
    expect(
      decide('floorsBelow', [says('osm', { floorsBelow: 0 }), says('jreit', { floorsBelow: 0 })]).conflict,
    ).toBeNull();
  });

  it('REC-05 has exactly value, unit and source', () => {
    const evidence = [says('plateau', { heightM: 30 }), says('osm', { heightM: 31.5 })];
    expect(decide('heightM', evidence).conflict).toEqual({ value: 31.5, unit: 'm', source: 'osm' });
    const names = [says('osm', { nameJa: '一' }), says('mankan', { nameJa: '二' })];
    expect(decide('nameJa', names).conflict).toEqual({ value: '二', unit: null, source: 'mankan' });
  });

  it('REC-05 distinguishes null from zero', () => {
    const evidence = [says('jreit', { floorsBelow: 1 }), says('osm', { floorsBelow: 0 })];
    expect(decide('floorsBelow', evidence).conflict).toEqual({ value: 0, unit: null, source: 'osm' });
  });

  it('REC-05 compares values as they are recorded', () => {
    const evidence = [says('osm', { nameJa: 'ビル' }), says('wikidata', { nameJa: 'ﾋﾞﾙ' })];
    expect(decide('nameJa', evidence).conflict).toEqual({ value: 'ﾋﾞﾙ', unit: null, source: 'wikidata' });
  });

  it('CON-06 is taken from the newest other record of the winning source before any other source', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ nameJa: '勝' }, { at: 9 })]),
      record('osm', 'way/2', [statement({ nameJa: '三番' }, { at: 3 })]),
      record('osm', 'way/3', [statement({ nameJa: '二番' }, { at: 4 })]),
      says('wikidata', { nameJa: '四番' }, { at: 20 }),
    ];
    expect(decide('nameJa', evidence)).toMatchObject({ value: '勝', conflict: { value: '二番', source: 'osm' } });
  });

  it('CON-06 skips losers that agree', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ nameJa: '勝' }, { at: 9 })]),
      record('osm', 'way/2', [statement({ nameJa: '勝' }, { at: 4 })]),
      record('osm', 'way/3', [statement({ nameJa: '次' }, { at: 3 })]),
      says('wikidata', { nameJa: '他' }, { at: 20 }),
    ];
    expect(decide('nameJa', evidence).conflict).toMatchObject({ value: '次', source: 'osm' });
    const bySource = [
      says('jreit', { nameJa: '勝' }),
      says('edinet', { nameJa: '勝' }),
      says('plateau', { nameJa: '末' }, { at: 9 }),
      says('wikidata', { nameJa: '次' }),
    ];
    expect(decide('nameJa', bySource).conflict).toMatchObject({ value: '次', source: 'wikidata' });
  });

  it('CON-06 with another source is with its newest value', () => {
    const evidence = [
      says('jreit', { nameJa: '勝' }),
      record('osm', 'way/1', [statement({ nameJa: '古' }, { at: 1 })]),
      record('osm', 'way/2', [statement({ nameJa: '新' }, { at: 2 })]),
      says('wikidata', { nameJa: '他' }, { at: 9 }),
    ];
    expect(decide('nameJa', evidence).conflict).toMatchObject({ value: '新', source: 'osm' });
  });

  it('CON-06 keeps the losers: they take over when the winner withdraws', () => {
    const jreit = [statement({ nameJa: '一' }, { at: 1 }), statement({}, { at: 2, whole: true })];
    const others = [says('osm', { nameJa: '二' }), says('mankan', { nameJa: '三' })];
    expect(decide('nameJa', [record('jreit', 'J1', jreit.slice(0, 1)), ...others])).toMatchObject({
      value: '一',
      conflict: { value: '二' },
    });
    expect(decide('nameJa', [record('jreit', 'J1', jreit), ...others])).toMatchObject({
      value: '二',
      conflict: { value: '三', source: 'mankan' },
    });
  });
});

describe('a field value', () => {
  it.each(CONTRACT_SCALARS)('REC-12 %s has its type and unit', (field) => {
    const { values, unit } = CONTRACT_VALUES[field];
    const evidence = [says(CONTRACT_ORDER[field][0] as GivenSource, valuesOf(field, values[0]))];
    const value = decide(field, evidence);
    expect(value).toMatchObject({ value: values[0], unit });
  });

  it('REC-12 floors, year, height and areas are numbers with the units of the contract', () => {
    const page = pageOf([
      says('plateau', { floorsAbove: 37, floorsBelow: 4, yearBuilt: 2002, heightM: 179.2, footprintM2: 10, gfaM2: 20 }),
    ]);
    const units = Object.entries(page.fields).map(([name, { value, unit }]) => [name, typeof value, unit]);
    expect(units).toEqual([
      ['footprintM2', 'number', 'm2'],
      ['gfaM2', 'number', 'm2'],
      ['floorsAbove', 'number', null],
      ['floorsBelow', 'number', null],
      ['heightM', 'number', 'm'],
      ['yearBuilt', 'number', null],
    ]);
  });

  it('REC-03 has exactly value, unit, tier, provenance, conflict and estimated', () => {
    expect(decide('nameJa', [says('osm', { nameJa: '名' }, { at: 4 })])).toEqual({
      value: '名',
      unit: null,
      tier: 'free',
      provenance: {
        source: 'osm',
        sourceRecordId: 'osm/1',
        sourceUrl: 'https://osm.example/osm/1',
        retrievedAt: day(4),
        extractionMethod: 'osm-tag',
        confidence: 0.8,
      },
      conflict: null,
      estimated: false,
    });
  });

  it('REC-03 its tier belongs to the value, not to the source', () => {
    const page = pageOf([
      says('jreit', {
        nameJa: '名',
        structure: { value: 'S', tier: 'paid' },
        unitCount: { value: 9, tier: 'premium' },
        assetTypes: [{ value: 'office', tier: 'paid' }, 'retail'],
      }),
      says('osm', { aliases: [{ value: 'Alpha', tier: 'premium' }], nameJa: { value: '他', tier: 'paid' } }),
    ]);
    expect(page.fields).toMatchObject({
      nameJa: { tier: 'free' },
      structure: { tier: 'paid' },
      unitCount: { tier: 'premium' },
    });
    expect(page.assetTypes).toMatchObject([
      { value: 'office', tier: 'paid' },
      { value: 'retail', tier: 'free' },
    ]);
    expect(page.aliases).toMatchObject([{ tier: 'premium' }]);
  });
});
