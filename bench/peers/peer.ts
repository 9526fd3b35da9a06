import type { Document, WordQuery } from '../search-corpus.ts';

/** A search engine with the values of a corpus. Every value is a document of its own, so that terms of two values never match together. */
export interface OpenPeer {
  /** The places of matching documents in the order of results, up to MOST_HITS; undefined if it cannot answer. */
  find(query: WordQuery): number[] | undefined | Promise<number[] | undefined>;
  /** Of the index on disk; undefined if it is in memory. */
  indexBytes(): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface Peer {
  name: string;
  /** With more buildings it needs more memory than it is given. */
  mostBuildings: number;
  open(documents: readonly Document[], folder: string): Promise<OpenPeer>;
}

/** Values by number: the place of their document, then their own. */
const VALUES_PER_DOCUMENT = 64;
export const placeOf = (value: number) => Math.floor(value / VALUES_PER_DOCUMENT);

export function* numberValues(documents: readonly Document[]): Generator<[number, string]> {
  for (const [place, { values }] of documents.entries()) {
    for (const [i, value] of values.entries()) yield [place * VALUES_PER_DOCUMENT + i, value];
  }
}

/** Between grams, because the engines tokenise strings. */
export const SEPARATOR = '\u0000';

/** Single characters and pairs: engines of words find parts of Japanese text only by these. */
export function gramsOfValue(value: string): string[] {
  const characters = [...value];
  return [...new Set([...characters.map(single), ...pairs(characters)])];
}

export function gramsOfTerms(terms: readonly string[]): string[] {
  return [
    ...new Set(
      terms.flatMap((term) => {
        const characters = [...term];
        return characters.length === 1 ? characters.map(single) : pairs(characters);
      }),
    ),
  ];
}

/** Marked, so that it is not the beginning of a pair: engines may look for prefixes. */
const single = (character: string) => `${character}\u0001`;

const pairs = (characters: readonly string[]) =>
  characters.slice(1).map((character, i) => `${characters[i]}${character}`);
