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
import { type AssetKey, formatAssetId, prefectureOf } from '../vocabulary/asset-id.ts';
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
  reading: 'named' | 'unnamed';
  /** Whether the file has a record that names no building. */
  hasUnnamed: boolean;
  /** Records that contribute nothing as yet. */
  leftOut: Set<number>;
  reject: (line: number, reason: string) => void;
}

/**
 * Keeps what some lines say, in one transaction: all of it or none. A file is gone through for the
 * records that name their building first, and then for those that do not (`batch.reading`), so that
 * which building they find does not hang on the order of the lines.
 */
export async function appendLines(tx: Tx, batch: Batch, lines: readonly ReadLine[]): Promise<void> {
  const { counts } = batch;
  // Once more, for lines that stand twice in a file: the second was read before the first was kept.
  const unread = lines.flatMap((line) => (line.kind === 'record' ? line.hash : []));
  const known = await findKnownLines(tx.db, unread);
  const records: ReadRecord[] = [];
  for (const line of lines) {
    if (line.kind === 'area' || isForOtherReading(batch, line)) continue;
    counts.read += 1;
    if (line.kind === 'known' || known.has(line.hash)) {
      counts.unchanged += 1;
      if (line.kind === 'known' && line.leftOut) batch.leftOut.add(line.record);
    } else if (line.kind === 'merge') batch.merges.push(line);
    else {
      const fault = line.kind === 'rejected' ? line.reason : await faultInPlace(tx, batch.areas, line);
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

function isForOtherReading(batch: Batch, line: ReadLine): boolean {
  const unnamed = line.kind === 'record' && line.building === null;
  if (unnamed) batch.hasUnnamed = true;
  return unnamed !== (batch.reading === 'unnamed');
}

/** A building stands in a machi-aza that is known, in the prefecture of its ID. */
async function faultInPlace(tx: Tx, areas: Areas, { area, building, point }: ReadRecord): Promise<string | undefined> {
  if (area !== null) {
    const known = areas.get(area);
    if (known === undefined) return `area ${area} is not known: load its area line, in this file or before it`;
    return known.level === 'machiAza' ? undefined : `area ${area} is a ${known.level}: a building stands in a machiAza`;
  }
  if (building === null || point === null) return undefined;
  const found = await areas.locate(tx.db, point);
  if (found === undefined || found.slice(0, 2) === prefectureOf(building)) return undefined;
  return `building ${formatAssetId(building)} is an ID of prefecture ${prefectureOf(building)}, but its geometry lies in area ${found}`;
}

async function appendRecords(tx: Tx, batch: Batch, records: readonly ReadRecord[]): Promise<void> {
  const { counts } = batch;
  const known = await findSourceRecords(tx, [...new Set(records.map((record) => record.key))]);
  const said = await loadSaid(tx, [...known.values()].flat());
  const claimed = records.flatMap((record) => record.building ?? []);
  const existing = await findExisting(tx.db, [...new Set(claimed)]);

  const added = new Map<number, SourceRecord>();
  const changed = new Map<number, SourceRecord>();
  const statements: StoredStatement[] = [];
  const created: AssetKey[] = [];
  const stale = new Set<AssetKey>();
  for (const read of records) {
    const { key, source } = read;
    const rows = known.get(key) ?? [];
    const {
      known: before,
      creates,
      ...match
    } = await matchRecord(tx, batch.areas, read, rows, (id) => existing.has(id));
    if (creates && match.building !== null) {
      created.push(match.building);
      existing.add(match.building);
    }
    const record: SourceRecord = { id: before?.id ?? batch.nextIds.record++, key, source, ...match };
    if (before === undefined || added.has(record.id)) added.set(record.id, record);
    else if (before.building !== record.building || before.reason !== record.reason) changed.set(record.id, record);
    known.set(key, [...rows.filter((row) => row.id !== record.id), record]);
    if (record.building !== null) stale.add(record.building);

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

async function loadSaid(tx: Tx, records: readonly SourceRecord[]): Promise<Said> {
  const said = new Said();
  const ids = records.map((record) => record.id);
  for (const statement of await findStatements(tx.db, ids)) said.add(statement);
  return said;
}

function sameFetch(a: StatementSummary, b: StatementSummary): boolean {
  return a.retrieved_at === b.retrieved_at && a.raw_payload_ref === b.raw_payload_ref;
}

function orderOf(statement: StatementSummary): string {
  return `${instantSortKey(statement.retrieved_at)} ${statement.raw_payload_ref}`;
}
