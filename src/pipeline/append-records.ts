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
  findKnownLines,
  findSourceRecords,
  findStatements,
  insertRecords,
  moveUnnamed,
  NAMES_NONE,
  NAMES_SEVERAL,
  type NewStatement,
  type NextIds,
  namesOne,
  type SourceRecord,
  updateRecords,
  updateSeen,
} from '../observations/source-records.ts';
import { encodePayload } from '../observations/statement-codec.ts';
import type { Areas } from '../registry/areas.ts';
import { createBuildings, findExisting, markBuildingsStale } from '../registry/buildings.ts';
import type { Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId, prefectureOfAsset } from '../vocabulary/asset-id.ts';
import type { IdSet } from '../vocabulary/id-set.ts';
import { CREATING_SOURCES, REGISTERS } from '../vocabulary/sources.ts';
import type { MergeLine } from './apply-merges.ts';
import type { Counts } from './counts.ts';
import type { PreparedLine, PreparedRecord } from './prepare-items.ts';
import { StatementHistory } from './statement-history.ts';

/** What the lines of one file share while they are stored. */
export interface Batch {
  /** The log entry of the file. */
  ingest: number;
  areas: Areas;
  counts: Counts;
  nextIds: NextIds;
  merges: MergeLine[];
  /** Every record that was read, to be counted after matching. */
  records: IdSet;
  /**
   * Each line of the record format is stored as a statement, and may name only stored areas. A record of another source
   * that was fetched again unchanged only adds the time to its stored statement.
   */
  keepsLines: boolean;
  /** Reports that a record moved to the building that it names. */
  move: (key: string, from: AssetKey, to: AssetKey) => void;
  reject: (line: number, reason: string) => void;
  note: (line: number, reason: string) => void;
}

/** Stands for a record of the same call, which has no ID yet. */
const NOT_STORED_YET = 0;

/**
 * Stores some lines of a file in one transaction. A record that names its building is assigned to it. The others are matched
 * when everything is read, so the order of lines and files does not matter.
 */
export async function appendLines(tx: Tx, batch: Batch, lines: readonly PreparedLine[]): Promise<void> {
  const { counts } = batch;
  // A line may be repeated in a file: the second one was read before the first was stored.
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
      if (record !== undefined && record !== NOT_STORED_YET) batch.records.add(record);
    } else if (line.kind === 'merge')
      batch.merges.push({ line: line.line, entry: line.entry, counts, reject: batch.reject });
    else {
      const fault = line.kind === 'rejected' ? line.reason : await faultInArea(tx, batch, line);
      if (fault !== undefined) {
        counts.rejected += 1;
        batch.reject(line.line, fault);
      } else if (line.kind === 'record') {
        records.push(line);
        known.set(line.hash, NOT_STORED_YET);
      }
    }
  }
  if (records.length > 0) await appendRecords(tx, batch, records);
}

/** A line of the record format names a stored machi-aza, in the prefecture of its building's ID. */
async function faultInArea(
  tx: Tx,
  { areas, keepsLines }: Batch,
  { area, building, point }: PreparedRecord,
): Promise<string | undefined> {
  if (!keepsLines) return undefined;
  if (area !== null) {
    const known = areas.get(area);
    if (known === undefined) return `area ${area} is not known: load its area line, in this file or before it`;
    return known.level === 'machiAza' ? undefined : `area ${area} is a ${known.level}: a building is in a machiAza`;
  }
  if (building === null || point === null) return undefined;
  const found = await areas.locate(tx.db, point);
  if (found === undefined || found.slice(0, 2) === prefectureOfAsset(building)) return undefined;
  return `building ${formatAssetId(building)} is an ID of prefecture ${prefectureOfAsset(building)}, but its geometry is in area ${found}`;
}

/** Stored rows and statements of some records, and the changes to them that are not written yet. */
interface Changes {
  /** The rows of each record, with added ones. */
  rows: Map<string, SourceRecord[]>;
  rowsBefore: ReadonlyMap<number, SourceRecord>;
  history: StatementHistory;
  existingBefore: ReadonlySet<AssetKey>;
  /** With those that are created now. */
  existing: Set<AssetKey>;
  created: AssetKey[];
  added: SourceRecord[];
  touched: Map<number, SourceRecord>;
  /** Rows that gained or lost a statement. */
  restated: Set<number>;
  /** Those of them that had a statement before. */
  revised: Set<number>;
  statements: NewStatement[];
  seen: Map<number, string>;
  /** Rows whose statements without a building move to another row. */
  splits: [from: number, to: number][];
  recordTiles: RecordTiles[];
  links: RecordLink[];
  tilesToMatch: Set<number>;
  recordsToMatch: Set<number>;
}

async function appendRecords(tx: Tx, batch: Batch, records: readonly PreparedRecord[]): Promise<void> {
  const changes = await loadStored(tx, records);
  for (const record of records) addRecord(changes, batch, record);
  for (const row of changes.touched.values()) assignNamed(row, changes);
  await writeChanges(tx, batch, changes);
}

async function loadStored(tx: Tx, records: readonly PreparedRecord[]): Promise<Changes> {
  const rows = await findSourceRecords(tx, [...new Set(records.map((record) => record.key))]);
  const rowsBefore = new Map([...rows.values()].flat().map((row) => [row.id, { ...row }]));
  const history = new StatementHistory(await lastFinishedIngest(tx.db));
  const stored = await findStatements(tx.db, [...rowsBefore.keys()]);
  for (const statement of stored) history.add(statement);
  const named = [...records.flatMap((record) => record.building ?? []), ...stored.map(({ claimed }) => claimed)];
  const existing = await findExisting(tx.db, [...new Set(named.filter(namesOne))]);
  return {
    ...{ rows, rowsBefore, history, existing, existingBefore: new Set(existing), created: [], added: [] },
    ...{ touched: new Map(), restated: new Set(), revised: new Set(), statements: [], seen: new Map(), splits: [] },
    ...{ recordTiles: [], links: [], tilesToMatch: new Set(), recordsToMatch: new Set() },
  };
}

function addRecord(changes: Changes, batch: Batch, record: PreparedRecord): void {
  const { history, existing, touched } = changes;
  const { building, source } = record;
  const known = findRow(changes.rows.get(record.key) ?? [], building);
  const row = known ?? addRow(changes, batch, record);
  if (building !== null && row.claimed === NAMES_NONE) row.claimed = building;
  touched.set(row.id, row);
  if (building !== null && !existing.has(building) && CREATING_SOURCES.has(source)) {
    changes.created.push(building);
    existing.add(building);
  }

  const summary = {
    record: row.id,
    claimed: claimOf(record),
    retrieved_at: record.retrievedAt,
    payload: encodePayload(record.rawPayloadRef, record.body),
    body: record.body,
  };
  const { isNew, isReplay, isRefetch, seen } = history.compare(summary, !batch.keepsLines);
  batch.counts[isNew ? 'new' : isReplay || isRefetch ? 'unchanged' : 'changed'] += 1;
  batch.records.add(row.id);
  if (seen !== undefined) changes.seen.set(...seen);
  if (isReplay || seen !== undefined) return;
  const id = batch.nextIds.statement++;
  history.add({ ...summary, id, seen: null });
  changes.statements.push({ ...summary, id, line_hash: record.hash, ingest: batch.ingest, line: record.line });
  changes.restated.add(row.id);
  if (known !== undefined) changes.revised.add(row.id);
}

/** The building that a line names, as it is stored. */
export const claimOf = ({ building }: Pick<PreparedRecord, 'building'>): number => building ?? NAMES_NONE;

/** Adds a row for the building that a record names, or for none, and marks what has to be matched. */
function addRow(changes: Changes, { nextIds }: Batch, record: PreparedRecord): SourceRecord {
  const { rows, added, touched, history } = changes;
  const others = rows.get(record.key) ?? [];
  const add = (row: SourceRecord) => {
    added.push(row);
    rows.set(row.key, [...(rows.get(row.key) ?? []), row]);
  };
  const row = toRow(nextIds.record++, record, claimOfNewRow(others, record.building));
  const split = rowToSplit(others, record.building);
  add(row);
  if (split !== undefined && history.hasUnnamed(split.id)) {
    const aside = toRow(nextIds.record++, { ...record, area: null, point: null, tiles: [] }, NAMES_SEVERAL);
    add(aside);
    touched.set(aside.id, aside).set(split.id, split);
    history.moveUnnamed(split.id, aside.id);
    changes.splits.push([split.id, aside.id]);
    changes.restated.add(split.id);
    changes.revised.add(split.id);
  }
  if (row.claimed === NAMES_SEVERAL) return row;
  const { tiles, links } = record;
  if (tiles.length > 1) changes.recordTiles.push({ record: row.id, tiles });
  for (const name of links) changes.links.push({ name, record: row.id });
  if (row.claimed === NAMES_NONE || CREATING_SOURCES.has(record.source)) {
    for (const tile of tiles) changes.tilesToMatch.add(tile);
    if (tiles.length === 0 || links.some((name) => RECORD_LINK.test(name))) changes.recordsToMatch.add(row.id);
  }
  return row;
}

async function writeChanges(tx: Tx, batch: Batch, changes: Changes): Promise<void> {
  const { rowsBefore, touched, restated, revised } = changes;
  const rows = [...touched.values()];
  const changed = rows.filter((row) => isChanged(row, rowsBefore.get(row.id)));
  const stale = new Set<AssetKey>();
  for (const { id, building } of rows) if (restated.has(id) && building !== null) stale.add(building);
  await createBuildings(tx, changes.created, 'named');
  // Existing rows first: a new row may take the unique key that one of them gives up.
  await updateRecords(tx, changed);
  await insertRecords(tx, changes.added, changes.statements, batch.nextIds);
  for (const [from, to] of changes.splits) await moveUnnamed(tx, from, to);
  for (const row of changed) {
    const { building: from, key } = rowsBefore.get(row.id) as SourceRecord;
    if (from === null || from === row.building) continue;
    stale.add(from);
    if (row.building !== null) {
      batch.counts.moved += 1;
      batch.move(key, from, row.building);
    }
  }
  for (const building of await endInheritance(tx, changed)) stale.add(building);
  await updateSeen(tx, changes.seen);
  await addTilesAndLinks(tx, changes.recordTiles, changes.links);
  await markTilesToMatch(tx, changes.tilesToMatch);
  await markRecordsToMatch(tx, changes.recordsToMatch);
  await markBuildingsStale(tx, stale);
  const withStatements = rows.filter(({ id }) => restated.has(id));
  await markNamedFootprints(tx, withStatements, changes.existingBefore);
  await relocateRecords(
    tx,
    withStatements.filter(({ id, claimed }) => revised.has(id) && claimed !== NAMES_SEVERAL),
  );
}

/** Assigns a record to the building that it names. Matching assigns those that name none. */
function assignNamed(row: SourceRecord, { history, existing }: Changes): void {
  if (REGISTERS.has(row.source)) row.claimed = claimOfRegister(history.of(row.id));
  const { claimed } = row;
  if (claimed === NAMES_NONE) return;
  row.building = existing.has(claimed) ? claimed : null;
  row.reason = claimed === NAMES_SEVERAL ? 'ambiguous' : row.building === null ? 'unmatched' : null;
}

function isChanged(row: SourceRecord, before: SourceRecord | undefined): boolean {
  if (before === undefined) return false;
  return row.claimed !== before.claimed || row.building !== before.building || row.reason !== before.reason;
}

/** A complex that names one building passes its values to no other (CON-12). Returns the buildings that lose them. */
async function endInheritance(tx: Tx, rows: readonly SourceRecord[]): Promise<AssetKey[]> {
  const affected: AssetKey[] = [];
  for (const { id, source } of rows) {
    if (source !== 'wikidata') continue;
    const inheriting = await inheritingBuildings(tx.db, id);
    if (inheriting.length > 0) await setInheriting(tx, id, []);
    affected.push(...inheriting);
  }
  return affected;
}

function toRow(id: number, record: PreparedRecord, claimed: number): SourceRecord {
  const { key, source, area, point, tiles } = record;
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
