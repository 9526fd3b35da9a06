import { ASSET_PREFIX, type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import { normaliseSearchText } from '../../vocabulary/text.ts';

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
export const VALUE = { id: 0, nameJa: 1, nameEn: 2, addressJa: 3, alias: 4 } as const;
export type ValueKind = (typeof VALUE)[keyof typeof VALUE];
export const VALUE_KINDS: readonly ValueKind[] = Object.values(VALUE);

/** What every ID begins with; it is not indexed. */
const ID_HEAD = `${ASSET_PREFIX}-JP-`.toLowerCase();
/** What is indexed of an ID: from the hyphen before the prefecture. */
export const searchableIdTail = (building: AssetKey) => formatAssetId(building).slice(ID_HEAD.length - 1);
export const searchableId = (building: AssetKey) => formatAssetId(building).toLowerCase();

/** Which grams a term needs in a value, and whether having them is enough. */
export interface TermPlan {
  term: string;
  grams: readonly Gram[];
  exact: boolean;
  /** The same for an ID: a term may reach into the head that every ID has. */
  inId: { grams: readonly Gram[]; exact: boolean } | undefined;
}

/** SEA-02: the words of a query. One that is part of another asks for nothing more. */
export function readTerms(q: string): string[] {
  const terms = [...new Set(normaliseSearchText(q).split(/\s+/u))].filter((term) => term !== '');
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

export function planTerm(term: string): TermPlan {
  return { term, ...gramsOf(term), inId: planForId(term) };
}

function gramsOf(text: string): { grams: Gram[]; exact: boolean } {
  if (text.length <= 3) return { grams: [gramOf(text, 0, text.length)], exact: true };
  const grams = new Set<Gram>();
  for (let i = 0; i + 3 <= text.length; i++) grams.add(gramOf(text, i, 3));
  return { grams: [...grams], exact: false };
}

function planForId(term: string): TermPlan['inId'] {
  if (ID_HEAD.includes(term)) return { grams: [], exact: true };
  if (/^[\d-]+$/.test(term)) return gramsOf(term);
  const [, head = '', rest = ''] = /^([a-z-]*-)(\d[\d-]*)$/.exec(term) ?? [];
  return rest !== '' && ID_HEAD.endsWith(head) ? { grams: gramsOf(`-${rest}`).grams, exact: false } : undefined;
}

/** Whether every term stands in one single value (SEA-03). */
export function matches(terms: readonly string[], building: AssetKey, text: string): boolean {
  const [only] = terms;
  if (terms.length === 1 && only !== undefined) return text.includes(only) || searchableId(building).includes(only);
  if (!terms.every((term) => text.includes(term))) {
    const id = searchableId(building);
    return terms.every((term) => id.includes(term));
  }
  const holdsAll = (value: string) => terms.every((term) => value.includes(term));
  return text.split('\n').some(holdsAll) || holdsAll(searchableId(building));
}
