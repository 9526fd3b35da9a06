import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { batches, type Db, type PreparedOne, type Reads, type Storage, StorageError, type Tx } from './storage.ts';
import type { Tables } from './tables.ts';

const INT8 = 20;
const WRITER_LOCK = 7281002;
const MAX_PARAMETERS = 30_000;

/** `onIdleError` receives errors of idle connections; the pool replaces them. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): Storage {
  const connection: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'tatemono',
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool({ ...connection, max: 10 });
  pool.on('error', onIdleError);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

  return {
    engine: 'postgres',
    db,

    prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R> {
      const { name, text } = prepared(query.sql);
      return async (...parameters) => {
        const { rows } = await pool.query<Record<string, unknown>>({ name, text, values: parameters });
        return rows[0] as R | undefined;
      };
    },

    moment: () => undefined,

    async snapshot(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query(BEGIN_SNAPSHOT);
        const result = await work(readsOn(client));
        await client.query('commit');
        return result;
      } catch (error) {
        broken = error as Error;
        throw error;
      } finally {
        client.release(broken);
      }
    },

    async openSnapshot() {
      // A connection outside the pool, since it may be held for long.
      const client = new pg.Client(connection);
      client.on('error', onIdleError);
      await client.connect();
      await client.query(BEGIN_SNAPSHOT);
      return { reads: readsOn(client), close: () => client.end() };
    },

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

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

function readsOn(client: pg.ClientBase): Reads {
  return {
    engine: 'postgres',
    all: async (statement, parameters) => {
      const { name, text } = prepared(statement);
      return (await client.query({ name, text, values: [...parameters] })).rows;
    },
  };
}

const PREPARED = new Map<string, { name: string; text: string }>();

/** A named statement, which each connection prepares once, with numbered parameters. */
function prepared(statement: string): { name: string; text: string } {
  let known = PREPARED.get(statement);
  if (known === undefined) {
    let parameter = 0;
    const text = statement.replace(/\?/g, () => `$${++parameter}`);
    known = { name: `tatemono_${PREPARED.size}`, text };
    PREPARED.set(statement, known);
  }
  return known;
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
