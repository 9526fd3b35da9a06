import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { faultOf } from '../files/walk-folder.ts';
import { findRetrieval, finishIngest, startIngest } from '../observations/ingests.ts';
import { nextIds, recordKey } from '../observations/source-records.ts';
import { countJoined, putPiece } from '../registry/area-pieces.ts';
import { Areas } from '../registry/areas.ts';
import type { Adapter } from '../sources/adapter.ts';
import type { Tx } from '../storage/storage.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { adapterOf, type IngestSource } from './adapters.ts';
import { appendLines, type Batch } from './append-records.ts';
import { archiveInput, noteIfDamaged } from './archive-input.ts';
import { type Context, type Counts, noCounts } from './context.ts';
import { countMatches } from './count-matches.ts';
import { IdList } from './id-list.ts';
import { type ListedFile, listPaths, type NamedPath } from './list-files.ts';
import type { ArchivedFile } from './open-files.ts';
import type { PreparedItem, PreparedLine } from './prepare-items.ts';
import { refusalOf } from './recognise-file.ts';
import type { OpenedFiles, Reader } from './source-reader.ts';
import { storeArea, storeAreas } from './store-areas.ts';
import { itemsOf, readerFor } from './worker-pool.ts';

export interface SourceOptions {
  retrievedAt?: string | undefined;
  url?: string | undefined;
}

export interface SourcePaths {
  source: IngestSource;
  paths: readonly string[];
  options: SourceOptions;
}

/** The ingest of one source: what was named, and what became of it. */
export interface SourceIngest extends OpenedFiles {
  context: Context;
  source: IngestSource;
  adapter: Adapter;
  options: SourceOptions;
  named: ReadonlyMap<string, NamedPath>;
  groups: FileGroup[];
  /** What is counted together and printed as one line: a path on the command line, or a file of records. */
  tallies: Map<string, Tally>;
  /** The log entry of each file, and the tally that it is counted in. */
  ingests: Map<string, { id: number; tally: string }>;
  /** Files of other sources, and why they are. */
  foreign: Map<string, string>;
  broken: Set<string>;
}

interface Tally {
  counts: Counts;
  /** Every record that was read, to be counted by whether it was matched. */
  records: IdList;
  /** Boundaries, to be counted by whether they were joined to an area. */
  boundaries: Set<string>;
}

/** Files that are read together: all of a source, or one file of records. */
export interface FileGroup {
  context: Context;
  ingest: SourceIngest;
  label: string;
  listed: readonly ListedFile[];
  archived: ArchivedFile[];
  retrievedAt: string;
  reader: Reader;
  batchOf: (file: string) => Batch;
  merges: Batch['merges'];
}

/** Lists the files of a source in groups that are read together. */
export function startSource(context: Context, { source, paths, options }: SourcePaths): SourceIngest {
  const adapter = adapterOf(source);
  const { files, named } = listPaths(paths, adapter, context.report);
  const ingest: SourceIngest = {
    ...{ context, source, adapter, options, named, groups: [], files: [], passedOver: [] },
    ...{ tallies: new Map(), ingests: new Map(), foreign: new Map(), broken: new Set() },
  };
  for (const listed of adapter.oneByOne === true ? files.map((file) => [file]) : [files]) {
    const label = listed.length === 1 ? basename(listed[0]?.name ?? '') : source;
    ingest.groups.push({
      ...{ context, ingest, label, listed, archived: [], merges: [] },
      ...{ retrievedAt: '', reader: NOT_OPEN, batchOf: notOpen },
    });
  }
  return ingest;
}

function notOpen(): never {
  throw new Error('the files are not open');
}

const NOT_OPEN: Reader = { open: notOpen, areas: notOpen, next: notOpen, close: async () => {} };

/** Copies the bytes of each file into the archive. */
export async function archiveFiles({ context, ingest, label, listed, archived }: FileGroup): Promise<void> {
  const { source, adapter, named } = ingest;
  context.report.stage(`archiving ${label}`);
  for (const { root, path, name } of listed) {
    const refuse = (reason: string) => {
      context.report.broken(path, reason);
      (named.get(root) as NamedPath).isSettled = true;
    };
    try {
      const refusal = adapter.plainFiles === true ? await refusalAt(source, path) : undefined;
      if (refusal !== undefined) refuse(refusal);
      else archived.push({ root, name, ...(await archiveInput(context, path)) });
    } catch (error) {
      refuse(reasonOf(error, path));
    }
  }
}

/** A plain file shows by its first bytes that it belongs to another source, before it is archived. */
async function refusalAt(source: IngestSource, path: string): Promise<string | undefined> {
  const { size } = statSync(path);
  return (await refusalOf(source, { name: path, size, bytes: () => createReadStream(path) }))?.reason;
}

/** Why a file could not be archived; throws any error that is not the file's fault. */
function reasonOf(error: unknown, file: string): string {
  if (error instanceof FailureError && error.failure.kind === 'brokenFile') return error.failure.reason;
  // It may be removed, or become unreadable, between the listing and the copy.
  if ((error as NodeJS.ErrnoException).path === file) return faultOf(error);
  throw error;
}

/** Opens the archived files, with those in zips, and starts the log entry of each. */
export async function openArchived(group: FileGroup): Promise<void> {
  const { context, ingest, archived, merges } = group;
  const { storage, report, now } = context;
  const { source, adapter, options, ingests, tallies } = ingest;
  group.retrievedAt = options.retrievedAt ?? (await findEarlier(group)) ?? now();
  const bytes = archived.reduce((sum, file) => sum + file.bytes, 0);
  group.reader = readerFor(context, source, bytes);
  const reading = { retrievedAt: group.retrievedAt, url: options.url };
  const { files, passedOver } = await group.reader.open({ source, files: archived, reading });
  const retrievedAt = adapter.keepsLines === true ? null : group.retrievedAt;
  for (const { name: file, sha256, root, unread } of files) {
    const tally = adapter.oneByOne === true ? file : root;
    const id = await startIngest(storage, { source, file, sha256, startedAt: now(), retrievedAt });
    ingests.set(file, { id, tally });
    if (unread === true || tallies.has(tally)) continue;
    tallies.set(tally, { counts: noCounts(), records: new IdList(), boundaries: new Set() });
  }
  ingest.files.push(...files);
  ingest.passedOver.push(...passedOver);
  const areas = await Areas.load(storage.db);
  const ids = await nextIds(storage.db);
  group.batchOf = (file) => {
    const { id, tally } = logEntryOf(ingest, file);
    const { counts, records } = tallies.get(tally) as Tally;
    return {
      ...{ ingest: id, areas, counts, records, nextIds: ids, merges, keepsLines: adapter.keepsLines === true },
      move: (key, from, to) => report.moved(key, formatAssetId(from), formatAssetId(to)),
      reject: (line, reason) => report.rejected(file, line, reason),
      note: (line, reason) => report.noted(file, line, reason),
    };
  };
  report.stage(`reading ${group.label}`);
}

/** When bytes that were ingested before were fetched, as stated then. */
async function findEarlier({ context, ingest, archived }: FileGroup): Promise<string | undefined> {
  let latest: string | undefined;
  for (const { sha256 } of archived) {
    const retrieval = await findRetrieval(context.storage.db, ingest.source, sha256);
    if (retrieval === undefined) return undefined;
    if (latest === undefined || instantSortKey(retrieval) > instantSortKey(latest)) latest = retrieval;
  }
  return latest;
}

/** An adapter may report on a package as a whole, by the folder or zip of its files. */
function logEntryOf({ ingests }: SourceIngest, file: string): { id: number; tally: string } {
  const own = ingests.get(file);
  if (own !== undefined) return own;
  for (const [name, ingest] of ingests) if (name.startsWith(file)) return ingest;
  throw new Error('an adapter reported on a file that it was not given');
}

/** Stores the areas of a file of records before its other lines, which may name them. */
export async function storeAreasFirst({ context, reader, batchOf }: FileGroup): Promise<void> {
  await storeAreas(context.storage, reader.areas(), batchOf);
}

/** Stores what the files contain, each portion in one transaction. */
export async function appendItems(group: FileGroup): Promise<void> {
  const { context, ingest, archived, reader } = group;
  for await (const items of itemsOf(reader)) {
    await context.storage.transaction((tx) => appendPortion(tx, group, items));
    for (const item of items) {
      if (item.kind !== 'lines' || item.readTo === undefined) continue;
      context.report.progress(item.readTo, archived.find(({ name }) => name === item.file)?.bytes ?? item.readTo);
    }
  }
  for (const file of archived) {
    const isBroken = [...ingest.broken].some((name) => name === file.name || name.startsWith(`${file.name}/`));
    if (isBroken) await noteIfDamaged(context, file);
  }
}

async function appendPortion(tx: Tx, group: FileGroup, items: readonly PreparedItem[]): Promise<void> {
  const { context, ingest, retrievedAt, batchOf } = group;
  const { report } = context;
  const lines: { file: string; lines: PreparedLine[] }[] = [];
  for (const item of items) {
    switch (item.kind) {
      case 'lines':
        lines.push(item);
        break;
      case 'area':
        await storeArea(tx, batchOf(item.at.file), item.at.line, item.area, retrievedAt);
        break;
      case 'boundary': {
        const { at, boundary } = item;
        const batch = batchOf(at.file);
        const { id: code, ...piece } = boundary;
        const id = recordKey('estat', code);
        batch.counts.read += 1;
        const outcome = await putPiece(tx, { ...piece, id, ingest: batch.ingest, line: at.line, retrievedAt });
        (ingest.tallies.get(logEntryOf(ingest, at.file).tally) as Tally).boundaries.add(id);
        batch.counts[outcome] += 1;
        break;
      }
      case 'note':
        report.noted(item.at.file, item.at.line, item.reason);
        break;
      case 'detail':
        report.detailed(item.at.file, item.at.line, item.reason);
        break;
      case 'remark':
        report.remarked(item.file, item.reason, item.alone);
        break;
      case 'broken':
        ingest.broken.add(item.file);
        report.broken(item.file, item.reason);
        break;
      case 'foreign':
        ingest.foreign.set(item.file, item.reason);
        break;
    }
  }
  for (const { file, lines: some } of lines) await appendLines(tx, batchOf(file), some);
}

/** Counts what matching made of the records and boundaries of a source. */
export async function countResults({ context, tallies }: SourceIngest): Promise<void> {
  const { db } = context.storage;
  for (const { counts, records, boundaries } of tallies.values()) {
    Object.assign(counts, await countMatches(db, records));
    const joined = await countJoined(db, [...boundaries]);
    counts.matched += joined;
    counts.unmatched += boundaries.size - joined;
  }
}

/** Completes the log entry of each file. */
export async function finishLog({ context, ingests, tallies }: SourceIngest): Promise<void> {
  const finishedAt = context.now();
  for (const { id, tally } of ingests.values()) {
    await finishIngest(context.storage, id, finishedAt, tallies.get(tally)?.counts ?? noCounts());
  }
}
