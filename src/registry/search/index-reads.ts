import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { ONLY } from './build-segment.ts';
import { type Docs, decodeDocs } from './docs.ts';
import type { Gram } from './grams.ts';
import { postingKey } from './index-entries.ts';
import type { Segment } from './segments.ts';

/** The index as a search reads it. */
export interface IndexReads {
  /** Says what is about to be read of some segments. */
  expect(segments: readonly Segment[], filters: readonly string[], grams: readonly Gram[]): void | Promise<void>;
  filter(segment: Segment, filter: string): Docs | undefined;
  posting(segment: Segment, gram: Gram): Uint8Array | undefined;
  /** How many segments to expect at once, given how many have been read so far. */
  portion(read: number): number;
}

export function readIndex(reads: Reads): IndexReads {
  return reads.engine === 'sqlite' ? readFromFile(reads) : readFromServer(reads);
}

/** The database is in this process: everything is read when it is needed, and only then. */
function readFromFile(reads: Reads): IndexReads {
  type Rows = { docs: Uint8Array }[];
  return {
    portion: () => 1,
    expect: () => {},
    filter(segment, filter) {
      const statement = 'select docs from search_filter where segment = ? and filter = ?';
      const [row] = reads.all(statement, [segment.id, filter]) as Rows;
      return row && decodeDocs(row.docs, ONLY);
    },
    posting(segment, gram) {
      const [row] = reads.all('select docs from search_posting where key = ?', [postingKey(segment.id, gram)]) as Rows;
      return row?.docs;
    },
  };
}

/** Every question costs a way there and back: asked for many segments at once, for more the further a search has come. */
function readFromServer(reads: Reads): IndexReads {
  let filters = new Map<string, Uint8Array>();
  let postings = new Map<string, Uint8Array>();
  return {
    portion: (read) => Math.max(2, read * 2),
    async expect(segments, names, grams) {
      filters = new Map();
      postings = new Map();
      const keys = segments.flatMap(({ id }) => grams.map((gram) => String(postingKey(id, gram))));
      const filterRows = await reads.all<{ segment: number; filter: string; docs: Uint8Array }>(
        `select segment, filter, docs from search_filter where ${isAmong(reads, 'segment')} and ${isAmong(reads, 'filter')}`,
        [
          listParameter(
            reads,
            segments.map(({ id }) => id),
          ),
          listParameter(reads, names),
        ],
      );
      for (const { segment, filter, docs } of filterRows) filters.set(`${segment} ${filter}`, docs);
      if (keys.length === 0) return;
      // As text: a key needs more bits than a number has.
      const rows = await reads.all<{ key: string; docs: Uint8Array }>(
        `select key::text as key, docs from search_posting where ${isAmong(reads, 'key')}`,
        [listParameter(reads, keys)],
      );
      for (const { key, docs } of rows) postings.set(key, docs);
    },
    filter(segment, filter) {
      const docs = filters.get(`${segment.id} ${filter}`);
      return docs && decodeDocs(docs, ONLY);
    },
    posting: (segment, gram) => postings.get(String(postingKey(segment.id, gram))),
  };
}
