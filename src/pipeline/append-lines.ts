import { hash } from 'node:crypto';
import {
  append,
  findKnownLines,
  findSourceRecords,
  findStatements,
  recordKey,
  type SourceRecord,
  type StatementSummary,
  type StoredStatement,
} from '../observations/source-records.ts';
import { encodeBody } from '../observations/statement-codec.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, findBuildings, markStale } from '../registry/buildings.ts';
import type { MergeEntry, RecordEntry } from '../sources/records/parse-record-line.ts';
import { isBlank, readLine } from '../sources/records/read-line.ts';
import type { Line } from '../sources/records/split-lines.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { printable } from '../vocabulary/text.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import type { Counts } from './context.ts';
import { matchRecord } from './match-record.ts';

/** What one file's lines share on their way in. */
export interface Batch {
  ingest: number;
  areas: Areas;
  counts: Counts;
  nextIds: { record: number; statement: number };
  /** The lines that brought the areas, which are read first. */
  areaLines: ReadonlySet<number>;
  merges: { line: number; entry: MergeEntry }[];
  /** Records that contribute nothing as yet. */
  leftOut: Set<number>;
  reject: (line: number, reason: string) => void;
}

interface ReadRecord {
  line: number;
  lineHash: string;
  entry: RecordEntry;
}

const LINE_HASH_LENGTH = 22;

/** Reads some lines and keeps what they say, in one transaction: all of it or none. */
export async function appendLines(tx: Tx, batch: Batch, lines: readonly Line[]): Promise<void> {
  const { counts } = batch;
  const hashes = lines.map(({ bytes }) => (bytes === undefined ? '' : hashLine(bytes)));
  const known = await findKnownLines(tx, hashes);
  const records: ReadRecord[] = [];
  for (const [i, line] of lines.entries()) {
    const lineHash = hashes[i] as string;
    const before = known.get(lineHash);
    if (before !== undefined) {
      counts.read += 1;
      counts.unchanged += 1;
      if (before.reason !== null) batch.leftOut.add(before.record);
      continue;
    }
    if (batch.areaLines.has(line.number) || isBlank(line)) continue;
    counts.read += 1;
    const read = readLine(line);
    const fault = read.ok
      ? read.value.kind === 'record'
        ? faultInArea(batch.areas, read.value)
        : undefined
      : read.failure;
    if (!read.ok || fault !== undefined) {
      counts.rejected += 1;
      batch.reject(line.number, fault as string);
    } else if (read.value.kind === 'merge') batch.merges.push({ line: line.number, entry: read.value });
    else if (read.value.kind === 'record') {
      records.push({ line: line.number, lineHash, entry: read.value });
      known.set(lineHash, { record: 0, reason: null });
    }
  }
  if (records.length > 0) await appendRecords(tx, batch, records);
}

function hashLine(bytes: Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, LINE_HASH_LENGTH);
}

/** A building stands in a machi-aza that is known: every area line of the file was read before. */
function faultInArea(areas: Areas, { statement: { area } }: RecordEntry): string | undefined {
  if (area === null) return undefined;
  const known = areas.get(area);
  if (known === undefined) return `area ${printable(area)} is not known: load its area line, in this file or before it`;
  return known.level === 'machiAza' ? undefined : `area ${area} is a ${known.level}: a building stands in a machiAza`;
}

async function appendRecords(tx: Tx, batch: Batch, records: readonly ReadRecord[]): Promise<void> {
  const { counts } = batch;
  const keys = records.map(({ entry }) => recordKey(entry.source, entry.sourceRecordId));
  const known = await findSourceRecords(tx, [...new Set(keys)]);
  const said = await loadSaid(tx, known);
  const claimed = records.flatMap(({ entry }) => entry.building ?? []);
  const existing = new Set((await findBuildings(tx, [...new Set(claimed)])).keys());

  const added = new Map<string, SourceRecord>();
  const changed = new Map<string, SourceRecord>();
  const statements: StoredStatement[] = [];
  const created: AssetKey[] = [];
  const stale = new Set<AssetKey>();
  for (const [i, { line, lineHash, entry }] of records.entries()) {
    const key = keys[i] as string;
    const before = known.get(key);
    const match = await matchRecord(tx, batch.areas, entry, before, (id) => existing.has(id));
    if (match.creates && match.building !== null) {
      created.push(match.building);
      existing.add(match.building);
    }
    const record: SourceRecord = {
      id: before?.id ?? batch.nextIds.record++,
      key,
      source: entry.source,
      building: match.building,
      claimed: match.claimed,
      claimed_at: match.claimedAt,
      reason: match.reason,
    };
    known.set(key, record);
    if (before === undefined || added.has(key)) added.set(key, record);
    else if (!sameMatch(before, record)) changed.set(key, record);
    for (const id of [before?.building, record.building]) if (id != null) stale.add(id);

    const { statement } = entry;
    const summary: StatementSummary = {
      record: record.id,
      retrieved_at: statement.retrievedAt,
      raw_payload_ref: statement.rawPayloadRef,
      body: encodeBody(statement),
    };
    const verdict = said.add(summary);
    counts[verdict.isNew ? 'new' : verdict.isReplay || verdict.isRefetch ? 'unchanged' : 'changed'] += 1;
    if (record.reason !== null) batch.leftOut.add(record.id);
    if (verdict.isReplay) continue;
    statements.push({
      ...summary,
      id: batch.nextIds.statement++,
      line_hash: lineHash,
      ingest: batch.ingest,
      line,
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
  for (const statement of await findStatements(tx, ids)) said.add(statement);
  return said;
}

function sameFetch(a: StatementSummary, b: StatementSummary): boolean {
  return a.retrieved_at === b.retrieved_at && a.raw_payload_ref === b.raw_payload_ref;
}

function orderOf(statement: StatementSummary): string {
  return `${instantSortKey(statement.retrieved_at)} ${statement.raw_payload_ref}`;
}
