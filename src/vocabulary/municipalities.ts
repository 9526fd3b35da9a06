import type { Source } from './sources.ts';

/** Cities with wards, and Tokyo for its 23. Their wards have the codes up to the next of them, or to XX200. */
// biome-ignore format: a table in rows of seven
const DIVIDED_CITIES: readonly string[] = [
  '01100', '04100', '11100', '12100', '13100', '14100', '14130',
  '14150', '15100', '22100', '22130', '23100', '26100', '27100',
  '27140', '28100', '33100', '34100', '40100', '40130', '43100',
];

/** The city with wards of a code: of the city itself or of one of its wards, abolished ones included. */
export function dividedCityOf(code: string): string | undefined {
  if (code[2] !== '1') return undefined;
  return DIVIDED_CITIES.findLast((city) => city <= code && city.slice(0, 2) === code.slice(0, 2));
}

/** A five-digit code that can be that of a municipality, otherwise undefined. */
export function readMunicipality(text: string): string | undefined {
  const code = text.trim();
  if (!/^\d{5}$/.test(code)) return undefined;
  const prefecture = Number(code.slice(0, 2));
  return prefecture >= 1 && prefecture <= 47 && Number(code.slice(2)) >= 100 ? code : undefined;
}

/** PLATEAU's IDs begin with the municipality of the survey: 13111-bldg-123. */
export function municipalityInId(source: Source, sourceRecordId: string): string | undefined {
  if (source !== 'plateau') return undefined;
  const [, code] = /^(\d{5})-bldg-/.exec(sourceRecordId) ?? [];
  return code === undefined ? undefined : readMunicipality(code);
}
