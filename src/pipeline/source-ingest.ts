import { basename } from 'node:path';
import { finishIngest } from '../observations/ingests.ts';
import type { Adapter } from '../sources/adapter.ts';
import { adapterOf, type IngestSource } from './adapters.ts';
import type { Batch } from './append-records.ts';
import type { Context } from './context.ts';
import { countMatches, noCounts, type Tally } from './counts.ts';
import { type ListedFile, listPaths, type NamedPath } from './list-files.ts';
import type { ArchivedFile } from './open-files.ts';
import type { OpenedFiles, Reader } from './source-reader.ts';
import type { RunWorkers } from './worker-pool.ts';

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
  workers: RunWorkers;
  source: IngestSource;
  adapter: Adapter;
  options: SourceOptions;
  named: ReadonlyMap<string, NamedPath>;
  groups: FileGroup[];
  /** By path on the command line, or by file of records. */
  tallies: Map<string, Tally>;
  /** The log entry of each file, and the tally that it is counted in. */
  ingests: Map<string, { id: number; tally: string }>;
  /** Files of other sources, and why they are. */
  foreign: Map<string, string>;
  broken: Set<string>;
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
export function startSource(
  context: Context,
  workers: RunWorkers,
  { source, paths, options }: SourcePaths,
): SourceIngest {
  const adapter = adapterOf(source);
  const { files, named } = listPaths(paths, adapter, context.report);
  const ingest: SourceIngest = {
    ...{ context, workers, source, adapter, options, named, groups: [], files: [], passedOver: [] },
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

/** Counts what matching made of the records and boundaries of a source. */
export async function countResults({ context, tallies }: SourceIngest): Promise<void> {
  for (const tally of tallies.values()) await countMatches(context.storage.db, tally);
}

/** Completes the log entry of each file. */
export async function finishLog({ context, ingests, tallies }: SourceIngest): Promise<void> {
  const finishedAt = context.now();
  for (const { id, tally } of ingests.values()) {
    await finishIngest(context.storage, id, finishedAt, tallies.get(tally)?.counts ?? noCounts());
  }
}
