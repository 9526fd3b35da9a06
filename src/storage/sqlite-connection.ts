import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

export const BUSY_TIMEOUT_MS = 15_000;
/** How long one attempt to begin may block this thread, in which the holder of the lock may be waiting too. */
export const BEGIN_TRY_MS = 20;
const STATEMENT_CACHE = 500;

/** A connection to a database file, with a cache of prepared statements. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #names = new Map<string, string[]>();

  constructor(location: string | URL, readOnly: boolean, cacheMb: number, busyMs = BUSY_TIMEOUT_MS) {
    this.database = new DatabaseSync(location, { readOnly, timeout: busyMs });
    const cache = `cache_size = -${cacheMb * 1024}`;
    const pragmas = readOnly
      ? [cache]
      : [
          'page_size = 4096',
          'journal_mode = wal',
          'synchronous = normal',
          'foreign_keys = on',
          cache,
          'temp_store = memory',
          'wal_autocheckpoint = 16000',
          'journal_size_limit = 67108864',
          `busy_timeout = ${BEGIN_TRY_MS}`,
        ];
    for (const pragma of pragmas) this.database.exec(`pragma ${pragma}`);
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      if (this.#statements.size >= STATEMENT_CACHE) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all<R>(sql: string, parameters: readonly unknown[]): R[] {
    const statement = this.prepare(sql);
    statement.setReturnArrays(true);
    const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
    if (rows.length === 0) return [];
    const names = this.#names.get(sql) ?? columnNames(statement);
    this.#names.set(sql, names);
    return rows.map((row) => nameColumns(names, row)) as R[];
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

export function columnNames(statement: StatementSync): string[] {
  return statement.columns().map((column) => column.name);
}

/** Reading rows as arrays and naming the columns here is faster. */
export function nameColumns(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) named[names[i] as string] = row[i];
  return named;
}

/** The primary result code of an error of SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
