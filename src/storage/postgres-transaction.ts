import type pg from 'pg';
import { copyRows } from './postgres-copy.ts';
import { kyselyOn } from './postgres-dialect.ts';
import { addPartitions } from './postgres-partitions.ts';
import { COLUMN_TYPES, type ColumnType, toArrayParameter, toCopyData } from './postgres-rows.ts';
import { prepared, toQuery } from './postgres-server.ts';
import type { Tx } from './storage.ts';

type Rows = readonly (readonly unknown[])[];

/** Bytes of rows that the server may still have to write while the next are made. */
const MOST_WAITING = 8 * 1024 * 1024;

/**
 * Runs `work` in a transaction. Its writes are sent without waiting for an answer: whatever follows on the same connection
 * sees them, and the first that fails makes the transaction fail.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  columnTypes: ColumnTypes,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const transaction = new Transaction(client, columnTypes);
    try {
      const result = await work(transaction.tx);
      await transaction.commit();
      return result;
    } catch (error) {
      // A statement after a failed one fails too, but only the first says why.
      const cause = (await transaction.firstFailure()) ?? (error as Error);
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw cause;
    }
  } finally {
    client.release(broken);
  }
}

class Transaction {
  /** What the caller sees: an object without a prototype of its own, which can be copied and changed. */
  readonly tx: Tx;
  readonly #client: pg.ClientBase;
  readonly #columnTypes: ColumnTypes;
  #failure: Error | undefined;
  /** Ends when everything sent so far has been answered. */
  #sent: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(client: pg.ClientBase, columnTypes: ColumnTypes) {
    this.#client = client;
    this.#columnTypes = columnTypes;
    this.#send(client.query('begin'), 0);
    this.tx = {
      engine: 'postgres',
      db: kyselyOn((text, values) => client.query(toQuery(text, values))),
      all: async (statement, parameters) =>
        (await client.query({ ...prepared(statement), values: [...parameters] })).rows,
      insert: (table, columns, rows) => this.#insert(table, columns, rows),
      insertNew: (table, columns, rows) => this.#insertArrays(table, columns, rows, 'on conflict do nothing'),
      update: (table, columns, rows) => this.#update(table, columns, rows),
      upsert: (table, columns, rows) => this.#upsert(table, columns, rows),
    };
  }

  async #insert(table: string, columns: readonly string[], rows: Rows): Promise<void> {
    if (rows.length === 0) return;
    if (table === 'building') await this.#addPartitions(columns, rows);
    const data = toCopyData(await this.#typesOf(table, columns), rows);
    const statement = `copy "${table}" (${columns.map(quote).join(', ')}) from stdin (format binary)`;
    await this.#send(copyRows(this.#client, statement, data), data.length);
  }

  #update(table: string, columns: readonly string[], rows: Rows): Promise<void> {
    const [key, ...others] = columns.map(quote);
    const sets = others.map((column) => `${column} = v.${column}`).join(', ');
    const names = columns.map(quote).join(', ');
    return this.#sendArrays(table, columns, rows, (arrays) => {
      return `update "${table}" as t set ${sets} from unnest(${arrays}) as v (${names}) where t.${key} = v.${key}`;
    });
  }

  #upsert(table: string, columns: readonly string[], rows: Rows): Promise<void> {
    const [key, ...others] = columns.map(quote);
    const sets = others.map((column) => `${column} = excluded.${column}`).join(', ');
    return this.#insertArrays(table, columns, rows, `on conflict (${key}) do update set ${sets}`);
  }

  async commit(): Promise<void> {
    await this.#sent;
    if (this.#failure !== undefined) throw this.#failure;
    await this.#client.query('commit');
  }

  async firstFailure(): Promise<Error | undefined> {
    await this.#sent;
    return this.#failure;
  }

  /**
   * One array for each column: copying into a temporary table and inserting from there takes a third more of the server's
   * time, and a parameter for each value twice as much.
   */
  #insertArrays(table: string, columns: readonly string[], rows: Rows, tail: string): Promise<void> {
    const names = columns.map(quote).join(', ');
    return this.#sendArrays(table, columns, rows, (arrays) => {
      return `insert into "${table}" (${names}) select * from unnest(${arrays}) ${tail}`;
    });
  }

  async #sendArrays(
    table: string,
    columns: readonly string[],
    rows: Rows,
    write: (arrays: string) => string,
  ): Promise<void> {
    if (rows.length === 0) return;
    const types = await this.#typesOf(table, columns);
    const values = types.map((type, i) => toArrayParameter(type, rows, i));
    const statement = write(types.map((type, i) => `$${i + 1}::${type}[]`).join(', '));
    const bytes = values.reduce((sum, { length }) => sum + length, 0);
    await this.#send(this.#client.query({ ...prepared(statement), values }), bytes);
  }

  /** Waits only if the server has much to write already. */
  async #send(answer: Promise<unknown>, bytes: number): Promise<void> {
    this.#waiting += bytes;
    const answered = answer.then(
      () => {},
      (error: Error) => {
        this.#failure ??= error;
      },
    );
    this.#sent = Promise.all([this.#sent, answered]).then(() => {
      this.#waiting -= bytes;
    });
    if (this.#waiting < MOST_WAITING) return;
    await this.#sent;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #addPartitions(columns: readonly string[], rows: Rows): Promise<void> {
    const id = columns.indexOf('id');
    return addPartitions(
      this.#client,
      rows.map((row) => row[id] as number),
    );
  }

  #typesOf(table: string, columns: readonly string[]): Promise<ColumnType[]> | ColumnType[] {
    return this.#columnTypes.of(this.#client, table, columns);
  }
}

const quote = (name: string) => `"${name}"`;

/** The types of columns, read once for each table. */
export class ColumnTypes {
  readonly #tables = new Map<string, Map<string, ColumnType>>();

  async of(client: pg.ClientBase, table: string, columns: readonly string[]): Promise<ColumnType[]> {
    let known = this.#tables.get(table);
    if (known === undefined) {
      const { rows } = await client.query<{ name: string; type: number }>(
        'select attname as name, atttypid::int as type from pg_attribute where attrelid = $1::regclass and attnum > 0',
        [table],
      );
      known = new Map(rows.map(({ name, type }) => [name, COLUMN_TYPES.get(type) as ColumnType]));
      this.#tables.set(table, known);
    }
    return columns.map((column) => {
      const type = known.get(column);
      if (type === undefined) throw new Error(`rows of ${table}.${column} cannot be written`);
      return type;
    });
  }
}
