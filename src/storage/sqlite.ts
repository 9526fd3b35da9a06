import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from './make-folder.ts';
import { BEGIN_TRY_MS, BUSY_TIMEOUT_MS, Connection, sqliteCode } from './sqlite-connection.ts';
import { kyselyOn } from './sqlite-dialect.ts';
import { cannotOpen, openSqliteReads, type SqliteReads } from './sqlite-reads.ts';
import { type Storage, StorageError, type Tx } from './storage.ts';

const WRITER_CACHE_MB = 16;
const COPY_CACHE_MB = 2;

/** One file, one connection that writes and one that reads, so that a reader never waits for the writer. */
export function openSqlite(path: string): Storage {
  let writer: Connection;
  let reads: SqliteReads;
  try {
    makeFolder(dirname(path));
    writer = new Connection(path, false, WRITER_CACHE_MB);
    breakSeal(writer.database);
    reads = openSqliteReads(path, BUSY_TIMEOUT_MS);
  } catch (error) {
    throw error instanceof StorageError ? error : cannotOpen(error);
  }
  const writing = kyselyOn((work) => work(writer));

  const insertRows = (verb: string, table: string, columns: readonly string[], rows: unknown[][], tail = '') => {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const statement = writer.prepare(`${verb} into "${table}" (${names}) values (${marks})${tail}`);
    for (const row of rows) statement.run(...(row as SQLInputValue[]));
  };

  return {
    ...reads,

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
          reads.noteWrite();
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
      const deadline = performance.now() + timeoutMs;
      for (let first = true; ; first = false) {
        try {
          lock.exec('begin exclusive');
          return async () => lock.close();
        } catch (error) {
          if (!isBusy(error)) throw error;
          if (first) onWait();
          if (performance.now() > deadline) {
            lock.close();
            throw new StorageError(
              'locked',
              'another tatemono process is still writing to this database; wait until it has finished, or stop it',
            );
          }
          await sleep(100);
        }
      }
    },

    async copyTo(file) {
      // In one transaction: otherwise the copy restarts whenever another process commits.
      const own = new Connection(path, true, COPY_CACHE_MB);
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
      await reads.close();
      await writing.destroy();
      try {
        // Closing does this only if no one else has the file open, and a service cannot do it later.
        writer.database.exec('pragma wal_checkpoint(passive)');
      } catch {
        // What is committed stays in the log, from where it is read.
      }
      writer.close();
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
  for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ; ) {
    try {
      database.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) {
        throw new StorageError(
          'locked',
          'the database is locked by another process; wait until it has finished, or stop it',
          { cause: error },
        );
      }
      await sleep(BEGIN_TRY_MS);
    }
  }
}

const isBusy = (error: unknown) => sqliteCode(error) === 5;
