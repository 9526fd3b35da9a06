import { markNamedFootprints, relocateRecords } from '../matching/locate-records.ts';
import { markRecordsToMatch, markTilesToMatch } from '../matching/match-markers.ts';
import {
  addTilesAndLinks,
  inheritingBuildings,
  RECORD_LINK,
  type RecordLink,
  type RecordTiles,
  setInheriting,
} from '../matching/queries.ts';
import { claimOfNewRow, claimOfRegister, findRow, rowToSplit } from '../matching/record-rows.ts';
import { lastFinishedIngest } from '../observations/ingests.ts';
import {
  append,
  findKnownLines,
  findSourceRecords,
  findStatements,
  moveUnnamed,
  NAMES_NONE,
  NAMES_SEVERAL,
  namesOne,
  noteSeen,
  type SourceRecord,
  type StatementSummary,
  type StoredStatement,
  updateRecords,
} from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, findExisting, markBuildingsStale } from '../registry/buildings.ts';
import type { Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId, prefectureOfAsset } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES, REGISTERS } from '../vocabulary/sources.ts';
import type { MergeLine } from './apply-merges.ts';
import type { Counts, IdList } from './counts.ts';
import type { PreparedLine, PreparedRecord } from './prepare-items.ts';
import { Said } from './weigh-statement.ts';

/** What the lines of one ingest share on their way in. */
export interface Batch {
  /** The log entry of the file. */
  ingest: number;
  areas: Areas;
  counts: Counts;
  nextIds: { record: number; statement: number };
  merges: MergeLine[];
  /** Every record that was read, to be counted by what became of it. */
  records: IdList;
  /**
   * Lines of a records file are kept each as it is, and name only areas that are known. What an adapter
   * reads is one record a fetch: to fetch it again unchanged is a note on what is kept.
   */
  keepsLines: boolean;
  /** A record left a building for the one that it is named for. */
  move: (key: string, from: AssetKey, to: AssetKey) => void;
  reject: (line: number, reason: string) => void;
  note: (line: number, reason: string) => void;
}

/** In place of the number that a record of the same portion has still to get. */
const READ_JUST_NOW = 0;

/**
 * Keeps what some lines of a file say, in one transaction: all of it or none. A record that names its
 * building is given to it; which building the others speak of is decided when all is in, so that the
 * order of lines and files is nothing.
 */
export async function appendLines(tx: Tx, batch: Batch, lines: readonly PreparedLine[]): Promise<void> {
  const { counts } = batch;
  // Once more, for lines that stand twice in a file: the second was read before the first was kept.
  const unread = lines.flatMap((line) => (line.kind === 'record' ? line.hash : []));
  const known = await findKnownLines(tx.db, unread);
  const records: PreparedRecord[] = [];
  for (const line of lines) {
    for (const note of line.notes ?? []) batch.note(line.line, note);
    if (line.kind === 'area') continue;
    counts.read += 1;
    if (line.kind === 'known' || known.has(line.hash)) {
      counts.unchanged += 1;
      const record = line.kind === 'known' ? line.record : known.get(line.hash);
      if (record !== undefined && record !== READ_JUST_NOW) batch.records.add(record);
    } else if (line.kind === 'merge')
      batch.merges.push({ line: line.line, entry: line.entry, counts, reject: batch.reject });
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
  if (records.length > 0) await appendRecords(tx, batch, records);
}

/** A building stands in a machi-aza that is known, in the prefecture of its ID. */
async function faultInPlace(
  tx: Tx,
  { areas, keepsLines }: Batch,
  { area, building, point }: PreparedRecord,
): Promise<string | undefined> {
  if (!keepsLines) return undefined;
  if (area !== null) {
    const known = areas.get(area);
    if (known === undefined) return `area ${area} is not known: load its area line, in this file or before it`;
    return known.level === 'machiAza' ? undefined : `area ${area} is a ${known.level}: a building stands in a machiAza`;
  }
  if (building === null || point === null) return undefined;
  const found = await areas.locate(tx.db, point);
  if (found === undefined || found.slice(0, 2) === prefectureOfAsset(building)) return undefined;
  return `building ${formatAssetId(building)} is an ID of prefecture ${prefectureOfAsset(building)}, but its geometry lies in area ${found}`;
}

async function appendRecords(tx: Tx, batch: Batch, records: readonly PreparedRecord[]): Promise<void> {
  const { counts } = batch;
  const known = await findSourceRecords(tx, [...new Set(records.map((record) => record.key))]);
  const before = new Map([...known.values()].flat().map((record) => [record.id, { ...record }]));
  const said = new Said(await lastFinishedIngest(tx.db));
  const kept = await findStatements(tx.db, [...before.keys()]);
  for (const statement of kept) said.keep(statement);
  const named = [...records.flatMap((record) => record.building ?? []), ...kept.map(({ claimed }) => claimed)];
  const existing = await findExisting(tx.db, [...new Set(named.filter(namesOne))]);
  const standing = new Set(existing);

  const added = new Map<number, SourceRecord>();
  const touched = new Map<number, SourceRecord>();
  /** Rows that gained or lost a statement, and those of them that had one before. */
  const spoke = new Set<number>();
  const revised = new Set<number>();
  const statements: Omit<StoredStatement, 'seen'>[] = [];
  const created: AssetKey[] = [];
  const spots: RecordTiles[] = [];
  const links: RecordLink[] = [];
  const tiles = new Set<number>();
  const matches = new Set<number>();
  const seen = new Map<number, string>();
  const splits: [from: number, to: number][] = [];
  const add = (record: SourceRecord) => {
    added.set(record.id, record);
    known.set(record.key, [...(known.get(record.key) ?? []), record]);
  };

  for (const read of records) {
    const { key, building } = read;
    const rows = known.get(key) ?? [];
    const row = findRow(rows, building);
    const record = row ?? toRow(batch.nextIds.record++, read, claimOfNewRow(rows, building));
    if (row === undefined) {
      const split = rowToSplit(rows, building);
      add(record);
      if (split !== undefined && said.hasUnnamed(split.id)) {
        const aside = toRow(batch.nextIds.record++, { ...read, area: null, point: null, tiles: [] }, NAMES_SEVERAL);
        add(aside);
        touched.set(aside.id, aside).set(split.id, split);
        said.moveUnnamed(split.id, aside.id);
        splits.push([split.id, aside.id]);
        spoke.add(split.id);
        revised.add(split.id);
      }
      if (record.claimed !== NAMES_SEVERAL) {
        if (read.tiles.length > 1) spots.push({ record: record.id, tiles: read.tiles });
        for (const name of read.links) links.push({ name, record: record.id });
        if (record.claimed === NAMES_NONE || CREATING_SOURCES.has(read.source)) {
          for (const tile of read.tiles) tiles.add(tile);
          if (read.tiles.length === 0 || read.links.some((name) => RECORD_LINK.test(name))) matches.add(record.id);
        }
      }
    } else if (building !== null && row.claimed === NAMES_NONE) row.claimed = building;
    touched.set(record.id, record);
    if (building !== null && !existing.has(building) && CREATING_SOURCES.has(read.source)) {
      created.push(building);
      existing.add(building);
    }

    const summary: StatementSummary = {
      record: record.id,
      claimed: building ?? NAMES_NONE,
      retrieved_at: read.retrievedAt,
      raw_payload_ref: read.rawPayloadRef,
      body: read.body,
    };
    const verdict = said.weigh(summary, !batch.keepsLines);
    counts[verdict.isNew ? 'new' : verdict.isReplay || verdict.isRefetch ? 'unchanged' : 'changed'] += 1;
    batch.records.add(record.id);
    if (verdict.seen !== undefined) seen.set(...verdict.seen);
    if (verdict.isReplay || verdict.seen !== undefined) continue;
    const id = batch.nextIds.statement++;
    said.keep({ ...summary, id, seen: null });
    statements.push({ ...summary, id, line_hash: read.hash, ingest: batch.ingest, line: read.line });
    if (row !== undefined) revised.add(record.id);
    spoke.add(record.id);
  }
  for (const record of touched.values()) decideBuilding(record, said, existing);
  const stale = new Set<AssetKey>();
  for (const { id, building } of touched.values()) if (spoke.has(id) && building !== null) stale.add(building);

  const changed = [...touched.values()].filter((record) => isOtherThan(record, before.get(record.id)));
  await createBuildings(tx, created, 'named');
  // Rows that were there go first: a new row may take the place that one of them leaves.
  await updateRecords(tx, changed);
  await append(tx, [...added.values()], statements);
  for (const [from, to] of splits) await moveUnnamed(tx, from, to);
  for (const record of changed) {
    const { building: from, key } = before.get(record.id) as SourceRecord;
    if (from === null || from === record.building) continue;
    stale.add(from);
    if (record.building !== null) {
      counts.moved += 1;
      batch.move(key, from, record.building);
    }
  }
  for (const building of await endLending(tx, changed)) stale.add(building);
  await noteSeen(tx, seen);
  await addTilesAndLinks(tx, spots, links);
  await markTilesToMatch(tx, tiles);
  await markRecordsToMatch(tx, matches);
  await markBuildingsStale(tx, stale);
  const told = [...touched.values()].filter(({ id }) => spoke.has(id));
  await markNamedFootprints(tx, told, standing);
  await relocateRecords(
    tx,
    told.filter(({ id, claimed }) => revised.has(id) && claimed !== NAMES_SEVERAL),
  );
}

/** The building that a record is named for, where it is named; which one another is about is for matching to decide. */
function decideBuilding(record: SourceRecord, said: Said, existing: ReadonlySet<AssetKey>): void {
  if (REGISTERS.has(record.source)) record.claimed = claimOfRegister(said.of(record.id));
  const { claimed } = record;
  if (claimed === NAMES_NONE) return;
  record.building = existing.has(claimed) ? claimed : null;
  record.reason = claimed === NAMES_SEVERAL ? 'ambiguous' : record.building === null ? 'unmatched' : null;
}

function isOtherThan(record: SourceRecord, before: SourceRecord | undefined): boolean {
  if (before === undefined) return false;
  return record.claimed !== before.claimed || record.building !== before.building || record.reason !== before.reason;
}

/** A complex that is named for one building lends to no other (CON-12). */
async function endLending(tx: Tx, records: readonly SourceRecord[]): Promise<AssetKey[]> {
  const borrowers: AssetKey[] = [];
  for (const { id, source } of records) {
    if (source !== 'wikidata') continue;
    const lent = await inheritingBuildings(tx.db, id);
    if (lent.length > 0) await setInheriting(tx, id, []);
    borrowers.push(...lent);
  }
  return borrowers;
}

function toRow(id: number, read: PreparedRecord, claimed: number): SourceRecord {
  const { key, source, area, point, tiles } = read;
  const isPlaced = claimed !== NAMES_SEVERAL;
  return {
    id,
    key,
    source,
    building: null,
    claimed,
    reason: 'unmatched',
    tile: isPlaced ? (tiles[0] ?? null) : null,
    lat: isPlaced ? (point?.[1] ?? null) : null,
    lon: isPlaced ? (point?.[0] ?? null) : null,
    area: isPlaced ? area : null,
  };
}
