import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { compact, type StoredText } from '../storage/compact/compact.ts';
import { batches, type Db, isAmong, listParameter, type Reads, type Tx } from '../storage/storage.ts';
import type { SourceRecordTable, StatementTable } from '../storage/tables.ts';
import type { RecordEvidence, Statement } from '../vocabulary/evidence.ts';
import type { Source } from '../vocabulary/sources.ts';
import { decodeBody } from './statement-codec.ts';

export type SourceRecord = SourceRecordTable;

/** A statement with the time at which its payload was fetched. */
type StoredStatement = Omit<StatementTable, 'retrieval'> & { retrieved_at: string };

/** Instead of a building ID: the record names no building. */
export const NAMES_NONE = -1;
/** Instead of a building ID: the record names several buildings, so it is ambiguous and contributes nothing. */
export const NAMES_SEVERAL = -2;

/** Whether a line or a record names exactly one building. */
export function namesOne(claimed: number): boolean {
  return claimed >= 0;
}

export function recordKey(source: Source, sourceRecordId: string): string {
  return `${source}:${sourceRecordId}`;
}

export function recordIdOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** The records of lines that are already stored; the same line again adds nothing (CON-04). */
export async function findKnownLines(db: Db, hashes: readonly string[]): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const batch of batches(hashes)) {
    const rows = await db
      .selectFrom('statement')
      .select(['line_hash', 'record'])
      .where('line_hash', 'in', batch)
      .execute();
    for (const row of rows) known.set(row.line_hash, row.record);
  }
  return known;
}

/** The rows of each record: one for each building that it names. */
export async function findSourceRecords(tx: Tx, keys: readonly string[]): Promise<Map<string, SourceRecord[]>> {
  const found = new Map<string, SourceRecord[]>();
  for (const batch of batches(keys)) {
    const rows = await tx.db.selectFrom('source_record').selectAll().where('key', 'in', batch).execute();
    for (const row of rows) found.set(row.key, [...(found.get(row.key) ?? []), row]);
  }
  return found;
}

/** Those of some keys that are stored. */
export async function findExistingKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const batch of batches(keys)) {
    const rows = await db.selectFrom('source_record').select('key').where('key', 'in', batch).execute();
    for (const { key } of rows) found.add(key);
  }
  return found;
}

export type StatementSummary = Pick<StoredStatement, 'record' | 'claimed' | 'retrieved_at' | 'payload' | 'body'> &
  Partial<Pick<StoredStatement, 'id' | 'seen' | 'ingest'>>;

export async function findStatements(db: Db, records: readonly number[]): Promise<StatementSummary[]> {
  const found: StatementSummary[] = [];
  for (const batch of batches(records)) {
    const rows = await db
      .selectFrom('statement as s')
      .innerJoin('retrieval as t', 't.id', 's.retrieval')
      .select(['s.id', 's.record', 's.claimed', 't.at as retrieved_at', 's.payload'])
      .select(['s.body', 's.seen', 's.ingest'])
      .where('s.record', 'in', batch)
      .orderBy('s.id')
      .execute();
    found.push(...rows);
  }
  return found;
}

/** A statement with its hash and the source that its file was ingested as, null if the log has lost it. */
export type StatementRow = StatementSummary &
  Pick<StoredStatement, 'id' | 'seen' | 'line_hash'> & { ingestedAs: string | null };

/** The statements of a range of records, by ID of the record. */
export async function findStatementRows(db: Db, from: number, to: number): Promise<StatementRow[]> {
  const rows = await db
    .selectFrom('statement as s')
    .leftJoin('retrieval as t', 't.id', 's.retrieval')
    .leftJoin('ingest as i', 'i.id', 's.ingest')
    .select(['s.id', 's.record', 's.claimed', 't.at', 's.payload', 's.body', 's.seen', 's.ingest', 's.line_hash'])
    .select('i.source as ingestedAs')
    .where('s.record', '>=', from)
    .where('s.record', '<=', to)
    .orderBy('s.id')
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, retrieved_at: at ?? '' }));
}

/** A statement with its record. */
export type KeyedStatement = StatementSummary & { id: number; key: string; building: number | null };

/** The statements of lines, by the hash of the line. */
export async function findStatementsByLine(db: Db, hashes: readonly string[]): Promise<Map<string, KeyedStatement>> {
  const found = new Map<string, KeyedStatement>();
  for (const batch of batches(hashes)) {
    const rows = await keyedStatements(db).select('s.line_hash').where('s.line_hash', 'in', batch).execute();
    for (const { at, line_hash, ...row } of rows) found.set(line_hash, { ...row, retrieved_at: at ?? '' });
  }
  return found;
}

/** The statements of records, by key. */
export async function findStatementsByKey(db: Db, keys: readonly string[]): Promise<Map<string, KeyedStatement[]>> {
  const found = new Map<string, KeyedStatement[]>();
  for (const batch of batches(keys)) {
    for (const { at, ...row } of await keyedStatements(db).where('r.key', 'in', batch).execute()) {
      found.set(row.key, [...(found.get(row.key) ?? []), { ...row, retrieved_at: at ?? '' }]);
    }
  }
  return found;
}

function keyedStatements(db: Db) {
  return db
    .selectFrom('statement as s')
    .innerJoin('source_record as r', 'r.id', 's.record')
    .leftJoin('retrieval as t', 't.id', 's.retrieval')
    .select(['s.id', 's.record', 's.claimed', 't.at', 's.payload', 's.body', 's.seen', 'r.key', 'r.building']);
}

const RECORD_COLUMNS = [
  ...(['id', 'key', 'source', 'building', 'claimed', 'reason'] as const),
  ...(['tile', 'lat', 'lon', 'area'] as const),
] as const;
const STATEMENT_COLUMNS = [
  ...(['id', 'record', 'claimed', 'retrieval', 'payload'] as const),
  ...(['body', 'line_hash', 'ingest', 'line'] as const),
] as const;

export type NewStatement = Omit<StoredStatement, 'seen' | 'body'> & { body: string };

/** Adds records and statements; stored statements are never changed. */
export async function insertRecords(
  tx: Tx,
  added: readonly SourceRecord[],
  statements: readonly NewStatement[],
  ids: NextIds,
): Promise<void> {
  await tx.insert('source_record', RECORD_COLUMNS, added.map(toRecordRow));
  const retrievals: unknown[][] = [];
  const rows = statements.map((s) => [
    ...[s.id, s.record, s.claimed, retrievalOf(s.retrieved_at, ids, retrievals), s.payload],
    ...[compact(s.body), s.line_hash, s.ingest, s.line],
  ]);
  await tx.insert('retrieval', ['id', 'at'], retrievals);
  await tx.insert('statement', STATEMENT_COLUMNS, rows);
}

/** The ID of a time, which is added unless one of the last statements has it too. */
function retrievalOf(at: string, ids: NextIds, added: unknown[][]): number {
  let id = ids.retrievals.get(at);
  if (id === undefined) {
    id = ids.retrieval++;
    ids.retrievals.set(at, id);
    added.push([id, at]);
  }
  return id;
}

/** Moves the statements that name no building from one row of a record to another. */
export async function moveUnnamed(tx: Tx, from: number, to: number): Promise<void> {
  await tx.db
    .updateTable('statement')
    .set({ record: to })
    .where('record', '=', from)
    .where('claimed', '=', NAMES_NONE)
    .execute();
}

function toRecordRow(r: SourceRecord): unknown[] {
  return [r.id, r.key, r.source, r.building, r.claimed, r.reason, r.tile, r.lat, r.lon, r.area];
}

/** Sets which buildings some records describe; the other columns and their indexes are not touched. */
export async function assignRecords(
  tx: Tx,
  records: readonly Pick<SourceRecord, 'id' | 'building' | 'reason'>[],
): Promise<void> {
  if (tx.engine === 'sqlite') {
    const statement = 'update source_record set building = ?, reason = ? where id = ?';
    for (const { id, building, reason } of records) await tx.all(statement, [building, reason, id]);
    return;
  }
  for (const batch of batches(records, 5_000)) {
    const rows = JSON.stringify(batch.map(({ id, building, reason }) => ({ id, building, reason })));
    await tx.all(
      `update source_record as r set building = v.building, reason = v.reason
       from jsonb_to_recordset(?::jsonb) as v(id bigint, building bigint, reason text) where r.id = v.id`,
      [rows],
    );
  }
}

export async function recordsNamedForSeveral(db: Db): Promise<SourceRecord[]> {
  return db
    .selectFrom('source_record')
    .selectAll()
    .where('claimed', '=', sql.lit(NAMES_SEVERAL))
    .orderBy('id')
    .execute();
}

/** Rewrites the rows of existing records. */
export async function updateRecords(tx: Tx, records: readonly SourceRecord[]): Promise<void> {
  await tx.update('source_record', RECORD_COLUMNS, records.map(toRecordRow));
}

/** Adds the times at which current payloads were fetched again unchanged. */
export async function updateSeen(tx: Tx, seen: ReadonlyMap<number, string>): Promise<void> {
  for (const [id, moments] of seen) {
    await tx.db.updateTable('statement').set({ seen: moments }).where('id', '=', id).execute();
  }
}

/** The next free IDs, and those of the times stored last. */
export interface NextIds {
  record: number;
  statement: number;
  retrieval: number;
  retrievals: LRUCache<string, number>;
}

const REMEMBERED_RETRIEVALS = 10_000;

/** Valid as long as this process holds the write lock. */
export async function nextIds(db: Db): Promise<NextIds> {
  const last = async (table: 'source_record' | 'statement' | 'retrieval') => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirst();
    return Number(row?.id ?? 0) + 1;
  };
  return {
    record: await last('source_record'),
    statement: await last('statement'),
    retrieval: await last('retrieval'),
    retrievals: new LRUCache({ max: REMEMBERED_RETRIEVALS }),
  };
}

/** All statements about some buildings, and about the complexes that they inherit from (CON-12). */
export async function loadEvidence(db: Db, buildings: readonly number[]): Promise<Map<number, RecordEvidence[]>> {
  const evidence = new Map<number, RecordEvidence[]>();
  for (const batch of batches(buildings)) {
    const own = await db
      .selectFrom('source_record as r')
      .innerJoin('statement as s', 's.record', 'r.id')
      .innerJoin('retrieval as t', 't.id', 's.retrieval')
      .select(['r.building', ...EVIDENCE_COLUMNS])
      .where('r.building', 'in', batch)
      .execute();
    addEvidence(evidence, own as EvidenceRow[]);
    const lent = await db
      .selectFrom('lent as l')
      .innerJoin('source_record as r', 'r.id', 'l.record')
      .innerJoin('statement as s', 's.record', 'r.id')
      .innerJoin('retrieval as t', 't.id', 's.retrieval')
      .select(['l.building', ...EVIDENCE_COLUMNS])
      .where('l.building', 'in', batch)
      .execute();
    addEvidence(evidence, lent);
  }
  return evidence;
}

/** All statements of some records, by the ID of the row. */
export async function loadRecords(db: Db, records: readonly number[]): Promise<Map<number, RecordEvidence>> {
  const found = new Map<number, RecordEvidence>();
  for (const batch of batches(records)) {
    const rows = await db
      .selectFrom('source_record as r')
      .innerJoin('statement as s', 's.record', 'r.id')
      .innerJoin('retrieval as t', 't.id', 's.retrieval')
      .select(['r.id as building', ...EVIDENCE_COLUMNS])
      .where('r.id', 'in', batch)
      .execute();
    for (const [id, evidence] of byRecord(rows)) found.set(id, evidence);
  }
  return found;
}

/** The same for a few records, within a snapshot. */
export async function readRecordEvidence(
  reads: Reads,
  records: readonly number[],
): Promise<Map<number, RecordEvidence>> {
  const rows = await reads.all<EvidenceRow>(
    `select r.id as building, ${EVIDENCE_COLUMNS.join(', ')} from source_record r
      join statement s on s.record = r.id join retrieval t on t.id = s.retrieval where ${isAmong(reads, 'r.id')}`,
    [listParameter(reads, records)],
  );
  return byRecord(rows);
}

function byRecord(rows: readonly EvidenceRow[]): Map<number, RecordEvidence> {
  const evidence = new Map<number, RecordEvidence[]>();
  addEvidence(evidence, rows);
  return new Map([...evidence].map(([id, [record]]) => [id, record as RecordEvidence]));
}

const EVIDENCE_COLUMNS = [
  'r.id',
  'r.key',
  'r.source',
  't.at as retrieved_at',
  's.payload',
  's.body',
  's.seen',
] as const;

interface EvidenceRow {
  building: number;
  id: number;
  key: string;
  source: string;
  retrieved_at: string;
  payload: Uint8Array | null;
  body: StoredText;
  seen: string | null;
}

function addEvidence(evidence: Map<number, RecordEvidence[]>, rows: readonly EvidenceRow[]): void {
  const named = new Map<string, RecordEvidence>();
  const seen: { record: RecordEvidence; statement: Statement; moments: string[] }[] = [];
  for (const row of rows) {
    const name = `${row.building} ${row.id}`;
    let record = named.get(name);
    if (record === undefined) {
      const { source, key } = row;
      record = { source: source as Source, sourceRecordId: recordIdOf(key), statements: [] };
      named.set(name, record);
      const known = evidence.get(row.building);
      if (known === undefined) evidence.set(row.building, [record]);
      else known.push(record);
    }
    const statement = decodeBody(row.retrieved_at, row.payload, row.body);
    record.statements.push(statement);
    if (row.seen !== null) seen.push({ record, statement, moments: row.seen.split(' ') });
  }
  for (const { record, statement, moments } of seen) {
    // Fetching the only statement again changes nothing.
    if (record.statements.length === 1) continue;
    for (const retrievedAt of moments) record.statements.push({ ...statement, retrievedAt });
  }
}

/**
 * Assigns records that named a building before it existed to that building. Returns the buildings that gained evidence.
 */
export async function attachClaims(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ building: number }>`
    update source_record set building = claimed, reason = null
    where reason = 'unmatched' and claimed <> ${NAMES_NONE} and claimed in (select id from building)
    returning building`.execute(tx.db);
  return [...new Set(rows.map((row) => row.building))];
}
