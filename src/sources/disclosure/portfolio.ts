import type { Field, FieldScalar } from '../../vocabulary/fields.ts';
import { FIELDS } from '../../vocabulary/fields.ts';
import { type Draft, newDraft, observe } from '../draft.ts';
import { nameKey } from './names.ts';
import type { PropertyRow } from './property-row.ts';

/** A property, joined from all tables of one document. */
export interface Property {
  line: number;
  file: string;
  name: string;
  number: string | undefined;
  values: Map<Field, FieldScalar[]>;
  notes: Set<string>;
  otherColumns: PropertyRow['otherColumns'];
  /** The table that named it first. */
  table: number;
  /** The table that decided each field. */
  decidedBy: Map<Field, number>;
}

const MAX_NOTES = 30;
const MAX_NUMBERED = 20_000;

/** Joins the tables of one document by property name, else by property number. */
export class Portfolio {
  readonly #all: Property[] = [];
  readonly #byName = new Map<string, Property>();
  readonly #byNumber = new Map<string, Property>();
  /** Rows with only a number, which add values to a property of that number. */
  #numbered: { row: PropertyRow; table: number }[] = [];
  #table = 0;

  get size(): number {
    return this.#all.length;
  }

  beginTable(): void {
    this.#table += 1;
  }

  /** `holder`: the REIT of the row, in a table of several REITs. */
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
    // One name with two numbers means two properties, and so do two names with one number in one table.
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
      otherColumns: {},
      table: this.#table,
      decidedBy: new Map(),
    };
    this.#all.push(property);
    return property;
  }
}

/**
 * The first table with a field decides it; only a more detailed address replaces a less detailed one. If one table states
 * two different figures (an extension in a row of its own), both apply to parts and neither is used.
 */
function join(property: Property, row: PropertyRow, table: number): void {
  const { values, decidedBy } = property;
  const had = new Set(values.keys());
  for (const [field, value] of row.values) {
    const now = values.get(field);
    if (field === 'appraisalDate' && (had.has('appraisalValueJpy') || !values.has('appraisalValueJpy'))) continue;
    if (decidedBy.get(field) === table && isOfPart(field, now, value)) {
      values.delete(field);
      if (field === 'appraisalValueJpy') values.delete('appraisalDate');
      property.notes.add(`${field} left out: its table states different values`);
    } else if (now === undefined) values.set(field, [value]);
    else if (FIELDS[field].repeated) {
      if (!had.has(field) && !now.includes(value)) now.push(value);
      continue;
    } else if (field === 'addressJa' && isFiner(String(value), String(now[0]))) values.set(field, [value]);
    else continue;
    decidedBy.set(field, table);
  }
  for (const note of row.notes) if (property.notes.size < MAX_NOTES) property.notes.add(note);
  property.otherColumns = { ...row.otherColumns, ...property.otherColumns };
}

/** Whether a second value of the same table shows that both apply to parts only. */
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
 * The ID of a property in its source: the holder and the permanent number, since names change with sponsors; without a
 * number, the holder and the name.
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
