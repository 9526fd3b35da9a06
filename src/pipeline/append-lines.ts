import {
  append,
  findKnownLines,
  findSourceRecords,
  findStatements,
  type SourceRecord,
  type StatementSummary,
  type StoredStatement,
} from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, findExisting, markStale } from '../registry/buildings.ts';
import type { MergeEntry } from '../sources/records/entry.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { printable } from '../vocabulary/text.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import type { Counts } from './context.ts';
import { matchRecord } from './match-record.ts';
import type { ReadLine, ReadRecord } from './read-portion.ts';

/** What one file's lines share on their way in. */
export interface Batch {
  ingest: number;
  areas: Areas;
  counts: Counts;
  nextIds: { record: number; statement: number };
  merges: { line: number; entry: MergeEntry }[];
  /** Records that contribute nothing as yet. */
  leftOut: Set<number>;
  reject: (line: number, reason: string) => void;
}

/** Keeps what some lines say, in one transaction: all of it or none. */
export async function appendLines(tx: Tx, batch: Batch, lines: readonly ReadLine[]): Promise<void> {
  const { counts } = batch;
  // Once more, for lines that stand twice in a file: the second was read before the first was kept.
  const unread = lines.flatMap((line) => (line.kind === 'record' ? line.hash : []));
  const known = await findKnownLines(tx.db, unread);
  const records: ReadRecord[] = [];
  for (const line of lines) {
    if (line.kind === 'area') continue;
    counts.read += 1;
    if (line.kind === 'known' || known.has(line.hash)) {
      counts.unchanged += 1;
      if (line.kind === 'known' && line.leftOut) batch.leftOut.add(line.record);
    } else if (line.kind === 'merge') batch.merges.push(line);
    else {
      const fault = line.kind === 'rejected' ? line.reason : faultInArea(batch.areas, line.area);
      if (fault !== undefined) {
        counts.rejected += 1;
        batch.reject(line.line, fault);
      } else if (line.kind === 'record') {
        records.push(line);
        known.set(line.hash, { record: 0, reason: null });
      }
    }
  }
  if (records.length > 0) await appendRecords(tx, batch, records);
}

/** A building stands in a machi-aza that is known: every area line of the file was read before. */
function faultInArea(areas: Areas, area: string | null): string | undefined {
  if (area === null) return undefined;
  const known = areas.get(area);
  if (known === undefined) return `area ${printable(area)} is not known: load its area line, in this file or before it`;
  return known.level === 'machiAza' ? undefined : `area ${area} is a ${known.level}: a building stands in a machiAza`;
}

async function appendRecords(tx: Tx, batch: Batch, records: readonly ReadRecord[]): Promise<void> {
  const { counts } = batch;
  const known = await findSourceRecords(tx, [...new Set(records.map((record) => record.key))]);
  const said = await loadSaid(tx, known);
  const claimed = records.flatMap((record) => record.building ?? []);
  const existing = await findExisting(tx.db, [...new Set(claimed)]);

  const added = new Map<string, SourceRecord>();
  const changed = new Map<string, SourceRecord>();
  const statements: StoredStatement[] = [];
  const created: AssetKey[] = [];
  const stale = new Set<AssetKey>();
  for (const read of records) {
    const { key } = read;
    const before = known.get(key);
    const match = await matchRecord(tx, batch.areas, read, before, (id) => existing.has(id));
    if (match.creates && match.building !== null) {
      created.push(match.building);
      existing.add(match.building);
    }
    const record: SourceRecord = {
      id: before?.id ?? batch.nextIds.record++,
      key,
      source: read.source,
      building: match.building,
      claimed: match.claimed,
      claimed_at: match.claimedAt,
      reason: match.reason,
    };
    known.set(key, record);
    if (before === undefined || added.has(key)) added.set(key, record);
    else if (!sameMatch(before, record)) changed.set(key, record);
    for (const id of [before?.building, record.building]) if (id != null) stale.add(id);

    const summary: StatementSummary = {
      record: record.id,
      retrieved_at: read.retrievedAt,
      raw_payload_ref: read.rawPayloadRef,
      body: read.body,
    };
    const verdict = said.add(summary);
    counts[verdict.isNew ? 'new' : verdict.isReplay || verdict.isRefetch ? 'unchanged' : 'changed'] += 1;
    if (record.reason !== null) batch.leftOut.add(record.id);
    if (verdict.isReplay) continue;
    statements.push({
      ...summary,
      id: batch.nextIds.statement++,
      line_hash: read.hash,
      ingest: batch.ingest,
      line: read.line,
    });
  }
  await createBuildings(tx, created);
  await append(tx, [...added.values()], [...changed.values()], statements);
  await markStale(tx, stale);
}

function sameMatch(a: SourceRecord, b: SourceRecord): boolean {
  return a.building === b.building && a.claimed === b.claimed && a.claimed_at === b.claimed_at && a.reason === b.reason;
}

/** What is already said of some source records, to tell a replay and a refetch from news. */
class Said {
  readonly #statements = new Map<number, StatementSummary[]>();

  add(statement: StatementSummary): { isNew: boolean; isReplay: boolean; isRefetch: boolean } {
    const before = this.#statements.get(statement.record) ?? [];
    const isReplay = before.some((other) => sameFetch(other, statement) && other.body === statement.body);
    const newest = before.reduce<StatementSummary | undefined>(
      (best, other) => (best === undefined || orderOf(other) > orderOf(best) ? other : best),
      undefined,
    );
    const isRefetch = newest?.raw_payload_ref === statement.raw_payload_ref && newest.body === statement.body;
    if (!isReplay) this.#statements.set(statement.record, [...before, statement]);
    return { isNew: before.length === 0, isReplay, isRefetch };
  }
}

async function loadSaid(tx: Tx, records: ReadonlyMap<string, SourceRecord>): Promise<Said> {
  const said = new Said();
  const ids = [...records.values()].map((record) => record.id);
  for (const statement of await findStatements(tx.db, ids)) said.add(statement);
  return said;
}

function sameFetch(a: StatementSummary, b: StatementSummary): boolean {
  return a.retrieved_at === b.retrieved_at && a.raw_payload_ref === b.raw_payload_ref;
}

function orderOf(statement: StatementSummary): string {
  return `${instantSortKey(statement.retrieved_at)} ${statement.raw_payload_ref}`;
}
