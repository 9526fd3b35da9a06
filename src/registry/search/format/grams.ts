import { ASSET_PREFIX, type AssetKey, formatAssetId } from '../../../vocabulary/asset-id.ts';
import { normaliseSearchText } from '../../../vocabulary/text.ts';

/**
 * One, two or three UTF-16 units of a value, packed into 48 bits. Single units and pairs are indexed because many
 * Japanese words are that short; triples make long words and numbers selective.
 */
export type Gram = number;

const UNIT = 65_536;

export function gramOf(text: string, at: number, length: number): Gram {
  const second = length > 1 ? text.charCodeAt(at + 1) : 0;
  const third = length > 2 ? text.charCodeAt(at + 2) : 0;
  return (text.charCodeAt(at) * UNIT + second) * UNIT + third;
}

/** The kinds of searchable values (SEA-03). A building has one of each, except that it may have several aliases. */
export const SEARCHABLE = { id: 0, nameJa: 1, nameEn: 2, addressJa: 3, alias: 4 } as const;
export type SearchableKind = (typeof SEARCHABLE)[keyof typeof SEARCHABLE];
/** The kinds in the text of an entry. */
export const TEXT_KINDS: readonly SearchableKind[] = Object.values(SEARCHABLE).filter((kind) => kind !== SEARCHABLE.id);

/** An additional set under the same grams: entries whose name or alias begins with it. */
export const PREFIX = 5;

/** The common start of every ID, which is not indexed. */
const ID_HEAD = `${ASSET_PREFIX}-JP-`.toLowerCase();
/** The indexed part of an ID: from the hyphen before the prefecture, `-13-00000001`. */
const ID_TAIL = { length: 12, hyphens: [0, 3] };
export const searchableIdTail = (building: AssetKey) => formatAssetId(building).slice(ID_HEAD.length - 1);
const searchableId = (building: AssetKey) => formatAssetId(building).toLowerCase();

/**
 * Three units of an ID with their position. IDs are so similar that plain grams would match most of them. No value
 * begins with a unit this low, so the two cannot collide.
 */
export function idGramOf(tail: string, at: number): Gram {
  return ((at + 1) * UNIT + tail.charCodeAt(at) * 256 + tail.charCodeAt(at + 1)) * UNIT + tail.charCodeAt(at + 2);
}

/** The grams that a term requires in a value. */
export interface TermPlan {
  /** One gram for a short term; for a longer one, triples that cover it, with their offset in the term. */
  grams: readonly { gram: Gram; offset: number }[];
  /** For an ID: all grams of any one of these lists, which always suffices. */
  inId: readonly (readonly Gram[])[];
}

/** SEA-02: the words of a query. A word contained in another is redundant. */
export function readTerms(q: string): string[] {
  const terms = [...new Set(normaliseSearchText(q).split(/\s+/u))].filter((term) => term !== '');
  if (terms.length > MAX_TERMS) return terms;
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

/** Limits of what the index is asked for: terms, and units of each term. */
const MAX_TERMS = 32;
const MAX_UNITS = 96;

/** How the index is queried for some terms. */
export interface QueryPlan {
  terms: readonly string[];
  asked: readonly TermPlan[];
  /** Whether the index covers every term completely, so that its certain matches need no verification. */
  isComplete: boolean;
}

/** The work is bounded for any query: what exceeds the limits is verified in the candidates. */
export function planTerms(terms: readonly string[]): QueryPlan {
  const few = terms.length <= MAX_TERMS ? terms : longest(terms);
  const asked = few.map((term) => planTerm(term.length <= MAX_UNITS ? term : term.slice(0, MAX_UNITS)));
  return { terms, asked, isComplete: few === terms && few.every((term) => term.length <= MAX_UNITS) };
}

/** Every gram that the query needs. */
export function plannedGrams({ asked }: QueryPlan): Gram[] {
  const grams = asked.flatMap(({ grams: some, inId }) => [...some.map(({ gram }) => gram), ...inId.flat()]);
  return [...new Set(grams)];
}

const longest = (terms: readonly string[]) => terms.toSorted((a, b) => b.length - a.length).slice(0, MAX_TERMS);

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
  // A term that overlaps the head can only be at the start of the tail.
  const [, head = '', rest = ''] = /^([a-z-]*-)(\d[\d-]*)$/.exec(term) ?? [];
  if (rest === '' || !ID_HEAD.endsWith(head)) return [];
  const texts = rest.length > 1 ? [`-${rest}`] : Array.from('0123456789', (digit) => `-${rest}${digit}`);
  return texts.flatMap((text) => planAt(text, 0));
}

/** The grams of a text of at least three units at a position of an ID; none if it cannot be there. */
function planAt(text: string, at: number): Gram[][] {
  const end = at + text.length;
  const fits = [...text].every((unit, i) => (unit === '-') === ID_TAIL.hyphens.includes(at + i));
  if (!fits || end > ID_TAIL.length) return [];
  const tail = ' '.repeat(at) + text;
  const grams: Gram[] = [];
  for (let i = at; i < end; i += 3) grams.push(idGramOf(tail, Math.min(i, end - 3)));
  return [grams];
}

/** SEA-03: whether one single value contains every term. */
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
