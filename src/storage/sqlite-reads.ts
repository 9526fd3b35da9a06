import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { type Connection, columnNames, nameColumns } from './sqlite-connection.ts';
import { kyselyOn } from './sqlite-dialect.ts';
import { DatabaseFile, unlessLocked } from './sqlite-file.ts';
import { type OpenReads, type PreparedOne, StorageError } from './storage.ts';

/** Checking whether another process has written costs half as much as reading a record. */
const LOOK_AGAIN_MS = 5;
/** Small, because the operating system also caches the file for every process. */
const READER_CACHE_MB = 8;
const SNAPSHOT_CACHE_MB = 2;
/** DLY-03: of a service, which answers nobody while it waits. */
const READ_BUSY_MS = 50;
/** More than the moments of one connection. */
const OPENING = 2 ** 32;

/** RDO-01: reads of a database file, by connections that cannot write. */
export interface SqliteReads extends OpenReads {
  /** This process has written: the next moment is another. */
  noteWrite(): void;
}

export function openSqliteReads(path: string, busyMs = READ_BUSY_MS): SqliteReads {
  const file = openFile(path, { cacheMb: READER_CACHE_MB, busyMs });
  const db = kyselyOn((work) => file.read(work));

  let dataVersion: { connection: Connection; statement: StatementSync } | undefined;
  const lookAtVersion = (connection: Connection): number => {
    if (dataVersion?.connection !== connection) {
      const statement = connection.database.prepare('pragma data_version');
      statement.setReturnArrays(true);
      dataVersion = { connection, statement };
    }
    const [version] = dataVersion.statement.get() as unknown as [number];
    return version;
  };
  let looked = Number.NEGATIVE_INFINITY;
  let moment = 0;
  let lastSnapshot: Promise<unknown> = Promise.resolve();

  return {
    engine: 'sqlite',
    db,

    prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R> {
      const prepare = (connection: Connection) => {
        const statement = connection.database.prepare(query.sql);
        statement.setReturnArrays(true);
        return { connection, statement, names: columnNames(statement) };
      };
      let prepared = prepare(file.connection);
      return (...parameters) =>
        file.read((connection) => {
          if (prepared.connection !== connection) prepared = prepare(connection);
          const row = prepared.statement.get(...(parameters as SQLInputValue[])) as unknown as unknown[] | undefined;
          return row && (nameColumns(prepared.names, row) as R);
        });
    },

    moment() {
      const now = performance.now();
      if (now >= looked + LOOK_AGAIN_MS) {
        moment = file.openings * OPENING + file.read(lookAtVersion);
        looked = now;
      }
      return moment;
    },

    noteWrite() {
      looked = Number.NEGATIVE_INFINITY;
    },

    snapshot(work) {
      const readOnce = async () => {
        const { connection } = file;
        connection.database.exec('begin');
        try {
          return await work({ engine: 'sqlite', all: (sql, parameters) => connection.all(sql, parameters) });
        } catch (error) {
          throw unlessLocked(error);
        } finally {
          connection.database.exec('commit');
          if (file.hasChanged(connection)) file.reopen(connection);
        }
      };
      // One at a time: the connection has only one transaction.
      const result = lastSnapshot.then(async () => {
        for (;;) {
          const before = file.openings;
          const [read] = await Promise.allSettled([readOnce()]);
          if (file.openings !== before) continue;
          if (read.status === 'rejected') throw read.reason;
          return read.value;
        }
      });
      lastSnapshot = result.catch(() => {});
      return result;
    },

    async openSnapshot() {
      file.requireInPlace();
      const own = openFile(path, { cacheMb: SNAPSHOT_CACHE_MB, busyMs });
      const { connection } = own;
      connection.database.exec('begin');
      return {
        reads: {
          engine: 'sqlite',
          all: (sql, parameters) => {
            const rows = connection.all(sql, parameters);
            if (own.hasChanged(connection)) throw CHANGED();
            return rows as never;
          },
        },
        close: async () => connection.close(),
      };
    },

    async close() {
      await db.destroy();
      file.close();
    },
  };
}

const CHANGED = () => new StorageError('connection', 'the database file was replaced while it was read');

function openFile(path: string, options: ConstructorParameters<typeof DatabaseFile>[1]): DatabaseFile {
  try {
    return new DatabaseFile(path, options);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw cannotOpen(error);
  }
}

export function cannotOpen(error: unknown): StorageError {
  const { message } = error as Error;
  return new StorageError('connection', `the database file cannot be opened: ${message}`, { cause: error });
}
