import { databaseFile } from './open-storage.ts';

/**
 * OPS-02: why the database cannot be used and what to do about it, in one line. Undefined if the error says nothing about
 * that.
 */
export function explainDatabaseError(error: unknown, databaseUrl: string): string | undefined {
  const file = databaseFile(databaseUrl);
  const explain = file === undefined ? explainPostgres : explainSqlite;
  const place = file ?? serverOf(databaseUrl);
  for (const each of causesOf(error)) {
    const explained = explain(each, place);
    if (explained !== undefined) return explained;
  }
  return undefined;
}

/** The error, what caused it, and the errors that it collects: connecting to a name tries each of its addresses. */
function* causesOf(error: unknown): Generator<object> {
  if (!(error instanceof Error)) return;
  yield error;
  if (error instanceof AggregateError) for (const each of error.errors) yield* causesOf(each);
  yield* causesOf(error.cause);
}

/** Without the user and the password. */
function serverOf(databaseUrl: string): string {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || '5432'}`;
}

/** By the primary result code: https://sqlite.org/rescode.html */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'the database is locked by another process; wait until that has finished, or stop it, and try again',
  6: 'the database is locked by another process; wait until that has finished, or stop it, and try again',
  8: 'the database cannot be written; give this user the right to write the file and its folder',
  10: 'the disk reports an input/output error; check the disk and free space',
  11: 'the database file is damaged; restore a backup',
  13: 'the disk is full; free some space and try again',
  14: 'the database cannot be opened; check the path in DATABASE_URL, and the rights of this user on the file and its folder',
  26: 'this is not a SQLite database; correct DATABASE_URL',
};

function explainSqlite(error: object, file: string): string | undefined {
  if (!('errcode' in error)) return undefined;
  const reason = SQLITE[Number(error.errcode) & 0xff];
  return reason === undefined ? undefined : `${file}: ${reason}`;
}

const REFUSED_LOGIN = 'refuses this user or password; correct them in DATABASE_URL';
const SILENT = 'cannot be reached; check DATABASE_URL, the network and the firewall';
const UNKNOWN_HOST = 'is not a known host; correct the host in DATABASE_URL';

/** By the code of the system, or SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections; start PostgreSQL there, or correct DATABASE_URL',
  ECONNRESET: 'closed the connection; check its log and try again',
  EPIPE: 'closed the connection; check its log and try again',
  ETIMEDOUT: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ENOENT: 'has no such socket; start PostgreSQL there, or correct DATABASE_URL',
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  '08P01': 'does not answer as PostgreSQL; correct DATABASE_URL',
  '25006': 'is a standby and cannot be written; set DATABASE_URL to the primary',
  '28000': REFUSED_LOGIN,
  '28P01': REFUSED_LOGIN,
  '3D000': 'has no database of this name; create it with createdb, or correct DATABASE_URL',
  '42501': 'does not give this user the rights it needs; make it the owner of the database',
  '53100': 'has no disk space left; free some and try again',
  '53300': 'has no free connections; raise its max_connections, or stop other clients',
  '55P03': 'is locked by another process; wait until that has finished, and try again',
  '57P01': 'is shutting down; try again when it runs',
  '57P03': 'is starting or shutting down; try again when it runs',
};

/** Errors of the driver have no code. */
const DRIVER: readonly [RegExp, string][] = [
  [/^SASL/, REFUSED_LOGIN],
  [/timeout/i, 'does not answer; check DATABASE_URL, the network and the firewall'],
  [/SSL/, 'does not accept encrypted connections; remove sslmode from DATABASE_URL, or set up TLS there'],
  [/^Connection (terminated|ended)/, 'closed the connection; check its log and try again'],
];

function explainPostgres(error: object, server: string): string | undefined {
  const { code, name, message, path } = error as { code?: unknown; name: string; message: string; path?: unknown };
  // Errors of files have a path; a socket of PostgreSQL has one too, and ends with its port.
  if (typeof path === 'string' && !/\.s\.PGSQL\.\d+$/.test(path)) return undefined;
  const ofDriver = () => (name === 'Error' ? DRIVER.find(([pattern]) => pattern.test(message))?.[1] : undefined);
  const reason = typeof code === 'string' ? POSTGRES[code] : ofDriver();
  return reason === undefined ? undefined : `the database server ${server} ${reason}`;
}
