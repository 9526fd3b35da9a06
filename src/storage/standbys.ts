import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { kyselyOn } from './postgres-dialect.ts';
import type { PostgresServer } from './postgres-server.ts';
import { type OpenReads, type PreparedOne, type Reads, type Snapshot, StorageError } from './storage.ts';
import { WalHistory } from './wal-history.ts';
import { type StandbyTiming, Watched } from './watched-server.ts';

const TIMING: StandbyTiming = { maxLagMs: 5_000, lookEveryMs: 250, answerMs: 500, connectMs: 2_000 };

/** What is known of one standby. */
interface StandbyState {
  isFresh: boolean;
  /** Undefined if it does not answer, or is further behind than is remembered. */
  lagMs: number | undefined;
}

/** Reads from several servers that hold the same registry. */
export interface StandbyReads extends OpenReads {
  /** Whether the primary answers. */
  hasPrimary(): boolean;
  states(): StandbyState[];
}

/**
 * STB-01: reads from the standbys in turn that are fresh enough, otherwise from the primary. `onChange` receives a line
 * whenever a server is left out or returns.
 */
export function openStandbys(
  primaryUrl: string,
  standbyUrls: readonly string[],
  onChange: (line: string) => void = () => {},
  timing: Partial<StandbyTiming> = {},
): StandbyReads {
  const servers = new Servers(primaryUrl, standbyUrls, onChange, { ...TIMING, ...timing });
  const read = <T>(work: (server: PostgresServer) => Promise<T>) => servers.read(work);
  const db = kyselyOn((text, values) => read((server) => server.query(text, values)));
  return {
    engine: 'postgres',
    db,
    prepareOne<P extends unknown[], R>(query: CompiledQuery<R>): PreparedOne<P, R> {
      return (...parameters) => read((server) => server.one(query.sql, parameters)) as Promise<R | undefined>;
    },
    moment: () => undefined,
    snapshot: (work) => read((server) => server.snapshot(work)),
    openSnapshot: async () => openSnapshot(read),
    hasPrimary: () => servers.primary.answers,
    states: () => servers.standbys.map(({ isFresh, lagMs }) => ({ isFresh, lagMs })),
    close: () => servers.close(),
  };
}

/** STB-05: opened by the first read, which may be repeated elsewhere. Later ones need the same server. */
function openSnapshot(read: Servers['read']): Snapshot {
  let opened: Snapshot | undefined;
  const reads: Reads = {
    engine: 'postgres',
    async all<R>(statement: string, parameters: readonly unknown[]) {
      if (opened !== undefined) return opened.reads.all<R>(statement, parameters);
      return read(async (server) => {
        const snapshot = await server.openSnapshot();
        try {
          const rows = await snapshot.reads.all<R>(statement, parameters);
          opened = snapshot;
          return rows;
        } catch (error) {
          snapshot.close().catch(() => {});
          throw error;
        }
      });
    },
  };
  return { reads, close: async () => opened?.close() };
}

class Servers {
  readonly primary: Watched;
  readonly standbys: readonly Watched[];
  readonly #timing: StandbyTiming;
  readonly #onChange: (line: string) => void;
  readonly #history: WalHistory;
  /** Whose positions the history has. */
  #reference: Watched | undefined;
  readonly #closing = new AbortController();
  readonly #watching: Promise<unknown>;
  #turn = 0;

  constructor(
    primaryUrl: string,
    standbyUrls: readonly string[],
    onChange: (line: string) => void,
    timing: StandbyTiming,
  ) {
    this.#timing = timing;
    this.#onChange = onChange;
    this.#history = new WalHistory(timing.maxLagMs);
    this.primary = new Watched(primaryUrl, 'the primary', timing);
    // Until a look says otherwise.
    this.primary.answers = true;
    this.standbys = standbyUrls.map((url, i) => new Watched(url, `standby ${i + 1}`, timing));
    this.#watching = Promise.all([this.primary, ...this.standbys].map((watched) => this.#watch(watched)));
  }

  /** STB-03: repeats a read on another server if the first one fails for a reason of its own. */
  async read<T>(work: (server: PostgresServer) => Promise<T>): Promise<T> {
    const tried = new Set<Watched>();
    let hasLooked = false;
    for (;;) {
      const chosen = this.#choose(tried);
      try {
        return await work(chosen.server);
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined || this.#closing.signal.aborted) throw error;
        tried.add(chosen);
        if (fault === 'server') this.#doubt(chosen, error);
        if (!this.#isExhausted(tried)) continue;
        if (hasLooked) throw error;
        // None is left: whether one answers is found out before the read fails.
        hasLooked = true;
        tried.clear();
        await Promise.all([this.primary, ...this.standbys].map((watched) => this.#lookNow(watched)));
      }
    }
  }

  #choose(tried: ReadonlySet<Watched>): Watched {
    const { standbys } = this;
    for (let i = 0; i < standbys.length; i++) {
      this.#turn = (this.#turn + 1) % standbys.length;
      const standby = standbys[this.#turn] as Watched;
      if (standby.isFresh && !tried.has(standby)) return standby;
    }
    return this.primary;
  }

  /** Whether every server that could answer has been tried. */
  #isExhausted(tried: ReadonlySet<Watched>): boolean {
    return tried.has(this.primary) && this.standbys.every((standby) => !standby.isFresh || tried.has(standby));
  }

  async #watch(watched: Watched): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#lookNow(watched);
      await sleep(this.#timing.lookEveryMs, undefined, { signal }).catch(() => {});
    }
    watched.hangUp();
  }

  readonly #looking = new Map<Watched, Promise<void>>();

  #lookNow(watched: Watched): Promise<void> {
    const current = this.#looking.get(watched);
    if (current !== undefined) return current;
    const looking = watched
      .look()
      .then(
        () => this.#judge(watched),
        (error: unknown) => this.#lose(watched, error),
      )
      .finally(() => this.#looking.delete(watched));
    this.#looking.set(watched, looking);
    return looking;
  }

  /** STB-02: whether a server that has answered is fresh enough. */
  #judge(watched: Watched): void {
    if (this.#closing.signal.aborted) return;
    const hadAnswered = watched.answers;
    watched.answers = true;
    watched.server.mend();
    if (!hadAnswered && watched === this.primary) this.#onChange('the primary answers again');
    const now = performance.now();
    const reference = this.#chooseReference();
    if (reference !== this.#reference) this.#history.clear();
    this.#reference = reference;
    if (watched === reference) this.#history.note(watched.position, now);
    if (watched === this.primary) return;
    watched.lagMs = this.#history.lagOf(watched.position, now);
    // A standby that was promoted while there is a primary no longer follows it.
    const follows = watched.isInRecovery || !this.primary.answers;
    const isFresh = follows && watched.lagMs !== undefined && watched.lagMs <= this.#timing.maxLagMs;
    if (isFresh !== watched.isFresh)
      this.#onChange(isFresh ? `${watched.name} is read` : `${watched.name} is left out: ${whyStale(follows)}`);
    watched.isFresh = isFresh;
  }

  /** STB-06: standbys are compared with the primary, and without it with the one that was promoted or has the most. */
  #chooseReference(): Watched | undefined {
    if (this.primary.answers) return this.primary;
    const answering = this.standbys.filter(({ answers }) => answers);
    const promoted = answering.filter(({ isInRecovery }) => !isInRecovery);
    const among = promoted.length > 0 ? promoted : answering;
    return among.reduce<Watched | undefined>((a, b) => (a === undefined || b.position > a.position ? b : a), undefined);
  }

  /** STB-04: a standby on which a read failed is not read again before it has answered. */
  #doubt(watched: Watched, error: unknown): void {
    if (watched.isFresh) this.#reportLoss(watched, error);
    watched.isFresh = false;
    void this.#lookNow(watched);
  }

  /** STB-04: a server that does not answer is not read until it does; reads that wait for it are repeated elsewhere. */
  #lose(watched: Watched, error: unknown): void {
    if (this.#closing.signal.aborted) return;
    if (watched.isFresh || (watched === this.primary && watched.answers)) this.#reportLoss(watched, error);
    watched.answers = false;
    watched.isFresh = false;
    watched.lagMs = undefined;
    if (watched !== this.primary) watched.server.cut();
    // Without a standby it is better to wait for the primary.
    if (!this.standbys.some(({ answers }) => answers)) this.primary.server.mend();
    else if (!this.primary.answers) this.primary.server.cut();
  }

  #reportLoss({ name }: Watched, error: unknown): void {
    this.#onChange(`${name} is left out: ${(error as Error).message}`);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const watched of [this.primary, ...this.standbys]) watched.hangUp();
    await this.#watching;
    await Promise.all([this.primary, ...this.standbys].map(({ server }) => server.close()));
  }
}

const whyStale = (follows: boolean) => (follows ? 'it is behind' : 'it was promoted, and the primary still answers');

/** Cancelled because replaying the log required it. */
const CONFLICTS = /^(40001|40P01)$/;

/** Undefined if the read would fail on every server. */
function faultOf(error: unknown): 'server' | 'conflict' | undefined {
  if (error instanceof StorageError && error.failure.kind === 'connection') return 'server';
  return error instanceof pg.DatabaseError && CONFLICTS.test(error.code ?? '') ? 'conflict' : undefined;
}
