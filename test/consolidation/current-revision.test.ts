import { describe, expect, it } from 'vitest';
import { currentClaims } from '../../src/consolidation/current-claims.ts';
import { day, decide, pageOf, record, type StatementOptions, says, square, statement, type Values } from './support.ts';

const aliasesOf = (...evidence: Parameters<typeof pageOf>[0]) => pageOf(evidence).aliases.map((alias) => alias.value);

describe('the current revision of a record and field', () => {
  it('CON-01 is the one with the latest retrievedAt', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '新' }, { at: 3, payload: 'a' }),
      statement({ nameJa: '旧' }, { at: 2, payload: 'z' }),
    ]);
    expect(decide('nameJa', [osm])).toMatchObject({
      value: '新',
      conflict: null,
      provenance: { source: 'osm', sourceRecordId: 'way/1', retrievedAt: day(3) },
    });
  });

  it.each([
    ['a', 'b'],
    ['sha256:0f', 'sha256:f0'],
    ['payload-10', 'payload-9'],
    ['Z', 'a'],
  ])('CON-01 at equal retrievedAt is the lexicographically greatest rawPayloadRef: %s < %s', (lesser, greater) => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '勝' }, { payload: greater }),
      statement({ nameJa: '負' }, { payload: lesser }),
    ]);
    expect(decide('nameJa', [osm])).toMatchObject({ value: '勝', conflict: null });
  });

  it('CON-01 compares times as instants, with any number of decimals', () => {
    const halfSecond = record('osm', 'way/1', [
      statement({ nameJa: '後' }, { at: '2026-01-01T00:00:00.5Z', payload: 'a' }),
      statement({ nameJa: '先' }, { at: '2026-01-01T00:00:00.25Z', payload: 'b' }),
      statement({ nameJa: '初' }, { at: '2026-01-01T00:00:00Z', payload: 'c' }),
    ]);
    expect(decide('nameJa', [halfSecond]).value).toBe('後');
    const sameMoment = record('osm', 'way/1', [
      statement({ nameJa: '負' }, { at: '2026-01-01T00:00:00Z', payload: 'a' }),
      statement({ nameJa: '勝' }, { at: '2026-01-01T00:00:00.000Z', payload: 'b' }),
    ]);
    expect(decide('nameJa', [sameMoment])).toMatchObject({ value: '勝', conflict: null });
  });

  it('CON-01 is determined per record and field: a field absent from a newer revision stays', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '旧', nameEn: 'Old', aliases: ['Ko'] }, { at: 1 }),
      statement({ nameJa: '新' }, { at: 2 }),
    ]);
    const page = pageOf([osm]);
    expect(page.fields.nameJa).toMatchObject({ value: '新', provenance: { retrievedAt: day(2) } });
    expect(page.fields.nameEn).toMatchObject({ value: 'Old', provenance: { retrievedAt: day(1) } });
    expect(page.aliases).toMatchObject([{ value: 'Ko', provenance: { retrievedAt: day(1) } }]);
  });

  it('CON-01 is determined per record: the age of one record does not affect another', () => {
    const page = pageOf([
      record('osm', 'way/1', [statement({ nameEn: 'One' }, { at: 5 })]),
      record('osm', 'way/2', [statement({ heightM: 30 }, { at: 1 })]),
    ]);
    expect(page.fields).toMatchObject({ nameEn: { value: 'One' }, heightM: { value: 30 } });
  });

  it('CON-01 A → B → A ends at A, with the retrieval time of the third fetch', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: 'A' }, { at: 1, payload: 'a' }),
      statement({ nameJa: 'B' }, { at: 2, payload: 'b' }),
      statement({ nameJa: 'A' }, { at: 3, payload: 'a' }),
    ]);
    expect(decide('nameJa', [osm])).toMatchObject({ value: 'A', conflict: null, provenance: { retrievedAt: day(3) } });
    expect(pageOf([osm]).counters.observations).toBe(2);
  });

  it('CON-01 A → B → A → A keeps the time at which A returned', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: 'A' }, { at: 1, payload: 'a' }),
      statement({ nameJa: 'B' }, { at: 2, payload: 'b' }),
      statement({ nameJa: 'A' }, { at: 3, payload: 'a' }),
      statement({ nameJa: 'A' }, { at: 4, payload: 'a' }),
    ]);
    expect(decide('nameJa', [osm]).provenance.retrievedAt).toBe(day(3));
  });

  it('CON-01 a payload without the field does not separate two fetches of a payload with it', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: 'A' }, { at: 1, payload: 'a' }),
      statement({ nameEn: 'B' }, { at: 2, payload: 'b' }),
      statement({ nameJa: 'A' }, { at: 3, payload: 'a' }),
    ]);
    expect(decide('nameJa', [osm]).provenance.retrievedAt).toBe(day(1));
  });

  it('CON-01 the same value in a new payload is a new revision', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: 'A' }, { at: 1, payload: 'a' }),
      statement({ nameJa: 'A' }, { at: 2, payload: 'b' }),
    ]);
    expect(decide('nameJa', [osm])).toMatchObject({ value: 'A', conflict: null, provenance: { retrievedAt: day(2) } });
  });

  it('CON-02 keeps all its values eligible', () => {
    const osm = record('osm', 'way/1', [
      statement({ aliases: ['old'], assetTypes: ['hotel'] }, { at: 1 }),
      statement({ aliases: ['Beta', 'Alpha', 'Gamma'], assetTypes: ['office', 'retail'] }, { at: 2 }),
    ]);
    const page = pageOf([osm]);
    expect(new Set(page.aliases.map((alias) => alias.value))).toEqual(new Set(['Alpha', 'Beta', 'Gamma']));
    expect(new Set(page.assetTypes.map((use) => use.category))).toEqual(new Set(['office', 'retail']));
  });

  it('CON-02 includes all lines of a fetch', () => {
    const osm = record('osm', 'way/1', [
      statement({ aliases: ['Alpha'], nameJa: '名' }, { at: 2, payload: 'p' }),
      statement({ aliases: ['Beta'], nameEn: 'Name' }, { at: 2, payload: 'p' }),
    ]);
    expect(new Set(aliasesOf(osm))).toEqual(new Set(['Alpha', 'Beta']));
    expect(pageOf([osm]).fields).toMatchObject({ nameJa: { value: '名' }, nameEn: { value: 'Name' } });
  });

  it('CON-03 earlier revisions are counted, but neither win, conflict nor create entries', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '旧', aliases: ['Old'], assetTypes: ['hotel'] }, { at: 1 }),
      statement({ nameJa: '新', aliases: ['New'], assetTypes: ['office'] }, { at: 2 }),
    ]);
    const page = pageOf([osm]);
    expect(page.fields.nameJa).toMatchObject({ value: '新', conflict: null });
    expect(page.aliases.map((alias) => alias.value)).toEqual(['New']);
    expect(page.assetTypes.map((use) => use.category)).toEqual(['office']);
    expect(page.counters).toMatchObject({ observations: 6, conflictsFlagged: 0 });
  });

  it('CON-03 an earlier revision does not win if the current one loses', () => {
    const jreit = record('jreit', 'J1', [
      statement({ nameJa: '前の名' }, { at: 1 }),
      statement({ nameJa: '今の名' }, { at: 2 }),
    ]);
    expect(decide('nameJa', [jreit, says('edinet', { nameJa: '届出の名' }, { at: 9 })])).toMatchObject({
      value: '今の名',
      conflict: { value: '届出の名', source: 'edinet' },
    });
  });
});

describe('a repeated payload reference', () => {
  const fetches = (...contents: (Values | [Values, StatementOptions])[]) =>
    record(
      'osm',
      'way/1',
      contents.map((one, i) => {
        const [values, options] = Array.isArray(one) ? one : [one, {}];
        return statement(values, { at: i + 1, payload: 'p', ...options });
      }),
    );

  it('CON-01 the latest fetch is the current revision: A, B publishes B without conflict', () => {
    const page = pageOf([fetches({ nameJa: 'A' }, { nameJa: 'B' })]);
    expect(page.fields.nameJa).toMatchObject({ value: 'B', conflict: null, provenance: { retrievedAt: day(2) } });
    expect(page.counters).toMatchObject({ observations: 2, conflictsFlagged: 0 });
  });

  it('CON-01 A, B, A publishes A without conflict, as of the third fetch', () => {
    const page = pageOf([fetches({ nameJa: 'A' }, { nameJa: 'B' }, { nameJa: 'A' })]);
    expect(page.fields.nameJa).toMatchObject({ value: 'A', conflict: null, provenance: { retrievedAt: day(3) } });
    expect(page.counters.observations).toBe(2);
  });

  it('CON-01 only values of the latest fetch of a repeated field are published, each dated from its first consecutive fetch', () => {
    const page = pageOf([
      fetches(
        { aliases: ['x', 'y'], assetTypes: ['hotel', 'office'] },
        { aliases: ['y', 'z'], assetTypes: ['office'] },
      ),
    ]);
    expect(page.aliases.map(({ value, provenance }) => [value, provenance.retrievedAt])).toEqual([
      ['y', day(1)],
      ['z', day(2)],
    ]);
    expect(page.assetTypes.map(({ value, provenance }) => [value, provenance.retrievedAt])).toEqual([
      ['office', day(1)],
    ]);
    expect(page.counters.observations).toBe(5);
  });

  it('CON-01 an alias that was omitted once is dated from its return', () => {
    const [alias] = pageOf([fetches({ aliases: ['x', 'y'] }, { aliases: ['x'] }, { aliases: ['y'] })]).aliases;
    expect(alias).toMatchObject({ value: 'y', provenance: { retrievedAt: day(3) } });
  });

  it('CON-01 a fetch that does not mention the field leaves it as it is', () => {
    const osm = fetches({ nameJa: 'A', nameEn: 'Old' }, { nameEn: 'New' });
    expect(pageOf([osm]).fields).toMatchObject({
      nameJa: { value: 'A', provenance: { retrievedAt: day(1) } },
      nameEn: { value: 'New', conflict: null },
    });
  });

  it('CON-01 the same value with another tier, method or URL is a new statement', () => {
    const changed: [Values, StatementOptions][] = [
      [{ nameJa: { value: 'A', tier: 'paid' } }, {}],
      [{ nameJa: { value: 'A', extractionMethod: 'osm-business-tag' } }, {}],
      [{ nameJa: 'A' }, { sourceUrl: 'https://osm.example/moved' }],
    ];
    for (const content of changed) {
      const published = pageOf([fetches({ nameJa: 'A' }, content)]);
      expect(published.fields).toEqual(pageOf([fetches([{}, {}], content)]).fields);
      expect(published.sources).toEqual(pageOf([fetches([{}, {}], content)]).sources);
    }
  });

  it('CON-02 all lines of the latest fetch are eligible, those of the previous fetch are not', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: 'A', aliases: ['x'] }, { at: 1, payload: 'p' }),
      statement({ nameJa: 'B', aliases: ['y'] }, { at: 2, payload: 'p' }),
      statement({ nameJa: 'C', aliases: ['z'] }, { at: 2, payload: 'p' }),
    ]);
    expect(decide('nameJa', [osm])).toMatchObject({ value: 'B', conflict: { value: 'C', source: 'osm' } });
    expect(aliasesOf(osm)).toEqual(['y', 'z']);
  });

  it('CON-01 geometry, area and venues are those of the latest fetch', () => {
    const venue = (nameJa: string) => ({ nameJa, nameEn: null, category: 'cafe', level: null });
    const osm = fetches(
      [{}, { geometry: square(10), area: '131010001001', venues: [venue('甲'), venue('乙')] }],
      [{}, { geometry: square(20), area: '131010001002', venues: [venue('乙'), venue('丙')] }],
      [{}, { geometry: square(10), area: '131010001001' }],
    );
    const page = pageOf([osm]);
    expect(page).toMatchObject({ geometry: square(10), footprint: { provenance: { retrievedAt: day(3) } } });
    expect(page.venues.map(({ nameJa, provenance }) => [nameJa, provenance.retrievedAt])).toEqual([
      ['丙', day(2)],
      ['乙', day(1)],
    ]);
    expect(currentClaims(osm).area).toMatchObject({ area: '131010001001', provenance: { retrievedAt: day(3) } });
  });
});

describe('the links of a record', () => {
  const linksOf = (...drafts: Parameters<typeof record>[2]) => currentClaims(record('osm', 'way/1', drafts)).links;
  const linked = statement({}, { at: 1, whole: true, links: ['wikidata:Q1'] });

  it('CON-01 stay if a later fetch has none, unless that fetch is complete', () => {
    expect(linksOf(linked, statement({ nameJa: '名' }, { at: 2 }))).toEqual(['wikidata:Q1']);
    expect(linksOf(linked, statement({ nameJa: '名' }, { at: 2, whole: true }))).toEqual([]);
    expect(linksOf(linked, statement({}, { at: 2, links: ['wikidata:Q2'] }))).toEqual(['wikidata:Q2']);
  });

  it('CON-02 are those of all lines of a fetch', () => {
    const line = (link: string) => statement({}, { links: [link] });
    expect(linksOf(line('wikidata:Q2'), line('wikidata:Q1'))).toEqual(['wikidata:Q1', 'wikidata:Q2']);
  });
});

describe('a complete statement', () => {
  it('CON-03 withdraws the fields it no longer has', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '名', nameEn: 'Name', aliases: ['Alias'], assetTypes: ['office'] }, { at: 1 }),
      statement({ nameJa: '名' }, { at: 2, whole: true }),
    ]);
    const page = pageOf([osm]);
    expect(Object.keys(page.fields)).toEqual(['nameJa']);
    expect(page.aliases).toEqual([]);
    expect(page.assetTypes).toMatchObject([{ value: 'unknown', provenance: { source: 'dnk' } }]);
    expect(page.counters.observations).toBe(5);
  });

  it('CON-03 withdraws the geometry and the venues it no longer has', () => {
    const osm = record('osm', 'way/1', [
      statement(
        { nameJa: '名' },
        { at: 1, geometry: square(20), venues: [{ nameJa: '店', nameEn: null, category: 'cafe', level: '1' }] },
      ),
      statement({ nameJa: '名' }, { at: 2, whole: true }),
    ]);
    expect(pageOf([osm])).toMatchObject({ geometry: null, footprint: null, venues: [] });
  });

  it('CON-03 withdraws nothing of other records', () => {
    const page = pageOf([
      record('osm', 'way/1', [statement({ nameEn: 'Name' }, { at: 1 })]),
      record('osm', 'way/2', [statement({ nameJa: '名' }, { at: 2, whole: true })]),
    ]);
    expect(Object.keys(page.fields)).toEqual(['nameJa', 'nameEn']);
  });

  it('CON-03 withdraws nothing that was stated later', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '名' }, { at: 1, whole: true }),
      statement({ nameEn: 'Name' }, { at: 2 }),
    ]);
    expect(Object.keys(pageOf([osm]).fields)).toEqual(['nameJa', 'nameEn']);
  });

  it('CON-03 leaves the field to the next candidate', () => {
    const osm = record('osm', 'way/1', [statement({ nameJa: '名' }, { at: 1 }), statement({}, { at: 2, whole: true })]);
    expect(decide('nameJa', [osm, says('wikidata', { nameJa: '別名' })])).toMatchObject({
      value: '別名',
      conflict: null,
    });
  });

  it('CON-03 dates a withdrawn value that returns from its return', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '名' }, { at: 1, payload: 'a', whole: true }),
      statement({}, { at: 2, payload: 'b', whole: true }),
      statement({ nameJa: '名' }, { at: 3, payload: 'a', whole: true }),
    ]);
    expect(decide('nameJa', [osm]).provenance.retrievedAt).toBe(day(3));
  });

  it('CON-03 may consist of several lines of one fetch', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '名' }, { at: 2, payload: 'p', whole: true }),
      statement({ nameEn: 'Name' }, { at: 2, payload: 'p', whole: true, geometry: square(20) }),
    ]);
    const page = pageOf([osm]);
    expect(Object.keys(page.fields)).toEqual(['nameJa', 'nameEn']);
    expect(page.geometry).not.toBeNull();
  });

  it('CON-03 with the greater reference applies last if two payloads have the same time', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '名' }, { payload: 'a' }),
      statement({}, { payload: 'b', whole: true }),
    ]);
    expect(pageOf([osm]).fields).toEqual({});
  });
});

describe('a repeated observation', () => {
  const values = { nameJa: '名', aliases: ['Alpha', 'Beta'], assetTypes: ['office'] };

  it('CON-04 fetching the current payload again changes nothing, not even retrievedAt', () => {
    const once = record('osm', 'way/1', [statement(values, { at: 1, payload: 'a' })]);
    const again = record('osm', 'way/1', [
      statement(values, { at: 1, payload: 'a' }),
      statement(values, { at: 2, payload: 'a' }),
      statement(values, { at: 9, payload: 'a' }),
    ]);
    expect(JSON.stringify(pageOf([again]))).toBe(JSON.stringify(pageOf([once])));
  });

  it('CON-04 fetching it again does not make it newer than another record of its source', () => {
    const evidence = [
      record('osm', 'way/1', [
        statement({ nameJa: '一' }, { at: 1, payload: 'a' }),
        statement({ nameJa: '一' }, { at: 9, payload: 'a' }),
      ]),
      record('osm', 'way/2', [statement({ nameJa: '二' }, { at: 5 })]),
    ];
    expect(decide('nameJa', evidence)).toMatchObject({ value: '二', conflict: { value: '一', source: 'osm' } });
  });

  it('CON-04 a replay adds no observation', () => {
    const once = record('osm', 'way/1', [statement(values)]);
    const twice = record('osm', 'way/1', [statement(values), statement(values)]);
    expect(pageOf([twice])).toEqual(pageOf([once]));
    expect(pageOf([twice]).counters.observations).toBe(4);
  });

  it('CON-04 a value given twice in one payload is one observation', () => {
    const osm = says('osm', { aliases: ['Alpha', 'Alpha'] });
    expect(pageOf([osm])).toMatchObject({ counters: { observations: 1, aliases: 1 } });
  });

  it('CON-04 observations differ by record, field, payload or value', () => {
    const count = (...evidence: Parameters<typeof pageOf>[0]) => pageOf(evidence).counters.observations;
    const one = statement({ nameJa: '名' }, { at: 1, payload: 'a' });
    expect(count(record('osm', 'way/1', [one]))).toBe(1);
    expect(count(record('osm', 'way/1', [one]), record('osm', 'way/2', [one]))).toBe(2);
    expect(count(record('osm', 'way/1', [one]), record('wikidata', 'way/1', [one]))).toBe(2);
    expect(count(says('osm', { nameJa: '名', nameEn: '名' }))).toBe(2);
    expect(count(record('osm', 'way/1', [one, statement({ nameJa: '名' }, { at: 1, payload: 'b' })]))).toBe(2);
    expect(count(record('osm', 'way/1', [one, statement({ nameJa: '新' }, { at: 2, payload: 'b' })]))).toBe(2);
    expect(count(says('osm', { aliases: ['Alpha', 'ALPHA'] }))).toBe(2);
  });

  it('CON-04 counts values of sources that are not listed, and values of a complex', () => {
    const complex = { nameJa: '丸の内', nameEn: null };
    expect(pageOf([says('jreit', { heightM: 30 })]).counters.observations).toBe(1);
    expect(pageOf([says('wikidata', { nameJa: '街区', yearBuilt: 2000 }, { complex })]).counters.observations).toBe(2);
  });

  it('CON-04 changed values and distinct aliases are kept with their provenance', () => {
    const osm = record('osm', 'way/1', [
      statement({ aliases: ['Alpha'] }, { at: 1, payload: 'a' }),
      statement({ aliases: ['Alpha', 'Beta'] }, { at: 2, payload: 'b' }),
    ]);
    expect(pageOf([osm])).toMatchObject({
      aliases: [
        { value: 'Alpha', provenance: { sourceRecordId: 'way/1', retrievedAt: day(2) } },
        { value: 'Beta', provenance: { sourceRecordId: 'way/1', retrievedAt: day(2) } },
      ],
      counters: { observations: 3 },
    });
  });
});
