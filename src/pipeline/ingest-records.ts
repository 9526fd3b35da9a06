import { basename } from 'node:path';
import { BrokenFile } from '../files/broken-file.ts';
import { splitPortions } from '../files/split-lines.ts';
import { readVerified } from '../files/verified-file.ts';
import { changeIdentity } from '../matching/change-identity.ts';
import { markSurroundingsToMatch } from '../matching/match-markers.ts';
import type { Archived } from '../observations/archive.ts';
import { finishIngest, startIngest } from '../observations/ingests.ts';
import { attachClaims, nextIds } from '../observations/source-records.ts';
import { Areas } from '../registry/areas.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { wasUnmerged } from '../registry/identity.ts';
import type { MergeEntry } from '../sources/records/entry.ts';
import { inOrder } from '../threads/in-order.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { appendLines, type Batch } from './append-lines.ts';
import { archiveInput, noteIfDamaged } from './archive-input.ts';
import { asWriter, type Context, type Counts, noCounts, takeOver } from './context.ts';
import { countMatches } from './count-matches.ts';
import { IdList } from './id-list.ts';
import { putAreas } from './put-areas.ts';
import { settle } from './run.ts';
import { inlineWorkers, threadWorkers } from './worker-pool.ts';

/** A smaller file is read before a thread has started. */
const WORTH_THREADS = 8 << 20;

/**
 * `ingest records`: archive, read, match and append, attach, merge, consolidate, publish. Every stage
 * is a series of transactions that leave a note of what is still to do, so that a run cut short
 * anywhere is completed by running it again.
 */
export async function ingestRecords(context: Context, files: readonly string[]): Promise<Map<string, Counts>> {
  return asWriter(context, async () => {
    await context.storage.transaction(takeOver);
    return ingestFiles(context, files);
  });
}

/** The same for whoever has the right to write already. */
async function ingestFiles(context: Context, files: readonly string[]): Promise<Map<string, Counts>> {
  const ingests: { file: string; id: number; counts: Counts; records: IdList }[] = [];
  for (const file of files) {
    const ingest = await unlessBroken(context, file, () => ingestFile(context, file));
    if (ingest !== undefined) ingests.push({ file, ...ingest });
  }
  await settle(context);
  for (const { counts, records } of ingests) Object.assign(counts, await countMatches(context.storage.db, records));
  for (const { id, counts } of ingests) await finishIngest(context.storage, id, context.now(), counts);
  return new Map(ingests.map(({ file, counts }) => [file, counts]));
}

/** A broken file stops itself, not the run. */
async function unlessBroken<T>({ report }: Context, file: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'brokenFile') throw error;
    report.broken(error.failure.file ?? file, error.failure.reason);
    return undefined;
  }
}

async function ingestFile(context: Context, file: string): Promise<{ id: number; counts: Counts; records: IdList }> {
  context.report.stage(`archiving ${basename(file)}`);
  const archived = await archiveInput(context, file);
  try {
    return await ingestArchived(context, file, archived);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    await noteIfDamaged(context, archived);
    throw new FailureError({ kind: 'brokenFile', file, reason: error.message });
  }
}

async function ingestArchived(
  context: Context,
  file: string,
  archived: Archived,
): Promise<{ id: number; counts: Counts; records: IdList }> {
  const { storage, report } = context;
  const startedAt = context.now();
  const ingest = await startIngest(storage, {
    source: 'records',
    file,
    sha256: archived.sha256,
    startedAt,
    retrievedAt: null,
  });
  const areas = await Areas.load(storage.db);
  const counts = noCounts();
  const reject = (line: number, reason: string) => report.rejected(file, line, reason);
  const portions = () => splitPortions(readVerified(archived));

  report.stage(`reading ${basename(file)}`);
  await putAreas(storage, areas, portions(), counts, reject);
  const batch: Batch = {
    areas,
    counts,
    nextIds: await nextIds(storage.db),
    merges: [],
    records: new IdList(),
    fromRecords: true,
    move: (key, from, to) => report.moved(key, formatAssetId(from), formatAssetId(to)),
    reject,
    note: (line, reason) => report.noted(file, line, reason),
  };
  const workers = archived.bytes < WORTH_THREADS ? inlineWorkers(storage) : threadWorkers(context.databaseUrl);
  try {
    for await (const [portion, lines] of inOrder(portions(), workers.ahead, workers.read)) {
      await storage.transaction((tx) => appendLines(tx, batch, ingest, lines));
      report.progress(portion.end, archived.bytes);
    }
  } finally {
    await workers.close();
  }
  await storage.transaction(async (tx) => markBuildingsStale(tx, await attachClaims(tx)));
  await applyMerges(context, batch);
  return { id: ingest, counts, records: batch.records };
}

async function applyMerges(context: Context, batch: Batch): Promise<void> {
  for (const { line, entry } of batch.merges) {
    const outcome = await context.storage.transaction(async (tx) => {
      if (await wasUnmerged(tx, entry.from, entry.into)) return { ok: true as const, value: 'unchanged' as const };
      await markSurroundingsToMatch(tx, [entry.from, entry.into]);
      const { from: building, into, reason } = entry;
      return changeIdentity(tx, { kind: 'merge', building, into, reason }, { at: context.now(), actor: 'operator' });
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
