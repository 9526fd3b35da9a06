import { type Line, linesOf, type Portion } from '../files/split-lines.ts';
import { tilesOf } from '../matching/locate-records.ts';
import { findKnownLines, recordKey } from '../observations/source-records.ts';
import { encodeBody, hashOfContent, hashOfLine, refOfBody } from '../observations/statement-codec.ts';
import type { FileLine, Item, Reading } from '../sources/adapter.ts';
import { cleanArea, cleanDraft, type Draft } from '../sources/draft.ts';
import type { MergeEntry, RecordEntry } from '../sources/records/entry.ts';
import { isBlank, readLine } from '../sources/records/read-line.ts';
import type { Db } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Statement } from '../vocabulary/evidence.ts';
import { faultInText } from '../vocabulary/fields.ts';
import { centroidOf, type Position } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';
import { hiddenIn, printable } from '../vocabulary/text.ts';

/** A record, ready to be stored. */
export interface PreparedRecord {
  kind: 'record';
  line: number;
  hash: string;
  source: Source;
  key: string;
  building: AssetKey | null;
  area: string | null;
  point: Position | null;
  /** The mesh cells that its geometry touches, the one of its centre first. */
  tiles: number[];
  links: string[];
  retrievedAt: string;
  rawPayloadRef: string;
  body: string;
}

/** One line of a file, or one record of an adapter. `known`: it is stored already, and belongs to this record. */
export type PreparedLine = (
  | PreparedRecord
  | { kind: 'known'; line: number; hash: string; record: number }
  | { kind: 'area'; line: number; hash: string }
  | { kind: 'merge'; line: number; hash: string; entry: MergeEntry }
  | { kind: 'rejected'; line: number; hash: string; reason: string }
) & {
  /** What was removed from its texts. */
  notes?: string[];
};

/** Items as they are stored and reported. Every record is a line; `readTo` says how much of the file has been read. */
export type PreparedItem =
  | { kind: 'lines'; file: string; lines: PreparedLine[]; readTo?: number }
  | { kind: 'note' | 'detail'; at: FileLine; reason: string }
  | Exclude<Item, { kind: 'record' | 'lines' | 'rejected' | 'note' | 'detail' }>;

export interface ItemBatch {
  source: Source | 'records';
  reading: Reading;
  items: Item[];
}

/** Cleans and encodes items, and recognises the records that are stored already. */
export async function prepareItems(db: Db, { source, reading, items }: ItemBatch): Promise<PreparedItem[]> {
  const prepared: PreparedItem[] = [];
  const lines = new Map<string, PreparedLine[]>();
  const addLine = (file: string, line: PreparedLine) => {
    const others = lines.get(file);
    if (others === undefined) lines.set(file, [line]);
    else others.push(line);
  };
  const addNotes = (at: FileLine, record: string, reasons: readonly string[]) => {
    for (const reason of reasons) prepared.push({ kind: 'note', at, reason: withRecord(record, reason) });
  };
  for (const item of items) {
    switch (item.kind) {
      case 'lines':
        prepared.push({
          kind: 'lines',
          file: item.file,
          lines: await readPortion(db, item.portion),
          readTo: item.portion.end,
        });
        break;
      case 'record': {
        const cleaned = cleanDraft(item.record);
        const { draft, notes } = cleaned ?? { draft: item.record, notes: [] };
        addNotes(item.at, draft.sourceRecordId, notes);
        // Only the record format yields lines of several sources, and it yields no drafts.
        addLine(item.at.file, prepareDraft(source as Source, draft, item.at.line, reading, cleaned !== undefined));
        break;
      }
      case 'rejected': {
        const { at, record, reason } = item;
        addLine(at.file, { kind: 'rejected', line: at.line, hash: '', reason: withRecord(record, reason) });
        break;
      }
      case 'area': {
        const { draft, notes } = cleanArea(item.area);
        addNotes(item.at, draft.code, notes);
        prepared.push({ ...item, area: draft });
        break;
      }
      case 'boundary': {
        const { draft, notes } = cleanArea(item.boundary);
        addNotes(item.at, draft.id, notes);
        prepared.push({ ...item, boundary: draft });
        break;
      }
      case 'note':
      case 'detail': {
        const { kind, at, record, reason } = item;
        prepared.push({ kind, at, reason: withRecord(record, reason) });
        break;
      }
      default:
        prepared.push(item);
    }
  }
  for (const [file, some] of lines) prepared.push({ kind: 'lines', file, lines: await recognise(db, some) });
  return prepared;
}

function withRecord(record: string | null, reason: string): string {
  return record === null ? reason : `${printable(record, 100)}: ${reason}`;
}

/** A line of the record format that is stored already is recognised before it is parsed (CON-04). */
async function readPortion(db: Db, portion: Portion): Promise<PreparedLine[]> {
  const lines = linesOf(portion).filter((line) => !isBlank(line));
  const hashes = lines.map(({ bytes }) => (bytes === undefined ? '' : hashOfLine(bytes)));
  const known = await findKnownLines(db, hashes);
  return lines.map((line, i) => {
    const hash = hashes[i] as string;
    const record = known.get(hash);
    return record === undefined ? prepareLine(line, hash) : { kind: 'known', line: line.number, hash, record };
  });
}

/** A line of the record format, with its hash. */
export function prepareLine(line: Line, hash: string): PreparedLine {
  const at = { line: line.number, hash };
  const entry = readLine(line);
  if (!entry.ok) return { ...at, kind: 'rejected', reason: entry.failure };
  const { notes } = entry.value;
  const noted = notes === undefined ? {} : { notes };
  if (entry.value.kind === 'area') return { ...at, ...noted, kind: 'area' };
  if (entry.value.kind === 'merge') return { ...at, ...noted, kind: 'merge', entry: entry.value };
  return { ...prepareRecord(entry.value, at), ...noted };
}

const MAX_ID_LENGTH = 500;

function prepareDraft(
  source: Source,
  draft: Draft,
  line: number,
  reading: Reading,
  hasWebAddress: boolean,
): PreparedLine {
  const id = draft.sourceRecordId;
  const hidden = hiddenIn(id);
  const fault = faultInText(id, MAX_ID_LENGTH) ?? (hidden === undefined ? undefined : `contains ${hidden}`);
  if (fault !== undefined) return { kind: 'rejected', line, hash: '', reason: `its ID ${fault}` };
  if (!hasWebAddress)
    return { kind: 'rejected', line, hash: '', reason: 'its address is not an http or https address' };
  const { sourceRecordId, notes: _, ...content } = draft;
  const statement: Statement = { ...content, retrievedAt: reading.retrievedAt, rawPayloadRef: '' };
  // The payload of a record is its content: the same in another file, fetched another day, is the same payload.
  const body = encodeBody(statement);
  const rawPayloadRef = refOfBody(body);
  const entry: RecordEntry = {
    kind: 'record',
    source,
    sourceRecordId,
    building: null,
    statement: { ...statement, rawPayloadRef },
  };
  const at = { line, hash: hashOfContent(recordKey(source, id), reading.retrievedAt, rawPayloadRef) };
  return prepareRecord(entry, at, body);
}

function prepareRecord(
  entry: RecordEntry,
  at: { line: number; hash: string },
  body = encodeBody(entry.statement),
): PreparedRecord {
  const { source, sourceRecordId, building, statement } = entry;
  const { geometry, links = [] } = statement;
  const point = geometry === null ? null : centroidOf(geometry);
  return {
    ...at,
    kind: 'record',
    source,
    key: recordKey(source, sourceRecordId),
    building,
    area: statement.area,
    point,
    tiles: point === null ? [] : tilesOf(point, geometry),
    links,
    retrievedAt: statement.retrievedAt,
    rawPayloadRef: statement.rawPayloadRef,
    body,
  };
}

async function recognise(db: Db, lines: PreparedLine[]): Promise<PreparedLine[]> {
  const hashes = lines.flatMap((line) => (line.kind === 'record' ? line.hash : []));
  const known = await findKnownLines(db, hashes);
  return lines.map((line) => {
    const record = line.kind === 'record' ? known.get(line.hash) : undefined;
    return record === undefined ? line : { kind: 'known', line: line.line, hash: line.hash, record };
  });
}
