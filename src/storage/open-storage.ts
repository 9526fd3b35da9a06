import { fileURLToPath } from 'node:url';
import { openPostgres, openPostgresReads } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { openSqliteReads } from './sqlite-reads.ts';
import { openStandbys } from './standbys.ts';
import { type OpenReads, type ReadStorage, type Storage, StorageError } from './storage.ts';

type OnIdleError = (error: Error) => void;

/** `file:…` is SQLite, `postgres://…` is PostgreSQL. */
export function openStorage(url: string, onIdleError: OnIdleError): Storage {
  const file = databaseFile(url);
  return file === undefined ? openPostgres(url, onIdleError) : openSqlite(file);
}

/** RDO-01: the same without the right to write. */
export function openDatabaseReads(url: string, onIdleError: OnIdleError): OpenReads {
  const file = databaseFile(url);
  return file === undefined ? openPostgresReads(url, onIdleError) : openSqliteReads(file);
}

/** The path of a SQLite database; undefined for PostgreSQL. */
export function databaseFile(url: string): string | undefined {
  if (url.startsWith('file://')) return fileURLToPath(url);
  if (url.startsWith('file:')) return url.slice('file:'.length);
  if (/^postgres(ql)?:\/\//.test(url)) return undefined;
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
  return readUrls.length === 0 ? openDatabaseReads(databaseUrl, () => {}) : openStandbys(databaseUrl, readUrls);
}
