import { nameKey } from '../../sources/disclosure/names.ts';
import {
  bareNameKey,
  isAspect,
  isTitleOfAspect,
  NAME_LABEL,
  NUMBER_LABEL,
  peel,
  plainHeading,
} from './heading-text.ts';
import { codeOf, type KnownProperty } from './property-list.ts';

/** Whose the tables below a heading are, as far as the heading says. */
type HeadingMeaning =
  | { kind: 'property'; property: KnownProperty }
  /** It speaks of an aspect and names nothing: the property of the headings above stays. */
  | { kind: 'aspect' }
  | { kind: 'unknown' }
  | { kind: 'ambiguous' };

const MAX_HEADING = 100;
const MAX_CODE = 20;
const MAX_CUTS = 10;
const ASPECT: HeadingMeaning = { kind: 'aspect' };
const UNKNOWN: HeadingMeaning = { kind: 'unknown' };
const AMBIGUOUS: HeadingMeaning = { kind: 'ambiguous' };

/** Finds the property that a heading names. Only a whole name counts: one name may be the beginning of another. */
export class PropertyNames {
  readonly #byName = new Map<string, Set<KnownProperty>>();
  readonly #byBareName = new Map<string, Set<KnownProperty>>();
  readonly #byCode = new Map<string, KnownProperty>();
  /** The first characters of all numbers: most headings begin with another. */
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
    const readings = peel(plainHeading(heading));
    for (const text of readings) {
      const found = this.#read(text);
      if (found !== undefined) return found;
    }
    if (readings.some(isAspect)) return ASPECT;
    const parts = (readings.at(-1) as string).split(/\s*(?:[、,/&・]|及び|並びに|と)\s*/u);
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
      const property = this.#byCode.get(codeOf(code.replace(NUMBER_LABEL, '')) ?? '');
      // A bare ordinal orders headings as well; it is a property's only where it is called one.
      if (property === undefined || (unlabelled === text && /^\d+$/u.test(property.number ?? ''))) continue;
      return this.#agreeing(property, rest);
    }
    return undefined;
  }

  /** A number and the name beside it must mean one property. */
  #agreeing(property: KnownProperty, beside: string): HeadingMeaning {
    const rest = beside
      .replace(/^[\s:.、,\])/_-]+/u, '')
      .replace(NAME_LABEL, '')
      .trim();
    if (rest === '' || isTitleOfAspect(rest)) return { kind: 'property', property };
    const same = peel(rest).some((text) => {
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
      const [left, right] = [text.slice(0, index), peel(text.slice(index + cut.length).trim()).at(-1) as string];
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
