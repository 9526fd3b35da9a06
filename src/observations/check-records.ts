import type { Db } from '../storage/storage.ts';
import { type Difference, describeDamage } from '../vocabulary/difference.ts';
import { isSource } from '../vocabulary/sources.ts';
import { parseInstant } from '../vocabulary/time.ts';
import { findStatementRows, type SourceRecord, type StatementRow } from './source-records.ts';
import { decodeBody, hashOfContent } from './statement-codec.ts';

/** IDs of source records, both ends included. */
export interface RecordRange {
  from: number;
  to: number;
}

/** A source record with its statements, oldest first. */
export interface StatedRecord {
  record: SourceRecord;
  statements: StatementRow[];
}

/** The ranges that divide all source records. */
export async function* recordRanges(db: Db, size: number): AsyncGenerator<RecordRange & { count: number }> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await db
      .selectFrom('source_record')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(size)
      .execute();
    const last = rows.at(-1)?.id;
    if (last === undefined) return;
    yield { from: after + 1, to: last, count: rows.length };
    after = last;
  }
}

export async function loadStated(db: Db, { from, to }: RecordRange): Promise<StatedRecord[]> {
  const records = await db
    .selectFrom('source_record')
    .selectAll()
    .where('id', '>=', from)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
  const statements = await findStatementRows(db, from, to);
  const byRecord = Map.groupBy(statements, ({ record }) => record);
  return records.map((record) => ({ record, statements: byRecord.get(record.id) ?? [] }));
}

/** VRF-04: what is wrong with the evidence itself. None of it can be made again from what is stored. */
export function checkRecord({ record, statements }: StatedRecord): Difference[] {
  const found: Difference[] = [];
  const { key, source, building, reason } = record;
  const add = (kind: Difference['kind'], table: string, row: string, detail: string | null) =>
    found.push({ kind, table, row, detail, remedy: null, ...(building === null ? {} : { blocks: building }) });
  if (!isSource(source) || !key.startsWith(`${source}:`)) add('differs', 'source_record', key, 'its source');
  if (building !== null && reason !== null) add('differs', 'source_record', key, 'why it describes no building');
  if (statements.length === 0) add('missing', 'statement', key, 'the record has none');
  for (const statement of statements) {
    const fault = faultIn(key, statement);
    if (fault !== undefined) add(fault.kind, 'statement', `${statement.id}, ${key}`, fault.detail);
  }
  return found;
}

function faultIn(key: string, statement: StatementRow): Pick<Difference, 'kind' | 'detail'> | undefined {
  const { retrieved_at, payload, body, seen, line_hash, ingestedAs } = statement;
  const moments = [retrieved_at, ...(seen?.split(' ') ?? [])];
  if (moments.some((moment) => parseInstant(moment) === undefined)) return { kind: 'unreadable', detail: 'a time' };
  try {
    const { rawPayloadRef } = decodeBody(retrieved_at, payload, body);
    // Of a line of the record format only the archived file has what was hashed.
    if (ingestedAs === null || ingestedAs === 'records' || payload !== null) return undefined;
    const expected = hashOfContent(key, retrieved_at, rawPayloadRef);
    return line_hash === expected ? undefined : { kind: 'differs', detail: 'its content does not match its hash' };
  } catch (error) {
    return { kind: 'unreadable', detail: describeDamage(error) };
  }
}
