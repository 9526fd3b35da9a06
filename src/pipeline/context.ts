import { clearTodo } from '../registry/markers.ts';
import { forgetRestoreRun } from '../storage/restore-run.ts';
import type { Storage, Tx } from '../storage/storage.ts';

/** What every stage works with. The clock is a value so that a test can set it. */
export interface Context {
  storage: Storage;
  /** Where the storage is, for threads that need a connection of their own. */
  databaseUrl: string;
  archiveDir: string;
  now: () => string;
  report: Report;
}

/** What a run tells whoever watches it. */
export interface Report {
  stage(name: string): void;
  progress(done: number, of: number): void;
  rejected(file: string, line: number, reason: string): void;
  /** A part of a record was passed over; the record goes on without it. */
  noted(file: string, line: number, reason: string): void;
  /** Something about a whole file or folder that is not a fault. */
  remarked(file: string, reason: string, alone?: boolean): void;
  /** One of the things that a remark counts. */
  detailed(file: string, line: number | undefined, reason: string): void;
  /** Matching found that two buildings are one, or that they no longer are. */
  identity(change: 'merged' | 'parted', building: string, other: string, reason: string): void;
  /** A record left a building for the one that a file names it for. */
  moved(record: string, from: string, to: string): void;
  /** A file that cannot be read at all; the others go on. */
  broken(file: string, reason: string): void;
  /** A damaged file of the archive was replaced by the bytes of an input. */
  repaired(path: string, reason: string, input: string): void;
  /** Another process has the right to write. */
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

/** The operator brings data of their own: neither the sample nor an unfinished restore is wanted any more. */
export async function takeOver(tx: Tx): Promise<void> {
  await clearTodo(tx, 'sample');
  await forgetRestoreRun(tx);
}

const WRITER_WAIT_MS = 10 * 60_000;

/** Runs something that writes while no other process writes. */
export async function asWriter<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const release = await context.storage.lockWriter(() => context.report.waiting(), WRITER_WAIT_MS);
  try {
    return await work();
  } finally {
    await release();
  }
}
