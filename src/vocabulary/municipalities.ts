import type { Source } from './sources.ts';

/** Cities that are divided into wards, and Tokyo for its 23: their wards have the codes up to the next of them, or to XX200. */
// biome-ignore format: a table in rows of seven
const DIVIDED_CITIES: readonly string[] = [
  '01100', '04100', '11100', '12100', '13100', '14100', '14130',
  '14150', '15100', '22100', '22130', '23100', '26100', '27100',
  '27140', '28100', '33100', '34100', '40100', '40130', '43100',
];

/** The divided city that a code is of: that of the city itself, or of one of its wards, also of one that is no more. */
export function dividedCityOf(code: string): string | undefined {
  if (code[2] !== '1') return undefined;
  return DIVIDED_CITIES.findLast((city) => city <= code && city.slice(0, 2) === code.slice(0, 2));
}

/** A code of five digits that can be a municipality's, else undefined. */
export function readMunicipality(text: string): string | undefined {
  const code = text.trim();
  if (!/^\d{5}$/.test(code)) return undefined;
  const prefecture = Number(code.slice(0, 2));
  return prefecture >= 1 && prefecture <= 47 && Number(code.slice(2)) >= 100 ? code : undefined;
}

/** PLATEAU's IDs begin with the municipality that surveyed: 13111-bldg-123. */
export function municipalityInId(source: Source, sourceRecordId: string): string | undefined {
  if (source !== 'plateau') return undefined;
  const [, code] = /^(\d{5})-bldg-/.exec(sourceRecordId) ?? [];
  return code === undefined ? undefined : readMunicipality(code);
}
