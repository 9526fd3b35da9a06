import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { BuildingPageSchema } from '../../src/vocabulary/building-page.ts';
import { GIVEN_SOURCES, HISTORY, PLACE, pageOf, record, says, square, statement } from '../consolidation/support.ts';

const schema = Compile(BuildingPageSchema);
const complex = { nameJa: '街区', nameEn: null };
const wonBy = (evidence: Parameters<typeof pageOf>[0]) =>
  Object.fromEntries(pageOf(evidence).sources.map(({ sourceRecordId, fields }) => [sourceRecordId, fields]));

describe('the record of a building', () => {
  const full = [
    record('plateau', 'bldg_1', [
      statement({ footprintM2: 400, floorsAbove: 5, heightM: 20, assetTypes: ['業務施設'] }, { geometry: square(20) }),
    ]),
    record('osm', 'way/1', [
      statement(
        {
          nameJa: '名',
          nameEn: 'Name',
          heightM: 21,
          floorsAbove: 6,
          aliases: ['Alpha', 'Beta'],
          assetTypes: ['retail'],
        },
        { at: 2, venues: [{ nameJa: '店', nameEn: null, category: 'cafe', level: '1' }] },
      ),
    ]),
  ];

  it('REC-01 has every part of a full record, and matches the schema', () => {
    const page = pageOf(full);
    expect(Object.keys(page).sort()).toEqual([
      ...['aliases', 'assetTypes', 'attribution', 'counters', 'fields', 'footprint', 'geometry', 'history', 'id'],
      ...['location', 'nearby', 'path', 'sources', 'venues'],
    ]);
    expect([...schema.Errors(page)]).toEqual([]);
  });

  it('REC-01 has every part even if nothing is known', () => {
    const page = pageOf([says('osm', {})]);
    expect(page).toMatchObject({ fields: {}, aliases: [], geometry: null, footprint: null, venues: [] });
    expect(page.assetTypes).toHaveLength(1);
    expect([...schema.Errors(page)]).toEqual([]);
  });

  it('REC-01 has a path of its area and ID', () => {
    expect(pageOf(full)).toMatchObject({
      id: 'ASSET-JP-13-00000001',
      path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000001',
      location: { prefecture: PLACE.prefecture, ward: PLACE.ward, machiAza: PLACE.machiAza },
    });
  });

  it('REC-01 is located at the centre of its footprint, otherwise at its point, otherwise nowhere', () => {
    const { location } = pageOf(full);
    expect(location.lon).toBeCloseTo(139.765 + 10 / 90_000, 6);
    expect(location.lat).toBeCloseTo(35.681 + 10 / 111_000, 6);
    expect(location.meshCode).toBe('53394611');
    const point = { type: 'Point' as const, coordinates: [139.7, 35.6] as [number, number] };
    expect(pageOf([says('wikidata', {}, { geometry: point })]).location).toMatchObject({ lon: 139.7, lat: 35.6 });
    expect(pageOf([...full, says('wikidata', {}, { geometry: point })]).location).toEqual(location);
    expect(pageOf([says('osm', {})]).location).toMatchObject({ lat: null, lon: null, meshCode: null });
  });

  it('REC-01 measures its footprint', () => {
    const { footprint } = pageOf(full);
    expect(footprint?.areaM2).toBeGreaterThan(390);
    expect(footprint?.areaM2).toBeLessThan(410);
    expect(footprint?.perimeterM).toBeGreaterThan(79);
    expect(footprint?.perimeterM).toBeLessThan(81);
    expect(footprint?.bbox).toEqual([139.765, 35.681, 139.7652222, 35.6811802]);
    expect(footprint?.provenance).toMatchObject({ source: 'plateau', sourceRecordId: 'bldg_1' });
  });

  it('REC-01 contains its history unchanged', () => {
    const history = [
      { version: 2, recordedAt: '2026-03-01T00:00:00.000Z', changedFields: ['nameJa', 'aliases'] },
      ...HISTORY,
    ];
    expect(pageOf(full, history)).toMatchObject({ history, counters: { versions: 2 } });
  });

  it('REC-11 counts its parts; conflicts are counted by field, without asset types', () => {
    expect(pageOf(full).counters).toEqual({
      observations: 11,
      sources: 2,
      // nameJa, nameEn, footprintM2, gfaM2, floorsAbove, heightM
      fields: 6,
      aliases: 2,
      venues: 1,
      versions: 1,
      conflictsFlagged: 2,
    });
  });

  it('REC-11 aliases and uses that lose are not counted as conflicts', () => {
    const evidence = [
      says('osm', { aliases: ['Alpha'], assetTypes: ['office'] }),
      says('wikidata', { aliases: ['ALPHA'], assetTypes: ['事務所', 'hotel'] }),
    ];
    expect(pageOf(evidence).counters).toMatchObject({ conflictsFlagged: 0, aliases: 1, fields: 0, observations: 5 });
  });

  it('REC-11 counts a field with conflicts once, however many losers differ', () => {
    const evidence = [says('jreit', { nameJa: '一' }), says('osm', { nameJa: '二' }), says('mankan', { nameJa: '三' })];
    expect(pageOf(evidence).counters.conflictsFlagged).toBe(1);
  });

  it('REC-11 does not count conflicts with an estimate', () => {
    const evidence = [
      says('plateau', { footprintM2: 100, floorsAbove: 3, yearBuilt: 1990, gfaM2: 999 }),
      says('wikidata', { yearBuilt: 2009 }, { complex }),
    ];
    expect(pageOf(evidence).counters.conflictsFlagged).toBe(0);
  });
});

describe('the sources of a building', () => {
  it('SRC-01 have one entry per source record, with source, sourceRecordId, sourceUrl and fields', () => {
    const evidence = [
      record('osm', 'way/1', [statement({ nameJa: '一' }, { at: 1 }), statement({ nameJa: '二' }, { at: 2 })]),
      record('osm', 'way/2', [statement({ nameEn: 'Two' })]),
      record('wikidata', 'way/1', [statement({ architect: '甲' })]),
    ];
    const { sources, counters } = pageOf(evidence);
    expect(sources).toHaveLength(3);
    expect(sources).toEqual(
      expect.arrayContaining([
        { source: 'osm', sourceRecordId: 'way/1', sourceUrl: 'https://osm.example/way/1', fields: ['nameJa'] },
        { source: 'osm', sourceRecordId: 'way/2', sourceUrl: 'https://osm.example/way/2', fields: ['nameEn'] },
        {
          source: 'wikidata',
          sourceRecordId: 'way/1',
          sourceUrl: 'https://wikidata.example/way/1',
          fields: ['architect'],
        },
      ]),
    );
    expect(counters.sources).toBe(3);
  });

  it('SRC-01 list every source, even if it may not win any field', () => {
    const evidence = GIVEN_SOURCES.map((source) => says(source, { managementPlanCertifiedOn: '2024-05-01' }));
    const { sources } = pageOf(evidence);
    expect(new Set(sources.map((entry) => entry.source))).toEqual(new Set(GIVEN_SOURCES));
    expect(sources.filter((entry) => entry.fields.length > 0).map((entry) => entry.source)).toEqual(['mankan']);
  });

  it('SRC-01 have no entry for computed values', () => {
    const { fields, assetTypes, sources } = pageOf([says('plateau', { footprintM2: 100, floorsAbove: 3 })]);
    expect(fields.gfaM2?.provenance.source).toBe('dnk');
    expect(assetTypes[0]?.provenance.source).toBe('dnk');
    expect(sources).toMatchObject([{ source: 'plateau', fields: ['footprintM2', 'floorsAbove'] }]);
  });

  it('SRC-01 cite the current URL of the record', () => {
    const jreit = record('jreit', 'p-1', [
      statement({ nameJa: '名' }, { at: 1, sourceUrl: 'https://reit.example/portfolio' }),
      statement({ nameJa: '名' }, { at: 2, sourceUrl: 'https://reit.example/portfolio/p-1' }),
    ]);
    expect(pageOf([jreit]).sources[0]?.sourceUrl).toBe('https://reit.example/portfolio/p-1');
  });

  it('SRC-02 list the fields a record won, not those it lost', () => {
    const evidence = [
      record('jreit', 'J', [statement({ nameJa: '一', structure: 'S' })]),
      record('edinet', 'E', [statement({ nameJa: '二', structure: 'S', bookValueJpy: 5 })]),
      record('osm', 'O', [statement({ nameJa: '一', aliases: ['Alpha', 'Beta'] })]),
      record('wikidata', 'W', [statement({ aliases: ['ALPHA'], nameEn: 'Name' })]),
    ];
    expect(wonBy(evidence)).toEqual({
      J: ['nameJa', 'structure'],
      E: ['bookValueJpy'],
      O: ['aliases'],
      W: ['nameEn'],
    });
  });

  it('SRC-02 list fields inherited from a complex', () => {
    const evidence = [
      record('wikidata', 'Q1', [statement({ yearBuilt: 2009, architect: '甲', nameJa: '街区' }, { complex })]),
      record('jreit', 'J', [statement({ yearBuilt: 1990 })]),
    ];
    expect(wonBy(evidence)).toEqual({ Q1: ['architect'], J: ['yearBuilt'] });
  });

  it('SRC-02 distinguish records of one source, and the same ID in two sources', () => {
    const evidence = [
      record('osm', '1', [statement({ nameJa: '古' }, { at: 1 })]),
      record('osm', '2', [statement({ nameJa: '新' }, { at: 2 })]),
      record('wikidata', '2', [statement({ nameJa: '他' })]),
    ];
    expect(
      pageOf(evidence).sources.map(({ source, sourceRecordId, fields }) => [source, sourceRecordId, fields]),
    ).toEqual([
      ['osm', '1', []],
      ['osm', '2', ['nameJa']],
      ['wikidata', '2', []],
    ]);
  });

  it('SRC-03 list assetTypes once, however many uses a record won, and aliases likewise', () => {
    const evidence = [
      record('osm', 'O', [statement({ assetTypes: ['office', 'retail', 'hotel'], aliases: ['Alpha', 'Beta'] })]),
      record('plateau', 'P', [statement({ assetTypes: ['office', '共同住宅'] })]),
      record('wikidata', 'W', [statement({ assetTypes: ['office'] })]),
    ];
    const won = wonBy(evidence);
    expect([...(won.O ?? [])].sort()).toEqual(['aliases', 'assetTypes']);
    expect(won).toMatchObject({ P: ['assetTypes'], W: [] });
  });

  it('SRC-04 list a record that only supplied geometry, lost everything, or stated nothing', () => {
    const evidence = [
      record('plateau', 'shape', [statement({}, { geometry: square(20) })]),
      record('jreit', 'winner', [statement({ nameJa: '一' })]),
      record('osm', 'loser', [statement({ nameJa: '二' })]),
      record('abr', 'silent', [statement({})]),
      record('wikidata', 'withdrawn', [statement({ nameEn: 'Gone' }), statement({}, { at: 2, whole: true })]),
    ];
    expect(wonBy(evidence)).toEqual({ shape: [], winner: ['nameJa'], loser: [], silent: [], withdrawn: [] });
  });
});
