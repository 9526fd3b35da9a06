import { describe, expect, it } from 'vitest';
import {
  CONFIDENCE,
  CREATING_SOURCES,
  confidenceOf,
  EXTRACTION_METHODS,
  isExtractionMethod,
  isSource,
  PLANNED_OR_INFERRED_CONFIDENCE,
  SOURCES,
} from '../../src/vocabulary/sources.ts';

const PAIRS = SOURCES.flatMap((source) => EXTRACTION_METHODS.map((method) => [source, method] as const));
const KNOWN_PAIRS = PAIRS.filter(([source, method]) => confidenceOf(source, method) !== undefined);

describe('sources', () => {
  it('REC-08 are the twelve of the contract', () => {
    const contract =
      'osm, plateau, abr, estat, wikidata, nominatim, edinet, jreit, greenarchive, greenbuilding, mankan, dnk';
    expect(SOURCES).toEqual(contract.split(', '));
    expect(SOURCES).toHaveLength(12);
    for (const source of SOURCES) expect(isSource(source)).toBe(true);
  });

  it('REC-08 are read by the eleven methods of the contract', () => {
    const contract =
      'osm-tag, osm-business-tag, wikidata-claim, geocode-reverse, area-lookup, poi-join, citygml, disclosure-table, ' +
      'commons-imageinfo, inherited-complex, computed';
    expect(EXTRACTION_METHODS).toEqual(contract.split(', '));
    expect(EXTRACTION_METHODS).toHaveLength(11);
    for (const method of EXTRACTION_METHODS) expect(isExtractionMethod(method)).toBe(true);
  });

  it.each(['', 'OSM', 'osm ', 'foursquare', 'touki', 'constructor', 'toString', '__proto__', 'length'])(
    'REC-08 %j is neither a source nor a method',
    (word) => {
      expect(isSource(word)).toBe(false);
      expect(isExtractionMethod(word)).toBe(false);
    },
  );

  it.each(KNOWN_PAIRS)('REC-09 %s read by %s has a confidence from 0 to 1', (source, method) => {
    const confidence = confidenceOf(source, method);
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  });

  it('REC-09 every source has a method and every method a source', () => {
    expect([...new Set(KNOWN_PAIRS.map(([source]) => source))]).toEqual(SOURCES);
    expect(new Set(KNOWN_PAIRS.map(([, method]) => method))).toEqual(new Set(EXTRACTION_METHODS));
    expect(KNOWN_PAIRS).toHaveLength(Object.values(CONFIDENCE).flatMap((methods) => Object.keys(methods)).length);
  });

  it('REC-09 dnk values are always computed, and only those are', () => {
    expect(KNOWN_PAIRS.filter(([source, method]) => source === 'dnk' || method === 'computed')).toEqual([
      ['dnk', 'computed'],
    ]);
  });

  it('CON-12 only wikidata values are inherited from a complex', () => {
    expect(KNOWN_PAIRS.filter(([, method]) => method === 'inherited-complex')).toEqual([
      ['wikidata', 'inherited-complex'],
    ]);
  });

  it('CON-08 a planned or inferred completion has confidence 0.6, less than the registers it comes from', () => {
    expect(PLANNED_OR_INFERRED_CONFIDENCE).toBe(0.6);
    expect(confidenceOf('greenbuilding', 'disclosure-table')).toBeGreaterThan(0.6);
    expect(confidenceOf('greenarchive', 'disclosure-table')).toBeGreaterThan(0.6);
  });

  it('CON-09 only osm and plateau create a building', () => {
    expect([...CREATING_SOURCES].sort()).toEqual(['osm', 'plateau']);
  });
});
