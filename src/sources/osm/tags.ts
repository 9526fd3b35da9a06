import { findCategory } from '../../vocabulary/categories.ts';
import type { VenueObservation } from '../../vocabulary/evidence.ts';
import type { ExtractionMethod } from '../../vocabulary/sources.ts';
import { cleanText, normaliseAlias, printable, withoutHidden } from '../../vocabulary/text.ts';
import type { Tags } from './elements.ts';
import {
  ALIAS_KEYS,
  FAMILY_HOUSES,
  HEIGHT_KEYS,
  isReference,
  LEVELS_ABOVE,
  LEVELS_BELOW,
  LOWEST_LEVEL,
  NAME_EN_KEYS,
  NAME_JA_KEYS,
  NON_VENUE_KEYS,
  NOT_USES,
  NOT_VENUES,
  PUBLIC_KEYS,
  USE_KEYS,
  VENUE_KEYS,
} from './tag-tables.ts';

interface BuildingNames {
  nameJa: string | undefined;
  nameEn: string | undefined;
  aliases: string[];
}

const NAMING: ReadonlySet<string> = new Set([...NAME_JA_KEYS, ...NAME_EN_KEYS, ...ALIAS_KEYS]);
const NONE: BuildingNames = { nameJa: undefined, nameEn: undefined, aliases: [] };

/** In Japan `name` is the Japanese name, even in Latin letters. */
export function namesFromTags(tags: Tags): BuildingNames {
  if (![...tags.keys()].some((key) => NAMING.has(key)) || isPrivate(tags)) return NONE;
  const nameEn = firstOf(tags, NAME_EN_KEYS);
  const nameJa = withoutEnglish(firstOf(tags, NAME_JA_KEYS), nameEn);
  const known = new Set([nameJa, nameEn].filter((name) => name !== undefined).map(normaliseAlias));
  const aliases: string[] = [];
  for (const name of ALIAS_KEYS.flatMap((key) => tagValues(tags, key))) {
    const alias = withoutEnglish(name, nameEn) as string;
    const normal = normaliseAlias(alias);
    if (normal === '' || known.has(normal)) continue;
    known.add(normal);
    aliases.push(alias);
  }
  return { nameJa, nameEn, aliases };
}

/** The name of a single-family house is not published. */
function isPrivate(tags: Tags): boolean {
  return FAMILY_HOUSES.has(tags.get('building') ?? '') && !PUBLIC_KEYS.some((key) => tags.has(key));
}

/** 東京タワー (Tokyo Tower), an older convention, becomes 東京タワー if the English name is tagged too. */
function withoutEnglish(name: string | undefined, nameEn: string | undefined): string | undefined {
  if (name === undefined || nameEn === undefined) return name;
  const tail = new Set([`(${nameEn})`, `（${nameEn}）`]);
  const at = Math.max(name.lastIndexOf('('), name.lastIndexOf('（'));
  return at > 0 && tail.has(name.slice(at)) ? name.slice(0, at).trim() : name;
}

function firstOf(tags: Tags, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const [value] = tagValues(tags, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The values of a tag, which are separated by semicolons. */
export function tagValues(tags: Tags, key: string): string[] {
  const value = tags.get(key);
  if (value === undefined) return [];
  return value.split(';', 100).map(cleanText).filter(Boolean);
}

const MAX_IDENTIFIER = 300;

/** REF-04: each value of `ref:*`, under its key (`ref:MLIT_PLATEAU=13111-bldg-1`) and alone (`ref=13111-bldg-1`). */
export function identifiersFromTags(tags: Tags): string[] {
  const links = new Set<string>();
  for (const key of tags.keys()) {
    if (!isReference(key)) continue;
    for (const value of tagValues(tags, key)) {
      const name = withoutHidden(`${key}=${value}`);
      if (name.length <= MAX_IDENTIFIER) links.add(name).add(`ref=${withoutHidden(value)}`);
    }
  }
  return [...links];
}

interface Use {
  value: string;
  extractionMethod: ExtractionMethod;
}

/** `yes`, `roof` and similar values state no use. */
export function usesFromTags(tags: Tags): Use[] {
  const building = tagValues(tags, 'building').map((value): Use => ({ value, extractionMethod: 'osm-tag' }));
  const business = USE_KEYS.filter((key) => tags.has(key))
    .flatMap((key) => tagValues(tags, key).map((value) => `${key}=${value}`))
    .filter((value) => !NOT_USES.has(value) && findCategory(value) !== undefined)
    .map((value): Use => ({ value, extractionMethod: 'osm-business-tag' }));
  return [...building, ...business].filter(({ value }) => findCategory(value) !== 'unspecified');
}

export interface BuildingSize {
  heightM: number | undefined;
  floorsAbove: number | undefined;
  floorsBelow: number | undefined;
}

/** Height and floors of the tags; `note` receives values that cannot be read. */
export function sizeFromTags(tags: Tags, note: (reason: string) => void): BuildingSize {
  return {
    heightM: heightOf(tags, note),
    floorsAbove: levelsOf(tags, LEVELS_ABOVE, note),
    floorsBelow: below(tags, note),
  };
}

function heightOf(tags: Tags, note: (reason: string) => void): number | undefined {
  for (const key of HEIGHT_KEYS) {
    const text = tags.get(key);
    if (text === undefined) continue;
    const metres = parseLength(text);
    if (metres !== undefined && metres > 0) return metres;
    note(`${key} must be in metres or feet: ${printable(text, 60)}`);
  }
  return undefined;
}

function levelsOf(tags: Tags, key: string, note: (reason: string) => void): number | undefined {
  const text = tags.get(key);
  if (text === undefined) return undefined;
  const plain = text.normalize('NFKC').trim();
  if (/^\d{1,9}(?:\.0+)?$/.test(plain)) return Number(plain);
  note(`${key} must be a whole number of floors: ${printable(text, 60)}`);
  return undefined;
}

function below(tags: Tags, note: (reason: string) => void): number | undefined {
  const stated = levelsOf(tags, LEVELS_BELOW, note);
  if (stated !== undefined) return stated;
  const lowest = /^-(\d{1,3})$/.exec(tags.get(LOWEST_LEVEL)?.trim() ?? '');
  return lowest === null ? undefined : Number(lowest[1]);
}

const METRES = /^(\d{1,7}(?:\.\d+)?) ?(?:m|metres?|meters?|メートル)?$/;
const FEET = /^(\d{1,7}(?:\.\d+)?) ?(?:ft|feet|foot)$/;
const FEET_AND_INCHES = /^(?:(\d{1,7}(?:\.\d+)?) ?')? ?(?:(\d{1,7}(?:\.\d+)?) ?(?:"|''))?$/;
const FOOT = 0.3048;

/** An OSM height in metres: `333`, `333 m`, `40 ft`, `12'6"`. Undefined for any other form. */
export function parseLength(text: string): number | undefined {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(/[’′]/g, "'").replace(/[”″]/g, '"');
  const metres = METRES.exec(plain);
  if (metres !== null) return round(Number(metres[1]));
  const feet = FEET.exec(plain);
  if (feet !== null) return round(Number(feet[1]) * FOOT);
  const both = plain === '' ? null : FEET_AND_INCHES.exec(plain);
  return both === null ? undefined : round((Number(both[1] ?? 0) + Number(both[2] ?? 0) / 12) * FOOT);
}

function round(metres: number): number {
  return Math.round(metres * 100) / 100;
}

const MAX_NAME = 500;

/** The venue that a node with these tags is, if any. */
export function venueFromTags(tags: Tags): VenueObservation | undefined {
  const key = VENUE_KEYS.find((k) => tags.has(k));
  if (key === undefined || NON_VENUE_KEYS.some((k) => tags.has(k))) return undefined;
  const category = tagValues(tags, key)[0];
  if (category === undefined || NOT_VENUES[key].has(category)) return undefined;
  const nameJa = textOf(tags, 'name:ja') ?? textOf(tags, 'name');
  const nameEn = textOf(tags, 'name:en');
  if (nameJa === null && nameEn === null) return undefined;
  return { nameJa, nameEn, category: category.slice(0, MAX_NAME), level: textOf(tags, 'level') };
}

function textOf(tags: Tags, key: string): string | null {
  const text = (tags.get(key) ?? '').slice(0, MAX_NAME);
  return cleanText(text) === '' ? null : oneLine(text);
}

/** Hidden characters are kept until the building is known, and noted there. NUL separates texts in the table. */
function oneLine(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd').replace(/\s+/gu, ' ').trim();
}
