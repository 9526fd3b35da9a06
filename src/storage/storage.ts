import type { CompiledQuery, Kysely } from 'kysely';
import { FailureError } from '../vocabulary/failure.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';
export type Db = Kysely<Tables>;

/** Reads inside one transaction, by statements that are prepared once; `?` is a parameter. */
export interface Reads {
  readonly engine: Engine;
  all<R>(statement: string, parameters: readonly unknown[]): R[] | Promise<R[]>;
}

export interface Snapshot {
  reads: Reads;
  close(): Promise<void>;
}

/** One transaction. Everything inside it must use this handle, never the storage's own. */
export interface Tx extends Reads {
  readonly db: Db;
  /** Many rows at once; each row is an array in the order of `columns`. */
  insert<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
  /** The same, but rows whose key exists stay unchanged. */
  insertNew<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
  /** Updates some columns of existing rows; the key is the first column. */
  update<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
  /** As `insert`, but replaces rows with the same key; the key is the first column. */
  upsert<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
}

/** A frequent query: prepared once, with at most one row. */
export type PreparedOne<P extends unknown[], R> = (...parameters: P) => R | undefined | Promise<R | undefined>;

/** What a service reads from. */
export interface ReadStorage {
  readonly engine: Engine;
  /** Read-only; sees what is committed. */
  readonly db: Db;
  prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R>;
  /**
   * A number that changes with every write: immediately for this process, some milliseconds later for others. Undefined
   * if checking costs as much as reading.
   */
  moment(): number | undefined;
  /** Reads of one snapshot. `work` must only read: it may run again on another server. */
  snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T>;
  /** The same without a time limit, independent of other reads; has to be closed. */
  openSnapshot(): Promise<Snapshot>;
}

/** Reads that this process has opened for itself. */
export interface OpenReads extends ReadStorage {
  close(): Promise<void>;
}

export interface Storage extends OpenReads {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The write lock, held by one process at a time and released with the process. All writers hold it, except migrations
   * and rate limits. `onWait` is called if another process has it.
   */
  lockWriter(onWait: () => void, timeoutMs: number): Promise<() => Promise<void>>;
  /** Copies everything committed into a file, if the database is a file itself. */
  copyTo?(file: string): Promise<void>;
  /** Bytes on disk, if the database reports them. */
  size(): Promise<number>;
}

/** A failure of the database that is not the fault of a query. */
export class StorageError extends FailureError {
  constructor(kind: 'locked' | 'migration' | 'connection' | 'backup', reason: string, options?: ErrorOptions) {
    super({ kind, reason }, options);
  }
}

/** The maximum length of a list in one query. */
const BATCH = 500;

export function* batches<T>(items: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

/** A condition that a column is in a list passed as a single parameter. */
export function isAmong({ engine }: Reads, column: string): string {
  return engine === 'sqlite' ? `${column} in (select value from json_each(?))` : `${column} = any(?)`;
}

/** Numbers passed as one such parameter, as the rows of a table with the column `value`. */
export function listAsRows({ engine }: Reads, name: string): string {
  return engine === 'sqlite' ? `json_each(?) ${name}` : `unnest(?::bigint[]) as ${name}(value)`;
}

export function listParameter({ engine }: Reads, list: readonly (number | string)[]): unknown {
  return engine === 'sqlite' ? JSON.stringify(list) : list;
}
