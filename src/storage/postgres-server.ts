import { Socket } from 'node:net';
import pg from 'pg';
import { Silence } from './silence.ts';
import { type Reads, type Snapshot, StorageError } from './storage.ts';

const INT8 = 20;
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/** What the sessions of a server may do. */
type Access = 'read' | 'write';

const MOST_CONNECTIONS = 10;

/** DLY-02: how long a read waits for a connection, and for the answer to each query. */
const BOUNDS = { connectionTimeoutMillis: 2_000, query_timeout: 3_000 } as const;
/** The server gives up queries whose answer nobody waits for. */
const STATEMENT_MS = 5_000;

/** One PostgreSQL server, and reads from it. */
export class PostgresServer {
  readonly pool: pg.Pool;
  readonly #connection: pg.ClientConfig;
  readonly #onIdleError: (error: Error) => void;
  readonly #sockets = new Set<Socket>();
  readonly #access: Access;
  readonly #silence: Silence;
  #isCut = false;

  /** `onIdleError` receives errors of idle connections; the pool replaces them. */
  constructor(url: string, access: Access, onIdleError: (error: Error) => void, connections = MOST_CONNECTIONS) {
    this.#access = access;
    this.#onIdleError = onIdleError;
    this.#connection = {
      ...connectionTo(url),
      ...(access === 'read' && BOUNDS),
      stream: () => this.#openSocket(),
    };
    this.#silence = new Silence(url, () => this.#breakAll());
    const onConnect = (client: pg.ClientBase) => settle(client, access);
    this.pool = new pg.Pool({ ...this.#connection, max: connections, pipeline: true, onConnect });
    this.pool.on('error', onIdleError);
    // A connection that breaks between two queries fails the next one; without a listener it would end the process.
    this.pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Breaks all connections, and those that are opened until `mend`, so that no read waits for a server that hangs. Snapshots
   * that have been read from stay open, since they cannot go on elsewhere.
   */
  cut(): void {
    this.#isCut = true;
    this.#breakAll();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.#silence.stopAsking();
    await this.pool.end();
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * DLY-01, DLY-02: what the server answers to a read. A failure that it does not report as one of the query is one of the
   * connection.
   */
  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#silence.isSilent) throw new StorageError('connection', 'the database does not answer');
    try {
      return await ask();
    } catch (error) {
      const isRead = this.#access === 'read';
      if (error instanceof pg.DatabaseError && !(isRead && SERVER_STATES.test(error.code ?? ''))) throw error;
      if (isRead && LATE.test((error as Error).message)) this.#silence.suspect();
      throw new StorageError('connection', (error as Error).message, { cause: error });
    }
  }

  #readsOn(client: pg.ClientBase): Reads {
    return {
      engine: 'postgres',
      all: async (statement, parameters) => {
        const { name, text } = prepared(statement);
        return (await this.#asked(() => client.query({ name, text, values: [...parameters] }))).rows;
      },
    };
  }

  #openSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#isCut) process.nextTick(() => socket.destroy());
    return socket;
  }

  /** The first row of a prepared statement. */
  async one(statement: string, parameters: readonly unknown[]): Promise<unknown> {
    const { name, text } = prepared(statement);
    return (await this.#asked(() => this.pool.query({ name, text, values: [...parameters] }))).rows[0];
  }

  query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const ask = () => this.pool.query(toQuery(text, parameters));
    return this.#access === 'read' ? this.#asked(ask) : ask();
  }

  async snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const client = await this.#asked(() => this.pool.connect());
    try {
      // Sent with the first query; what follows on this connection waits for it.
      const begun = this.#asked(() => client.query(BEGIN_SNAPSHOT));
      begun.catch(() => {});
      const result = await work(this.#readsOn(client));
      await begun;
      // What was read is complete, whether or not this succeeds.
      client.query('commit').then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
      return result;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  async openSnapshot(): Promise<Snapshot> {
    // A connection outside the pool, since it may be held for long.
    const socket = this.#openSocket();
    const client = new pg.Client({ ...this.#connection, stream: () => socket });
    client.on('error', this.#onIdleError);
    await this.#asked(() => client.connect());
    await this.#asked(() => settle(client, this.#access));
    await this.#asked(() => client.query(BEGIN_SNAPSHOT));
    const { engine, all } = this.#readsOn(client);
    const reads: Reads = {
      engine,
      async all<R>(statement: string, parameters: readonly unknown[]) {
        const rows = await all<R>(statement, parameters);
        onRead();
        return rows;
      },
    };
    const onRead = () => this.#sockets.delete(socket);
    return { reads, close: () => client.end() };
  }
}

/**
 * Queries here read few rows, but of many partitions: to start workers or to compile for one would take longer than the
 * query. RDO-03: a session that is to read cannot write, whatever its role may do. If this fails, the connection is not used.
 */
async function settle(client: pg.ClientBase, access: Access): Promise<void> {
  const readOnly =
    access === 'read' ? `set default_transaction_read_only = on; set statement_timeout = ${STATEMENT_MS}; ` : '';
  await client.query(`${readOnly}set max_parallel_workers_per_gather = 0; set jit = off`);
}

/** Connection failures, resources, shutdown and crash, cancelled statements, I/O errors and damaged files, and logins. */
const SERVER_STATES = /^(08|53|57P|57014|58|XX00[12]|28|3D000)/;
/** What the driver says when the server, not the pool, takes too long. */
const LATE = /^(Query read timeout|Connection terminated due to connection timeout|timeout expired)$/;

export function connectionTo(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'tatemono',
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  };
}

const PREPARED = new Map<string, { name: string; text: string }>();

/** A named statement, which each connection prepares once, with numbered parameters. */
export function prepared(statement: string): { name: string; text: string } {
  let known = PREPARED.get(statement);
  if (known === undefined) {
    let parameter = 0;
    const text = statement.replace(/\?/g, () => `$${++parameter}`);
    known = { name: `tatemono_${PREPARED.size}`, text };
    PREPARED.set(statement, known);
  }
  return known;
}

const MOST_PREPARED = 1_000;

/**
 * A query whose parameters are numbered. It is prepared if it has any, unless there are too many others, or its result
 * would change with the columns of a table: a prepared statement would then fail.
 */
export function toQuery(text: string, parameters: readonly unknown[]): pg.QueryConfig {
  const values = [...parameters];
  const isPrepared = values.length > 0 && !text.includes('*') && (PREPARED.size < MOST_PREPARED || PREPARED.has(text));
  return isPrepared ? { ...prepared(text), values } : { text, values };
}
