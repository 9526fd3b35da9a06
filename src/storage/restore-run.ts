import { rmSync } from 'node:fs';
import { type Db, type Storage, StorageError, type Tx } from './storage.ts';

/** A restore that is running, or that was killed and left the registry unchanged. */
interface RestoreRun {
  file: string;
  copy: string;
  startedAt: string;
  /** It has replaced the registry, and only its copy of the backup may remain. */
  isFinished: boolean;
}

export async function findRestoreRun(db: Db): Promise<RestoreRun | undefined> {
  const row = await db.selectFrom('restore_run').selectAll().executeTakeFirst();
  return row && { file: row.file, copy: row.copy, startedAt: row.started_at, isFinished: row.finished === 1 };
}

export async function startRestoreRun(
  tx: Tx,
  { file, copy, startedAt }: Omit<RestoreRun, 'isFinished'>,
): Promise<void> {
  const columns = ['id', 'file', 'copy', 'started_at', 'finished'] as const;
  await tx.upsert('restore_run', columns, [[1, file, copy, startedAt, 0]]);
}

/** Call in the transaction that replaces the registry. */
export async function finishRestoreRun(tx: Tx): Promise<void> {
  await tx.db.updateTable('restore_run').set({ finished: 1 }).execute();
}

export async function forgetRestoreRun(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('restore_run').execute();
}

/** How long a lock may outlive a killed process. */
const LOCK_OUTLIVES_MS = 1_000;

/** Removes the copy left by a killed restore; every command does so. */
export async function cleanUpAfterRestore(storage: Storage): Promise<void> {
  if (((await findRestoreRun(storage.db))?.copy ?? '') === '') return;
  let release: () => Promise<void>;
  try {
    release = await storage.lockWriter(() => {}, LOCK_OUTLIVES_MS);
  } catch (error) {
    // Another process writes, possibly the restore itself.
    if (error instanceof StorageError && error.failure.kind === 'locked') return;
    throw error;
  }
  try {
    await cleanUpAsWriter(storage);
  } finally {
    await release();
  }
}

/** The same for a caller that holds the write lock. An unfinished restore stays recorded. */
export async function cleanUpAsWriter(storage: Storage): Promise<void> {
  const run = await findRestoreRun(storage.db);
  if (run === undefined) return;
  removeDatabase(run.copy);
  await storage.transaction(async (tx) => {
    if (run.isFinished) await forgetRestoreRun(tx);
    else await tx.db.updateTable('restore_run').set({ copy: '' }).execute();
  });
}

/** A database file and the files that SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  if (file === '') return;
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}
