import {
  append,
  findKnownLines,
  findSourceRecords,
  findStatements,
  NAMES_NONE,
  noteSeen,
  type SourceRecord,
  type StatementSummary,
  type StoredStatement,
  updateRecords,
} from '../observations/source-records.ts';
import { addSpots, forgetSpots, itemsNamedBy, type Link, type Spots, spotsOf } from '../observations/spots.ts';
import { noteStaleMatches, noteStaleTiles } from '../observations/stale-matches.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, findExisting, markStale } from '../registry/buildings.ts';
import { merge } from '../registry/identity.ts';
import { followChanges } from '../reit/follow-changes.ts';
import type { MergeEntry } from '../sources/records/entry.ts';
import type { Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId, prefectureOf } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES } from '../vocabulary/sources.ts';
import type { Counts } from './context.ts';
import type { IdList } from './id-list.ts';
import { lieOf, momentsOf, orderOf } from './lie-of-record.ts';
import type { ReadLine, ReadRecord } from './read-portion.ts';

/** What the lines of one ingest share on their way in. */
export interface Batch {
  areas: Areas;
  counts: Counts;
  nextIds: { record: number; statement: number };
  merges: { ingest: number; line: number; entry: MergeEntry }[];
  /** Every record that was read, to be counted by what became of it. */
  records: IdList;
  /**
   * Lines of a records file are kept each as it is, and name only areas that are known. What an adapter
   * reads is one record a fetch: to fetch it again unchanged is a note on what is kept.
   */
  fromRecords: boolean;
  now: () => string;
  reject: (line: number, reason: string) => void;
}

/** In place of the number that a record of the same portion has still to get. */
const READ_JUST_NOW = 0;

/**
 * Keeps what some lines of a file say, in one transaction: all of it or none. A record that names its
 * building is given to it; which building the others speak of is decided when all is in, so that the
 * order of lines and files is nothing.
 */
export async function appendLines(tx: Tx, batch: Batch, ingest: number, lines: readonly ReadLine[]): Promise<void> {
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
      const record = line.kind === 'known' ? line.record : known.get(line.hash);
      if (record !== undefined && record !== READ_JUST_NOW) batch.records.add(record);
    } else if (line.kind === 'merge') batch.merges.push({ ingest, line: line.line, entry: line.entry });
    else {
      const fault = line.kind === 'rejected' ? line.reason : await faultInPlace(tx, batch, line);
      if (fault !== undefined) {
        counts.rejected += 1;
        batch.reject(line.line, fault);
      } else if (line.kind === 'record') {
        records.push(line);
        known.set(line.hash, READ_JUST_NOW);
      }
    }
  }
  if (records.length > 0) await appendRecords(tx, batch, ingest, records);
}

/** A building stands in a machi-aza that is known, in the prefecture of its ID. */
async function faultInPlace(
  tx: Tx,
  { areas, fromRecords }: Batch,
  { area, building, point }: ReadRecord,
): Promise<string | undefined> {
  if (!fromRecords) return undefined;
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

async function appendRecords(tx: Tx, batch: Batch, ingest: number, records: readonly ReadRecord[]): Promise<void> {
  const { counts } = batch;
  const known = await findSourceRecords(tx, [...new Set(records.map((record) => record.key))]);
  const said = new Said();
  const before = [...known.values()].flat().map((record) => record.id);
  for (const statement of await findStatements(tx.db, before)) said.keep(statement);
  const claimed = records.flatMap((record) => record.building ?? []);
  const existing = await findExisting(tx.db, [...new Set(claimed)]);

  const added = new Map<number, SourceRecord>();
  const changed = new Map<number, SourceRecord>();
  const moved = new Set<number>();
  const statements: Omit<StoredStatement, 'seen'>[] = [];
  const created: AssetKey[] = [];
  const stale = new Set<AssetKey>();
  const spots: Spots[] = [];
  const links: Link[] = [];
  const tiles = new Set<number>();
  const matches = new Set<number>();
  const seen = new Map<number, string>();
  const left: [from: AssetKey, to: AssetKey][] = [];

  for (const read of records) {
    const { key, building } = read;
    const rows = known.get(key) ?? [];
    const row = findRow(rows, building);
    const isNew = row === undefined;
    const record: SourceRecord = row ?? toRow(batch.nextIds.record++, read, rows);
    if (building !== null && record.claimed === NAMES_NONE) {
      if (record.building !== null && record.building !== building) left.push([record.building, building]);
      Object.assign(record, { claimed: building, building: null, reason: 'unmatched' });
      if (!added.has(record.id)) changed.set(record.id, record);
    }
    if (building !== null && record.building === null) {
      const creates = !existing.has(building) && CREATING_SOURCES.has(read.source);
      if (creates) {
        created.push(building);
        existing.add(building);
      }
      if (existing.has(building)) {
        record.building = building;
        record.reason = null;
        if (!isNew && !added.has(record.id)) changed.set(record.id, record);
      }
    }
    if (isNew) {
      added.set(record.id, record);
      known.set(key, [...rows, record]);
      if (read.tiles.length > 1) spots.push({ record: record.id, tiles: read.tiles });
      for (const name of read.links) links.push({ name, record: record.id });
      if (record.claimed === NAMES_NONE || CREATING_SOURCES.has(read.source)) {
        for (const tile of read.tiles) tiles.add(tile);
        if (read.tiles.length === 0 || read.links.length > 0) matches.add(record.id);
      }
    }

    const summary: StatementSummary = {
      record: record.id,
      retrieved_at: read.retrievedAt,
      raw_payload_ref: read.rawPayloadRef,
      body: read.body,
    };
    const verdict = said.weigh(summary, !batch.fromRecords);
    counts[verdict.isNew ? 'new' : verdict.isReplay || verdict.isRefetch ? 'unchanged' : 'changed'] += 1;
    batch.records.add(record.id);
    if (verdict.seen !== undefined) seen.set(...verdict.seen);
    if (verdict.isReplay || verdict.seen !== undefined) continue;
    if (record.building !== null) stale.add(record.building);
    const id = batch.nextIds.statement++;
    said.keep({ ...summary, id, seen: null });
    statements.push({ ...summary, id, line_hash: read.hash, ingest, line: read.line });
    if (!isNew) moved.add(record.id);
  }

  await createBuildings(tx, created);
  await append(tx, [...added.values()], statements);
  await updateRecords(tx, [...changed.values()]);
  // A record that matching had given a building, and that now names another: the two are one.
  for (const [from, to] of left) await merge(tx, from, to, NAMED_BECAUSE, batch.now(), 'matching');
  await followChanges(
    tx,
    left.map(([from]) => from),
    batch.now,
  );
  await noteSeen(tx, seen);
  await addSpots(tx, spots, links);
  await noteStaleTiles(tx, tiles);
  await noteStaleMatches(tx, matches);
  await markStale(tx, stale);
  const rows = [...known.values()].flat();
  await moveRecords(
    tx,
    rows.filter((row) => moved.has(row.id)),
  );
}

const NAMED_BECAUSE = 'a file names the building of its record';

/** The row that a record continues: of the building it names, else the one without a name; unnamed, the one it had. */
function findRow(rows: readonly SourceRecord[], building: AssetKey | null): SourceRecord | undefined {
  const unnamed = rows.find((row) => row.claimed === NAMES_NONE);
  if (building !== null) return rows.find((row) => row.claimed === building) ?? unnamed;
  return unnamed ?? (rows.length === 1 ? rows[0] : undefined);
}

/** A record named for several buildings before, and for none now, is about any of them: matching leaves it be. */
function toRow(id: number, read: ReadRecord, rows: readonly SourceRecord[]): SourceRecord {
  const { key, source, building, area, point, tiles } = read;
  return {
    id,
    key,
    source,
    building: null,
    claimed: building ?? NAMES_NONE,
    reason: building === null && rows.length > 1 ? 'ambiguous' : 'unmatched',
    tile: tiles[0] ?? null,
    lat: point?.[1] ?? null,
    lon: point?.[0] ?? null,
    area,
  };
}

/** Where records that said something new lie now, and what they name. */
async function moveRecords(tx: Tx, records: readonly SourceRecord[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map((record) => record.id);
  const touched = await spotsOf(tx.db, ids);
  const said = new Map<number, StatementSummary[]>();
  for (const statement of await findStatements(tx.db, ids)) {
    said.set(statement.record, [...(said.get(statement.record) ?? []), statement]);
  }
  const rows: SourceRecord[] = [];
  const spots: Spots[] = [];
  const links: Link[] = [];
  const tiles = new Set<number>();
  for (const record of records) {
    const lie = lieOf(record, said.get(record.id) ?? []);
    const before = [...(record.tile === null ? [] : [record.tile]), ...(touched.get(record.id) ?? [])];
    for (const tile of [...before, ...lie.tiles]) tiles.add(tile);
    spots.push({ record: record.id, tiles: lie.tiles });
    for (const name of lie.links) links.push({ name, record: record.id });
    rows.push({
      ...record,
      tile: lie.tiles[0] ?? null,
      lat: lie.point?.[1] ?? null,
      lon: lie.point?.[0] ?? null,
      area: lie.area ?? record.area,
    });
  }
  await updateRecords(tx, rows);
  // Those it named before may be left without it.
  const named = await itemsNamedBy(tx.db, ids);
  await forgetSpots(tx, ids);
  await addSpots(tx, spots, links);
  await noteStaleTiles(tx, tiles);
  await noteStaleMatches(tx, [...ids, ...named]);
}

interface Verdict {
  isNew: boolean;
  isReplay: boolean;
  isRefetch: boolean;
  /** The statement whose payload was seen again, and all the moments it was. */
  seen?: [statement: number, moments: string];
}

/** What is already said of some source records, to tell a replay and a refetch from news. */
class Said {
  readonly #statements = new Map<number, StatementSummary[]>();

  keep(statement: StatementSummary): void {
    const known = this.#statements.get(statement.record);
    if (known === undefined) this.#statements.set(statement.record, [statement]);
    else known.push(statement);
  }

  weigh(statement: StatementSummary, notesRefetch: boolean): Verdict {
    const before = this.#statements.get(statement.record) ?? [];
    const isReplay = before.some(
      (other) =>
        other.raw_payload_ref === statement.raw_payload_ref &&
        other.body === statement.body &&
        momentsOf(other).includes(statement.retrieved_at),
    );
    const newest = before.reduce<StatementSummary | undefined>(
      (best, other) => (best === undefined || orderOf(other) > orderOf(best) ? other : best),
      undefined,
    );
    const isRefetch = newest?.raw_payload_ref === statement.raw_payload_ref && newest.body === statement.body;
    const verdict: Verdict = { isNew: before.length === 0, isReplay, isRefetch };
    if (!notesRefetch || isReplay || !isRefetch || newest?.id === undefined) return verdict;
    if (orderOf(statement) < orderOf(newest)) return verdict;
    newest.seen = newest.seen == null ? statement.retrieved_at : `${newest.seen} ${statement.retrieved_at}`;
    return { ...verdict, seen: [newest.id, newest.seen] };
  }
}
