import { fileURLToPath } from 'node:url';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { type Storage, StorageError } from './storage.ts';

/** `file:…` is SQLite, `postgres://…` is PostgreSQL. */
export function openStorage(url: string, onIdleError: (error: Error) => void): Storage {
  if (url.startsWith('file://')) return openSqlite(fileURLToPath(url));
  if (url.startsWith('file:')) return openSqlite(url.slice('file:'.length));
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, onIdleError);
  throw new StorageError('connection', 'a database is named by file:<path> or postgres://…');
}
