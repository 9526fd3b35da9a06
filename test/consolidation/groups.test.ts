import { describe, expect, it } from 'vitest';
import { day, pageOf, record, says, statement } from './support.ts';

const aliasesOf = (...evidence: Parameters<typeof pageOf>[0]) =>
  pageOf(evidence).aliases.map(({ value, provenance }) => [value, provenance.source]);
const usesOf = (...evidence: Parameters<typeof pageOf>[0]) =>
  new Map(pageOf(evidence).assetTypes.map(({ category, value, provenance }) => [category, [value, provenance.source]]));

describe('aliases', () => {
  it.each([
    ['letter case', 'Marubiru', 'MARUBIRU'],
    ['full width', 'Marubiru 2', 'Ｍａｒｕｂｉｒｕ　２'],
    ['half-width kana', 'マルビル', 'ﾏﾙﾋﾞﾙ'],
    ['runs of whitespace', 'Maru Biru', '  Maru \t\n Biru '],
    ['composition', 'Caf\u00e9', 'Cafe\u0301'],
    ['compatibility forms', '㈱ビル', '(株)ビル'],
  ])('CON-07 that differ by %s are one, in the spelling of the winning source', (_, mine, theirs) => {
    const evidence = [says('wikidata', { aliases: [theirs] }, { at: 9 }), says('osm', { aliases: [mine] })];
    expect(aliasesOf(...evidence)).toEqual([[mine, 'osm']]);
    const reversed = [says('wikidata', { aliases: [mine] }, { at: 9 }), says('osm', { aliases: [theirs] })];
    expect(aliasesOf(...reversed)).toEqual([[theirs, 'osm']]);
  });

  it.each([
    ['kana', 'まるびる', 'マルビル'],
    ['romaji', 'marubiru', 'マルビル'],
    ['a space', 'marubiru', 'maru biru'],
    ['an accent', 'Cafe', 'Café'],
  ])('CON-07 that differ by %s are two', (_, one, other) => {
    expect(aliasesOf(says('osm', { aliases: [one, other] }))).toHaveLength(2);
  });

  it('CON-07 precedence applies within each group, so one record may win one group and lose another', () => {
    const evidence = [
      says('osm', { aliases: ['Alpha', 'Beta'] }),
      says('wikidata', { aliases: ['BETA', 'Gamma'] }, { at: 9 }),
    ];
    expect(new Map(aliasesOf(...evidence) as [string, string][])).toEqual(
      new Map([
        ['Alpha', 'osm'],
        ['Beta', 'osm'],
        ['Gamma', 'wikidata'],
      ]),
    );
  });

  it('CON-07 within one source the newest spelling wins', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ aliases: ['ALPHA'] }, { at: 2 })]),
      record('osm', 'way/2', [statement({ aliases: ['Alpha'] }, { at: 3 })]),
    ];
    expect(pageOf(evidence).aliases).toMatchObject([
      { value: 'Alpha', provenance: { sourceRecordId: 'way/2', retrievedAt: day(3) } },
    ]);
  });

  it('CON-07 two spellings in one payload are one entry', () => {
    expect(aliasesOf(says('osm', { aliases: ['alpha', 'Alpha', 'ALPHA'] }))).toHaveLength(1);
  });

  it('CON-07 an entry has value, tier and provenance, and no conflict', () => {
    const [alias] = pageOf([says('osm', { aliases: ['Alpha'] }), says('wikidata', { aliases: ['ALPHA'] })]).aliases;
    expect(Object.keys(alias ?? {})).toEqual(['value', 'tier', 'provenance']);
  });
});

describe('asset types', () => {
  it('REC-02 are at the top level, never in fields, and so are aliases', () => {
    const page = pageOf([says('osm', { assetTypes: ['office'], aliases: ['Alpha'], nameJa: '名' })]);
    expect(Object.keys(page.fields)).toEqual(['nameJa']);
    expect(page.assetTypes).toHaveLength(1);
  });

  it('REC-02 without a known use are one computed entry, unknown and unspecified', () => {
    for (const evidence of [
      [says('osm', { nameJa: '名' })],
      [says('jreit', {})],
      // mankan is not listed for asset types, and they are not inherited from a complex
      [says('mankan', { assetTypes: ['office'] })],
      [says('wikidata', { assetTypes: ['office'] }, { complex: { nameJa: '街区', nameEn: null } })],
    ]) {
      const { assetTypes } = pageOf(evidence);
      expect(assetTypes).toHaveLength(1);
      expect(assetTypes[0]).toMatchObject({
        value: 'unknown',
        category: 'unspecified',
        tier: 'free',
        provenance: { source: 'dnk', extractionMethod: 'computed', confidence: 0.5 },
      });
    }
  });

  it('REC-02 with a known use have no unknown entry', () => {
    expect([...usesOf(says('osm', { assetTypes: ['office'] }), says('mankan', {})).keys()]).toEqual(['office']);
  });

  it('REC-06 have value, category, tier and provenance, and no conflict', () => {
    const evidence = [says('jreit', { assetTypes: ['共同住宅'] }), says('osm', { assetTypes: ['apartments'] })];
    const { assetTypes, counters } = pageOf(evidence);
    expect(assetTypes).toHaveLength(1);
    expect(Object.keys(assetTypes[0] ?? {})).toEqual(['value', 'category', 'tier', 'provenance']);
    expect(counters.conflictsFlagged).toBe(0);
  });

  it('REC-07 with two values of one category are one use, in the words of the winning source', () => {
    const osm = says('osm', { assetTypes: ['apartments'] }, { at: 9 });
    expect(usesOf(osm, says('wikidata', { assetTypes: ['residential'] }))).toEqual(
      new Map([['residential', ['apartments', 'osm']]]),
    );
    expect(usesOf(osm, says('jreit', { assetTypes: ['共同住宅'] }))).toEqual(
      new Map([['residential', ['共同住宅', 'jreit']]]),
    );
    expect(usesOf(says('osm', { assetTypes: ['apartments', 'residential'] })).size).toBe(1);
  });

  it('REC-07 several categories give several entries', () => {
    expect(usesOf(says('osm', { assetTypes: ['office', 'retail'] }))).toEqual(
      new Map([
        ['office', ['office', 'osm']],
        ['retail', ['retail', 'osm']],
      ]),
    );
  });

  it('REC-07 are compared regardless of case and width, and published as recorded', () => {
    expect(usesOf(says('osm', { assetTypes: ['ＯＦＦＩＣＥ'] }), says('plateau', { assetTypes: ['office'] }))).toEqual(
      new Map([['office', ['ＯＦＦＩＣＥ', 'osm']]]),
    );
  });

  it('CON-07 precedence applies within each category: a source that loses one may win another', () => {
    const evidence = [
      says('jreit', { assetTypes: ['事務所'] }),
      says('osm', { assetTypes: ['office', 'retail'] }, { at: 5 }),
      says('wikidata', { assetTypes: ['retail', 'hotel'] }, { at: 9 }),
    ];
    expect(usesOf(...evidence)).toEqual(
      new Map([
        ['office', ['事務所', 'jreit']],
        ['retail', ['retail', 'osm']],
        ['hotel', ['hotel', 'wikidata']],
      ]),
    );
  });

  it('CON-07 within one source and category the newest wins', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ assetTypes: ['apartments'] }, { at: 2 })]),
      record('osm', 'way/2', [statement({ assetTypes: ['house'] }, { at: 1 })]),
    ];
    expect(usesOf(...evidence)).toEqual(new Map([['residential', ['apartments', 'osm']]]));
  });
});
