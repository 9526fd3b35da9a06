import { describe, expect, it } from 'vitest';
import { FIELD_NAMES, type Field } from '../../src/vocabulary/fields.ts';
import { GEOMETRY_PRECEDENCE, INHERITABLE_FIELDS, PRECEDENCE } from '../../src/vocabulary/precedence.ts';
import { CREATING_SOURCES, SOURCES } from '../../src/vocabulary/sources.ts';

/** Contract 2.7, row by row; text after `otherwise` or in brackets is not a source. */
const CONTRACT: [Field, string][] = [
  ['nameJa', 'jreit, edinet, osm, wikidata, plateau, greenarchive, greenbuilding, mankan'],
  ['nameEn', 'wikidata, osm'],
  ['aliases', 'osm, wikidata'],
  ['addressJa', 'jreit, edinet, abr, nominatim, osm, plateau, greenarchive, greenbuilding, mankan'],
  ['postcode', 'abr, nominatim, osm'],
  ['assetTypes', 'jreit, edinet, osm, plateau, wikidata'],
  ['footprintM2', 'plateau, osm'],
  ['gfaM2', 'jreit, edinet, plateau, osm, greenarchive, greenbuilding'],
  ['completionMonth', 'jreit, edinet, greenarchive, greenbuilding, mankan'],
  ['structure', 'jreit, edinet, greenarchive, mankan'],
  ['landAreaM2', 'jreit, edinet'],
  ['leasableAreaM2', 'jreit, edinet'],
  ['acquisitionPriceJpy', 'jreit, edinet'],
  ['acquisitionDate', 'jreit, edinet'],
  ['appraisalValueJpy', 'edinet, jreit'],
  ['appraisalDate', 'edinet, jreit'],
  ['bookValueJpy', 'edinet, jreit'],
  ['occupancyRate', 'edinet, jreit'],
  ['unitCount', 'jreit, edinet, mankan'],
  ['roomCount', 'jreit, edinet'],
  ['floorsAbove', 'jreit, edinet, plateau, osm, wikidata, greenarchive, mankan'],
  ['floorsBelow', 'jreit, edinet, plateau, osm, wikidata, greenarchive, mankan'],
  ['heightM', 'plateau, wikidata, osm'],
  ['yearBuilt', 'jreit, edinet, wikidata, plateau, greenarchive, greenbuilding, mankan'],
  ['ownerPublic', 'jreit, edinet, wikidata'],
  ['architect', 'wikidata'],
  ['developer', 'greenbuilding, greenarchive'],
  ['tenure', 'greenbuilding, greenarchive'],
  ['managementPlanCertifiedOn', 'mankan'],
];

describe('precedence', () => {
  it.each(CONTRACT)('CON-16 %s: %s', (field, order) => {
    expect(PRECEDENCE[field]).toEqual(order.split(', '));
  });

  it('CON-16 has exactly the 29 rows of the contract', () => {
    expect(CONTRACT).toHaveLength(29);
    expect(Object.keys(PRECEDENCE)).toEqual(CONTRACT.map(([field]) => field));
    expect(Object.keys(PRECEDENCE).sort()).toEqual([...FIELD_NAMES].sort());
  });

  it('CON-16 each row names a source once, and never the service itself', () => {
    for (const order of Object.values(PRECEDENCE)) {
      expect(new Set(order).size).toBe(order.length);
      expect(order).not.toContain('dnk');
      for (const source of order) expect(SOURCES).toContain(source);
    }
  });

  it('geometry is taken from plateau, then from osm: the sources that create buildings', () => {
    expect(GEOMETRY_PRECEDENCE).toEqual(['plateau', 'osm']);
    expect(new Set(GEOMETRY_PRECEDENCE)).toEqual(CREATING_SOURCES);
  });

  it('CON-12 yearBuilt and architect are inherited from a complex', () => {
    expect(INHERITABLE_FIELDS).toEqual(['yearBuilt', 'architect']);
    for (const field of INHERITABLE_FIELDS) expect(PRECEDENCE[field]).toContain('wikidata');
  });
});
