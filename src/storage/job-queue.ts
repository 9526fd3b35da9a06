import { hash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { MIGRATIONS } from './migrate.ts';
import { connectionTo } from './postgres-server.ts';
import { type Db, type Storage, StorageError, type Tx } from './storage.ts';

/** Held shared by every transaction that does a job; a new writer waits for those of an earlier one. */
const JOBS_LOCK = 7281004;
/** First keys of locks whose second key is a release, or a run. */
const WORKERS_LOCK = 7281005;
const RUN_LOCK = 7281006;
const CREATION_LOCK = 7281008;

const SCHEMA = 'tatemono_jobs';
/** A worker that stops in the middle of a job loses it, so that another can take it. */
const MAX_PAUSE = '60s';

/** What a job says about itself; other keys are up to the caller. */
export interface QueuedJob {
  /** The run that it is a part of. */
  run: number;
}

/** The result of a job, or why there is none. */
type Outcome<R> = { result: R } | { error: string };

/**
 * WRK-02: jobs that processes of one release share, in a queue of pg-boss. A job is fetched, done and marked as done in one
 * transaction: a killed worker leaves nothing behind, and PostgreSQL offers its job to the others as soon as the
 * connection breaks.
 */
export class JobQueue<J extends QueuedJob, R extends object> {
  readonly #storage: Storage;
  /** Holds locks as long as this process runs, and runs statements of pg-boss outside transactions. */
  readonly #client: pg.Client;
  readonly #boss: PgBoss;
  readonly #name: string;
  #hasLocks = true;

  private constructor(storage: Storage, client: pg.Client, boss: PgBoss, name: string) {
    this.#storage = storage;
    this.#client = client;
    client.once('end', () => {
      this.#hasLocks = false;
    });
    this.#boss = boss;
    this.#name = name;
  }

  /** Creates what the queue needs if it is missing. */
  static async open<J extends QueuedJob, R extends object>(
    storage: Storage,
    databaseUrl: string,
  ): Promise<JobQueue<J, R>> {
    // Loaded only where jobs are shared: an ingest in one process has no memory to spare for it.
    const { PgBoss } = await import('pg-boss');
    const client = new pg.Client(connectionTo(databaseUrl));
    // A broken connection fails the next statement.
    client.on('error', () => {});
    await client.connect();
    const boss = new PgBoss({ schema: SCHEMA, db: statementsOn(client), supervise: false, schedule: false });
    boss.on('error', () => {});
    const name = release();
    try {
      // One process at a time creates the tables: the others would fail in the middle of a transaction.
      await client.query('select pg_advisory_lock($1)', [CREATION_LOCK]);
      await boss.start();
      await boss.createQueue(name);
      await client.query('select pg_advisory_unlock($1)', [CREATION_LOCK]);
    } catch (error) {
      await client.end();
      throw error;
    }
    return new JobQueue(storage, client, boss, name);
  }

  /** Lets ingests see, as long as this process runs, that a worker is ready. */
  async announceWorker(): Promise<void> {
    await this.#client.query('select pg_advisory_lock_shared($1, $2)', [WORKERS_LOCK, releaseKey()]);
  }

  /** Starts a run, for a process that has the write lock. Jobs of earlier runs are dropped. */
  async startRun(): Promise<number> {
    const run = randomInt(1, 2 ** 31 - 1);
    await this.#client.query('select pg_advisory_lock($1, $2)', [RUN_LOCK, run]);
    await this.#boss.deleteAllJobs(this.#name);
    return run;
  }

  async put(jobs: readonly { id: string; job: J }[]): Promise<void> {
    if (jobs.length > 0)
      await this.#boss.insert(
        this.#name,
        jobs.map(({ id, job }) => ({ id, data: job })),
      );
  }

  /** The results of those jobs that are done, which leave the queue. */
  async collect(ids: ReadonlySet<string>): Promise<Map<string, Outcome<R>>> {
    const jobs = (await this.#boss.findJobs<J>(this.#name)).filter(({ id }) => ids.has(id));
    if (jobs.length < ids.size) {
      throw new StorageError('connection', 'the connection that shows workers that this run goes on was lost');
    }
    const done = jobs.filter(({ state }) => state === 'completed');
    if (done.length > 0)
      await this.#boss.deleteJob(
        this.#name,
        done.map(({ id }) => id),
      );
    return new Map(done.map(({ id, output }) => [id, output as Outcome<R>]));
  }

  /**
   * Does one job in one transaction; returns false if there is none. A job whose run has ended is dropped: its process may
   * have been killed, and another may be writing.
   */
  async take(work: (tx: Tx, job: J) => Promise<R>): Promise<boolean> {
    if (!this.#hasLocks) throw new StorageError('connection', 'the connection of the queue was lost');
    let taken: string | undefined;
    try {
      return await this.#storage.transaction(async (tx) => {
        await sql`select set_config('idle_in_transaction_session_timeout', ${MAX_PAUSE}, true),
          pg_advisory_xact_lock_shared(${sql.lit(JOBS_LOCK)})`.execute(tx.db);
        const db = statementsIn(tx);
        const [job] = await this.#boss.fetch<J>(this.#name, { db });
        if (job === undefined) return false;
        taken = job.id;
        if (await hasEnded(tx.db, job.data.run)) {
          await this.#boss.deleteJob(this.#name, job.id, { db });
          return true;
        }
        const outcome: Outcome<R> = { result: await work(tx, job.data) };
        await this.#boss.complete(this.#name, job.id, outcome, { db });
        return true;
      });
    } catch (error) {
      // The transaction left the job in the queue. An error that another attempt would repeat ends the run instead.
      if (taken === undefined || isOfConnection(error)) throw error;
      if (isConflict(error)) return true;
      const outcome: Outcome<R> = { error: (error as Error).stack ?? String(error) };
      await this.#boss.complete(this.#name, taken, outcome, { includeQueued: true });
      return true;
    }
  }

  /** Its locks end with the connection. */
  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
    await this.#client.end();
  }
}

/** How many workers of this release are ready. */
export async function countWorkers({ engine, db }: Storage): Promise<number> {
  if (engine !== 'postgres') return 0;
  const { rows } = await sql<{ workers: number }>`select count(*)::int as workers from pg_locks
    where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
    and classid = ${sql.lit(WORKERS_LOCK)} and objid = ${sql.lit(releaseKey())} and objsubid = 2`.execute(db);
  return rows[0]?.workers ?? 0;
}

/** Waits, with the write lock, until no job of an earlier writer is being done; none begins afterwards. */
export async function awaitEarlierJobs({ engine, db }: Storage): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(JOBS_LOCK)})`.execute(db);
}

async function hasEnded(db: Db, run: number): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(RUN_LOCK)}, ${sql.lit(run)}) as free`.execute(db);
  return rows[0]?.free === true;
}

/** Statements of pg-boss on a connection of ours. */
function statementsOn(client: pg.Client) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      // Several statements at once have several results.
      const results = [await client.query(text, values)].flat();
      return { rows: results.flatMap(({ rows }) => rows) };
    },
  };
}

/** Statements of pg-boss in a transaction of ours. */
function statementsIn({ db }: Tx) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}

/** WRK-06: processes of another version, or with other tables, do not share jobs. */
function release(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return `tatemono-${version}-${MIGRATIONS.at(-1)?.name}`;
}

const releaseKey = () => Number.parseInt(hash('sha256', release()).slice(0, 7), 16);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Two transactions waited for each other; PostgreSQL has undone one of them. */
const isConflict = (error: unknown) => codeOf(error).startsWith('40');

/** Whether the database could not be reached, or ended the connection. */
export function isOfConnection(error: unknown): boolean {
  if (/^(08|57P|E(?!RR_)[A-Z])/.test(codeOf(error))) return true;
  return error instanceof Error && codeOf(error) === '' && /\bconnection\b|timeout expired/i.test(error.message);
}
