import { hash } from 'node:crypto';
import type { SourceFile } from '../files/source-file.ts';
import { unpacked } from '../files/unpack/unpack.ts';
import { findKnownLines } from '../observations/source-records.ts';
import { encodeBody } from '../observations/statement-codec.ts';
import type { Adapter, Item, Place, Reading } from '../sources/adapter.ts';
import { type AreaDraft, type BoundaryDraft, cleanArea, cleanDraft, type Draft } from '../sources/draft.ts';
import type { RecordEntry } from '../sources/records/entry.ts';
import type { Db } from '../storage/storage.ts';
import type { Statement } from '../vocabulary/evidence.ts';
import { faultInText } from '../vocabulary/fields.ts';
import type { Source } from '../vocabulary/sources.ts';
import { hiddenIn } from '../vocabulary/text.ts';
import { type AdaptedSource, adapterOf } from './adapters.ts';
import { type ReadLine, shortHash, toReadRecord } from './read-portion.ts';
import { refusalOf } from './refuse-file.ts';
import { type ArchivedFile, type Opened, openFiles } from './source-files.ts';

/** What was found in a file: lines to be kept, areas, and what whoever watches should know. */
export type Found =
  | { kind: 'line'; file: string; line: ReadLine; record: string | null }
  | { kind: 'area'; at: Place; area: AreaDraft }
  | { kind: 'boundary'; at: Place; boundary: BoundaryDraft }
  | { kind: 'note' | 'detail'; at: Place; record: string | null; reason: string }
  | { kind: 'remark'; file: string; reason: string; alone?: true }
  | { kind: 'broken' | 'foreign'; file: string; reason: string };

export interface ReadingJob {
  source: AdaptedSource;
  files: readonly ArchivedFile[];
  reading: Reading;
}

/** The files of one reading: name, archived bytes, and what was named on the command line. */
export interface OpenedFile {
  name: string;
  sha256: string;
  root: string;
  size: number;
  /** A zip in which nothing is read. */
  unread?: true;
}

export interface OpenedFiles {
  files: OpenedFile[];
  /** Files in zips that are not of the source. */
  passedOver: Opened['passedOver'];
}

const PORTION = 400;

/** Reads what an adapter gives, made ready to be kept; what is known already only as known. */
export class SourceReader {
  readonly #db: Db;
  #opened: Opened | undefined;
  #items: AsyncGenerator<Found[]> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async open({ source, files, reading }: ReadingJob): Promise<OpenedFiles> {
    const adapter = adapterOf(source);
    const opened = await openFiles(files, adapter);
    this.#opened = opened;
    this.#items = this.#read(source, adapter, opened, reading);
    const read = opened.files.map(({ name, sha256, root, size }) => ({ name, sha256, root, size }));
    const unread = opened.unread.map((file) => ({ ...file, unread: true as const }));
    return { files: [...read, ...unread], passedOver: opened.passedOver };
  }

  /** The next portion; undefined after the last. */
  async next(): Promise<Found[] | undefined> {
    const { value, done } = (await this.#items?.next()) ?? { done: true, value: undefined };
    if (!done) return value;
    this.#opened?.close();
    return undefined;
  }

  async *#read(
    source: AdaptedSource,
    adapter: Adapter,
    { files, broken }: Opened,
    reading: Reading,
  ): AsyncGenerator<Found[]> {
    let waiting: Found[] = broken.map((file) => ({ kind: 'broken', ...file }));
    const accepted: SourceFile[] = [];
    for (const file of files.map(unpacked)) {
      const refusal = await refusalOf(source, file);
      if (refusal === undefined) accepted.push(file);
      else waiting.push({ ...refusal, file: file.name });
    }
    for await (const items of adapter.read(accepted, reading)) {
      for (const item of items) waiting.push(...toFound(adapter.source, item, reading));
      if (waiting.length < PORTION) continue;
      yield await this.#recognise(waiting);
      waiting = [];
    }
    if (waiting.length > 0) yield await this.#recognise(waiting);
  }

  async #recognise(found: Found[]): Promise<Found[]> {
    const hashes = found.flatMap((item) => (item.kind === 'line' && item.line.kind === 'record' ? item.line.hash : []));
    const known = await findKnownLines(this.#db, hashes);
    if (known.size === 0) return found;
    return found.map((item) => {
      if (item.kind !== 'line' || item.line.kind !== 'record') return item;
      const { line, hash } = item.line;
      const record = known.get(hash);
      if (record === undefined) return item;
      return { ...item, line: { kind: 'known', line, hash, record } };
    });
  }
}

function toFound(source: Source, item: Item, reading: Reading): Found[] {
  switch (item.kind) {
    case 'record': {
      const cleaned = cleanDraft(item.record);
      const { draft, notes } = cleaned ?? { draft: item.record, notes: [] };
      const fault = cleaned === undefined ? 'its address is no http or https address' : undefined;
      return [...notesOf(item.at, draft.sourceRecordId, notes), toLine(source, draft, item.at, reading, fault)];
    }
    case 'area': {
      const { draft, notes } = cleanArea(item.area);
      return [...notesOf(item.at, draft.code, notes), { ...item, area: draft }];
    }
    case 'boundary': {
      const { draft, notes } = cleanArea(item.boundary);
      return [...notesOf(item.at, draft.id, notes), { ...item, boundary: draft }];
    }
    case 'rejected': {
      const { at, record, reason } = item;
      return [{ kind: 'line', file: at.file, record, line: { kind: 'rejected', line: at.line, hash: '', reason } }];
    }
    default:
      return [item];
  }
}

const notesOf = (at: Place, record: string, reasons: readonly string[]): Found[] =>
  reasons.map((reason) => ({ kind: 'note', at, record, reason }));

const MAX_ID_LENGTH = 500;

function toLine(
  source: Source,
  draft: Draft,
  { file, line }: Place,
  reading: Reading,
  faultInUrl: string | undefined,
): Found {
  const record = draft.sourceRecordId;
  const hidden = hiddenIn(record);
  const fault = faultInText(record, MAX_ID_LENGTH) ?? (hidden === undefined ? undefined : `contains ${hidden}`);
  const reason = fault === undefined ? faultInUrl : `its ID ${fault}`;
  if (reason !== undefined) {
    return { kind: 'line', file, record: null, line: { kind: 'rejected', line, hash: '', reason } };
  }
  const { sourceRecordId, notes: _, ...said } = draft;
  const statement: Statement = { ...said, retrievedAt: reading.retrievedAt, rawPayloadRef: '' };
  // The payload of a record is what it says: the same in another file, fetched another day, is the same payload.
  const body = encodeBody(statement);
  const rawPayloadRef = `sha256:${hash('sha256', body, 'hex')}`;
  const entry: RecordEntry = {
    kind: 'record',
    source,
    sourceRecordId,
    building: null,
    statement: { ...statement, rawPayloadRef },
  };
  const at = { line, hash: shortHash(`${source}:${record}\n${reading.retrievedAt}\n${rawPayloadRef}`) };
  return { kind: 'line', file, record, line: toReadRecord(entry, at, body) };
}
