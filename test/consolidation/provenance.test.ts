import { describe, expect, it } from 'vitest';
import type { ExtractionMethod } from '../../src/vocabulary/sources.ts';
import { day, decide, type GivenSource, pageOf, record, says, statement, type Values } from './support.ts';

/** A value that each source may win with. */
const WINNING: Partial<Record<GivenSource, Values>> = {
  osm: { nameJa: '名' },
  plateau: { nameJa: '名' },
  abr: { postcode: '100-0005' },
  wikidata: { nameJa: '名' },
  nominatim: { postcode: '100-0005' },
  edinet: { nameJa: '名' },
  jreit: { nameJa: '名' },
  greenarchive: { nameJa: '名' },
  greenbuilding: { nameJa: '名' },
  mankan: { nameJa: '名' },
};

const CONFIDENCES: [GivenSource, ExtractionMethod, number][] = [
  ['osm', 'osm-tag', 0.8],
  ['osm', 'osm-business-tag', 0.7],
  ['osm', 'poi-join', 0.7],
  ['plateau', 'citygml', 0.9],
  ['abr', 'area-lookup', 0.95],
  ['wikidata', 'wikidata-claim', 0.75],
  ['wikidata', 'commons-imageinfo', 0.7],
  ['nominatim', 'geocode-reverse', 0.7],
  ['edinet', 'disclosure-table', 0.95],
  ['jreit', 'disclosure-table', 0.95],
  ['greenarchive', 'disclosure-table', 0.85],
  ['greenbuilding', 'disclosure-table', 0.85],
  ['mankan', 'disclosure-table', 0.85],
];

describe('provenance', () => {
  it.each(CONFIDENCES)('REC-09 %s read by %s has confidence %d, whatever the value', (source, method, confidence) => {
    for (const at of [1, 200]) {
      const [field] = Object.values(
        pageOf([says(source, WINNING[source] ?? {}, { at, extractionMethod: method })]).fields,
      );
      expect(field?.provenance).toMatchObject({ source, extractionMethod: method, confidence });
    }
  });

  it('REC-09 an observation with its own extraction method has the confidence of that method', () => {
    const page = pageOf([
      says('osm', {
        nameJa: '名',
        assetTypes: [{ value: 'office', extractionMethod: 'osm-business-tag' }, 'apartments'],
        aliases: [{ value: 'Alpha', extractionMethod: 'poi-join' }],
      }),
    ]);
    expect(page.fields.nameJa?.provenance).toMatchObject({ extractionMethod: 'osm-tag', confidence: 0.8 });
    expect(page.aliases[0]?.provenance).toMatchObject({ extractionMethod: 'poi-join', confidence: 0.7 });
    const uses = Object.fromEntries(page.assetTypes.map((use) => [use.value, use.provenance]));
    expect(uses.office).toMatchObject({ extractionMethod: 'osm-business-tag', confidence: 0.7 });
    expect(uses.apartments).toMatchObject({ extractionMethod: 'osm-tag', confidence: 0.8 });
  });

  it('CON-08 a planned completion still in the future when read has confidence 0.6', () => {
    const page = pageOf([
      says('greenbuilding', { nameJa: '計画', completionMonth: { value: '2031-03', confidence: 0.6 } }),
    ]);
    expect(page.fields).toMatchObject({
      nameJa: { provenance: { confidence: 0.85 } },
      completionMonth: { value: '2031-03', provenance: { extractionMethod: 'disclosure-table', confidence: 0.6 } },
    });
  });

  it('CON-08 whether a month is in the future is derived from the time of retrieval', () => {
    const read = (completionMonth: string, source: 'greenbuilding' | 'greenarchive' = 'greenbuilding') =>
      pageOf([record(source, 'r1', [statement({ completionMonth }, { at: '2026-06-15T00:00:00Z' })])]).fields
        .completionMonth?.provenance.confidence;
    expect([read('2026-05'), read('2026-06'), read('2026-07'), read('2031-01')]).toEqual([0.85, 0.85, 0.6, 0.6]);
    expect(read('2031-01', 'greenarchive')).toBe(0.85);
  });

  it('CON-08 whether a month or year is in the future is decided by the date in Japan', () => {
    const read = (field: 'completionMonth' | 'yearBuilt', value: string | number, at: string) =>
      decide(field, [record('greenbuilding', 'r1', [statement({ [field]: value }, { at })])]).provenance.confidence;
    expect(read('completionMonth', '2026-11', '2026-10-31T14:59:59.999Z')).toBe(0.6);
    expect(read('completionMonth', '2026-11', '2026-10-31T15:00:00Z')).toBe(0.85);
    expect(read('yearBuilt', 2027, '2026-12-31T14:59:59Z')).toBe(0.6);
    expect(read('yearBuilt', 2027, '2026-12-31T15:00:00Z')).toBe(0.85);
    expect(read('yearBuilt', 2031, '2026-05-01T00:00:00Z')).toBe(0.6);
    expect(read('yearBuilt', 900, '2026-05-01T00:00:00Z')).toBe(0.85);
  });

  it('CON-08 the year of a future month is planned too, even within that year', () => {
    const read = (yearBuilt: number, completionMonth: string, at: string, source: GivenSource = 'greenbuilding') => {
      const { fields } = pageOf([record(source, 'r1', [statement({ yearBuilt, completionMonth }, { at })])]);
      return [fields.yearBuilt?.provenance.confidence, fields.completionMonth?.provenance.confidence];
    };
    expect(read(2026, '2026-11', '2026-05-01T00:00:00Z')).toEqual([0.6, 0.6]);
    expect(read(2026, '2026-11', '2026-12-01T00:00:00Z')).toEqual([0.85, 0.85]);
    expect(read(2024, '2026-11', '2026-05-01T00:00:00Z')).toEqual([0.85, 0.6]);
    expect(read(2026, '2026-11', '2026-05-01T00:00:00Z', 'mankan')).toEqual([0.85, 0.85]);
  });

  it('CON-08 a year that is read again after completion is no longer planned', () => {
    const register = record('greenbuilding', 'r1', [
      statement({ yearBuilt: 2026, completionMonth: '2026-11' }, { at: '2026-05-01T00:00:00Z' }),
      statement({ yearBuilt: 2026 }, { at: '2027-02-01T00:00:00Z' }),
    ]);
    expect(pageOf([register]).fields).toMatchObject({
      yearBuilt: { provenance: { confidence: 0.85 } },
      completionMonth: { provenance: { confidence: 0.6 } },
    });
  });

  it('CON-08 a completion year inferred from a filing year has confidence 0.6, which does not change its precedence', () => {
    const inferred = says('greenarchive', { yearBuilt: { value: 2005, confidence: 0.6 } });
    expect(decide('yearBuilt', [inferred])).toMatchObject({ value: 2005, provenance: { confidence: 0.6 } });
    expect(decide('yearBuilt', [inferred, says('mankan', { yearBuilt: 2004 })])).toMatchObject({
      value: 2005,
      provenance: { source: 'greenarchive', confidence: 0.6 },
      conflict: { value: 2004, source: 'mankan' },
    });
  });

  it('REC-08 has its six attributes on fields, aliases, asset types, footprint and venues', () => {
    const page = pageOf([
      says(
        'osm',
        { nameJa: '名', aliases: ['Alpha'], assetTypes: ['office'] },
        {
          at: 3,
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [139, 35],
                [139.001, 35],
                [139, 35.001],
                [139, 35],
              ],
            ],
          },
          venues: [{ nameJa: '店', nameEn: null, category: 'cafe', level: null }],
        },
      ),
    ]);
    const expected = {
      source: 'osm',
      sourceRecordId: 'osm/1',
      sourceUrl: 'https://osm.example/osm/1',
      retrievedAt: day(3),
      extractionMethod: 'osm-tag',
      confidence: 0.8,
    };
    expect(page.fields.nameJa?.provenance).toEqual(expected);
    expect(page.aliases[0]?.provenance).toEqual(expected);
    expect(page.assetTypes[0]?.provenance).toEqual(expected);
    expect(page.footprint?.provenance).toEqual(expected);
    expect(page.venues[0]?.provenance).toEqual({ ...expected, extractionMethod: 'poi-join', confidence: 0.7 });
  });

  it('REC-08 keeps the time of retrieval as written', () => {
    const osm = says('osm', { nameJa: '名' }, { at: '2026-01-01T09:30:15.123456Z' });
    expect(decide('nameJa', [osm]).provenance.retrievedAt).toBe('2026-01-01T09:30:15.123456Z');
  });

  it('REC-08 cites the URL of each value, even if they differ within one fetch', () => {
    const osm = record('osm', 'way/1', [
      statement({ nameJa: '名', aliases: ['Alpha'] }, { payload: 'p', sourceUrl: 'https://osm.example/a' }),
      statement({ nameEn: 'Name', aliases: ['Beta'] }, { payload: 'p', sourceUrl: 'https://osm.example/b' }),
    ]);
    const page = pageOf([osm]);
    expect(page.fields.nameJa?.provenance.sourceUrl).toBe('https://osm.example/a');
    expect(page.fields.nameEn?.provenance.sourceUrl).toBe('https://osm.example/b');
    expect(page.aliases.map(({ value, provenance }) => [value, provenance.sourceUrl])).toEqual([
      ['Alpha', 'https://osm.example/a'],
      ['Beta', 'https://osm.example/b'],
    ]);
  });

  it('REC-10 a jreit value cites the page of its own statement: that of the property, otherwise the portfolio list', () => {
    const own = 'https://reit.example/portfolio/p-12';
    const listing = 'https://reit.example/portfolio';
    const evidence = [
      record('jreit', 'p-12', [statement({ structure: 'S' }, { at: 1, sourceUrl: own })]),
      record('jreit', 'p-13', [statement({ roomCount: 8 }, { at: 2, sourceUrl: listing })]),
      record('edinet', 'S100ABCD', [
        statement({ bookValueJpy: 5 }, { at: 3, sourceUrl: 'https://disclosure.example/S100ABCD' }),
      ]),
    ];
    expect(pageOf(evidence).fields).toMatchObject({
      structure: { provenance: { source: 'jreit', sourceUrl: own } },
      roomCount: { provenance: { source: 'jreit', sourceUrl: listing } },
      bookValueJpy: { provenance: { source: 'edinet', sourceUrl: 'https://disclosure.example/S100ABCD' } },
    });
  });

  it('REC-10 a later revision with its own page is cited by that page', () => {
    const jreit = record('jreit', 'p-12', [
      statement({ structure: 'S' }, { at: 1, sourceUrl: 'https://reit.example/portfolio' }),
      statement({ structure: 'S' }, { at: 2, sourceUrl: 'https://reit.example/portfolio/p-12' }),
    ]);
    expect(decide('structure', [jreit]).provenance).toMatchObject({
      sourceUrl: 'https://reit.example/portfolio/p-12',
      retrievedAt: day(2),
    });
  });
});
