import type { Field } from '../vocabulary/fields.ts';

type Changed = Field | 'geometry' | 'venues';

/** A letter for each field that a version may have changed. Stored versions depend on them: a letter never changes. */
const LETTERS: Record<Changed, string> = {
  nameJa: 'a',
  nameEn: 'b',
  aliases: 'c',
  addressJa: 'd',
  postcode: 'e',
  assetTypes: 'f',
  footprintM2: 'g',
  gfaM2: 'h',
  completionMonth: 'i',
  structure: 'j',
  landAreaM2: 'k',
  leasableAreaM2: 'l',
  acquisitionPriceJpy: 'm',
  acquisitionDate: 'n',
  appraisalValueJpy: 'o',
  appraisalDate: 'p',
  bookValueJpy: 'q',
  occupancyRate: 'r',
  unitCount: 's',
  roomCount: 't',
  floorsAbove: 'u',
  floorsBelow: 'v',
  heightM: 'w',
  yearBuilt: 'x',
  ownerPublic: 'y',
  architect: 'z',
  developer: 'A',
  tenure: 'B',
  managementPlanCertifiedOn: 'C',
  geometry: 'D',
  venues: 'E',
};
const FIELDS = new Map(Object.entries(LETTERS).map(([field, letter]) => [letter, field]));

export function encodeChangedFields(fields: readonly string[]): string {
  return fields.map((field) => LETTERS[field as Changed]).join('');
}

/** Earlier versions stored JSON. */
export function decodeChangedFields(stored: string): string[] {
  if (stored.startsWith('[')) return JSON.parse(stored) as string[];
  return Array.from(stored, (letter) => FIELDS.get(letter) as string);
}
