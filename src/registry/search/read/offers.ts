import type { Reads } from '../../../storage/storage.ts';
import { parsePostcode } from '../../../vocabulary/address.ts';
import { ownerKey } from '../format/entry.ts';
import { addressWritings } from './address-writings.ts';
import type { SegmentCache } from './index-reads.ts';
import { countListed } from './list-page.ts';
import type { ListQuery } from './list-query.ts';

/** A search that finds buildings where the requested one found none, with their number (UI-43, UI-44, UI-45). */
export type Offer =
  /** The same list with another search text, or with a postcode instead of it. `everywhere`: in all Japan, unfiltered. */
  | { kind: 'address' | 'fewerTerms'; q: string; everywhere: boolean; count: number }
  | { kind: 'postcode'; postcode: string; everywhere: boolean; count: number }
  /** The portfolio of this owner. */
  | { kind: 'owner'; owner: string; count: number };

export interface OffersQuery {
  query: ListQuery;
  /** Other lists to count, such as the same without one filter. */
  others: readonly ListQuery[];
}

export interface Offers {
  offers: Offer[];
  /** The number of buildings in each other list; undefined if it was not counted. */
  counts: (number | undefined)[];
}

/** UI-46: at most so many searches, whatever the query. */
export const MAX_SEARCHES = 32;
const MAX_ADDRESS_SEARCHES = 16;
/** A query of more terms is not shortened. */
const MAX_TERMS = 8;

type CountList = (query: ListQuery) => Promise<number>;

export async function findOffers(reads: Reads, { query, others }: OffersQuery, cache: SegmentCache): Promise<Offers> {
  const count = (other: ListQuery) => countListed(reads, other, cache);
  const owned = query.q === undefined ? [] : await offerOwner(reads, query.q);
  const { offers, counts } = await composeOffers({ query, others }, count);
  return { offers: [...owned, ...offers], counts };
}

/** The offers that need a search, each checked by one. */
export async function composeOffers({ query, others }: OffersQuery, count: CountList): Promise<Offers> {
  let left = MAX_SEARCHES;
  const countOnce = async (other: ListQuery): Promise<number | undefined> => {
    if (left === 0) return undefined;
    left -= 1;
    return count(other);
  };
  const offers: Offer[] = [];
  const { q } = query;
  if (q !== undefined) {
    offers.push(...(await offerPostcode(query, q, countOnce)));
    offers.push(...(await offerAddress(query, q, countOnce)));
    offers.push(...(await offerFewerTerms(query, q, countOnce)));
  }
  const counts: Offers['counts'] = [];
  for (const other of others) counts.push(await countOnce(other));
  return { offers, counts };
}

type CountOnce = (query: ListQuery) => Promise<number | undefined>;

/** The same list, and all of Japan without filters if that is another one. */
function scopesOf(query: ListQuery): { scope: ListQuery; everywhere: boolean }[] {
  const all: ListQuery = { types: [], words: [], has: [], ranges: {}, page: 1 };
  const same: ListQuery = { ...query, page: 1 };
  const { prefecture, ward, machiAza, postcode, owner, among, types, words, has, ranges } = query;
  const isRestricted =
    [prefecture, ward, machiAza, postcode, owner, among].some((value) => value !== undefined) ||
    [types, words, has, Object.keys(ranges)].some((values) => values.length > 0);
  return [{ scope: same, everywhere: false }, ...(isRestricted ? [{ scope: all, everywhere: true }] : [])];
}

/** OWN-01: the owner whose name is the whole query. */
async function offerOwner(reads: Reads, q: string): Promise<Offer[]> {
  const [row] = await reads.all<{ count: number }>(
    'select count(*) as count from search_entry where owner = ? and area is not null',
    [ownerKey(q)],
  );
  const count = Number(row?.count ?? 0);
  return count === 0 ? [] : [{ kind: 'owner', owner: q.trim(), count }];
}

async function offerPostcode(query: ListQuery, q: string, count: CountOnce): Promise<Offer[]> {
  const postcode = parsePostcode(q);
  if (postcode === undefined) return [];
  for (const { scope, everywhere } of scopesOf(query)) {
    const found = await count({ ...scope, q: undefined, postcode });
    if (found) return [{ kind: 'postcode', postcode, everywhere, count: found }];
  }
  return [];
}

/** The first writing with results: later ones are less likely or less precise. */
async function offerAddress(query: ListQuery, q: string, count: CountOnce): Promise<Offer[]> {
  const writings = addressWritings(q);
  let left = MAX_ADDRESS_SEARCHES;
  for (const { scope, everywhere } of scopesOf(query)) {
    for (const writing of writings) {
      if (left === 0) return [];
      left -= 1;
      const found = await count({ ...scope, q: writing });
      if (found) return [{ kind: 'address', q: writing, everywhere, count: found }];
    }
  }
  return [];
}

/** The same words without one of them, or each alone if that finds nothing; most results first. */
async function offerFewerTerms(query: ListQuery, q: string, count: CountOnce): Promise<Offer[]> {
  const terms = [...new Set(q.trim().split(/\s+/u))];
  if (terms.length < 2 || terms.length > MAX_TERMS) return [];
  const fewer = terms.map((_, i) => terms.toSpliced(i, 1).join(' '));
  for (const texts of terms.length === 2 ? [fewer] : [fewer, terms]) {
    const offers: Offer[] = [];
    for (const text of texts) {
      const found = await count({ ...query, q: text, page: 1 });
      if (found) offers.push({ kind: 'fewerTerms', q: text, everywhere: false, count: found });
    }
    if (offers.length > 0) return offers.sort((a, b) => b.count - a.count);
  }
  return [];
}
