import { batches, type Db } from '../storage/storage.ts';
import type { Statement } from '../vocabulary/evidence.ts';
import { decodeBody } from './statement-codec.ts';

/** An ingested file, with the archived file that it is or is contained in. */
export interface IngestedFile {
  ingest: number;
  /** The source it was ingested as; `records` for the record format. */
  source: string;
  file: string;
  sha256: string;
}

/** A statement, and the line that it was read from. */
export interface Origin extends IngestedFile {
  line: number;
  statement: Statement;
  /** Every time at which the same payload was fetched. */
  retrievals: string[];
}

/** All statements of some source records, oldest first. */
export async function findOrigins(db: Db, keys: readonly string[]): Promise<Map<string, Origin[]>> {
  const found = new Map<string, Origin[]>();
  for (const batch of batches(keys)) {
    const rows = await db
      .selectFrom('source_record as r')
      .innerJoin('statement as s', 's.record', 'r.id')
      .innerJoin('retrieval as t', 't.id', 's.retrieval')
      .innerJoin('ingest as i', 'i.id', 's.ingest')
      .select(['r.key', 't.at as retrievedAt', 's.payload', 's.body', 's.seen', 's.line'])
      .select(['i.id as ingest', 'i.source', 'i.file', 'i.sha256'])
      .where('r.key', 'in', batch)
      .orderBy('s.id')
      .execute();
    for (const { key, retrievedAt, payload, body, seen, ...where } of rows) {
      const statement = decodeBody(retrievedAt, payload, body);
      const retrievals = [retrievedAt, ...(seen?.split(' ') ?? [])];
      found.set(key, [...(found.get(key) ?? []), { ...where, statement, retrievals }]);
    }
  }
  return found;
}

/** How many log entries before and after one are searched; the files of one command are adjacent. */
const NEAR = 2_000;

/** Files of the same source that were ingested with, or close to, another one, the closest first. */
export async function findFilesNear(db: Db, { ingest, source }: IngestedFile): Promise<IngestedFile[]> {
  const rows = await db
    .selectFrom('ingest')
    .select(['id as ingest', 'source', 'file', 'sha256'])
    .where('source', '=', source)
    .where('id', '>=', ingest - NEAR)
    .where('id', '<=', ingest + NEAR)
    .execute();
  return rows.sort((a, b) => Math.abs(a.ingest - ingest) - Math.abs(b.ingest - ingest));
}
