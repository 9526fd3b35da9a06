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
  /** The table that named it first. */
  table: number;
  /** The table that had the say on each field. */
  saidBy: Map<Field, number>;
}

const MAX_NOTES = 30;
const MAX_NUMBERED = 20_000;

/** Joins what the tables of one document say: by name, and where the name is another, by property number. */
export class Portfolio {
  readonly #all: Property[] = [];
  readonly #byName = new Map<string, Property>();
  readonly #byNumber = new Map<string, Property>();
  /** Rows that have only a number: they add to a property, and are none. */
  #numbered: { row: PropertyRow; table: number }[] = [];
  #table = 0;

  get size(): number {
    return this.#all.length;
  }

  beginTable(): void {
    this.#table += 1;
  }

  /** `holder`: where a table is of several REITs, whose the row is. */
  add(file: string, row: PropertyRow, holder = ''): void {
    if (row.name === '') {
      if (this.#numbered.length < MAX_NUMBERED) this.#numbered.push({ row, table: this.#table });
      return;
    }
    const key = `${holder}/${nameKey(row.name)}`;
    const number = row.number === undefined ? undefined : `${holder}/${row.number}`;
    const property = this.#find(key, number, row) ?? this.#begin(file, row);
    if (!this.#byName.has(key)) this.#byName.set(key, property);
    if (number !== undefined && property.number === undefined && !this.#byNumber.has(number)) {
      property.number = row.number;
      this.#byNumber.set(number, property);
    }
    join(property, row, this.#table);
  }

  find(name: string): Property | undefined {
    return this.#byName.get(`/${nameKey(name)}`);
  }

  properties(): readonly Property[] {
    for (const { row, table } of this.#numbered) {
      const property = this.#byNumber.get(`/${row.number}`);
      if (property !== undefined) join(property, row, table);
    }
    this.#numbered = [];
    return this.#all;
  }

  #find(key: string, number: string | undefined, row: PropertyRow): Property | undefined {
    const named = this.#byName.get(key);
    const numbered = number === undefined ? undefined : this.#byNumber.get(number);
    // One name under two numbers is of two properties, and so are two names under one number of one table.
    if (
      named !== undefined &&
      (named.number === undefined || row.number === undefined || named.number === row.number)
    ) {
      return named;
    }
    return numbered?.table === this.#table && nameKey(numbered.name) !== nameKey(row.name) ? undefined : numbered;
  }

  #begin(file: string, { line, name }: PropertyRow): Property {
    const property: Property = {
      line,
      file,
      name,
      number: undefined,
      values: new Map(),
      notes: new Set(),
      beside: {},
      table: this.#table,
      saidBy: new Map(),
    };
    this.#all.push(property);
    return property;
  }
}

/**
 * Of a field the table that comes first has the say; an address is also made finer by one that goes on
 * where it ends. A figure that one table states twice and differently (an addition in a row of its own)
 * is of a part, and none is taken from it.
 */
function join(property: Property, row: PropertyRow, table: number): void {
  const { values, saidBy } = property;
  const had = new Set(values.keys());
  for (const [field, value] of row.values) {
    const now = values.get(field);
    if (field === 'appraisalDate' && (had.has('appraisalValueJpy') || !values.has('appraisalValueJpy'))) continue;
    if (saidBy.get(field) === table && isOfPart(field, now, value)) {
      values.delete(field);
      if (field === 'appraisalValueJpy') values.delete('appraisalDate');
      property.notes.add(`${field} is left out: its table states it more than once`);
    } else if (now === undefined) values.set(field, [value]);
    else if (FIELDS[field].repeated) {
      if (!had.has(field) && !now.includes(value)) now.push(value);
      continue;
    } else if (field === 'addressJa' && isFiner(String(value), String(now[0]))) values.set(field, [value]);
    else continue;
    saidBy.set(field, table);
  }
  for (const note of row.notes) if (property.notes.size < MAX_NOTES) property.notes.add(note);
  property.beside = { ...row.beside, ...property.beside };
}

/** Whether a second value of a table shows that both are of parts; after that the field has none from it. */
function isOfPart(field: Field, now: FieldScalar[] | undefined, value: FieldScalar): boolean {
  const { kind } = FIELDS[field].type;
  return kind !== 'text' && (now === undefined || now[0] !== value);
}

function isFiner(address: string, than: string): boolean {
  return address.length > than.length && address.startsWith(than);
}

export function newProperty(file: string, row: PropertyRow): Property {
  const portfolio = new Portfolio();
  portfolio.add(file, row);
  return portfolio.properties()[0] as Property;
}

/**
 * The ID of a property inside its source: below its holder, by its number where that is one that stays,
 * since names change with their sponsors; else by its name.
 */
export function propertyId(holder: string, { number, name }: Pick<Property, 'number' | 'name'>): string {
  return `${holder}/${number ?? nameKey(name)}`.slice(0, 300);
}

export function propertyDraft(id: string, url: string, property: Property, owner: string | undefined): Draft {
  const draft = newDraft(id, url, 'disclosure-table');
  draft.notes.push(...property.notes);
  observe(draft, 'nameJa', property.name);
  for (const [field, values] of property.values) for (const value of values) observe(draft, field, value);
  observe(draft, 'ownerPublic', owner);
  return draft;
}
