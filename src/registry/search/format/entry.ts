import { hash } from 'node:crypto';
import { isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import type { SearchEntryTable } from '../../../storage/tables.ts';
import { parsePostcode } from '../../../vocabulary/address.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import type { Canonical } from '../../../vocabulary/canonical.ts';
import { CATEGORIES, type Category, readAskedUse } from '../../../vocabulary/categories.ts';
import { FIELD_NAMES, type Field } from '../../../vocabulary/fields.ts';
import { normaliseAlias, normaliseSearchText } from '../../../vocabulary/text.ts';
import type { PlacePath } from '../../areas.ts';
import { encodeSummary } from './entry-summary.ts';
import { encodeSite } from './site.ts';

/** Entries to be read in an order: by position where it is known, because that is faster. */
export type EntryKeys = { positions: readonly number[] } | { buildings: readonly AssetKey[] };

export type SearchEntry = SearchEntryTable;

/** The part of an entry that is indexed. */
export type IndexedEntry = Omit<SearchEntry, 'pos' | 'owner' | 'postcode' | 'summary'> & {
  /** Its offset in the segment. */
  offset: number;
};

/** What one version of a building can be found by. */
export type EntryContent = Omit<SearchEntry, 'pos' | 'building' | keyof EntryDescription | keyof EntryPlace>;

/** What is told of a building, which may change without a new version. */
export type EntryDescription = Pick<SearchEntry, 'site' | 'summary'>;

/** Where a building is published; all null while it is not. */
export type EntryPlace = Pick<SearchEntry, 'prefecture' | 'ward' | 'area'>;

export const UNPUBLISHED: EntryPlace = { prefecture: null, ward: null, area: null };

export function toEntryPlace({ prefecture, ward, machiAza }: PlacePath): EntryPlace {
  return { prefecture: prefecture.code, ward: ward.code, area: machiAza.code };
}

export function toEntryContent({ fields, aliases, assetTypes, venues }: Canonical): EntryContent {
  const values = [fields.nameJa?.value, fields.nameEn?.value, fields.addressJa?.value];
  const owner = fields.ownerPublic?.value;
  let has = 0;
  for (const name in fields) has |= fieldBit(name as Field);
  if (aliases.length > 0) has |= fieldBit('aliases');
  // A use computed by the service means that none is known.
  if (assetTypes.some(({ provenance }) => provenance.source !== 'dnk')) has |= fieldBit('assetTypes');
  return {
    uses: assetTypes.reduce((bits, { category }) => bits | useBit(category), 0),
    fields: has,
    owner: owner === undefined ? null : ownerKey(String(owner)),
    text: [...values, ...aliases.map(({ value }) => value)]
      .map((value) => normaliseLine(String(value ?? '')))
      .join('\n'),
    footprint: numberOf(fields.footprintM2),
    height: numberOf(fields.heightM),
    floors: numberOf(fields.floorsAbove),
    built: numberOf(fields.yearBuilt),
    flags:
      (Object.values(fields).every(({ conflict }) => conflict === null) ? FLAGS.noConflict : 0) |
      (venues.length > 0 ? FLAGS.venues : 0),
    words: recordedWords(assetTypes),
    postcode: parsePostcode(String(fields.postcode?.value ?? '')) ?? null,
  };
}

export function describeEntry(canonical: Canonical, place: PlacePath | undefined): EntryDescription {
  return { site: encodeSite(canonical), summary: place === undefined ? null : encodeSummary(canonical, place.path) };
}

/** Published uses that no category covers. Uses computed by the service are omitted. */
function recordedWords(assetTypes: Canonical['assetTypes']): string | null {
  const words = assetTypes.flatMap(({ value, provenance }) => {
    const asked = readAskedUse(String(value));
    return provenance.source === 'dnk' || 'category' in asked ? [] : [wordKey(asked.word)];
  });
  return words.length === 0 ? null : [...new Set(words)].sort().join(' ');
}

/** Hashed, because the name of a filter is a database key. */
export const wordKey = (word: string) => hash('sha256', word, 'base64url');

export const wordKeysOf = ({ words }: Pick<SearchEntry, 'words'>): string[] => words?.split(' ') ?? [];

/** Bits of `flags`. */
const FLAGS = { noConflict: 1, venues: 2 } as const;

/** What a list can require of a building. */
export const ATTRIBUTES = ['owner', 'yearBuilt', 'noConflict', 'venues'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

export function hasAttribute({ fields, flags }: Pick<SearchEntry, 'fields' | 'flags'>, what: Attribute): boolean {
  switch (what) {
    case 'owner':
      return (fields & fieldBit('ownerPublic')) !== 0;
    case 'yearBuilt':
      return (fields & fieldBit('yearBuilt')) !== 0;
    case 'noConflict':
    case 'venues':
      return (flags & FLAGS[what]) !== 0;
  }
}

function numberOf(field: { value: unknown } | undefined): number | null {
  return typeof field?.value === 'number' ? field.value : null;
}

/** The name in lists: Japanese, otherwise English, normalised; empty if there is none. */
export function listedName(text: string): string {
  const [ja = '', en = ''] = text.split('\n', 2);
  return ja === '' ? en : ja;
}

/** Terms contain no whitespace, so any whitespace in a value becomes one space. */
export function normaliseLine(value: string): string {
  return normaliseSearchText(value).replace(/\s+/gu, ' ');
}

/**
 * OWN-01: names are equal if they differ only in case, width and whitespace. Hashed, because an index cannot hold long
 * text.
 */
export function ownerKey(name: string): string {
  return hash('sha256', normaliseAlias(name), 'base64url');
}

const useBit = (category: Category) => 1 << CATEGORIES.indexOf(category);
const FIELD_BITS = new Map(FIELD_NAMES.map((field, i) => [field, 1 << i]));
const fieldBit = (field: Field) => FIELD_BITS.get(field) as number;

export function countFields(masks: Iterable<number>): Record<Field, number> {
  const counts = new Array<number>(FIELD_NAMES.length).fill(0);
  for (const mask of masks) {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const i = 31 - Math.clz32(rest & -rest);
      counts[i] = (counts[i] as number) + 1;
    }
  }
  return Object.fromEntries(FIELD_NAMES.map((field, i) => [field, counts[i] as number])) as Record<Field, number>;
}

/** The part of an entry that verifies a match. */
export type EntryText = Pick<SearchEntry, 'pos' | 'building' | 'text'>;

export async function readTexts(reads: Reads, positions: readonly number[]): Promise<EntryText[]> {
  return reads.all<EntryText>(`select pos, building, text from search_entry where ${isAmong(reads, 'pos')}`, [
    listParameter(reads, positions),
  ]);
}

/** The filter with every published entry of a segment. */
export const PUBLISHED_FILTER = 'published';
const IN_AREA = 'area ';
export const areaFilter = (code: string) => `${IN_AREA}${code}`;
export const useFilter = (use: number) => `use ${use}`;
const WORD = 'word ';
/** The filter of a recorded word, by its key. */
export const wordFilter = (key: string) => `${WORD}${key}`;
/** Filters of areas and words are too many to cache. */
export const isHighCardinality = (filter: string) => filter.startsWith(IN_AREA) || filter.startsWith(WORD);
export const attributeFilter = (what: Attribute) => `has ${what}`;

/** The filters of an entry. Those of areas change with its place, the others with its version. */
export function filtersOf(entry: IndexedEntry): string[] {
  const filters = placeFiltersOf(entry);
  for (let rest = entry.uses; rest !== 0; rest &= rest - 1) filters.push(useFilter(31 - Math.clz32(rest & -rest)));
  for (const what of ATTRIBUTES) if (hasAttribute(entry, what)) filters.push(attributeFilter(what));
  filters.push(...wordKeysOf(entry).map(wordFilter));
  return filters;
}

export function placeFiltersOf({
  prefecture,
  ward,
  area,
}: Pick<IndexedEntry, 'prefecture' | 'ward' | 'area'>): string[] {
  if (prefecture === null || ward === null || area === null) return [];
  return [PUBLISHED_FILTER, areaFilter(prefecture), areaFilter(ward), areaFilter(area)];
}

/** A filter has a single set. */
export const ONLY_SET = 0;
