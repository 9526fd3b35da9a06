import { fileURLToPath } from 'node:url';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { openStandbys } from './standbys.ts';
import { type ReadStorage, type Storage, StorageError } from './storage.ts';

/** `file:…` is SQLite, `postgres://…` is PostgreSQL. */
export function openStorage(url: string, onIdleError: (error: Error) => void): Storage {
  if (url.startsWith('file://')) return openSqlite(fileURLToPath(url));
  if (url.startsWith('file:')) return openSqlite(url.slice('file:'.length));
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, onIdleError);
  throw new StorageError('connection', 'a database is named by file:<path> or postgres://…');
}

/** Where a service reads: the database, or its standbys if there are any. */
export interface ReadAddress {
  databaseUrl: string;
  /** Standbys of a PostgreSQL database. */
  readUrls: readonly string[];
}

/** For a thread that only reads and never closes what it opens. */
export function openReads({ databaseUrl, readUrls }: ReadAddress): ReadStorage {
  return readUrls.length === 0 ? openStorage(databaseUrl, () => {}) : openStandbys(databaseUrl, readUrls);
}
