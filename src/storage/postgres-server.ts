import { Socket } from 'node:net';
import pg from 'pg';
import { type Reads, type Snapshot, StorageError } from './storage.ts';

const INT8 = 20;
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/** What the sessions of a server may do. */
type Access = 'read' | 'write';

const MOST_CONNECTIONS = 10;

/** One PostgreSQL server, and reads from it. */
export class PostgresServer {
  readonly pool: pg.Pool;
  readonly #connection: pg.ClientConfig;
  readonly #onIdleError: (error: Error) => void;
  readonly #sockets = new Set<Socket>();
  readonly #access: Access;
  #isCut = false;

  /** `onIdleError` receives errors of idle connections; the pool replaces them. */
  constructor(url: string, access: Access, onIdleError: (error: Error) => void, connections = MOST_CONNECTIONS) {
    this.#access = access;
    this.#onIdleError = onIdleError;
    this.#connection = { ...connectionTo(url), stream: () => this.#openSocket() };
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
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
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
    return (await asked(this.pool.query({ name, text, values: [...parameters] }))).rows[0];
  }

  query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    return asked(this.pool.query(toQuery(text, parameters)));
  }

  async snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const client = await asked(this.pool.connect());
    try {
      // Sent with the first query; what follows on this connection waits for it.
      const begun = asked(client.query(BEGIN_SNAPSHOT));
      begun.catch(() => {});
      const result = await work(readsOn(client));
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
    await asked(client.connect());
    await asked(settle(client, this.#access));
    await asked(client.query(BEGIN_SNAPSHOT));
    const { engine, all } = readsOn(client);
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
  const readOnly = access === 'read' ? 'set default_transaction_read_only = on; ' : '';
  await client.query(`${readOnly}set max_parallel_workers_per_gather = 0; set jit = off`);
}

/** A failure that the server does not report itself is one of the connection. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw error;
    throw new StorageError('connection', (error as Error).message, { cause: error });
  }
}

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

function readsOn(client: pg.ClientBase): Reads {
  return {
    engine: 'postgres',
    all: async (statement, parameters) => {
      const { name, text } = prepared(statement);
      return (await asked(client.query({ name, text, values: [...parameters] }))).rows;
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
