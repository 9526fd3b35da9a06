import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';

export const SAMPLE = new URL('../../sample/', import.meta.url);
export const DOCUMENT = readFileSync(new URL('../../docs/reference/sample.md', import.meta.url), 'utf8');

/** The table of docs/reference/sample.md: features and the IDs that show them. */
export const SHOWN = new Map(
  [...DOCUMENT.matchAll(/^\| (.+) \| (\d\d-\d{8}.*) \|$/gm)].map(([, what = '', cell = '']) => [
    what,
    [...cell.matchAll(/\d\d-\d{8}/g)].map(([id]) => `ASSET-JP-${id}`),
  ]),
);

/** How to check each feature in the record of its IDs. */
export const CLAIMS: Record<string, (page: BuildingPage) => void> = {
  'a conflict of height': ({ fields }) => expect(fields.heightM?.conflict).toMatchObject({ source: 'wikidata' }),
  'a conflict of floors': ({ fields }) => expect(fields.floorsAbove?.conflict).toMatchObject({ source: 'plateau' }),
  'a conflict of the year': ({ fields }) => expect(fields.yearBuilt?.conflict).toMatchObject({ source: 'plateau' }),
  'a conflict of the name': ({ fields }) => expect(fields.nameJa?.conflict).toMatchObject({ source: 'wikidata' }),
  'floor area reported': ({ fields }) =>
    expect(fields.gfaM2).toMatchObject({ estimated: false, provenance: { source: 'jreit' } }),
  'floor area estimated': ({ fields }) =>
    expect(fields.gfaM2).toMatchObject({ estimated: true, provenance: { source: 'dnk' } }),
  'year and architect inherited from a complex': expectInheritance,
  'inherited only through an OpenStreetMap tag': (page) => {
    expectInheritance(page);
    expect(page.sources.filter(({ source }) => source === 'wikidata')).toHaveLength(1);
  },
  'several uses': ({ assetTypes }) => expect(assetTypes.length).toBeGreaterThanOrEqual(3),
  'no known use': ({ assetTypes }) =>
    expect(assetTypes).toEqual([
      expect.objectContaining({ value: 'unknown', provenance: expect.objectContaining({ source: 'dnk' }) }),
    ]),
  'an outline only from PLATEAU': (page) => {
    expect(page.footprint?.provenance.source).toBe('plateau');
    expect(sourcesOf(page)).not.toContain('osm');
    expect(sourcesOf(page)).toContain('wikidata');
  },
  'an outline only from OpenStreetMap': (page) => {
    expect(page.footprint?.provenance.source).toBe('osm');
    expect(sourcesOf(page)).not.toContain('plateau');
  },
  'no English name': ({ fields }) => expect(fields).not.toHaveProperty('nameEn'),
  'one alias in two widths': ({ aliases }) => {
    expect(aliases.map(({ value }) => value)).toContain('KITTE');
    expect(aliases.map(({ value }) => value)).not.toContain('ＫＩＴＴＥ');
    expect(textOf('wikidata/tokyo.json')).toContain('ＫＩＴＴＥ');
  },
  'a planned completion with confidence 0.6': ({ fields }) => {
    expect(fields.completionMonth).toMatchObject({ value: '2028-05', provenance: { confidence: 0.6 } });
    expect(fields.yearBuilt).toMatchObject({ value: 2028, provenance: { source: 'greenbuilding', confidence: 0.6 } });
  },
  'an inferred year with confidence 0.6': ({ fields }) =>
    expect(fields.yearBuilt).toMatchObject({ provenance: { source: 'greenarchive', confidence: 0.6 } }),
  'an appraisal without a date': ({ fields }) => {
    expect(fields.appraisalValueJpy).toMatchObject({ value: 11_400_000_000 });
    expect(fields).not.toHaveProperty('appraisalDate');
  },
  'an appraisal with a date': ({ fields }) => {
    expect(fields.appraisalValueJpy).toMatchObject({ value: 7_180_000_000, provenance: { source: 'edinet' } });
    expect(fields.appraisalDate).toMatchObject({ value: '2018-05-01', provenance: { source: 'edinet' } });
  },
  'a certified management plan': ({ fields }) =>
    expect(fields).toMatchObject({
      managementPlanCertifiedOn: { value: '2022-06-16' },
      unitCount: { value: 95 },
      structure: { value: 'SRC造' },
    }),
  'venues from POIs': ({ venues }) => {
    expect(venues.map(({ nameEn }) => nameEn)).toEqual(['Tokyo Station Gallery', 'The Tokyo Station Hotel']);
    for (const { provenance } of venues) expect(provenance.extractionMethod).toBe('poi-join');
  },
  'an address of two buildings, distinguished by name': ({ fields, sources }) => {
    expect(fields.addressJa?.value).toBe('東京都千代田区丸の内一丁目9番1号');
    expect(sources).toContainEqual(expect.objectContaining({ source: 'greenarchive', sourceRecordId: 'sample-13005' }));
  },
  'located by a boundary, without an address': ({ fields, location }) => {
    expect(fields).not.toHaveProperty('addressJa');
    expect(location.machiAza.nameJa).toBe('清水一丁目');
  },
  'a value withdrawn by a later fetch': ({ fields, history }) => {
    expect(textOf('osm/tokyo.osm')).toContain('<tag k="height" v="272"/>');
    expect(fields.heightM).toMatchObject({ value: 239.85, conflict: null });
    expect(history[0]?.changedFields).toContain('heightM');
  },
  'a name changed by a later fetch': ({ history, sources }) => {
    expect(sources.map(({ source }) => source)).toContain('osm');
    expect(textOf('osm/tokyo.osm')).toContain('東急プラザ表参道原宿');
    expect(textOf('later/osm/tokyo.osm')).not.toContain('東急プラザ表参道原宿');
    expect(history[0]?.changedFields).toContain('nameJa');
  },
  'a planned completion postponed by a later fetch': ({ fields, history }) => {
    expect(textOf('greenbuilding/export.csv')).toContain('"2028-03"');
    expect(fields.completionMonth?.provenance.retrievedAt).toBe('2026-10-09T00:00:00Z');
    expect(history[0]?.changedFields).toContain('completionMonth');
  },
  'a later fetch that changes only evidence': ({ fields, history }) => {
    expect(fields.architect?.provenance.retrievedAt).toBe('2026-10-05T00:00:00Z');
    expect(history).toHaveLength(2);
  },
  'a later fetch without changes: no new version': ({ fields, history }) => {
    expect(textOf('later/osm/tokyo.osm')).toContain('<way id="9000000013001"');
    expect(fields.nameJa?.provenance.retrievedAt).toBe('2026-09-04T00:00:00Z');
    expect(history).toHaveLength(1);
  },
};

function expectInheritance({ fields }: BuildingPage): void {
  for (const field of [fields.yearBuilt, fields.architect]) {
    expect(field).toMatchObject({ estimated: true, provenance: { extractionMethod: 'inherited-complex' } });
    expect(field?.inheritedFrom?.nameJa).toBeTruthy();
  }
}

export function textOf(file: string): string {
  return readFileSync(new URL(file, SAMPLE), 'utf8');
}

export function sourcesOf({ sources }: BuildingPage): string[] {
  return sources.map(({ source }) => source);
}
