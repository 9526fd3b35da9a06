import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { PostgresServer, prepared } from './postgres-server.ts';
import { batches, type Db, type PreparedOne, type Storage, StorageError, type Tx } from './storage.ts';
import type { Tables } from './tables.ts';

const WRITER_LOCK = 7281002;
const MAX_PARAMETERS = 30_000;

/** `onIdleError` receives errors of idle connections; the pool replaces them. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): Storage {
  const server = new PostgresServer(url, onIdleError);
  const { pool } = server;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

  return {
    engine: 'postgres',
    db,

    prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R> {
      return (...parameters) => server.one(query.sql, parameters) as Promise<R | undefined>;
    },

    moment: () => undefined,

    snapshot: (work) => server.snapshot(work),
    openSnapshot: () => server.openSnapshot(),

    transaction(work) {
      return db.transaction().execute((trx) => work(transactionOn(trx)));
    },

    async lockWriter(onWait, timeoutMs) {
      const client = await pool.connect();
      const deadline = Date.now() + timeoutMs;
      for (let first = true; ; first = false) {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [WRITER_LOCK]);
        if (rows[0].taken === true) break;
        if (first) onWait();
        if (Date.now() > deadline) {
          client.release();
          throw new StorageError('locked', 'another tatemono process is still writing to this database');
        }
        await sleep(100);
      }
      return async () => {
        await client.query('select pg_advisory_unlock($1)', [WRITER_LOCK]);
        client.release();
      };
    },

    async size() {
      const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db);
      return rows[0]?.size ?? 0;
    },

    close: () => db.destroy(),
  };
}

function transactionOn(db: Db): Tx {
  type Insert = Tx['insert'];
  const rowsOf = (columns: readonly string[], rows: readonly unknown[][]) =>
    rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  const insertRows = async (
    table: keyof Tables,
    columns: readonly string[],
    rows: unknown[][],
    tail: 'fail' | 'ignore' | 'replace',
  ) => {
    for (const batch of batches(rows, Math.floor(MAX_PARAMETERS / columns.length))) {
      const insert = db.insertInto(table).values(rowsOf(columns, batch) as never);
      if (tail === 'fail') await insert.execute();
      else if (tail === 'ignore') await insert.onConflict((oc) => oc.doNothing()).execute();
      else {
        const [key, ...others] = columns;
        const sets = Object.fromEntries(others.map((column) => [column, sql.ref(`excluded.${column}`)]));
        await insert.onConflict((oc) => oc.column(key as never).doUpdateSet(sets as never)).execute();
      }
    }
  };
  const insert: Insert = (table, columns, rows) => insertRows(table, columns, rows, 'fail');
  const insertNew: Insert = (table, columns, rows) => insertRows(table, columns, rows, 'ignore');
  // Rows are complete, so an upsert updates them in one statement.
  const update: Insert = (table, columns, rows) => insertRows(table, columns, rows, 'replace');
  const upsert: Insert = (table, columns, rows) => insertRows(table, columns, rows, 'replace');
  const all: Tx['all'] = async (statement, parameters) => {
    const query = CompiledQuery.raw(prepared(statement).text, [...parameters]);
    return (await db.executeQuery(query)).rows as never;
  };
  return { engine: 'postgres', db, all, insert, insertNew, update, upsert };
}
