import { basename } from 'node:path';
import { findRetrieval, finishIngest, startIngest } from '../observations/ingests.ts';
import { nextIds, recordKey } from '../observations/source-records.ts';
import { countJoined, putPiece } from '../registry/area-pieces.ts';
import { Areas } from '../registry/areas.ts';
import type { Adapter, Place } from '../sources/adapter.ts';
import type { AreaDraft } from '../sources/draft.ts';
import type { Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import { printable } from '../vocabulary/text.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { type AdaptedSource, adapterOf } from './adapters.ts';
import { appendLines, type Batch } from './append-lines.ts';
import { noteIfDamaged } from './archive-input.ts';
import { asWriter, type Context, type Counts, noCounts, takeOver } from './context.ts';
import { countMatches } from './count-matches.ts';
import { IdList } from './id-list.ts';
import { sayArchives, sayPassedOver } from './passed-over.ts';
import { putArea } from './put-areas.ts';
import type { ReadLine } from './read-portion.ts';
import type { Found, OpenedFile, OpenedFiles } from './read-source.ts';
import { portionsOf, readerFor } from './reader.ts';
import { settle } from './run.ts';
import { type ArchivedFile, archiveFiles, type NamedRoot } from './source-files.ts';

export interface SourceOptions {
  retrievedAt?: string | undefined;
  url?: string | undefined;
}

/**
 * `ingest <source>`: archive, read, keep, match, consolidate, publish. As with records every stage leaves
 * a note of what is still to do, so that a run cut short is completed by running it again.
 */
export function ingestSource(
  context: Context,
  source: AdaptedSource,
  paths: readonly string[],
  options: SourceOptions,
): Promise<Map<string, Counts>> {
  return asWriter(context, async () => {
    await context.storage.transaction(takeOver);
    return ingestSources(context, [{ source, paths, options }]);
  });
}

export interface SourcePaths {
  source: AdaptedSource;
  paths: readonly string[];
  options: SourceOptions;
}

/** Several sources, matched and published together once all are in; for whoever has the right to write already. */
export async function ingestSources(context: Context, all: readonly SourcePaths[]): Promise<Map<string, Counts>> {
  const runs: KeptFiles[] = [];
  for (const each of all) runs.push(await keepSource(context, each));
  await settle(context);
  const results = new Map<string, Counts>();
  for (const { roots, ingests } of runs) {
    for (const [root, { counts, records, pieces }] of roots) {
      Object.assign(counts, await countMatches(context.storage.db, records));
      const joined = await countJoined(context.storage.db, [...pieces]);
      counts.matched += joined;
      counts.unmatched += pieces.size - joined;
      results.set(root, counts);
    }
    const finishedAt = context.now();
    for (const { id, root } of ingests.values()) {
      await finishIngest(context.storage, id, finishedAt, roots.get(root)?.counts ?? noCounts());
    }
  }
  return results;
}

interface Root {
  counts: Counts;
  records: IdList;
  /** Boundaries, each to be counted by whether it found its area. */
  pieces: Set<string>;
}

/** What became of each thing named on the command line, and the log entry of each file. */
interface KeptFiles {
  roots: Map<string, Root>;
  ingests: Map<string, { id: number; root: string }>;
  /** Files that turned out to be of another source, and why. */
  foreign: Map<string, string>;
  /** What was named, or is below it, and is broken. */
  broken: Set<string>;
}

async function keepSource(context: Context, { source, paths, options }: SourcePaths): Promise<KeptFiles> {
  const { storage, report } = context;
  const adapter = adapterOf(source);
  report.stage(`archiving ${source}`);
  const { archived, roots } = await archiveFiles(context, paths, adapter);
  const retrievedAt = options.retrievedAt ?? (await findEarlier(context, source, archived)) ?? context.now();
  const bytes = archived.reduce((sum, file) => sum + file.bytes, 0);
  const reader = readerFor(storage, context.databaseUrl, bytes);
  const kept: KeptFiles = { roots: new Map(), ingests: new Map(), foreign: new Map(), broken: new Set() };
  try {
    const opened = await reader.open({ source, files: archived, reading: { retrievedAt, url: options.url } });
    for (const file of opened.files) await startFile(context, kept, source, file, retrievedAt);
    report.stage(`reading ${archived.length === 1 ? basename(archived[0]?.name ?? '') : source}`);
    const keeper = await openKeeper(context, kept, retrievedAt);
    for await (const found of portionsOf(reader)) await keeper(found);
    for (const root of roots.values()) sayUnread(context, adapter, kept, opened, root);
    for (const file of archived) {
      const isBroken = [...kept.broken].some((name) => name === file.name || name.startsWith(`${file.name}/`));
      if (isBroken) await noteIfDamaged(context, file);
    }
  } finally {
    await reader.close();
  }
  return kept;
}

/** Of what was named: what was not of the source is counted, and where nothing was, that is an error. */
function sayUnread(
  { report }: Context,
  { expected }: Adapter,
  { roots, foreign, broken }: KeptFiles,
  { files, passedOver }: OpenedFiles,
  { root, kind, passedOver: listed, isSettled }: NamedRoot,
): void {
  const own = files.filter((file) => file.root === root);
  const inZips = passedOver.filter((file) => file.root === root).map(({ name }) => name);
  const strangers = own.map(({ name }) => name).filter((name) => foreign.has(name));
  if (own.some(({ name, unread }) => unread !== true && !foreign.has(name))) {
    sayPassedOver(report, root, [...listed, ...inZips, ...strangers], foreign);
    return;
  }
  roots.delete(root);
  sayArchives(report, root, [...listed, ...inZips]);
  for (const name of strangers) report.broken(name, foreign.get(name) as string);
  const isBroken = [...broken].some((file) => own.some(({ name }) => file === name || file.startsWith(`${name}/`)));
  if (kind === 'file' || isSettled || isBroken || strangers.length > 0) return;
  report.broken(root, `the ${kind} has no file of this source; expected ${expected}`);
}

/** Bytes that were read before were fetched when they were first said to be. */
async function findEarlier(
  { storage }: Context,
  source: AdaptedSource,
  archived: readonly ArchivedFile[],
): Promise<string | undefined> {
  let latest: string | undefined;
  for (const { sha256 } of archived) {
    const retrieval = await findRetrieval(storage.db, source, sha256);
    if (retrieval === undefined) return undefined;
    if (latest === undefined || instantSortKey(retrieval) > instantSortKey(latest)) latest = retrieval;
  }
  return latest;
}

async function startFile(
  { storage, now }: Context,
  { roots, ingests }: KeptFiles,
  source: AdaptedSource,
  { name, sha256, root, unread }: OpenedFile,
  retrievedAt: string,
): Promise<void> {
  const id = await startIngest(storage, { source, file: name, sha256, startedAt: now(), retrievedAt });
  ingests.set(name, { id, root });
  if (unread !== true && !roots.has(root))
    roots.set(root, { counts: noCounts(), records: new IdList(), pieces: new Set() });
}

/** Keeps portions of what is found, each in one transaction. */
async function openKeeper(
  { storage, report }: Context,
  { roots, ingests, foreign, broken }: KeptFiles,
  retrievedAt: string,
): Promise<(found: readonly Found[]) => Promise<void>> {
  const areas = await Areas.load(storage.db);
  const ids = await nextIds(storage.db);
  const batchFor = (file: string): { ingest: number; batch: Batch; pieces: Set<string> } => {
    const { id, root } = ingestOf(ingests, file);
    const { counts, records, pieces } = roots.get(root) as Root;
    const reject = (line: number, reason: string) => report.rejected(file, line, reason);
    const note = (line: number, reason: string) => report.noted(file, line, reason);
    const move = (key: string, from: AssetKey, to: AssetKey) =>
      report.moved(key, formatAssetId(from), formatAssetId(to));
    return {
      ingest: id,
      batch: { areas, counts, nextIds: ids, merges: [], records, fromRecords: false, move, reject, note },
      pieces,
    };
  };

  const keep = async (tx: Tx, found: readonly Found[]): Promise<void> => {
    const lines = new Map<string, ReadLine[]>();
    for (const item of found) {
      switch (item.kind) {
        case 'line': {
          const known = lines.get(item.file);
          const line = nameRecord(item.line, item.record);
          if (known === undefined) lines.set(item.file, [line]);
          else known.push(line);
          break;
        }
        case 'area':
          await keepArea(tx, batchFor(item.at.file).batch, item.at, item.area, retrievedAt);
          break;
        case 'boundary': {
          const { ingest, batch, pieces } = batchFor(item.at.file);
          const { id: code, ...piece } = item.boundary;
          const id = recordKey('estat', code);
          batch.counts.read += 1;
          const outcome = await putPiece(tx, { ...piece, id, ingest, line: item.at.line, retrievedAt });
          pieces.add(id);
          batch.counts[outcome] += 1;
          break;
        }
        case 'note':
          report.noted(item.at.file, item.at.line, withRecord(item.record, item.reason));
          break;
        case 'detail':
          report.detailed(item.at.file, item.at.line, withRecord(item.record, item.reason));
          break;
        case 'remark':
          report.remarked(item.file, item.reason, item.alone);
          break;
        case 'broken':
          broken.add(item.file);
          report.broken(item.file, item.reason);
          break;
        case 'foreign':
          foreign.set(item.file, item.reason);
          break;
      }
    }
    for (const [file, some] of lines) {
      const { ingest, batch } = batchFor(file);
      await appendLines(tx, batch, ingest, some);
    }
  };
  return (found) => storage.transaction((tx) => keep(tx, found));
}

/** An adapter may speak of a package as a whole, by the folder or zip that its files lie in. */
function ingestOf(ingests: KeptFiles['ingests'], file: string): { id: number; root: string } {
  const own = ingests.get(file);
  if (own !== undefined) return own;
  for (const [name, ingest] of ingests) if (name.startsWith(file)) return ingest;
  throw new Error('an adapter speaks of a file that it was not given');
}

function nameRecord(line: ReadLine, record: string | null): ReadLine {
  return line.kind === 'rejected' ? { ...line, reason: withRecord(record, line.reason) } : line;
}

function withRecord(record: string | null, reason: string): string {
  return record === null ? reason : `${printable(record, 100)}: ${reason}`;
}

/** A slug that a sibling has is made another's by the ID of the area (decisions.md, Record shapes). */
async function keepArea(tx: Tx, batch: Batch, { line }: Place, draft: AreaDraft, retrievedAt: string): Promise<void> {
  const { fallbackSlug, ...area } = draft;
  const known = batch.areas.get(area.code);
  const isTaken = batch.areas.isTaken(area.parent, area.slug, area.code);
  const slug = isTaken || known?.slug === fallbackSlug ? fallbackSlug : area.slug;
  await putArea(
    tx,
    batch.areas,
    { line, entry: { kind: 'area', ...area, slug, boundary: null, retrievedAt } },
    batch.counts,
    batch.reject,
  );
}
