import { clearTodo } from '../registry/markers.ts';
import { awaitEarlierJobs } from '../storage/job-queue.ts';
import { forgetRestoreRun } from '../storage/restore-run.ts';
import type { Storage, Tx } from '../storage/storage.ts';

/** What every stage needs. Tests set their own clock. */
export interface Context {
  storage: Storage;
  /** For threads, which open their own connections. */
  databaseUrl: string;
  archiveDir: string;
  now: () => string;
  report: Report;
}

/** Receives the progress and the problems of a run. */
export interface Report {
  stage(name: string): void;
  progress(done: number, of: number): void;
  rejected(file: string, line: number, reason: string): void;
  /** A part of a record was left out; the record is read without it. */
  noted(file: string, line: number, reason: string): void;
  /** A remark about a whole file or folder, which is not an error. */
  remarked(file: string, reason: string, alone?: boolean): void;
  /** One of the cases that a remark counts. */
  detailed(file: string, line: number | undefined, reason: string): void;
  /** Matching found that two buildings are one, or that they no longer are. */
  identity(change: 'merged' | 'parted', building: string, other: string, reason: string): void;
  /** A record moved to the building that a file names. */
  moved(record: string, from: string, to: string): void;
  /** A file cannot be read; the others are. */
  broken(file: string, reason: string): void;
  /** A damaged file of the archive was replaced by an input. */
  repaired(path: string, reason: string, input: string): void;
  /** Another process holds the write lock. */
  waiting(): void;
}

export const silent: Report = {
  stage() {},
  progress() {},
  rejected() {},
  noted() {},
  remarked() {},
  detailed() {},
  identity() {},
  moved() {},
  broken() {},
  repaired() {},
  waiting() {},
};

/** The operator ingests their own data, so the sample and an unfinished restore are no longer needed. */
export async function takeOver(tx: Tx): Promise<void> {
  await clearTodo(tx, 'sample');
  await forgetRestoreRun(tx);
}

const WRITER_WAIT_MS = 10 * 60_000;

/** Runs work that writes, with the write lock. */
export async function asWriter<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const release = await context.storage.lockWriter(() => context.report.waiting(), WRITER_WAIT_MS);
  try {
    await awaitEarlierJobs(context.storage);
    return await work();
  } finally {
    await release();
  }
}
