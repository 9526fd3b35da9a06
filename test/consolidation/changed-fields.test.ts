import { describe, expect, it } from 'vitest';
import { changes, pageOf, record, type StatementOptions, says, square, statement, type Values } from './support.ts';

const osm = (values: Values, options: StatementOptions = {}, id = 'way/1') =>
  record('osm', id, [statement(values, options)]);
const jreit = says('jreit', { nameJa: '勝者' });

describe('a first version', () => {
  it('CON-15 lists every present field, in the order of the contract', () => {
    const evidence = [
      says('plateau', { nameJa: '名', footprintM2: 100, floorsAbove: 3, heightM: 9 }),
      says('osm', { aliases: ['Alpha'], assetTypes: ['office'] }),
    ];
    expect(changes(undefined, evidence)).toEqual([
      ...['nameJa', 'aliases', 'assetTypes', 'footprintM2', 'gfaM2', 'floorsAbove', 'heightM'],
    ]);
  });

  it('CON-15 always lists asset types, even if only the unknown one', () => {
    expect(changes(undefined, [osm({ nameJa: '名' })])).toEqual(['nameJa', 'assetTypes']);
  });

  it('CON-15 lists the geometry and the venues too', () => {
    const venues = [{ nameJa: '店', nameEn: null, category: 'cafe', level: null }];
    expect(changes(undefined, [osm({}, { geometry: square(10), venues })])).toEqual([
      'assetTypes',
      'geometry',
      'venues',
    ]);
  });
});

describe('a change of the winner', () => {
  const before = [osm({ heightM: 30 })];

  it.each<[string, ReturnType<typeof osm>]>([
    ['value', osm({ heightM: 31 })],
    ['unit', osm({ heightM: { value: 30, unit: 'ft' } })],
    ['tier', osm({ heightM: { value: 30, tier: 'paid' } })],
    ['source record', osm({ heightM: 30 }, {}, 'way/2')],
    ['source', record('wikidata', 'way/1', [statement({ heightM: 30 }, { sourceUrl: 'https://osm.example/way/1' })])],
    ['URL', osm({ heightM: 30 }, { sourceUrl: 'https://osm.example/elsewhere' })],
    ['retrieval time', osm({ heightM: 30 }, { at: 2 })],
    ['method', osm({ heightM: { value: 30, extractionMethod: 'osm-business-tag', confidence: 0.8 } })],
    ['confidence', osm({ heightM: { value: 30, confidence: 0.6 } })],
  ])('CON-13 in its %s alone is a change', (_, after) => {
    expect(changes(before, [after])).toEqual(['heightM']);
  });

  it('CON-13 does not exist between equal decisions', () => {
    expect(changes(before, [osm({ heightM: 30 })])).toEqual([]);
    expect(changes([], [])).toEqual([]);
  });

  it('CON-13 includes appearing and being withdrawn', () => {
    const whole = record('osm', 'way/1', [statement({ heightM: 30 }), statement({}, { at: 2, whole: true })]);
    expect(changes([osm({})], before)).toEqual(['heightM']);
    expect(changes(before, [whole])).toEqual(['heightM']);
  });

  it('CON-13 lists only the fields that changed', () => {
    const both = (heightM: number) => [osm({ nameJa: '名', heightM, aliases: ['Alpha'], assetTypes: ['office'] })];
    expect(changes(both(30), both(31))).toEqual(['heightM']);
  });

  it('CON-13 from inherited to own is a change, and so is a new name of the complex', () => {
    const inherited = (nameJa: string | null) =>
      says('wikidata', { yearBuilt: 2009 }, { complex: { nameJa, nameEn: null } });
    expect(changes([inherited('甲')], [says('wikidata', { yearBuilt: 2009 })])).toEqual(['yearBuilt']);
    expect(changes([inherited('甲')], [inherited('乙')])).toEqual(['yearBuilt']);
    expect(changes([inherited(null)], [inherited(null)])).toEqual([]);
  });

  it('CON-13 from estimated to reported is a change, even with the same value', () => {
    const measured = says('plateau', { footprintM2: 100, floorsAbove: 3 });
    expect(changes([measured], [measured, osm({ gfaM2: 300 })])).toEqual(['gfaM2']);
  });

  it('CON-13 of an appraisal that loses its date lists the date', () => {
    const edinet = (values: Values) => says('edinet', { appraisalValueJpy: 1, ...values });
    expect(changes([edinet({ appraisalDate: '2025-03-31' })], [edinet({})])).toEqual(['appraisalDate']);
  });
});

describe('a change of the retained alternatives', () => {
  it.each<[string, string]>([
    ['disagrees', '敗者'],
    ['agrees', '勝者'],
  ])('CON-13 is an added loser that %s', (_, nameJa) => {
    expect(changes([jreit], [jreit, osm({ nameJa })])).toEqual(['nameJa']);
    expect(changes([jreit, osm({ nameJa })], [jreit])).toEqual(['nameJa']);
  });

  it('CON-13 is an added loser after another, even though the published record stays the same', () => {
    const before = [jreit, osm({ nameJa: '敗者' })];
    const after = [...before, says('mankan', { nameJa: '末席' })];
    expect(pageOf(after).fields).toEqual(pageOf(before).fields);
    expect(changes(before, after)).toEqual(['nameJa']);
  });

  it.each<[string, ReturnType<typeof osm>]>([
    ['value', osm({ nameJa: '別の敗者' })],
    ['tier', osm({ nameJa: { value: '敗者', tier: 'paid' } })],
    ['source record', osm({ nameJa: '敗者' }, {}, 'way/2')],
    ['URL', osm({ nameJa: '敗者' }, { sourceUrl: 'https://osm.example/elsewhere' })],
    ['retrieval time', osm({ nameJa: '敗者' }, { at: 2 })],
    ['confidence', osm({ nameJa: { value: '敗者', confidence: 0.6 } })],
  ])('CON-13 is a new %s of a loser', (_, loser) => {
    expect(changes([jreit, osm({ nameJa: '敗者' })], [jreit, loser])).toEqual(['nameJa']);
  });

  it('CON-13 includes values of a complex behind an own value', () => {
    const complex = { nameJa: '街区', nameEn: null };
    const own = says('jreit', { yearBuilt: 1990 });
    expect(changes([own], [own, says('wikidata', { yearBuilt: 2009 }, { complex })])).toEqual(['yearBuilt']);
  });

  it('CON-13 includes losers of the geometry', () => {
    const plateau = says('plateau', {}, { geometry: square(10) });
    expect(changes([plateau], [plateau, osm({}, { geometry: square(20) })])).toEqual(['geometry']);
    expect(changes([plateau], [says('plateau', {}, { geometry: square(11) })])).toEqual(['geometry']);
  });

  it('CON-16 does not include sources that are not listed for the field', () => {
    expect(changes([osm({ heightM: 30 })], [osm({ heightM: 30 }), says('jreit', { heightM: 31 })])).toEqual([]);
  });

  it('CON-13 is not a reordering of equal alternatives', () => {
    const losers = (second: string, third: string) => [
      jreit,
      osm({ nameJa: '二' }, { at: 9 }, 'way/2'),
      osm({ nameJa: '三' }, { payload: second }, 'way/3'),
      osm({ nameJa: '四' }, { payload: third }, 'way/4'),
    ];
    expect(changes(losers('a', 'b'), losers('b', 'a'))).toEqual([]);
    const agreeing = (first: string, second: string) => [
      jreit,
      osm({ nameJa: '勝者' }, { payload: first }, 'way/2'),
      osm({ nameJa: '勝者' }, { payload: second }, 'way/3'),
    ];
    expect(changes(agreeing('a', 'b'), agreeing('b', 'a'))).toEqual([]);
  });

  it('CON-13 is not a reordering of the alternatives of an alias, a use or the geometry', () => {
    const records = (first: string, second: string) => [
      says('osm', { aliases: ['Alpha'], assetTypes: ['office'] }, { geometry: square(10) }),
      says('plateau', {}, { geometry: square(5) }),
      record('osm', 'way/2', [
        statement({ aliases: ['ALPHA'], assetTypes: ['事務所'] }, { at: 0, payload: first, geometry: square(20) }),
      ]),
      record('osm', 'way/3', [
        statement({ aliases: ['alpha'], assetTypes: ['offices'] }, { at: 0, payload: second, geometry: square(30) }),
      ]),
    ];
    expect(changes(records('a', 'b'), records('b', 'a'))).toEqual([]);
  });
});

describe('not a change', () => {
  it('CON-13 is another raw payload reference alone', () => {
    const values = { nameJa: '名', aliases: ['Alpha'], assetTypes: ['office'] };
    const options = { geometry: square(10), venues: [{ nameJa: '店', nameEn: null, category: 'cafe', level: null }] };
    expect(changes([osm(values, { ...options, payload: 'a' })], [osm(values, { ...options, payload: 'b' })])).toEqual(
      [],
    );
  });

  it('CON-13 is fetching the current payload again', () => {
    const first = statement({ nameJa: '名' }, { at: 1, payload: 'a' });
    const again = statement({ nameJa: '名' }, { at: 2, payload: 'a' });
    expect(changes([record('osm', 'way/1', [first])], [record('osm', 'way/1', [first, again])])).toEqual([]);
  });

  it('CON-13 is an earlier revision that arrives late', () => {
    const now = statement({ nameJa: '新', aliases: ['Alpha'] }, { at: 2 });
    const past = statement({ nameJa: '旧', aliases: ['Beta'] }, { at: 1 });
    expect(changes([record('osm', 'way/1', [now])], [record('osm', 'way/1', [now, past])])).toEqual([]);
  });

  it('CON-14 is the time at which a value was computed again', () => {
    const measured = (at: number) => [
      says('plateau', { footprintM2: 100 }),
      record('osm', 'way/1', [statement({ floorsAbove: 3 }, { at })]),
    ];
    const [before, after] = [pageOf(measured(2)), pageOf(measured(8))];
    expect(before.fields.gfaM2?.provenance.retrievedAt).not.toBe(after.fields.gfaM2?.provenance.retrievedAt);
    expect(changes(measured(2), measured(8))).toEqual(['floorsAbove']);
  });

  it('CON-14 is the time at which the use was found to be unknown', () => {
    expect(changes([osm({ heightM: 30 }, { at: 2 })], [osm({ heightM: 30 }, { at: 8 })])).toEqual(['heightM']);
  });

  it('CON-14 does not include a new computed value', () => {
    const measured = (floorsAbove: number) => [says('plateau', { footprintM2: 100, floorsAbove })];
    expect(changes(measured(3), measured(4))).toEqual(['gfaM2', 'floorsAbove']);
  });
});

describe('evidence-only changes', () => {
  const newer = { at: 2 };

  it('CON-15 of a scalar field are listed', () => {
    expect(changes([osm({ nameJa: '名' })], [osm({ nameJa: '名' }, newer)])).toEqual(['nameJa']);
  });

  it('CON-15 of aliases are listed, of winners and of losers', () => {
    expect(changes([osm({ aliases: ['Alpha'] })], [osm({ aliases: ['Alpha'] }, newer)])).toEqual(['aliases']);
    const loser = says('wikidata', { aliases: ['ALPHA'] });
    const before = [osm({ aliases: ['Alpha'] })];
    expect(pageOf([...before, loser]).aliases).toEqual(pageOf(before).aliases);
    expect(changes(before, [...before, loser])).toEqual(['aliases']);
    expect(changes([...before, loser], [...before, says('wikidata', { aliases: ['alpha'] })])).toEqual(['aliases']);
  });

  it('CON-15 of asset types are listed, of winners and of losers', () => {
    expect(changes([osm({ assetTypes: ['office'] })], [osm({ assetTypes: ['office'] }, newer)])).toEqual([
      'assetTypes',
    ]);
    const before = [osm({ assetTypes: ['office'] })];
    const loser = says('wikidata', { assetTypes: ['事務所'] });
    expect(pageOf([...before, loser]).assetTypes).toEqual(pageOf(before).assetTypes);
    expect(changes(before, [...before, loser])).toEqual(['assetTypes']);
  });

  it('CON-15 a new alias and a new use are listed', () => {
    const before = [osm({ aliases: ['Alpha'], assetTypes: ['office'] })];
    expect(changes(before, [osm({ aliases: ['Alpha', 'Beta'], assetTypes: ['office'] })])).toEqual(['aliases']);
    expect(changes(before, [osm({ aliases: ['Alpha'], assetTypes: ['office', 'retail'] })])).toEqual(['assetTypes']);
    expect(changes([osm({})], [osm({ assetTypes: ['office'] })])).toEqual(['assetTypes']);
  });
});
