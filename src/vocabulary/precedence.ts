import type { Field } from './fields.ts';
import type { Source } from './sources.ts';

/** CON-16, contract 2.7: first wins. A source that is not listed for a field never wins it. */
export const PRECEDENCE: Readonly<Record<Field, readonly Source[]>> = {
  nameJa: ['jreit', 'edinet', 'osm', 'wikidata', 'plateau', 'greenarchive', 'greenbuilding', 'mankan'],
  nameEn: ['wikidata', 'osm'],
  aliases: ['osm', 'wikidata'],
  addressJa: ['jreit', 'edinet', 'abr', 'nominatim', 'osm', 'plateau', 'greenarchive', 'greenbuilding', 'mankan'],
  postcode: ['abr', 'nominatim', 'osm'],
  assetTypes: ['jreit', 'edinet', 'osm', 'plateau', 'wikidata'],
  footprintM2: ['plateau', 'osm'],
  gfaM2: ['jreit', 'edinet', 'plateau', 'osm', 'greenarchive', 'greenbuilding'],
  completionMonth: ['jreit', 'edinet', 'greenarchive', 'greenbuilding', 'mankan'],
  structure: ['jreit', 'edinet', 'greenarchive', 'mankan'],
  landAreaM2: ['jreit', 'edinet'],
  leasableAreaM2: ['jreit', 'edinet'],
  acquisitionPriceJpy: ['jreit', 'edinet'],
  acquisitionDate: ['jreit', 'edinet'],
  appraisalValueJpy: ['edinet', 'jreit'],
  appraisalDate: ['edinet', 'jreit'],
  bookValueJpy: ['edinet', 'jreit'],
  occupancyRate: ['edinet', 'jreit'],
  unitCount: ['jreit', 'edinet', 'mankan'],
  roomCount: ['jreit', 'edinet'],
  floorsAbove: ['jreit', 'edinet', 'plateau', 'osm', 'wikidata', 'greenarchive', 'mankan'],
  floorsBelow: ['jreit', 'edinet', 'plateau', 'osm', 'wikidata', 'greenarchive', 'mankan'],
  heightM: ['plateau', 'wikidata', 'osm'],
  yearBuilt: ['jreit', 'edinet', 'wikidata', 'plateau', 'greenarchive', 'greenbuilding', 'mankan'],
  ownerPublic: ['jreit', 'edinet', 'wikidata'],
  architect: ['wikidata'],
  developer: ['greenbuilding', 'greenarchive'],
  tenure: ['greenbuilding', 'greenarchive'],
  managementPlanCertifiedOn: ['mankan'],
};

/** Source precedence of the footprint. */
export const GEOMETRY_PRECEDENCE: readonly Source[] = ['plateau', 'osm'];

/** CON-12: fields that are inherited from a complex. */
export const INHERITABLE_FIELDS = ['yearBuilt', 'architect'] as const satisfies readonly Field[];
