import { existsSync } from 'node:fs';
import { hasTodo } from '../registry/markers.ts';
import { pendingMigrations } from '../storage/migrate.ts';
import { databaseFile, openDatabaseReads } from '../storage/open-storage.ts';
import { isRefusedWrite } from '../storage/refused-write.ts';
import { findRestoreRun } from '../storage/restore-run.ts';
import { StorageError } from '../storage/storage.ts';
import { needsSample } from './load-sample.ts';

/** What has to be written before a database is served. */
interface Unprepared {
  migrations: string[];
  sample: boolean;
  index: boolean;
  /** A restore that was killed left its copy of the backup. */
  copy: boolean;
}

/**
 * RDO-04: has everything written that a service needs, by `write`, which opens the database for writing and closes it again. A
 * database that needs nothing is not opened for writing, so that a user who may not write to it can serve it.
 */
export async function prepareServing(
  databaseUrl: string,
  write: () => Promise<void>,
  warn: (line: string) => void,
): Promise<void> {
  const found = await findUnprepared(databaseUrl);
  if (found.migrations.length === 0 && !found.sample && !found.index && !found.copy) return;
  try {
    await write();
  } catch (error) {
    if (!isRefusedWrite(error)) throw error;
    if (found.migrations.length > 0) throw new StorageError('migration', describe(found.migrations), { cause: error });
    if (found.sample) warn(`the sample is not loaded into the empty database: ${REFUSED}`);
    if (found.index) warn(`the search index must be rebuilt, but ${REFUSED}: run tatemono republish as a user who may`);
  }
}

const REFUSED = 'this user may not write to it';

function describe({ length }: readonly string[]): string {
  const pending = length === 1 ? '1 pending migration' : `${length} pending migrations`;
  return `the database has ${pending}, but ${REFUSED}: run tatemono status as a user who may, then start the service`;
}

async function findUnprepared(databaseUrl: string): Promise<Unprepared> {
  const all = { migrations: ['all'], sample: true, index: true, copy: false };
  const file = databaseFile(databaseUrl);
  if (file !== undefined && !existsSync(file)) return all;
  const reads = openDatabaseReads(databaseUrl, () => {});
  try {
    const migrations = await pendingMigrations(reads);
    if (migrations.length > 0) return { ...all, migrations };
    return {
      migrations,
      sample: await needsSample(reads.db),
      index: await hasTodo(reads.db, 'enter buildings'),
      copy: ((await findRestoreRun(reads.db))?.copy ?? '') !== '',
    };
  } finally {
    await reads.close();
  }
}
