import { describe, expect, it } from 'vitest';
import type { RecordEvidence, Tier } from '../../src/vocabulary/evidence.ts';
import {
  changes,
  day,
  decide,
  fieldOf,
  type GivenSource,
  pageOf,
  record,
  says,
  square,
  statement,
  stored,
  type Values,
} from './support.ts';

describe('appraisalDate', () => {
  const dated = { appraisalValueJpy: 900, appraisalDate: '2025-03-31' };
  const dateOf = (...evidence: Parameters<typeof pageOf>[0]) => pageOf(evidence).fields.appraisalDate?.value;

  it('CON-10 goes with the winning amount', () => {
    const page = pageOf([
      says('jreit', { appraisalValueJpy: 800, appraisalDate: '2025-09-30' }, { at: 9 }),
      says('edinet', dated, { at: 1 }),
    ]);
    expect(page.fields).toMatchObject({
      appraisalValueJpy: { value: 900, provenance: { source: 'edinet' }, conflict: { value: 800, source: 'jreit' } },
      appraisalDate: {
        value: '2025-03-31',
        provenance: { source: 'edinet', sourceRecordId: 'edinet/1', retrievedAt: day(1) },
        conflict: { value: '2025-09-30', source: 'jreit' },
      },
    });
  });

  it('CON-10 is missing if the winning amount has none, even if another source has a date', () => {
    const edinet = says('edinet', { appraisalValueJpy: 900 }, { at: 1 });
    expect(dateOf(edinet)).toBeUndefined();
    expect(dateOf(edinet, says('jreit', dated, { at: 1 }))).toBeUndefined();
    const other = record('edinet', 'other', [statement(dated, { at: 0, payload: 'sha256:1' })]);
    expect(dateOf(edinet, other)).toBeUndefined();
  });

  it('CON-10 the retrieval time is never the date', () => {
    const page = pageOf([says('edinet', { appraisalValueJpy: 900 }, { at: 1 })]);
    expect(Object.keys(page.fields)).toEqual(['appraisalValueJpy']);
  });

  it('CON-10 without an amount no date is published', () => {
    expect(dateOf(says('edinet', { appraisalDate: '2025-03-31' }))).toBeUndefined();
    const osm = says('osm', { appraisalValueJpy: 1, appraisalDate: '2025-03-31' });
    expect(dateOf(osm, says('edinet', { appraisalDate: '2025-03-31' }))).toBeUndefined();
  });

  it('CON-10 a date from another record of the winning source is not used', () => {
    const amount = record('edinet', 'A', [statement({ appraisalValueJpy: 900 }, { at: 1, payload: 'p' })]);
    const date = record('edinet', 'B', [statement({ appraisalDate: '2025-03-31' }, { at: 1, payload: 'p' })]);
    expect(dateOf(amount, date)).toBeUndefined();
  });

  it('CON-10 a date from an older payload is not used', () => {
    const edinet = record('edinet', 'A', [
      statement(dated, { at: 1, payload: 'p' }),
      statement({ appraisalValueJpy: 950 }, { at: 2, payload: 'q' }),
    ]);
    const page = pageOf([edinet]);
    expect(fieldOf(page, 'appraisalValueJpy').value).toBe(950);
    expect(page.fields.appraisalDate).toBeUndefined();
  });

  it('CON-10 a date from a newer payload is not used', () => {
    const edinet = record('edinet', 'A', [
      statement({ appraisalValueJpy: 900 }, { at: 1, payload: 'p' }),
      statement({ appraisalDate: '2025-09-30' }, { at: 2, payload: 'q' }),
    ]);
    expect(dateOf(edinet)).toBeUndefined();
  });

  it('CON-10 a date of the same payload but another fetch is not used', () => {
    const edinet = record('edinet', 'A', [
      statement({ appraisalValueJpy: 900 }, { at: 1, payload: 'p' }),
      statement({ appraisalDate: '2025-03-31' }, { at: 2, payload: 'p' }),
    ]);
    expect(dateOf(edinet)).toBeUndefined();
  });

  it('CON-10 a date of the same moment but another payload is not used', () => {
    const edinet = record('edinet', 'A', [
      statement({ appraisalValueJpy: 900 }, { at: 1, payload: 'p' }),
      statement({ appraisalDate: '2025-03-31' }, { at: 1, payload: 'q' }),
    ]);
    expect(dateOf(edinet)).toBeUndefined();
  });

  it('CON-10 several lines of one fetch are one payload', () => {
    const edinet = record('edinet', 'A', [
      statement({ appraisalValueJpy: 900 }, { at: 1, payload: 'p' }),
      statement({ appraisalDate: '2025-03-31' }, { at: 1, payload: 'p' }),
    ]);
    expect(dateOf(edinet)).toBe('2025-03-31');
  });

  it('CON-10 fetching the payload again keeps the pair', () => {
    const edinet = record('edinet', 'A', [
      statement(dated, { at: 1, payload: 'p' }),
      statement(dated, { at: 2, payload: 'p' }),
    ]);
    expect(pageOf([edinet]).fields).toMatchObject({
      appraisalValueJpy: { provenance: { retrievedAt: day(1) } },
      appraisalDate: { value: '2025-03-31', provenance: { retrievedAt: day(1) } },
    });
  });

  it('CON-10 follows the winning amount within one source, not the best date', () => {
    const page = pageOf([
      record('edinet', 'A', [statement({ appraisalValueJpy: 1, appraisalDate: '2024-03-31' }, { at: 1 })]),
      record('edinet', 'B', [statement({ appraisalValueJpy: 2, appraisalDate: '2023-03-31' }, { at: 2 })]),
      record('edinet', 'C', [statement({ appraisalDate: '2025-03-31' }, { at: 3 })]),
    ]);
    expect(page.fields).toMatchObject({
      appraisalValueJpy: { value: 2, provenance: { sourceRecordId: 'B' } },
      appraisalDate: { value: '2023-03-31', provenance: { sourceRecordId: 'B' } },
    });
  });

  describe('after A → B → A', () => {
    const edinet = record('edinet', 'A', [
      statement(dated, { at: 1, payload: 'p' }),
      statement({ appraisalValueJpy: 950 }, { at: 2, payload: 'q' }),
      statement(dated, { at: 3, payload: 'p' }),
    ]);

    it('CON-10 is the date of A', () => {
      expect(pageOf([edinet]).fields).toMatchObject({
        appraisalValueJpy: { value: 900, provenance: { retrievedAt: day(3) } },
        appraisalDate: { value: '2025-03-31' },
      });
    });

    it('CON-10 is dated from the fetch that restored the amount', () => {
      expect(decide('appraisalDate', [edinet]).provenance).toEqual(decide('appraisalValueJpy', [edinet]).provenance);
    });
  });
});

describe('gfaM2', () => {
  const measured = says('plateau', { footprintM2: 250.5, floorsAbove: 10, floorsBelow: 2 });

  it('CON-11 without a reported value is footprintM2 × (floorsAbove + floorsBelow)', () => {
    expect(decide('gfaM2', [measured])).toMatchObject({
      value: 3006,
      unit: 'm2',
      tier: 'free',
      provenance: { source: 'dnk', extractionMethod: 'computed', confidence: 0.5 },
      conflict: null,
      estimated: true,
    });
    expect(decide('gfaM2', [measured])).not.toHaveProperty('inheritedFrom');
  });

  it('CON-11 is computed from the winning values, of any records', () => {
    const evidence = [
      says('osm', { footprintM2: 999, floorsAbove: 99, floorsBelow: 1 }, { at: 9 }),
      says('plateau', { footprintM2: 100 }),
      says('jreit', { floorsAbove: 5 }),
    ];
    expect(decide('gfaM2', evidence).value).toBe(600);
  });

  it('CON-11 an unknown floorsBelow counts as 0', () => {
    expect(decide('gfaM2', [says('plateau', { footprintM2: 100, floorsAbove: 3 })]).value).toBe(300);
    expect(decide('gfaM2', [says('plateau', { footprintM2: 100, floorsAbove: 3, floorsBelow: 0 })]).value).toBe(300);
  });

  it.each<[string, Values]>([
    ['a footprint', { floorsAbove: 3, floorsBelow: 1 }],
    ['floorsAbove', { footprintM2: 100, floorsBelow: 1 }],
    ['both', { floorsBelow: 1 }],
  ])('CON-11 is not computed without %s', (_, values) => {
    const page = pageOf([says('plateau', values, { geometry: square(20) })]);
    expect(page.fields.gfaM2).toBeUndefined();
  });

  it('CON-11 is not computed from values that may not compete or are not current', () => {
    expect(pageOf([says('jreit', { footprintM2: 100, floorsAbove: 3 })]).fields.gfaM2).toBeUndefined();
    const osm = record('osm', 'way/1', [
      statement({ footprintM2: 100, floorsAbove: 3 }, { at: 1 }),
      statement({ floorsAbove: 3 }, { at: 2, whole: true }),
    ]);
    expect(pageOf([osm]).fields.gfaM2).toBeUndefined();
  });

  it.each<[Tier, Tier, Tier | undefined, Tier]>([
    ['free', 'free', undefined, 'free'],
    ['free', 'free', 'free', 'free'],
    ['paid', 'free', 'free', 'paid'],
    ['free', 'premium', 'paid', 'premium'],
    ['free', 'paid', undefined, 'paid'],
    ['paid', 'free', 'premium', 'premium'],
  ])('CON-11 REC-03 computed from tiers %s, %s and %s has the highest, %s', (footprint, above, below, tier) => {
    const values: Values = {
      footprintM2: { value: 100, tier: footprint },
      floorsAbove: { value: 3, tier: above },
      ...(below === undefined ? {} : { floorsBelow: { value: 1, tier: below } }),
    };
    expect(decide('gfaM2', [says('plateau', values)])).toMatchObject({ tier, estimated: true });
  });

  it('CON-11 CON-13 changes if only the tier of an input changes', () => {
    const measuredAt = (tier: Tier) => [says('plateau', { footprintM2: { value: 100, tier }, floorsAbove: 3 })];
    expect(changes(measuredAt('free'), measuredAt('paid'))).toEqual(['footprintM2', 'gfaM2']);
  });

  it('CON-11 has no floating-point noise', () => {
    expect(String(decide('gfaM2', [says('osm', { footprintM2: 0.1, floorsAbove: 3 })]).value)).toBe('0.3');
    expect(String(decide('gfaM2', [says('osm', { footprintM2: 1234.56, floorsAbove: 10 })]).value)).toBe('12345.6');
  });

  it.each<GivenSource>(['jreit', 'edinet', 'plateau', 'osm', 'greenarchive', 'greenbuilding'])(
    'CON-11 reported by %s wins, is not estimated, and does not conflict with the computed value',
    (source) => {
      const evidence = [measured, record(source, 'reporter', [statement({ gfaM2: 5000 }, { at: 0 })])];
      expect(decide('gfaM2', evidence)).toMatchObject({
        value: 5000,
        estimated: false,
        conflict: null,
        provenance: { source, sourceRecordId: 'reporter' },
      });
    },
  );

  it('CON-11 is still computed if only an unlisted source reports it', () => {
    const evidence = [measured, says('mankan', { gfaM2: 5000 })];
    expect(decide('gfaM2', evidence)).toMatchObject({ value: 3006, conflict: null, estimated: true });
  });

  it('CON-11 has conflicts between reported values as usual', () => {
    const evidence = [measured, says('osm', { gfaM2: 4000 }), says('jreit', { gfaM2: 5000 })];
    expect(decide('gfaM2', evidence)).toMatchObject({ value: 5000, conflict: { value: 4000, source: 'osm' } });
  });
});

describe('inheritance from a complex', () => {
  const complex = { nameJa: '丸の内パークビル', nameEn: 'Marunouchi Park' };
  const complexItem = (values: Values, at = 1, id = 'Q1') =>
    record('wikidata', id, [statement(values, { at, complex })]);

  it('CON-12 covers yearBuilt and architect, with the provenance of the complex', () => {
    const page = pageOf([complexItem({ yearBuilt: 2009, architect: '三菱地所設計' }, 4)]);
    const provenance = {
      source: 'wikidata',
      sourceRecordId: 'Q1',
      sourceUrl: 'https://wikidata.example/Q1',
      retrievedAt: day(4),
      extractionMethod: 'inherited-complex',
      confidence: 0.5,
    };
    const rest = { unit: null, tier: 'free', provenance, conflict: null, estimated: true, inheritedFrom: complex };
    expect(page.fields).toEqual({
      yearBuilt: { value: 2009, ...rest },
      architect: { value: '三菱地所設計', ...rest },
    });
  });

  it('CON-12 covers only those two fields', () => {
    const page = pageOf([
      record('wikidata', 'Q1', [
        statement(
          {
            nameJa: '街区',
            nameEn: 'Complex',
            aliases: ['Block'],
            assetTypes: ['office'],
            floorsAbove: 40,
            heightM: 200,
            ownerPublic: '某社',
            yearBuilt: 2009,
            architect: '某',
          },
          { complex, geometry: square(200) },
        ),
      ]),
    ]);
    expect(Object.keys(page.fields)).toEqual(['yearBuilt', 'architect']);
    expect(page).toMatchObject({ aliases: [], geometry: null, footprint: null });
    expect(page.assetTypes).toMatchObject([{ value: 'unknown' }]);
    expect(page.location).toMatchObject({ lat: null, lon: null, meshCode: null });
  });

  it('CON-12 does not cover venues', () => {
    const venues = [{ nameJa: '街区の店', nameEn: null, category: 'cafe', level: null }];
    const wikidata = record('wikidata', 'Q1', [statement({ yearBuilt: 2009 }, { complex, venues })]);
    expect(pageOf([wikidata]).venues).toEqual([]);
  });

  it('CON-12 names the complex; each name is nullable', () => {
    for (const names of [
      { nameJa: null, nameEn: null },
      { nameJa: '街区', nameEn: null },
      { nameJa: null, nameEn: 'Block' },
    ]) {
      const evidence = [says('wikidata', { yearBuilt: 2009 }, { complex: names })];
      expect(decide('yearBuilt', evidence).inheritedFrom).toEqual(names);
    }
  });

  it.each<GivenSource>(['jreit', 'edinet', 'wikidata', 'plateau', 'greenarchive', 'greenbuilding', 'mankan'])(
    'CON-12 is outranked by yearBuilt of %s, whatever its age, without a conflict',
    (source) => {
      const evidence = [
        complexItem({ yearBuilt: 2009 }, 9),
        record(source, 'own', [statement({ yearBuilt: 1990 }, { at: 1 })]),
      ];
      const value = decide('yearBuilt', evidence);
      expect(value).toMatchObject({
        value: 1990,
        conflict: null,
        estimated: false,
        provenance: { sourceRecordId: 'own' },
      });
      expect(value).not.toHaveProperty('inheritedFrom');
    },
  );

  it('CON-12 is outranked by the building’s own architect', () => {
    const evidence = [complexItem({ architect: '甲' }, 9), record('wikidata', 'Q2', [statement({ architect: '乙' })])];
    expect(decide('architect', evidence)).toMatchObject({ value: '乙', conflict: null, estimated: false });
  });

  it('CON-12 applies if the only own source is not listed for the field', () => {
    const evidence = [
      complexItem({ yearBuilt: 2009, architect: '甲' }),
      says('osm', { yearBuilt: 1990, architect: '乙' }),
    ];
    expect(pageOf(evidence).fields).toMatchObject({
      yearBuilt: { value: 2009, conflict: null, estimated: true },
      architect: { value: '甲', conflict: null, estimated: true },
    });
  });

  it('CON-12 does not affect conflicts between own values', () => {
    const evidence = [
      complexItem({ yearBuilt: 2009 }, 9),
      says('jreit', { yearBuilt: 1990 }),
      says('mankan', { yearBuilt: 1991 }),
    ];
    expect(decide('yearBuilt', evidence)).toMatchObject({ value: 1990, conflict: { value: 1991, source: 'mankan' } });
  });

  it('CON-12 REC-05 REC-11 publishes the newest of two complexes that differ, with the other as conflict', () => {
    const other = { nameJa: null, nameEn: 'Other' };
    const evidence = [
      complexItem({ yearBuilt: 2009, architect: '甲' }, 2),
      record('wikidata', 'Q2', [statement({ yearBuilt: 2012 }, { at: 5, complex: other })]),
    ];
    const page = pageOf(evidence);
    expect(page.fields).toMatchObject({
      yearBuilt: {
        value: 2012,
        conflict: { value: 2009, unit: null, source: 'wikidata' },
        estimated: true,
        inheritedFrom: other,
        provenance: { sourceRecordId: 'Q2' },
      },
      architect: { value: '甲', conflict: null, inheritedFrom: complex, provenance: { sourceRecordId: 'Q1' } },
    });
    expect(page.counters.conflictsFlagged).toBe(1);
    expect(stored(evidence)).toMatchObject({ page, changes: [] });
    expect(changes([evidence[1] as RecordEvidence], evidence)).toEqual(['yearBuilt', 'architect']);
  });

  it('CON-12 has no conflict if two complexes agree', () => {
    const evidence = [complexItem({ architect: '甲' }, 1), complexItem({ architect: '甲' }, 2, 'Q2')];
    expect(decide('architect', evidence)).toMatchObject({ value: '甲', conflict: null, estimated: true });
  });

  it('CON-12 uses the current revision of the complex', () => {
    const wikidata = record('wikidata', 'Q1', [
      statement({ yearBuilt: 2009, architect: '甲' }, { at: 1, complex }),
      statement({ yearBuilt: 2010 }, { at: 2, complex, whole: true }),
    ]);
    const page = pageOf([wikidata]);
    expect(page.fields).toMatchObject({ yearBuilt: { value: 2010, conflict: null } });
    expect(page.fields.architect).toBeUndefined();
  });

  it('CON-12 does not affect the computed floor area', () => {
    const evidence = [complexItem({ floorsAbove: 40 }), says('plateau', { footprintM2: 100 })];
    expect(pageOf(evidence).fields.gfaM2).toBeUndefined();
  });

  it('REC-04 sets inheritedFrom on no other value', () => {
    const page = pageOf([
      complexItem({ yearBuilt: 2009, nameJa: '街区' }),
      says('plateau', { footprintM2: 10, floorsAbove: 2, nameJa: '名' }),
    ]);
    const inherited = Object.entries(page.fields).flatMap(([name, value]) => ('inheritedFrom' in value ? name : []));
    expect(inherited).toEqual(['yearBuilt']);
  });

  it('REC-03 sets estimated on exactly the computed and inherited values', () => {
    const page = pageOf([
      complexItem({ yearBuilt: 2009, architect: '甲' }),
      says('plateau', { footprintM2: 10, floorsAbove: 2, nameJa: '名', heightM: 9 }),
    ]);
    const estimated = Object.entries(page.fields).flatMap(([name, value]) => (value.estimated ? name : []));
    expect(estimated).toEqual(['gfaM2', 'yearBuilt', 'architect']);
  });
});
