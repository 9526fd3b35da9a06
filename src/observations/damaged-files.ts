import type { Db, Storage } from '../storage/storage.ts';
import { inspectCopy, placeOf } from './archive.ts';

/** Damaged files of the archive that a command met, kept until they are repaired. */
export async function noteDamagedFile(
  storage: Storage,
  { sha256, reason, foundAt }: { sha256: string; reason: string; foundAt: string },
): Promise<void> {
  await storage.transaction((tx) =>
    tx.upsert('damaged_file', ['sha256', 'reason', 'found_at'], [[sha256, reason, foundAt]]),
  );
}

export async function forgetDamagedFile(storage: Storage, sha256: string): Promise<void> {
  const noted = await storage.db.selectFrom('damaged_file').select('sha256').where('sha256', '=', sha256).execute();
  if (noted.length === 0) return;
  await storage.transaction(({ db }) => db.deleteFrom('damaged_file').where('sha256', '=', sha256).execute());
}

interface DamagedFile {
  path: string;
  reason: string;
  foundAt: string;
}

/** Those that still are damaged: each is read again, since it may have been replaced by hand. */
export async function listDamagedFiles(db: Db, archiveDir: string): Promise<DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  for (const row of await db.selectFrom('damaged_file').selectAll().orderBy('sha256').execute()) {
    const reason = await inspectCopy(archiveDir, row.sha256);
    if (reason === null) continue;
    damaged.push({ path: placeOf(archiveDir, row.sha256), reason: reason ?? 'it is missing', foundAt: row.found_at });
  }
  return damaged;
}
