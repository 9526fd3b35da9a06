import { create, insertMultiple, search } from '@orama/orama';
import { Index } from 'flexsearch';
import MiniSearch from 'minisearch';
import { accepts, type Document, MOST_HITS, type WordQuery } from '../search-corpus.ts';
import { gramsOfTerms, gramsOfValue, numberValues, type OpenPeer, type Peer, placeOf, SEPARATOR } from './peer.ts';

/** More than any corpus that fits. */
const ALL_VALUES = 1_000_000;
const HUNDRED_THOUSAND = 100_000;
/** Every part of every value is a key: an address of 20 characters has 210. */
const ALL_PARTS_MOST = 10_000;
/** A query of common characters takes seconds from here on. */
const ORAMA_MOST = 10_000;

export const miniSearch: Peer = {
  name: 'MiniSearch',
  mostBuildings: HUNDRED_THOUSAND,
  async open(documents) {
    const index = new MiniSearch<{ id: number; text: string }>({
      fields: ['text'],
      tokenize: (text) => text.split(SEPARATOR),
      processTerm: (term) => term,
      searchOptions: { combineWith: 'AND' },
    });
    for (const [id, value] of numberValues(documents)) index.add({ id, text: gramsOfValue(value).join(SEPARATOR) });
    return inMemory(documents, (terms) =>
      index.search(gramsOfTerms(terms).join(SEPARATOR)).map(({ id }) => id as number),
    );
  },
};

export const flexSearch: Peer = {
  name: 'FlexSearch',
  mostBuildings: HUNDRED_THOUSAND,
  async open(documents) {
    const index = new Index({ tokenize: 'strict', encode: (text: string) => text.split(SEPARATOR) });
    for (const [id, value] of numberValues(documents)) index.add(id, gramsOfValue(value).join(SEPARATOR));
    return inMemory(documents, (terms) => searchAll(index, gramsOfTerms(terms).join(SEPARATOR)));
  },
};

/** Its own way to find parts of words. */
export const flexSearchParts: Peer = {
  name: 'FlexSearch, every part of a word',
  mostBuildings: ALL_PARTS_MOST,
  async open(documents) {
    const index = new Index({ tokenize: 'full', encode: (text: string) => text.split(/\s+/u) });
    for (const [id, value] of numberValues(documents)) index.add(id, value);
    return inMemory(documents, (terms) => searchAll(index, terms.join(' ')));
  },
};

const searchAll = (index: Index, query: string) => index.search(query, { limit: ALL_VALUES }) as number[];

export const orama: Peer = {
  name: 'Orama',
  mostBuildings: ORAMA_MOST,
  async open(documents) {
    const tokenizer = {
      language: 'english',
      normalizationCache: new Map<string, string>(),
      tokenize: (text: string) => text.split(SEPARATOR),
    };
    const database = create({ schema: { text: 'string' } as const, components: { tokenizer } });
    let count = 0;
    let batch: { id: string; text: string }[] = [];
    for (const [id, value] of numberValues(documents)) {
      count += 1;
      batch.push({ id: String(id), text: gramsOfValue(value).join(SEPARATOR) });
      if (batch.length < 1_000) continue;
      await insertMultiple(database, batch, 1_000);
      batch = [];
    }
    await insertMultiple(database, batch, 1_000);
    return inMemory(documents, async (terms) => {
      const term = gramsOfTerms(terms).join(SEPARATOR);
      const { hits } = await search(database, { term, threshold: 0, limit: count });
      return hits.map(({ id }) => Number(id));
    });
  },
};

/** Filters what an engine finds, and puts it into the order of results. */
function inMemory(
  documents: readonly Document[],
  findValues: (terms: readonly string[]) => number[] | Promise<number[]>,
): OpenPeer {
  return {
    async find({ terms, filter }: WordQuery) {
      const places = new Set((await findValues(terms)).map(placeOf));
      const accepted = [...places].filter((place) => accepts(filter, documents[place] as Document));
      return Array.from(Uint32Array.from(accepted).sort().subarray(0, MOST_HITS));
    },
    indexBytes: async () => undefined,
    close: async () => {},
  };
}
