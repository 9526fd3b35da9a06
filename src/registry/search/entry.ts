import { hash } from 'node:crypto';
import type { SearchEntryTable } from '../../storage/tables.ts';
import type { Canonical } from '../../vocabulary/canonical.ts';
import { CATEGORIES, type Category } from '../../vocabulary/categories.ts';
import { FIELD_NAMES, type Field } from '../../vocabulary/fields.ts';
import { normaliseAlias, normaliseSearchText } from '../../vocabulary/text.ts';
import type { PlacePath } from '../areas.ts';

export type SearchEntry = SearchEntryTable;

/** What one version of a building can be found by. */
export type EntryContent = Pick<SearchEntry, 'uses' | 'fields' | 'owner' | 'text'>;

/** Where a building is published; nowhere while it is not. */
export type EntryPlace = Pick<SearchEntry, 'prefecture' | 'ward' | 'area'>;

export const NOWHERE: EntryPlace = { prefecture: null, ward: null, area: null };

export function toPlace({ prefecture, ward, machiAza }: PlacePath): EntryPlace {
  return { prefecture: prefecture.code, ward: ward.code, area: machiAza.code };
}

export function toContent({ fields, aliases, assetTypes }: Canonical): EntryContent {
  const values = [fields.nameJa?.value, fields.nameEn?.value, fields.addressJa?.value];
  const owner = fields.ownerPublic?.value;
  let has = 0;
  for (const name in fields) has |= fieldBit(name as Field);
  if (aliases.length > 0) has |= fieldBit('aliases');
  // A use that only says that none is known is none.
  if (assetTypes.some(({ provenance }) => provenance.source !== 'dnk')) has |= fieldBit('assetTypes');
  return {
    uses: assetTypes.reduce((bits, { category }) => bits | useBit(category), 0),
    fields: has,
    owner: owner === undefined ? null : ownerKey(String(owner)),
    text: [...values, ...aliases.map(({ value }) => value)].map((value) => toLine(String(value ?? ''))).join('\n'),
  };
}

/** A word of a query has no whitespace in it, so that what kind of whitespace a value has is nothing to it. */
function toLine(value: string): string {
  return normaliseSearchText(value).replace(/\s+/gu, ' ');
}

/** OWN-01: names are one when they differ in case, width and whitespace only. Hashed, since an index takes no long text. */
export function ownerKey(name: string): string {
  return hash('sha256', normaliseAlias(name), 'base64url');
}

export const useBit = (category: Category) => 1 << CATEGORIES.indexOf(category);
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
