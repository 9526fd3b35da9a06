import type { CompiledQuery, Kysely } from 'kysely';
import { FailureError } from '../vocabulary/failure.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';
export type Db = Kysely<Tables>;

/** Reads inside one transaction, by statements that are prepared once; `?` stands for a parameter. */
export interface Reads {
  readonly engine: Engine;
  all<R>(statement: string, parameters: readonly unknown[]): R[] | Promise<R[]>;
}

interface Snapshot {
  reads: Reads;
  close(): Promise<void>;
}

/** One transaction. Everything inside it goes through this handle, nothing through the storage's own. */
export interface Tx extends Reads {
  readonly db: Db;
  /** Many rows at once; each row is an array in the order of `columns`. */
  insert<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
  /** The same, leaving rows whose key is taken as they are. */
  insertNew<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
  /** Changes rows that exist, given whole; the key is the first column. */
  update<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
  /** The same as insert, replacing rows with the same key; the key is the first column. */
  upsert<T extends keyof Tables>(
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: unknown[][],
  ): Promise<void>;
}

/** A question asked often: prepared once, answered with at most one row. */
export type PreparedOne<P extends unknown[], R> = (...parameters: P) => R | undefined | Promise<R | undefined>;

export interface Storage {
  readonly engine: Engine;
  /** For reading only; sees what is committed. */
  readonly db: Db;
  prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R>;
  /**
   * A number that changes with every write: at once with those of this process, some milliseconds later
   * with another's. Undefined where asking costs as much as reading.
   */
  moment(): number | undefined;
  /** Reads that all see the same moment. */
  snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T>;
  /** The same for as long as it takes, beside all other reads; it has to be closed. */
  openSnapshot(): Promise<Snapshot>;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The right to write, held by one process at a time and lost with the process. Migrations and
   * the counting of requests apart, everything that writes holds it; `onWait` is told when another process has it.
   */
  lockWriter(onWait: () => void, timeoutMs: number): Promise<() => Promise<void>>;
  /** Copies everything that is committed into a file, where the engine is a file itself. */
  copyTo?(file: string): Promise<void>;
  /** Bytes on disk, where the engine can tell. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** A failure of the database that is not the fault of a query. */
export class StorageError extends FailureError {
  constructor(kind: 'locked' | 'migration' | 'connection' | 'backup', reason: string, options?: ErrorOptions) {
    super({ kind, reason }, options);
  }
}

/** How many rows a list of keys or values in one query may have. */
const BATCH = 500;

export function* batches<T>(items: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

/** A condition that a column is one of a list which is given as a single parameter. */
export function isAmong({ engine }: Reads, column: string): string {
  return engine === 'sqlite' ? `${column} in (select value from json_each(?))` : `${column} = any(?)`;
}

export function listParameter({ engine }: Reads, list: readonly (number | string)[]): unknown {
  return engine === 'sqlite' ? JSON.stringify(list) : list;
}
