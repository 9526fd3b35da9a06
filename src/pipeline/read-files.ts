import { findRetrieval, latestRetrieval, startIngest } from '../observations/ingests.ts';
import { nextIds, recordKey } from '../observations/source-records.ts';
import { putPiece } from '../registry/area-pieces.ts';
import { Areas } from '../registry/areas.ts';
import type { Tx } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { instantSortKey, laterThan } from '../vocabulary/time.ts';
import { adapterOf, type IngestSource } from './adapters.ts';
import { appendLines } from './append-records.ts';
import { markIfDamaged } from './archive-files.ts';
import type { Context } from './context.ts';
import { newTally, type Tally } from './counts.ts';
import type { PreparedItem, PreparedLine } from './prepare-items.ts';
import type { FileGroup, SourceIngest } from './source-ingest.ts';
import { type Reader, SourceReader } from './source-reader.ts';
import { storeArea, storeAreas } from './store-areas.ts';
import type { RunWorkers } from './worker-pool.ts';

/** Opens the archived files, with those in zips, and starts the log entry of each. */
export async function openArchived(group: FileGroup): Promise<void> {
  const { context, ingest, archived, merges } = group;
  const { storage, report, now } = context;
  const { source, adapter, options, ingests, tallies } = ingest;
  group.retrievedAt = options.retrievedAt ?? (await findEarlier(group)) ?? (await nowFor(group));
  const bytes = archived.reduce((sum, file) => sum + file.bytes, 0);
  group.reader = readerFor(context, ingest.workers, source, bytes);
  const reading = { retrievedAt: group.retrievedAt, url: options.url };
  const { files, passedOver } = await group.reader.open({ source, files: archived, reading });
  const retrievedAt = adapter.keepsLines === true ? null : group.retrievedAt;
  for (const { name: file, sha256, root, unread } of files) {
    const tally = adapter.oneByOne === true ? file : root;
    const id = await startIngest(storage, { source, file, sha256, startedAt: now(), retrievedAt });
    ingests.set(file, { id, tally });
    if (unread === true || tallies.has(tally)) continue;
    tallies.set(tally, newTally());
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

/** Files of a source that follow others were fetched later, even if the clock was set back meanwhile. */
async function nowFor({ context: { storage, now }, ingest }: FileGroup): Promise<string> {
  return laterThan(await latestRetrieval(storage.db, ingest.source), now());
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
    if (isBroken) await markIfDamaged(context, file);
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

/** Less is read before a thread would have started. */
const WORTH_THREADS = 8 << 20;
const READER_LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 160 };

export type ReaderJobs = Pick<Reader, 'open'> & { next(job: null): ReturnType<Reader['next']> };

/**
 * A reader for files of so many bytes in all. Lines are cut here and parsed by the workers; any other format is read by
 * one thread while this one stores what was read.
 */
function readerFor({ databaseUrl }: Context, workers: RunWorkers, source: IngestSource, bytes: number): Reader {
  const isSmall = bytes < WORTH_THREADS;
  if (isSmall || adapterOf(source).keepsLines === true) return new SourceReader(workers.start(!isSmall));
  const thread = startThreads<ReaderJobs>(new URL('./reader-worker.ts', import.meta.url), 1, {
    workerData: { databaseUrl },
    resourceLimits: READER_LIMITS,
  });
  return {
    open: (job) => thread.ask('open', job),
    // Only the record format has areas that must be read first.
    async *areas() {},
    next: () => thread.ask('next', null),
    close: () => thread.close(),
  };
}

/** Requests the next items while the last ones are stored. */
async function* itemsOf(reader: Reader): AsyncGenerator<PreparedItem[]> {
  for (let next = reader.next(); ; ) {
    const items = await next;
    if (items === undefined) return;
    next = reader.next();
    // The error is thrown when the items are awaited; until then it must not count as unhandled.
    next.catch(() => {});
    yield items;
  }
}
