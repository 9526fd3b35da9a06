import { Socket } from 'node:net';
import pg from 'pg';
import { within } from '../vocabulary/within.ts';
import { connectionTo, PostgresServer } from './postgres-server.ts';
import { StorageError } from './storage.ts';

export interface StandbyTiming {
  /** STB-02: a standby that lacks more than the writes of this time is left out. */
  maxLagMs: number;
  /** Between two looks at a server. */
  lookEveryMs: number;
  /** STB-04: a server that does not answer for this long is left out. */
  answerMs: number;
  /** A server that was left out may take longer to accept a new connection. */
  connectMs: number;
}

/** One server and what the last look at it found. */
export class Watched {
  readonly server: PostgresServer;
  readonly name: string;
  readonly #url: string;
  readonly #timing: StandbyTiming;
  #watcher: Watcher | undefined;
  answers = false;
  /** False for a primary, and for a standby that was promoted. */
  isInRecovery = true;
  /** How far its log has been replayed or written. */
  position = 0n;
  lagMs: number | undefined;
  isFresh = false;

  constructor(url: string, name: string, timing: StandbyTiming) {
    this.#url = url;
    this.name = name;
    this.#timing = timing;
    this.server = new PostgresServer(url, 'read', () => {});
  }

  /** Asks the server for its position, on a connection of its own so that busy reads do not delay it. */
  async look(): Promise<void> {
    try {
      if (this.#watcher === undefined) await this.#connect();
      const { answerMs } = this.#timing;
      const { rows } = await within(
        answerMs,
        (this.#watcher as Watcher).client.query(POSITION),
        () => new StorageError('connection', `no answer within ${answerMs} ms`),
      );
      const { recovering, position } = rows[0] as { recovering: boolean; position: string };
      [this.isInRecovery, this.position] = [recovering, BigInt(position)];
    } catch (error) {
      this.hangUp();
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const socket = new Socket();
    const connectionTimeoutMillis = this.#timing.connectMs;
    const client = new pg.Client({ ...connectionTo(this.#url), connectionTimeoutMillis, stream: () => socket });
    client.on('error', () => {});
    this.#watcher = { client, socket };
    await client.connect();
  }

  /** Without a farewell, which a server that hangs would not answer. */
  hangUp(): void {
    this.#watcher?.socket.destroy();
    this.#watcher = undefined;
  }
}

interface Watcher {
  client: pg.Client;
  socket: Socket;
}

/** The position as a number of bytes; pg_current_wal_lsn() is not allowed on a standby. */
const POSITION = `select recovering,
    (coalesce(case when recovering then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0') - '0/0')::text
      as position
  from (select pg_is_in_recovery() as recovering) s`;
