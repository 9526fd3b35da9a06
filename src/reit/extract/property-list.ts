import { nameKey, oneLine, propertyNumber } from '../../sources/disclosure/names.ts';
import { propertyCodeKey } from '../../vocabulary/text.ts';
import {
  bareNameKey,
  isAspect,
  isTitleOfAspect,
  NAME_LABEL,
  NUMBER_LABEL,
  plainHeading,
  unwrapHeading,
} from './headings.ts';
import type { HistoryField, PropertyMention } from './history.ts';

/** A property while the tables of a filing are combined. */
export interface KnownProperty {
  number: string | undefined;
  name: string;
  /** What columns state about the interest in it, and what notes add. */
  interest: Set<string>;
  remarks: Set<string>;
  fields: HistoryField[];
  /** Keys of the fields so far, so that a repeated table adds nothing. */
  taken: Set<string>;
}

const MAX_PROPERTIES = 5_000;
const MAX_INTERESTS = 50;

/** The properties of one filing, by number, or by name if they have none. */
export class PropertyList {
  readonly all: KnownProperty[] = [];
  readonly #byNumber = new Map<string, KnownProperty>();
  readonly #byName = new Map<string, KnownProperty>();

  find({ number, name }: Pick<PropertyMention, 'number' | 'name'>): KnownProperty | undefined {
    const code = propertyCodeIn(number);
    const key = nameKey(oneLine(name));
    const numbered = code === undefined ? undefined : this.#byNumber.get(propertyCodeKey(code));
    if (numbered !== undefined) return numbered;
    const named = key === '' ? undefined : this.#byName.get(key);
    // The same name under two numbers means two properties.
    return named !== undefined && code !== undefined && named.number !== undefined ? undefined : named;
  }

  /** Adds a property that a table lists. A number without a name needs another table that names it. */
  add(mention: PropertyMention, remark: string): KnownProperty | undefined {
    const known = this.find(mention) ?? this.#begin(mention);
    if (known === undefined) return undefined;
    const code = propertyCodeIn(mention.number);
    if (known.number === undefined && code !== undefined) {
      known.number = code;
      this.#byNumber.set(propertyCodeKey(code), known);
    }
    if (mention.interest.trim() !== '' && known.interest.size < MAX_INTERESTS) known.interest.add(mention.interest);
    if (remark !== '' && known.remarks.size < MAX_INTERESTS) known.remarks.add(remark);
    return known;
  }

  #begin({ number, name }: PropertyMention): KnownProperty | undefined {
    const plain = oneLine(name);
    if (nameKey(plain) === '' || this.all.length >= MAX_PROPERTIES) return undefined;
    const property: KnownProperty = {
      number: propertyCodeIn(number),
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

/** `A-01`, or the ordinal used instead. Both identify a property within one filing. */
export function propertyCodeIn(text: string): string | undefined {
  const number = propertyNumber(text);
  if (number !== undefined) return number;
  const plain = oneLine(text).normalize('NFKC').replace(/\s+/gu, '');
  return /^[\p{Letter}\d][\p{Letter}\d_-]{0,29}$/u.test(plain) && /\d/u.test(plain) ? plain.toUpperCase() : undefined;
}

/** The property that a heading assigns to the tables below it. */
type HeadingMeaning =
  | { kind: 'property'; property: KnownProperty }
  /** Names only an aspect: the property of the headings above continues. */
  | { kind: 'aspect' }
  | { kind: 'unknown' }
  | { kind: 'ambiguous' };

const MAX_HEADING = 100;
const MAX_CODE = 20;
const MAX_CUTS = 10;
const ASPECT: HeadingMeaning = { kind: 'aspect' };
const UNKNOWN: HeadingMeaning = { kind: 'unknown' };
const AMBIGUOUS: HeadingMeaning = { kind: 'ambiguous' };

/** Finds the property that a heading names. Only a complete name counts, because names can be prefixes of others. */
export class PropertyNames {
  readonly #byName = new Map<string, Set<KnownProperty>>();
  readonly #byBareName = new Map<string, Set<KnownProperty>>();
  readonly #byCode = new Map<string, KnownProperty>();
  /** The first characters of all numbers, to skip most headings quickly. */
  readonly #initials = new Set<string>();

  constructor(properties: readonly KnownProperty[]) {
    for (const property of properties) {
      addTo(this.#byName, nameKey(property.name), property);
      addTo(this.#byBareName, bareNameKey(property.name), property);
      if (property.number === undefined) continue;
      this.#byCode.set(property.number, property);
      this.#initials.add(property.number[0] as string);
    }
  }

  meaningOf(heading: string): HeadingMeaning {
    if (heading.length > MAX_HEADING) return UNKNOWN;
    const readings = unwrapHeading(plainHeading(heading));
    for (const text of readings) {
      const found = this.#read(text);
      if (found !== undefined) return found;
    }
    if (readings.some(isAspect)) return ASPECT;
    const parts = (readings.at(-1) as string).split(/[、,/&・]|及び|並びに|と/u).map((part) => part.trim());
    return parts.length > 1 && parts.some((part) => this.#read(part) !== undefined) ? AMBIGUOUS : UNKNOWN;
  }

  #read(text: string): HeadingMeaning | undefined {
    return this.#named(text) ?? this.#numbered(text) ?? this.#labelled(text) ?? this.#besideAspect(text);
  }

  #named(text: string): HeadingMeaning | undefined {
    const found = this.#byName.get(nameKey(text)) ?? this.#byBareName.get(bareNameKey(text));
    if (found === undefined) return undefined;
    return found.size === 1 ? { kind: 'property', property: [...found][0] as KnownProperty } : AMBIGUOUS;
  }

  /** `A-01 見本館`, `[A-01] 見本館`, `見本館(A-01)`, `A-01`. */
  #numbered(text: string): HeadingMeaning | undefined {
    const unlabelled = text.replace(NUMBER_LABEL, '');
    const before = /^[[(<【]([^[\]()<>【】]{1,30})[\])>】](.*)$/u.exec(unlabelled);
    const after = /^(.+)[[(<【]([^[\]()<>【】]{1,30})[\])>】]$/u.exec(unlabelled);
    const splits: [code: string, rest: string][] = [];
    if (before !== null) splits.push([before[1] as string, before[2] as string]);
    if (after !== null) splits.push([after[2] as string, after[1] as string]);
    const mayBegin = this.#initials.has((unlabelled[0] ?? '').toUpperCase());
    // Every number has a digit in it.
    const from = mayBegin ? unlabelled.search(/\d/u) : -1;
    for (let end = Math.min(MAX_CODE, unlabelled.length); from >= 0 && end > from; end--) {
      const cut = unlabelled.slice(end - 1, end + 1);
      if (!/^(?:\d\d|[a-z][a-z])$/iu.test(cut)) splits.push([unlabelled.slice(0, end), unlabelled.slice(end)]);
    }
    for (const [code, rest] of splits) {
      const property = this.#byCode.get(propertyCodeIn(code.replace(NUMBER_LABEL, '')) ?? '');
      // A bare ordinal may just number the heading; it counts only if it is labelled as a property number.
      if (property === undefined || (unlabelled === text && /^\d+$/u.test(property.number ?? ''))) continue;
      return this.#agreeing(property, rest);
    }
    return undefined;
  }

  /** A number and the name beside it must mean the same property. */
  #agreeing(property: KnownProperty, beside: string): HeadingMeaning {
    const rest = beside
      .replace(/^[\s:.、,\])/_-]+/u, '')
      .replace(NAME_LABEL, '')
      .trim();
    if (rest === '' || isTitleOfAspect(rest)) return { kind: 'property', property };
    const same = unwrapHeading(rest).some((text) => {
      if (
        [this.#byName.get(nameKey(text)), this.#byBareName.get(bareNameKey(text))].some((named) => named?.has(property))
      )
        return true;
      const named = this.#besideAspect(text);
      return named?.kind === 'property' && named.property === property;
    });
    return same ? { kind: 'property', property } : AMBIGUOUS;
  }

  #labelled(text: string): HeadingMeaning | undefined {
    const name = text.replace(NAME_LABEL, '');
    return name === text || name === '' ? undefined : (this.#named(name) ?? UNKNOWN);
  }

  /** `見本館の収支状況`, `鑑定評価書の概要(見本館)`, `物件の概要:見本館`. */
  #besideAspect(text: string): HeadingMeaning | undefined {
    const cuts = [...text.matchAll(/[\s:/-]+|に係る|に関する|の|(?=[[(<【])/gu)].slice(0, MAX_CUTS);
    for (const { 0: cut, index } of cuts) {
      const [left, right] = [
        text.slice(0, index),
        unwrapHeading(text.slice(index + cut.length).trim()).at(-1) as string,
      ];
      if (left === '' || right === '') continue;
      const named = isTitleOfAspect(right) ? this.#named(left) : isTitleOfAspect(left) ? this.#named(right) : undefined;
      if (named !== undefined) return named;
    }
    return undefined;
  }
}

function addTo(map: Map<string, Set<KnownProperty>>, key: string, property: KnownProperty): void {
  if (key !== '') map.set(key, (map.get(key) ?? new Set()).add(property));
}
