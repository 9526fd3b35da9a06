import type { EntityKind } from './classes.ts';

/** Properties that are read, by meaning. */
export const P = {
  instanceOf: 'P31',
  country: 'P17',
  coordinates: 'P625',
  dissolved: 'P576',
  height: 'P2048',
  floorsAbove: 'P1101',
  floorsBelow: 'P1139',
  architect: 'P84',
  owner: 'P127',
  partOf: 'P361',
  hasPart: 'P527',
  // qualifiers
  endTime: 'P582',
  appliesToPart: 'P518',
} as const;

/** The properties that date the building, by priority: opening, service entry, inception. */
export const YEAR_PROPERTIES: Readonly<Record<EntityKind, readonly string[]>> = {
  complex: ['P1619', 'P729', 'P571'],
  building: ['P1619', 'P729', 'P571'],
  venue: ['P1619'],
  site: [],
};

/** Counts of the whole building; statements about a part of it are skipped. */
export const COUNT_PROPERTIES = [
  ['floorsAbove', P.floorsAbove],
  ['floorsBelow', P.floorsBelow],
] as const;

/** Fields whose value is the label of another item. */
export const NAME_PROPERTIES = [
  ['architect', P.architect],
  ['ownerPublic', P.owner],
] as const;

export const OSM_PROPERTIES = [
  ['relation', 'P402'],
  ['way', 'P10689'],
  ['node', 'P11693'],
] as const;

/** Metres in a unit. */
export const METRES_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['Q11573', 1], // metre
  ['Q174728', 0.01], // centimetre
  ['Q174789', 0.001], // millimetre
  ['Q828224', 1000], // kilometre
  ['Q3710', 0.3048], // foot
  ['Q218593', 0.0254], // inch
  ['Q482798', 0.9144], // yard
]);

export const JAPAN_ITEM = 'Q17';
export const EARTH_ITEM = 'Q2';
export const HUMAN_ITEM = 'Q5';
export const GREGORIAN_ITEM = 'Q1985727';
