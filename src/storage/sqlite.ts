import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { makeFolder } from './make-folder.ts';
import { type PreparedOne, type Storage, StorageError, type Tx } from './storage.ts';
import type { Tables } from './tables.ts';

const BUSY_TIMEOUT_MS = 15_000;
/** How long one attempt to begin may block this thread, in which the holder of the lock may be waiting too. */
const BEGIN_TRY_MS = 20;
/** Checking whether another process has written costs half as much as reading a record. */
const LOOK_AGAIN_MS = 5;
const STATEMENT_CACHE = 500;
const WRITER_CACHE_MB = 16;
/** Small, because the operating system also caches the file for every process. */
const READER_CACHE_MB = 8;
const SNAPSHOT_CACHE_MB = 2;

/** A connection with a cache of prepared statements. */
class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #names = new Map<string, string[]>();

  constructor(path: string, readOnly: boolean, cacheMb: number) {
    this.database = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS });
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
    const names = this.#names.get(sql) ?? statement.columns().map((column) => column.name);
    this.#names.set(sql, names);
    return rows.map((row) => nameColumns(names, row)) as R[];
  }

  kysely(): Kysely<Tables> {
    return new Kysely<Tables>({
      dialect: new SqliteDialect({
        database: {
          close: () => this.database.close(),
          prepare: (sql) => {
            const statement = this.prepare(sql);
            const names = statement.columns().map((column) => column.name);
            return {
              reader: names.length > 0,
              all: (parameters) => {
                // Reading rows as arrays and naming the columns here is faster.
                statement.setReturnArrays(true);
                const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
                return rows.map((row) => nameColumns(names, row));
              },
              run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
              iterate: () => {
                throw new Error('rows are read in batches, never one by one');
              },
            };
          },
        },
      }),
    });
  }
}

function nameColumns(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) named[names[i] as string] = row[i];
  return named;
}

/** One file, one connection that writes and one that reads, so that a reader never waits for the writer. */
export function openSqlite(path: string): Storage {
  let writer: Connection;
  let reader: Connection;
  try {
    makeFolder(dirname(path));
    writer = new Connection(path, false, WRITER_CACHE_MB);
    breakSeal(writer.database);
    reader = new Connection(path, true, READER_CACHE_MB);
  } catch (error) {
    throw new StorageError('connection', `the database file cannot be opened: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const writing = writer.kysely();
  const reading = reader.kysely();

  const insertRows = (verb: string, table: string, columns: readonly string[], rows: unknown[][], tail = '') => {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const statement = writer.prepare(`${verb} into "${table}" (${names}) values (${marks})${tail}`);
    for (const row of rows) statement.run(...(row as SQLInputValue[]));
  };

  const dataVersion = reader.database.prepare('pragma data_version');
  dataVersion.setReturnArrays(true);
  let looked = Number.NEGATIVE_INFINITY;
  let moment = 0;
  let lastSnapshot: Promise<unknown> = Promise.resolve();

  return {
    engine: 'sqlite',
    db: reading,

    prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R> {
      const statement = reader.database.prepare(query.sql);
      statement.setReturnArrays(true);
      const names = statement.columns().map((column) => column.name);
      return (...parameters) => {
        const row = statement.get(...(parameters as SQLInputValue[])) as unknown as unknown[] | undefined;
        return row && (nameColumns(names, row) as R);
      };
    },

    moment() {
      const now = performance.now();
      if (now >= looked + LOOK_AGAIN_MS) {
        looked = now;
        [moment] = dataVersion.get() as unknown as [number];
      }
      return moment;
    },

    snapshot(work) {
      // One at a time: the connection has only one transaction.
      const result = lastSnapshot.then(async () => {
        reader.database.exec('begin');
        try {
          return await work({ engine: 'sqlite', all: (sql, parameters) => reader.all(sql, parameters) });
        } finally {
          reader.database.exec('commit');
        }
      });
      lastSnapshot = result.catch(() => {});
      return result;
    },

    async openSnapshot() {
      const own = new Connection(path, true, SNAPSHOT_CACHE_MB);
      own.database.exec('begin');
      return {
        reads: { engine: 'sqlite', all: (sql, parameters) => own.all(sql, parameters) },
        close: async () => own.database.close(),
      };
    },

    transaction(work) {
      return writing.connection().execute(async (db) => {
        const tx: Tx = {
          engine: 'sqlite',
          db,
          all: (sql, parameters) => writer.all(sql, parameters),
          insert: async (table, columns, rows) => insertRows('insert', table, columns, rows),
          insertNew: async (table, columns, rows) => insertRows('insert or ignore', table, columns, rows),
          update: async (table, columns, rows) => {
            const [key, ...others] = columns;
            const sets = others.map((column) => `"${column}" = ?`).join(', ');
            const statement = writer.prepare(`update "${table}" set ${sets} where "${key}" = ?`);
            for (const [id, ...values] of rows as SQLInputValue[][]) statement.run(...values, id as SQLInputValue);
          },
          upsert: async (table, columns, rows) => {
            const [key, ...others] = columns;
            const sets = others.map((column) => `"${column}" = excluded."${column}"`).join(', ');
            insertRows('insert', table, columns, rows, ` on conflict ("${key}") do update set ${sets}`);
          },
        };
        await begin(writer.database);
        try {
          const result = await work(tx);
          writer.database.exec('commit');
          looked = Number.NEGATIVE_INFINITY;
          return result;
        } catch (error) {
          if (writer.database.isTransaction) writer.database.exec('rollback');
          throw error;
        }
      });
    },

    async lockWriter(onWait, timeoutMs) {
      // A second file, because a lock on the registry itself would end with each transaction.
      const lock = new DatabaseSync(`${path}-writer`, { timeout: 0 });
      const deadline = Date.now() + timeoutMs;
      for (let first = true; ; first = false) {
        try {
          lock.exec('begin exclusive');
          return async () => lock.close();
        } catch (error) {
          if (!isBusy(error)) throw error;
          if (first) onWait();
          if (Date.now() > deadline) {
            lock.close();
            throw new StorageError('locked', 'another tatemono process is still writing to this database');
          }
          await sleep(100);
        }
      }
    },

    async copyTo(file) {
      // In one transaction: otherwise the copy restarts whenever another process commits.
      const own = new Connection(path, true, SNAPSHOT_CACHE_MB);
      try {
        own.database.exec('begin');
        own.database.prepare('select count(*) from sqlite_schema').get();
        await backup(own.database, file);
      } finally {
        own.database.close();
      }
    },

    async size() {
      return [path, `${path}-wal`].reduce(
        (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
    },

    async close() {
      // The writer last: only it can checkpoint the log.
      await reading.destroy();
      // Kysely closes only connections it has used.
      if (reader.database.isOpen) reader.database.close();
      await writing.destroy();
      if (writer.database.isOpen) writer.database.close();
    },
  };
}

/** A backup opened as a database changes from now on, so its checksum must not be taken for that of a later copy. */
function breakSeal(database: DatabaseSync): void {
  if (database.prepare('pragma user_version').get()?.user_version === 0) return;
  try {
    database.exec('pragma user_version = 0');
  } catch (error) {
    // Another process opened it first and has done the same.
    if (!isBusy(error)) throw error;
  }
}

async function begin(database: DatabaseSync): Promise<void> {
  for (const deadline = Date.now() + BUSY_TIMEOUT_MS; ; ) {
    try {
      database.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() > deadline) {
        throw new StorageError('locked', 'the database is locked by another process', { cause: error });
      }
      await sleep(BEGIN_TRY_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
