import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { keepFormer, logRestored } from '../registry/changes/restored-changes.ts';
import { lockPublications } from '../reit/life/store.ts';
import { openBackup, replaceAll } from '../storage/backup.ts';
import {
  cleanUpAsWriter,
  finishRestoreRun,
  forgetRestoreRun,
  removeDatabase,
  startRestoreRun,
} from '../storage/restore-run.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import { asWriter, type Context } from './context.ts';
import { rebuildSearch } from './rebuild-search.ts';

/**
 * `restore`: replaces the registry with a backup and rebuilds the search index, which a backup does not contain. It is one
 * transaction: readers see the old registry until it commits, and a killed restore leaves the old one.
 */
export function restoreRegistry(context: Context, file: string, tell?: (line: string) => void): Promise<void> {
  const { storage, report } = context;
  return asWriter(context, async () => {
    report.stage('restoring');
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new StorageError('backup', 'backup file not found');
    await cleanUpAsWriter(storage);
    const copy = `${resolve(file)}.${randomUUID()}.restoring`;
    const startedAt = context.now();
    await storage.transaction((tx) => startRestoreRun(tx, { file: resolve(file), copy, startedAt }));
    try {
      await replaceRegistry(storage, file, copy, startedAt, tell);
    } finally {
      removeDatabase(copy);
      await storage.transaction(forgetRestoreRun);
    }
  });
}

const DAMAGED = 'the backup is damaged; the registry is unchanged';

async function replaceRegistry(
  storage: Storage,
  file: string,
  copy: string,
  at: string,
  tell?: (line: string) => void,
): Promise<void> {
  const backup = await openBackup(file, copy, tell);
  try {
    await storage.transaction(async (tx) => {
      await lockPublications(tx);
      const former = await keepFormer(tx);
      await replaceAll(tx, backup);
      const unreadable = await rebuildSearch(tx);
      if (unreadable.length > 0) throw new StorageError('backup', DAMAGED);
      await logRestored(tx, former, at);
      await finishRestoreRun(tx);
    });
  } catch (error) {
    // Invalid JSON in a column: a backup of an earlier version has no checksum that would have shown the damage.
    if (!(error instanceof SyntaxError)) throw error;
    throw new StorageError('backup', DAMAGED, { cause: error });
  } finally {
    backup.close();
  }
}
