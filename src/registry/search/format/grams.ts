import { ASSET_PREFIX, type AssetKey, formatAssetId } from '../../../vocabulary/asset-id.ts';
import { normaliseSearchText } from '../../../vocabulary/text.ts';

/**
 * A gram is one, two or three UTF-16 units of a value, packed into 48 bits. Single units and pairs are
 * there because a Japanese word often is no longer; triples make long words and numbers rare enough.
 */
export type Gram = number;

const UNIT = 65_536;

export function gramOf(text: string, at: number, length: number): Gram {
  const second = length > 1 ? text.charCodeAt(at + 1) : 0;
  const third = length > 2 ? text.charCodeAt(at + 2) : 0;
  return (text.charCodeAt(at) * UNIT + second) * UNIT + third;
}

/** The kinds of searchable values (SEA-03). A building has one of each but the aliases, of which it may have several. */
export const SEARCHABLE = { id: 0, nameJa: 1, nameEn: 2, addressJa: 3, alias: 4 } as const;
export type SearchableKind = (typeof SEARCHABLE)[keyof typeof SEARCHABLE];
/** Those that stand in the text of an entry. */
export const TEXT_KINDS: readonly SearchableKind[] = Object.values(SEARCHABLE).filter((kind) => kind !== SEARCHABLE.id);

/** Beside them, under the same grams: what a name or an alias begins with. */
export const PREFIX = 5;

/** What every ID begins with; it is not indexed. */
const ID_HEAD = `${ASSET_PREFIX}-JP-`.toLowerCase();
/** What is indexed of an ID: from the hyphen before the prefecture, `-13-00000001`. */
const ID_TAIL = { length: 12, hyphens: [0, 3] };
export const searchableIdTail = (building: AssetKey) => formatAssetId(building).slice(ID_HEAD.length - 1);
const searchableId = (building: AssetKey) => formatAssetId(building).toLowerCase();

/**
 * Three units of an ID together with their place in it. IDs are so alike that most have the grams of a
 * long part of one somewhere; where they have them tells. No value begins with so low a unit.
 */
export function idGramOf(tail: string, at: number): Gram {
  return ((at + 1) * UNIT + tail.charCodeAt(at) * 256 + tail.charCodeAt(at + 1)) * UNIT + tail.charCodeAt(at + 2);
}

/** Which grams a term needs in a value. */
export interface TermPlan {
  /** One for a short term; for a longer one triples that cover it, each with its offset in the term. */
  grams: readonly { gram: Gram; offset: number }[];
  /** For an ID: all of any one of these lists, which is always enough. */
  inId: readonly (readonly Gram[])[];
}

/** SEA-02: the words of a query. One that is part of another asks for nothing more. */
export function readTerms(q: string): string[] {
  const terms = [...new Set(normaliseSearchText(q).split(/\s+/u))].filter((term) => term !== '');
  if (terms.length > MOST_TERMS) return terms;
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

/** The index is asked for so many terms, and so many units of each: hardly a value has more of them. */
const MOST_TERMS = 32;
const MOST_UNITS = 96;

/** How the index is asked for some terms. */
export interface QueryPlan {
  terms: readonly string[];
  asked: readonly TermPlan[];
  /** Whether the index was asked for all of every term, so that what it is sure of need not be looked at. */
  isWhole: boolean;
}

/** Whatever somebody asks for, the work is bounded: what is not asked of the index is looked for in what it finds. */
export function planTerms(terms: readonly string[]): QueryPlan {
  const few = terms.length <= MOST_TERMS ? terms : longest(terms);
  const asked = few.map((term) => planTerm(term.length <= MOST_UNITS ? term : term.slice(0, MOST_UNITS)));
  return { terms, asked, isWhole: few === terms && few.every((term) => term.length <= MOST_UNITS) };
}

/** Every gram that the index will be asked for. */
export function plannedGrams({ asked }: QueryPlan): Gram[] {
  const grams = asked.flatMap(({ grams: some, inId }) => [...some.map(({ gram }) => gram), ...inId.flat()]);
  return [...new Set(grams)];
}

const longest = (terms: readonly string[]) => terms.toSorted((a, b) => b.length - a.length).slice(0, MOST_TERMS);

function planTerm(term: string): TermPlan {
  return { grams: cover(term), inId: planForId(term) };
}

function cover(term: string): TermPlan['grams'] {
  if (term.length <= 3) return [{ gram: gramOf(term, 0, term.length), offset: 0 }];
  const grams = [];
  for (let i = 0; i < term.length; i += 3) {
    const offset = Math.min(i, term.length - 3);
    grams.push({ gram: gramOf(term, offset, 3), offset });
  }
  return grams;
}

function planForId(term: string): TermPlan['inId'] {
  if (ID_HEAD.includes(term)) return [[]];
  if (/^[\d-]+$/.test(term)) {
    if (term.length <= 3) return [[gramOf(term, 0, term.length)]];
    return Array.from({ length: ID_TAIL.length }, (_, at) => at).flatMap((at) => planAt(term, at));
  }
  // A term that reaches into the head can only stand at the start of the tail.
  const [, head = '', rest = ''] = /^([a-z-]*-)(\d[\d-]*)$/.exec(term) ?? [];
  if (rest === '' || !ID_HEAD.endsWith(head)) return [];
  const texts = rest.length > 1 ? [`-${rest}`] : Array.from('0123456789', (digit) => `-${rest}${digit}`);
  return texts.flatMap((text) => planAt(text, 0));
}

/** The grams that say that a text of at least three units stands at a place of an ID; none where it cannot. */
function planAt(text: string, at: number): Gram[][] {
  const end = at + text.length;
  const fits = [...text].every((unit, i) => (unit === '-') === ID_TAIL.hyphens.includes(at + i));
  if (!fits || end > ID_TAIL.length) return [];
  const tail = ' '.repeat(at) + text;
  const grams: Gram[] = [];
  for (let i = at; i < end; i += 3) grams.push(idGramOf(tail, Math.min(i, end - 3)));
  return [grams];
}

/** Whether every term stands in one single value (SEA-03). */
export function matchesTerms(terms: readonly string[], building: AssetKey, text: string): boolean {
  const [only] = terms;
  if (terms.length === 1 && only !== undefined) return text.includes(only) || searchableId(building).includes(only);
  if (!terms.every((term) => text.includes(term))) {
    const id = searchableId(building);
    return terms.every((term) => id.includes(term));
  }
  const holdsAll = (value: string) => terms.every((term) => value.includes(term));
  return text.split('\n').some(holdsAll) || holdsAll(searchableId(building));
}
