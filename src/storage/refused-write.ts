import pg from 'pg';
import { sqliteCode } from './sqlite-connection.ts';

/** SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN. */
const SQLITE_CODES: ReadonlySet<number | undefined> = new Set([3, 8, 14]);
/** A role without the privilege, and a session or a server that only reads. */
const POSTGRES_CODES: ReadonlySet<string | undefined> = new Set(['42501', '25006']);
const FILE_CODES: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Whether an error, or what caused it, is that this user may not write to the database. */
export function isRefusedWrite(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return POSTGRES_CODES.has(error.code);
  if (SQLITE_CODES.has(sqliteCode(error)) || FILE_CODES.has((error as NodeJS.ErrnoException).code)) return true;
  return isRefusedWrite(error.cause);
}
