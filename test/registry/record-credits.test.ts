import { describe, expect, it } from 'vitest';
import { creditsIn, creditsOfPage } from '../../src/registry/record-credits.ts';
import { toHead } from '../../src/registry/records.ts';
import { attributionOf, creditsOf } from '../../src/vocabulary/attribution.ts';
import { FIELD_NAMES, FIELDS, type ScalarField } from '../../src/vocabulary/fields.ts';
import { PRECEDENCE } from '../../src/vocabulary/precedence.ts';
import { SOURCE_FACTS } from '../../src/vocabulary/source-facts.ts';
import { CONFIDENCE, SOURCES } from '../../src/vocabulary/sources.ts';
import { BUILDING, type GivenSource, type Page, pageOf, says, square } from '../consolidation/support.ts';

const sourcesOf = ({ attribution }: Pick<Page, 'attribution'>) => attribution.map(({ source }) => source);
const venues = [{ nameJa: '店', nameEn: null, category: 'cafe', level: null }];

describe('the attribution of a record', () => {
  it('ATT-01 has an entry for the source of a field, a use, an alias, the outline and a venue, in the order of sources', () => {
    expect(sourcesOf(pageOf([says('wikidata', { nameEn: 'A' }), says('osm', { assetTypes: ['office'] })]))).toEqual([
      'osm',
      'wikidata',
    ]);
    const use = { assetTypes: ['office'] };
    expect(sourcesOf(pageOf([says('plateau', use), says('wikidata', { aliases: ['甲'] })]))).toEqual([
      'plateau',
      'wikidata',
    ]);
    expect(sourcesOf(pageOf([says('jreit', use), says('plateau', {}, { geometry: square(20) })]))).toEqual([
      'plateau',
      'jreit',
    ]);
    expect(sourcesOf(pageOf([says('plateau', use), says('osm', {}, { venues })]))).toEqual(['osm', 'plateau']);
  });

  it('ATT-01 leaves out a source that won nothing', () => {
    const page = pageOf([says('plateau', { heightM: 50, assetTypes: ['office'] }), says('wikidata', { heightM: 49 })]);
    expect(page.sources.map(({ source }) => source)).toContain('wikidata');
    expect(page.fields.heightM?.conflict?.source).toBe('wikidata');
    expect(sourcesOf(page)).toEqual(['plateau']);
  });

  it('ATT-02 credits the registry itself for what it computed', () => {
    const evidence = [says('plateau', { footprintM2: 100, floorsAbove: 2, assetTypes: ['office'] })];
    expect(pageOf(evidence).fields.gfaM2?.provenance.source).toBe('dnk');
    expect(pageOf(evidence).attribution.at(-1)).toEqual({
      source: 'dnk',
      name: 'Tatemono, values computed by this registry',
      licence: 'CC0 1.0; the licences of the values it is computed from apply',
      licenceUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
      credit: 'Computed by this service from the sources cited',
    });
  });

  it('ATT-02 every source has a name, a licence, its address and a credit, and proprietary sources say so', () => {
    const all = attributionOf(creditsOf(SOURCES));
    expect(all.map(({ source }) => source)).toEqual([...SOURCES]);
    for (const { source, name, licence, licenceUrl, credit } of all) {
      for (const text of [name, licence, credit]) expect(text, source).toMatch(/\S/);
      expect(['https:', 'http:'], source).toContain(new URL(licenceUrl).protocol);
    }
    for (const source of ['jreit', 'greenarchive'] as const) {
      expect(SOURCE_FACTS[source].licence).toMatch(/^Proprietary/);
    }
    expect(attributionOf(creditsOf(['osm']))).toEqual([
      {
        source: 'osm',
        name: 'OpenStreetMap',
        licence: 'ODbL 1.0',
        licenceUrl: 'https://opendatacommons.org/licenses/odbl/1-0/',
        credit: '© OpenStreetMap contributors',
      },
    ]);
  });

  it('ATT-02 a value of every field from every source that may win it resolves to a licence', () => {
    let values = 0;
    for (const field of FIELD_NAMES) {
      for (const source of PRECEDENCE[field] as readonly GivenSource[]) {
        const page = pageOf([says(source, { [field]: exampleOf(field) })]);
        const published =
          field === 'aliases' || field === 'assetTypes' ? page[field][0] : page.fields[field as ScalarField];
        // Only an amount gives an appraisal its date.
        if (field === 'appraisalDate' && published === undefined) continue;
        expect(published?.provenance.source, `${field} of ${source}`).toBe(source);
        expectLicences(page);
        values += 1;
      }
    }
    expect(values).toBeGreaterThan(80);
    for (const source of Object.keys(CONFIDENCE)) expect(SOURCE_FACTS).toHaveProperty(source);
  });

  it('ATT-03 the sources found in the stored bytes are those that are stored', () => {
    const evidence = [
      says(
        'osm',
        { nameJa: 'X"provenance":{"source":"jreit"', aliases: ['\\"provenance":{"source":"mankan"'] },
        { venues },
      ),
      says('plateau', { heightM: 50, footprintM2: 9, floorsAbove: 3 }, { geometry: square(20) }),
      says('greenarchive', { developer: '"provenance":{"source":"edinet"' }),
      says('wikidata', { heightM: 49 }),
    ];
    const { attribution: _, nearby: __, ...page } = pageOf(evidence);
    const { credits, text } = toHead(BUILDING, page);
    expect(creditsIn(Buffer.from(text))).toBe(credits);
    expect(creditsOfPage(page)).toBe(creditsOf(['osm', 'plateau', 'greenarchive', 'dnk']));
  });
});

function expectLicences({ fields, assetTypes, aliases, venues: inside, footprint, attribution }: Page): void {
  const known = new Set(attribution.map(({ source }) => source));
  const published = [...Object.values(fields), ...assetTypes, ...aliases, ...inside, footprint];
  for (const each of published) if (each != null) expect(known).toContain(each.provenance.source);
}

function exampleOf(field: (typeof FIELD_NAMES)[number]) {
  if (field === 'aliases') return ['甲'];
  if (field === 'assetTypes') return ['office'];
  const { type } = FIELDS[field];
  switch (type.kind) {
    case 'number':
    case 'integer':
      return field === 'yearBuilt' ? 2001 : 1;
    case 'oneOf':
      return type.values[0] as string;
    case 'postcode':
      return '100-0005';
    case 'month':
      return '2001-02';
    case 'date':
      return '2001-02-03';
    case 'text':
      return 'text';
  }
}
