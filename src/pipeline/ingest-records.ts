import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { archiveFile } from '../observations/archive.ts';
import { finishIngest, startIngest } from '../observations/ingests.ts';
import { attachClaims, countLeftOut, nextIds } from '../observations/source-records.ts';
import { Areas } from '../registry/areas.ts';
import { markStale } from '../registry/buildings.ts';
import { merge, wasUnmerged } from '../registry/identity.ts';
import { markUnplacedStale } from '../registry/publish.ts';
import { takeTodo } from '../registry/todo.ts';
import type { MergeEntry } from '../sources/records/parse-record-line.ts';
import { type Line, splitLines } from '../sources/records/split-lines.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { appendLines, type Batch } from './append-lines.ts';
import { asWriter, type Context, type Counts, noCounts } from './context.ts';
import { placeRecords } from './place-records.ts';
import { putAreas } from './put-areas.ts';
import { republishStale } from './republish.ts';

const CHUNK_BYTES = 1 << 20;
const MAX_LINE_BYTES = 16 << 20;
const LINES_PER_TRANSACTION = 2_000;
const BYTES_PER_TRANSACTION = 16 << 20;

/**
 * `ingest records`: archive, read, match and append, attach, merge, consolidate, publish. Every stage
 * is a series of transactions that leave a note of what is still to do, so that a run cut short
 * anywhere is completed by running it again.
 */
export async function ingestRecords(context: Context, files: readonly string[]): Promise<Map<string, Counts>> {
  return asWriter(context, async () => {
    const results = new Map<string, Counts>();
    for (const file of files) results.set(file, await ingestFile(context, file));
    await republishStale(context);
    return results;
  });
}

async function ingestFile(context: Context, file: string): Promise<Counts> {
  const { storage, report } = context;
  report.stage(`archiving ${basename(file)}`);
  const archived = await archiveFile(context.archiveDir, file);
  const startedAt = context.now();
  const ingest = await startIngest(storage, { source: 'records', file, sha256: archived.sha256, startedAt });
  const areas = await Areas.load(storage.db);
  const counts = noCounts();
  const reject = (line: number, reason: string) => report.rejected(file, line, reason);
  const lines = () => splitLines(createReadStream(archived.path, { highWaterMark: CHUNK_BYTES }), MAX_LINE_BYTES);

  report.stage(`reading ${basename(file)}`);
  const areaLines = await putAreas(storage, areas, lines(), counts, reject);
  const ids = await nextIds(storage.db);
  const batch: Batch = { ingest, areas, counts, nextIds: ids, areaLines, merges: [], leftOut: new Set(), reject };
  for await (const portion of inTransactions(lines())) {
    await storage.transaction((tx) => appendLines(tx, batch, portion));
    const last = portion[portion.length - 1] as Line;
    report.progress(last.offset + last.length, archived.bytes);
  }
  await storage.transaction(async (tx) => {
    await markStale(tx, await attachClaims(tx));
    if (await takeTodo(tx, 'new areas')) {
      await markUnplacedStale(tx);
      await placeRecords(tx, areas);
    }
    Object.assign(counts, await countLeftOut(tx, [...batch.leftOut]));
  });
  await applyMerges(context, batch);
  await finishIngest(storage, ingest, context.now(), counts);
  return counts;
}

async function applyMerges(context: Context, batch: Batch): Promise<void> {
  for (const { line, entry } of batch.merges) {
    const outcome = await context.storage.transaction(async (tx) => {
      if (await wasUnmerged(tx, entry.from, entry.into)) return { ok: true as const, value: 'unchanged' as const };
      return merge(tx, entry.from, entry.into, entry.reason, context.now());
    });
    if (!outcome.ok) {
      batch.counts.rejected += 1;
      batch.reject(line, describeMerge(entry, outcome.failure.reason));
    } else if (outcome.value === 'done') batch.counts.new += 1;
    else batch.counts.unchanged += 1;
  }
}

function describeMerge(entry: MergeEntry, reason: string): string {
  return `merge of ${formatAssetId(entry.from)} into ${formatAssetId(entry.into)}: ${reason}`;
}

/** Lines in portions that one transaction takes. */
async function* inTransactions(chunks: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let lines: Line[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    for (const line of chunk) {
      lines.push(line);
      bytes += line.length;
      if (lines.length < LINES_PER_TRANSACTION && bytes < BYTES_PER_TRANSACTION) continue;
      yield lines;
      lines = [];
      bytes = 0;
    }
  }
  if (lines.length > 0) yield lines;
}
