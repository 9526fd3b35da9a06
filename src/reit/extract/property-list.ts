import { nameKey, oneLine, propertyNumber } from '../../sources/disclosure/names.ts';
import { propertyCodeKey } from '../../vocabulary/text.ts';
import type { HistoryField, Mention } from './history.ts';

/** A property while the tables of a filing are joined. */
export interface KnownProperty {
  number: string | undefined;
  name: string;
  /** What columns say of the interest in it, and what notes add. */
  interest: Set<string>;
  remarks: Set<string>;
  fields: HistoryField[];
  /** What was taken already: a table that is repeated says it once. */
  taken: Set<string>;
}

const MAX_PROPERTIES = 5_000;
const MAX_INTERESTS = 50;

/** The properties of one filing, known by number, and where there is none by name. */
export class PropertyList {
  readonly all: KnownProperty[] = [];
  readonly #byNumber = new Map<string, KnownProperty>();
  readonly #byName = new Map<string, KnownProperty>();

  find({ number, name }: Pick<Mention, 'number' | 'name'>): KnownProperty | undefined {
    const code = codeOf(number);
    const key = nameKey(oneLine(name));
    const numbered = code === undefined ? undefined : this.#byNumber.get(propertyCodeKey(code));
    if (numbered !== undefined) return numbered;
    const named = key === '' ? undefined : this.#byName.get(key);
    // One name under two numbers is of two properties.
    return named !== undefined && code !== undefined && named.number !== undefined ? undefined : named;
  }

  /** What a table lists is held; a number without a name is told of by another table. */
  add(mention: Mention, remark: string): KnownProperty | undefined {
    const known = this.find(mention) ?? this.#begin(mention);
    if (known === undefined) return undefined;
    const code = codeOf(mention.number);
    if (known.number === undefined && code !== undefined) {
      known.number = code;
      this.#byNumber.set(propertyCodeKey(code), known);
    }
    if (mention.interest.trim() !== '' && known.interest.size < MAX_INTERESTS) known.interest.add(mention.interest);
    if (remark !== '' && known.remarks.size < MAX_INTERESTS) known.remarks.add(remark);
    return known;
  }

  #begin({ number, name }: Mention): KnownProperty | undefined {
    const plain = oneLine(name);
    if (nameKey(plain) === '' || this.all.length >= MAX_PROPERTIES) return undefined;
    const property: KnownProperty = {
      number: codeOf(number),
      name: plain,
      interest: new Set(),
      remarks: new Set(),
      fields: [],
      taken: new Set(),
    };
    this.all.push(property);
    if (property.number !== undefined) this.#byNumber.set(propertyCodeKey(property.number), property);
    const key = nameKey(plain);
    if (!this.#byName.has(key)) this.#byName.set(key, property);
    return property;
  }
}

/** `A-01`, or the ordinal that stands in its place; inside one filing both stay with their property. */
export function codeOf(text: string): string | undefined {
  const number = propertyNumber(text);
  if (number !== undefined) return number;
  const plain = oneLine(text).normalize('NFKC').replace(/\s+/gu, '');
  return /^[\p{Letter}\d][\p{Letter}\d_-]{0,29}$/u.test(plain) && /\d/u.test(plain) ? plain.toUpperCase() : undefined;
}
