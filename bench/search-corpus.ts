import { createWriteStream, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { finished } from 'node:stream/promises';
import type { AssetKey } from '../src/vocabulary/asset-id.ts';
import { formatAssetId } from '../src/vocabulary/asset-id.ts';
import { readAskedUse } from '../src/vocabulary/categories.ts';
import { normaliseSearchText } from '../src/vocabulary/text.ts';
import { type MixedQuery, QUERIES } from './search-queries.ts';
import { timedGet } from './timed-get.ts';

/** What a building can be found by (SEA-03, SEA-09), as its record says. */
export interface Document {
  id: string;
  recordedAt: string;
  prefecture: string;
  ward: string;
  machiAza: string;
  uses: readonly string[];
  /** Normalised. */
  values: readonly string[];
}

/** A query of words, as a peer gets it. */
export interface WordQuery {
  terms: readonly string[];
  filter: { prefecture?: string; ward?: string; machiAza?: string; use?: string };
}

/** As many as count (SEA-05), and one more. */
export const MOST_HITS = 1_001;

export const WORD_QUERIES: readonly (MixedQuery & WordQuery)[] = QUERIES.flatMap((query) => {
  const { q, type, page: _, ...places } = query.query;
  if (q === undefined) return [];
  const use = type === undefined ? undefined : readAskedUse(type);
  const filter = { ...places, ...(use !== undefined && 'category' in use ? { use: use.category } : {}) };
  return [{ ...query, terms: [...new Set(normaliseSearchText(q).split(/\s+/u))], filter }];
});

export function accepts({ prefecture, ward, machiAza, use }: WordQuery['filter'], document: Document): boolean {
  if (prefecture !== undefined && prefecture !== document.prefecture) return false;
  if (ward !== undefined && ward !== document.ward) return false;
  if (machiAza !== undefined && machiAza !== document.machiAza) return false;
  return use === undefined || document.uses.includes(use);
}

interface PublishedRecord {
  id: string;
  fields: Partial<Record<'nameJa' | 'nameEn' | 'addressJa', { value: string }>>;
  aliases: readonly { value: string }[];
  assetTypes: readonly { category: string }[];
  location: Record<'prefecture' | 'ward' | 'machiAza', { slug: string }>;
  history: readonly { recordedAt: string }[];
}

/** The documents of a registry, read over its API, in the order of results (SEA-08). */
export async function readCorpus(origin: string, keys: readonly AssetKey[]): Promise<Document[]> {
  const connections = 8;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const documents: Document[] = [];
  let next = 0;
  const work = async () => {
    while (next < keys.length) {
      const id = formatAssetId(keys[next++] as AssetKey);
      const { status, body } = await timedGet(agent, `${origin}/japan/api/v1/assets/${id}`);
      if (status !== 200) throw new Error(`${id} was answered with ${status}`);
      documents.push(toDocument(JSON.parse(body.toString()) as PublishedRecord));
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return documents.sort((a, b) =>
    a.recordedAt === b.recordedAt ? compare(a.id, b.id) : compare(b.recordedAt, a.recordedAt),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function toDocument({ id, fields, aliases, assetTypes, location, history }: PublishedRecord): Document {
  const texts = [
    fields.nameJa?.value,
    fields.nameEn?.value,
    fields.addressJa?.value,
    ...aliases.map(({ value }) => value),
  ];
  const recorded = history.map(({ recordedAt }) => recordedAt).sort();
  return {
    ...{ id, recordedAt: recorded.at(-1) ?? '' },
    ...{ prefecture: location.prefecture.slug, ward: location.ward.slug, machiAza: location.machiAza.slug },
    uses: assetTypes.map(({ category }) => category),
    values: [id, ...texts.filter((text) => text !== undefined)].map(normaliseSearchText),
  };
}

export async function writeCorpus(file: string, documents: readonly Document[]): Promise<void> {
  const stream = createWriteStream(file);
  for (const document of documents) stream.write(`${JSON.stringify(document)}\n`);
  stream.end();
  await finished(stream);
}

export function loadCorpus(file: string): Document[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Document);
}

/** The places of all matching documents, found by looking at every value (SEA-03, SEA-04). */
export function findExactly(documents: readonly Document[], { terms, filter }: WordQuery): number[] {
  const found: number[] = [];
  for (const [place, document] of documents.entries()) {
    const isHit = document.values.some((value) => terms.every((term) => value.includes(term)));
    if (isHit && accepts(filter, document)) found.push(place);
  }
  return found;
}
