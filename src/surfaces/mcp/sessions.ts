import { randomUUID } from 'node:crypto';
import type { ProtocolVersion } from './versions.ts';

export interface Session {
  readonly id: string;
  readonly endsAt: number;
  version: ProtocolVersion;
}

/** MCP-05, MCP-06: the initialised sessions. Processes that share a store answer each other's sessions. */
export interface SessionStore {
  readonly count: number;
  /** Reserves a slot for a client while the initialisation is in progress; undefined if none is free. */
  open(version: ProtocolVersion, client: string): Awaitable<Session | undefined>;
  /** Sets the version that was negotiated. */
  agree(session: Session, version: ProtocolVersion): Awaitable<void>;
  find(id: string): Awaitable<Session | undefined>;
  close(session: Session): Awaitable<void>;
}

type Awaitable<T> = T | Promise<T>;

/** The part of the sessions that no other client can take away. */
const SHARE = 1 / 4;

interface OwnedSession extends Session {
  readonly client: string;
}

/** Sessions in the memory of this process. */
export class Sessions implements SessionStore {
  readonly #max: number;
  readonly #lifetimeMs: number;
  readonly #elapsed: () => number;
  /** All have the same lifetime, so they are in order of expiry. */
  readonly #sessions = new Map<string, OwnedSession>();

  constructor({ sessions, sessionMs }: { sessions: number; sessionMs: number }, elapsed: () => number) {
    this.#max = sessions;
    this.#lifetimeMs = sessionMs;
    this.#elapsed = elapsed;
  }

  get count(): number {
    this.#removeEnded();
    return this.#sessions.size;
  }

  open(version: ProtocolVersion, client: string): Session | undefined {
    if (this.count >= this.#max && !this.#takeFromGreediest(client)) return undefined;
    const session = { id: randomUUID(), endsAt: this.#elapsed() + this.#lifetimeMs, version, client };
    this.#sessions.set(session.id, session);
    return session;
  }

  /** SHR-05: ends the oldest session of the client with the most, if that has more than its share and this one less. */
  #takeFromGreediest(client: string): boolean {
    const owned = Map.groupBy(this.#sessions.values(), (session) => session.client);
    const share = Math.ceil(this.#max * SHARE);
    const [most = []] = [...owned.values()].sort((a, b) => b.length - a.length);
    if ((owned.get(client)?.length ?? 0) >= share || most.length <= share) return false;
    this.close(most[0] as Session);
    return true;
  }

  agree({ id }: Session, version: ProtocolVersion): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) session.version = version;
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.endsAt > this.#elapsed() ? session : undefined;
  }

  close({ id }: Session): void {
    this.#sessions.delete(id);
  }

  #removeEnded(): void {
    const elapsed = this.#elapsed();
    for (const { id, endsAt } of this.#sessions.values()) {
      if (endsAt > elapsed) break;
      this.#sessions.delete(id);
    }
  }
}
