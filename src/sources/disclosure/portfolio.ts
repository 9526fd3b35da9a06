import type { Field, FieldScalar } from '../../vocabulary/fields.ts';
import { FIELDS } from '../../vocabulary/fields.ts';
import { type Draft, newDraft, observe } from '../draft.ts';
import { nameKey } from './names.ts';
import type { PropertyRow } from './property-row.ts';

/** A property as all tables of one document say it. */
export interface Property {
  line: number;
  file: string;
  name: string;
  number: string | undefined;
  values: Map<Field, FieldScalar[]>;
  notes: Set<string>;
  beside: PropertyRow['beside'];
}

const MAX_NOTES = 30;

/** Joins what the tables of one document say: by name, and where the name is another, by property number. */
export class Portfolio {
  readonly #all: Property[] = [];
  readonly #byName = new Map<string, Property>();
  readonly #byNumber = new Map<string, Property>();
  /** Rows that have only a number: they add to a property, and are none. */
  #numbered: { file: string; row: PropertyRow }[] = [];

  get size(): number {
    return this.#all.length;
  }

  /** The property it was joined to; undefined where it waits for one with its number. */
  add(file: string, row: PropertyRow): Property | undefined {
    const key = nameKey(row.name);
    if (key === '') {
      this.#numbered.push({ file, row });
      return undefined;
    }
    const named = this.#byName.get(key);
    const numbered = row.number === undefined ? undefined : this.#byNumber.get(row.number);
    const property = named ?? numbered ?? this.#begin(file, row);
    this.#byName.set(key, property);
    if (row.number !== undefined && numbered === undefined && property.number === undefined) {
      property.number = row.number;
      this.#byNumber.set(row.number, property);
    }
    join(property, row);
    return property;
  }

  find(name: string): Property | undefined {
    return this.#byName.get(nameKey(name));
  }

  properties(): readonly Property[] {
    for (const { row } of this.#numbered) {
      const property = this.#byNumber.get(row.number as string);
      if (property !== undefined) join(property, row);
    }
    this.#numbered = [];
    return this.#all;
  }

  #begin(file: string, { line, name }: PropertyRow): Property {
    const property = { line, file, name, number: undefined, values: new Map(), notes: new Set<string>(), beside: {} };
    this.#all.push(property);
    return property;
  }
}

/** Of a field the table that comes first has the say; an address is also made finer by one that goes on where it ends. */
function join(property: Property, row: PropertyRow): void {
  const hadAppraisal = property.values.has('appraisalValueJpy');
  const known = new Set(property.values.keys());
  for (const [field, value] of row.values) {
    const now = property.values.get(field);
    if (field === 'appraisalDate' && hadAppraisal) continue;
    if (now === undefined) property.values.set(field, [value]);
    else if (FIELDS[field].repeated) {
      if (!known.has(field) && !now.includes(value)) now.push(value);
    } else if (field === 'addressJa' && isFiner(String(value), String(now[0]))) property.values.set(field, [value]);
  }
  for (const note of row.notes) if (property.notes.size < MAX_NOTES) property.notes.add(note);
  property.beside = { ...row.beside, ...property.beside };
}

function isFiner(address: string, than: string): boolean {
  return address.length > than.length && address.startsWith(than);
}

export function newProperty(file: string, row: PropertyRow): Property {
  const portfolio = new Portfolio();
  return portfolio.add(file, row) as Property;
}

/**
 * The ID of a property inside its source: below its holder, by its number where that is one that stays,
 * since names change with their sponsors; else by its name.
 */
export function propertyId(holder: string, { number, name }: Pick<Property, 'number' | 'name'>): string {
  return `${holder}/${number ?? nameKey(name)}`.slice(0, 300);
}

export function draftOf(id: string, url: string, property: Property, owner: string | undefined): Draft {
  const draft = newDraft(id, url, 'disclosure-table');
  draft.notes.push(...property.notes);
  observe(draft, 'nameJa', property.name);
  for (const [field, values] of property.values) for (const value of values) observe(draft, field, value);
  observe(draft, 'ownerPublic', owner);
  return draft;
}
