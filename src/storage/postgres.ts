import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, sql } from 'kysely';
import { kyselyOn } from './postgres-dialect.ts';
import { PostgresServer } from './postgres-server.ts';
import { ColumnTypes, inTransaction } from './postgres-transaction.ts';
import { type OpenReads, type PreparedOne, type Storage, StorageError } from './storage.ts';

const WRITER_LOCK = 7281002;

type OnIdleError = (error: Error) => void;

/** RDO-03: by sessions that cannot write. */
export function openPostgresReads(url: string, onIdleError: OnIdleError): OpenReads {
  return readsOf(new PostgresServer(url, 'read', onIdleError));
}

/** `onIdleError` receives errors of idle connections; the pool replaces them. */
export function openPostgres(url: string, onIdleError: OnIdleError, connections?: number): Storage {
  const server = new PostgresServer(url, 'write', onIdleError, connections);
  const { pool } = server;
  const columnTypes = new ColumnTypes();
  const reads = readsOf(server);
  return {
    ...reads,

    transaction: (work) => inTransaction(pool, columnTypes, work),

    async lockWriter(onWait, timeoutMs) {
      const client = await pool.connect();
      const deadline = performance.now() + timeoutMs;
      try {
        for (let first = true; ; first = false) {
          const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [WRITER_LOCK]);
          if (rows[0].taken === true) break;
          if (first) onWait();
          if (performance.now() > deadline) {
            throw new StorageError(
              'locked',
              'another tatemono process is still writing to this database; wait until it has finished, or stop it',
            );
          }
          await sleep(100);
        }
      } catch (error) {
        // The pool cannot be closed while a client is taken, even one that is lost.
        client.release(true);
        throw error;
      }
      return async () => {
        // A connection that is lost has taken the lock with it; what failed by that says so itself.
        const isLost = await client.query('select pg_advisory_unlock($1)', [WRITER_LOCK]).then(
          () => false,
          () => true,
        );
        client.release(isLost);
      };
    },

    async size() {
      const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(
        reads.db,
      );
      return rows[0]?.size ?? 0;
    },
  };
}

function readsOf(server: PostgresServer): OpenReads {
  const db = kyselyOn(
    (text, values) => server.query(text, values),
    () => server.close(),
  );
  return {
    engine: 'postgres',
    db,
    prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R> {
      return (...parameters) => server.one(query.sql, parameters) as Promise<R | undefined>;
    },
    moment: () => undefined,
    snapshot: (work) => server.snapshot(work),
    openSnapshot: () => server.openSnapshot(),
    close: () => db.destroy(),
  };
}
